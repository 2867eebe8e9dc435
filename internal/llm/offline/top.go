package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// wideGroups is how many groups are asked for even if few are shown: several files can be joined
// only if all of their groups are known.
const wideGroups = 200

// shownGroups is how many groups are listed when no number was asked for.
const shownGroups = 20

// shownRows is how many rows are listed when no number was asked for, shownAll when all of them were.
const (
	shownRows = 20
	shownAll  = 100
)

// top answers what is by group, or ordered: "errors per hour", "top 5 products by sales",
// "which region has the most orders", "slowest requests".
func (s *session) top(b *binding) (*finding, error) {
	if c := b.sortColumn(); c != nil {
		return s.extreme(b, c, b.q.Desc, cmp.Or(b.q.N, 20))
	}
	by := b.groupColumns()
	if b.q.Unit != "" {
		if _, _, ok := b.timeRange(); !ok {
			return b.decline(b.say.of("its rows carry no time", "其中的行没有时间")), nil
		}
		unit := string(b.q.Unit)
		if c := b.namedTime(); c != nil {
			unit += "(" + c.name + ")"
			b.where, b.said = append(b.where, quoteName(c.name)+` != ""`), append(b.said, "")
		}
		by = append([]string{unit}, slices.DeleteFunc(by, func(n string) bool { c := b.column(n); return c != nil && c.kind == "time" })...)
	}
	if len(by) == 0 && b.q.Fn != "" && len(b.q.Levels) > 0 && b.column(rows.LevelField) != nil && b.q.Unit == "" {
		by = []string{rows.LevelField} // "for errors vs. warnings"
	}
	if b.q.Share && len(by) == 0 && len(b.where) == 1 {
		if name, _, ok := strings.Cut(b.where[0], " in ("); ok && b.column(name) != nil {
			by, b.where, b.said = []string{name}, nil, nil // the share of each value
		}
	}
	m := b.measure()
	if m == nil && len(by) > 0 && b.q.Fn == "" && kindsRanked.MatchString(b.q.Text) {
		return b.decline(b.say.of("how many kinds each has is not reckoned, and its rows are no kinds", "不统计每组有多少种，而行数不等于种数")), nil
	}
	if len(by) == 0 && b.q.Fn == "distinct" && b.having == nil && len(b.where) > 0 && countsRows.MatchString(b.q.Text) && b.countedColumn() != nil {
		return s.count(b)
	}
	if len(by) == 0 && m == nil && b.having == nil && b.countsByValue() {
		return s.count(b)
	}
	if m == nil && b.having == nil && b.q.Fn != "" && b.q.Fn != "sum" && b.q.Fn != "distinct" {
		return b.decline(b.say.f("no column of numbers is named for the %s", "没有找到可求%s的数值列", b.say.fnName(b.q.Fn))), nil
	}
	if m == nil && len(by) > 0 && b.having == nil && b.q.Fn == "sum" && bareTotal.MatchString(b.q.Text) {
		m = b.money()
	}
	if m != nil && b.q.Fn == "avg" && b.perRow() && (len(by) == 0 || len(by) == 1 && b.oneEach(by[0])) {
		return s.figure(b, "avg", m)
	}
	if m == nil && b.having == nil && runsRanked(b.q.Text) {
		return b.decline(b.say.of("it has no column of how long something took", "其中没有记录用时的列")), nil
	}
	if b.q.Rows && b.having == nil && b.q.Unit == "" {
		if m == nil {
			m = b.sized()
		}
		if m != nil {
			return s.extreme(b, m, !b.q.Asc, cmp.Or(b.q.N, 1))
		}
	}
	if len(by) == 0 && m != nil && b.q.N > 1 && b.q.Fn == "" && b.q.Unit == "" && b.having == nil && b.sizeBefore(m) {
		return s.extreme(b, m, !b.q.Asc, b.q.N) // "the three biggest tips with the waiter"
	}
	if len(by) == 0 {
		by = b.impliedGroup(m)
	}
	if b.having != nil && len(by) > 0 {
		return s.groups(b, by, m)
	}
	if m != nil && len(by) > 0 && b.q.Fn != "" {
		if more := b.further(m); len(more) > 0 {
			return withMore(append([]*column{m}, more...), func(c *column) (*finding, error) { return s.groups(b, by, c) })
		}
	}
	if m != nil && b.q.Fn == "" && len(by) > 0 && m.rate() && (b.q.Desc || b.q.Asc) && eachOf.MatchString(b.q.Text) {
		q := *b.q // the highest of each
		q.Fn, b.q = map[bool]string{true: "min", false: "max"}[b.q.Asc], &q
	}
	if m != nil && b.q.Fn == "" && b.ofTeams(by, m) {
		q := *b.q
		q.Fn, b.q = "avg", &q
	}
	if m != nil && b.q.Fn == "" && b.rowsNotGroups(by, m) {
		return s.extreme(b, m, !b.q.Asc, cmp.Or(b.q.N, b.one(), 10))
	}
	if m == nil && len(by) == 1 && by[0] != rows.MessageField && b.oneEach(by[0]) && (b.q.Desc || b.q.Asc) {
		return b.decline(b.say.of("it is not clear what to group or order by", "不清楚按什么分组或排序")), nil
	}
	if len(by) == 0 {
		if c := b.sized(); c != nil {
			return s.extreme(b, c, !b.q.Asc, cmp.Or(b.q.N, b.one(), 10))
		}
		return b.decline(b.say.of("it is not clear what to group or order by", "不清楚按什么分组或排序")), nil
	}
	return s.groups(b, by, m)
}

