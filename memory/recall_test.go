package memory_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/memory"
)

func TestRecall(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir, memory.Options{})
	for _, text := range []string{
		"User moved to Bergen", "User is allergic to nuts", "User's sister Anna is vegetarian", "Works as a dentist", "Uses C++ for the robot arm",
		"The staging database is called zebra", "用户对花生过敏", "用户每周三打羽毛球", "User prefers short answers", "User likes good coffee",
	} {
		keep(t, m, of(anna, text))
	}
	for _, tt := range []struct {
		query string
		want  string // "" for nothing
	}{
		{"Where do I live?", "User moved to Bergen"},
		{"How is the weather?", "User moved to Bergen"},
		{"我住在哪里", "User moved to Bergen"},
		{"Book a table for dinner with Anna on Friday please, somewhere in the old town, and make it quiet", "User's sister Anna is vegetarian"},
		{"Is there anything with nuts in it", "User is allergic to nuts"},
		{"any allergies?", "User is allergic to nuts"},
		{"connect to the staging databases", "The staging database is called zebra"},
		{"今天吃花生可以吗", "用户对花生过敏"},
		{"羽毛球是什么时候", "用户每周三打羽毛球"},
		{"a C++ question", "Uses C++ for the robot arm"},
		{"short answer?", "User prefers short answers"},

		{"What is the capital of France?", ""},
		{"Please write a good list of things to do today", ""},
		{"sort these numbers with C", ""},
		{"法国的首都是什么", ""},
		{"what is the", ""},
		{"", ""},
		{"!?", ""},
	} {
		got := recalled(t, m, memory.Query{Text: tt.query, Person: anna})
		if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) == 0 || got[0] != tt.want) {
			t.Errorf("recall(%q) = %q, want first %q", tt.query, got, tt.want)
		}
	}
}

func TestRecallOrder(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	line := func(text, typ string, ageDays int) string {
		return fmt.Sprintf("- %s <!-- m:%s type=%s scope=global at=%s until=permanent -->\n", text, strings.ReplaceAll(text, " ", "-"), typ, now.AddDate(0, 0, -ageDays).Format(time.DateOnly))
	}
	for _, tt := range []struct{ name, better, worse string }{
		{"relevance", line("zebra stable keeper", "fact", 1), line("zebra crossing near school building", "fact", 1)},
		{"recency", line("zebra one", "fact", 1), line("zebra two", "fact", 90)},
		{"importance", line("zebra one", "rule", 1), line("zebra two", "context", 1)},
	} {
		dir := t.TempDir()
		m := open(t, dir, memory.Options{})
		write(t, filepath.Join(dir, "MEMORY.md"), tt.worse+tt.better)
		got := recalled(t, m, memory.Query{Text: "zebra stable keeper", Now: now})
		if len(got) == 0 || !strings.HasPrefix(tt.better, "- "+got[0]) {
			t.Errorf("%s: got %q, want first %s", tt.name, got, tt.better)
		}
	}
}

func TestRecallScoreIsOfItsParts(t *testing.T) {
	now := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	m := open(t, dir, memory.Options{})
	write(t, filepath.Join(dir, "MEMORY.md"), "- zebra <!-- m:a type=rule scope=global at=2026-10-31 until=permanent -->\n")
	hits, err := m.Recall(t.Context(), memory.Query{Text: "zebra", Now: now})
	if err != nil || len(hits) != 1 {
		t.Fatal(hits, err)
	}
	// Relevance 1, one half-life old, most important type, never used.
	if want := 0.40 + 0.20*0.5 + 0.20; hits[0].Score < want-1e-9 || hits[0].Score > want+1e-9 {
		t.Errorf("score %v, want %v", hits[0].Score, want)
	}
	if hits[0].Source != "memory" || hits[0].ID != "a" || hits[0].Title != "rule" {
		t.Errorf("snippet %+v", hits[0])
	}
}

// What is used comes first, also in the next process.
func TestUseCounts(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "MEMORY.md"), "- zebra one\n- zebra two\n")
	m, err := memory.Open(dir, memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		wantTexts(t, "one", recalled(t, m, memory.Query{Text: "one", Limit: 1}), "zebra one")
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	first := recalled(t, open(t, dir, memory.Options{}), memory.Query{Text: "zebra"})
	write(t, filepath.Join(dir, ".uses.json"), `{"damaged`)
	if lost := recalled(t, open(t, dir, memory.Options{}), memory.Query{Text: "zebra"}); len(lost) != 2 {
		t.Errorf("damaged use counts lost entries: %q", lost)
	}
	wantTexts(t, "order", first, "zebra one", "zebra two")
}

func TestRecallLimit(t *testing.T) {
	m := open(t, t.TempDir(), memory.Options{})
	for i := range 9 {
		keep(t, m, memory.Entry{Text: fmt.Sprintf("Zebra number %d sleeps", i)})
	}
	if got := recalled(t, m, memory.Query{Text: "zebra"}); len(got) != 5 {
		t.Errorf("got %d, want the default of 5", len(got))
	}
	if got := recalled(t, m, memory.Query{Text: "zebra", Limit: 7}); len(got) != 7 {
		t.Errorf("got %d, want 7", len(got))
	}
}

func TestGateOption(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "MEMORY.md"), "- a new file format\n")
	q := memory.Query{Text: "create a new sculpture of marble"}
	wantTexts(t, "default", recalled(t, open(t, dir, memory.Options{}), q))
	wantTexts(t, "low gate", recalled(t, open(t, dir, memory.Options{Gate: 0.01}), q), "a new file format")
}

