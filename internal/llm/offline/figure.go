package offline

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

var (
	figureLead = pattern.New(`^\s*(?:what (?:is|was|were|are) )?(?:the )?$`)
	figureTail = pattern.New(`^\s*(?:in|of|for|from|on|between|before|after|since|during)\b`)
)

// figureAsked tells "revenue in March" and 二月份的金额: a column of amounts over some rows, and no
// verb that would list them.
func (b *binding) figureAsked() bool {
	if b.q.Fn != "" || b.q.N > 0 || len(b.where) == 0 && b.span == "" {
		return false
	}
	return slices.ContainsFunc(b.named, func(m named) bool {
		if m.to == 0 || m.col.kind != "number" || m.col.isID() || m.col.rate() || b.filtered(m.col.name) {
			return false
		}
		before, after := b.q.Text[:m.from], b.q.Text[m.to:]
		return figureLead.MatchString(before) && figureTail.MatchString(after) || strings.HasSuffix(before, "的") && strings.Trim(after, " ?？。.") == "" && !listing.MatchString(b.q.Text)
	})
}

var howMuchIs = pattern.New(`^(?:一共|总共)?(?:是|为|有)多少|^了?(?:一共|总共|共)?多少个?(?:小时|分钟|秒|天|元|块|公斤|吨)`)

// soldAsked tells 牛奶一共卖了多少, which wants the pieces and not the rows.
func (b *binding) soldAsked() bool {
	return b.piecesColumn() != nil && (soldWords.MatchString(b.q.Text) || b.piecesOfValue())
}

var soldWords = pattern.New(`(?:卖(?:出去?|掉)?|售出|买|订|进|领)了?(?:多少|几)(?:$|[^笔单次钱元种类款天])|还有多少$|剩(?:下|余)?(?:多少|几)(?:$|[^钱元种类款天])`)

var (
	soldHan     = pattern.New(`(?:卖(?:出去?|掉)?|售出)了?多少\s*$`)
	takingsName = pattern.New(`(?:金|总|销售|营业|成交)额$|营收$|收入$`)
)

// takings is the column of what was taken in where 卖了多少 asks for money: of a table that counts no pieces.
func (b *binding) takings() *column {
	if c := b.money(); c != nil && b.piecesColumn() == nil && len(b.groupColumns()) == 0 && takingsName.MatchString(c.name) && soldHan.MatchString(b.q.Text) {
		return c
	}
	return nil
}

// piecesOfValue tells "how many mugs were sold" where mugs are a value of a column and not what its rows are called.
func (b *binding) piecesOfValue() bool {
	m := soldThing.FindStringSubmatchIndex(b.q.Text)
	if m == nil {
		return false
	}
	thing := b.q.Text[m[2]:]
	return slices.ContainsFunc(b.where, func(w string) bool {
		name, value, ok := strings.Cut(w, " = ")
		value = strings.ToLower(strings.Trim(value, `"`))
		c := b.column(strings.Trim(name, `"`))
		if !ok || c == nil || c.kind != "text" || c.name == b.statusColumn() || !strings.HasPrefix(thing, singular(value)) {
			return false
		}
		rest := nextWord.FindString(thing[nextWordEnd(thing, len(singular(value))):])
		return !b.rowNoun(strings.TrimSpace(rest))
	})
}

// nextWordEnd is where a word ends that has at least so many bytes.
func nextWordEnd(s string, from int) int {
	for from < len(s) && isWordRune(s[from]) {
		from++
	}
	return from
}

// soldThing is what pieces are asked of that were sold, or are there.
var soldThing = pattern.New(`\bhow many ([a-z0-9].*?)\b(?:sold|sell|sells|bought|buy|purchased|in stock|left|remaining|do we (?:still )?have|have we got)\b`)

// countsPieces tells "how many units did Spain buy" of a table that has a column of them.
func (b *binding) countsPieces() bool {
	return slices.ContainsFunc(b.named, func(m named) bool {
		return m.to > 0 && m.col.kind == "number" && !m.col.isID() && !m.col.rate() && m.col.name != rows.DurationField && !b.filtered(m.col.name) && m.col.name != b.statusColumn() && (piecesBefore.MatchString(b.q.Text[:m.from]) || b.piecesOfKind(m) || b.piecesOfUnit(m))
	})
}

