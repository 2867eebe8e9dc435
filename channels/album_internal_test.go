package channels

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// What the parts of an album say stands in its message once, in their order.
func TestWordsOfAnAlbum(t *testing.T) {
	for want, parts := range map[string][]string{
		"two\nthree":                        {"", "two", "three"},
		"[forwarded from News]":             {"[forwarded from News]", "[forwarded from News]", "[forwarded from News]"},
		"[forwarded from News]\nlook at it": {"[forwarded from News]", "[forwarded from News]\nlook at it", "[forwarded from News]"},
		"1\n12":                             {"1", "12"},
		"same":                              {"same", "same"},
		"":                                  {"", ""},
	} {
		var all []part
		for _, words := range parts {
			all = append(all, part{raw: raw{Message: akitad.Message{ID: string(rune('a' + len(all))), Album: "x", Text: words}}, del: &bus.Delivery{}})
		}
		if got := join(all).Message.Text; got != want {
			t.Errorf("%q: %q, want %q", parts, got, want)
		}
	}
}
