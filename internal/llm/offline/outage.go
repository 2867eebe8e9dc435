package offline

import (
	"math"
	"slices"
	"time"

	"github.com/akitad/akitad/internal/rows"
)

// bucket is one minute, hour or day that has errors.
type bucket struct {
	line groupLine
	when rows.Time
	at   time.Time
}

// timeline is the errors of a log by minute, or by hour or day where there are too many minutes.
type timeline struct {
	unit    rows.Unit
	buckets []bucket
}

func (t *timeline) width() time.Duration {
	switch t.unit {
	case rows.Hour:
		return time.Hour
	case rows.Day:
		return 24 * time.Hour
	}
	return time.Minute
}

// errorMinutes asks for the errors of each minute; a log of many days is asked by hour, then day.
func (s *session) errorMinutes(b *binding, where string) (*timeline, error) {
	if _, _, ok := b.timeRange(); !ok {
		return nil, nil
	}
	for _, unit := range []rows.Unit{rows.Minute, rows.Hour, rows.Day} {
		t, err := s.extract(extract{Path: b.file, Where: where, GroupBy: string(unit), Aggregate: "count", Limit: 500})
		if err != nil {
			return nil, err
		}
		if t.more && unit != rows.Day {
			continue
		}
		tl := &timeline{unit: unit}
		for _, g := range readGroups(t, string(unit), "count") {
			if at, ok := rows.ParseTime(g.Key); ok {
				tl.buckets = append(tl.buckets, bucket{g, at, at.At})
			}
		}
		return tl, nil
	}
	return nil, nil
}

// peak is the busiest bucket, the first of several.
func (s *session) peak(t *timeline) *groupLine {
	var best *groupLine
	if t == nil {
		return nil
	}
	for i := range t.buckets {
		if g := &t.buckets[i].line; best == nil || g.Count > best.Count {
			best = g
		}
	}
	return best
}

// pile finds the stretch of buckets in which errors pile up above what is usual: of all stretches
// the one whose errors exceed twice the usual rate, and two a bucket, by most. ok is false if there
// is none. from and to are the log's first and last time.
func (t *timeline) pile(from, to time.Time) (first, last time.Time, ok bool) {
	counts, start := t.dense(from, to)
	if counts == nil {
		return first, last, false
	}
	sorted := slices.Sorted(slices.Values(counts))
	usual := sorted[len(sorted)/5]
	limit := 2*usual + 2
	best, bestFrom, bestTo, sum, begin := 0, 0, 0, 0, 0
	for i, c := range counts {
		if sum <= 0 {
			sum, begin = 0, i
		}
		if sum += c - limit; sum > best {
			best, bestFrom, bestTo = sum, begin, i
		}
	}
	if best == 0 || !dense(counts, bestFrom, bestTo+1) {
		return first, last, false
	}
	w := t.width()
	return start.Add(time.Duration(bestFrom) * w), start.Add(time.Duration(bestTo) * w), true
}

// dense tells that a stretch has more errors than the rest of the log would give it by chance: twice
// what is usual there, and five standard deviations of a count and one above it.
func dense(counts []int, from, to int) bool {
	in, out := 0, 0
	for i, c := range counts {
		if i >= from && i < to {
			in += c
		} else {
			out += c
		}
	}
	rest := len(counts) - (to - from)
	if rest == 0 || out == 0 {
		return true
	}
	usual := float64(out) / float64(rest) * float64(to-from)
	return float64(in) >= max(2*usual, usual+5*math.Sqrt(usual)+1)
}

// maxBuckets bounds the dense timeline: a year of minutes.
const maxBuckets = 530_000

// dense gives the errors of every bucket of the log, quiet ones included.
func (t *timeline) dense(from, to time.Time) ([]int, time.Time) {
	w := t.width()
	start := from.Truncate(w)
	size := int(to.Sub(start)/w) + 1
	if size < 1 || size > maxBuckets || len(t.buckets) == 0 {
		return nil, start
	}
	counts := make([]int, size)
	for _, b := range t.buckets {
		if i := int(b.at.Sub(start) / w); i >= 0 && i < size {
			counts[i] = b.line.Count
		}
	}
	return counts, start
}

// mainShare is the part of an outage's errors from which a message counts as one of its causes.
const mainShare = 0.05

// failing is the part of all rows from which a log counts as failing although its errors do not
// pile up anywhere.
const failing = 0.05

