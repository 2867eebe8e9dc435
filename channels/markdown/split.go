package markdown

import (
	"slices"
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
	atSign      // within a word that is too long: behind a sign of it
	atWord
	atLine
	atParagraph
)

// cut gives where the message that begins at from ends: everything that is left if it fits, else
// the best place. A paragraph or a line is only worth it if a quarter of the room is used. cost is
// what one rune takes of the limit.
func (f *flow) cut(from, limit int, cost func(rune) int) int {
	var best [atParagraph + 1]int
	used := 0
	for i := from; i < len(f.runes); {
		end := clusterEnd(f.runes, i)
		for _, r := range f.runes[i:end] {
			used += cost(r)
		}
		if used > limit {
			return f.choose(best, from, limit, cost)
		}
		i = end
		switch r := f.rankAt(i); {
		case r == atSign && used < limit/2:
			best[inWord] = i
		case r >= atLine && used < limit/4:
			best[atWord] = i
		default:
			best[r] = i
		}
	}
	return len(f.runes)
}

func (f *flow) choose(best [atParagraph + 1]int, from, limit int, cost func(rune) int) int {
	for r := atParagraph; r >= inWord; r-- {
		if best[r] > from {
			return best[r]
		}
	}
	// One letter alone is too long: too many accents. Cut it between code points.
	end := from
	for used := 0; end < len(f.runes) && used+cost(f.runes[end]) <= limit; end++ {
		used += cost(f.runes[end])
	}
	return max(end, from+1)
}

// fit gives the piece that begins at from as it is rendered, and where it ends, so that its size is
// within the limit: what a piece takes is known only when it is rendered.
func (f *flow) fit(from, limit int, cost func(rune) int, render func(from, to int) string, size func(string) int) (int, string) {
	for room := limit; ; {
		to := f.cut(from, room, cost)
		out := render(from, to)
		n := size(out)
		if n <= limit || to <= from+1 {
			return to, out
		}
		room = max(min(room-1, room*limit/n), 1)
	}
}

// cjkStops end a clause in scripts that are written without spaces.
const cjkStops = "。！？；，、：…」』）】》"

// wordSigns are signs within words behind which a line may end.
const wordSigns = ",;/&?|-—–\u00a0\u00ad"

// rankAt says how good it is to cut before rune i.
func (f *flow) rankAt(i int) rank {
	last := f.runes[i-1]
	switch {
	case last > ' ' && last < 0x80 && strings.IndexByte(wordSigns, byte(last)) < 0:
		return inWord
	case last == '\n' && f.endsHeading(i):
		return atWord // a heading stays with what it is the heading of
	case last == '\n' && i > 1 && f.runes[i-2] == '\n' && !f.at(i-1).has(pre):
		return atParagraph
	case last == '\n':
		return atLine
	case i < len(f.runes) && unicode.IsSpace(f.runes[i]):
		return inWord // better after the space than before it
	case f.at(i - 1).has(mark):
		return inWord // a bullet stays with its text
	case unicode.IsSpace(last) && last != '\u00a0', strings.ContainsRune(cjkStops, last), last == '\u200b':
		return atWord
	case strings.ContainsRune(wordSigns, last):
		return atSign
	}
	return inWord
}

// endsHeading reports whether nothing but the newlines behind it stands between a heading and rune i.
func (f *flow) endsHeading(i int) bool {
	for n := 0; n < 2 && i > 0 && f.runes[i-1] == '\n'; n++ {
		i--
	}
	_, ok := slices.BinarySearch(f.heads, i)
	return ok
}

// clusterEnd gives the end of the letter, as a person sees it, that begins at rune i. It covers
// accents, variation selectors, emoji joined to one picture, skin tones, flags and Korean
// syllables: what Unicode's rules for grapheme clusters (UAX 29) come to in chats.
func clusterEnd(runes []rune, i int) int {
	end := i + 1
	if end < len(runes) && runes[end] < firstJoined {
		return end // so it is nearly always
	}
	if isFlagHalf(runes[i]) && end < len(runes) && isFlagHalf(runes[end]) {
		end++
	}
	for end < len(runes) && joins(runes[end-1], runes[end]) {
		end++
	}
	return end
}

// firstJoined is the first code point that can belong to the letter before it.
const firstJoined = 0x300

const joiner = '\u200d'

func joins(last, next rune) bool {
	switch {
	case next == joiner, last == joiner && !unicode.IsSpace(next):
		return true
	case next < firstJoined, next >= 0x2E80 && next <= 0xA4CF && next != 0x3099 && next != 0x309A && (next < 0x302A || next > 0x302F):
		return false // Chinese, Japanese and the like; looking further takes long
	case unicode.In(next, unicode.M), next >= 0x1F3FB && next <= 0x1F3FF, next >= 0xE0020 && next <= 0xE007F:
		return !unicode.IsSpace(last)
	case next >= 0x1160 && next <= 0x11FF: // the second and third part of a Korean syllable
		return last >= 0x1100 && last <= 0x11FF
	}
	return false
}

func isFlagHalf(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