// kindsRanked ranks groups by how many different things they have.
var kindsRanked = pattern.New(`种类最[多少]|\b(?:most|fewest) (?:different|distinct|kinds|types)\b`)

var sizeEnd = pattern.New(`\b(?:largest|smallest|biggest|longest|shortest|highest|lowest|heaviest|best|worst)(?: single)?\s+$`)

// sizeBefore tells that a superlative stands right before a column's name.
func (b *binding) sizeBefore(c *column) bool {
	return slices.ContainsFunc(b.named, func(m named) bool { return m.col == c && m.to > 0 && sizeEnd.MatchString(b.q.Text[:m.from]) })
}

var perNoun = pattern.New(`\b(?:per|each|every) ([a-z]+)\b|每(?:个|笔|条|次|行|单|名|位)(\p{Han}{1,4})`)

// perRow tells "average units per order" where each row is an order.
func (b *binding) perRow() bool {
	m := perNoun.FindStringSubmatch(b.q.Text)
	if m == nil || m[2] == "" {
		return m != nil && b.rowNoun(m[1])
	}
	stem := strings.ToLower(baseName(b.file))
	return hasHan(stem) && (strings.HasPrefix(m[2], stem) || strings.HasPrefix(m[2], strings.TrimRight(stem, "表单录数据")))
}

// oneEach tells that each row has its own value of a column.
func (b *binding) oneEach(name string) bool {
	c := b.column(name)
	return c != nil && c.distinct == c.filled && !c.over
}

var (
	eachOf = pattern.New(`\b(?:each|every|per)\b|每|各`)
	rateOf = pattern.New(`\b(?:error|failure|success) rate\b|错误率|失败率|成功率`)
)

// sortColumn is the column that the rows are to be sorted by, if the words say so.
func (b *binding) sortColumn() *column {
	if !b.q.Sort {
		return nil
	}
	if b.q.ByTime && !(agedWord.MatchString(b.q.Text) && b.people("people")) { // the oldest people are not those who came first
		return b.column(b.stampColumn())
	}
	for _, m := range b.named {
		if m.role == groupRole {
			return m.col
		}
	}
	for _, m := range b.named {
		if !b.filtered(m.col.name) {
			return m.col
		}
	}
	return nil
}

