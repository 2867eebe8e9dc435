package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// Span asks how long it was from one row to another.
type Span struct {
	From, To Event
	Unit     string // second, minute, hour, day, week: in which it is to be told; empty if that is open
}

// Event is one row that the words describe.
type Event struct {
	Question
	Said string // the words
	Any  bool   // the words say neither first nor last
	Row  bool   // they say nothing but first or last: of all rows
}

const (
	spanFill = `(?: (?:was it|is it|did it take|passed|elapsed|went by|was there|is there|are there|were there|lie|lies|time passed|time was there|apart))*`
	hanLong  = `(?:多久|多长时间|多少时间|(?:多少|几)个?(天|小时|分钟|秒|周)钟?)`
	hanTook  = `(?:一共|总共|共|大约|，|,|\s|用了?|花了?|经过了?|过了?|隔了?|间隔了?|相隔了?|相差了?|持续了?|历时|耗时|需要|有|是|差|的?时间|的?时长|之间)*`
)

var (
	spanEN  = pattern.New(`^(?:and )?(?:how (?:long|much time|many (second|minute|hour|day|week)s?)` + spanFill + `|what (?:is|was) the (?:time|duration|interval|gap|delay)) (?:between|from) (.+?) (?:and|to|until|till|up to) (.+)$`)
	sinceEN = pattern.New(`^(?:and )?how (?:long|much time|many (second|minute|hour|day|week)s?) after (.+?) (?:did|was|were|does|do|came|is) (.+?)(?: (?:come|happen|occur|appear|start|arrive|follow|begin|show up))?$`)
	spanZH  = pattern.New(`^从?(.+?)(?:到|至|和|与|跟)(.+?)` + hanTook + hanLong + `$`)
	sinceZH = pattern.New(`^(.+?)(?:之后|以后|后)(?:，|,)?(?:又)?(?:过了|隔了|经过了?)?` + hanLong + `(?:才|就|便)?(?:出现|发生|有|开始|来)?了?(.+)$`)

	ordinal   = pattern.New(`\b(?:the )?(?:very )?(first|earliest|initial|last|latest|final)\b(?: one)?|(第一|首|最早|最先)(?:的)?一?(?:个|条|次|行|笔|单|批|件)?的?|(最后|最晚|最新|末)(?:的)?一?(?:个|条|次|行|笔|单|批|件)?的?`)
	hanUnits  = map[string]string{"天": "day", "小时": "hour", "分钟": "minute", "秒": "second", "周": "week"}
	emptyRest = pattern.New(`^(?:\b(?:the|a|an|one|of|in|it|its|his|her|their)\b|[\s的一个条次行笔单])*$`)
	spanDrop  = pattern.New(`^(?:the|a|an)\s+|[\s?？.。!！]+$`)
	verbTo    = pattern.New(`(?:迟|收|达|签|遇|找|看|听|得|拿|想|赶)$`) // 到 goes with it and is no "to"
	twoTimes  = pattern.New(`相隔|间隔|相差|隔|差|之间|到|至`)
)

// elapsedOf reads such a question; nil if the words are none.
func elapsedOf(q *Question, known []string) *Span {
	text := q.plainWords()
	sp := &Span{}
	from, to := "", ""
	if m := spanEN.FindStringSubmatch(text); m != nil {
		sp.Unit, from, to = m[1], m[2], m[3]
	} else if m := sinceEN.FindStringSubmatch(text); m != nil {
		sp.Unit, from, to = m[1], m[2], m[3]
	} else if m := sinceZH.FindStringSubmatch(text); m != nil {
		sp.Unit, from, to = hanUnits[m[2]], m[1], m[3]
	} else if m := spanZH.FindStringSubmatch(text); m != nil && twoTimes.MatchString(text) && !verbTo.MatchString(m[1]) {
		sp.Unit, from, to = hanUnits[m[3]], m[1], m[2]
	} else {
		return nil
	}
	from, to = shareSubject(from, to, known)
	sp.From, sp.To = eventOf(from, known, q), eventOf(to, known, q)
	if sp.To.Row && !sp.From.Row { // "the first shipment to the last"
		first, last := sp.To.First, sp.To.Last
		sp.To = sp.From
		sp.To.First, sp.To.Last, sp.To.Any = first, last, false
	}
	if sp.From.isTime() || sp.To.isTime() || sp.From.Row && sp.From.Any || sp.To.Row && sp.To.Any {
		return nil
	}
	return sp
}

// ownOf stands before the second end for whoever stands before the first.
var ownOf = pattern.New(`^(?:\b(?:its|his|her|their)\b|[它他她]们?的?|\s)*$`)

// shareSubject completes the end that leaves out what the other one says. Whoever stands before "first" is meant at
// the second end too, if nobody stands before "last": Ann's first order and last order. What follows "the last
// order" is meant at the first end too, if that is the other end of the same and stops there.
func shareSubject(from, to string, known []string) (string, string) {
	a, z := ordinal.FindStringIndex(from), ordinal.FindStringIndex(to)
	if a == nil || z == nil || len(mentions(to, known)) > 0 {
		return from, to
	}
	whose, own := from[:a[0]], to[:z[0]]
	what, other := strings.TrimSpace(from[a[1]:]), strings.TrimSpace(to[z[1]:])
	defined := strings.HasPrefix(to[z[0]:], "the ")
	switch {
	case strings.TrimSpace(whose) != "" && ownOf.MatchString(own) && (!defined || what == other):
		return from, whose + to[z[0]:]
	case firstOne.MatchString(from[a[0]:a[1]]) != firstOne.MatchString(to[z[0]:z[1]]) && strings.TrimSpace(whose+own) == "" && what != "" && strings.HasPrefix(other, what+" "):
		return from[:a[1]] + " " + other, to
	}
	return from, to
}

func eventOf(words string, known []string, whole *Question) Event {
	e := Event{Any: true, Said: spanDrop.ReplaceAllString(strings.TrimSpace(words), "")}
	first, last := false, false
	rest := words
	if m := ordinal.FindStringSubmatch(words); m != nil {
		first, last, e.Any = m[1] == "first" || m[1] == "earliest" || m[1] == "initial" || m[2] != "", m[1] == "last" || m[1] == "latest" || m[1] == "final" || m[3] != "", false
		rest = strings.Replace(words, m[0], " ", 1)
	}
	e.Row = emptyRest.MatchString(rest)
	e.Question = parseClause(strings.TrimSpace(rest), known, whole.Lang)
	if e.Intent, e.N = Filter, 0; e.Level == "error" {
		e.Above = true
	}
	e.First, e.Last = first, last
	if len(e.Files) == 0 {
		e.Files = whole.Files
	}
	return e
}

// isTime tells words that name a time and nothing else: the ends of a range, not two rows.
func (e *Event) isTime() bool {
	return (e.Since != nil || e.Until != nil || e.Month > 0 || len(e.Weekdays) > 0) && strings.Trim(e.plainLeft(), " 的") == ""
}

// plainLeft is what no field has used up.
func (q *Question) plainLeft() string {
	b := []byte(q.Text)
	for _, s := range q.Taken {
		for i := s.From; i < s.To; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}
