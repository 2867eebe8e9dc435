package markdown

import (
	"strings"
	"unicode/utf8"
)

// WeComLimit is the most that one WeCom message of type text or markdown holds, in bytes of UTF-8
// (application messages, content: at most 2,048 bytes).
const WeComLimit = 2048

// DingTalkLimit is the most that the text of one DingTalk markdown message holds, in bytes of UTF-8
// (robot messages: at most 20,000 bytes, of which some are left to the title and the JSON around it).
const DingTalkLimit = 18000

// titleLength is how many letters of a text's first words are its title.
const titleLength = 40

// Titled is a message that has a title, which is shown where the message is announced.
type Titled struct {
	Title string
	Text  string
}

// PlainChunks cuts text into messages without any markup, of at most limit characters (code points;
// less than 32 counts as 32): for services that know no formats. Addresses stand behind the words of
// links, tables are aligned. It cuts like Telegram. Blank text gives no chunk.
func PlainChunks(text string, limit int) []string {
	f := layOut(text, &plainForm).flow
	var out []string
	for from := 0; from < len(f.runes); {
		to := f.cut(from, max(limit, minLimit), func(rune) int { return 1 })
		if !f.blank(from, to) {
			out = append(out, strings.Trim(string(f.runes[from:to]), "\n"))
		}
		from = to
	}
	return out
}

// WeCom cuts text into messages in WeCom's Markdown, of at most WeComLimit bytes each. Formats that
// WeCom does not know are left out, lists and tables are text. Blank text gives no message.
func WeCom(text string) []string {
	return layOut(text, &weComForm).flow.messages(&weCom, WeComLimit)
}

// DingTalk cuts text into messages in DingTalk's Markdown, of at most DingTalkLimit bytes each. The
// title of all is the first heading, or else the first words. Blank text gives no message.
func DingTalk(text string) []Titled {
	w := layOut(text, &markdownForm)
	title := w.title()
	var out []Titled
	for _, s := range w.flow.messages(&dingTalk, DingTalkLimit) {
		out = append(out, Titled{Title: title, Text: s})
	}
	return out
}

// title is the first heading, or the first words.
func (w *walker) title() string {
	f, from, to := w.flow, 0, len(w.flow.runes)
	if len(w.headings) > 0 {
		from, to = w.headings[0].from, w.headings[0].to
	}
	var words []rune
	f.each(from, to, func(a, z int, s *style) {
		if len(words) < 4*titleLength && !s.has(mark) {
			words = append(words, f.runes[a:min(z, a+4*titleLength)]...)
		} else if len(words) < 4*titleLength {
			words = append(words, ' ')
		}
	})
	line := &flow{runes: []rune(strings.Join(strings.Fields(string(words)), " "))}
	if n := len(line.runes); n > 0 && n <= titleLength {
		return string(line.runes)
	}
	end := line.cut(0, titleLength-1, func(rune) int { return 1 })
	return strings.TrimSpace(string(line.runes[:end])) + "…"
}

// messages cuts a flow into messages of a dialect.
func (f *flow) messages(d *dialect, limit int) []string {
	var out []string
	for from := 0; from < len(f.runes); {
		to, s := f.fit(from, limit, utf8.RuneLen, func(from, to int) string { return f.markdown(from, to, d) }, func(s string) int { return len(s) })
		if s != "" && !f.blank(from, to) {
			out = append(out, s)
		}
		from = to
	}
	return out
}