var agedWord = pattern.New(`\boldest\b`)

var (
	sizeWord  = pattern.New(`\b(?:highest|largest|biggest|lowest|smallest)\b|最(?:高|大|低|小)`)
	priceWord = pattern.New(`\b(?:cheapest|priciest|most expensive|dearest)\b|最(?:贵|便宜)`)
)

// sized is the column of numbers that "the largest" is about when none is named: the only one, or
// that of amounts. Words that the file does not know may have named another.
func (b *binding) sized() *column {
	switch {
	case len(b.unheard) > 0 || !sizeWord.MatchString(b.q.Text) && !priceWord.MatchString(b.q.Text):
		return nil
	case b.onlyNumber() != nil:
		return b.onlyNumber()
	}
	for i := range b.cols {
		if c := &b.cols[i]; priceWord.MatchString(b.q.Text) && c.kind == "number" && sameThing(strings.Join(nameWords(c.name), " "), "price") {
			return c
		}
	}
	return b.money()
}

// one is 1 if the question asks for a single thing.
func (b *binding) one() int {
	if (b.q.Desc || b.q.Asc) && !b.q.Group && single.MatchString(b.q.Text) && !several.MatchString(b.q.Text) {
		return 1
	}
	return 0
}

// several tells a question for more than one thing.
var several = pattern.New(`\b(?:are|were|ones)\b|\b(?:which|what) (?:minutes|hours|days|months|years)\b|哪(?:些|几)|几(?:个|条|行|次|笔|项)`)

var single = pattern.New(`\bhow (?:long|much|big|large|high|low)\b|\b(?:which|what|who)(?:\s+(?:is|was|are|were|single|the|one|had|has|took))*\b|哪(?:个|一个|一|条|位|种|天|笔|项|家)|谁|什么|是多少`)

// groupColumns are the columns named after by, per, each, which. A number column after "by" orders
// instead, unless it names things.
func (b *binding) groupColumns() []string {
	var out []string
	for _, m := range b.named {
		if m.role != groupRole || slices.Contains(out, m.col.name) || b.filtered(m.col.name) && m.col.distinct < 2 {
			continue
		}
		ranked := (b.q.Level != "" || mostRows.MatchString(b.q.Text[m.to:])) && b.q.Fn == "" && whichBefore.MatchString(b.q.Text[:m.from]) // "which job failed most"
		if m.col.kind == "number" && !b.categorical(m.col) && b.q.Desc && !ranked {
			continue
		}
		out = append(out, m.col.name)
	}
	if b.having != nil && len(out) == 0 {
		for _, m := range b.named {
			if m.col.kind != "number" && !b.filtered(m.col.name) && m.to > 0 {
				out = append(out, m.col.name)
			}
		}
	}
	if b.q.Level == "" && len(out) == 0 && levelGroup.MatchString(b.q.Text) && b.column(rows.LevelField) != nil {
		out = append(out, rows.LevelField)
	}
	return out
}

// mostRows asks for the most rows, whatever number names them.
var mostRows = pattern.New(`^\s*(?:has|have|had|made|got|sent|saw|logs?|logged|appears?|appeared|shows?|showed)?\s*(?:up )?(?:the )?(?:most|fewest|least) (?:lines?|rows?|records?|entries|requests?|events?|messages?|often)\b`)

var whichBefore = pattern.New(`(?:\b(?:which|what)|哪(?:个|一个)?)\s*$`)

var levelGroup = pattern.New(`\b(?:per|by|each) (?:log )?level\b|\b(?:per|by) severity\b|(?:按|每个?|各)(?:日志)?(?:级别|等级)`)

// categorical tells a number column whose values are names of kinds: statuses, years, few values.
func (b *binding) categorical(c *column) bool {
	return b.statusColumn() == c.name || c.isID() || c.distinct <= 12 && !c.over && c.filled > 3*c.distinct
}

