package text_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// A person whose day is used up is told when it begins anew; of a task's budget nothing is said of a time.
func TestDayUsedUp(t *testing.T) {
	until := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, l := range text.Langs {
		day, task := l.Failed(akitad.Failure{Kind: akitad.OverBudget, Until: &until}), l.Failed(akitad.Failure{Kind: akitad.OverBudget})
		if !strings.Contains(day, "2026-12-01 00:00") || strings.Contains(task, "2026") {
			t.Errorf("%s: %q and %q", l, day, task)
		}
	}
}

func TestDayNearlyUsedUp(t *testing.T) {
	until := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for l, want := range map[text.Lang]string{
		text.En: "You have used 85 % of your budget for today. When it is used up I take no new messages until 2026-12-01 00:00 UTC.",
		text.Zh: "你今天的预算已用 85%。用完之后，在 2026-12-01 00:00 UTC 之前我不再接收新消息。",
	} {
		if got := l.DayNearlyUsedUp(85, until); got != want {
			t.Errorf("%s: %q", l, got)
		}
	}
}

// Only a plain yes is one: what is unclear must not cost anything.
func TestAgreesAndEnds(t *testing.T) {
	for _, s := range []string{"yes", "Yes!", " continue ", "go on.", "OK", "yes, please", "继续", "继续。", "好的！", "是"} {
		if !text.Agrees(s) || text.Ends(s) {
			t.Errorf("%q is no yes", s)
		}
	}
	for _, s := range []string{"stop", "No.", "STOP!", "停止", "不用了。", "算了", "no, stop"} {
		if text.Agrees(s) || !text.Ends(s) {
			t.Errorf("%q is no stop", s)
		}
	}
	for _, s := range []string{"", "...", "yesterday", "not yet, continue later", "don't continue", "不要继续", "继续什么？", "how much is that?"} {
		if text.Agrees(s) || text.Ends(s) {
			t.Errorf("%q is clear", s)
		}
	}
}
