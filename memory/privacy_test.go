package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/memory"
)

// Whatever two people and the common memory hold, neither sees a word of the other's, and what the
// other keeps does not even change the order of their own.
func TestPeopleNeverSeeEachOther(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		both := open(t, fmt.Sprintf("%s/both%d", dir, n), memory.Options{})
		alone := open(t, fmt.Sprintf("%s/alone%d", dir, n), memory.Options{})
		word := rapid.SampledFrom([]string{"zebra", "tea", "Oslo", "花生", "robot", "lives in", "lake", "likes"})
		for i := range rapid.IntRange(1, 7).Draw(rt, "entries") {
			text := fmt.Sprintf("%s %s %d", word.Draw(rt, "a"), word.Draw(rt, "b"), rapid.IntRange(0, 3).Draw(rt, "n"))
			e := memory.Entry{Text: text, Type: rapid.SampledFrom(memory.Types).Draw(rt, "type")}
			switch rapid.IntRange(0, 3).Draw(rt, "who") {
			case 0:
				e.Text, e.Scope = "secretbert "+text, memory.PersonScope(bert)
			case 1:
				e.Text, e.Scope, e.By = fmt.Sprintf("secretbert %d %s", i, text), memory.SessionScope("s-bert"), bert
			case 2:
				e.Scope = memory.PersonScope(anna)
			}
			keep(t, both, e)
			if e.Scope.Person() != bert && e.By != bert {
				keep(t, alone, e)
			}
		}
		q := memory.Query{Text: word.Draw(rt, "query") + " secretbert", Person: anna, Session: "s-anna"}
		got, want := recalled(t, both, q), recalled(t, alone, q)
		if !slices.Equal(got, want) {
			rt.Errorf("recall beside another person: %q, alone: %q", got, want)
		}
		q.Text = ""
		seen := strings.Join(listed(t, both, q), "\n") + both.Core(memory.Query{Person: anna}) + strings.Join(got, "\n") + both.Core(memory.Query{})
		if strings.Contains(seen, "secretbert") {
			rt.Errorf("one person sees the other's entry:\n%s", seen)
		}
	})
}

// Who asks for two sees the entries of both, and a third person's never.
func TestAlsoIsOneMore(t *testing.T) {
	m := open(t, t.TempDir(), memory.Options{})
	for _, p := range []string{anna, bert, akitad.Local} {
		keep(t, m, of(p, "zebra of "+p))
	}
	keep(t, m, memory.Entry{Text: "zebra of all"})
	keep(t, m, memory.Entry{Text: "zebra of a talk", Scope: memory.SessionScope("s-1"), By: akitad.Local})
	both := memory.Query{Person: anna, Also: akitad.Local}
	wantTexts(t, "both", listed(t, m, both), "zebra of all", "zebra of "+anna, "zebra of local")
	both.Own = true
	wantTexts(t, "their own", listed(t, m, both), "zebra of a talk", "zebra of "+anna, "zebra of local")
	wantTexts(t, "one", listed(t, m, memory.Query{Person: anna}), "zebra of all", "zebra of "+anna)
	wantTexts(t, "nobody", listed(t, m, memory.Query{Also: akitad.Local}), "zebra of all")
	if got := m.Core(both); !strings.Contains(got, "of local") || strings.Contains(got, bert) {
		t.Errorf("core of both: %q", got)
	}
	if got := m.Core(memory.Query{Person: bert}); strings.Contains(got, "local") {
		t.Errorf("core of another: %q", got)
	}
}

// A comment that names another person does not open a person's folder, nor carry an entry across.
func TestScopeInAForeignFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/people/telegram@1001/USER.md",
		"- zebra one <!-- m:a type=fact scope=global -->\n- zebra two <!-- m:b type=fact scope=person:"+bert+" -->\n")
	write(t, dir+"/MEMORY.md", "- zebra three <!-- m:c type=fact scope=person:"+bert+" -->\n")
	m := open(t, dir, memory.Options{})
	wantTexts(t, "anna", listed(t, m, memory.Query{Person: anna}), "zebra one")
	wantTexts(t, "bert", listed(t, m, memory.Query{Person: bert}), "zebra three")
	wantTexts(t, "nobody", listed(t, m, memory.Query{}))
}

func TestLongAndOddPeople(t *testing.T) {
	m := open(t, t.TempDir(), memory.Options{})
	people := []string{"..", "a/../b", "A:b", "a:b", strings.Repeat("长", 100), strings.Repeat("长", 99), "x --> y"}
	for i, p := range people {
		keep(t, m, of(p, fmt.Sprintf("zebra %d", i)))
	}
	for i, p := range people {
		wantTexts(t, p, listed(t, m, memory.Query{Person: p}), fmt.Sprintf("zebra %d", i))
	}
	if got := listed(t, m, memory.Query{Person: memory.Everyone}); len(got) != len(people) {
		t.Errorf("the administrator sees %q", got)
	}
}
