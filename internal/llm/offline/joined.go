package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// pair is a table whose rows point at the rows of another by a column that both have: orders at customers.
type pair struct {
	facts, names *binding
	key          string // of facts
	nameKey      string // the same of names
}

// overTwo answers a question that takes the columns of two tables together: "orders per country" where only the
// customers have countries. ok is false where one of them alone can answer, or both together cannot either.
func (s *session) overTwo(q *question.Question, files []string) (out outcome, ok bool, err error) {
	if len(files) != 2 || !s.has("extract") || s.goal.kind != notAPart || q.Versus || slices.ContainsFunc(files, func(f string) bool { return !tableEnds[strings.ToLower(path.Ext(f))] }) {
		return out, false, nil
	}
	switch q.Intent {
	case question.Count, question.Top, question.Aggregate, question.Filter, question.Unknown, question.Compare, question.Fields:
	default:
		return out, false, nil
	}
	a, err1 := s.bind(q, files[0])
	b, err2 := s.bind(q, files[1])
	if err := first(err1, err2); err != nil {
		return out, false, err
	}
	p := pairOf(a, b)
	if p == nil {
		return out, false, nil
	}
	if none := p.lonely(q); none != "" {
		return s.without(p, none)
	}
	if q.Intent == question.Compare || !p.needed() || len(p.facts.nots) > 0 {
		return out, false, nil
	}
	f, err := s.overPair(p)
	if f == nil || err != nil {
		return out, false, err
	}
	f.setFile(p.facts.file+s.say.of(" with ", " 与 ")+p.names.file, p.facts.what())
	return outcome{text: s.say.render(f), findings: []*finding{f}, refused: f.Kind == "none"}, true, nil
}

// pairOf finds the column by which the rows of one table point at those of the other; nil if there is none or
// a choice.
func pairOf(a, b *binding) *pair {
	var out *pair
	for _, x := range []*pair{{facts: a, names: b}, {facts: b, names: a}} {
		for i := range x.names.cols {
			n := &x.names.cols[i]
			if n.kind == "time" || !x.names.oneEach(n.name) || n.filled < x.names.rows || n.distinct < 2 {
				continue
			}
			for j := range x.facts.cols {
				f := &x.facts.cols[j]
				if f.kind != n.kind || x.facts.oneEach(f.name) && out != nil || !samePointer(f, n, x.names.file) {
					continue
				}
				if out != nil && out.facts == x.facts && out.key == f.name {
					continue
				}
				if out == nil || !x.facts.oneEach(f.name) && out.facts.oneEach(out.key) {
					out = &pair{x.facts, x.names, f.name, n.name}
				}
			}
		}
	}
	return out
}

// samePointer tells that a column points at another: it is called the same, or by the thing that the other
// table is of: customer_id and the id of customers.
func samePointer(f, n *column, file string) bool {
	fw, nw := nameWords(f.name), nameWords(n.name)
	if slices.Equal(fw, nw) {
		return f.isID() || n.isID() || f.kind == "text" && f.name != "name" && f.name != "status"
	}
	stem := nameWords(baseName(file))
	last := nw[len(nw)-1]
	return n.isID() && len(nw) == 1 && len(fw) == 2 && fw[0] == stem[len(stem)-1] && fw[1] == last ||
		len(fw) == 1 && fw[0] == stem[len(stem)-1] && (n.isID() || last == "name") ||
		n.isID() && hasHan(n.name) && strings.HasSuffix(f.name, n.name)
}

var noneAtAll = pattern.New(`\b(?:no|without(?: an?y?)?|zero|never|not|n['’]t|lack)\b|没有|没|从未|未|无`)

// deeds are verbs for what the rows of a table are of.
var deeds = map[string]string{"sold": "sale", "sell": "sale", "ordered": "order", "order": "order", "visited": "visit", "bought": "purchase", "purchased": "purchase", "paid": "payment", "delivered": "delivery", "rented": "rental", "borrowed": "loan", "booked": "booking", "shipped": "shipment", "reviewed": "review", "rated": "rating", "attended": "attendance", "invoiced": "invoice", "logged": "log"}

