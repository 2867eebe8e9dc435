package question

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// leaning words open or close a message that says too little by itself.
var (
	leaning  = pattern.New(`(?i)^\s*(?:and|what about|how about|then|also|now|or)\b|^\s*(?:那么?|还有|另外|其中|再)|呢\s*[？?]?\s*$`)
	pointing = pattern.New(`(?i)\b(?:first|last|latest|earliest)\s*[?.!]*\s*$|\b(?:it|them|they|those|these|that one|(?:first|last|second|next) one|of (?:them|those|these)|the same (?:file|log)|same for)\b|它们?|这些|那些|其中|同样|(?:第一|最后|最早|最晚)(?:个|条|次|的)?(?:一(?:个|条|次))?(?:是|$)`)
)

// Follow reads a message that leans on an earlier one of the same conversation: what it leaves out,
// files, filters, what is to be done, it has from there. Other messages stay as they are.
func (a Asked) Follow(earlier []string, known []string) Asked {
	if len(a.Questions) == 0 || len(earlier) == 0 || len(earlier[len(earlier)-1]) > headBytes {
		return a
	}
	q := a.Questions[0]
	said := lasting.ReplaceAllString(q.Original, "$1")
	best := len(q.Files) == 0 && q.asksBest()
	if !best && !leaning.MatchString(q.Original) && !(len(q.Files) == 0 && pointing.MatchString(said)) || q.Intent.whole() || q.Intent == Clock {
		return a
	}
	last := len(earlier) - 1
	before := Parse(earlier[last], known).Follow(earlier[max(last-maxChain, 0):last], known)
	p := before.Questions[len(before.Questions)-1]
	if p.Intent.whole() || p.Intent == Unknown {
		return a
	}
	if best && p.reckonsGroups() {
		a.Questions[0], _, _ = q.leaning(p, ranked, known)
		return a
	}
	if best && !leaning.MatchString(q.Original) && !pointing.MatchString(said) {
		return a
	}
	for i := range a.Questions {
		a.Questions[i] = a.Questions[i].after(p, known)
	}
	return a
}

// maxChain is how many messages one may lean on another back to.
const maxChain = 6

// after gives a question that leans on p: its own words decide where they say something.
func (q Question) after(p Question, known []string) Question {
	lead := strings.TrimRight(p.Original, " ?？.。!！") + " ; "
	both := parseClause(lead+q.Original, known, q.Lang)
	both.Leads, both.Original = append(slices.Clone(p.Leads), len(lead)), q.Original
	if len(both.Text) >= len(lead)+len(q.Text) {
		both.Original = lead + q.Original
	}
	own := q
	if q.Intent == Unknown || q.Intent == Filter && !asksRows.MatchString(q.Text) {
		own, both.Swaps = p, true
		if q.First || q.Last {
			own.Intent, own.First, own.Last = FirstLast, q.First, q.Last
		}
		if q.N > 0 {
			own.N = q.N
		}
	}
	both.Intent, both.N, both.Desc, both.Asc, both.First, both.Last, both.Fn = own.Intent, own.N, own.Desc, own.Asc, own.First, own.Last, own.Fn
	both.Sort, both.Share, both.Line, both.LineTo, both.Folder, both.Within, both.Before = own.Sort, own.Share, own.Line, own.LineTo, own.Folder, own.Within, own.Before
	both.Level, both.Above, both.Levels, both.NotLevel = p.Level, p.Above, p.Levels, p.NotLevel
	if q.Level != "" || len(q.NotLevel) > 0 {
		both.Level, both.Above, both.Levels, both.NotLevel = q.Level, q.Above, q.Levels, q.NotLevel
	}
	both.MonthTo, both.MonthYear, both.Since, both.Until, both.Month, both.LastSpan, both.Midnight, both.Clash = p.MonthTo, p.MonthYear, p.Since, p.Until, p.Month, p.LastSpan, p.Midnight, p.Clash || q.Clash
	if q.Since != nil || q.Until != nil || q.Month > 0 || q.LastSpan != "" {
		both.MonthTo, both.MonthYear, both.Since, both.Until, both.Month, both.LastSpan, both.Midnight = q.MonthTo, q.MonthYear, q.Since, q.Until, q.Month, q.LastSpan, q.Midnight
	}
	if both.Files = q.Files; len(q.Files) == 0 {
		both.Files = p.Files
	}
	if both.Intent == Count && (p.Group || p.Unit != "") {
		both.Intent = Top
	}
	both.Group, both.Unit = p.Group || q.Group, p.Unit
	if q.Unit != "" {
		both.Unit = q.Unit
	}
	return both
}

// asksRows tells that rows are to be listed, by a verb that says so.
var asksRows = pattern.New(`\b(?:show|list|print|display|give)\b|列出|显示|打印`)
