package question

import "github.com/akitad/akitad/internal/pattern"

const (
	topEnds = `highest|largest|biggest|dearest|priciest|costliest|most expensive|oldest|longest|slowest|heaviest|tallest|best|strongest|most`
	lowEnds = `lowest|smallest|cheapest|least expensive|youngest|shortest|fastest|lightest|worst|weakest|fewest|least`
	topHan  = `最(?:高分?|大|多|贵|长|慢|重|老|年长|好)`
	lowHan  = `最(?:低分?|小|少|便宜|短|快|轻|年轻|差)`
	joinHan = `(?:的?(?:和|与|跟|及|以及|、))`
)

// bothEnds is a superlative and its opposite, joined: "cheapest and dearest", 最高和最低.
var bothEnds = pattern.New(`(?i)\b(` + topEnds + `)(\s+(?:and|&)\s+(?:the\s+)?)(?:` + lowEnds + `)\b|\b(` + lowEnds + `)(\s+(?:and|&)\s+(?:the\s+)?)(?:` + topEnds + `)\b|(` + topHan + `)(` + joinHan + `)` + lowHan + `|(` + lowHan + `)(` + joinHan + `)` + topHan)

var apiece = pattern.New(`分别|各自`)

// spreadAsked asks how far both ends of a ranking are apart.
var spreadAsked = pattern.New(`(?i)\b(?:difference|gap|spread|distance|how much (?:more|less|higher|lower|larger|longer))\b[^.?!]*?\b(?:(?:` + topEnds + `)\b[^.?!]*\b(?:` + lowEnds + `)|(?:` + lowEnds + `)\b[^.?!]*\b(?:` + topEnds + `))\b|\b(?:` + topEnds + `)\b[^.?!]*\bminus\b[^.?!]*\b(?:` + lowEnds + `)\b|` + topHan + `[^，。？！]*` + lowHan + `[^，。？！]*(?:差|多多少|高多少)|` + lowHan + `[^，。？！]*` + topHan + `[^，。？！]*(?:差|少多少|低多少)`)

// spreadWord are the words for that alone.
var spreadWord = pattern.New(`\b(?:difference|gap|spread|distance|minus)\b|相?差了?(?:距|额|值)?(?:是|有)?(?:多少)?`)

// perEnd makes two questions of one that asks for both ends of a ranking; nil if it does not.
func perEnd(text string) []string {
	m := bothEnds.FindStringSubmatchIndex(text)
	if m == nil || spreadAsked.MatchString(text) {
		return nil
	}
	for g := 2; g < len(m); g += 4 {
		if m[g] >= 0 {
			return []string{
				text[:m[g+1]] + apiece.ReplaceAllString(text[m[1]:], ""),
				text[:m[g]] + text[m[g+3]:m[1]] + apiece.ReplaceAllString(text[m[1]:], ""),
			}
		}
	}
	return nil
}

// parseEnds gives the questions of a clause: two if it asks for both ends of a ranking, of each of which one
// thing is meant where no number is given.
func parseEnds(text string, known []string, lang string) []Question {
	var out []Question
	for _, end := range perEnd(text) {
		q := parseClause(end, known, lang)
		switch q.Intent {
		case Top, FirstLast, Filter, Aggregate, Unknown:
		default:
			return []Question{parseClause(text, known, lang)}
		}
		if q.N == 0 && !q.Group {
			q.N = 1
		}
		out = append(out, q)
	}
	if out == nil {
		return []Question{parseClause(text, known, lang)}
	}
	return out
}
