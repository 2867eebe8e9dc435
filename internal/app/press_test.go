package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
)

// chooser is a model that asks for a colour, or for a size, and tells what was chosen. Whatever else is
// asked, it calls tools until it may not.
type chooser struct{ n atomic.Int64 }

func (m *chooser) Generate(_ context.Context, r llm.Request) (llm.Reply, error) {
	last := r.Messages[len(r.Messages)-1]
	call := func(name string, args map[string]any) (llm.Reply, error) {
		c := llmtest.Call(name, args)
		c.ID = fmt.Sprint("c", m.n.Add(1))
		return llm.Reply{Calls: []akitad.Call{c}, Finish: llm.FinishCalls, Usage: akitad.Usage{Calls: 1}}, nil
	}
	switch n := len(last.Results); {
	case n > 0 && strings.HasPrefix(last.Results[n-1].Text, "the person answers: "):
		return llm.Reply{Text: "told: " + last.Results[n-1].Text, Finish: llm.FinishStop}, nil
	case strings.HasPrefix(last.Text, "deploy"):
		return call("ask_user", map[string]any{"question": "Blue or green?", "options": []string{"Blue", "Green"}})
	case strings.HasPrefix(last.Text, "resize"):
		return call("ask_user", map[string]any{"question": "How large?", "options": []string{"Small", "Large"}})
	case r.Choice == llm.ChoiceNone:
		return llm.Reply{Text: "as far as I came", Finish: llm.FinishStop}, nil
	}
	return call("glob", map[string]any{"pattern": fmt.Sprintf("*.%d", m.n.Load())})
}

// question waits for the message that has the buttons and gives it.
func (h *chatHouse) question(chat int64, words string) telegramtest.Message {
	h.t.Helper()
	var out telegramtest.Message
	h.waits("the question "+words, func() bool {
		for _, m := range h.srv.FromBot(chat) {
			if m.Text == words && len(m.Buttons) > 0 {
				out = m
				return true
			}
		}
		return false
	})
	return out
}

func (h *chatHouse) waits(what string, ok func() bool) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	if err := h.srv.Wait(ctx, ok); err != nil {
		h.t.Fatalf("%s never came; the chats: %+v", what, h.srv.Chats())
	}
}

// press presses the button with that label and gives what the person is shown.
func (h *chatHouse) press(from int64, m telegramtest.Message, label string) string {
	h.t.Helper()
	id := h.srv.PressOld(from, m.Chat, m.ID, data(h.t, m, label))
	h.waits("the answer to a press", func() bool { return h.srv.Pressed(id).Answered })
	return h.srv.Pressed(id).Toast
}

func data(t *testing.T, m telegramtest.Message, label string) string {
	t.Helper()
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Text == label {
				return b.Data
			}
		}
	}
	t.Fatalf("no button %q: %+v", label, m.Buttons)
	return ""
}

// A button answers its question, once, and settles it; a restart between question and press changes nothing.
func TestChatPressAnswersAQuestion(t *testing.T) {
	home, srv := t.TempDir(), telegramtest.Start(t, telegramtest.Options{})
	h := startChat(t, home, srv, &chooser{}, nil)
	h.say(anna, "deploy it")
	h.question(anna, "Blue or green?")
	h.stop()
	h = startChat(t, home, srv, &chooser{}, nil)
	q := h.question(anna, "Blue or green?")
	if got := h.press(anna, q, "Green"); got != text.En.PressTaken("Green") {
		t.Errorf("the press shows %q", got)
	}
	settled := "Blue or green?\n\n→ Answered: Green"
	h.sees(anna, "told: the person answers: Green", settled)
	if m := h.srv.FromBot(anna)[1]; len(m.Buttons) != 0 {
		t.Errorf("the buttons are still there: %+v", m.Buttons)
	}
	if got := h.press(anna, q, "Blue"); got != text.En.PressAnswered("Green") {
		t.Errorf("the second press shows %q", got)
	}
	h.say(anna, "resize it") // a stale button answers no other question
	h.question(anna, "How large?")
	if got := h.press(anna, q, "Blue"); got != text.En.PressAnswered("Green") {
		t.Errorf("a stale press shows %q", got)
	}
	h.say(anna, "huge")
	h.sees(anna, "told: the person answers: Green", settled, "told: the person answers: huge", "How large?\n\n→ Answered: huge")
}

