package memory_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/memory"
)

func ids(entries []memory.Entry, parts ...string) (out []string) {
	for _, part := range parts {
		for _, e := range entries {
			if strings.Contains(e.Text, part) {
				out = append(out, e.ID)
			}
		}
	}
	return out
}

func farm(t *testing.T) (*memory.Memory, string) {
	dir := t.TempDir()
	m := open(t, dir, memory.Options{})
	for _, animal := range []string{"zebra", "goat", "horse", "sheep", "duck"} {
		keep(t, m, of(anna, "Keeps a "+animal))
	}
	return m, dir
}

// What is written while the proposals are thought up is there afterwards, and a proposal on an entry
// that changed meanwhile is not carried out.
func TestConsolidateKeepsWhatCameMeanwhile(t *testing.T) {
	m, dir := farm(t)
	done, err := m.Consolidate(t.Context(), memory.Consolidation{Person: anna, Propose: func(_ context.Context, es []memory.Entry) ([]memory.Merge, error) {
		keep(t, m, of(anna, "Keeps a dog"))
		path := filepath.Join(dir, es[0].File)
		write(t, path, strings.Replace(content(t, path), "Keeps a duck", "Keeps two ducks", 1)+"- Written by hand\n")
		return []memory.Merge{{IDs: ids(es, "zebra", "goat"), Text: "Keeps a zebra, a goat"}, {IDs: ids(es, "duck"), Text: "Keeps poultry"}}, nil
	}})
	if err != nil || done.Merged != 1 || done.Skipped != 1 {
		t.Errorf("did %+v (%v)", done, err)
	}
	got := strings.Join(listed(t, m, memory.Query{Person: anna}), "; ")
	for _, want := range []string{"Keeps a dog", "Written by hand", "Keeps two ducks", "Keeps a zebra, a goat", "Keeps a horse", "Keeps a sheep"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if strings.Contains(got, "Keeps a goat") || strings.Contains(got, "poultry") {
		t.Errorf("left %q", got)
	}
}

func TestConsolidateNeedsApprovalToDropMuch(t *testing.T) {
	m, _ := farm(t)
	drop := func(n int) func(context.Context, []memory.Entry) ([]memory.Merge, error) {
		return func(_ context.Context, es []memory.Entry) (out []memory.Merge, _ error) {
			for _, e := range es[:n] {
				out = append(out, memory.Merge{IDs: []string{e.ID}})
			}
			return out, nil
		}
	}
	_, err := m.Consolidate(t.Context(), memory.Consolidation{Person: anna, Propose: drop(3)})
	wantKind(t, err, akitad.PermissionDenied)
	if got := listed(t, m, memory.Query{Person: anna}); len(got) != 5 {
		t.Errorf("refused, and left %q", got)
	}
	if _, err = m.Consolidate(t.Context(), memory.Consolidation{Person: anna, Propose: drop(2)}); err != nil {
		t.Error(err)
	}
	if _, err = m.Consolidate(t.Context(), memory.Consolidation{Person: anna, Propose: drop(3), Approved: true}); err != nil {
		t.Error(err)
	}
	if got := listed(t, m, memory.Query{Person: anna}); len(got) != 0 {
		t.Errorf("left %q", got)
	}
}

func TestConsolidateGate(t *testing.T) {
	m, _ := farm(t)
	_, err := m.Consolidate(t.Context(), memory.Consolidation{Person: anna, Propose: func(_ context.Context, es []memory.Entry) ([]memory.Merge, error) {
		return []memory.Merge{{IDs: ids(es, "goat"), Text: "The password is hunter2"}}, nil
	}})
	wantKind(t, err, akitad.PermissionDenied)
	if got := listed(t, m, memory.Query{Person: anna}); len(got) != 5 {
		t.Errorf("refused, and left %q", got)
	}
}

func TestConsolidateSweepsExpired(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir, memory.Options{})
	line := func(id string, days int) string {
		return fmt.Sprintf("- zebra %s <!-- m:%s type=fact scope=global until=%s -->\n", id, id, time.Now().AddDate(0, 0, days).Format(time.DateOnly))
	}
	write(t, filepath.Join(dir, "MEMORY.md"), "- by hand\n"+line("old", -40)+line("late", -5)+line("live", 5))
	done, err := m.Consolidate(t.Context(), memory.Consolidation{})
	if err != nil || done.Expired != 1 {
		t.Errorf("did %+v (%v), want 1 expired", done, err)
	}
	if got := content(t, filepath.Join(dir, "MEMORY.md")); got != "- by hand\n"+line("late", -5)+line("live", 5) {
		t.Errorf("file is\n%s", got)
	}
}
