package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// How a question leans on the one before it in the same message.
type lean int

const (
	alone   lean = iota
	told         // what it asks is said by the answer to the one before
	gap          // it asks by how much the best of the one before leads
	swapped      // it is the one before with something else in it: "and unit?", 咖啡呢
	whole        // it is about the rows of the one before: "which had the most", "what is their total"
	loose        // it is about rows of the same kind, if it names a thing of the same kind: 喷涂有几个
	soft         // it is about the same things, by a measure of its own: 总额是多少
	ranked       // it is which of the groups of the one before has the most of what that reckoned
)

var (
	toldEN = pattern.New(`^(?:and |with )?(?:how (?:much|many|long|slow|fast|big|large|high|low|often)(?: (?:was|is|were|are|did|does) (?:it|that|they|this|there)(?: take| last| cost)?)?|what (?:was|is) (?:it|that)|by what value)$`)
	toldZH = pattern.New(`^(?:是|有|一共|共|总共|分别|各|各有|为|用了|用时|达|达到|花了|卖了|卖出|具体)*(?:多少|几)(?:个|次|条|行|笔|单|人|天|种|份|位|名|台|家|分钟|分|岁|件|本|篇|级|度|小时|毫秒|秒|元|钱|块|吨|公斤|字节)?(?:呢)?$|^多慢$|^多久$|^多长时间$`)
	rowEN  = pattern.New(`^(?:and )?(?:who|what|which|where) (?:was|is|were|are) (?:the|its|their|his|her) [a-z_]{2,24}(?: [a-z_]{2,16})?$|^(?:and )?(?:which|what) [a-z ]{2,24} (?:was|is) (?:it|that|this)(?: (?:in|on|from|for|at|by))?$|^(?:and )?(?:in|on|from|at|for|by) (?:which|what) [a-z]+ (?:was|is) (?:it|that|this)$`)
	rowZH  = pattern.New(`^(?:又)?(?:在|是|属于|来自)哪(?:个|一个|家|里|儿|种|天|一天)?\p{Han}{0,5}$|^(?:在|是)?(?:什么时候|何时|哪天)$`)
	gapEN  = pattern.New(`^(?:and )?by how (?:much|many)(?: (?:more|less|fewer))?(?: than (?:the )?(?:second|next|runner[- ]up|other|rest|next one|second one|other one))?$`)
	gapZH  = pattern.New(`^(?:比第二名?的?|比其次的?|领先第二名?|比另一个|领先)?(?:多|少|慢|快|高|低|大|小|长|短|贵|领先)了?(?:出)?多少(?:个|次|条|行|笔|单|元|钱|毫秒|秒|分钟)?$`)

	mostEN = pattern.New(`^(?:and )?(?:which|what|who|whose)(?: [a-z]+)?(?: (?:of (?:them|those|these)))?(?: (?:had|has|have|made|got|sent|is|was|are|were|did|caused|saw|logged|appears?|appeared|occurs?|occurred))?(?: it)? (?:the )?(?:most|fewest|least)(?: of (?:them|those|these))?(?: often| frequent(?:ly)?| common(?:ly)?| frequent one| common one| events| rows| lines| requests| errors| records| entries)?$`)
	mostZH = pattern.New(`^(?:其中)?(?:哪|谁)\p{Han}{0,8}?(?:最多|最少|最频繁|最常见)$|^(?:其中)?最(?:多|少|常见)的(?:是|为)?(?:哪|谁|什么)\p{Han}{0,5}$`)
	bareEN = pattern.New(`^(?:and )?how many (?:did|does|do|has|have|had|were|was|are|is|of|by|from|in|on|for|with|at|went|came|cost|costs|took)\b`)
	bareZH = pattern.New(`^\S{1,20}?(?:有|是|共|了)?(?:多少|几)(?:个|次|条|行|笔|单|天|份|位|名|台|家|门|张|件)?$`)
	ofEN   = pattern.New(`^(?:and )?(?:from|in|on|at|for|by|of|to) (?:which|what) [a-z]+s?(?: (?:were|was|are|is|did|do) (?:they|these|those|it)(?: [a-z]+)?)?$`)
	ofZH   = pattern.New(`^(?:分别)?(?:来自|在|属于|是|出自)?哪(?:些|几个)\p{Han}{1,5}$`)
	theirs = pattern.New(`\b(?:their|its|them|those|these|they)\b|其中|它们|这些|那些`)

	bestEN = pattern.New(`^(?:(?:and|so|then) )?(?:which|what|who)(?: (one|[a-z_]+))??(?: of (?:them|those|these))?(?: (?:is|was|has|had|comes?|came|ranks?|ranked|scores?|scored|does|did))*(?: (?:on|out|in))?(?: the)? (?:most|least|fewest|highest|lowest|largest|smallest|biggest|best|worst|top)(?: (?:one|of (?:them|those|these|all)|overall|value|figure))?$`)
	bestZH = pattern.New(`^(?:其中|那么?|又)?(?:是)?(?:哪(?:一?(?:个|些|位|家|种|类|组|座|台|名|天|月))?|谁)[^的，。\s]{0,6}?最(?:多|少|高|低|大|小|好|差)(?:的)?$|^(?:其中)?最(?:多|少|高|低|大|小)的(?:是|为)(?:哪|谁|什么)\p{Han}{0,5}$`)
	baldZH = pattern.New(`^(?:其中|那么?|又)?(?:是)?(?:哪一?个?|谁)?最`)

	figureEN = pattern.New(`^(?:and )?(?:how (?:many|much) [a-z ]{2,30}(?: in total| altogether| overall)|(?:what (?:is|was|are|were) )?(?:the )?(?:total|average|mean|median|sum|maximum|minimum|largest|smallest|highest|lowest|slowest|fastest)\b[a-z _]{0,40})$`)
	endsZH   = pattern.New(`^(?:(?:其中|分别|它们)?的?(?:第一|最后|最早|最晚|首|末)(?:一)?(?:次|条|个|行|笔|单)?的?(?:和|与|及|以及|、)?){1,2}(?:错误)?(?:各|都)?(?:分别)?(?:出现|发生)?(?:是|在|于)*(?:哪|什么|何时|几点)\p{Han}{0,4}$`)
	laterZH  = pattern.New(`呢\s*$`)
	laterEN  = pattern.New(`^(?:and|what about|how about|or)\b`)
	ownThen  = pattern.New(`\bthere (?:are|were|is|was)\b`)
)

