package telegram

import (
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/pace"
)

// Telegram's limits (Bot FAQ, "My bot is hitting limits"): about 30 messages a second for a bot, one
// a second in a chat with short bursts, 20 a minute in a group. Edits count like messages.
const (
	defaultRate = 25.0 // messages a second; with botBurst at most 30 in any second
	botBurst    = 5.0
	chatRate    = 1.0 // messages a second
	chatBurst   = 2.0 // a placeholder and the answer that quickly takes its place
	groupRate   = 20  // messages a minute
)

// newGate holds the limits; with a rate below 0 there are none.
func newGate(rate float64) *pace.Gate {
	if rate <= 0 {
		return pace.New(pace.Options{})
	}
	return pace.New(pace.Options{Rate: rate, Burst: botBurst, ChatRate: chatRate, ChatBurst: chatBurst, Group: isGroup, GroupRate: groupRate})
}

// isGroup: groups have negative ids.
func isGroup(chat string) bool { return strings.HasPrefix(chat, "-") }

// key is what the gate calls a place.
func (p place) key() string { return strconv.FormatInt(p.chat, 10) }
