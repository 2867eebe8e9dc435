package chatsend_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
)

var errGone = errors.New("the chat is gone")

// halving sends words of capital letters as Markdown, and of small ones as they are. What refuses says of a word
// is the answer to it.
func halving(refuses func(string) error, sent *[]string) chatsend.Outlet[string] {
	return chatsend.Outlet[string]{
		Send: func(_ context.Context, p string, _ bool, _ chatsend.Note) (string, error) {
			if err := refuses(p); err != nil {
				return "", err
			}
			*sent = append(*sent, p)
			return "id of " + p, nil
		},
		Fail:    func(_ string, err error) error { return err },
		Unclear: func(err error) bool { return errors.Is(err, errBroken) },
		Less: func(p string) []string {
			switch lower := strings.ToLower(p); {
			case strings.HasPrefix(p, "file"):
				return nil
			case lower != p:
				return []string{lower}
			case len(p) > 1:
				return []string{p[:len(p)/2], p[len(p)/2:]}
			}
			return nil
		},
		Say: func(p, words string) (string, bool) { return words, !strings.HasPrefix(p, "file") },
	}
}

// What is refused and nobody knows why goes without markup, then in halves; what is refused even so is told of once.
func TestUnclearRefusals(t *testing.T) {
	has := func(parts ...string) func(string) error {
		return func(p string) error {
			for _, part := range parts {
				if p == part || len(part) == 1 && strings.Contains(p, part) && p != "gap" {
					return errBroken
				}
			}
			return nil
		}
	}
	upper := func(p string) error {
		if strings.ToLower(p) != p {
			return errBroken
		}
		return nil
	}
	for _, tt := range []struct {
		name    string
		parts   []string
		unshown string
		refuses func(string) error
		sent    string
		as      string
		err     error
	}{
		{"nothing is refused", []string{"ABCD"}, "gap", has(), "ABCD", "", nil},
		{"markup", []string{"ABCD", "E"}, "gap", upper, "abcd e", "0plain 1plain", nil},
		{"what is long", []string{"abcd"}, "gap", has("abcd", "cd"), "ab c d", "0pieces 0pieces", nil},
		{"one letter", []string{"abcd", "ef"}, "gap", has("b"), "a gap cd ef", "0pieces 0pieces 0notice", nil},
		{"two letters that stand together", []string{"abcd"}, "gap", has("b", "c"), "a gap d", "0pieces 0pieces 0notice 0pieces 0nothing", nil},
		{"two letters that do not", []string{"abcd"}, "gap", has("a", "d"), "gap b c gap", "0pieces 0pieces 0notice 0pieces 0notice", nil},
		{"two parts beside each other", []string{"a", "b", "c"}, "gap", has("a", "b"), "gap c", "0notice 1nothing", nil},
		{"all, and words too", []string{"abcd", "e"}, "gap", func(string) error { return errBroken }, "", "0pieces 0pieces 0nothing", errBroken},
		{"no words to say", []string{"ab"}, "", has("b"), "a", "0pieces", errBroken},
		{"a file", []string{"file"}, "gap", has("file"), "", "", errBroken},
		{"a chat that is gone", []string{"abcd"}, "gap", func(string) error { return errGone }, "", "", errGone},
		{"a chat that goes", []string{"abcd"}, "gap", func(p string) error {
			return map[string]error{"abcd": errBroken, "cd": errGone}[p]
		}, "ab", "0pieces", errGone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sent, as []string
			d := akitad.Delivery{Unshown: tt.unshown, Amended: func(a akitad.Amendment) {
				as = append(as, string(rune('0'+a.Part))+string(a.As))
				if a.Why != errBroken.Error() {
					t.Errorf("why: %q", a.Why)
				}
			}}
			ids, err := halving(tt.refuses, &sent).Final(t.Context(), d, tt.parts)
			if got := strings.Join(sent, " "); got != tt.sent || !errors.Is(err, tt.err) {
				t.Errorf("sent %q, %v; want %q, %v", got, err, tt.sent, tt.err)
			}
			if got := strings.Join(as, " "); got != tt.as {
				t.Errorf("on record: %q, want %q", got, tt.as)
			}
			if want := slices.Clone(sent); len(ids) != len(want) {
				t.Errorf("ids %q of %q", ids, want)
			}
		})
	}
}