var whichOf = pattern.New(`\bwhich\b|\bcompare\b|哪(?:个|一个|边)|谁|比较|对比`)

var messageNouns = pattern.New(`\b(?:messages?|errors?|warnings?|exceptions?|failures?|events?|texts?|reasons?|causes?|things?)\b|消息|错误|警告|异常|报错|原因|内容|信息`)

// impliedGroup finds what is ranked when no "by" says it: the column that the question names, or
// messages.
func (b *binding) impliedGroup(m *column) []string {
	for _, w := range b.where { // "web-1 or web-2: which has more errors?"
		if name, _, ok := strings.Cut(w, " in ("); ok && b.column(name) != nil && name != rows.LevelField && whichOf.MatchString(b.q.Text) {
			return []string{name}
		}
	}
	if (whoWords.MatchString(b.q.Text) || peopleGroup.MatchString(b.q.Text)) && (m == nil || b.q.Fn != "" || b.themed || whoMost.MatchString(b.q.Text) && !m.rate()) {
		if c := b.person(); c != nil { // who had the most is somebody, not one of their rows
			return []string{c.name}
		}
	}
	for _, x := range b.named {
		if x.col != m && x.to > 0 && !b.oneEach(x.col.name) && (x.col.kind != "number" || b.categorical(x.col)) && !b.filtered(x.col.name) {
			return []string{x.col.name}
		}
	}
	if m != nil && (slowWords.MatchString(b.q.Text) || durationWords(b.q.Text)) {
		return nil
	}
	if b.column(rows.MessageField) != nil && (b.q.Level != "" || messageNouns.MatchString(b.q.Text)) {
		return []string{rows.MessageField}
	}
	return nil
}

// whoMost asks for whoever has the most of something in all.
var whoMost = pattern.New(`\bwho\b[^.?!]*\b(?:most|least)\b|谁[^，。？！]*最[多少]`)

var whoWords = pattern.New(`\bwho\b|谁|哪(?:个|位)(?:客户|顾客|用户|员工|人)`)

// rowsNotGroups tells that single rows are ranked by a column: when nothing groups them, when each
// group would be one row, or when the column's sum would mean nothing.
func (b *binding) rowsNotGroups(by []string, m *column) bool {
	if b.q.Unit != "" || !b.q.Desc && !b.q.Asc {
		return false
	}
	if len(by) == 0 {
		return true
	}
	c := b.column(by[0])
	if c == nil || len(by) > 1 {
		return false
	}
	return b.oneEach(by[0]) || m.rate()
}

// ofTeams tells "which team has the highest pay" of a table whose rows are people: it is about what their teams get
// on average, and not about one of them.
func (b *binding) ofTeams(by []string, m *column) bool {
	if len(by) != 1 || !m.rate() || b.q.Rows || b.q.N > 0 || !sizeWord.MatchString(b.q.Text) || oneOfThem.MatchString(b.q.Text) {
		return false
	}
	people := slices.ContainsFunc(b.cols, func(c column) bool { return c.isPerson() && b.oneEach(c.name) })
	return people && !b.oneEach(by[0]) && slices.ContainsFunc(b.named, func(x named) bool {
		return x.col.name == by[0] && x.to > 0 && whichBefore.MatchString(b.q.Text[:x.from])
	})
}

// oneOfThem asks for a single row of a group, or for whose it is.
var oneOfThem = pattern.New(`\b(?:single|individual|paid|who|person|employee|member)\b|谁|单个|个人|员工|成员`)