// lonely gives what is asked for that no row of the other table points at: "devices without a ticket"; "" if
// nothing is.
func (p *pair) lonely(q *question.Question) string {
	at := noneAtAll.FindStringIndex(q.Text)
	if at == nil || len(p.names.where)+len(p.facts.where) > 0 && !slices.ContainsFunc(p.facts.where, emptyOnly) {
		return ""
	}
	thing, other := nameWords(baseName(p.names.file)), nameWords(baseName(p.facts.file))
	head, tail := q.Text[:at[0]], q.Text[at[1]:]
	mention := func(text string, stem []string) bool {
		for _, w := range latinWord.FindAllString(text, -1) {
			if verb := deeds[w]; verb != "" && slices.Contains(stem, verb) {
				return true
			}
			if slices.Contains(stem, singular(w)) || sameThing(singular(w), stem[len(stem)-1]) {
				return true
			}
		}
		return slices.ContainsFunc(stem, func(w string) bool {
			return hasHan(w) && (strings.Contains(text, w) || strings.Contains(text, strings.TrimSuffix(w, "表")))
		})
	}
	if mention(head, thing) && mention(tail, other) {
		return p.nameKey
	}
	return ""
}

// emptyOnly is a condition that a column is empty, which "no ticket" may have been read as.
func emptyOnly(w string) bool { return strings.Contains(w, ` in ("", "-")`) }

// without lists the rows of a table that none of the other points at.
func (s *session) without(p *pair, key string) (out outcome, ok bool, err error) {
	all, err1 := s.valuesOf(p.names.file, key)
	has, err2 := s.valuesOf(p.facts.file, p.key)
	if err := first(err1, err2); err != nil {
		return out, false, err
	}
	in := map[string]bool{}
	for i := range has.rows {
		in[strings.ToLower(has.cell(i, p.key))] = true
	}
	var lacking []string
	for i := range all.rows {
		if v := all.cell(i, key); v != "" && !in[strings.ToLower(v)] {
			lacking = append(lacking, quoteValue(v))
		}
	}
	f := &finding{Kind: "rows", Complete: true}
	if len(lacking) > 0 {
		t, err := s.extract(extract{Path: p.names.file, Where: quoteName(key) + " in (" + strings.Join(lacking, ", ") + ")", Limit: 50})
		if err != nil {
			return out, false, err
		}
		f = readRows(t)
	}
	f.setFile(p.names.file, s.say.f("not in %s", "不在 %s 中", p.facts.file))
	return outcome{text: s.say.render(f), findings: []*finding{f}}, true, nil
}

// needed tells that neither table alone knows all that the words name, and that both together do.
func (p *pair) needed() bool {
	lost := func(x, y *binding) []string {
		return slices.DeleteFunc(slices.Clone(x.unheard), func(w string) bool {
			return !slices.Contains(y.unheard, w) || slices.Contains(nameWords(baseName(x.file)), singular(w)) || slices.Contains(nameWords(baseName(y.file)), singular(w))
		})
	}
	switch {
	case len(lost(p.facts, p.names)) > 0:
		return false
	case len(p.names.groupColumns()) == 0 && len(p.names.where) == 0 && p.lookup() == nil:
		return false
	}
	return p.lookup() != nil || len(p.ownWhere()) > 0
}

// lookup is the column of the named rows that the others are grouped by.
func (p *pair) lookup() *column {
	if p.facts.q.Unit != "" {
		return nil
	}
	if by := p.facts.groupColumns(); len(by) == 1 && by[0] == p.key {
		return p.names.called() // each by its name, not by its number
	}
	if len(p.facts.groupColumns()) == 0 && whoWords.MatchString(p.facts.q.Text) && (p.facts.q.Desc || p.facts.q.Asc) && p.facts.person() == nil {
		return p.names.called()
	}
	for _, m := range p.names.named {
		if m.role == groupRole && p.facts.column(m.col.name) == nil && m.col.name != p.nameKey {
			return m.col
		}
	}
	return nil
}

// called is the column of the names by which people know what a table is of; nil if its key is that.
func (b *binding) called() *column {
	for i := range b.cols {
		c := &b.cols[i]
		if w := nameWords(c.name); c.kind == "text" && b.oneEach(c.name) && (w[len(w)-1] == "name" || w[len(w)-1] == "title" || strings.HasSuffix(c.name, "名称") || strings.HasSuffix(c.name, "姓名") || c.name == "名字") {
			return c
		}
	}
	return nil
}

// ownWhere are the conditions that only the named rows can meet.
func (p *pair) ownWhere() []string {
	return slices.DeleteFunc(slices.Clone(p.names.where), func(w string) bool {
		return p.names.column(strings.Trim(conditionColumn(w), `"`)) == nil || p.facts.column(strings.Trim(conditionColumn(w), `"`)) != nil || emptyOnly(w)
	})
}

// dropNamed leaves out texts to look for that are a column or a value of the named rows.
func (p *pair) dropNamed() {
	b := p.facts
	for i := len(b.where) - 1; i >= 0; i-- {
		if text, ok := strings.CutPrefix(b.where[i], `any contains "`); ok && !slices.Contains(p.names.where, b.where[i]) &&
			slices.ContainsFunc(p.names.consumed, func(w word) bool { return strings.Contains(w.text, strings.TrimSuffix(text, `"`)) }) {
			b.where, b.said = slices.Delete(b.where, i, i+1), slices.Delete(b.said, i, i+1)
		}
	}
}

