package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

var (
	rateWord  = pattern.New(`\b([a-z]+) rates?\b|(\p{Han}{2}?)率`)
	ofPart    = pattern.New(`\b(?:percentage|percent|share|proportion|fraction|ratio|part)s? of (?:all |the |our |those )*`)
	ofVerb    = pattern.New(`\b(?:were|are|was|is|have|has|had|got|came|come|comes|did|do|does|took|take|went|go|contain|contains|cost|costs|exceeds?|exceeded|need|needs|use|uses|used|ended|returned|failed|succeeded|finished)\b`)
	withinHan = pattern.New(`(?:之中|当中|中|里)(?:的|有|，|,|多少|\p{Han})`)
	partHan   = pattern.New(`占`)
)

// rateForms are the values by which rows say what a rate is of.
var rateForms = map[string]string{
	"success": "success,successful,succeeded,ok,passed", "failure": "failed,failure,fail,error", "error": "error,failed,err", "pass": "passed,pass", "fail": "failed,fail",
	"return": "returned,return", "cancellation": "cancelled,canceled", "approval": "approved", "rejection": "rejected", "completion": "completed,complete,done", "refund": "refunded,refund",
	"acceptance": "accepted", "delivery": "delivered", "conversion": "converted", "attendance": "present,attended", "response": "responded", "renewal": "renewed", "win": "won,win", "no-show": "no-show",
	"成功": "成功,success", "失败": "失败,failed,fail", "错误": "错误,error", "通过": "通过,passed,合格", "合格": "合格,通过", "退货": "退货", "退款": "退款", "取消": "取消", "完成": "完成,done", "签到": "签到", "出勤": "出勤,到岗", "到课": "到课",
}

// formsOf are the values that a rate is of, the likelier first.
func formsOf(word string) []string {
	var out []string
	if forms := rateForms[word]; forms != "" {
		out = strings.Split(forms, ",")
	}
	if hasHan(word) {
		return append(out, word, "已"+word)
	}
	return append(out, word, word+"ed", word+"d")
}

// bindRates reads a rate that no column holds as the share of the rows that say so.
func (b *binding) bindRates() {
	m := rateWord.FindStringSubmatchIndex(b.q.Text)
	if m == nil || slices.ContainsFunc(b.named, func(x named) bool { return x.from < m[1] && x.to >= m[1] }) {
		return // a column holds it
	}
	from := max(m[2], m[4])
	name, st := b.q.Text[from:max(m[3], m[5])], b.statusColumn()
	cond, before := b.saidSo(name, from), len(b.where)
	switch {
	case cond != "":
	case st != "" && successWord.MatchString(name):
		b.filter(quoteName(st)+" < 400", b.say.f("%s below 400", "%s 小于 400", st))
		cond = b.lastOf(before)
	case st != "" && b.q.Level == "" && failedWord.MatchString(name):
		b.filter(quoteName(st)+" >= 500", b.say.f("%s of 500 or above", "%s 不小于 500", st))
		cond = b.lastOf(before)
	case !b.q.Share || b.q.Level == "" || b.column(rows.LevelField) == nil && st == "":
		return
	}
	b.named = slices.DeleteFunc(b.named, func(x named) bool { return x.from < m[1] && x.to > m[0] })
	q := *b.q
	if q.Share = true; len(b.groupColumns()) > 0 || q.Unit != "" {
		q.Intent = question.Top
	} else if q.Intent != question.Top || !q.Desc && !q.Asc {
		q.Intent = question.Count
	}
	if cond != "" {
		q.Level, q.Above = "", false
	}
	b.q, b.outcome, b.rated = &q, cond, true
	b.use(word{b.q.Text[m[0]:m[1]], m[0], m[1]})
}

// saidSo filters by the flag or the value that says what a rate is of, and gives the condition; "" if nothing does.
func (b *binding) saidSo(name string, at int) string {
	before := len(b.where)
	for _, form := range formsOf(name) {
		for i := range b.cols {
			c := &b.cols[i]
			if no := noOf(c); no != "" && isOpposite(form, strings.ToLower(c.name)) {
				b.equal(c.name, no, at)
				return b.lastOf(before)
			}
			if yes := yesOf(c); yes != "" && slices.Contains(append(stems(form), form), strings.ToLower(c.name)) {
				b.equal(c.name, yes, at)
				return b.lastOf(before)
			}
		}
		if f := b.found[form]; len(f.equal) > 0 && b.ofValues(f) && b.pickColumn(f) != rows.LevelField {
			b.equal(b.pickColumn(f), form, at)
			return b.lastOf(before)
		}
	}
	return ""
}

func (b *binding) lastOf(before int) string {
	if len(b.where) == before {
		return ""
	}
	return b.where[len(b.where)-1]
}

// outcomeAt is the condition that a rate is of, among those that also say over which rows it is; -1 if that is
// not clear.
func (b *binding) outcomeAt() int {
	if b.outcome != "" {
		return slices.Index(b.where, b.outcome)
	}
	if len(b.where) == 1 {
		return 0
	}
	if rateOf.MatchString(b.q.Text) {
		st := quoteName(b.statusColumn()) + " "
		return slices.IndexFunc(b.where, func(w string) bool {
			return strings.HasPrefix(w, rows.LevelField+" ") || st != " " && strings.HasPrefix(w, st)
		})
	}
	return -1
}

