package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

func report(sections int) string {
	var b strings.Builder
	b.WriteString("# Report\n\nAll **is** well, see [the log](https://ex.test/log_(1)).\n\n")
	for i := range sections {
		fmt.Fprintf(&b, "## Part %d\n\n%s\n\n```go\nfunc f%d() {}\n```\n\n### Detail %d\n\ntext\n\n", i, strings.Repeat("word ", 60), i, i)
	}
	return b.String()
}

func TestSummary(t *testing.T) {
	got := markdown.Summary(report(3), 300)
	want := "# Report\n\nAll **is** well, see [the log](https://ex.test/log_%281%29).\n\n…\n\n" +
		"- Part 0\n    - Detail 0\n- Part 1\n    - Detail 1\n- Part 2\n    - Detail 2"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestSummaryGivesShortTextWhole(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"formats", "**a** *b* ~~c~~ `d` ***e***", "**a** *b* ~~c~~ `d` ***e***"},
		{"marks that are text", "2 * 3 * 4 < 5 snake_case _x [y] 1) 2. `", "2 \\* 3 \\* 4 \\< 5 snake_case \\_x \\[y] 1) 2. \\`"},
		{"what looks like blocks", "\\# a\n\\- b\n\\> c\n1\\. d\n\\===", "\\# a\n\\- b\n\\> c\n1\\. d\n\\==="},
		{"lists", "- a\n  1. b\n     c\n  2. d\n\n  e\n- f", "- a\n    1. b\n        c\n    2. d\n\n    e\n\n- f"},
		{"a list without words in a list", "- a\n  - *\n- b", "- a\n\n    - \n        - \n- b"},
		{"code in a list", "- a\n  ```sh\n  ls\n  ```\n  - b\n- c", "- a\n\n```sh\nls\n```\n- b\n- c"},
		{"a fence in a fence", "````\n```\n````", "````\n```\n````"},
		{"quotes", "> a\n> b\n>\n> c\n\nd", "> a\n> b\n>\n> c\n\nd"},
		{"a quote in a list", "- a\n  > b\n  > c", "- a\n    > b\n    > c"},
		{"a rule", "a\n\n---\n\nb", "a\n\n---\n\nb"},
		{"bold before a letter", "**重要：**请看", "**重要**：请看"},
		{"bold with code", "**run `x` now**", "**run** `x` **now**"},
		{"an image", "![a](https://e.test/a.png)", "[a](https://e.test/a.png)"},
		{"heading over lines", "a\nb\n===", "# a b"},
		{"a heading that ends in its sign", "# No. \\#\n\n## C#", "# No. \\#\n\n## C#"},
		{"a dollar sign before a space of any kind", "$ ~x$ $\u00a0~$ $\u2003~$", "$ \\~x$ $\u00a0\\~$ $\u2003\\~$"},
		{"a dollar sign before a format", "\\$*a*=$ \\$**5** =$", "\\$*a*=$ \\$**5** =$"},
		{"a dollar sign before a number or at the end of a line", "$5\\~ 3$\n$~", "$5\\~ 3$\n\\$\\~"},
		{"signs at the end of a line", "a !\nb &\nc", "a !\nb &\nc"},
		{"signs before a format", "a!*b*&~~lt;~~", "a\\!*b*&amp;~~lt;~~"},
		{"tasks", "- [x] a\n- [ ] b", "- ☑ a\n- ☐ b"},
	} {
		if got := markdown.Summary(tt.in, 0); got != tt.want {
			t.Errorf("%s: Summary(%q)\n got %q\nwant %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestSummaryWithTooManyHeadings(t *testing.T) {
	in := report(40)
	got := markdown.Summary(in, 500)
	if n := markdown.Units(got); n > 500 || n < 200 {
		t.Errorf("%d units", n)
	}
	if strings.Contains(got, "- Detail") || !strings.HasSuffix(got, "\n- …") || !strings.HasPrefix(got, "# Report") || !strings.Contains(got, "\n- Part 1\n- Part 2\n") {
		t.Errorf("got %q", got)
	}
}

func TestSummaryOfNothingButCode(t *testing.T) {
	got := markdown.Summary("```go\n"+strings.Repeat("line of code\n", 400)+"```", 600)
	if !strings.HasPrefix(got, "```go\nline") || !strings.HasSuffix(got, "\n```\n\n…") || len(got) > 600 {
		t.Errorf("got %q", got)
	}
}

// What is written as Markdown again shows what was shown before.
func TestMarkdownIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := document().Draw(t, "text")
		checkSummary(t, in, rapid.IntRange(64, 400).Draw(t, "limit"))
	})
}

func FuzzSummary(f *testing.F) {
	f.Add("# a\n\n- b\n\n```\nc", 64)
	f.Fuzz(func(t *testing.T, in string, limit int) { checkSummary(t, in, 64+max(limit, 0)%400) })
}

func checkSummary(t reporter, in string, limit int) {
	t.Helper()
	whole := markdown.Summary(in, 1<<24)
	if got, want := bare(shown(t, whole)), bare(shown(t, in)); got != want && strings.Trim(want, "0123456789") != "" {
		t.Fatalf("%q is written as\n%q\nshows %q\nwant  %q", in, whole, got, want)
	}
	short := markdown.Summary(in, limit)
	if n := telegramtest.Units(short); n > limit {
		t.Fatalf("summary has %d units, limit %d: %q", n, limit, short)
	}
	if short != markdown.Summary(in, limit) {
		t.Fatalf("two summaries of %q", in)
	}
	if fences := fencesOf(short + "\n"); fences%2 != 0 {
		t.Fatalf("a fence is open in %q", short)
	}
}

// shown is what is seen of a text in Telegram, without the addresses of its links.
func shown(t reporter, text string) string {
	return strings.Join(seen(t, markdown.Telegram(text, 1<<24), 1<<24), "")
}

// bare is a text without space and without what only lays it out.
func bare(s string) string {
	for _, cut := range []string{"•", "◦", "▪", "›", "———", ".", ")"} {
		s = strings.ReplaceAll(s, cut, "")
	}
	return squeeze(s)
}

// fencesOf counts the lines that open or close code.
func fencesOf(s string) int {
	n, open := 0, ""
	for line := range strings.Lines(s) {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		if (open == "" && len(ticks) >= 3 && !strings.Contains(line[len(ticks):], "`")) || (open != "" && strings.TrimSpace(line) == open) {
			n++
			if open == "" {
				open = ticks
			} else {
				open = ""
			}
		}
	}
	return n
}
