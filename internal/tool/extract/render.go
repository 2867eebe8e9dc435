package extract

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// Limits of an answer in text.
const (
	defaultBytes = 4000  // bytes of an answer
	wideBytes    = 16000 // bytes of an answer whose call asked for a limit
	maxCell      = 300   // bytes of one value
	maxShown     = 14    // columns, unless the call names them
)

func (s *scan) render() string {
	var b strings.Builder
	s.renderFiles(&b)
	switch {
	case s.about != nil:
		s.renderAbout(&b)
	case s.q.grouped():
		s.renderGroups(&b)
	default:
		s.renderRows(&b)
	}
	return b.String()
}

// renderFiles writes a line for each of the first ten files: what was read, and what could not be read as a row.
func (s *scan) renderFiles(b *strings.Builder) {
	shown := s.files[:min(len(s.files), 10)]
	for _, f := range shown {
		fmt.Fprintf(b, "# %s format=%s lines=%d rows=%d matched=%d malformed=%d", f.name, f.stats.Format, f.stats.Lines, f.stats.Rows, f.matched, f.stats.Malformed)
		if f.stats.Cut > 0 {
			fmt.Fprintf(b, " cut=%d", f.stats.Cut)
		}
		if len(f.stats.MalformedAt) > 0 {
			fmt.Fprintf(b, " malformed_at=%s", numbers(f.stats.MalformedAt))
		}
		b.WriteByte('\n')
	}
	if n := len(s.files) - len(shown); n > 0 {
		fmt.Fprintf(b, "# and %d files more\n", n)
	}
	if len(s.files) > 1 {
		fmt.Fprintf(b, "# in all matched=%d\n", s.matched)
	}
}

func numbers(ns []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(ns), " ", ","), "[]")
}

func (s *scan) budget() int {
	if s.q.given {
		return wideBytes
	}
	return defaultBytes
}

// renderLines writes lines until the answer has as many bytes as it may, and then which of how many these are. from is
// the offset of the first line.
func (s *scan) renderLines(b *strings.Builder, lines []string, from, total int, what string) {
	n := 0
	for _, line := range lines {
		if n > 0 && b.Len()+len(line) > s.budget() {
			break
		}
		b.WriteString(line)
		b.WriteByte('\n')
		n++
	}
	if n == 0 {
		fmt.Fprintf(b, "[no %s of %d]", what, total)
		return
	}
	fmt.Fprintf(b, "[%s %d-%d of %d", what, from+1, from+n, total)
	if from+n < total {
		fmt.Fprintf(b, "; next offset %d", from+n)
	}
	b.WriteByte(']')
}

// renderRows writes the rows that matched, each with its source.
func (s *scan) renderRows(b *strings.Builder) {
	total := s.matched
	ordered, skipped := s.ranked()
	if total -= skipped; skipped > 0 {
		k, _ := s.tally.main()
		fmt.Fprintf(b, "# order %s: skipped=%d values that are no %s\n", s.q.order.column, skipped, k.noun())
	}
	kept := ordered[min(s.q.offset, len(ordered)):]
	cols := s.shownColumns(kept)
	b.WriteString("source\t" + strings.Join(cols, "\t") + "\n")
	lines := make([]string, len(kept))
	for i, k := range kept {
		cells := []string{cell(source(k.row))}
		for _, name := range cols {
			v, _ := column(k.row, name)
			cells = append(cells, cell(clip(s.shown(name, v), maxCell)))
		}
		lines[i] = strings.Join(cells, "\t")
	}
	s.renderLines(b, lines, s.q.offset, total, "rows")
}

// shown gives a value as the answer shows it.
func (s *scan) shown(name, v string) string {
	if s.q.normalises(name) {
		return rows.Template(v)
	}
	return v
}

// shownColumns gives the columns that the call names, or else the first maxShown of those that the shown rows have.
func (s *scan) shownColumns(kept []ranked) []string {
	if len(s.q.columns) > 0 {
		return s.q.columns
	}
	has := map[string]bool{}
	for _, k := range kept {
		for i := range k.row.Fields {
			has[k.row.Fields[i].Name] = true
		}
	}
	var out []string
	for _, name := range s.order {
		if has[name] && len(out) < maxShown {
			out = append(out, name)
		}
	}
	return out
}

