package memory

import "slices"

// analysis is what recall and comparison need to know of a text. It depends on the text alone, so a
// page that is read again takes it over for the lines that are still there.
type analysis struct {
	key       string // sameKey
	about     string // polarity
	no        bool
	wish      bool
	statement statement
	stated    bool
	words     []count
	length    int
}

// count says how often a term occurs in a text.
type count struct {
	term string
	n    int
}

// analyse prepares a text for recall and comparison.
func analyse(text string) *analysis {
	a := &analysis{key: sameKey(text)}
	a.wish = wish.MatchString(a.key)
	a.about, a.no = polarity(text)
	a.statement, a.stated = parseStatement(text)
	words := terms(text)
	if a.stated && !a.statement.denied {
		words = append(words, relationTerm(a.statement.relation))
	}
	a.length = len(words)
	slices.Sort(words)
	for len(words) > 0 {
		n := 1
		for n < len(words) && words[n] == words[0] {
			n++
		}
		a.words = append(a.words, count{words[0], n})
		words = words[n:]
	}
	return a
}
