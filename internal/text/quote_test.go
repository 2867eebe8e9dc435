package text_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/text"
)

func TestInReplyTo(t *testing.T) {
	for _, tt := range []struct {
		lang        text.Lang
		name, words string
		want        string
	}{
		{text.En, "Ann", " a\nb \n", "[in reply to Ann]\n> a\n> b"},
		{text.Zh, "安", "{name}", "[回复 安]\n> {name}"},
		{text.En, " ", "", "[in reply to ?]"},
		{text.En, "A]\n[B {k}", "x", "[in reply to A| |B {k}]\n> x"},
		{text.En, "Ann", "123456789", "[in reply to Ann]\n> 1234567…"},
		{text.En, "Ann", strings.Repeat("汉", 8), "[in reply to Ann]\n> " + strings.Repeat("汉", 8)},
	} {
		if got := tt.lang.InReplyTo(tt.name, tt.words, 8); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
