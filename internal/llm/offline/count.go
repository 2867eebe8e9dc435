package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

var countWords = pattern.New(`\bhow many\b|\bcount\b|多少|几个`)

var countBefore = pattern.New(`(?:\bhow many|\bnumber of|\bcount(?: of)?(?: the)?|多少|几)\s*(?:个|条|颗|名|位|种|台|笔|单|次|件)?\s*$`)

// countNext follows what is counted: 失败的任务有多少个.
var countNext = pattern.New(`^(?:一共|总共|共)?有?(?:多少|几)(?:个|次|条|笔|台|名|位|件|种|项|单)?\s*[?？。]?\s*$`)

// namesRows tells that a named column says what the rows are: what "how many" counts, or what tells
// them apart.
func (b *binding) namesRows(m named) bool {
	return countBefore.MatchString(b.q.Text[:m.from]) || strings.HasSuffix(b.q.Text[:m.from], "的") && countNext.MatchString(b.q.Text[m.to:]) || m.col.isID() || m.col.distinct == m.col.filled && !m.col.over && m.col.distinct > few
}

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

// count counts rows, or different values if the question counts what a column names.
func (s *session) count(b *binding) (*finding, error) {
	if c := b.countedColumn(); c != nil {
		return s.figure(b, "distinct", c)
	}
	if m := unitsAsked.FindStringSubmatchIndex(b.q.Text); m != nil {
		if m[2] < 0 {
			m[2], m[3] = m[4], m[5]
		}
		unit := b.q.Text[m[2]:m[3]]
		if c := b.unitColumn(unit); c != nil && inTotal.MatchString(b.q.Text) && b.dropMention(unit) {
			return s.figure(b, "sum", c)
		}
		if !b.used(m[2], m[3]) {
			return b.decline(b.say.f("it has no column of `%s`", "其中没有以 `%s` 计的列", unit)), nil
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
	if err := s.noteRefused(b, f); err != nil {
		return nil, err
	}
	return f, s.showFew(b, f)
}

// unitsAsked asks for an amount in a unit, which no number of rows is.
var unitsAsked = pattern.New(`\bhow (?:many|much) ([kmgt]i?b|[kmgt]bytes|(?:kilo|mega|giga|tera)bytes|bytes|ms|milliseconds|seconds|minutes|hours|euros?|dollars?|kg|km|kilograms|kilomet(?:er|re)s|lit(?:er|re)s)\b|多少(?:个)?([kmgt]b|字节|毫秒|公斤|千克|公里|升)`)

// unitColumn is the one column of numbers whose name says that it is in a unit; nil if there is none or a choice.
func (b *binding) unitColumn(unit string) (only *column) {
	for i := range b.cols {
		if c := &b.cols[i]; c.kind == "number" && strings.HasSuffix(strings.ToLower(c.name), "_"+unit) {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}

// dropMention takes out the condition that rows hold a word, as those of JSON do that only have it in a name.
func (b *binding) dropMention(word string) bool {
	i := slices.Index(b.where, "any contains "+quoteValue(word))
	if i < 0 {
		return false
	}
	b.where, b.said = slices.Delete(b.where, i, i+1), slices.Delete(b.said, i, i+1)
	return true
}

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

// noteRefused says of requests how many more had a status of 400 to 499, where errors were taken for those of the server.
func (s *session) noteRefused(b *binding, f *finding) error {
	st := quoteName(b.statusColumn())
	at := slices.Index(b.where, st+" >= 500")
	if at < 0 || len(b.q.Statuses) > 0 || b.q.Status > 0 {
		return nil
	}
	args := b.args()
	rest := slices.Clone(b.where)
	rest[at] = st + " >= 400 and " + st + " < 500"
	args.Where, args.Aggregate = strings.Join(rest, " and "), "count"
	t, err := s.extract(args)
	if err != nil {
		return err
	}
	if more := atoi(t.cell(0, "count")); more > 0 {
		f.Notes = append(f.Notes, b.say.f("%s more with a status of 400 to 499", "另有 %s 的状态码为 400 到 499", plainRows(b.say, more)))
	}
	return nil
}

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
