package markdown

import "strings"

// form says how a text is laid out: what the service that shows it knows.
type form struct {
	markup  bool     // Markdown comes out: bullets, numbers and headings are signs of it
	apart   bool     // tables and rules stand apart from the text
	fold    bool     // headings are made smaller, for cards
	schemes []string // what a link's address may begin with; none: addresses are written out
	longest int      // bytes of an address that is still made a link; 0: any
	rule    string   // a rule across the page
	quote   string   // what the lines of a quotation begin with where there are no quotations
}

var (
	telegramSchemes = []string{"http://", "https://", "tg://", "ton://", "mailto:", "tel:"}
	webSchemes      = []string{"http://", "https://"}
)

// textRule is a rule where there are no rules.
const textRule = "———"

var (
	telegramForm = form{schemes: telegramSchemes, rule: textRule}
	plainForm    = form{rule: textRule, quote: "> "}
	cardForm     = form{markup: true, apart: true, fold: true, schemes: webSchemes, longest: 2000, rule: textRule}
	markdownForm = form{markup: true, schemes: telegramSchemes, longest: 2000, rule: "---"}
	weComForm    = form{markup: true, schemes: webSchemes, longest: 600, rule: textRule}
)

// linkable reports whether the service makes a link of url.
func (f *form) linkable(url string) bool {
	if f.longest > 0 && len(url) > f.longest {
		return false
	}
	for _, scheme := range f.schemes {
		if len(url) > len(scheme) && strings.EqualFold(url[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// part is a piece of a document that is laid out apart: text, or a table, or a rule.
type part struct {
	flow  *flow
	table *table
	rule  bool
}
