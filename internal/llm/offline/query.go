package offline

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

func baseName(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

// args gives the call that reads the rows the question is about.
func (b *binding) args() extract {
	return extract{Path: b.file, Where: strings.Join(b.where, " and "), Since: b.since, Until: b.until}
}

// what says which rows are meant.
func (b *binding) what() string {
	parts := slices.DeleteFunc(slices.Clone(b.said), func(s string) bool { return s == "" })
	if b.span != "" {
		parts = append(parts, b.span)
	}
	return b.say.list(parts)
}

// notes say what the person should know about how the figure came about.
func (b *binding) notes(f *finding) []string {
	var out []string
	if len(b.unheard) > 0 {
		out = append(out, b.say.f("nothing in %s mentions %s, so it is not part of the filter", "%s 中没有出现 %s，因此没有作为条件", b.file, b.say.list(quoteAll(b.unheard))))
	}
	if idle := b.idle(f); len(idle) > 0 {
		out = append(out, b.say.f("%s is named, but no value of it, so it is not part of the filter", "提到了 %s，但没有给出它的值，因此没有作为条件", b.say.list(quoteAll(idle))))
	}
	for _, name := range b.plays {
		if b.column(name) != nil && b.column(name+"_2") != nil {
			out = append(out, b.say.f("%s stands twice in the header; this is the first of them, the other is `%s_2`", "表头中有两个 %s；这里用的是第一个，另一个是 `%s_2`", code(name), name))
		}
	}
	if b.about.malformed > 0 {
		out = append(out, b.say.f("%s of %s could not be read (line %s)", "%[2]s 有 %[1]s 无法识别（行号 %[3]s）", plainRows(b.say, b.about.malformed), b.file, b.about.at))
	}
	return out
}

// idle are columns that the question names and that neither filter nor show in the answer, nor name
// the rows that are counted.
func (b *binding) idle(f *finding) []string {
	if b.q.Intent != question.Count && b.q.Intent != question.Aggregate && f.Kind != "groups" || b.having != nil {
		return nil
	}
	var out []string
	for _, m := range b.named {
		if m.col.name == rows.MessageField && messageRows.MatchString(b.q.Text[m.from:m.to]) && len(b.where) > 0 {
			continue // they are the rows
		}
		if slices.ContainsFunc(b.plays, func(p string) bool {
			return p != m.col.name && slices.Contains(strings.FieldsFunc(p, isOperator), m.col.name)
		}) {
			continue // a part of what is reckoned
		}
		if b.filtered(rows.DurationField) && sameThing(strings.Join(nameWords(m.col.name), " "), "duration") {
			continue
		}
		if m.to > 0 && !b.filtered(m.col.name) && !slices.Contains(b.plays, m.col.name) && m.col.kind != "time" && !slices.Contains(out, m.col.name) && !b.namesRows(m) {
			out = append(out, m.col.name)
		}
	}
	return out
}

func isOperator(r rune) bool { return strings.ContainsRune("*+-/ ", r) }

// messageRows is how the rows of a log are called, which is also the name of a column of it.
var messageRows = pattern.New(`^(?:messages|消息|信息)$`)

// figures are the kinds of finding that would hide a column which was named in vain.
var figureKinds = []string{"count", "figure", "groups"}

var countBefore = pattern.New(`(?:\bhow many|\bnumber of|\bcount(?: of)?(?: the)?|多少|几)\s*(?:个|条|颗|名|位|种|台|笔|单|次|件)?\s*$`)

// countNext follows what is counted: 失败的任务有多少个.
var countNext = pattern.New(`^(?:一共|总共|共)?有?(?:多少|几)(?:个|次|条|笔|台|名|位|件|种|项|单)?\s*[?？。]?\s*$`)

// namesRows tells that a named column says what the rows are: what "how many" counts, or what tells
// them apart.
func (b *binding) namesRows(m named) bool {
	return countBefore.MatchString(b.q.Text[:m.from]) || strings.HasSuffix(b.q.Text[:m.from], "的") && countNext.MatchString(b.q.Text[m.to:]) || m.col.isID() || m.col.distinct == m.col.filled && !m.col.over && m.col.distinct > few
}

func quoteAll(ws []string) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = code(w)
	}
	return out
}