// piecesOfUnit tells "how many days was Vic absent" of a column of absences.
func (b *binding) piecesOfUnit(m named) bool {
	at := unitAsked.FindStringSubmatchIndex(b.q.Text[:m.from])
	return at != nil && !b.used(at[2], at[3])
}

var unitAsked = pattern.New(`\bhow many (days|hours|minutes|times|points)\b[^,.?!]*$`)

// piecesOfKind tells "how many sick days": between the words of asking and the column stands a value of another one.
func (b *binding) piecesOfKind(m named) bool {
	at := kindBefore.FindStringSubmatchIndex(b.q.Text[:m.from])
	return at != nil && b.used(at[2], at[3]) && slices.ContainsFunc(b.where, func(w string) bool {
		return strings.Contains(w, " = ") && strings.Contains(strings.ToLower(w), `"`+b.q.Text[at[2]:at[3]]+`"`)
	})
}

var kindBefore = pattern.New(`\bhow many ([a-z-]+)\s+$`)

var piecesBefore = pattern.New(`(?:\bhow many|(?:多少|几)[个件台把本支瓶箱袋盒包]?)\s*(?:\p{Han}{1,4}\s*[（(]\s*)?$`)

// quantity is the column of how many pieces.
func (b *binding) quantity() *column {
	for i := range b.cols {
		if c := &b.cols[i]; c.kind == "number" && sameThing(strings.Join(nameWords(c.name), " "), "quantity") {
			return c
		}
	}
	return nil
}

// sumAsked tells 一月份的销售额是多少, which wants the sum of a column, unless it is a rate.
func (b *binding) sumAsked(rate bool) bool {
	return (b.q.Fn == "" || b.q.Fn == "sum" && !rate) && slices.ContainsFunc(b.named, func(m named) bool {
		return m.to > 0 && m.col.kind == "number" && !m.col.isID() && m.col.rate() == rate && !b.filtered(m.col.name) && howMuchIs.MatchString(b.q.Text[m.to:])
	})
}

// figure asks for one aggregate of a column.
func (s *session) figure(b *binding, fn string, c *column) (*finding, error) {
	b.plays = append(b.plays, c.name)
	args := b.args()
	name := fn + "(" + c.name + ")"
	args.Aggregate = name + ",count(" + c.name + "),count"
	if fn == "avg" {
		args.Aggregate += ",sum(" + c.name + ")"
	}
	t, err := s.extract(args)
	if err != nil {
		return nil, err
	}
	return &finding{
		Kind: "figure", Fn: fn, Column: c.name, Value: t.cell(0, name), Count: atoi(t.cell(0, counted(fn, c))), Sum: t.cell(0, "sum("+c.name+")"),
		First: t.cell(0, "first_source"), Last: t.cell(0, "last_source"), Notes: t.notes,
	}, nil
}

// counted names how many rows a figure is over: those with a value, or, for different values, all.
func counted(fn string, c *column) string {
	if fn == "distinct" {
		return "count"
	}
	return "count(" + c.name + ")"
}

// aggregate gives a figure of a column over all rows that meet the question, or by group.
func (s *session) aggregate(b *binding) (*finding, error) {
	if b.q.Fn == "sum" && howMany.MatchString(b.q.Text) && !b.countsUnits() && !b.soldAsked() && !b.countsPieces() { // "how many are there in total"
		return s.count(b)
	}
	c := b.measure()
	if c == nil && durationWords(b.q.Text) {
		return b.decline(b.say.of("it has no column of how long something took", "其中没有记录用时的列")), nil
	}
	if c == nil && len(b.unheard) == 0 {
		if c = b.onlyNumber(); b.q.Level != "" && b.q.Fn == "sum" {
			c = nil // what is summed over the rows of a level must be named
		} else if c == nil && (b.q.Fn == "sum" || b.q.Fn == "") {
			c = b.money()
		}
	}
	if c == nil {
		return b.decline(b.say.of("no column of numbers is named that it has", "没有找到所说的数值列")), nil
	}
	if len(b.groupColumns()) > 0 || b.q.Unit != "" {
		return s.top(b)
	}
	if by := b.apart(); by != "" {
		return s.groups(b, []string{by}, c)
	}
	return withMore(append([]*column{c}, b.further(c)...), func(c *column) (*finding, error) {
		switch b.q.Fn {
		case "max", "min":
			return s.extreme(b, c, b.q.Fn == "max", max(b.q.N, 1))
		case "":
			return s.figure(b, "sum", c)
		}
		return s.figure(b, b.q.Fn, c)
	})
}

