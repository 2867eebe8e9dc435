package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Names of files behind a text are its files; words that only speak of a file hand over none but those of this folder.
func TestTextAndFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	far := filepath.Join(t.TempDir(), "id_ed25519")
	for _, f := range []string{"a.csv", "notes.md", ".env", far} {
		if err := os.WriteFile(f, []byte("a\n1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		words []string
		text  string
		files []string
		told  bool
	}{
		{[]string{"any errors?", "a.csv", far}, "any errors?", []string{"a.csv", far}, true},
		{[]string{"有几行？", "a.csv"}, "有几行？", []string{"a.csv"}, true},
		{[]string{"-", "a.csv"}, "-", []string{"a.csv"}, true},
		{[]string{"rename", "a.csv", "notes.md"}, "rename a.csv notes.md", []string{"a.csv", "notes.md"}, true},
		{[]string{"how", "many", "rows", "are", "in", "a.csv"}, "how many rows are in a.csv", []string{"a.csv"}, false},
		{[]string{"why", "does", "git", "refuse", far}, "why does git refuse " + far, nil, false},
		{[]string{"what", "is", "in", ".env"}, "what is in .env", nil, false},
		{[]string{"what", "is", "in", "./.env"}, "what is in ./.env", nil, false},
		{[]string{"look", "at", "../" + filepath.Base(filepath.Dir(far)) + "/id_ed25519"}, "look at ../" + filepath.Base(filepath.Dir(far)) + "/id_ed25519", nil, false},
		{[]string{"say", "hello"}, "say hello", nil, false},
		{[]string{"one text"}, "one text", nil, false},
		{nil, "", nil, false},
	} {
		text, files, told := textAndFiles(tt.words)
		if text != tt.text || !slices.Equal(files, tt.files) || told != tt.told {
			t.Errorf("%q: %q with %q, %v; want %q with %q, %v", tt.words, text, files, told, tt.text, tt.files, tt.told)
		}
	}
}

// FILES of the environment go along with what the words name; behind a text, the command line tells all.
func TestFilesOfTheEnvironment(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, f := range []string{"a.csv", "notes.md"} {
		if err := os.WriteFile(f, []byte("a\n1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := environment{Env: []string{"FILES=a.csv"}}
	for _, tt := range []struct {
		words []string
		want  int
	}{{[]string{"sum", "the", "column", "as", "notes.md", "says"}, 2}, {[]string{"sum the column", "notes.md"}, 1}, {[]string{"sum it"}, 1}, {[]string{"sum", "a.csv", "up"}, 1}} {
		req, err := runFlags{}.request(env, tt.words)
		if err != nil || len(req.Files) != tt.want {
			t.Errorf("%q: %d files, %v; want %d", tt.words, len(req.Files), err, tt.want)
		}
	}
}
