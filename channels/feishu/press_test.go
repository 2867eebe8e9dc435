package feishu_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// question asks in a chat and gives the message that has the buttons.
func (r *rig) question(to akitad.Origin, text string) feishutest.Message {
	r.t.Helper()
	d := reply(to, "", text)
	d.Kind = akitad.DeliverQuestion
	d.Choices = []akitad.Choice{{ID: "y:" + strings.Repeat("z", 62), Label: "Yes", Style: "primary"}, {ID: "n", Label: "No", Style: "danger"}, {ID: "m", Label: "不知道"}}
	ids := r.final(d)
	return r.message(to.Chat, ids[len(ids)-1])
}

// A press comes as a message from where the question is; its words are shown in time, and then the card is
// rewritten, not before the service has its answer.
func TestPress(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		r.Say(feishutest.Said{From: anna, Chat: group, Thread: "omt_1", Text: "go", Mention: true})
		to := r.next().Origin
		asked := r.question(to, "shall I?")
		var kinds []string
		for _, b := range asked.Buttons {
			kinds = append(kinds, b.Label+" "+b.Type)
		}
		if want := []string{"Yes primary", "No danger", "不知道 default"}; !slices.Equal(kinds, want) {
			t.Errorf("buttons %q, want %q", kinds, want)
		}
		r.Server.Press("ou_boris", group, asked.ID, "No")
		m := r.next()
		want := akitad.Origin{Channel: "feishu", Chat: group, Thread: "omt_1", Sender: "ou_boris", Message: asked.ID, Group: true}
		if m.Origin != want || m.Press == nil || m.Press.Choice != "n" || m.Press.Message != asked.ID || m.Text != "" {
			t.Fatalf("came as %+v, %+v", m, m.Press)
		}
		if err := r.f.Pressed(r.t.Context(), m.Origin, *m.Press, "noted", "shall I? **No.**"); err != nil {
			t.Error(err)
		}
		synctest.Wait() // the service has read its answer
		if got := r.Toasts(); !slices.Equal(got, []string{"noted"}) {
			t.Errorf("shown was %q", got)
		}
		if got := r.message(group, asked.ID); len(got.Buttons) != 0 || !strings.Contains(got.Text, "No.") {
			t.Errorf("the card shows %q with %d buttons", got.Text, len(got.Buttons))
		}
	})
}

// Without words in time the service gets its answer all the same; words that come too late harm nothing.
func TestPressWithoutWords(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		asked := r.question(r.meet(), "shall I?")
		r.Server.Press(anna, asked.Chat, asked.ID, "Yes")
		m := r.next()
		time.Sleep(time.Minute)
		last := r.Acks()[len(r.Acks())-1]
		if last.Code != 200 || last.Late || last.Data != "{}" {
			t.Errorf("answered %+v", last)
		}
		if err := r.f.Pressed(r.t.Context(), m.Origin, *m.Press, "too late", ""); err != nil {
			t.Error(err)
		}
		if got := r.message(asked.Chat, asked.ID); len(got.Buttons) != 3 {
			t.Error("without a word to put there the card was changed")
		}
	})
}

// A card that was forwarded has its buttons still; in another chat they count for nothing. Nor do buttons
// that are not the bot's.
func TestPressElsewhere(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		asked := r.question(r.meet(), "shall I?")
		r.Server.Press("ou_boris", "oc_elsewhere", asked.ID, "Yes")
		r.Push(`{"schema":"2.0","header":{"event_id":"x","event_type":"card.action.trigger"},"event":{"operator":{"open_id":"ou_b"},"action":{"value":"{}"},"context":{"open_message_id":"om_1","open_chat_id":"oc_1"}}}`)
		r.none(time.Hour)
	})
}

// A card that is gone when its press is settled is not replaced by a message out of place.
func TestPressOfACardThatIsGone(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		asked := r.question(r.meet(), "shall I?")
		r.Server.Press(anna, asked.Chat, asked.ID, "Yes")
		m := r.next()
		r.Recall(asked.ID)
		before := len(r.FromBot(asked.Chat))
		if err := r.f.Pressed(r.t.Context(), m.Origin, *m.Press, "noted", "shall I? Yes."); err != nil {
			t.Error(err)
		}
		if got := len(r.FromBot(asked.Chat)); got != before {
			t.Errorf("the bot's messages went from %d to %d", before, got)
		}
	})
}

// The older form of a press, which has no envelope.
func TestOldPress(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		r.Push(`{"open_id":"ou_b","user_id":"u","open_message_id":"om_1","open_chat_id":"oc_1","token":"c-1","action":{"tag":"button","value":{"choice":"y","chat":"oc_1"}}}`)
		if m := r.next(); m.Press == nil || m.Press.Choice != "y" || m.Origin.Sender != "ou_b" || m.Origin.Chat != "oc_1" || !slices.Equal(m.Aliases, []string{"u"}) {
			t.Errorf("came as %+v, %+v", m, m.Press)
		}
	})
}

// Buttons that have no room below a long text stand below a line of their own.
func TestButtonsBelowAFullCard(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		for _, n := range []int{25_500, 25_900, 26_300, 26_500} {
			asked := r.question(to, strings.Repeat("x", n))
			if len(asked.Buttons) != 3 {
				t.Errorf("below %d letters stand %d buttons", n, len(asked.Buttons))
			}
		}
		d := reply(to, "", strings.Repeat("x", 25_000))
		for i := range 60 {
			d.Choices = append(d.Choices, akitad.Choice{ID: strings.Repeat("c", 60) + string(rune('0'+i)), Label: strings.Repeat("l", 40)})
		}
		ids := r.final(d)
		if got := r.message(to.Chat, ids[len(ids)-1]); len(got.Buttons) != 60 {
			t.Errorf("of sixty buttons there are %d", len(got.Buttons))
		}
		r.inLimits()
	})
}
