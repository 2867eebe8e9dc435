package window

import (
	"unicode"

	"github.com/akitad/akitad/internal/llm"
)

// Tokens a character, where no tokenizer for the model is at hand: Han, kana and hangul cost about
// 1.7, everything else about 0.3. perMessage covers the protocol's own words around a message.
const (
	wideTokens  = 1.7
	otherTokens = 0.3
	perMessage  = 4
)

// Count estimates the tokens of a whole request: system prompt, tool block and messages.
func Count(req llm.Request) int {
	n := Tokens(req.System)
	for _, t := range req.Tools {
		n += Tokens(t.Name) + Tokens(t.Description) + Tokens(string(t.Schema)) + perMessage
	}
	for _, m := range req.Messages {
		n += countMessage(m) + perMessage
	}
	return n
}

func countMessage(m llm.Message) int {
	n := Tokens(m.Text)
	for _, c := range m.Calls {
		n += Tokens(c.Tool) + Tokens(string(c.Args)) + perMessage
	}
	for _, r := range m.Results {
		n += Tokens(r.Text) + perMessage
	}
	return n
}

// Tokens estimates the tokens of a text.
func Tokens(text string) int {
	wide, other := 0, 0
	for _, r := range text {
		if r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			wide++
		} else {
			other++
		}
	}
	return int(float64(wide)*wideTokens + float64(other)*otherTokens + 0.5)
}
