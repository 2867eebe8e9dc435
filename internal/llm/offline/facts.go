package offline

import (
	"cmp"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/rows"
)

// facts are what one file says for itself: a log's levels, errors and outage, a table's columns, a
// note's sections and what it says was changed when.
type facts struct {
	File      string      `json:"file"`
	Kind      string      `json:"kind"` // log, table, note
	Lines     int         `json:"lines"`
	Rows      int         `json:"rows"`
	Malformed int         `json:"malformed,omitempty"`
	At        string      `json:"malformed_at,omitempty"`
	From      string      `json:"from,omitempty"`
	To        string      `json:"to,omitempty"`
	Range     string      `json:"range,omitempty"` // the part of its time that was looked at, for people
	Levels    []groupLine `json:"levels,omitempty"`
	Statuses  []groupLine `json:"statuses,omitempty"`
	Rule      string      `json:"rule,omitempty"` // what counts as an error: level, status, words
	Errors    int         `json:"errors"`
	First     *event      `json:"first_error,omitempty"`
	Last      *event      `json:"last_error,omitempty"`
	Peak      *groupLine  `json:"peak,omitempty"` // the minute with the most errors
	Top       []groupLine `json:"top,omitempty"`  // error messages
	By        string      `json:"by,omitempty"`   // the column of services, if one log has several
	Services  int         `json:"services,omitempty"`
	Parts     []groupLine `json:"parts,omitempty"` // errors by service
	Outage    *outage     `json:"outage,omitempty"`
	Slowest   *event      `json:"slowest,omitempty"`
	Unit      string      `json:"unit,omitempty"` // of the slowest: ms, or the column's name
	Changes   []change    `json:"changes,omitempty"`
	Columns   []groupLine `json:"columns,omitempty"`  // tables: name -> what it holds
	Sections  []event     `json:"sections,omitempty"` // notes: headings, first sentences
}

// event is one line of a file.
type event struct {
	Source string `json:"source"`
	Time   string `json:"time,omitempty"`
	Text   string `json:"text,omitempty"`
	Value  string `json:"value,omitempty"`
}

// outage is the time in which a log's errors pile up.
type outage struct {
	From   event       `json:"from"`
	To     event       `json:"to"`
	Errors int         `json:"errors"` // of the messages below
	Causes []groupLine `json:"causes"`
	Whole  bool        `json:"whole,omitempty"` // no quiet time to tell it from
}

// change is something that a file says was changed, with the lines that say more about it.
type change struct {
	event
	Details []event `json:"details,omitempty"`
}

// study gives the facts of a file.
func (s *session) study(q *question.Question, file string) (*finding, error) {
	if !s.has("extract") {
		return s.studyByReading(file)
	}
	b, err := s.bind(&question.Question{Lang: q.Lang, Since: q.Since, Until: q.Until, Month: q.Month, MonthTo: q.MonthTo, MonthYear: q.MonthYear, LastSpan: q.LastSpan, Zone: q.Zone, Midnight: q.Midnight}, file)
	if err != nil {
		return nil, err
	}
	isLog := b.format == "log" || b.format == "jsonl" || b.looksLikeLog()
	if b.problem != "" && isLog {
		return b.decline(b.problem), nil
	}
	if isLog {
		s.scope = [2]string{b.since, b.until} // all that is asked of the log is asked of this range
		defer func() { s.scope = [2]string{} }()
	}
	fs := &facts{File: file, Lines: b.about.lines, Rows: b.about.rows, Malformed: b.about.malformed, At: b.about.at}
	switch {
	case isLog:
		err = s.studyLog(b, fs)
	case b.format == "csv":
		err = s.studyTable(b, fs)
	default:
		err = s.studyNote(b, fs)
	}
	if err != nil {
		return nil, err
	}
	return &finding{Kind: "facts", File: file, Count: fs.Rows, Facts: fs}, nil
}

// looksLikeLog tells a table that is a log: it has a time, and a level or a status.
func (b *binding) looksLikeLog() bool {
	_, _, timed := b.timeRange()
	return timed && (b.column(rows.LevelField) != nil || b.statusColumn() != "")
}

const errorWords = `any ~ "(?i)\\b(error|errors|failed|failure|exception|fatal|panic)\\b"`

// errorRule says which rows count as errors.
func (b *binding) errorRule() (rule, where string) {
	switch {
	case b.column(rows.LevelField) != nil:
		return "level", "level >= error"
	case b.statusColumn() != "":
		return "status", quoteName(b.statusColumn()) + " >= 500"
	}
	return "words", errorWords
}

