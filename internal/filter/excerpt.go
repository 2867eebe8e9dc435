package filter

import "strings"

// excerpt returns at most n bytes of a text, from the place with most of the query's words, with an ellipsis at each
// end that is cut.
func excerpt(text string, q query, n int) string {
	if len(text) <= n {
		return text
	}
	from := runeStart(text, max(0, min(densest(text, q, n*3/4)-n/8, len(text)-n+len(more))))
	if at := strings.IndexAny(text[from:min(len(text), from+n/8)], "\n "); at >= 0 && from > 0 {
		from += at + 1
	}
	if from == 0 {
		return clip(text, n)
	}
	return more + clip(text[from:], n-len(more))
}

// densest returns the index from which the next width bytes have the most different words of the query.
func densest(text string, q query, width int) int {
	type place struct{ at, term int }
	var places []place
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && text[end] != ' ' && text[end] != '\n' {
			end++
		}
		eachWord(text[i:end], func(w []byte) {
			if m, ok := q.byWord[string(w)]; ok {
				places = append(places, place{i, m.at})
			}
		})
		i = end + 1
	}
	best, from := 0, 0
	for i, p := range places {
		terms := map[int]bool{}
		for _, o := range places[i:] {
			if o.at > p.at+width {
				break
			}
			terms[o.term] = true
		}
		if len(terms) > best {
			best, from = len(terms), p.at
		}
	}
	return from
}