// maxKeys is how many rows of the named table one condition may pick.
const maxKeys = 400

// overPair answers over the pointing rows; nil if that needs more than is known here.
func (s *session) overPair(p *pair) (*finding, error) {
	b := p.facts
	b.unheard, b.problem = nil, ""
	p.dropNamed()
	if own := p.ownWhere(); len(own) > 0 {
		t, err := s.extract(extract{Path: p.names.file, Where: strings.Join(own, " and "), GroupBy: p.nameKey, Aggregate: "count", Limit: 1000})
		if err != nil {
			return nil, err
		}
		if t.more || len(t.rows) > maxKeys {
			return nil, nil
		}
		keys := []string{`"\u0000"`}
		for i := range t.rows {
			keys = append(keys, quoteValue(t.cell(i, p.nameKey)))
		}
		b.filter(quoteName(p.key)+" in ("+strings.Join(keys, ", ")+")", p.names.what())
	}
	by := p.lookup()
	if by == nil {
		return s.query(b)
	}
	return s.groupsOver(p, by)
}

// groupsOver groups the pointing rows by a column of those that they point at.
func (s *session) groupsOver(p *pair, by *column) (*finding, error) {
	b, m := p.facts, p.facts.measure()
	fn := b.q.Fn
	if m == nil && fn != "" && fn != "sum" && fn != "distinct" || m == nil && p.names.measure() != nil && fn != "" {
		return nil, nil
	}
	figures := "count"
	switch {
	case m == nil:
	case fn == "avg" || fn == "" && m.rate():
		fn, figures = "avg", "sum("+m.name+"),count("+m.name+"),count"
	case fn == "sum" || fn == "":
		fn, figures = "sum", "sum("+m.name+"),count("+m.name+"),count"
	default:
		return nil, nil // others do not come from those of parts
	}
	names, err1 := s.extract(extract{Path: p.names.file, Columns: p.nameKey + "," + by.name, Limit: 1000})
	args := b.args()
	args.GroupBy, args.Aggregate, args.Limit = p.key, figures, 1000
	t, err2 := s.extract(args)
	if err := first(err1, err2); err != nil {
		return nil, err
	}
	if names.more || t.more {
		return nil, nil
	}
	of := map[string]string{}
	for i := range names.rows {
		of[strings.ToLower(names.cell(i, p.nameKey))] = names.cell(i, by.name)
	}
	f := &finding{Kind: "groups", By: by.name, Complete: true, Asc: b.q.Asc, N: max(b.q.N, b.one()), Gap: b.q.Gap, Count: t.matched()}
	if m != nil {
		f.Fn, f.Column = fn, m.name
	}
	f.Groups = regrouped(t, p.key, f, of)
	f.Total = len(f.Groups)
	if b.having != nil {
		f.keep(b)
	}
	return f, nil
}

// regrouped adds up groups by what their keys are called elsewhere.
func regrouped(t *table, key string, f *finding, of map[string]string) []groupLine {
	type sum struct {
		line     groupLine
		total    float64
		values   int
		decimals int
	}
	byName := map[string]*sum{}
	var order []*sum
	for i := range t.rows {
		name := of[strings.ToLower(t.cell(i, key))]
		g := byName[name]
		if g == nil {
			g = &sum{line: groupLine{Key: name, First: t.cell(i, "first_source")}}
			byName[name], order = g, append(order, g)
		}
		g.line.Count += atoi(t.cell(i, "count"))
		g.line.Last = t.cell(i, "last_source")
		v := t.cell(i, "sum("+f.Column+")")
		x, _ := rows.Number(v)
		g.total, g.values, g.decimals = g.total+x, g.values+atoi(t.cell(i, "count("+f.Column+")")), max(g.decimals, rows.Decimals(v))
	}
	value := func(g *sum) float64 {
		switch f.Fn {
		case "":
			return float64(g.line.Count)
		case "avg":
			return g.total / float64(max(g.values, 1))
		}
		return g.total
	}
	sorting.By(order, func(a, b *sum) int {
		less := value(a) > value(b) != f.Asc
		switch {
		case value(a) == value(b):
			return 0
		case less:
			return -1
		}
		return 1
	})
	var out []groupLine
	for _, g := range order {
		g.line.Value = fixed(value(g), g.decimals+2)
		if f.Fn == "sum" {
			g.line.Value = fixed(value(g), g.decimals)
		}
		if f.Fn == "" {
			g.line.Value = n(g.line.Count)
		}
		out = append(out, g.line)
	}
	return out
}