// studyLog asks all that is independent at once; what lies in the outage is asked when it is known.
func (s *session) studyLog(b *binding, fs *facts) error {
	fs.Kind, fs.Range = "log", b.span
	if lo, hi, ok := b.timeRange(); ok {
		fs.From, fs.To = lo.String(), hi.String()
	}
	if b.span != "" {
		t, err := s.extract(extract{Path: b.file, Aggregate: "count"})
		if err != nil {
			return err
		}
		fs.Rows = t.matched()
	}
	var where string
	fs.Rule, where = b.errorRule()
	minutes, err := s.errorMinutes(b, where)
	if err := first(err, s.countLevels(b, fs), s.firstAndLast(b, fs, where), s.topErrors(b, fs, where), s.errorsByService(b, fs, where),
		s.slowest(b, fs), s.changesInLog(b, fs)); err != nil {
		return err
	}
	if peak := s.peak(minutes); peak != nil {
		fs.Peak = peak
	}
	return s.findOutage(b, fs, where, minutes)
}

func (s *session) countLevels(b *binding, fs *facts) error {
	var err1, err2 error
	var t *table
	if b.column(rows.LevelField) != nil {
		if t, err1 = s.extract(extract{Path: b.file, GroupBy: rows.LevelField, Aggregate: "count"}); err1 == nil {
			fs.Levels = readGroups(t, rows.LevelField, "count")
		}
	}
	if st := b.statusColumn(); st != "" {
		if t, err2 = s.extract(extract{Path: b.file, Where: quoteName(st) + ` != ""`, GroupBy: st, Aggregate: "count"}); err2 == nil {
			fs.Statuses = readGroups(t, st, "count")
		}
	}
	return first(err1, err2)
}

func (s *session) firstAndLast(b *binding, fs *facts, where string) error {
	a, err1 := s.extract(extract{Path: b.file, Where: where, Order: "line asc", Limit: 1})
	z, err2 := s.extract(extract{Path: b.file, Where: where, Order: "line desc", Limit: 1})
	if err := first(err1, err2); err != nil {
		return err
	}
	fs.Errors = a.matched()
	if fs.Errors > 0 {
		fs.First, fs.Last = readEvent(a, 0), readEvent(z, 0)
	}
	return nil
}

// readEvent gives a row as an event: its message, or what stands for one.
func readEvent(t *table, i int) *event {
	e := &event{Source: t.cell(i, "source"), Time: t.cell(i, rows.TimeField), Text: t.cell(i, rows.MessageField)}
	if e.Text == "" {
		e.Text = t.cell(i, "text")
	}
	if p := t.cell(i, "path"); p != "" && (e.Text == "" || t.cell(i, "status") != "") && !strings.Contains(e.Text, p) {
		e.Text = strings.TrimSpace(e.Text + " " + t.cell(i, "method") + " " + p)
	}
	if st := t.cell(i, "status"); st != "" && !strings.Contains(e.Text, st) {
		e.Text = strings.TrimSpace(e.Text + " -> " + st)
	}
	if e.Text == "" && i < len(t.rows) && len(t.rows[i]) > 1 {
		e.Text = strings.Join(t.rows[i][1:min(len(t.rows[i]), 7)], " ")
	}
	return e
}

// messageColumns are what errors are told apart by.
func (b *binding) messageColumns() string {
	switch {
	case b.column(rows.MessageField) != nil:
		return rows.MessageField
	case b.column("path") != nil && b.statusColumn() != "":
		return "method,path," + b.statusColumn()
	case b.column("text") != nil:
		return rows.MessageField
	}
	return ""
}

func (s *session) topErrors(b *binding, fs *facts, where string) error {
	by := b.messageColumns()
	if by == "" {
		return nil
	}
	t, err := s.extract(extract{Path: b.file, Where: where, GroupBy: by, Aggregate: "count", Normalise: true, Limit: 5})
	if err != nil {
		return err
	}
	fs.Top = clipKeys(messageGroups(t, by))
	return nil
}

// messageGroups reads the groups of messages; a request is written as its method, path and status.
func messageGroups(t *table, by string) []groupLine {
	out := readGroups(t, by, "count")
	for i := range out {
		if parts := strings.Split(out[i].Key, " / "); strings.HasPrefix(by, "method,") && len(parts) == 3 {
			out[i].Key = parts[0] + " " + parts[1] + " -> " + parts[2]
		}
	}
	return out
}

