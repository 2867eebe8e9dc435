package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

// maxGroups is how many groups a scan keeps. Rows that would need another one are only counted.
const maxGroups = 100_000

// fileStats says what was read of one file, and how many of its rows matched.
type fileStats struct {
	name    string
	stats   rows.Stats
	matched int
}

// group stands for the rows that have the same values in the columns of group_by.
type group struct {
	keys    []string // these values, normalised where that was asked for
	literal string   // the values that were normalised, as they stand in the rows; empty once two rows differ
	figures []figure // one for each aggregate
	first   string   // source of the group's first row
	last    string   // source of its last row
}

// ranked is a row kept for the result, with what it is ordered by.
type ranked struct {
	row  *rows.Row
	key  key
	file int // index of its file
	seq  int // number of the row among those that matched
}

// scan is one question at work: what it has gathered from the rows so far.
type scan struct {
	q       *query
	file    int // index of the file that is being read
	files   []fileStats
	matched int
	seen    map[string]bool // names of the columns met in any row
	order   []string        // the same names, in the order in which they were met

	kept    []ranked        // the rows to show: the best by the asked order, or the first ones
	apart   [kinds][]ranked // the best among the rows whose value is a number, a time, or text
	tally   tally           // how many values of the order's column are of which kind
	groups  map[string]*group
	list    []*group // the same groups, in the order in which they were met
	lost    int      // rows that would need a group beyond maxGroups
	tallies []tally  // of the values of each min and max over all groups; set by settle
	about   *about   // describe; else nil
}

func newScan(q *query) *scan {
	s := &scan{q: q, seen: map[string]bool{}, groups: map[string]*group{}}
	if q.describe {
		s.about = newAbout(q.lookFor)
	}
	return s
}

// take adds a row to the answer if it meets the time range and the filter.
func (s *scan) take(r *rows.Row) {
	if !s.q.inRange(r) {
		return
	}
	for i := range s.q.where {
		if !s.q.where[i].holds(r) {
			return
		}
	}
	s.matched++
	switch {
	case s.about != nil:
		s.about.add(r)
	case s.q.grouped():
		s.addToGroup(r)
	default:
		s.keep(r)
	}
}

// note remembers the names of a row's columns.
func (s *scan) note(r *rows.Row) {
	for i := range r.Fields {
		if name := r.Fields[i].Name; !s.seen[name] {
			s.seen[name] = true
			s.order = append(s.order, name)
		}
	}
	if r.HasTime {
		s.seen[rows.TimeField] = true
	}
}

// addToGroup counts a row in its group.
func (s *scan) addToGroup(r *rows.Row) {
	g := s.groupOf(r)
	if g == nil {
		s.lost++
		return
	}
	src := source(r)
	if g.first == "" {
		g.first = src
	}
	g.last = src
	for i := range g.figures {
		g.figures[i].add(r)
	}
}

// groupOf gives the group of a row, a new one if it is the first row of it; nil if there are maxGroups already.
func (s *scan) groupOf(r *rows.Row) *group {
	keys := make([]string, len(s.q.groupBy))
	literal := ""
	for i, name := range s.q.groupBy {
		keys[i], _ = column(r, name)
		if s.q.normalises(name) {
			literal += keys[i] + "\x00"
			keys[i] = rows.Template(keys[i])
		}
	}
	id := strings.ToLower(strings.Join(keys, "\x00")) // Office and office are equal to a filter, and one group
	g, ok := s.groups[id]
	if !ok {
		if len(s.groups) == maxGroups {
			return nil
		}
		g = &group{keys: keys, literal: literal, figures: make([]figure, len(s.q.aggs))}
		for i, a := range s.q.aggs {
			g.figures[i].agg = a
		}
		s.groups[id] = g
		s.list = append(s.list, g)
	}
	if g.literal != literal {
		g.literal = ""
	}
	return g
}

// keep keeps a row if the result may show it: one of the first, or of the best by the asked order. No more rows than
// offset and limit ask for are held in memory.
func (s *scan) keep(r *rows.Row) {
	n := s.q.offset + s.q.limit
	if s.q.order.column == "" {
		if len(s.kept) < n {
			s.kept = append(s.kept, ranked{row: r.Clone()})
		}
		return
	}
	v, ok := column(r, s.q.order.column)
	if !ok || v == "" {
		return
	}
	k := ranked{key: keyOf(v), file: s.file, seq: s.matched}
	s.tally.add(k.key)
	s.rank(&s.kept, &k, r, n)
	s.rank(&s.apart[k.key.kind()], &k, r, n)
}

// rank puts a row in its place among the best n of a list, if it is one of them.
func (s *scan) rank(list *[]ranked, k *ranked, r *rows.Row, n int) {
	kept := *list
	if len(kept) == n && s.before(kept[n-1], *k) {
		return
	}
	at, _ := slices.BinarySearchFunc(kept, *k, func(a, b ranked) int {
		if s.before(a, b) {
			return -1
		}
		return 1
	})
	if k.row == nil {
		k.row = r.Clone()
	}
	if len(kept) == n {
		kept = kept[:n-1]
	}
	*list = slices.Insert(kept, at, *k)
}

// ranked gives the rows to show, and how many rows were left out of the order because their value is of another kind
// than most: a text among numbers is neither the largest nor the smallest.
func (s *scan) ranked() ([]ranked, int) {
	if k, ok := s.tally.main(); ok {
		return s.apart[k], s.tally.all - s.tally.of[k]
	}
	return s.kept, 0
}

// before reports whether row a comes before row b in the asked order. Rows with equal values keep the order of the
// files and lines.
func (s *scan) before(a, b ranked) bool {
	c := a.key.compare(b.key)
	if s.q.order.column == lineColumn { // rows of an array may share a line
		c = cmp.Or(a.file-b.file, c, a.seq-b.seq)
	}
	if s.q.order.desc {
		c = -c
	}
	if c != 0 {
		return c < 0
	}
	return a.file < b.file || a.file == b.file && a.seq <= b.seq
}

// unknownColumn returns an error for a column of the call that no row has. Otherwise a misspelled column would give an
// empty answer.
func (s *scan) unknownColumn() error {
	if len(s.seen) == 0 {
		return nil
	}
	for _, name := range s.q.used() {
		if s.known(name) {
			continue
		}
		err := bad("there is no column %q", name)
		return err.WithHint("Columns: " + strings.Join(s.order[:min(len(s.order), 40)], ", ") + ".")
	}
	return nil
}

// known reports whether a name is a column: one that a row has, or one that is derived for every row.
func (s *scan) known(name string) bool {
	switch name {
	case anyColumn, fileColumn, lineColumn, leadColumn, weekday, address, rows.TimeField, rows.LevelField, rows.MessageField:
		return true
	case string(rows.Minute), string(rows.Hour), string(rows.Day), string(rows.Month), string(rows.Year):
		return true
	}
	if s.seen[name] || strings.HasPrefix(name, afterColumn) || strings.HasPrefix(name, openerColumn) {
		return true
	}
	if _, of, ok := bucketed(name); ok {
		return s.seen[of]
	}
	_, _, _, ok := operands(name, func(n string) bool { return s.seen[n] })
	return ok
}

// used lists the columns that the call names.
func (q *query) used() []string {
	out := slices.Concat(q.columns, q.groupBy)
	for _, c := range q.where {
		out = append(out, c.column)
	}
	for _, a := range q.aggs {
		if a.column != "" {
			out = append(out, a.column)
		}
	}
	if !q.grouped() && q.order.column != "" {
		out = append(out, q.order.column)
	}
	return out
}
