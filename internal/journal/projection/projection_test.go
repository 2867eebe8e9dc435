package projection_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var start = time.Date(2026, 11, 30, 9, 0, 0, 123456789, time.UTC)

func row(n int) projection.Row {
	id := akitad.DeriveTaskID("row", fmt.Sprint(n))
	return projection.Row{
		ID: id, Root: id, State: akitad.Running, Profile: "general", Session: akitad.DeriveSessionKey(fmt.Sprint(n % 5)),
		Channel: "telegram", Sender: "1001", Text: fmt.Sprintf("Task number %d about the zebra", n),
		Created: start.Add(time.Duration(n) * time.Second), Updated: start.Add(time.Duration(n) * time.Second),
		Priority: akitad.Normal, Seq: uint64(n + 1),
	}
}

func rows(n int) (out []projection.Row) {
	for i := range n {
		out = append(out, row(i))
	}
	return out
}

func open(t testing.TB, path string) *projection.Projection {
	t.Helper()
	p, err := projection.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func fresh(t testing.TB) *projection.Projection {
	return open(t, filepath.Join(t.TempDir(), "tasks.db"))
}

func apply(t testing.TB, p *projection.Projection, cursor uint64, rows ...projection.Row) {
	t.Helper()
	if err := p.Apply(context.Background(), rows, cursor); err != nil {
		t.Fatal(err)
	}
}

func list(t testing.TB, p *projection.Projection, f projection.Filter) ([]projection.Row, string) {
	t.Helper()
	got, next, err := p.List(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return got, next
}

func ids(rows []projection.Row) (out []akitad.TaskID) {
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return out
}

func cursor(t testing.TB, p *projection.Projection) uint64 {
	t.Helper()
	c, err := p.Cursor(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRowRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks #1?.db")
	want := row(1)
	want.Parent, want.Depth, want.Reason = akitad.DeriveTaskID("p"), 2, akitad.ReasonChildren
	want.Started, want.Ended = new(start.Add(time.Minute)), new(start.Add(time.Hour))
	want.Usage = akitad.Usage{Input: 10, Cached: 4, Output: 3, Calls: 2, Cost: 0.25}
	want.Rounds, want.Attempts, want.Settled, want.Delivered, want.Seq = 7, 3, true, true, 1<<62
	p := open(t, path)
	apply(t, p, 1<<62, want, row(2))
	p.Close()

	p = open(t, path)
	got, next := list(t, p, projection.Filter{})
	if len(got) != 2 || next != "" || !reflect.DeepEqual(got[1], want) {
		t.Errorf("got %+v, want %+v", got[1], want)
	}
	if got[0].Started != nil || got[0].Ended != nil {
		t.Errorf("times out of nothing: %+v", got[0])
	}
	if c := cursor(t, p); c != 1<<62 {
		t.Errorf("cursor %d", c)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file mode %v (%v)", info.Mode(), err)
	}
}

func TestTextIsCutToCharacters(t *testing.T) {
	p := fresh(t)
	r := row(1)
	r.Text = strings.Repeat("斑马", 400) + "\xff"
	apply(t, p, 1, r)
	got, _ := list(t, p, projection.Filter{})
	if got[0].Text != strings.Repeat("斑马", 250) {
		t.Errorf("kept %d bytes", len(got[0].Text))
	}
}

func TestApplyNeverGoesBack(t *testing.T) {
	p := fresh(t)
	newer := row(1)
	newer.State, newer.Seq = akitad.Completed, 9
	apply(t, p, 9, newer)
	apply(t, p, 3, row(1))
	got, _ := list(t, p, projection.Filter{})
	if len(got) != 1 || got[0].State != akitad.Completed {
		t.Errorf("an old row undid a newer one: %+v", got)
	}
	if c := cursor(t, p); c != 9 {
		t.Errorf("cursor went back to %d", c)
	}
	newer.Delivered, newer.Text = true, "other words"
	apply(t, p, 9, newer)
	if got, _ := list(t, p, projection.Filter{}); !got[0].Delivered || got[0].Text != row(1).Text {
		t.Errorf("the same sequence applied again gave %+v", got[0])
	}
}

func TestApplyIsAllOrNothing(t *testing.T) {
	p := fresh(t)
	bad := row(2)
	bad.Usage.Cost = nan()
	if err := p.Apply(t.Context(), []projection.Row{row(1), bad}, 5); err == nil {
		t.Fatal("a row that cannot be stored was applied")
	}
	if got, _ := list(t, p, projection.Filter{}); len(got) != 0 || cursor(t, p) != 0 {
		t.Errorf("half applied: %v, cursor %d", ids(got), cursor(t, p))
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

func TestFilters(t *testing.T) {
	p := fresh(t)
	all := rows(6)
	all[1].State, all[2].State = akitad.Failed, akitad.Failed
	all[3].Root, all[3].Parent = all[0].ID, all[0].ID
	all[4].Root, all[4].Parent = all[0].ID, all[3].ID
	all[5].Text = "总结一下斑马的ÉTÉ 100%_x"
	apply(t, p, 6, all...)
	for _, tt := range []struct {
		name   string
		filter projection.Filter
		want   []int
	}{
		{"all", projection.Filter{}, []int{5, 4, 3, 2, 1, 0}},
		{"state", projection.Filter{State: akitad.Failed}, []int{2, 1}},
		{"session", projection.Filter{Session: all[0].Session}, []int{5, 0}},
		{"root", projection.Filter{Root: all[0].ID}, []int{4, 3, 0}},
		{"parent", projection.Filter{Parent: all[0].ID}, []int{3}},
		{"query", projection.Filter{Query: "NUMBER 2"}, []int{2}},
		{"query zh", projection.Filter{Query: "斑马"}, []int{5}},
		{"query one character", projection.Filter{Query: "结"}, []int{5}},
		{"query in other case", projection.Filter{Query: "été"}, []int{5}},
		{"query with signs", projection.Filter{Query: "100%_"}, []int{5}},
		{"signs are no wildcards", projection.Filter{Query: "T%k"}, nil},
		{"quotes", projection.Filter{Query: "'; DROP TABLE tasks; --"}, nil},
		{"two", projection.Filter{State: akitad.Failed, Query: "number 1"}, []int{1}},
		{"limit", projection.Filter{Limit: 2}, []int{5, 4}},
		{"negative limit", projection.Filter{Limit: -1, State: akitad.Failed}, []int{2, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []akitad.TaskID
			for _, i := range tt.want {
				want = append(want, all[i].ID)
			}
			got, _ := list(t, p, tt.filter)
			if !slices.Equal(ids(got), want) {
				t.Errorf("got %v, want %v", ids(got), want)
			}
		})
	}
}

// Pages cover all rows once, whatever is made, changed or deleted between two of them.
func TestPagesAreStable(t *testing.T) {
	p := fresh(t)
	all := rows(25)
	for i := range all { // many of the same moment
		all[i].Created = start.Add(time.Duration(i/10) * time.Second)
	}
	apply(t, p, 25, all...)
	seen := map[akitad.TaskID]int{}
	next, pages := "", 0
	for {
		var got []projection.Row
		got, next = list(t, p, projection.Filter{Limit: 4, Cursor: next})
		for _, r := range got {
			seen[r.ID]++
		}
		pages++
		late := row(1000 + pages)
		changed := all[pages]
		changed.State, changed.Seq = akitad.Completed, 5000
		apply(t, p, 6000, late, changed)
		if err := p.Delete(t.Context(), got[0].ID); err != nil {
			t.Fatal(err)
		}
		if next == "" {
			break
		}
	}
	if pages != 7 {
		t.Errorf("%d pages of 4 for 25 rows", pages)
	}
	for _, r := range all {
		if seen[r.ID] != 1 {
			t.Errorf("%s was seen %d times", r.ID, seen[r.ID])
		}
	}
}

func TestFullLastPageHasNoNext(t *testing.T) {
	p := fresh(t)
	apply(t, p, 4, rows(4)...)
	if got, next := list(t, p, projection.Filter{Limit: 4}); len(got) != 4 || next != "" {
		t.Errorf("%d rows, next %q", len(got), next)
	}
}

func TestBadCursor(t *testing.T) {
	p := fresh(t)
	for _, c := range []string{"x", "%%%", "bnVsbA", "e30", "\x00", "-1"} {
		_, _, err := p.List(t.Context(), projection.Filter{Cursor: c})
		if akitad.KindOf(err) != akitad.InvalidRequest || err.Error() != strconv.Quote(c)+" is no cursor" || akitad.FailureOf(err).Hint == "" {
			t.Errorf("cursor %q: %v", c, err)
		}
	}
}

func TestStaleSettledCountsDelete(t *testing.T) {
	p := fresh(t)
	all := rows(6)
	for _, i := range []int{0, 3} {
		all[i].Settled, all[i].State, all[i].Ended = true, akitad.Completed, new(all[i].Updated)
	}
	apply(t, p, 6, all...)
	ctx := t.Context()
	stale, err := p.Stale(ctx, start.Add(15*time.Second), 10*time.Second)
	if want := []akitad.TaskID{all[1].ID, all[2].ID, all[4].ID}; err != nil || !slices.Equal(ids(stale), want) {
		t.Errorf("stale %v (%v), want %v", ids(stale), err, want)
	}
	stale, err = p.Stale(ctx, start.Add(-6*time.Second), 10*time.Second)
	if want := []akitad.TaskID{all[5].ID}; err != nil || !slices.Equal(ids(stale), want) {
		t.Errorf("by a clock that was set back: stale %v (%v), want %v", ids(stale), err, want)
	}
	settled, err := p.Settled(ctx, start.Add(3*time.Second))
	if want := []akitad.TaskID{all[0].ID}; err != nil || !slices.Equal(ids(settled), want) {
		t.Errorf("settled %v (%v), want %v", ids(settled), err, want)
	}
	if err := p.Delete(ctx, all[0].ID, all[1].ID, "t_none"); err != nil {
		t.Fatal(err)
	}
	counts, err := p.Counts(ctx)
	if want := map[akitad.State]int{akitad.Running: 3, akitad.Completed: 1}; err != nil || !reflect.DeepEqual(counts, want) {
		t.Errorf("counts %v (%v), want %v", counts, err, want)
	}
	if err := p.Reset(ctx); err != nil {
		t.Fatal(err)
	}
	if counts, _ := p.Counts(ctx); len(counts) != 0 || cursor(t, p) != 0 {
		t.Errorf("after reset %v, cursor %d", counts, cursor(t, p))
	}
}

// Readers see whole transactions and do not wait for a writer.
func TestReadersBesideAWriter(t *testing.T) {
	p := fresh(t)
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				counts, err := p.Counts(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				if n := counts[akitad.Running]; n%100 != 0 {
					t.Errorf("saw %d rows, no multiple of a transaction's", n)
				}
			}
		})
	}
	all := rows(2000)
	for i := 0; i < len(all); i += 100 {
		apply(t, p, uint64(i), all[i:i+100]...)
	}
	stop()
	wg.Wait()
}

func TestCancelledContext(t *testing.T) {
	p := fresh(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Apply(ctx, rows(1), 1); akitad.KindOf(err) != akitad.Cancelled {
		t.Errorf("apply: %v", err)
	}
	if _, _, err := p.List(ctx, projection.Filter{}); akitad.KindOf(err) != akitad.Cancelled {
		t.Errorf("list: %v", err)
	}
}
