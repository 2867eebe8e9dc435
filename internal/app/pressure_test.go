package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/text"
)

// echo is a model that answers with the person's words.
type echo struct{ held <-chan struct{} }

func (e echo) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if e.held != nil {
		select {
		case <-e.held:
		case <-ctx.Done():
			return llm.Reply{}, ctx.Err()
		}
	}
	words := ""
	for _, m := range req.Messages {
		if m.Speaker == llm.User {
			words, _ = llm.SplitBrief(m.Text)
		}
	}
	return llm.Reply{Text: "re: " + strings.TrimSpace(words), Finish: llm.FinishStop}, nil
}

// pressed starts a house that anybody may write to.
func pressed(t *testing.T, rates telegramtest.Rates, model echo, rate float64) *chatHouse {
	t.Helper()
	srv := telegramtest.Start(t, telegramtest.Options{Rates: rates})
	return startChat(t, t.TempDir(), srv, model, func(c *config.Config) {
		c.Channels.Telegram.Allow, c.Channels.Telegram.Rate = []string{"*"}, rate
	})
}

// crowd has n people write one message each, at once.
func (h *chatHouse) crowd(n int) {
	for i := range n {
		h.say(int64(1000+i), fmt.Sprintf("question %d", i))
	}
}

// eachAnswered waits until all of the crowd have their answer, and holds that it is all they have.
func (h *chatHouse) eachAnswered(n int) {
	h.t.Helper()
	for i := range n {
		h.sees(int64(1000+i), fmt.Sprintf("re: question %d", i))
	}
}

func TestFiveHundredChatsAtOnce(t *testing.T) {
	const n = atOnce
	h := pressed(t, telegramtest.Rates{}, echo{}, 0)
	h.crowd(n)
	h.eachAnswered(n)
}

func TestFiftyMessagesInOneChat(t *testing.T) {
	const n = 50
	held := make(chan struct{})
	h := pressed(t, telegramtest.Rates{}, echo{held}, 0)
	var places, answers []string
	for i := range n {
		h.say(anna, fmt.Sprintf("question %d", i))
		places = append(places, text.En.Queued(i))
		answers = append(answers, fmt.Sprintf("re: question %d", i))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	// The first one is at work, which its own line says.
	if err := h.srv.Wait(ctx, func() bool { got := h.texts(anna); return len(got) == n && slices.Equal(got[1:], places[1:]) }); err != nil {
		t.Errorf("the places are %q, want %q", h.texts(anna), places)
	}
	close(held)
	h.sees(anna, answers...)
}

// One chat is refused for an hour, and what goes to another one hangs: nobody else has to wait for them,
// and the house can be stopped.
func TestChatInTroubleSlowsNobody(t *testing.T) {
	const n = 30
	h := pressed(t, telegramtest.Rates{}, echo{}, 0)
	h.srv.Fail(telegramtest.Fault{Chat: anna, Code: 429, Description: "Too Many Requests", RetryAfter: 3600, Times: -1})
	h.srv.Fail(telegramtest.Fault{Chat: boris, Code: 500, Delay: time.Hour, Times: -1})
	for range 5 {
		h.say(anna, "are you there?")
		h.say(boris, "are you there?")
	}
	h.crowd(n)
	h.eachAnswered(n)
	for _, chat := range []int64{anna, boris} {
		if got := h.texts(chat); len(got) != 0 {
			t.Errorf("chat %d has %q: this test proves nothing", chat, got)
		}
	}
}

// With the budget that a bot has by default, and a service that holds its own limits, answers go before the first words
// to others, none is lost, and the service has to refuse at most what a busy machine has bunched on its way there.
func TestBudgetOfTheBotUnderPressure(t *testing.T) {
	const n = 60
	usual, err := config.Load(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	h := pressed(t, telegramtest.Rates{BotPerSecond: 30, ChatPerSecond: 2, GroupPerMinute: 20}, echo{}, usual.Channels.Telegram.Rate)
	h.crowd(n)
	h.eachAnswered(n)
	var answered, begun []time.Time
	for i := range n {
		m := h.srv.FromBot(int64(1000 + i))[0]
		begun, answered = append(begun, m.At), append(answered, m.Edits[len(m.Edits)-1].At)
	}
	slices.SortFunc(answered, time.Time.Compare)
	slices.SortFunc(begun, time.Time.Compare)
	// Where the machine is slower than the budget, nobody waits for the budget, and the order tells nothing.
	if last := begun[n-1]; last.Sub(begun[0]) < 2*n*time.Second/25 && answered[n/3].After(last) {
		t.Error("answers waited until everybody had the first words")
	}
	refused := 0
	for _, c := range h.srv.Calls("") {
		if c.Code == 429 {
			refused++
		}
	}
	if refused > n/6 {
		t.Errorf("%d requests were refused for sending too much", refused)
	}
}
