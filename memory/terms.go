package memory

import (
	"strings"
	"unicode"
)

// terms gives the words of a text as an index knows them: lower case, without endings; text of
// scripts that put no spaces between words becomes pairs of characters. Words that say nothing
// about a subject are left out.
func terms(s string) []string {
	var out []string
	var word, run []rune
	flush := func() {
		if len(word) > 0 {
			if t := term(string(word)); t != "" {
				out = append(out, t)
			}
			word = word[:0]
		}
		if len(run) > 0 {
			out = append(out, pairs(run)...)
			run = run[:0]
		}
	}
	for _, r := range s {
		r = unicode.ToLower(narrow(r))
		switch {
		case unspaced(r):
			if len(word) > 0 {
				flush()
			}
			run = append(run, r)
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r):
			if len(run) > 0 {
				flush()
			}
			word = append(word, r)
		case (r == '+' || r == '#') && len(word) > 0: // C++, C#
			word = append(word, r)
		case (r == '\'' || r == '\u2019') && len(word) > 0:
			word = append(word, '\'')
		default:
			flush()
		}
	}
	flush()
	return out
}

// narrow gives the usual form of a full-width letter, digit or sign.
func narrow(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFEE0
	case r == 0x3000:
		return ' '
	}
	return r
}

func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// pairs gives each two neighbours; a character that stands alone is a term itself.
func pairs(run []rune) []string {
	if len(run) == 1 {
		return []string{string(run)}
	}
	out := make([]string, 0, len(run)-1)
	for i := range len(run) - 1 {
		out = append(out, string(run[i:i+2]))
	}
	return out
}

// term gives the stem of a word, "" for a stop word.
func term(word string) string {
	word = strings.TrimRight(word, "'")
	if stopWords[word] {
		return ""
	}
	base, _, _ := strings.Cut(word, "'")
	if stopWords[base] || base == "" {
		return ""
	}
	return stem(base)
}

// stem takes the common English endings off: forms of a word come to the same stem, which need not
// be a word.
func stem(w string) string {
	if len(w) < 4 || strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return w
	}
	w = singular(w)
	for _, end := range []string{"ing", "ed"} {
		if base, ok := strings.CutSuffix(w, end); ok && len(base) >= 3 && strings.ContainsAny(base, "aeiouy") {
			w = undouble(base)
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	for _, end := range []string{"y", "ic"} { // allergy, allergic
		if base, ok := strings.CutSuffix(w, end); ok && len(base) > 4 {
			return base
		}
	}
	return w
}

func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	}
	return strings.TrimSuffix(w, "s")
}

func undouble(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// weight says how much a term tells about a subject, 0 to 1, whatever the entries are: words that
// people use in requests of any kind tell little.
func weight(t string) float64 {
	if weakWords[t] || strings.ContainsFunc(t, func(r rune) bool { return strings.ContainsRune(weakHan, r) }) {
		return 0.35
	}
	return 1
}

func set(stemmed bool, words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		if stemmed {
			w = stem(w)
		}
		m[w] = true
	}
	return m
}

var stopWords = set(false, `a an the and or but nor so if then else than as at by for from in into of off on onto out over
to up with without within about above below after before between during per via i me my mine myself we us our ours you
your yours he him his she her hers it its they them their theirs this that these those who whom whose which what when
where why how am is are was were be been being do does did doing done have has had having can could may might must shall
should will would not no yes ok just also too very only own same such both each any some more most much many all there
here again once user users please let's let isn't aren't wasn't don't doesn't didn't can't won't s t d ll m re ve`)

var weakWords = set(true, `use like want need make get give go take know think see look tell say ask help show find work try
keep put thing way time day today now new good best better big small first last next one two other every always never
often usually sometimes file text answer question task message word list name number kind type part people person
write read send create add set start stop run change open close check short long quick simple example information
detail prefer remember forget project system data`)

// weakHan are characters of which most pairs are grammar.
const weakHan = "的了是我你您他她它们这那吗呢吧啊么什怎哪谁请把被和与在就也很都个有没不要会能可以给帮用户说"
