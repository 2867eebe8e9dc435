// Package markdown turns the Markdown that models write into what chat services show: Telegram's HTML,
// Feishu's cards, the Markdown of WeCom and DingTalk, and plain text. It cuts long texts into
// messages; it sends nothing.
package markdown

// Limit is the most that one Telegram message holds, in UTF-16 units of the text that is seen
// once the markup is parsed (Bot API, sendMessage: "1-4096 characters after entities parsing").
const Limit = 4096

// maxFormats is how many formats one message may have: of more, Telegram shows the first hundred and
// drops the others without a word.
const maxFormats = 100

// minLimit keeps room for one letter with its accents, whatever a caller asks for.
const minLimit = 32

// Chunk is one message. HTML is never refused by Telegram's parser as far as its rules are known;
// Plain says the same without any markup, for when it is refused after all. Both show at most the
// limit.
type Chunk struct {
	HTML  string
	Plain string
}

// Telegram cuts text into messages of at most limit UTF-16 units (0 means Limit). It prefers to
// cut at a paragraph, then at a line, then at a word, and never inside of a letter that is made of
// several code points; formats that are open at a cut are closed and opened again. A message of more
// formats than Telegram shows is cut, too. The texts that are seen, one after the other, are the whole text. Blank text gives no chunk.
func Telegram(text string, limit int) []Chunk {
	f := layOut(text, &telegramForm).flow
	var out []Chunk
	for from := 0; from < len(f.runes); {
		to := f.cut(from, max(orLimit(limit), minLimit), unitsOf)
		if end := f.crowded(from, to); end < to {
			to = f.cut(from, Units(string(f.runes[from:end])), unitsOf)
		}
		if !f.blank(from, to) {
			out = append(out, f.chunk(from, to, limit))
		}
		from = to
	}
	return out
}

// Plain gives text without its markup: the words of links are followed by their address, tables
// are aligned, lists keep their bullets and numbers.
func Plain(text string) string {
	f := layOut(text, &telegramForm).flow
	return f.plain(0, len(f.runes))
}

func (f *flow) chunk(from, to, limit int) Chunk {
	plain := f.plain(from, to)
	if Units(plain) > orLimit(limit) {
		plain = string(f.runes[from:to])
	}
	return Chunk{HTML: f.html(from, to), Plain: plain}
}

func orLimit(limit int) int {
	if limit <= 0 {
		return Limit
	}
	return limit
}
