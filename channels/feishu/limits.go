package feishu

import (
	"time"

	"github.com/akitad/akitad/internal/pace"
)

// The service's limits (open.feishu.cn, send and edit messages): 1000 a minute and 50 a second for an
// app, 5 a second in a chat, of which all bots of a group have a share, and 5 edits a second of a message.
const (
	defaultRate = 16.0 // messages a second; with botBurst at most 990 in any minute
	botBurst    = 30.0
	botSecond   = 48.0 // with a higher rate the burst is smaller, so that no second has more
	leastBurst  = 2.0  // progress needs as much
	chatRate    = 2.5  // messages a second; with chatBurst at most 5 in any second
	chatBurst   = 2.5
)

// newGate holds the limits; with a rate below 0 there are none.
func newGate(rate float64) *pace.Gate {
	if rate <= 0 {
		return pace.New(pace.Options{})
	}
	return pace.New(pace.Options{Rate: rate, Burst: max(min(botBurst, botSecond-rate), leastBurst), ChatRate: chatRate, ChatBurst: chatBurst})
}

// limited notes a refusal for sending too much. The service says whose limit it was, so nothing is
// concluded from several chats.
func (f *Feishu) limited(chat string, pause time.Duration, all bool) {
	if all {
		chat = ""
	}
	f.gate.Pause(chat, pause)
}