// answer finds out what one question asks of one file.
func (s *session) answer(q *question.Question, file string) (*finding, error) {
	switch q.Intent {
	case question.Summary:
		if f, err := s.partOfLog(q, file); f != nil || err != nil {
			return f, err
		}
		return s.study(q, file)
	case question.Incident, question.Correlate, question.Compare:
		return s.study(q, file)
	case question.Headings, question.Section, question.Unknown:
		if f, err := s.tasks(q, file); f != nil || err != nil {
			return f, err
		}
		return s.readText(q, file)
	}
	if q.Line > 0 && s.has("read_file") {
		return s.showLines(q, file)
	}
	if f, err := s.tasks(q, file); f != nil || err != nil {
		return f, err
	}
	if re, what := s.wantedMarks(q); re != nil && isProse(file) && s.has("read_file") {
		f, err := s.marks(q, file, re, what)
		if err != nil || f.Count > 0 || !s.has("extract") {
			return f, err
		}
		if b, err := s.bind(q, file); err != nil || len(b.named) == 0 { // a table may have them in another form
			return f, err
		}
	}
	if !s.has("extract") {
		return s.answerByGrep(q, file)
	}
	b, err := s.bind(q, file)
	if err != nil {
		return nil, err
	}
	if f := b.countLines(); f != nil {
		return f, nil
	}
	if b.hasSettings() {
		return s.settings(b)
	}
	switch {
	case isProse(file) && !(q.Intent == question.Count && b.rows > 0 && b.countsNoun()) && (b.rows == 0 || q.Intent == question.Filter && defining.MatchString(q.Text) && len(b.where) == 0 || len(b.unheard) > 0 || len(b.where) == 0 && len(b.named) == 0 && b.having == nil):
		f, err := s.passages(q, file)
		if err != nil || f.Kind == "text" {
			return f, err
		}
		if len(b.unheard) == 0 && b.rows > 0 && len(searchTerms(q)) > 0 {
			return f, nil // the rows of its tables are not what is asked for
		}
	}
	if isProse(file) && q.Intent == question.Filter && len(b.where) > 0 && !slices.ContainsFunc(b.where, func(w string) bool { return !strings.HasPrefix(w, "any ") }) {
		if f, err := s.passages(q, file); err != nil || f.Kind == "text" && besideTables.MatchString(f.Text) {
			return f, err // what stands in no table says as much
		}
	}
	switch {
	case b.rows == 0 && b.about.lines == 0 && q.Intent == question.Count:
		return &finding{Kind: "count", File: file, Notes: []string{s.say.f("%s is empty", "%s 是空文件", file)}}, nil
	case b.rows == 0 && isProse(file) && b.about.lines > 0:
		return s.needsModel(file), nil
	case b.rows == 0:
		return &finding{Kind: "none", File: file, Text: s.say.f("%s holds no rows of data.", "%s 中没有数据行。", file)}, nil
	case b.problem != "":
		return b.decline(b.problem), nil
	case b.wantsAddresses():
		f, err := s.addresses(b)
		if err == nil {
			f.File, f.What = file, b.what()
		}
		return f, err
	case b.asksRecovery() && len(slices.DeleteFunc(slices.Clone(b.unheard), recovering.MatchString)) == 0:
		return s.recovery(b)
	case b.unapplied():
		return s.declineWords(b)
	}
	f, err := s.query(b)
	if err != nil {
		return nil, err
	}
	if q.Aside != 0 && len(f.Rows) > 0 {
		return s.aside(b, f)
	}
	f.setFile(file, b.what())
	if idle := b.idle(f); len(idle) > 0 && slices.Contains(figureKinds, f.Kind) {
		return b.decline(s.say.f("%s is named, but it is not clear what is asked of it, so there is no figure", "提到了 %s，但不清楚对它有什么要求，因此不给出数字", s.say.list(quoteAll(idle)))), nil
	}
	if f.Kind != "text" && f.Kind != "none" {
		f.Notes = append(b.notes(f), f.Notes...)
	}
	return f, nil
}

// besideTables is a line of a quotation that is no row of a table.
var besideTables = pattern.New(`(?m)^> [^|]`)

// defining asks what something is.
var defining = pattern.New(`^\s*what (?:is|are|does|do)\b|什么是|是什么|什么意思`)

var hanCount = pattern.New(`(?:多少|几)(?:个|条|门|张|件|项|种|次|笔|家|台)?$`)

// countsNoun tells that what is counted is what the rows are called.
func (b *binding) countsNoun() bool {
	if stem := strings.ToLower(baseName(b.file)); hasHan(stem) {
		if at := strings.Index(b.q.Text, stem); at >= 0 && hanCount.MatchString(b.q.Text[:at]) {
			return true
		}
	}
	return slices.ContainsFunc(left(b.q), func(w word) bool {
		return countBefore.MatchString(b.q.Text[:w.from]) && b.rowNoun(w.text)
	})
}

