package sandbox

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// However a text is cut into writes, its head and tail come back, and the number of bytes between.
func TestCapture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &capture{limit: rapid.IntRange(1, 40).Draw(t, "limit")}
		text := ""
		for _, part := range rapid.SliceOfN(rapid.StringMatching(`[a-z]{0,30}`), 0, 8).Draw(t, "parts") {
			n, err := c.Write([]byte(part))
			if n != len(part) || err != nil {
				t.Fatalf("write gives %d, %v", n, err)
			}
			text += part
		}
		want, wantCut := text, false
		if tail := c.limit / 2; len(text) > c.limit {
			head := c.limit - tail
			want = fmt.Sprintf("%s\n[... %d bytes left out ...]\n%s", text[:head], len(text)-c.limit, text[len(text)-tail:])
			wantCut = true
		}
		if got, cut := c.result(); string(got) != want || cut != wantCut {
			t.Fatalf("limit %d: %q, %v, want %q", c.limit, got, cut, want)
		}
	})
}

func TestHide(t *testing.T) {
	for _, path := range []string{"/", "/usr"} {
		if _, err := makeLayout([]string{path}); err == nil {
			t.Errorf("%s was hidden, and no program would start", path)
		}
	}
	l, err := makeLayout([]string{"/usr/share", "/var/lib/akita"})
	if err != nil || len(l.Masks) != 1 || l.Masks[0] != "/usr/share" {
		t.Errorf("masks %v, %v", l.Masks, err)
	}
}
