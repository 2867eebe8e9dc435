package orchestrator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// used puts a root task of a person on the list, made so long ago.
func (h *house) used(name, channel, sender string, ago time.Duration, u akitad.Usage) {
	h.t.Helper()
	id := akitad.DeriveTaskID(h.t.Name(), name)
	at := time.Now().Add(-ago)
	row := projection.Row{ID: id, Root: id, State: akitad.Completed, Channel: channel, Sender: sender, Created: at, Updated: at, Usage: u, Seq: 1}
	row.Spent = []projection.Spent{{Day: at.Format(time.DateOnly), Bill: akitad.Bill{Endpoint: "big", Role: "main", Usage: u}}}
	if err := h.Projection.Apply(h.t.Context(), []projection.Row{row}, 0); err != nil {
		h.t.Fatal(err)
	}
}

// sinceMidnight is how long the day has lasted.
func sinceMidnight() time.Duration {
	now := time.Now()
	y, m, d := now.Date()
	return now.Sub(time.Date(y, m, d, 0, 0, 0, 0, now.Location()))
}

// Who has used up the day is told so and when it begins anew; the day before, other people and other
// channels do not count, and what is a task already goes on.
func TestAPersonsDay(t *testing.T) {
	const yesterday = 24 * time.Hour
	for _, tt := range []struct {
		name   string
		tokens int
		money  float64
		used   func(*house)
		over   bool
	}{
		{"nothing used", 1000, 5, func(*house) {}, false},
		{"used up", 1000, 0, func(h *house) { h.used("a", "telegram", "7", 0, akitad.Usage{Input: 900, Output: 100}) }, true},
		{"used up in two tasks", 1000, 0, func(h *house) {
			h.used("a", "telegram", "7", 0, akitad.Usage{Input: 600})
			h.used("b", "telegram", "7", sinceMidnight()/2, akitad.Usage{Input: 600})
		}, true},
		{"by money", 0, 0.5, func(h *house) { h.used("a", "telegram", "7", 0, akitad.Usage{Cost: 0.6}) }, true},
		{"cached tokens", 1000, 0, func(h *house) { h.used("a", "telegram", "7", 0, akitad.Usage{Input: 9000, Cached: 8500}) }, false},
		{"yesterday", 1000, 0, func(h *house) { h.used("a", "telegram", "7", yesterday, akitad.Usage{Input: 5000}) }, false},
		{"somebody else", 1000, 0, func(h *house) { h.used("a", "telegram", "8", 0, akitad.Usage{Input: 5000}) }, false},
		{"another channel", 1000, 0, func(h *house) { h.used("a", "feishu", "7", 0, akitad.Usage{Input: 5000}) }, false},
		{"no cap", 0, 0, func(h *house) { h.used("a", "telegram", "7", 0, akitad.Usage{Input: 1 << 40, Cost: 1e6}) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := startParts(t, t.TempDir(), llmtest.New(nil).Always(llmtest.Any, llmtest.Text("4")), whole, func(c *config.Config) {
				c.Budgets.PersonTokens, c.Budgets.PersonMoney = tt.tokens, tt.money
			})
			tt.used(h)
			got := h.ended(h.say(1, "what is two plus two?", nil))
			if over := got.Error != nil && got.Error.Kind == akitad.OverBudget; over != tt.over {
				t.Fatalf("%s, %+v", got.State, got.Error)
			}
			if !tt.over {
				return
			}
			until := got.Error.Until
			if until == nil || !until.After(time.Now()) || time.Until(*until) > 25*time.Hour || until.Local().Hour() != 0 {
				t.Errorf("it begins anew at %v", until)
			}
		})
	}
}

// Over HTTP nothing becomes a task that would be refused.
func TestADayOverHTTP(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(nil).Always(llmtest.Any, llmtest.Text("4")), whole, func(c *config.Config) { c.Budgets.PersonTokens = 1000 })
	req := akitad.TaskRequest{Text: "what is two plus two?", IdempotencyKey: "k"}
	first := h.do(req)
	h.used("a", "http", "", 0, akitad.Usage{Input: 2000})
	if _, err := h.Orchestrator.Submit(t.Context(), "http", akitad.TaskRequest{Text: "and three?"}); akitad.KindOf(err) != akitad.OverBudget {
		t.Errorf("another request gives %v", err)
	}
	if again, err := h.Orchestrator.Submit(t.Context(), "http", req); err != nil || again != first.ID {
		t.Errorf("the same request again gives %s, %v", again, err)
	}
}

// Who has used most of the day is told so once, with the task that comes then.
func TestMostOfADayIsToldOnce(t *testing.T) {
	model := llmtest.New(nil).Always(llmtest.Any, llmtest.Text("4"))
	home := t.TempDir()
	change := func(c *config.Config) { c.Budgets.PersonTokens, c.Budgets.PersonMoney = 1000, 10 }
	h := startParts(t, home, model, whole, change)
	told := func(nr int, words, sender, lang string) string {
		t.Helper()
		id := h.say(nr, words, func(m *akitad.Message) {
			m.Origin.Sender, m.Origin.Lang, m.Session = sender, lang, akitad.DeriveSessionKey(sender)
		})
		return h.ended(id).Sub.Notice
	}
	h.used("a", "telegram", "7", 0, akitad.Usage{Input: 850})
	h.used("b", "telegram", "8", 0, akitad.Usage{Cost: 9.1})
	h.used("c", "http", "", 0, akitad.Usage{Input: 900})
	if got := told(1, "what is two plus two?", "9", "en"); got != "" {
		t.Errorf("with nothing used: %q", got)
	}
	if got := told(2, "what is two plus two?", "7", "en"); !strings.Contains(got, "85 %") || !strings.Contains(got, "00:00") {
		t.Errorf("told %q", got)
	}
	if got := told(3, "what is two plus three?", "7", "en"); got != "" {
		t.Errorf("told again: %q", got)
	}
	h.stop()
	h = startParts(t, home, model, whole, change)
	if got := told(4, "what is two plus four?", "7", "en"); got != "" {
		t.Errorf("told again after a restart: %q", got)
	}
	if got := told(5, "二加二等于几？", "8", "zh"); !strings.Contains(got, "91%") {
		t.Errorf("somebody else is told %q", got)
	}
	if got := h.do(akitad.TaskRequest{Text: "what is two plus two?"}); got.Sub.Notice != "" || got.State != akitad.Completed {
		t.Errorf("over HTTP: %s, told %q", got.State, got.Sub.Notice)
	}
}
