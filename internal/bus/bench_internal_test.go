package bus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// BenchmarkAppendCost shows what the fence and the nudge of each event cost.
func BenchmarkAppendCost(b *testing.B) {
	body := []byte(strings.Repeat("x", 300))
	for _, nudge := range []bool{true, false} {
		for _, fenced := range []bool{true, false} {
			b.Run(fmt.Sprintf("nudge=%v/fence=%v", nudge, fenced), func(b *testing.B) {
				bus := openRaw(b)
				if !nudge {
					withoutNudge(b, bus)
				}
				for i := 0; b.Loop(); i++ {
					opts := []jetstream.PublishOpt{jetstream.WithMsgID(fmt.Sprint(i))}
					if fenced {
						opts = append(opts, jetstream.WithExpectLastSequenceForSubject(0, fmt.Sprintf("akita.task.t_%d.>", i)))
					}
					m := &nats.Msg{Subject: fmt.Sprintf("akita.task.t_%d.log", i), Data: body}
					if _, err := bus.js.PublishMsg(b.Context(), m, opts...); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func withoutNudge(b *testing.B, bus *Bus) {
	if err := bus.js.DeleteStream(b.Context(), Tasks); err != nil {
		b.Fatal(err)
	}
	cfg := bus.config(Tasks)
	cfg.RePublish = nil
	if _, err := bus.js.CreateStream(b.Context(), cfg); err != nil {
		b.Fatal(err)
	}
}