// groups counts or sums by group.
func (s *session) groups(b *binding, by []string, m *column) (*finding, error) {
	if b.asksRates() {
		return s.rates(b, by)
	}
	if c := b.column(by[0]); b.q.Fn == "avg" && len(by) == 1 && c != nil && c.counts() && perCount.MatchString(b.q.Text) && !strings.Contains(b.q.Text, strings.ToLower(c.name)) {
		return b.decline(b.say.f("it is not clear whether `%s` is to be divided by or grouped by", "不清楚 `%s` 是用来相除还是分组", c.name)), nil
	}
	value := "count"
	fn := b.q.Fn
	if b.having != nil && b.having.count {
		m = nil
	}
	if m != nil && !slices.Contains(by, m.name) {
		if fn == "" || fn == "distinct" {
			fn = "sum"
			if b.averaged(m) {
				fn = "avg"
			}
		}
		value = fn + "(" + m.name + ")"
	}
	if b.plays = append(b.plays, by...); m != nil {
		b.plays = append(b.plays, m.name)
	}
	args := b.args()
	args.GroupBy, args.Aggregate = strings.Join(by, ","), value
	if value != "count" {
		args.Aggregate += ",count"
	}
	args.Normalise = slices.Contains(by, rows.MessageField)
	args.Limit = max(b.q.N, wideGroups)
	if b.q.Unit == "" || b.q.Desc || b.q.Asc {
		args.Order = value + " desc"
		if b.q.Asc {
			args.Order = value + " asc"
		}
	}
	lack, err1 := s.nameless(b, by, &args, b.q.Desc || b.q.Asc || b.q.Intent == question.Filter || b.q.Intent == question.Unknown)
	t, err2 := s.extract(args)
	if err := first(err1, err2); err != nil {
		return nil, err
	}
	f := &finding{
		Kind: "groups", By: args.GroupBy, Groups: readGroups(t, args.GroupBy, value), Complete: !t.more, Total: t.total,
		Count: t.matched(), Asc: b.q.Asc, N: cmp.Or(b.q.N, b.one()), Notes: t.notes, Gap: b.q.Gap,
	}
	if f.Gap {
		f.N = max(f.N, 2)
	}
	if value != "count" {
		f.Fn, f.Column = fn, m.name
	}
	if f.N == 0 && (b.q.Fn == "distinct" || listAll.MatchString(b.q.Text)) {
		f.N = wideGroups
	}
	if lack != "" {
		f.Notes = append(f.Notes, lack)
	}
	if b.q.Share && f.Complete && (f.Fn == "" || f.Fn == "sum") {
		f.All = 1
	}
	if len(by) == 1 && len(f.Groups) == 1 && f.Groups[0].Key == "" && b.column(by[0]) != nil {
		return b.decline(b.say.f("none of the rows meant has a value of `%s`", "所指的行都没有 `%s` 的值", by[0])), nil
	}
	if b.having != nil {
		f.keep(b)
	}
	return f, nil
}

var perCount = pattern.New(`\bper\b`)

// listAll asks for all of something, not for the first of it.
var listAll = pattern.New(`\b(?:list|show|name|give|print|extract|get)\b[^.?!]*\b(?:all|every|distinct|unique|different)\b|(?:列出|给出|提取|显示)[^，。？！]*(?:所有|全部|不同)`)

// keep leaves the groups whose figure is within the asked bound.
func (f *finding) keep(b *binding) {
	h := b.having
	f.Groups = slices.DeleteFunc(f.Groups, func(g groupLine) bool {
		x, ok := rows.Number(g.Value)
		return !ok || !within(x, h.op, h.limit)
	})
	f.N, f.Count = 0, 0
	for _, g := range f.Groups {
		f.Count += g.Count
	}
	f.Total = len(f.Groups)
	b.said = append(b.said, fmt.Sprintf("%s %s %s", b.say.measureOf(f), h.op, number(h.limit)))
	if !f.Complete {
		f.Notes = append(f.Notes, b.say.of("there are more groups than were looked at", "分组过多，未全部检查"))
	}
}

func within(x float64, op string, limit float64) bool {
	switch op {
	case "<":
		return x < limit
	case "<=":
		return x <= limit
	case ">":
		return x > limit
	case ">=":
		return x >= limit
	}
	return x == limit
}

