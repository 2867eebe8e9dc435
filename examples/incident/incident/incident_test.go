package incident_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/akitad/akitad/examples/incident/incident"
)

func generate(t *testing.T, cfg incident.Config) incident.Incident {
	t.Helper()
	inc, err := incident.Generate(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return inc
}

// TestTruth holds for many seeds what every incident must have, and counts by the bytes of the
// lines what the truth says of them.
func TestTruth(t *testing.T) {
	for seed := range uint64(30) {
		for _, format := range incident.Formats {
			inc := generate(t, incident.Config{Seed: seed, Format: format})
			failed := 0
			for i, s := range inc.Truth.Services {
				log := inc.Logs[i]
				if s.Lines < 2000 || s.Lines != len(log.Lines) || log.Name != s.File {
					t.Fatalf("%s/%d: %s has %d lines, the truth says %d", format, seed, log.Name, len(log.Lines), s.Lines)
				}
				if s.Failed {
					failed++
					if !s.FailedFrom.Time.After(inc.Truth.Deploy.Time) {
						t.Errorf("%s/%d: %s fails before the deploy", format, seed, s.Name)
					}
				}
				checkLines(t, log, s)
			}
			if failed == 0 || !service(inc, inc.Truth.Deploy.Service).Failed {
				t.Errorf("%s/%d: the deployed service does not fail", format, seed)
			}
		}
	}
}

func service(inc incident.Incident, name string) incident.Service {
	for _, s := range inc.Truth.Services {
		if s.Name == name {
			return s
		}
	}
	return incident.Service{}
}

func checkLines(t *testing.T, log incident.Log, s incident.Service) {
	t.Helper()
	for _, e := range []*incident.Event{s.FirstError, s.LastError, s.FailedFrom, s.FailedTo} {
		if e != nil && !strings.Contains(log.Lines[e.Line-1], e.Message) {
			t.Errorf("%s:%d does not hold %q", log.Name, e.Line, e.Message)
		}
	}
	sum := 0
	for _, m := range s.TopErrors {
		sum += m.Count
		text, _, _ := strings.Cut(m.Template, "{")
		hits := 0
		for _, line := range log.Lines {
			if strings.Contains(line, text) {
				hits++
			}
		}
		if hits != m.Count {
			t.Errorf("%s: %q stands in %d lines, the truth says %d", log.Name, text, hits, m.Count)
		}
	}
	if sum != s.Errors {
		t.Errorf("%s: %d errors by message, %d in all", log.Name, sum, s.Errors)
	}
}

// TestNote holds that the note says what the truth does, on the lines that the truth names.
func TestNote(t *testing.T) {
	d := generate(t, incident.Config{Seed: 4}).Truth.Deploy
	lines := generate(t, incident.Config{Seed: 4}).Note.Lines
	if !strings.Contains(lines[d.TimeLine-1], d.Time.Format("2006-01-02T15:04:05Z")) || !strings.Contains(lines[d.ChangeLine-1], d.Change) {
		t.Errorf("%+v\n%s", d, strings.Join(lines, "\n"))
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	a, b := generate(t, incident.Config{Seed: 9}), generate(t, incident.Config{Seed: 9})
	if !reflect.DeepEqual(a, b) {
		t.Error("one seed gives two incidents")
	}
	if reflect.DeepEqual(a.Logs, generate(t, incident.Config{Seed: 10}).Logs) {
		t.Error("two seeds give one incident")
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := incident.Generate(incident.Config{Format: "xml"}); err == nil || !strings.Contains(err.Error(), "nginx") {
		t.Errorf("error %v", err)
	}
}

// TestCommitted holds that the committed example is what the generator makes of seed 1.
func TestCommitted(t *testing.T) {
	inc := generate(t, incident.Config{Seed: 1})
	for _, f := range append(inc.Logs, inc.Note) {
		got, err := os.ReadFile(filepath.Join("../logs", f.Name))
		if err != nil || string(got) != string(f.Bytes()) {
			t.Errorf("%s differs from seed 1 (%v); run go generate ./examples/incident", f.Name, err)
		}
	}
	raw, err := os.ReadFile("../truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var truth incident.Truth
	if err := json.Unmarshal(raw, &truth); err != nil || fmt.Sprint(truth.Deploy) != fmt.Sprint(inc.Truth.Deploy) || len(truth.Services) != len(inc.Truth.Services) {
		t.Errorf("truth.json differs from seed 1: %v", err)
	}
}

func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "logs")
	inc := generate(t, incident.Config{Seed: 2, Services: []string{"left", "right"}})
	if err := inc.Save(dir, filepath.Join(dir, "..", "truth.json")); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(names) != 3 {
		t.Errorf("files %v", names)
	}
	if err := inc.Save(filepath.Join(dir, "left.log"), ""); err == nil {
		t.Error("a folder over a file passes")
	}
}