// partOfLog sums up the rows of a log that a summary names by a value of theirs: by their messages.
// It gives nil where the whole file is meant.
func (s *session) partOfLog(q *question.Question, file string) (*finding, error) {
	if isProse(file) || !s.has("extract") {
		return nil, nil
	}
	b, err := s.bind(q, file)
	if err != nil || b.problem != "" || b.column(rows.MessageField) == nil || !slices.ContainsFunc(b.where, func(w string) bool {
		return strings.Contains(w, " = ") && !strings.HasPrefix(w, rows.LevelField+" ")
	}) {
		return nil, err
	}
	f, err := s.groups(b, []string{rows.MessageField}, nil)
	if err == nil {
		f.setFile(file, b.what())
	}
	return f, err
}

func (s *session) query(b *binding) (*finding, error) {
	if b.having != nil {
		return s.top(b)
	}
	switch b.q.Intent {
	case question.Count:
		if c := b.column("人数"); c != nil && c.kind == "number" && peopleAsked.MatchString(b.q.Text) {
			return s.figure(b, "sum", c)
		}
		if b.q.Fn == "sum" && b.countsUnits() || b.sumAsked(false) || b.soldAsked() || b.countsPieces() || b.moneyAsked() && b.measure() == nil {
			return s.aggregate(b)
		}
		if len(b.where) > 0 && b.sumAsked(true) {
			return s.filterRows(b) // of a rate or a price the rows are shown
		}
		if by := b.groupColumns(); len(by) > 0 && b.countedColumn() == nil {
			return s.groups(b, by, nil)
		}
		return s.count(b)
	case question.Aggregate:
		return s.aggregate(b)
	case question.Top:
		if m := b.measure(); m != nil && m.reckoned() && b.q.Fn != "" && !b.q.Desc && !b.q.Asc && len(b.groupColumns()) == 0 {
			return s.aggregate(b)
		}
		return s.top(b)
	case question.FirstLast:
		return s.firstLast(b)
	case question.Fields:
		return s.fields(b)
	}
	if b.figureAsked() {
		return s.aggregate(b)
	}
	if by := b.whichValues(); len(by) > 0 {
		return s.groups(b, by, nil)
	}
	if by, m := b.apart(), b.measure(); by != "" && m != nil && moreOf.MatchString(b.q.Text) {
		return s.groups(b, []string{by}, m)
	}
	return s.filterRows(b)
}

var whichOf2 = pattern.New(`(?:\b(?:which|what)|哪(?:些|几个|几种|几位|几台|几家))\s*$`)

// whichValues are the columns of which the values are asked for that some rows have: "which users got a 500".
// Where each row has its own value, the rows say as much.
func (b *binding) whichValues() []string {
	if len(b.where) == 0 && b.span == "" || b.q.N > 0 || isProse(b.file) {
		return nil
	}
	var out []string
	for _, m := range b.named {
		if m.to > 0 && whichOf2.MatchString(b.q.Text[:m.from]) && !b.oneEach(m.col.name) && m.col.kind == "text" && m.col.name != rows.MessageField && !b.filtered(m.col.name) {
			out = append(out, m.col.name)
		}
	}
	return out
}

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
func (b *binding) soldAsked() bool { return soldWords.MatchString(b.q.Text) && b.quantity() != nil }

var soldWords = pattern.New(`(?:卖(?:出|掉)?|售出)了?多少(?:$|[^笔单次钱元])`)

// countsPieces tells "how many units did Spain buy" of a table that has a column of them.
func (b *binding) countsPieces() bool {
	return slices.ContainsFunc(b.named, func(m named) bool {
		return m.to > 0 && m.col.kind == "number" && !m.col.isID() && !m.col.rate() && m.col.name != rows.DurationField && !b.filtered(m.col.name) && m.col.name != b.statusColumn() && piecesBefore.MatchString(b.q.Text[:m.from])
	})
}

var piecesBefore = pattern.New(`(?:\bhow many|多少个?|几个)\s*(?:\p{Han}{1,4}\s*[（(]\s*)?$`)

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

// decline says why there is no answer, and what the file does hold.
func (b *binding) decline(why string) *finding {
	var names []string
	for _, c := range b.cols {
		names = append(names, c.name)
	}
	return &finding{Kind: "none", File: b.file, Text: b.say.f("I cannot answer this from %s: %s. Its columns are: %s.", "无法从 %s 回答：%s。它的列有：%s。", b.file, why, strings.Join(names, ", "))}
}