// firstLast gives the first or last rows that the question means, by their place, or by their time
// where a table is not in that order.
func (s *session) firstLast(b *binding) (*finding, error) {
	wantFirst, wantLast := b.q.First || !b.q.Last, b.q.Last
	count := max(b.q.N, 1)
	order := b.placeOrder()
	var firstRows, lastRows *table
	var err1, err2 error
	if wantFirst {
		firstRows, err1 = s.orderedRows(b, order+" asc", count)
	}
	if wantLast {
		lastRows, err2 = s.orderedRows(b, order+" desc", count)
	}
	if err := first(err1, err2); err != nil {
		return nil, err
	}
	f := &finding{Kind: "rows", Fn: "first", N: count, Complete: true}
	if firstRows != nil {
		f = readRows(firstRows)
		f.Fn, f.N, f.Complete = "first", count, true
	}
	if lastRows != nil {
		last := readRows(lastRows)
		slices.Reverse(last.Rows)
		if firstRows == nil {
			f = last
			f.Fn, f.N, f.Complete = "last", count, true
		} else {
			f.Fn, f.Columns = "first and last", unionColumns(f, last)
		}
	}
	return f, nil
}

// placeOrder is "line" for logs and the time's column for tables, which may stand in any order.
func (b *binding) placeOrder() string {
	if b.format != "csv" && b.format != "markdown" {
		if lo, hi, ok := b.timeRange(); ok && lo.Zone && hi.Zone && lo.Date && len(b.where) > 0 {
			return rows.TimeField // lines of several zones stand in no order
		}
		return "line"
	}
	if !timeWords.MatchString(b.q.Text) {
		return "line"
	}
	for _, m := range b.named {
		if m.col.kind == "time" {
			return m.col.name
		}
	}
	for _, c := range b.cols {
		if c.kind == "time" {
			return c.name
		}
	}
	return "line"
}

var timeWords = pattern.New(`\b(?:earliest|latest|oldest|newest|recent|recently|when|first|last)\b|最早|最晚|最近|最新|什么时候|何时|第一|最后`)

func (s *session) orderedRows(b *binding, order string, count int) (*table, error) {
	args := b.args()
	args.Order, args.Limit = order, count
	return s.extract(args)
}

// unionColumns appends the rows of g to f, cell by cell under the columns of both.
func unionColumns(f, g *finding) []string {
	cols := slices.Clone(f.Columns)
	for _, c := range g.Columns {
		if !slices.Contains(cols, c) {
			cols = append(cols, c)
		}
	}
	all := append(spread(f, cols), spread(g, cols)...)
	f.Rows = all
	return cols
}

func spread(f *finding, cols []string) []rowLine {
	out := make([]rowLine, len(f.Rows))
	for i, r := range f.Rows {
		out[i] = rowLine{Source: r.Source, Time: r.Time, Cells: make([]string, len(cols))}
		for j, c := range cols {
			if k := slices.Index(f.Columns, c); k >= 0 && k < len(r.Cells) {
				out[i].Cells[j] = r.Cells[k]
			}
		}
	}
	return out
}

// fields gives the named columns of the rows.
func (s *session) fields(b *binding) (*finding, error) {
	var names []string
	for _, m := range b.named {
		if !slices.Contains(names, m.col.name) && !b.filtered(m.col.name) {
			names = append(names, m.col.name)
		}
	}
	if len(names) == 0 {
		return b.decline(b.say.of("no column is named that it has", "没有找到所说的列")), nil
	}
	args := b.args()
	args.Columns, args.Limit = strings.Join(names, ","), cmp.Or(b.q.N, 20)
	for _, name := range names {
		if inText(name) || name == ipColumn && b.column(name) == nil {
			args.Where = strings.Join(append(slices.Clone(b.where), quoteValue(name)+` != ""`), " and ") // lines that name none say nothing
			b.said = append(b.said, b.say.f("naming a %s", "写明 %s", b.say.shownName(name)))
			if len(names) == 1 && b.q.N == 0 {
				args.Limit = wideGroups
			}
			break
		}
	}
	t, err := s.extract(args)
	if err != nil {
		return nil, err
	}
	f := readRows(t)
	f.Fn, f.N = "fields", b.q.N
	if err := s.addFull(f, args); err != nil {
		return nil, err
	}
	if lack := b.lacking(); len(lack) > 0 {
		f.Notes = append(f.Notes, b.say.f("there is no column for %s", "没有与 %s 对应的列", b.say.list(quoteAll(lack))))
	}
	return f, nil
}

