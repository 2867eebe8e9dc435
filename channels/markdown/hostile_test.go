package markdown_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/markdown"
)

// Text that is made to stall a reader takes a bounded time, in every form.
func TestHostileTextTakesBoundedTime(t *testing.T) {
	for _, piece := range []string{
		">", "> ", "- ", "1. ", "[", "]", "[]", "![", "[a](b", "[a](<b", "[a](b \"c", "[a]: b\n", "[a]\n", "*", "*a ", "a* ", "**a ", "_a ",
		"*_", "a*b_c*d_", "~~a ", "`", "`a``b```c", "\n", "<", "<a ", "<a b=\"", "<!--", "<![CDATA[", "&", "&#x", "|", "|a|b|\n|-|-|\n",
		"| `a|b` |\n|-|\n", "# a\n", "a\n=\n", "---\n", "```\n", "~~~a\n", "- [ ] ", "\t", "\\", "http://", "www.", "a@", "x", "汉", "word ",
		"👨\u200d", "\u0301", "🇨", "*_~`[<", "\u2028", "\x00", "\xff", "    - a\n", "> - ", "$a_", "$$\n", "\\[\n", "\\(a_", "http://a. ",
	} {
		in := strings.Repeat(piece, 8_000/len(piece))
		start := time.Now()
		seen(t, markdown.Telegram(in, 0), markdown.Limit)
		markdown.Cards(in)
		markdown.WeCom(in)
		markdown.Summary(in, 1000)
		if took := time.Since(start); took > 2*time.Minute {
			t.Errorf("8 KB of %q took %v", piece, took)
		}
	}
}

// Lists within lists, each a space further right.
func TestDeepListsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 450 {
		b.WriteString(strings.Repeat(" ", i) + "- x\n")
	}
	got := strings.Join(seen(t, markdown.Telegram(b.String(), 0), markdown.Limit), "")
	if n := strings.Count(got, "x"); n != 450 {
		t.Errorf("%d items are seen, want 450", n)
	}
}

// All answers are read by one parser, many at once.
func TestManyAtOnce(t *testing.T) {
	in := answer(4000)
	want := markdown.Telegram(in, 0)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				if got := markdown.Telegram(in, 0); !slices.Equal(got, want) {
					t.Errorf("got %d chunks, want %d, or others", len(got), len(want))
				}
			}
		})
	}
	wg.Wait()
}