// errorsByService tells which services of a log that holds several have errors.
func (s *session) errorsByService(b *binding, fs *facts, where string) error {
	for _, c := range b.cols {
		if c.kind != "text" || c.distinct < 2 || c.distinct > 60 || c.over || !sameThing(strings.Join(nameWords(c.name), " "), "service") {
			continue
		}
		t, err := s.extract(extract{Path: b.file, Where: where, GroupBy: c.name, Aggregate: "count,first(time),last(time)", Limit: 10})
		if err != nil {
			return err
		}
		fs.By, fs.Services = c.name, c.distinct
		for i, g := range readGroups(t, c.name, "count") {
			g.Files = t.cell(i, "first(time)") + " – " + t.cell(i, "last(time)")
			fs.Parts = append(fs.Parts, g)
		}
		return nil
	}
	return nil
}

// clipKeys keeps long messages short enough to be handed over.
func clipKeys(gs []groupLine) []groupLine {
	for i := range gs {
		gs[i].Key = clipText(gs[i].Key, 160)
	}
	return gs
}

func clipText(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

func (s *session) slowest(b *binding, fs *facts) error {
	c := b.durationColumn()
	if c == nil {
		return nil
	}
	t, err := s.extract(extract{Path: b.file, Order: c.name + " desc", Limit: 1})
	if err != nil || len(t.rows) == 0 {
		return err
	}
	fs.Slowest = readEvent(t, 0)
	fs.Slowest.Value = t.cell(0, c.name)
	fs.Unit = c.name
	if c.name == rows.DurationField {
		fs.Unit = "ms"
	}
	return nil
}

// changeWords mark lines that tell of a change to the system.
const changeWords = `(?i)\\b(deploy(ed|ing|ment)?|roll(ed|ing)?[ -]?(out|back)|released?|rollback|restart(ed|ing)?|upgraded?|downgraded?|migrat(ed|ion)|reconfigured|(config(uration)?|version|setting|flag|schema) (changed|updated|reloaded|applied)|feature flag|reloading config)\\b`

func (s *session) changesInLog(b *binding, fs *facts) error {
	if b.column(rows.MessageField) == nil && b.column("text") == nil {
		return nil
	}
	t, err := s.extract(extract{Path: b.file, Where: `message ~ "` + changeWords + `"`, Limit: 8})
	if err != nil {
		return err
	}
	for i := range t.rows {
		e := readEvent(t, i)
		e.Text = clipText(e.Text, 200)
		fs.Changes = append(fs.Changes, change{event: *e})
	}
	return nil
}

// studyTable describes a table: what each column holds.
func (s *session) studyTable(b *binding, fs *facts) error {
	fs.Kind = "table"
	if lo, hi, ok := b.timeRange(); ok {
		fs.From, fs.To = lo.String(), hi.String()
	}
	var aggs []string
	for _, c := range b.cols {
		if c.kind == "number" && !c.isID() && len(aggs) < 24 {
			aggs = append(aggs, "sum("+c.name+")", "avg("+c.name+")")
		}
	}
	t := &table{}
	if len(aggs) > 0 {
		var err error
		if t, err = s.extract(extract{Path: b.file, Aggregate: strings.Join(aggs, ",")}); err != nil {
			return err
		}
	}
	for _, c := range b.cols {
		fs.Columns = append(fs.Columns, groupLine{Key: c.name, Value: s.say.columnText(c, t), Count: c.filled})
	}
	return nil
}

func (l say) columnText(c column, t *table) string {
	distinct := cmp.Or(map[bool]string{true: "1000+"}[c.over], n(c.distinct))
	switch {
	case c.kind == "empty":
		return l.of("empty", "空")
	case c.kind == "number" && !c.isID():
		return l.f("numbers from %s to %s, sum %s, average %s", "数值 %s 至 %s，总和 %s，平均 %s", c.min, c.max, t.cell(0, "sum("+c.name+")"), t.cell(0, "avg("+c.name+")"))
	case c.kind == "time":
		return l.f("times from %s to %s", "时间 %s 至 %s", c.min, c.max)
	case c.distinct == c.filled && c.distinct > 20 || c.over || c.isID():
		return l.f("%s different values", "%s 个不同的值", distinct)
	}
	return l.f("%s different values: %s", "%s 个不同的值：%s", distinct, s8(c.examples))
}

func s8(items []string) string { return strings.Join(items[:min(len(items), 8)], ", ") }