// leansHow tells how a question leans on p. joined is that both stand in one sentence.
func (q *Question) leansHow(p Question, joined bool) lean {
	text := q.plainWords()
	later := laterZH.MatchString(text)
	if len(q.Files) > 0 || p.Intent.whole() || p.Intent == Unknown && !later || p.Span != nil {
		return alone
	}
	ranks := p.Intent == Top || p.Intent == Aggregate || p.Intent == FirstLast
	own := q.Level != "" || len(q.NotLevel) > 0 || len(q.Quoted) > 0 || q.Since != nil || q.Until != nil || q.Month > 0
	switch {
	case ranks && (gapEN.MatchString(text) || gapZH.MatchString(text)):
		return gap
	case ranks && (toldEN.MatchString(text) || toldZH.MatchString(text)):
		return told
	case ranks && p.ranksRows() && (rowEN.MatchString(text) || rowZH.MatchString(text)):
		return told
	case p.reckonsGroups() && q.asksBest():
		return ranked
	case later, q.Intent == Unknown && laterEN.MatchString(text):
		return swapped
	case mostEN.MatchString(text), mostZH.MatchString(text), ofEN.MatchString(text), ofZH.MatchString(text), q.Intent == Top && q.Fn == "" && pickEN.MatchString(text):
		return whole
	case bareEN.MatchString(text) && p.Intent == Count:
		return whole
	case joined && !own && bareZH.MatchString(text) && p.Intent == Count && q.Intent == Count:
		return loose
	case theirs.MatchString(text) && (q.Intent == Aggregate || q.Intent == Top || q.Intent == Count):
		return whole
	case q.Intent == FirstLast && endsZH.MatchString(text) && leansOn(*q, p):
		return alone // it takes the conditions of the one before
	case joined && !own && (figureEN.MatchString(text) || q.Lang == "zh" && hanAsks.MatchString(text)) && !ownThen.MatchString(text):
		return soft
	}
	return alone
}

