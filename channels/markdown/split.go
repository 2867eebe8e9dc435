package markdown

import (
	"strings"
	"unicode"
)

// Units counts text as Telegram does: in UTF-16 units.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += unitsOf(r)
	}
	return n
}

func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// rank is how good a place is for a cut.
type rank int

const (
	inWord rank = iota
	atWord
	atLine
	atParagraph
)

// cut gives where the message that begins at from ends: everything that is left if it fits, else
// the best place. A paragraph or a line is only worth it if a quarter of the room is used.
func (f *flow) cut(from, limit int) int {
	var best [atParagraph + 1]int
	used := 0
	for i := from; i < len(f.runes); {
		end := clusterEnd(f.runes, i)
		used += unitsOfAll(f.runes[i:end])
		if used > limit {
			return f.choose(best, from, limit)
		}
		i = end
		if r := f.rankAt(i); used >= limit/4 || r < atLine {
			best[r] = i
		} else {
			best[atWord] = i
		}
	}
	return len(f.runes)
}

func (f *flow) choose(best [atParagraph + 1]int, from, limit int) int {
	for r := atParagraph; r >= inWord; r-- {
		if best[r] > from {
			return best[r]
		}
	}
	// One letter alone is too long: too many accents. Cut it between code points.
	end := from
	for used := 0; end < len(f.runes) && used+unitsOf(f.runes[end]) <= limit; end++ {
		used += unitsOf(f.runes[end])
	}
	return end
}

func unitsOfAll(runes []rune) int {
	n := 0
	for _, r := range runes {
		n += unitsOf(r)
	}
	return n
}

// cjkStops end a clause in scripts that are written without spaces.
const cjkStops = "。！？；，、：…」』）】》"

// rankAt says how good it is to cut before rune i.
func (f *flow) rankAt(i int) rank {
	last := f.runes[i-1]
	switch {
	case last == '\n' && i > 1 && f.runes[i-2] == '\n' && !f.at(i-1).has(pre):
		return atParagraph
	case last == '\n':
		return atLine
	case i < len(f.runes) && unicode.IsSpace(f.runes[i]):
		return inWord // better after the space than before it
	case unicode.IsSpace(last) && last != '\u00a0', strings.ContainsRune(cjkStops, last):
		return atWord
	}
	return inWord
}

// clusterEnd gives the end of the letter, as a person sees it, that begins at rune i. It covers
// accents, variation selectors, emoji joined to one picture, skin tones, flags and Korean
// syllables: what Unicode's rules for grapheme clusters (UAX 29) come to in chats.
func clusterEnd(runes []rune, i int) int {
	end := i + 1
	if isFlagHalf(runes[i]) && end < len(runes) && isFlagHalf(runes[end]) {
		end++
	}
	for end < len(runes) && joins(runes[end-1], runes[end]) {
		end++
	}
	return end
}

const joiner = '\u200d'

func joins(last, next rune) bool {
	switch {
	case next == joiner, last == joiner && !unicode.IsSpace(next):
		return true
	case last == '\r' && next == '\n':
		return true
	case unicode.In(next, unicode.M), next >= 0x1F3FB && next <= 0x1F3FF, next >= 0xE0020 && next <= 0xE007F:
		return !unicode.IsSpace(last)
	case next >= 0x1160 && next <= 0x11FF: // the second and third part of a Korean syllable
		return last >= 0x1100 && last <= 0x11FF
	}
	return false
}

func isFlagHalf(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