// lacking are names of things that columns hold which the question says and no column has.
func (b *binding) lacking() []string {
	var out []string
	for _, w := range hanNouns() {
		if at := strings.Index(b.q.Text, w); at >= 0 && !b.used(at, at+len(w)) && !slices.ContainsFunc(out, func(o string) bool { return strings.Contains(o, w) }) {
			out = append(out, w)
		}
	}
	return out
}

// What asks for some of the rows by what they are, and what for all that there are.
var (
	whichRows = pattern.New(`^\s*(?:which|what)\b|哪(?:些|几)`)
	thereAre  = pattern.New(`\b(?:there|exist|all|every|listed|we have|you have|in (?:it|the (?:file|list|table|log)))\b|有哪|都有|全部|所有|列表|记录了`)
)

// filterRows lists the rows that meet the question.
func (s *session) filterRows(b *binding) (*finding, error) {
	if (whoWords.MatchString(b.q.Text) || whichRows.MatchString(b.q.Text) && !thereAre.MatchString(b.q.Text)) && len(b.where) == 0 && b.span == "" && len(b.named) == 0 && b.q.N+b.q.Row == 0 && len(b.unheard) == 0 {
		return b.decline(b.say.of("it is not clear which rows are meant", "不清楚指的是哪些行")), nil
	}
	args := b.args()
	args.Limit = cmp.Or(b.q.N, shownRows)
	if b.q.N == 0 && listAll.MatchString(b.q.Text) {
		args.Limit = shownAll
	}
	if b.q.Row > 0 {
		args.Offset, args.Limit = b.q.Row-1, min(max(b.q.RowTo-b.q.Row+1, 1), 100)
	}
	t, err := s.extract(args)
	if err != nil {
		return nil, err
	}
	f := readRows(t)
	if f.N = b.q.N; b.q.Row > 0 {
		b.said = append(b.said, b.say.f("rows %d to %d of %d", "第 %d 至 %d 行，共 %d 行", b.q.Row, b.q.RowTo, f.Count))
		f.Count, f.Complete, f.N = len(f.Rows), true, len(f.Rows)
		return f, nil
	}
	if len(b.where) == 0 && b.span == "" && len(b.unheard) > 0 {
		b.said = []string{b.say.f("containing %s", "包含 %s", b.say.list(quoteAll(b.unheard)))}
		b.unheard = nil
		return &finding{Kind: "rows", Complete: true}, nil
	}
	return f, s.addFull(f, args)
}

// countsByValue tells "how many went by air" of a table in which air is a value: nothing is grouped.
func (b *binding) countsByValue() bool {
	if b.q.Desc || b.q.Asc || b.q.Unit != "" || b.q.Sort || len(b.where) == 0 || !countsRows.MatchString(b.q.Text) {
		return false
	}
	ats := byValue.FindAllStringSubmatchIndex(b.q.Text, -1)
	return len(ats) > 0 && !slices.ContainsFunc(ats, func(m []int) bool { return !b.used(m[2], m[3]) })
}

var byValue = pattern.New(`\b(?:by|per|each|every)\s+(?:the\s+)?([^\s,?]+)`)

// bareTotal is a total of which the words do not say of what.
var bareTotal = pattern.New(`\b(?:totals?|sums?)\s+(?:by|per|for each)\b`)
