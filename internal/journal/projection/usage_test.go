package projection_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal/projection"
)

func spent(day, endpoint, role string, input, calls int) projection.Spent {
	return projection.Spent{Day: day, Bill: akitad.Bill{Endpoint: endpoint, Role: role, Usage: akitad.Usage{Input: input, Output: 1, Calls: calls, Cost: 0.5}}}
}

// household is three people's work: a root task with a child, one over midnight, one of nobody's.
func household() []projection.Row {
	ann, child, bob, nobody := row(1), row(2), row(3), row(4)
	ann.Spent = []projection.Spent{spent("2026-11-29", "big", "main", 100, 1), spent("2026-11-30", "big", "main", 10, 2), spent("2026-11-30", "small", "compiler", 5, 1)}
	child.Root, child.Parent, child.Depth, child.Profile = ann.ID, ann.ID, 1, "analyst"
	child.Spent = []projection.Spent{spent("2026-11-30", "big", "main", 7, 1)}
	bob.Sender, bob.Spent = "1002", []projection.Spent{spent("2026-11-30", "big", "main", 3, 1)}
	nobody.Channel, nobody.Sender, nobody.Spent = "http", "", []projection.Spent{spent("2026-11-30", "big", "judge", 2, 1)}
	return []projection.Row{ann, child, bob, nobody}
}

func sums(t *testing.T, p *projection.Projection, f projection.UsageFilter) []string {
	t.Helper()
	got, next, err := p.Usage(t.Context(), f)
	if err != nil || next != "" {
		t.Fatalf("next %q (%v)", next, err)
	}
	var out []string
	for _, s := range got {
		key := strings.Join(slices.DeleteFunc([]string{s.Day, s.Person, s.Endpoint, s.Role, s.Profile}, func(w string) bool { return w == "" }), " ")
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %d/%d", key, s.Input, s.Calls)))
	}
	return out
}

func TestUsage(t *testing.T) {
	p := fresh(t)
	apply(t, p, 9, household()...)
	for _, tt := range []struct {
		f    projection.UsageFilter
		want []string
	}{
		{projection.UsageFilter{}, []string{"127/7"}},
		{projection.UsageFilter{By: []string{"person"}}, []string{"http 2/1", "telegram:1001 122/5", "telegram:1002 3/1"}},
		{projection.UsageFilter{By: []string{"day"}}, []string{"2026-11-30 27/6", "2026-11-29 100/1"}},
		{projection.UsageFilter{By: []string{"endpoint"}}, []string{"big 122/6", "small 5/1"}},
		{projection.UsageFilter{By: []string{"role"}}, []string{"compiler 5/1", "judge 2/1", "main 120/5"}},
		{projection.UsageFilter{By: []string{"profile"}}, []string{"analyst 7/1", "general 120/6"}},
		{projection.UsageFilter{By: []string{"person", "day"}, Since: "2026-11-30"}, []string{"2026-11-30 http 2/1", "2026-11-30 telegram:1001 22/4", "2026-11-30 telegram:1002 3/1"}},
		{projection.UsageFilter{Until: "2026-11-29"}, []string{"100/1"}},
		{projection.UsageFilter{By: []string{"person"}, Since: "2026-12-01"}, nil},
		{projection.UsageFilter{Since: "2026-12-01"}, []string{"0/0"}},
	} {
		if got := sums(t, p, tt.f); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %q, want %q", tt.f, got, tt.want)
		}
	}
	tasks, _, err := p.Usage(t.Context(), projection.UsageFilter{By: []string{"task"}})
	if err != nil || len(tasks) != 3 || !slices.ContainsFunc(tasks, func(s projection.Sum) bool { return s.Task == row(1).ID && s.Input == 122 && s.Cost == 2 }) {
		t.Errorf("by root task: %+v (%v)", tasks, err)
	}
}

// The same rows again, older ones, and a read model that is made anew give the same sums; tasks that are
// removed take theirs along.
func TestUsageCountsOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.db")
	p := open(t, path)
	rows := household()
	apply(t, p, 9, rows...)
	apply(t, p, 9, rows...)
	old := rows[0]
	old.Seq, old.Spent = old.Seq-1, []projection.Spent{spent("2026-11-30", "big", "main", 1, 1)}
	apply(t, p, 9, old)
	if got := sums(t, p, projection.UsageFilter{}); !slices.Equal(got, []string{"127/7"}) {
		t.Errorf("applied again: %q", got)
	}
	newer := rows[0]
	newer.Seq, newer.Spent = newer.Seq+5, slices.Clone(newer.Spent)
	newer.Spent[1] = spent("2026-11-30", "big", "main", 20, 3)
	apply(t, p, 12, newer)
	if got := sums(t, p, projection.UsageFilter{}); !slices.Equal(got, []string{"137/8"}) {
		t.Errorf("after one call more: %q", got)
	}
	if err := p.Delete(t.Context(), rows[2].ID); err != nil {
		t.Fatal(err)
	}
	if got := sums(t, p, projection.UsageFilter{}); !slices.Equal(got, []string{"134/7"}) {
		t.Errorf("after a task was removed: %q", got)
	}
	if err := p.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	apply(t, p, 12, newer, rows[1], rows[3])
	if got := sums(t, p, projection.UsageFilter{}); !slices.Equal(got, []string{"134/7"}) {
		t.Errorf("made anew: %q", got)
	}
}

func TestUsagePages(t *testing.T) {
	p := fresh(t)
	apply(t, p, 9, household()...)
	var got []string
	for f := (projection.UsageFilter{By: []string{"person"}, Limit: 2}); ; {
		page, next, err := p.Usage(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range page {
			got = append(got, s.Person)
		}
		if f.Cursor = next; next == "" {
			break
		}
	}
	if !slices.Equal(got, []string{"http", "telegram:1001", "telegram:1002"}) {
		t.Errorf("%q", got)
	}
	for _, f := range []projection.UsageFilter{{By: []string{"colour"}}, {Cursor: "x"}, {Cursor: "-1"}} {
		if _, _, err := p.Usage(t.Context(), f); akitad.KindOf(err) != akitad.InvalidRequest || akitad.FailureOf(err).Hint == "" {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// A person's day is what was used on it, whenever the task began, and with what its children use.
func TestUsed(t *testing.T) {
	p := fresh(t)
	apply(t, p, 9, household()...)
	day := time.Date(2026, 11, 30, 0, 0, 0, 0, time.Local)
	for _, tt := range []struct {
		channel, sender string
		since           time.Time
		want            int
	}{
		{"telegram", "1001", day, 22},
		{"telegram", "1001", day.AddDate(0, 0, -1), 122},
		{"telegram", "1002", day, 3},
		{"http", "", day, 2},
		{"telegram", "", day, 0},
		{"telegram", "1001", day.AddDate(0, 0, 1), 0},
	} {
		if got, err := p.Used(t.Context(), tt.channel, tt.sender, tt.since); err != nil || got.Input != tt.want {
			t.Errorf("%s %s since %s: %+v, want %d (%v)", tt.channel, tt.sender, tt.since.Format(time.DateOnly), got, tt.want, err)
		}
	}
}
