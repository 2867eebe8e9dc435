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

// What is left out of the middle is kept beside, up to a limit of its own: of more, the beginning and the end.
func TestCaptureKeepsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &capture{limit: rapid.IntRange(1, 20).Draw(t, "limit"), most: rapid.IntRange(0, 60).Draw(t, "most")}
		text := ""
		for _, part := range rapid.SliceOfN(rapid.StringMatching(`[a-z]{0,30}`), 0, 8).Draw(t, "parts") {
			if _, err := c.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
			text += part
		}
		got := string(c.all())
		_, cut := c.result()
		switch {
		case !cut || c.most <= c.limit:
			if got != "" {
				t.Fatalf("%q is kept twice", got)
			}
		case len(text) <= c.most:
			if got != text {
				t.Fatalf("%q, want %q", got, text)
			}
		default:
			tail := text[len(text)-min(c.limit/2, len(text)-c.most):]
			want := text[:c.most] + tail
			if missing := len(text) - c.most - len(tail); missing > 0 {
				want = fmt.Sprintf("%s\n[... %d bytes left out ...]\n%s", text[:c.most], missing, tail)
			}
			if got != want {
				t.Fatalf("limits %d and %d: %q, want %q", c.limit, c.most, got, want)
			}
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