func TestExpiry(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		life memory.Life
		days float64 // 0 means never
	}{{memory.Day, 1}, {memory.ThreeDays, 3}, {memory.Month, 30}, {memory.Permanent, 0}} {
		m := open(t, t.TempDir(), memory.Options{})
		until, err := tt.life.Until(now)
		if err != nil {
			t.Fatal(err)
		}
		e := of(anna, "A zebra visits")
		e.Until = until
		keep(t, m, e)
		hour := func(h float64) int {
			at := now.Add(time.Duration(h * float64(time.Hour)))
			q := memory.Query{Text: "zebra", Person: anna, Now: at}
			n := len(recalled(t, m, q))
			if all := len(listed(t, m, memory.Query{Person: anna, Now: at})); all != n {
				t.Errorf("%s: %d listed, %d recalled", tt.life, all, n)
			}
			return n
		}
		last := tt.days * 24
		if tt.days == 0 {
			last = 24 * 3650
		}
		if hour(last-1) != 1 {
			t.Errorf("%s: gone an hour before its end", tt.life)
		}
		if tt.days > 0 && hour(last+1) != 0 {
			t.Errorf("%s: there an hour after its end", tt.life)
		}
	}
	if _, err := memory.Life("2w").Until(now); err == nil {
		t.Error("an unknown life was accepted")
	}
	for typ, want := range map[memory.Type]memory.Life{memory.Context: memory.ThreeDays, memory.Mistake: memory.Month, memory.Fact: memory.Permanent} {
		if typ.Life() != want {
			t.Errorf("%s lives %s, want %s", typ, typ.Life(), want)
		}
	}
}

func TestExpiryByDay(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir, memory.Options{})
	write(t, filepath.Join(dir, "MEMORY.md"), "- A zebra visits <!-- m:a type=context scope=global at=2026-11-28 until=2026-11-30 -->\n")
	for day, want := range map[string]int{"2026-11-30T23:59:00Z": 1, "2026-12-01T00:00:00Z": 0} {
		at, _ := time.Parse(time.RFC3339, day)
		if got := len(listed(t, m, memory.Query{Now: at})); got != want {
			t.Errorf("at %s: %d entries, want %d", day, got, want)
		}
	}
}

// The part in every prompt is bounded, and entries are in it whole or not at all.
func TestCore(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir, memory.Options{})
	if got := m.Core(memory.Query{Person: anna}); got != "" {
		t.Errorf("core of nothing is %q", got)
	}
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "- Fact number %d about the zebra house at the northern shore of the lake\n", i)
	}
	write(t, filepath.Join(dir, "MEMORY.md"), b.String())
	rule := of(anna, "Always answer in German")
	rule.Type = memory.Rule
	keep(t, m, rule)
	brief := of(anna, "A visitor is here")
	brief.Until = time.Now().AddDate(0, 0, 1)
	keep(t, m, brief)
	keep(t, m, of(bert, "Bert keeps bees"))

	core := m.Core(memory.Query{Person: anna})
	if len(core) > 4096 || len(core) < 4096-100 {
		t.Errorf("core has %d bytes", len(core))
	}
	lines := strings.Split(strings.TrimSuffix(core, "\n"), "\n")
	if lines[0] != "- Always answer in German" {
		t.Errorf("core begins with %q", lines[0])
	}
	for _, l := range lines[1:] {
		if !strings.Contains(b.String(), l+"\n") {
			t.Errorf("core has a cut or foreign line %q", l)
		}
	}
	if again := m.Core(memory.Query{Person: anna}); again != core {
		t.Error("core differs from one call to the next")
	}
}

func TestListBySubstring(t *testing.T) {
	m := open(t, t.TempDir(), memory.Options{})
	keep(t, m, of(anna, "Keeps a Zebrafish"))
	keep(t, m, memory.Entry{Text: "Keeps bees", Type: memory.Preference, Scope: memory.PersonScope(anna)})
	keep(t, m, memory.Entry{Text: "The office keeps snacks"})
	wantTexts(t, "part of a word", listed(t, m, memory.Query{Text: "brafi", Person: anna}), "Keeps a Zebrafish")
	wantTexts(t, "type", listed(t, m, memory.Query{Person: anna, Type: memory.Preference}), "Keeps bees")
	if got := listed(t, m, memory.Query{Person: anna, Own: true}); len(got) != 2 {
		t.Errorf("own entries: %q", got)
	}
	if got := listed(t, m, memory.Query{Person: anna, Limit: 1}); len(got) != 1 {
		t.Errorf("limit 1: %q", got)
	}
	n, err := m.Reindex(t.Context())
	if err != nil || n != 3 {
		t.Errorf("reindex found %d (%v), want 3", n, err)
	}
}

func TestSessionScope(t *testing.T) {
	m := open(t, t.TempDir(), memory.Options{})
	keep(t, m, memory.Entry{Text: "The zebra plan is on", Scope: memory.SessionScope("s-1"), By: anna})
	for _, tt := range []struct {
		q    memory.Query
		want int
	}{
		{memory.Query{Person: anna, Session: "s-1"}, 1},
		{memory.Query{Person: bert, Session: "s-1"}, 1},
		{memory.Query{Person: anna, Session: "s-2"}, 0},
		{memory.Query{}, 0},
		{memory.Query{Person: anna, Own: true}, 1},
		{memory.Query{Person: memory.Everyone}, 1},
	} {
		if got := len(listed(t, m, tt.q)); got != tt.want {
			t.Errorf("%+v sees %d, want %d", tt.q, got, tt.want)
		}
	}
}
