package feishu

import (
	"fmt"
	"slices"
	"testing"

	"github.com/akitad/akitad"
)

// What comes of a new message, of one in a thread and of an edit, refusal by refusal, until nothing is left to leave out.
func TestWhatIsLeftOutAfterARefusal(t *testing.T) {
	reply := letter{to: place{chat: "oc", answer: "om"}}
	inThread := letter{to: place{chat: "oc", thread: "omt", answer: "om"}}
	edit := letter{to: place{chat: "oc"}, edit: "om_e"}
	asking := letter{to: place{chat: "oc"}, buttons: []button{{label: "Yes"}}}
	file := letter{to: place{chat: "oc", answer: "om"}, kind: "file"}
	for _, tt := range []struct {
		name string
		l    letter
		code int
		want []string
	}{
		{"a group shared with others takes no cards", letter{to: place{chat: "oc"}}, 230054, []string{"text"}},
		{"and no reply", reply, 230054, []string{"text", "text no answer"}},
		{"and asks in words", asking, 230054, []string{"plain", "text"}},
		{"a file there", file, 230054, []string{"no answer"}},
		{"a message that takes no edits", edit, 230054, []string{"no edit", "text no edit"}},
		{"an answer to what destroys itself", reply, 230111, []string{"no answer"}},
		{"an answer to what was recalled", reply, 230011, []string{"no answer"}},
		{"a thread that is gone", inThread, 230019, []string{"alone", "alone no answer"}},
		{"a group without threads", inThread, 230071, []string{"alone", "alone no answer"}},
		{"a card with too many tables", reply, 230099, []string{"text"}},
		{"words that are not let through", reply, 230028, []string{"text", "text no answer"}},
		{"a secret chat", reply, 230075, nil},
		{"a chat that was dissolved", reply, 232009, nil},
		{"a person who stopped the bot", reply, 230053, nil},
		{"a house without its key", reply, 230036, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for l := tt.l; ; {
				next, ok := l.amended(&apiError{status: 400, code: tt.code})
				if !ok {
					break
				}
				l = next
				got = append(got, seen(tt.l, l))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%d: %q, want %q", tt.code, got, tt.want)
			}
		})
	}
}

// seen says what a letter has lost.
func seen(was, is letter) (out string) {
	add := func(yes bool, word string) {
		if yes && out != "" {
			out += " "
		}
		if yes {
			out += word
		}
	}
	add(is.form == formPlain, "plain")
	add(is.form == formText, "text")
	add(is.alone, "alone")
	add(was.edit != is.edit, "no edit")
	add(was.to.answer != is.to.answer, "no answer")
	return out
}

func TestKindsOfRefusals(t *testing.T) {
	for kind, codes := range map[akitad.Kind][]int{
		akitad.Auth:             {99991661, 99991663, 99991664, 99991668, 99991671, 99991677, 10014, 99991543},
		akitad.PermissionDenied: {11205, 230002, 230006, 230013, 230035, 230036, 230038, 230053, 230075, 232009, 232011, 232025, 234007, 99991401, 99991662, 99991672, 99991673, 99991676, 99991679},
		akitad.NotFound:         {230011, 230110, 230111, 230034, 232006, 99992361},
		akitad.RateLimited:      {230020, 11232, 11233, 11247, 99991400},
		akitad.Overloaded:       {1500, 2200, 230049, 5000},
		akitad.InvalidRequest:   {230001, 230022, 230025, 230028, 230054, 230099, 99992402},
	} {
		for _, code := range codes {
			for _, status := range []int{200, 400} {
				if got := kindOf(fmt.Errorf("send: %w", &apiError{status: status, code: code})); got != kind {
					t.Errorf("%d with HTTP %d is %s, want %s", code, status, got, kind)
				}
			}
		}
	}
}