// count counts rows, or different values if the question counts what a column names.
func (s *session) count(b *binding) (*finding, error) {
	if c := b.countedColumn(); c != nil {
		return s.figure(b, "distinct", c)
	}
	if m := unitsAsked.FindStringSubmatchIndex(b.q.Text); m != nil {
		if m[2] < 0 {
			m[2], m[3] = m[4], m[5]
		}
		if !b.used(m[2], m[3]) {
			return b.decline(b.say.f("it has no column of `%s`", "其中没有以 `%s` 计的列", b.q.Text[m[2]:m[3]])), nil
		}
	}
	args := b.args()
	args.Aggregate = "count"
	t, err1 := s.extract(args)
	byLevel := &table{}
	var err2 error
	if (b.q.Above || len(b.q.Levels) > 0) && b.column(rows.LevelField) != nil {
		args.GroupBy = rows.LevelField
		byLevel, err2 = s.extract(args)
	}
	whole, err3 := s.wholeOf(b)
	if err := first(err1, err2, err3); err != nil {
		return nil, err
	}
	if b.problem != "" {
		return b.decline(b.problem), nil
	}
	if c := b.boundedEmpty(); c != "" && t.matched() == 0 {
		if none, err := s.nothingBounded(b, c); none != nil || err != nil {
			return none, err
		}
	}
	f := &finding{Kind: "count", All: whole, Count: atoi(t.cell(0, "count")), First: t.cell(0, "first_source"), Last: t.cell(0, "last_source")}
	if len(byLevel.rows) > 1 {
		f.Parts = readGroups(byLevel, rows.LevelField, "count")
	}
	if len(b.unheard) > 0 && !b.explicit() {
		b.zero(f)
	}
	return f, s.showFew(b, f)
}

// unitsAsked asks for an amount in a unit, which no number of rows is.
var unitsAsked = pattern.New(`\bhow (?:many|much) ([kmgt]i?b|[kmgt]bytes|(?:kilo|mega|giga|tera)bytes|bytes|ms|milliseconds|seconds|minutes|hours|euros?|dollars?|kg|km|kilograms|kilomet(?:er|re)s|lit(?:er|re)s)\b|多少(?:个)?([kmgt]b|字节|毫秒|公斤|千克|公里|升)`)

// boundedEmpty is a column that a bound is on and that some rows lack.
func (b *binding) boundedEmpty() string {
	for _, bound := range b.q.Bounds {
		if c := b.boundColumn(bound); c != nil && c.filled < b.rows && b.having == nil {
			return c.name
		}
	}
	return ""
}

// nothingBounded declines a bound on a column that none of the rows which meet the rest has a value of:
// that there are none within it would be no more than that.
func (s *session) nothingBounded(b *binding, column string) (*finding, error) {
	args := b.args()
	rest := slices.DeleteFunc(slices.Clone(b.where), func(w string) bool { return strings.HasPrefix(w, quoteName(column)+" ") })
	if len(rest) == len(b.where) || len(rest) == 0 {
		return nil, nil
	}
	args.Where, args.Aggregate = strings.Join(rest, " and "), "count,count("+column+")"
	t, err := s.extract(args)
	if err != nil || atoi(t.cell(0, "count")) == 0 || atoi(t.cell(0, "count("+column+")")) > 0 {
		return nil, err
	}
	return b.decline(b.say.f("none of the rows meant has a value of `%s`", "所指的行都没有 `%s` 的值", column)), nil
}

var (
	wholeLines = pattern.New(`\bhow many lines\b|\bnumber of lines\b|\bcount (?:the |all |all the )?lines\b|\bline count\b`)
	wholeHan   = pattern.New(`(?:多少|几)行|行数`)
)

// countLines counts a file's lines where they are asked for and are not its rows: a log with traces, a
// text, a table with its header; nil if rows are meant.
func (b *binding) countLines() *finding {
	asked := wholeLines.MatchString(b.q.Text) || wholeHan.MatchString(b.q.Text) && b.format != "csv"
	if !asked || b.q.Intent != question.Count || b.about.lines == b.rows || len(b.where)+len(b.unheard)+len(b.named)+len(b.groupColumns()) > 0 || b.span != "" || b.having != nil || b.q.Share || b.problem != "" {
		return nil
	}
	f := &finding{Kind: "count", Fn: "lines", File: b.file, Count: b.about.lines, First: b.file + ":1", Last: fmt.Sprintf("%s:%d", b.file, b.about.lines)}
	if b.rows > 0 {
		f.Notes = []string{b.say.f("they hold %s of data", "其中的数据有 %s", plainRows(b.say, b.rows))}
	}
	return f
}

