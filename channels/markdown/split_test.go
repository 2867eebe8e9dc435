package markdown_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/channels/markdown"
)

func TestSplitKeepsCodeWhole(t *testing.T) {
	body := strings.Repeat("line of code 0123456789\n", 300)
	chunks := markdown.Telegram("```txt\n"+body+"```", 0)
	if len(chunks) < 2 {
		t.Fatalf("got %d chunks, want at least 2", len(chunks))
	}
	for i, c := range chunks {
		if !strings.HasPrefix(c.HTML, `<pre><code class="language-txt">line`) || !strings.HasSuffix(c.HTML, "</code></pre>") {
			t.Errorf("chunk %d does not open and close its code: %.60q", i, c.HTML)
		}
	}
	if got := strings.Join(seen(t, chunks, markdown.Limit), ""); got != strings.TrimSuffix(body, "\n") {
		t.Errorf("the chunks together are not the code (%d and %d bytes)", len(got), len(body))
	}
}

func TestSplitPlaces(t *testing.T) {
	family := "👨\u200d👩\u200d👧"
	for _, tt := range []struct {
		name, in string
		limit    int
		want     []string
	}{
		{"paragraph before line", "aaaa bbbb\n\ncccc dddd eeee\nffff gggg", 32, []string{"aaaa bbbb\n\n", "cccc dddd eeee\nffff gggg"}},
		{"line before word", "aaaa bbbb cccc\ndddd eeee ffff gggg", 32, []string{"aaaa bbbb cccc\n", "dddd eeee ffff gggg"}},
		{"word before letter", strings.Repeat("word ", 8), 32, []string{"word word word word word word ", "word word"}},
		{"a short first line is not worth a cut", "# T\n\n" + strings.Repeat("word ", 9), 36, []string{"T\n\nword word word word word word ", "word word word"}},
		{"after a Chinese stop", strings.Repeat("一二三四五六七八，", 4), 32, []string{strings.Repeat("一二三四五六七八，", 3), "一二三四五六七八，"}},
		{"one long word", strings.Repeat("x", 70), 32, []string{strings.Repeat("x", 32), strings.Repeat("x", 32), "xxxxxx"}},
		{"a long word, behind its last sign", strings.Repeat("x", 20) + "," + strings.Repeat("y", 20), 32, []string{strings.Repeat("x", 20) + ",", strings.Repeat("y", 20)}},
		{"an early sign is not worth a cut", "a," + strings.Repeat("x", 40), 32, []string{"a," + strings.Repeat("x", 30), strings.Repeat("x", 10)}},
		{"spaces that do not break, if nothing else does", strings.Repeat("word\u00a0", 7) + "word", 32, []string{strings.Repeat("word\u00a0", 6), "word\u00a0word"}},
		{"a space of no width", strings.Repeat("word\u200b", 7) + "word", 32, []string{strings.Repeat("word\u200b", 6), "word\u200bword"}},
		{"references count once", strings.Repeat("&", 40), 32, []string{strings.Repeat("&", 32), "&&&&&&&&"}},
		{"emoji count twice", strings.Repeat("😀", 20), 32, []string{strings.Repeat("😀", 16), "😀😀😀😀"}},
		{"no half emoji", "x" + strings.Repeat("😀", 20), 32, []string{"x" + strings.Repeat("😀", 15), "😀😀😀😀😀"}},
		{"a family stays together", strings.Repeat("x", 31) + family, 32, []string{strings.Repeat("x", 31), family}},
		{"a flag stays together", strings.Repeat("x", 30) + "🇨🇳", 32, []string{strings.Repeat("x", 30), "🇨🇳"}},
		{"flags are pairs", strings.Repeat("🇨🇳", 10), 32, []string{strings.Repeat("🇨🇳", 8), "🇨🇳🇨🇳"}},
		{"a skin tone stays", strings.Repeat("x", 30) + "👍🏽", 32, []string{strings.Repeat("x", 30), "👍🏽"}},
		{"an accent stays", strings.Repeat("x", 31) + "e\u0301", 32, []string{strings.Repeat("x", 31), "e\u0301"}},
		{"a keycap stays", strings.Repeat("x", 30) + "1\ufe0f\u20e3", 32, []string{strings.Repeat("x", 30), "1\ufe0f\u20e3"}},
		{"a Korean syllable stays", strings.Repeat("x", 30) + "\u1112\u1161\u11ab", 32, []string{strings.Repeat("x", 30), "\u1112\u1161\u11ab"}},
		{"too many accents", "e" + strings.Repeat("\u0301", 40), 32, []string{"e" + strings.Repeat("\u0301", 31), strings.Repeat("\u0301", 9)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := seen(t, markdown.Telegram(tt.in, tt.limit), tt.limit)
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// The same at Telegram's own limit, where the faults were met.
func TestSplitAtTheRealLimit(t *testing.T) {
	family := "👨\u200d👩\u200d👧"
	for _, in := range []string{
		strings.Repeat("A", 4094) + "&&&&&&&&",
		strings.Repeat("😀", 2100),
		strings.Repeat("x", 4095) + family,
		strings.TrimSpace(strings.Repeat("word ", 1000)),
		"<b>" + strings.Repeat("<&>", 3000),
	} {
		chunks := markdown.Telegram(in, 0)
		got := seen(t, chunks, markdown.Limit)
		if len(got) < 2 || strings.Join(got, "") != in {
			t.Errorf("%.20q: %d chunks do not add up", in, len(got))
		}
		for i, c := range chunks {
			if !utf8.ValidString(c.HTML) || regexp.MustCompile(`&[a-z#0-9]*$`).MatchString(c.HTML) {
				t.Errorf("%.20q: chunk %d ends in half a character", in, i)
			}
			if strings.HasPrefix(in, "word") && (strings.HasPrefix(got[i], " ") || !strings.HasSuffix(strings.TrimSpace(got[i]), "word")) {
				t.Errorf("chunk %d is cut in a word: %q", i, got[i][len(got[i])-10:])
			}
			if strings.Contains(in, family) && strings.Contains(c.HTML, "\u200d") && !strings.Contains(c.HTML, family) {
				t.Errorf("chunk %d has half a family", i)
			}
		}
	}
}

func TestFormatsGoOnAfterACut(t *testing.T) {
	chunks := markdown.Telegram("**[aaaa bbbb cccc dddd eeee ffff gggg](https://e.test/)**", 32)
	want := `<b><a href="https://e.test/">aaaa bbbb cccc dddd eeee ffff </a></b>` + "|" + `<b><a href="https://e.test/">gggg</a></b>`
	var got []string
	for _, c := range chunks {
		got = append(got, c.HTML)
	}
	if strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
}

// document writes Markdown as a bad-tempered model would.
func document() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"**", "*", "_", "`", "```", "````\n", "~~~", "\n", "\n\n", "- ", "  - ", "1. ", "> ", "# ", "| a | b |\n|---|--:|\n| 1 | 2 |\n",
		"[x](https://e.test/a_b)", "[", "](", "![i](https://e.test/i.png)", "<b>", "</b>", "<div>", "<br>", "&", "&lt;", "\\", "~~", "---\n",
		"word ", "重要：", "😀", "👨\u200d👩\u200d👧", "\u0301", "https://e.test/_x_ ", "```c++\n", "- [x] ", "\t", "    ", "|", "<", ">", "\x00", "\u2028",
		"$", "$$", "\\(", "\\)", "\\[", "\\]", "=", "5", "\u00a0", "a_1",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(piece, rapid.StringN(0, 12, -1)), 0, 60).Draw(t, "pieces"), "")
	})
}

func TestChunksAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := document().Draw(t, "text")
		limit := rapid.IntRange(32, 200).Draw(t, "limit")
		checkChunks(t, in, limit)
	})
}

func FuzzTelegram(f *testing.F) {
	for _, s := range []string{"**a", "```\n`", "> - 1. x\n\n  y", "| a |\n|-|\n|`|`|", "[a](b \"c\")<i>", "- [x]\n\n    code", "***a** b*"} {
		f.Add(s, 40)
	}
	f.Fuzz(func(t *testing.T, in string, limit int) {
		checkChunks(t, in, 32+max(limit, 0)%200)
	})
}

// checkChunks holds what is promised of any text: no chunk is refused or too long, and the chunks
// are the text, but for pieces of nothing but space.
func checkChunks(t reporter, in string, limit int) {
	t.Helper()
	got := strings.Join(seen(t, markdown.Telegram(in, limit), limit), "")
	whole := strings.Join(seen(t, markdown.Telegram(in, 1<<20), 1<<20), "")
	if squeeze(got) != squeeze(whole) {
		t.Fatalf("chunks of %q\nshow  %q\nwhole %q", in, got, whole)
	}
	if strings.TrimFunc(in, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' }) != "" && whole == "" {
		t.Fatalf("nothing is seen of %q", in)
	}
}

func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func TestUnclosedLinksDoNotStall(t *testing.T) {
	in := strings.Repeat("[a](b", 20000)
	done := make(chan []markdown.Chunk, 1)
	go func() { done <- markdown.Telegram(in, 0) }()
	select {
	case chunks := <-done:
		if got := strings.Join(seen(t, chunks, markdown.Limit), ""); got != in {
			t.Errorf("%d bytes are seen, want %d", len(got), len(in))
		}
	case <-time.After(time.Minute):
		t.Fatal("100 KB of unclosed links took over a minute")
	}
}

// Of more than a hundred formats in a message Telegram drops the last ones, so a message has no more.
func TestNoMessageHasMoreFormatsThanAreShown(t *testing.T) {
	tags := regexp.MustCompile(`<(b|i|s|a|pre|blockquote|code)[ >]`)
	language := regexp.MustCompile(`<pre><code class`)
	for name, in := range map[string]string{
		"words":      strings.Repeat("**a** b ", 300),
		"no spaces":  strings.Repeat("`x`y", 250),
		"nested":     strings.Repeat("***a** b* ", 200),
		"a list":     strings.Repeat("- **key**: `value` and [link](https://x.test)\n", 90),
		"quotations": strings.Repeat("> **a**\n\n", 120),
		"code":       strings.Repeat("```go\nx\n```\n\n", 130),
	} {
		t.Run(name, func(t *testing.T) {
			chunks := markdown.Telegram(in, 0)
			for i, c := range chunks {
				n := len(tags.FindAllString(c.HTML, -1)) - len(language.FindAllString(c.HTML, -1))
				if n > 100 {
					t.Errorf("message %d of %d has %d formats", i, len(chunks), n)
				}
			}
			checkChunks(t, in, markdown.Limit)
		})
	}
	if got := len(markdown.Telegram(strings.Repeat("**a** b ", 100), 0)); got != 1 {
		t.Errorf("a hundred formats took %d messages", got)
	}
}
