package offline

import (
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

func quoteAll(ws []string) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = code(w)
	}
	return out
}

// answer finds out what one question asks of one file.
func (s *session) answer(q *question.Question, file string) (*finding, error) {
	if f, err := s.source(q, file); f != nil || err != nil {
		return f, err
	}
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
		if f, err := s.prose(q, file); f != nil || err != nil {
			return f, err
		}
		if f, err := s.asFilter(q, file); f != nil || err != nil {
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
	if f, err := s.prose(q, file); f != nil || err != nil {
		return f, err
	}
	if re, what := s.wantedMarks(q); re != nil && isProse(file) && s.has("read_file") {
		f, err := s.marks(q, file, re, what)
		if err != nil || f.Count > 0 || !s.has("extract") {
			return f, err
		}
		said, err := s.passages(q, file)
		if err != nil || said.Kind == "text" && besideTables.MatchString(said.Text) {
			return said, err // in a form that is not known as such a mark
		}
		if b, err := s.bind(q, file); err != nil || len(b.named) == 0 { // a table may have them in another form
			return f, err
		}
		if q.Intent == question.Count && !countWords.MatchString(q.Text) { // the phone number of somebody
			one := *q
			one.Intent, q = question.Filter, &one
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
	if (isProse(file) || isSource(file) && len(searchTerms(q)) > 1) && b.format == "text" && !ofLines.MatchString(q.Text) && q.Level == "" {
		return s.passages(q, file) // its lines are no rows
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

var askLead = pattern.New(`^\s*(?:and )?(?:which|who|what|whose|any|are|is|did|does|do|was|were)\b|哪|谁|有没有|是否`)

// asFilter answers a question that names a condition on the rows of a table and no verb that is known; nil if it
// names none.
func (s *session) asFilter(q *question.Question, file string) (*finding, error) {
	if q.Intent != question.Unknown || !tableEnds[strings.ToLower(path.Ext(file))] || !s.has("extract") {
		return nil, nil
	}
	b, err := s.bind(q, file)
	if err != nil || b.problem != "" || len(b.unheard) > 0 || !b.themed && (!askLead.MatchString(q.Text) || len(b.where) == 0 || !slices.ContainsFunc(b.where, func(w string) bool { return !strings.HasPrefix(w, "any ") })) {
		return nil, err
	}
	one := *q
	if one.Intent = question.Filter; b.q.Intent != question.Unknown {
		one.Intent = b.q.Intent
	}
	return s.answer(&one, file)
}

// besideTables is a line of a quotation that is no row of a table.
var besideTables = pattern.New(`(?m)^> [^|]`)

// defining asks what something is.
var defining = pattern.New(`^\s*what (?:is|are|does|do)\b|什么是|是什么|什么意思`)

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
	if b.q.Spread {
		return s.spread(b)
	}
	if by := b.twoApart(); by != "" {
		return s.setApart(b, by)
	}
	switch b.q.Intent {
	case question.Count:
		if c := b.column("人数"); c != nil && c.kind == "number" && peopleAsked.MatchString(b.q.Text) {
			return s.figure(b, "sum", c)
		}
		if c := b.takings(); c != nil {
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
	if f, err := s.whichOnes(b); f != nil || err != nil {
		return f, err
	}
	if by, m := b.apart(), b.measure(); by != "" && m != nil && moreOf.MatchString(b.q.Text) {
		return s.groups(b, []string{by}, m)
	}
	return s.filterRows(b)
}

var whichOf2 = pattern.New(`(?:\b(?:which|what)|哪(?:些|几个|几种|几位|几台|几家))\s*$`)

// whichOnes answers by the values of a column; nil if none is asked for, or if one value alone says less than
// the rows do.
func (s *session) whichOnes(b *binding) (*finding, error) {
	by := b.whichValues()
	if len(by) == 0 {
		return nil, nil
	}
	f, err := s.groups(b, by, nil)
	if err == nil && f.Kind == "groups" && f.Total < 2 {
		return nil, nil
	}
	return f, err
}

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

// decline says why there is no answer, and what the file does hold.
func (b *binding) decline(why string) *finding {
	var names []string
	for _, c := range b.cols {
		names = append(names, c.name)
	}
	return &finding{Kind: "none", File: b.file, Text: b.say.f("I cannot answer this from %s: %s. Its columns are: %s.", "无法从 %s 回答：%s。它的列有：%s。", b.file, why, strings.Join(names, ", "))}
}

var shareOfLevel = pattern.New(`\b(?:share|percentage|percent|proportion|fraction|part) of (?:all |the )*(?:fatals?|crit\w*|errors?|warn\w*|info|debug)\b|(?:错误|警告|告警)(?:中|里|当中)|占(?:全部|所有)?(?:的)?(?:错误|警告)`)

// few is up to how many counted rows of a table are shown with their number: who asks how many
// bolts there are means the cell, not the row.
const few = 3

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