// shareOf is what a share is a part of: all rows of the file; 0 if no share is asked for.
func (b *binding) shareOf() int {
	if b.q.Share {
		return b.rows
	}
	return 0
}

var shareOfLevel = pattern.New(`\b(?:share|percentage|percent|proportion|fraction|part) of (?:all |the )*(?:fatals?|crit\w*|errors?|warn\w*|info|debug)\b|(?:错误|警告|告警)(?:中|里|当中)|占(?:全部|所有)?(?:的)?(?:错误|警告)`)

// wholeOf gives what a share is a part of: the rows of a level where the words say so, else all. It
// is not clear of what, where several conditions hold.
func (s *session) wholeOf(b *binding) (int, error) {
	if !b.q.Share || len(b.where) < 2 {
		return b.shareOf(), nil
	}
	at := slices.IndexFunc(b.where, func(w string) bool { return strings.HasPrefix(w, rows.LevelField+" ") })
	if at < 0 || !shareOfLevel.MatchString(b.q.Text) {
		b.problem = b.say.of("it is not clear what the share is to be a part of", "不清楚这个比例是相对于什么而言")
		return 0, nil
	}
	args := b.args()
	args.Where, args.Aggregate = b.where[at], "count"
	t, err := s.extract(args)
	if err != nil {
		return 0, err
	}
	return t.matched(), nil
}

// few is up to how many counted rows of a table are shown with their number: who asks how many
// bolts there are means the cell, not the row.
const few = 3

func (s *session) showFew(b *binding, f *finding) error {
	if f.Count == 0 || f.Count > few || b.format != "csv" && b.format != "markdown" {
		return nil
	}
	args := b.args()
	args.Limit = few
	t, err := s.extract(args)
	if err != nil {
		return err
	}
	rows := readRows(t)
	f.Rows, f.Columns = rows.Rows, rows.Columns
	return nil
}

// explicit tells that a filter was found although some words were not.
func (b *binding) explicit() bool { return len(b.q.Quoted) > 0 }

// zero answers for a word that stands nowhere: no row has it, however many meet the rest.
func (b *binding) zero(f *finding) {
	rest := f.Count
	f.Count, f.First, f.Last, f.Parts = 0, "", "", nil
	words := b.say.list(quoteAll(b.unheard))
	note := b.say.f("nothing in %s mentions %s", "%s 中没有出现 %s", b.file, words)
	if len(b.said) > 0 || b.span != "" {
		note += b.say.f("; without that, %s: %s", "；不考虑它时，%s 的有 %s 行", b.what(), n(rest))
	} else {
		note += b.say.f("; it has %s in all", "；文件共 %s", plainRows(b.say, rest))
	}
	b.said = append(b.said, b.say.f("with %s", "含 %s", words))
	b.unheard = nil
	f.Notes = append(f.Notes, note)
}

func plainRows(l say, count int) string {
	return l.of(plural(count, "row"), n(count)+" 行")
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
	return f, nil
}

// columnsWith are the file's columns, as many as are shown, and one that is worked out.
func (b *binding) columnsWith(name string) string {
	var out []string
	for _, c := range b.cols[:min(len(b.cols), 12)] {
		out = append(out, c.name)
	}
	return strings.Join(append(out, name), ",")
}

// readRows turns the rows of an answer into a finding.
func readRows(t *table) *finding {
	f := &finding{Kind: "rows", Total: t.total, Count: t.matched(), Complete: !t.more}
	if len(t.columns) > 0 {
		f.Columns = t.columns[1:]
	}
	for i, r := range t.rows {
		if len(r) < 1 {
			continue
		}
		f.Rows = append(f.Rows, rowLine{r[0], t.cell(i, rows.TimeField), r[1:]})
	}
	return f
}

// readGroups reads the groups of an answer; key may be several columns.
func readGroups(t *table, key, value string) []groupLine {
	var out []groupLine
	for i := range t.rows {
		var names []string
		for k := range strings.SplitSeq(key, ",") {
			names = append(names, t.cell(i, strings.TrimSpace(k)))
		}
		out = append(out, groupLine{Key: strings.Join(names, " / "), Value: t.cell(i, value), Count: atoi(t.cell(i, "count")), First: t.cell(i, "first_source"), Last: t.cell(i, "last_source")})
	}
	return out
}
