// Package flow finds and reads the plans that people wrote: flows, YAML files in one folder, each
// named by its file and versioned by the hash of its content. It runs nothing, and what a plan may
// name is not its to know.
package flow

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/loose"
	"github.com/akitad/akitad/internal/plan"
)

// Ending is that of a flow's file.
const Ending = ".yaml"

// Flow is one file of the folder. Err says why it is no plan.
type Flow struct {
	Name   string
	Hash   string // see HashOf; empty if the file could not be read
	Source string // the YAML as it stands
	Plan   akitad.Plan
	Err    error
}

// Shelf is a folder of flows. It keeps nothing of what it read: an edited file counts from the next
// look on. The zero Shelf has no flows.
type Shelf struct {
	Folder string
	Check  func(source string) error // what else is wrong with a plan that can be read; nil for nothing. List asks it
}

// HashOf names a flow's content: 12 hex digits of its SHA-256.
func HashOf(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:6])
}

// Goal says in words what a task that runs a flow is for; equal calls give equal words.
func Goal(name string, params map[string]any) string {
	goal := "run the flow " + name
	if len(params) == 0 {
		return goal
	}
	if text, err := json.Marshal(params); err == nil {
		goal += " with " + string(text)
	}
	return goal
}

// List returns all flows in order of name, with what is wrong with those that cannot run.
func (s Shelf) List() ([]Flow, error) {
	names, err := s.Names()
	if err != nil {
		return nil, err
	}
	out := make([]Flow, 0, len(names))
	for _, name := range names {
		f := s.read(name)
		if f.Err == nil && s.Check != nil {
			f.Err = s.Check(f.Source)
		}
		out = append(out, f)
	}
	return out, nil
}

// Names returns the names of all flows, in order. A missing folder has none. Files whose name no flow
// can have are left out.
func (s Shelf) Names() ([]string, error) {
	if s.Folder == "" {
		return nil, nil
	}
	files, err := os.ReadDir(s.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list flows: %w", err)
	}
	var out []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), Ending); ok && akitad.ValidName(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Strays returns the files that look like flows and have a name that no flow can have, in order.
func (s Shelf) Strays() (out []string) {
	files, err := os.ReadDir(s.Folder)
	if err != nil {
		return nil
	}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), Ending)
		if !f.IsDir() && (ok && !akitad.ValidName(name) || strings.HasSuffix(f.Name(), ".yml")) {
			out = append(out, f.Name())
		}
	}
	return out
}

// Find returns the flow of that name, or an error: of kind not_found, naming those there are, or of
// kind invalid_request if the file is no plan.
func (s Shelf) Find(name string) (Flow, error) {
	names, err := s.Names()
	if err != nil {
		return Flow{}, err
	}
	if !slices.Contains(names, name) {
		have := "none yet"
		if len(names) > 0 {
			have = strings.Join(names, ", ")
		}
		return Flow{}, akitad.Errorf(akitad.NotFound, "there is no flow %q", name).WithHint("flows are the YAML files in " + s.Folder + ": " + have)
	}
	f := s.read(name)
	if f.Err != nil {
		return Flow{}, &akitad.Error{Kind: akitad.InvalidRequest, Op: "flow " + name, Err: f.Err, Hint: "mend it; akitad flow check " + name + " says all that is wrong"}
	}
	return f, nil
}

func (s Shelf) read(name string) Flow {
	f := Flow{Name: name}
	f.Source, f.Err = ReadFile(filepath.Join(s.Folder, name+Ending))
	if f.Err != nil {
		return f
	}
	f.Hash = HashOf(f.Source)
	f.Plan, f.Err = plan.Parse(f.Source)
	return f
}

// ReadFile returns the text of a plan's file. One that is larger than any plan may be is refused
// before it is read whole, and one that is not UTF-8: the words of its steps would not be those that were written.
func ReadFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, loose.MaxBytes+1))
	if err != nil {
		return "", err
	}
	if len(body) > loose.MaxBytes {
		return "", akitad.Errorf(akitad.InvalidRequest, "%s is larger than %d KiB", filepath.Base(path), loose.MaxBytes>>10).WithHint("split it into several flows")
	}
	if !utf8.Valid(body) {
		return "", akitad.Errorf(akitad.InvalidRequest, "%s is not text in UTF-8", filepath.Base(path)).WithHint("save it as UTF-8")
	}
	return string(body), nil
}
