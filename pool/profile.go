package pool

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/sorting"
	"github.com/akitad/akitad/internal/window"
)

// DefaultProfile is the profile of root tasks, and the fallback of profiles that name none.
const DefaultProfile = "assistant"

//go:embed agents/*.md
var builtinAgents embed.FS

// Profiles are the kinds of agent that a node knows: the built-in ones, and the files agents/*.md of the
// home, which replace built-in ones of the same name. A changed file is read again.
type Profiles struct {
	dir     string
	builtin map[string]akitad.Profile
	known   func(model string, tags []string) error // nil: any
}

// LoadProfiles reads the built-in profiles and checks the files in dir, which need not exist. The error
// names a file that cannot be used, and what is wrong with it.
func LoadProfiles(dir string) (*Profiles, error) {
	p := &Profiles{dir: dir, builtin: map[string]akitad.Profile{}}
	names, err := fs.Glob(builtinAgents, "agents/*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := builtinAgents.ReadFile(name)
		if err != nil {
			return nil, err
		}
		prof, err := ParseProfile(name, text)
		if err != nil {
			return nil, err
		}
		prof.Builtin = true
		p.builtin[prof.Name] = prof
	}
	_, err = p.All()
	return p, err
}

// All returns every profile, sorted by name.
func (p *Profiles) All() ([]akitad.Profile, error) {
	found := map[string]akitad.Profile{}
	for name, prof := range p.builtin {
		found[name] = prof
	}
	files, err := filepath.Glob(filepath.Join(p.dir, "*.md"))
	if err != nil || p.dir == "" {
		files = nil
	}
	var errs []error
	for _, file := range files {
		prof, err := p.read(file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		found[prof.Name] = prof
	}
	out := make([]akitad.Profile, 0, len(found))
	for _, prof := range found {
		out = append(out, prof)
	}
	sorting.By(out, func(a, b akitad.Profile) int { return cmp.Compare(a.Name, b.Name) })
	return out, errors.Join(errs...)
}

// Know sets a check of the models and tags in profile files. Files that check refuses cannot be used; the
// error is that of the first such file that exists now.
func (p *Profiles) Know(check func(model string, tags []string) error) error {
	p.known = check
	_, err := p.All()
	return err
}

// Names returns the names of the usable profiles, sorted.
func (p *Profiles) Names() []string {
	all, _ := p.All() // files that cannot be read are reported where they are used
	names := make([]string, len(all))
	for i, prof := range all {
		names[i] = prof.Name
	}
	return names
}

// Find returns a profile by name. For an unknown name, the error lists the known ones.
func (p *Profiles) Find(name string) (akitad.Profile, error) {
	if file := filepath.Join(p.dir, name+".md"); p.dir != "" && akitad.ValidName(name) {
		prof, err := p.read(file)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return prof, err
		}
	}
	if prof, ok := p.builtin[name]; ok {
		return prof, nil
	}
	return akitad.Profile{}, akitad.Errorf(akitad.NotFound, "there is no profile %q", name).
		WithHint("known profiles: " + strings.Join(p.Names(), ", "))
}

// read is readProfile with the check of Know.
func (p *Profiles) read(file string) (akitad.Profile, error) {
	prof, err := readProfile(file)
	if err == nil && p.known != nil {
		if err = p.known(prof.Model, prof.Tags); err != nil {
			err = fmt.Errorf("profile %s: %w", file, err)
		}
	}
	return prof, err
}

func readProfile(file string) (akitad.Profile, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return akitad.Profile{}, err
	}
	prof, err := ParseProfile(file, text)
	if want := strings.TrimSuffix(filepath.Base(file), ".md"); err == nil && prof.Name != want {
		return prof, fmt.Errorf("profile %s: name is %q, the file's name says %q: make them the same", file, prof.Name, want)
	}
	return prof, err
}

// ParseProfile parses a profile file: YAML front matter between two lines of ---, then the system prompt.
// file is its name in errors.
func ParseProfile(file string, text []byte) (akitad.Profile, error) {
	var prof akitad.Profile
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(text, []byte("---\n"))
	front, body, closed := bytes.Cut(rest, []byte("\n---\n"))
	if !ok || !closed {
		return prof, fmt.Errorf("profile %s: it must begin with front matter, name and description at least, between two lines of ---", file)
	}
	if err := yaml.UnmarshalWithOptions(front, &prof, yaml.Strict()); err != nil {
		return prof, fmt.Errorf("profile %s: front matter: %w", file, err)
	}
	switch {
	case prof.Name == "":
		return prof, fmt.Errorf("profile %s: name is missing: write name: and what the file is called, without .md", file)
	case !akitad.ValidName(prof.Name):
		return prof, fmt.Errorf("profile %s: name %q must be 1 to 40 of a-z, 0-9 and -", file, prof.Name)
	case strings.TrimSpace(prof.Description) == "":
		return prof, fmt.Errorf("profile %s: description is missing: say in a sentence what it is good for", file)
	case prof.Context.Strategy != "" && !slices.Contains(window.Strategies, window.Strategy(prof.Context.Strategy)):
		return prof, fmt.Errorf("profile %s: context.strategy %q must be one of %v", file, prof.Context.Strategy, window.Strategies)
	case len(bytes.TrimSpace(body)) == 0:
		return prof, fmt.Errorf("profile %s: there is no prompt below the front matter", file)
	}
	if prof.Fallback == nil && prof.Name != DefaultProfile {
		prof.Fallback = []string{DefaultProfile}
	}
	prof.Prompt = strings.TrimSpace(string(body))
	prof.Hash = akitad.Digest(string(text))
	return prof, nil
}

// Described returns the name and description of each usable profile, sorted by name, for planners.
func (p *Profiles) Described() []llm.BriefProfile {
	all, _ := p.All() // files that cannot be read are reported where they are used
	out := make([]llm.BriefProfile, len(all))
	for i, prof := range all {
		out[i] = llm.BriefProfile{Name: prof.Name, Description: prof.Description}
	}
	return out
}