// findOutage decides whether the log shows a failure, from when to when, and by which messages.
func (s *session) findOutage(b *binding, fs *facts, where string, t *timeline) error {
	if fs.Errors == 0 {
		return nil
	}
	lo, hi, timed := b.looked()
	by := b.messageColumns()
	if timed && t != nil && by != "" {
		if from, to, ok := t.pile(lo.At, hi.At); ok {
			return s.outageBetween(b, fs, where, by, lo, from, to.Add(t.width()), t.width())
		}
	}
	if float64(fs.Errors) >= failing*float64(fs.Rows) && !fs.scattered(lo, hi, timed) || fs.severe() {
		fs.Outage = &outage{From: *fs.First, To: *fs.Last, Errors: fs.Errors, Causes: fs.Top, Whole: true}
	}
	return nil
}

// A log whose errors stand all over it, most of its rows being none, has noise and no failure.
const (
	scatteredOver = 0.8 // of the log's time, from the first error to the last
	scatteredLess = 0.2 // of its rows
)

func (fs *facts) scattered(lo, hi rows.Time, timed bool) bool {
	if !timed || fs.First == nil || fs.Last == nil || fs.Errors < 2 {
		return false
	}
	first, ok1 := rows.ParseTime(fs.First.Time)
	last, ok2 := rows.ParseTime(fs.Last.Time)
	whole := hi.Sub(lo)
	return ok1 && ok2 && whole > 0 && float64(last.Sub(first)) >= scatteredOver*float64(whole) && float64(fs.Errors) < scatteredLess*float64(fs.Rows)
}

// severe tells that the log has lines worse than errors.
func (fs *facts) severe() bool {
	return slices.ContainsFunc(fs.Levels, func(g groupLine) bool { return rows.Severity(g.Key) > rows.Error && g.Count > 0 })
}

// looked gives the first and last time of what is looked at: of the file, or of the range in it.
func (b *binding) looked() (lo, hi rows.Time, ok bool) {
	lo, hi, ok = b.timeRange()
	if t, is := rows.ParseTime(b.since); is && ok {
		if t = t.On(lo).In(lo); t.Compare(lo) > 0 {
			lo.At = t.At
		}
	}
	if t, is := rows.ParseTime(b.until); is && ok {
		if t = t.On(lo).In(lo); t.Compare(hi) < 0 && t.Compare(lo) > 0 {
			hi.At = t.At.Add(-1)
		}
	}
	return lo, hi, ok
}

// outageBetween asks which messages make up the pile. Its first and last minute are only partly in
// it, so one more on each side is looked at, and the outage runs from the first to the last of its
// main messages there.
func (s *session) outageBetween(b *binding, fs *facts, where, by string, shape rows.Time, from, to time.Time, w time.Duration) error {
	since, until := shape, shape
	since.At, until.At = from.Add(-w), to.Add(w)
	since.Precision, until.Precision = rows.ToSecond, rows.ToSecond
	t, err := s.extract(extract{
		Path: b.file, Where: where, Since: since.String(), Until: until.String(), GroupBy: by,
		Aggregate: "count,first(time),last(time)", Normalise: true, Limit: 20,
	})
	if err != nil {
		return err
	}
	o := &outage{}
	for i, g := range messageGroups(t, by) {
		if float64(g.Count) < mainShare*float64(t.matched()) {
			continue
		}
		o.Errors += g.Count
		o.add(event{Source: g.First, Time: t.cell(i, "first(time)"), Text: g.Key}, event{Source: g.Last, Time: t.cell(i, "last(time)"), Text: g.Key})
		o.Causes = append(o.Causes, g)
	}
	o.Causes = clipKeys(o.Causes[:min(len(o.Causes), 4)])
	if o.Errors >= 3 {
		fs.Outage = o
	}
	return nil
}

func (o *outage) add(first, last event) {
	if o.From.Source == "" || earlier(first, o.From) {
		o.From = first
	}
	if o.To.Source == "" || earlier(o.To, last) {
		o.To = last
	}
}

// earlier orders events of one file by time, and by line within the same moment.
func earlier(a, b event) bool {
	t, _ := rows.ParseTime(a.Time)
	u, _ := rows.ParseTime(b.Time)
	if c := t.Compare(u); c != 0 {
		return c < 0
	}
	return lineOf(a.Source) < lineOf(b.Source)
}