// renderGroups writes the groups with their figures and their first and last source.
func (s *scan) renderGroups(b *strings.Builder) {
	if len(s.list) == 0 && len(s.q.groupBy) == 0 {
		s.groupOf(&rows.Row{}) // figures over no rows are still figures
	}
	s.settle()
	s.sortGroups()
	s.renderNotes(b)
	b.WriteString(strings.Join(append(s.q.resultColumns(), "first_source", "last_source"), "\t") + "\n")
	from := min(s.q.offset, len(s.list))
	to := min(from+s.q.limit, len(s.list))
	var lines []string
	for _, g := range s.list[from:to] {
		lines = append(lines, s.groupLine(g))
	}
	s.renderLines(b, lines, s.q.offset, len(s.list), "groups")
}

// groupLine writes one group. A normalised value is shown as it stands if it is the same in all rows of the group.
func (s *scan) groupLine(g *group) string {
	var cells []string
	literal := strings.Split(g.literal, "\x00")
	for i, k := range g.keys {
		if g.literal != "" && s.q.normalises(s.q.groupBy[i]) {
			k, literal = literal[0], literal[1:]
		}
		cells = append(cells, cell(clip(k, maxCell)))
	}
	for i := range g.figures {
		cells = append(cells, cell(clip(g.figures[i].String(), maxCell)))
	}
	return strings.Join(append(cells, cell(g.first), cell(g.last)), "\t")
}

// renderNotes says what the figures leave out.
func (s *scan) renderNotes(b *strings.Builder) {
	if s.lost > 0 {
		fmt.Fprintf(b, "# incomplete: more than %d groups; %d rows are in none of them\n", maxGroups, s.lost)
	}
	for i, a := range s.q.aggs {
		skipped, over := 0, false
		for _, g := range s.list {
			skipped += g.figures[i].skipped
			over = over || g.figures[i].over
		}
		if skipped > 0 {
			k, _ := s.tallies[i].main()
			fmt.Fprintf(b, "# %s: skipped=%d values that are no %s\n", a, skipped, k.noun())
		}
		if over {
			fmt.Fprintf(b, "# %s: incomplete, more than %d values\n", a, maxValues)
		}
	}
}

// settle limits each least and greatest value to the kind that most values have, over all groups: a text among numbers
// is neither.
func (s *scan) settle() {
	s.tallies = make([]tally, len(s.q.aggs))
	for i, a := range s.q.aggs {
		if a.fn != "min" && a.fn != "max" {
			continue
		}
		for _, g := range s.list {
			s.tallies[i].join(g.figures[i].ends.tally)
		}
		for _, g := range s.list {
			g.figures[i].settle(s.tallies[i])
		}
	}
}

// sortGroups orders by the asked column; without one, times run forward and all else by the first
// figure, largest first.
func (s *scan) sortGroups() {
	o := s.q.order
	if o.column == "" {
		if s.byTime() {
			o = order{column: s.q.groupBy[0]}
		} else {
			o = order{column: s.q.aggs[0].String(), desc: true}
		}
	}
	keys := make(map[*group]key, len(s.list))
	for _, g := range s.list {
		keys[g] = keyOf(s.groupValue(g, o.column))
	}
	sorting.By(s.list, func(a, b *group) int {
		if x, y := keys[a].text == "", keys[b].text == ""; x != y && !slices.Contains(s.q.groupBy, o.column) {
			return map[bool]int{true: 1, false: -1}[x] // a group without the figure comes last
		}
		c := keys[a].compare(keys[b])
		if o.desc {
			return -c
		}
		return c
	})
}

// byTime reports whether the groups are times.
func (s *scan) byTime() bool {
	if len(s.q.groupBy) == 0 {
		return false
	}
	switch s.q.groupBy[0] {
	case string(rows.Minute), string(rows.Hour), string(rows.Day), string(rows.Month), string(rows.Year), rows.TimeField:
		return true
	}
	return false
}

// groupValue gives a group's value in a column of the result.
func (s *scan) groupValue(g *group, name string) string {
	if i := slices.Index(s.q.groupBy, name); i >= 0 {
		return g.keys[i]
	}
	for i, a := range s.q.aggs {
		if a.String() == name {
			return g.figures[i].String()
		}
	}
	return ""
}

func (s *scan) renderAbout(b *strings.Builder) {
	lines := s.about.lines()
	b.WriteString(strings.Join(lines, "\n"))
	fmt.Fprintf(b, "\n[%d columns]", len(s.about.columns))
}

// cell writes a value so that it cannot break its row.
func cell(s string) string {
	if !strings.ContainsAny(s, "\t\n\r\\") {
		return s
	}
	return strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`).Replace(s)
}

// clip cuts a value to about n bytes, at a whole character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
