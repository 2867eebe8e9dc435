package knowledge_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/knowledge"
)

// A file of another version makes place for a new one too, which knows the files that can be read again.
func TestAnotherVersion(t *testing.T) {
	dir := t.TempDir()
	file, doc := filepath.Join(dir, "knowledge.db"), filepath.Join(dir, "码头.md")
	if err := os.WriteFile(doc, []byte("# Pier\ntimber\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := knowledge.New(file, knowledge.Options{})
	if _, _, err := old.Add(t.Context(), knowledge.Document{Path: doc}); err != nil {
		t.Fatal(err)
	}
	add(t, old, "said.md", "granite")
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	alter(t, file, `PRAGMA user_version = 2`, `UPDATE sources SET place = 'x' WHERE name = 'said.md'`) // 'x' fits no id: damage

	var lost []string
	b := knowledge.New(file, knowledge.Options{Lost: func(why string) { lost = append(lost, why) }})
	t.Cleanup(func() { _ = b.Close() })
	all, _, err := b.Sources(t.Context(), "", 0)
	if err != nil || len(all) != 1 || all[0].Name != doc || !all[0].File || all[0].Chunks != 0 || all[0].Bytes == 0 || all[0].Indexed.IsZero() {
		t.Fatalf("%+v, %v", all, err)
	}
	if len(lost) != 1 || !strings.Contains(lost[0], "akitad index reindex reads the files that it had (1) again") {
		t.Errorf("told of the loss: %q", lost)
	}
	if hits := search(t, b, knowledge.Query{Text: "timber"}); len(hits) != 0 {
		t.Errorf("%+v", hits)
	}
	if src, changed, err := b.Add(t.Context(), knowledge.Document{Path: all[0].Name}); err != nil || !changed || src.ID != all[0].ID || src.Chunks != 1 {
		t.Errorf("read again: %+v, %v, %v", src, changed, err)
	}
	if hits := search(t, b, knowledge.Query{Text: "timber"}); len(hits) != 1 {
		t.Errorf("%+v", hits)
	}
	if all, _, err := b.Sources(t.Context(), "", 0); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// alter runs statements on the file of a base that is closed.
func alter(t *testing.T, file string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
