package feishu_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// The conversation that the vendor's own client has with the fake service (feishutest/node) is one that
// this client has, too, and it leaves the same chat.
func TestConversation(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.connect(feishu.Options{Open: func(context.Context, akitad.File) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(pictures["cat.png"])), nil
		}})
		r.run()
		c := feishutest.Talk()
		s := &speaker{rig: r}
		for _, step := range c.Steps {
			s.step(step)
		}
		synctest.Wait()
		var chat []string
		for _, m := range r.FromBot(feishutest.Private(anna)) {
			line := m.Type + ": " + m.Text
			for _, b := range m.Buttons {
				line += " [" + b.Label + "]"
			}
			chat = append(chat, line)
		}
		if !slices.Equal(chat, c.Chat) {
			t.Errorf("in the chat stands %q, want %q", chat, c.Chat)
		}
		if got := r.Toasts(); !slices.Equal(got, []string{"noted"}) {
			t.Errorf("shown was %q", got)
		}
		for _, a := range r.Acks() {
			if a.Code != 200 || a.Late {
				t.Errorf("answered %+v", a)
			}
		}
	})
}

// speaker does the steps of a conversation.
type speaker struct {
	*rig
	to   akitad.Origin
	mine string
}

func (s *speaker) step(step feishutest.Step) {
	if step.Fragment > 0 {
		s.SetFragment(step.Fragment)
	}
	switch {
	case step.Say != nil:
		s.Say(*step.Say)
		m := s.next()
		if m.Text != step.Hears {
			s.t.Errorf("heard %q, want %q", m.Text, step.Hears)
		}
		s.to = m.Origin
	case step.Do == "reply":
		s.mine = s.final(reply(s.to, "", step.Text))[0]
	case step.Do == "patch":
		s.final(reply(s.to, s.mine, step.Text))
	case step.Do == "image":
		d := reply(s.to, s.mine, "it was whole")
		d.Reply.Files = []akitad.File{{Name: "cat.png"}}
		d.From = 1
		s.final(d)
	case step.Do == "ask":
		d := reply(s.to, "", step.Text)
		d.Choices = []akitad.Choice{{ID: "yes", Label: step.Label, Style: "primary"}}
		s.mine = s.final(d)[0]
	case step.Do == "press":
		s.Server.Press(anna, s.to.Chat, s.mine, step.Label)
		m := s.next()
		if m.Press == nil || m.Press.Choice != step.Hears {
			s.t.Errorf("heard %+v, want a press of %q", m.Press, step.Hears)
		}
		if err := s.f.Pressed(s.t.Context(), m.Origin, *m.Press, step.Text, ""); err != nil {
			s.t.Error(err)
		}
	case step.Do == "expire":
		s.ExpireTokens(step.Status)
	case step.Do == "drop":
		s.Drop()
	default:
		s.t.Fatalf("unknown step %+v", step)
	}
}
