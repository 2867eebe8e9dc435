package telegram

import (
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/pace"
)

// Whatever is asked for, the limits that Telegram sets hold in every window.
func TestLimitsOfTelegram(t *testing.T) {
	type sent struct {
		chat string
		at   time.Time
	}
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			g := newGate(defaultRate)
			var all []sent
			for range rapid.IntRange(1, 300).Draw(rt, "asks") {
				time.Sleep(time.Duration(rapid.IntRange(0, 200).Draw(rt, "ms")) * time.Millisecond)
				chat := rapid.SampledFrom([]string{"-2", "-1", "1", "2", "3", "4", "5", "6"}).Draw(rt, "chat")
				if g.Try(chat, pace.Class(rapid.IntRange(0, 3).Draw(rt, "class"))) {
					all = append(all, sent{chat, time.Now()})
				}
			}
			for i, s := range all {
				bot, chat, group := 0, 0, 0
				for _, o := range all[i:] {
					age, same := o.at.Sub(s.at), o.chat == s.chat
					if age < time.Second {
						bot++
					}
					if age < time.Second && same {
						chat++
					}
					if age < time.Minute && same {
						group++
					}
				}
				if bot > 30 || chat > 3 || (isGroup(s.chat) && group > 20) {
					rt.Fatalf("bot %d in 1 s, chat %d in 1 s, group %d in 1 min", bot, chat, group)
				}
			}
		})
	})
}
