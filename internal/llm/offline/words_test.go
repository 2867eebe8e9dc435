package offline_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/akitad/akitad/examples/incident/incident"
)

// TestKnowsNoExample holds that no source of the engine has a file name, service, message, change
// or question of the example: what it says about it, it finds out.
func TestKnowsNoExample(t *testing.T) {
	words := exampleWords(t)
	if len(words) < 30 {
		t.Fatalf("only %d words of the example: %v", len(words), words)
	}
	for _, pattern := range []string{"*.go", "question/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lower := strings.ToLower(string(text))
			for w := range words {
				if strings.Contains(lower, strings.ToLower(w)) && regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(w)+`\b`).Match(text) {
					t.Errorf("%s holds %q of the example", name, w)
				}
			}
		}
	}
}

// exampleWords are taken from what the generator makes of many seeds, and from the committed files.
func exampleWords(t *testing.T) map[string]bool {
	words := map[string]bool{incidentEN: true, incidentZH: true}
	for seed := range uint64(60) {
		inc, err := incident.Generate(incident.Config{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		d := inc.Truth.Deploy
		words[d.File], words[d.Change], words["help texts corrected"] = true, true, true
		for _, s := range inc.Truth.Services {
			words[s.Name], words[s.File] = true, true
			for _, m := range s.TopErrors {
				for _, part := range regexp.MustCompile(`\{\w+\}`).Split(m.Template, -1) {
					if part = strings.Trim(part, " :"); strings.Count(part, " ") > 1 {
						words[part] = true
					}
				}
			}
		}
	}
	files, err := filepath.Glob("../../../examples/incident/logs/*")
	if err != nil || len(files) < 4 {
		t.Fatalf("the example's files: %v, %v", files, err)
	}
	for _, f := range files {
		words[filepath.Base(f)] = true
	}
	return words
}