var apartWords = pattern.New(`\brespectively\b|\beach\b|\band (?:of|for)\b|\bcompar|\bversus\b|\bvs\b|\b(?:higher|lower|more|less)\b|更[高低多少大小]|分别|各是|各有|比较|对比`)

// moreOf asks which of several has more of something.
var moreOf = pattern.New(`\b(?:higher|lower|more|less)\b|更[高低多少大小]`)

// apart is the column of which several values are named that each want a figure of their own; "" if
// one over all of them is wanted.
func (b *binding) apart() string {
	if !apartWords.MatchString(b.q.Text) {
		return ""
	}
	for _, w := range b.where {
		if name, _, ok := strings.Cut(w, " in ("); ok && name != rows.LevelField && b.column(name) != nil {
			return name
		}
	}
	return ""
}

var howMany = pattern.New(`\bhow many\b|多少(?:个|条|笔|行|名|位|人|次|种|家|台|件|单)`)

// withMore puts the findings of several columns behind that of the first.
func withMore(cs []*column, find func(*column) (*finding, error)) (*finding, error) {
	var all *finding
	var errs []error
	for _, c := range cs {
		f, err := find(c)
		errs = append(errs, err)
		switch {
		case err != nil:
		case all == nil:
			all = f
		default:
			all.More = append(all.More, f)
		}
	}
	return all, first(errs...)
}

// extreme gives the rows with the largest or smallest values of a column.
func (s *session) extreme(b *binding, c *column, desc bool, count int) (*finding, error) {
	b.plays = append(b.plays, c.name)
	if b.q.Gap {
		count = max(count, 2)
	}
	args := b.args()
	args.Order, args.Limit = c.name+" asc", count
	if count == 1 {
		args.Limit = maxLevel + 1
	}
	if c.reckoned() {
		args.Columns = b.columnsWith(c.name)
	}
	if desc {
		args.Order = c.name + " desc"
	}
	t, err := s.extract(args)
	if err != nil {
		return nil, err
	}
	f := readRows(t)
	f.Count, f.Column, f.Asc, f.N, f.Gap = t.matched(), c.name, !desc, count, b.q.Gap
	f.Notes, f.Fn = t.notes, map[bool]string{true: "max", false: "min"}[desc]
	if len(t.rows) > 0 {
		f.Value = t.cell(0, c.name)
	}
	if count == 1 {
		return f, s.keepLevel(b, f, t, c)
	}
	return f, nil
}

// maxLevel is how many rows are shown that share the largest or the smallest value.
const maxLevel = 10

// keepLevel leaves of the rows with the largest or smallest values those that share the first one's.
func (s *session) keepLevel(b *binding, f *finding, t *table, c *column) error {
	f.Level = 0
	for f.Level < len(t.rows) && t.cell(f.Level, c.name) == f.Value {
		f.Level++
	}
	f.Rows = f.Rows[:min(f.Level, maxLevel, len(f.Rows))]
	if f.Level <= maxLevel || c.reckoned() {
		return nil
	}
	args := b.args()
	args.Where, args.Aggregate = strings.Join(append(slices.Clone(b.where), quoteName(c.name)+" = "+quoteValue(f.Value)), " and "), "count"
	all, err := s.extract(args)
	if err != nil {
		return err
	}
	f.Level = max(f.Level, all.matched())
	return nil
}

// columnsWith are the file's columns, as many as are shown, and one that is worked out.
func (b *binding) columnsWith(name string) string {
	var out []string
	for _, c := range b.cols[:min(len(b.cols), 12)] {
		out = append(out, c.name)
	}
	return strings.Join(append(out, name), ",")
}