// In a group a question with buttons is for who was asked.
func TestChatPressOfOthers(t *testing.T) {
	h := newChat(t, &chooser{}, nil)
	h.srv.Say(boris, group, "@akita_bot deploy it", telegramtest.Said{})
	q := h.question(group, "Blue or green?")
	for _, who := range []int64{anna, 666} {
		if got := h.press(who, q, "Green"); got != text.En.PressNotYours() {
			t.Errorf("the press of %d shows %q", who, got)
		}
	}
	if got := h.press(boris, q, "Blue"); got != text.En.PressTaken("Blue") {
		t.Errorf("the press shows %q", got)
	}
	h.sees(group, "told: the person answers: Blue", "Blue or green?\n\n→ Answered: Blue")
}

// However a question ends, no buttons are left below it, and it says what became of it.
func TestChatButtonsGoWithTheQuestion(t *testing.T) {
	over := func(answer string) string { return "Blue or green?\n\n→ Answered: " + answer }
	for say, want := range map[string]string{"neither": over("neither"), "/stop": "Blue or green?\n\n→ " + text.En.PressOver(), "/approve": ""} {
		t.Run(say, func(t *testing.T) {
			h := newChat(t, &chooser{}, nil)
			h.say(anna, "deploy it")
			q := h.question(anna, "Blue or green?")
			if want == "" { // the command names the question and the choice
				id, _, _ := strings.Cut(data(t, q, "Green"), ":")
				say, want = "/approve "+id+" Green", over("Green")
			}
			h.say(anna, say)
			h.waits("the end of the question", func() bool {
				m := h.srv.FromBot(anna)[1]
				return m.ID == q.ID && len(m.Buttons) == 0 && m.Text == want
			})
		})
	}
}

// A button that was answered in words says so.
func TestChatPressAfterWords(t *testing.T) {
	h := newChat(t, &chooser{}, nil)
	h.say(anna, "deploy it")
	q := h.question(anna, "Blue or green?")
	h.say(anna, "neither")
	h.waits("the answer", func() bool { return slices.Contains(h.texts(anna), "told: the person answers: neither") })
	if got := h.press(anna, q, "Blue"); got != text.En.PressAnswered("neither") {
		t.Errorf("the press shows %q", got)
	}
	for _, forged := range []string{"x", "t_x.y:0", strings.Replace(data(t, q, "Blue"), ":0", ":7", 1), "t_aaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaa:0"} {
		id := h.srv.PressOld(anna, anna, q.ID, forged)
		h.waits("the answer to a press", func() bool { return h.srv.Pressed(id).Answered })
		if got := h.srv.Pressed(id).Toast; got != text.En.PressOver() {
			t.Errorf("a forged press %q shows %q", forged, got)
		}
	}
}

// The budget of a task is for its person to enlarge, by a button in the task's language.
func TestChatPressOnABudget(t *testing.T) {
	h := newChat(t, &chooser{}, func(c *config.Config) { c.Budgets.Calls, c.Rounds.Chat = 4, 60 })
	h.say(anna, "把我的所有文件都看一遍，逐个告诉我")
	var q telegramtest.Message
	h.waits("the question", func() bool {
		for _, m := range h.srv.FromBot(anna) {
			if len(m.Buttons) > 0 {
				q = m
				return true
			}
		}
		return false
	})
	stop := text.ChoiceWords(text.Zh, text.Stop)[0]
	if got := h.press(anna, q, stop); got != text.Zh.PressTaken(stop) {
		t.Errorf("the press shows %q", got)
	}
	h.waits("the end", func() bool {
		return strings.HasPrefix(h.texts(anna)[0], "as far as I came") && len(h.srv.FromBot(anna)[1].Buttons) == 0
	})
}
