package markdown_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/channels/markdown"
)

const everyKind = "# The title\n\nSome **bold**, *slanted*, ~~struck~~ `code` and [a link](https://e.test/a_(b)).\n\n- a\n  - b\n\n> q\n\n" +
	"```go\nf(*p)\n```\n\n| n | v |\n|---|--:|\n| x | 1 |\n\n---\n\n![i](https://e.test/i.png) <@all> <font color=\"warning\">w</font> 2 * 3 ** 4 snake_case"

func TestOtherServices(t *testing.T) {
	var b strings.Builder
	for _, s := range markdown.PlainChunks(everyKind, 4000) {
		b.WriteString("=== plain\n" + s + "\n")
	}
	for _, s := range markdown.WeCom(everyKind) {
		b.WriteString("=== WeCom\n" + s + "\n")
	}
	for _, m := range markdown.DingTalk(everyKind) {
		b.WriteString("=== DingTalk: " + m.Title + "\n" + m.Text + "\n")
	}
	golden(t, "others.txt", []byte(b.String()))
}

func TestTitles(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"text\n\n## A **b** `c`\n\n# d", "A b c"},
		{"- first *words*\n- of it", "first words of it"},
		{"```go\nx := 1\n```", "x := 1"},
		{strings.Repeat("word ", 30), "word word word word word word word…"},
		{strings.Repeat("汉", 60), strings.Repeat("汉", 39) + "…"},
	} {
		if got := markdown.DingTalk(tt.in); len(got) != 1 || got[0].Title != tt.want {
			t.Errorf("%.40q: got %+v, want the title %q", tt.in, got, tt.want)
		}
	}
}

func TestCodeIsReopened(t *testing.T) {
	in := "- a\n\n```go\n" + strings.Repeat("x := \"一二三\"\n", 3000) + "```\n\nend"
	messages := markdown.WeCom(in)
	if len(messages) < 20 {
		t.Fatalf("%d messages", len(messages))
	}
	for i, s := range messages[1 : len(messages)-1] {
		if !strings.HasPrefix(s, "```go\nx := ") || !strings.HasSuffix(s, "\"\n```") || len(s) > markdown.WeComLimit {
			t.Fatalf("message %d: %q", i+1, s)
		}
	}
	for i, m := range markdown.DingTalk(in) {
		if fencesOf(m.Text+"\n")%2 != 0 || len(m.Text) > markdown.DingTalkLimit || !strings.Contains(m.Text, "```go\n") {
			t.Fatalf("message %d: %q", i, m.Text)
		}
	}
}

func TestPlainChunksCount(t *testing.T) {
	in := strings.Repeat("汉字😀 ", 100)
	got := markdown.PlainChunks(in, 50)
	if len(got) != 9 {
		t.Errorf("%d chunks of 400 letters, want 9", len(got))
	}
	for _, s := range got {
		if n := utf8.RuneCountInString(s); n > 50 {
			t.Errorf("%d letters", n)
		}
	}
}

func TestOthersLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Repeat(document().Draw(t, "text")+"\n\n", rapid.SampledFrom([]int{1, 1, 1, 60}).Draw(t, "times"))
		checkOthers(t, in, rapid.IntRange(32, 400).Draw(t, "limit"))
	})
}

func FuzzOthers(f *testing.F) {
	f.Add("# a\n\n- b\n\n```\nc", 40)
	f.Fuzz(func(t *testing.T, in string, limit int) { checkOthers(t, in, 32+max(limit, 0)%400) })
}

func checkOthers(t reporter, in string, limit int) {
	t.Helper()
	whole := strings.Join(markdown.PlainChunks(in, 1<<30), "")
	checkSizes(t, markdown.PlainChunks(in, limit), limit, utf8.RuneCountInString)
	if got := strings.Join(markdown.PlainChunks(in, limit), ""); squeeze(got) != squeeze(whole) {
		t.Fatalf("plain chunks of %q: %q, want %q", in, got, whole)
	}
	weCom := markdown.WeCom(in)
	checkSizes(t, weCom, markdown.WeComLimit, func(s string) int { return len(s) })
	var dingTalk, read []string
	for _, m := range markdown.DingTalk(in) {
		dingTalk, read = append(dingTalk, m.Text), append(read, shown(t, m.Text))
		if strings.TrimSpace(m.Title) == "" && strings.Trim(letters(shown(t, in)), "0123456789.)") != "" {
			t.Fatalf("no title for %q", in)
		}
	}
	checkSizes(t, dingTalk, markdown.DingTalkLimit, func(s string) int { return len(s) })
	want := words(shown(t, in))
	if strings.Trim(want, "0123456789") == "" {
		return // nothing but marks, which are shown one way or another
	}
	if got := words(strings.Join(read, "\n")); got != want {
		t.Fatalf("DingTalk shows of %q\n%q\nwant\n%q", in, got, want)
	}
	if !holds(strings.Join(weCom, "\n"), want) {
		t.Fatalf("WeCom loses of %q\n%q\nwant\n%q", in, weCom, want)
	}
}

func checkSizes(t reporter, messages []string, limit int, size func(string) int) {
	t.Helper()
	for _, s := range messages {
		if size(s) > limit || !utf8.ValidString(s) || strings.TrimSpace(s) == "" {
			t.Fatalf("message of %d, limit %d: %q", size(s), limit, s)
		}
	}
}

// words are the letters and digits of a text.
func words(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// holds reports whether s has all letters of want in their order.
func holds(s, want string) bool {
	rest := []rune(s)
	for _, r := range want {
		i := slices.Index(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}
