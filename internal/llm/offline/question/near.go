package question

import (
	"strings"
	"time"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// Near asks which rows stand near rows of another kind in time: "errors in a.log within 60 seconds
// after an error in b.log".
type Near struct {
	Rows, Of Question      // the rows that are wanted, and those that they are to be near
	Within   time.Duration // how far apart, ends included
	Before   bool          // the rows that are wanted come before the others
	After    bool          // or after; neither is either side
	Same     rows.Unit     // in the same minute, hour or day, in place of Within
}

var (
	nearEN   = pattern.New(`\b(?:(?:with)?in|less than|at most|up to|no more than|not more than)\s+(?:the\s+)?` + numeral + `\s*(seconds?|secs?|minutes?|mins?|hours?|s|m|h)\s+(of|after|before|around|following|preceding)\b`)
	nearBare = pattern.New(`\b` + numeral + `\s*(seconds?|secs?|minutes?|mins?|hours?)\s+(?:or less\s+)?(after|before|of)\b`)
	followed = pattern.New(`\b(followed|preceded)\s+(?:with)?in\s+` + numeral + `\s*(seconds?|secs?|minutes?|mins?|hours?|s|m|h)\s+by\b`)
	sameEN   = pattern.New(`\b(?:at|in|during|within) the same (second|minute|hour|day)\s+(?:as|with|of)\b`)
	nearZH   = pattern.New(`(之后|以后|后|之前|以前|前后|前)(?:的)?\s*` + numeral + `\s*(秒钟?|分钟|小时)\s*(?:以内|之内|内)?|(?:前后)?\s*` + numeral + `\s*(秒钟?|分钟|小时)\s*(?:以内|之内|内)?的?(之后|以后|后|之前|以前|前)`)
	sameZH   = pattern.New(`(?:在)?(?:相同|同一)个?(分钟|秒|小时|天)(?:内|里)?`)
	otherZH  = pattern.New(`(?:发生在|出现在|是在|在|与|和|跟|[，,])\s*$`)
)

// nearOf reads such a question; nil if the words are none.
func nearOf(text string, known []string, lang string) *Near {
	low := strings.ToLower(text)
	if len(low) != len(text) {
		return nil
	}
	n, from, to, han := &Near{}, 0, 0, false
	switch {
	case n.english(low, &from, &to):
	case n.chinese(low, &from, &to):
		han = true
	default:
		return nil
	}
	of, rest := behind(text, from, to)
	if han {
		of, rest = ahead(text, from, to, known)
	}
	if strings.TrimSpace(of) == "" || strings.TrimSpace(rest) == "" {
		return nil
	}
	n.Rows, n.Of = parseClause(rest, known, lang), parseClause(of, known, lang)
	if n.Of.Intent = Filter; len(n.Of.Files) == 0 {
		n.Of.Files = n.Rows.Files
	}
	if len(n.Rows.Files) == 0 {
		n.Rows.Files = n.Of.Files
	}
	if n.Rows.Near = nil; !n.Of.describes() || n.Of.First || n.Of.Last || n.Rows.First || n.Rows.Last || !wantsRows.MatchString(n.Rows.Text) {
		return nil
	}
	return n
}

// wantsRows tells words that want all rows of a kind, not what happened around one.
var wantsRows = pattern.New(`\b(?:which|how many|list|show|count|find|errors|warnings|requests)\b|哪些|多少|列出|统计|几(?:个|条|次)`)

// describes tells that a question says what its rows are like.
func (q Question) describes() bool {
	return q.Level != "" || len(q.Quoted) > 0 || q.Status > 0 || len(q.Bounds) > 0 || len(q.NotLevel) > 0 || changeWord.MatchString(q.Text)
}

// changeWord names what people do to systems.
var changeWord = pattern.New(`\b(?:deploy(?:ed|ment)?|releas(?:e|ed)|restart(?:ed)?|upgrad(?:e|ed)|roll(?:ed)? ?(?:out|back)|migrat(?:ed|ion)|switched)\b|部署|上线|发布|重启|升级|回滚|变更|切换`)

func (n *Near) english(s string, from, to *int) bool {
	if m := followed.FindStringSubmatchIndex(s); m != nil {
		n.Before = s[m[2]:m[3]] == "followed"
		n.After = !n.Before
		*from, *to = m[0], m[1]
		return n.span(s[m[4]:m[5]], s[m[6]:m[7]])
	}
	for _, re := range []*pattern.Pattern{nearEN, nearBare} {
		m := re.FindStringSubmatchIndex(s)
		if m == nil {
			continue
		}
		switch s[m[6]:m[7]] {
		case "after", "following":
			n.After = true
		case "before", "preceding":
			n.Before = true
		}
		*from, *to = m[0], m[1]
		return n.span(s[m[2]:m[3]], s[m[4]:m[5]])
	}
	m := sameEN.FindStringSubmatchIndex(s)
	if m == nil {
		return false
	}
	n.Same, *from, *to = rows.Unit(s[m[2]:m[3]]), m[0], m[1]
	return n.sameUnit()
}

func (n *Near) chinese(s string, from, to *int) bool {
	if m := nearZH.FindStringSubmatchIndex(s); m != nil {
		*from, *to = m[0], m[1]
		way, count, unit := group(s, m, 2), group(s, m, 4), group(s, m, 6)
		if way == "" {
			way, count, unit = group(s, m, 12), group(s, m, 8), group(s, m, 10)
		}
		n.After, n.Before = strings.HasSuffix(way, "后") && way != "前后", strings.HasSuffix(way, "前")
		if way == "前后" || strings.HasPrefix(s[m[0]:], "前后") {
			n.After, n.Before = false, false
		}
		return n.span(count, strings.TrimSuffix(unit, "钟"))
	}
	m := sameZH.FindStringSubmatchIndex(s)
	if m == nil {
		return false
	}
	n.Same = map[string]rows.Unit{"分钟": rows.Minute, "秒": "second", "小时": rows.Hour, "天": rows.Day}[s[m[2]:m[3]]]
	*from, *to = m[0], m[1]
	return n.sameUnit()
}

func (n *Near) sameUnit() bool { return n.Same != "" }

// span reads how far apart.
func (n *Near) span(count, unit string) bool {
	if unit == "分" {
		unit = "分钟"
	}
	k, ok := number(count)
	d, err := time.ParseDuration(duration(k, unit))
	n.Within = d
	return ok && err == nil
}

// behind gives the words that follow a relation up to a comma, and all others.
func behind(text string, from, to int) (of, rest string) {
	end := len(text)
	if i := strings.IndexAny(text[to:], ",?!"); i >= 0 && strings.TrimSpace(text[:from]) == "" {
		end = to + i
	}
	return text[to:end], text[:from] + " " + text[end:]
}

// ahead gives the words that stand before a Chinese relation, from the word that opens them, and
// all others.
func ahead(text string, from, to int, known []string) (of, rest string) {
	ms := mentions(text[:from], known)
	begin := 0
	if len(ms) > 0 {
		if begin = ms[len(ms)-1].from; len(ms) == 1 && strings.Contains(text[to:], ".") {
			begin = 0
		}
	}
	return strings.TrimSpace(text[begin:from]), otherZH.ReplaceAllString(text[:begin], "") + " " + text[to:]
}
