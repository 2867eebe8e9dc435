package tool_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/tool"
	"pgregory.net/rapid"
)

func TestClip(t *testing.T) {
	if got, cut := tool.Clip("short\n"); got != "short\n" || cut {
		t.Errorf("%q, %v", got, cut)
	}
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	got, cut := tool.Clip(b.String())
	if !cut || !strings.HasPrefix(got, "line 1\nline 2\n") || !strings.HasSuffix(got, "line 2999\nline 3000\n") {
		t.Errorf("%.40q ... %q, %v", got, got[len(got)-40:], cut)
	}
	if want := fmt.Sprintf("the whole has 3000 lines, %d bytes]\n", b.Len()); !strings.Contains(got, want) {
		t.Errorf("%q is not in %s", want, got)
	}
	var before, middle, after int
	before = strings.Count(got[:strings.Index(got, "[left out")], "\n")
	fmt.Sscanf(got[strings.Index(got, "[left out"):], "[left out here: %d lines", &middle)
	after = strings.Count(got[strings.Index(got, " bytes]\n")+8:], "\n")
	if before+middle+after != 3000 {
		t.Errorf("%d + %d + %d lines are not 3000", before, middle, after)
	}
}

func TestClipNeverGrowsAndKeepsCharactersWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"x", "日", "line\n", "\n", "🙂 "}).Draw(t, "piece")
		n := rapid.IntRange(0, 30_000).Draw(t, "n")
		text := rapid.StringN(0, 3, -1).Draw(t, "start") + strings.Repeat(piece, n)
		got, cut := tool.Clip(text)
		if len(got) > len(text) || cut != (len(text) > tool.ClipBytes) || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("%d bytes became %d, cut %v", len(text), len(got), cut)
		}
	})
}