// pickEN picks one of the things that were just asked about, whatever conditions it names.
var pickEN = pattern.New(`^(?:and )?which (?:one|of (?:them|those|these))\b.*\b(?:most|fewest|least)\b`)

// ofFiles tells words that are about several files.
var ofFiles = pattern.New(`\b(?:files|logs|documents|tables|csvs|(?:each|every|per|which) (?:file|log|document|table|csv))\b`)

// picks tells a clause that reads like a comparison of files; where there is but one, it is about what was asked before.
func (q *Question) picks() bool { return q.Intent == Compare && pickEN.MatchString(q.plainWords()) }

// picksAfter tells that a clause after the first one picks, and that none speaks of files.
func picksAfter(cs []clause, known []string) (picks bool) {
	for i, c := range cs {
		q := parseClause(c.text, known, "")
		if ofFiles.MatchString(q.Text) {
			return false
		}
		picks = picks || i > 0 && q.picks()
	}
	return picks
}

// rowLead asks for the one row with the largest or smallest value, not for a group.
var rowLead = pattern.New(`\b(?:largest|smallest|biggest|longest|shortest|highest|lowest) single\b|最\p{Han}{1,2}的(?:那)?(?:一|这)?(?:单|笔|条|行|次|件|批)|\b(?:largest|smallest|biggest|slowest|fastest|longest|shortest|highest|lowest|cheapest|heaviest|lightest) (?:single )?(?:order|response|request|row|record|entry|line|event|item|shipment|sale|payment|transaction|step|run|job|call|query)\b`)

// reckonsGroups tells a question for a figure of each of several groups.
func (p *Question) reckonsGroups() bool { return p.Intent == Top && (p.Group || p.Unit != "") }

// asksBest tells a superlative that says neither of what nor how it is reckoned: "which region is highest".
func (q *Question) asksBest() bool {
	text := q.plainWords()
	return q.Fn == "" && (bestEN.MatchString(text) || bestZH.MatchString(text))
}

func (p *Question) ranksRows() bool {
	return p.Intent == FirstLast || p.Rows || p.Intent == Top && !p.Group
}

// leaning gives the question as it leans on p, and p as it is then; drop is that p's answer says it.
func (q Question) leaning(p Question, how lean, known []string) (out, before Question, drop bool) {
	switch how {
	case told:
		if rowEN.MatchString(q.plainWords()) || rowZH.MatchString(q.plainWords()) {
			p.Rows = p.Intent != FirstLast
		}
		return q, p, true
	case gap:
		p.Gap = true
		return q, p, true
	case swapped:
		return q.after(p, known), p, false
	}
	base := p
	q.Base, q.Soft, q.Loose = &base, how == soft, how == soft || how == loose
	switch text := q.plainWords(); {
	case how == ranked:
		q.Best, q.Intent = true, Top
		if q.Unit == "" && !q.namesGroup() {
			q.Unit = p.Unit
		}
	case ofEN.MatchString(text) || ofZH.MatchString(text):
		q.Intent, q.Group = Top, true
	case mostEN.MatchString(text) || mostZH.MatchString(text):
		q.Intent = Top
	case bareEN.MatchString(text):
		q.Intent, q.Group = Count, false
	}
	q.inherit(p)
	return q, p, false
}

// namesGroup tells that a superlative names what it ranks.
func (q *Question) namesGroup() bool {
	m := bestEN.FindStringSubmatch(q.plainWords())
	return m != nil && m[1] != "" && m[1] != "one" || m == nil && !baldZH.MatchString(q.plainWords())
}

// plainWords is the text of the question without the marks that end it.
func (q *Question) plainWords() string {
	return strings.Join(strings.Fields(strings.Trim(q.Text, " \t\n?？!！.。,，;；")), " ")
}