// wholeOf gives the rows that a share is a part of: those that meet what the words say the share is of, and all
// if they say nothing. It is not clear of what, where several conditions hold and the words do not tell.
func (s *session) wholeOf(b *binding) (int, error) {
	if !b.q.Share {
		return 0, nil
	}
	base, ok := b.baseOf()
	if !ok {
		b.problem = b.say.of("it is not clear what the share is to be a part of", "不清楚这个比例是相对于什么而言")
		return 0, nil
	}
	if len(base) == 0 && b.span == "" {
		return b.rows, nil
	}
	args := b.args()
	args.Where, args.Aggregate = strings.Join(base, " and "), "count"
	t, err := s.extract(args)
	if err != nil {
		return 0, err
	}
	return t.matched(), nil
}

// baseOf are the conditions of the rows that a share is a part of.
func (b *binding) baseOf() (base []string, ok bool) {
	if at := slices.IndexFunc(b.where, func(w string) bool { return strings.HasPrefix(w, rows.LevelField+" ") }); at >= 0 && len(b.where) > 1 && shareOfLevel.MatchString(b.q.Text) {
		return b.where[at : at+1], true
	}
	if at := b.outcomeAt(); at >= 0 {
		return slices.Delete(slices.Clone(b.where), at, at+1), true
	}
	if len(b.where) < 2 {
		return nil, true
	}
	from, pivot, turned := b.pivot()
	if pivot < 0 {
		return nil, false
	}
	for _, w := range b.where {
		at, known := b.places[w]
		if !known || at < from && !turned {
			return nil, false
		}
		if at < pivot != turned {
			base = append(base, w)
		}
	}
	return base, len(base) < len(b.where)
}

// pivot is where a question for a share goes over from what it is a part of to the part: behind it, or, turned, before.
func (b *binding) pivot() (from, at int, turned bool) {
	if of := ofPart.FindStringIndex(b.q.Text); of != nil {
		if verb := ofVerb.FindStringIndex(b.q.Text[of[1]:]); verb != nil {
			return of[1], of[1] + verb[0], false
		}
		last := -1 // what is said of them comes last
		for _, w := range b.where {
			last = max(last, b.places[w])
		}
		return of[1], last, false
	}
	if in := partHan.FindStringIndex(b.q.Text); in != nil {
		if head := withinHan.FindStringIndex(b.q.Text[:in[0]]); head != nil {
			return 0, head[0], false
		}
		return 0, in[0], true
	}
	if in := withinHan.FindStringIndex(b.q.Text); in != nil {
		return 0, in[0], false
	}
	return 0, -1, false
}

// asksRates tells that a share is wanted of the rows of each group, not of each group in all.
func (b *binding) asksRates() bool {
	if !b.q.Share || len(b.where) == 0 {
		return false
	}
	return b.rated || rateOf.MatchString(b.q.Text) || ofPart.MatchString(b.q.Text) && ofVerb.MatchString(b.q.Text)
}

// rates gives the share of the rows of each group that meet a condition.
func (s *session) rates(b *binding, by []string) (*finding, error) {
	at := b.outcomeAt()
	if at < 0 {
		return b.decline(b.say.of("it is not clear what the share is to be a part of", "不清楚这个比例是相对于什么而言")), nil
	}
	some := b.args()
	some.GroupBy, some.Aggregate, some.Limit = strings.Join(by, ","), "count", 1000
	all := some
	all.Where = strings.Join(slices.Delete(slices.Clone(b.where), at, at+1), " and ")
	part, err1 := s.extract(some)
	whole, err2 := s.extract(all)
	if err := first(err1, err2); err != nil {
		return nil, err
	}
	if whole.more || part.more {
		return b.decline(b.say.of("there are more groups than can be compared here", "分组过多，无法比较")), nil
	}
	b.plays = append(b.plays, by...)
	counts := map[string]int{}
	for _, g := range readGroups(part, some.GroupBy, "count") {
		counts[g.Key] = g.Count
	}
	f := &finding{Kind: "groups", Fn: "rate", By: some.GroupBy, Complete: true, Total: whole.total, Count: whole.matched(), Asc: b.q.Asc, N: max(b.q.N, b.one()), Gap: b.q.Gap}
	for _, g := range readGroups(whole, some.GroupBy, "count") {
		if g.Key == "" {
			f.Total--
			continue
		}
		g.Value = fmt.Sprintf("%.1f %%", 100*float64(counts[g.Key])/float64(max(g.Count, 1)))
		g.Files = b.say.f("%s of %s rows", "%[2]s 行中的 %[1]s 行", n(counts[g.Key]), n(g.Count))
		f.Groups = append(f.Groups, g)
	}
	if b.q.Unit == "" || b.q.Desc || b.q.Asc {
		sorting.By(f.Groups, func(x, y groupLine) int {
			d := counts[y.Key]*x.Count - counts[x.Key]*y.Count
			if b.q.Asc {
				d = -d
			}
			return d
		})
	}
	if b.having != nil {
		f.keep(b)
	}
	return f, nil
}
