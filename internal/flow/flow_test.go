package flow_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/flow"
)

func shelf(t *testing.T, files map[string]string) flow.Shelf {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return flow.Shelf{Folder: dir}
}

const good = "goal: count\nsteps:\n  - {id: a, tool: time}\n"

func TestList(t *testing.T) {
	s := shelf(t, map[string]string{
		"good.yaml": good, "also-good.yaml": good + "\n", "broken.yaml": "steps:\n  - {id: a, tol: time}\n", "large.yaml": "goal: " + strings.Repeat("x", 70_000), "latin.yaml": "goal: caf\xe9\nsteps: []\n",
		"notes.txt": good, "Bad Name.yaml": good, "other.yml": good,
	})
	if err := os.Mkdir(filepath.Join(s.Folder, "folder.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range all {
		word := f.Name + " ok"
		if f.Err != nil {
			word = f.Name + " bad"
		}
		got = append(got, word)
	}
	if want := "also-good ok, broken bad, folder bad, good ok, large bad, latin bad"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if all[0].Hash == all[3].Hash || all[3].Hash != flow.HashOf(good) || len(all[3].Hash) != 12 {
		t.Errorf("hashes %s and %s", all[0].Hash, all[3].Hash)
	}
	if len(all[1].Hash) != 12 || !strings.Contains(all[1].Err.Error(), "line 2") {
		t.Errorf("the broken one has hash %q and says %v", all[1].Hash, all[1].Err)
	}
	for _, empty := range []flow.Shelf{{}, {Folder: filepath.Join(s.Folder, "nosuch")}} {
		if all, err := empty.List(); err != nil || len(all) != 0 {
			t.Errorf("%+v lists %v (%v)", empty, all, err)
		}
	}
}

func TestFind(t *testing.T) {
	s := shelf(t, map[string]string{"good.yaml": good, "broken.yaml": "steps: 3\n", "x.txt": good})
	f, err := s.Find("good")
	if err != nil || f.Source != good || f.Plan.Goal != "count" || f.Hash != flow.HashOf(good) {
		t.Errorf("%+v (%v)", f, err)
	}
	for name, kind := range map[string]akitad.Kind{
		"broken": akitad.InvalidRequest, "nosuch": akitad.NotFound, "": akitad.NotFound, "../good": akitad.NotFound, "good.yaml": akitad.NotFound, "x": akitad.NotFound, "/etc/passwd": akitad.NotFound,
	} {
		if _, err := s.Find(name); akitad.KindOf(err) != kind || akitad.FailureOf(err).Hint == "" {
			t.Errorf("Find(%q) gives %v, want kind %s and a hint", name, err, kind)
		}
	}
	// An edited file counts from the next look on.
	if err := os.WriteFile(filepath.Join(s.Folder, "good.yaml"), []byte(good+"# more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := s.Find("good"); err != nil || again.Hash == f.Hash {
		t.Errorf("after an edit the version is %s (%v)", again.Hash, err)
	}
}

func TestGoal(t *testing.T) {
	if got := flow.Goal("a", nil); got != "run the flow a" {
		t.Error(got)
	}
	if got := flow.Goal("a", map[string]any{"b": 1, "a": "x"}); got != `run the flow a with {"a":"x","b":1}` {
		t.Error(got)
	}
}

// A list says of each flow what its check finds, and names files that cannot be flows.
func TestListChecks(t *testing.T) {
	s := shelf(t, map[string]string{
		"good.yaml": "goal: a\nsteps: []\n", "bad.yaml": "goal: b\nsteps: []\n", "Upper.yaml": "goal: c\nsteps: []\n", "other.yml": "goal: d\nsteps: []\n", "notes.txt": "x",
	})
	s.Check = func(source string) error {
		if strings.HasPrefix(source, "goal: b") {
			return errors.New("nothing like that")
		}
		return nil
	}
	all, err := s.List()
	if err != nil || len(all) != 2 || all[0].Err == nil || all[0].Plan.Goal != "b" || all[1].Err != nil {
		t.Errorf("%+v, %v", all, err)
	}
	if got := strings.Join(s.Strays(), " "); got != "Upper.yaml other.yml" {
		t.Errorf("strays: %q", got)
	}
}
