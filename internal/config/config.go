// Package config reads what an owner set (one YAML file, AKITA_ variables, the vendors' own
// variables) into one checked Config, and knows the layout of the home folder. It starts nothing
// and watches nothing.
package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// FileName is the name of the configuration file in the home folder. The file may be absent.
const FileName = "akitad.yaml"

// maxFile is the largest configuration file that is read, in bytes.
const maxFile = 256 << 10

// maxProblems is how many problems one error tells.
const maxProblems = 100

// Load reads the configuration of a home folder. Env is in the form of os.Environ. What is set
// wins in this order: AKITA_ variables, the file, the vendors' variables, defaults. Everything that
// is wrong is reported at once, as an error of kind invalid_request whose text has one line for
// each problem, naming place, key and what to do. The returned Config is usable only without error.
func Load(home string, env []string) (Config, error) {
	cfg, problems, err := Inspect(home, env)
	switch {
	case err != nil:
		return Config{}, err
	case len(problems) > 0:
		return Config{}, refused(problems)
	}
	return cfg, nil
}

// refused is the error of a configuration with these problems, of which there is one at least.
func refused(problems []*Problem) error {
	return &akitad.Error{
		Kind: akitad.InvalidRequest, Op: "read configuration", Err: all(problems),
		Hint: "correct each line above; `akitad config explain` shows every key with its value and where that came from",
	}
}

// Inspect is Load for those who want to look at a configuration that may be wrong: it gives all that
// could be read, with defaults for the rest, and the problems in the order of their places. Only a file
// that cannot be read at all is an error.
func Inspect(home string, env []string) (Config, []*Problem, error) {
	l := &loader{home: home, env: environment(env), sources: map[string]string{}}
	cfg := defaults()
	cfg.Path = Layout(home)
	cfg.sources = l.sources
	if err := l.file(cfg.Path.Config, &cfg); err != nil {
		return Config{}, nil, err
	}
	cfg.strays = l.strays()
	l.variables(&cfg)
	l.vendors(&cfg)
	l.finish(&cfg)
	l.validate(cfg)
	sorting.By(l.problems, byPlace)
	return cfg, l.problems, nil
}

// loader collects the configuration and everything that is wrong with it.
type loader struct {
	home     string
	name     string // of the file, as problems call it
	env      map[string]string
	sources  map[string]string // dotted key -> where its value came from
	problems []*Problem
	literal  bool // the file itself holds a secret
}

// Problem is one thing that is wrong with a configuration.
type Problem struct {
	Where string // "akitad.yaml:12" or "env AKITA_POOL_MAX"
	Key   string // dotted key; may be empty
	What  string // what is wrong
	Fix   string // what to do about it
}

// Error gives the problem on one line.
func (p *Problem) Error() string {
	text := p.What
	if p.Key != "" {
		text = p.Key + ": " + text
	}
	if p.Where != "" {
		text = p.Where + ": " + text
	}
	if p.Fix != "" {
		text += "; " + p.Fix
	}
	return text
}

// byPlace orders problems as an owner works through them: the file from top to bottom, then the rest.
func byPlace(a, b *Problem) int {
	place := func(p *Problem) (rank, line int, text string) {
		if name, n, ok := strings.Cut(p.Where, ":"); ok && name == FileName {
			line, _ = strconv.Atoi(n)
			return 0, line, ""
		}
		return 1, 0, p.Error()
	}
	ra, la, ta := place(a)
	rb, lb, tb := place(b)
	return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(la, lb), cmp.Compare(ta, tb))
}

// problem notes a problem. what is a format for args.
func (l *loader) problem(where, key, fix, what string, args ...any) {
	l.problems = append(l.problems, &Problem{Where: where, Key: key, What: fmt.Sprintf(what, args...), Fix: fix})
}

// all joins the problems, a line each, below their number.
func all(problems []*Problem) error {
	if len(problems) == 1 {
		return problems[0]
	}
	shown := problems[:min(len(problems), maxProblems)]
	text := fmt.Sprintf("%d problems", len(problems))
	if len(shown) < len(problems) {
		text += fmt.Sprintf(", the first %d of them", len(shown))
	}
	errs := make([]error, len(shown))
	for i, p := range shown {
		errs[i] = p
	}
	return fmt.Errorf("%s:\n%w", text, errors.Join(errs...))
}

// set reports whether the key itself was set.
func (l *loader) set(key string) bool { return l.sources[key] != "" }

// at gives where a key, or the list or group around it, was set, for problems found after reading.
func (l *loader) at(key string) string {
	for key != "" {
		if s := l.sources[key]; s != "" {
			return s
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return ""
}

// environment turns "NAME=value" entries into a map; of two the last wins. Empty counts as unset.
func environment(env []string) map[string]string {
	out := make(map[string]string, len(env))
	for _, entry := range env {
		if name, value, ok := strings.Cut(entry, "="); ok {
			out[name] = value
		}
	}
	return out
}

// leadsNowhere reports whether path is a link to a file that does not exist, for instance on a volume that is not
// mounted.
func leadsNowhere(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// file reads the YAML file into cfg. Only what makes reading impossible is returned.
func (l *loader) file(path string, cfg *Config) error {
	l.name = FileName
	text, mode, err := readSmall(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !leadsNowhere(path):
		return nil
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		home := filepath.Dir(path)
		return akitad.Errorf(akitad.InvalidRequest, "the home %.200s cannot be a folder: %w", home, errors.Unwrap(err)).
			WithHint("set AKITA_HOME to a folder, or to where one can be made")
	case err != nil:
		return &akitad.Error{
			Kind: cmp.Or(kindOfFile(err), akitad.InvalidRequest), Op: "read configuration", Err: err,
			Hint: "make " + path + " a readable file of at most 256 KiB, or remove it to run on defaults",
		}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	l.document(text, reflect.ValueOf(cfg).Elem())
	if l.literal && mode.Perm()&0o077 != 0 {
		l.problem(path, "", "run: chmod 600 "+path+", or move the secrets out with env:NAME or file:PATH", "holds secrets and others can read it (mode %04o)", mode.Perm())
	}
	return nil
}

// strays gives the files of the home that look like a configuration and are not read. One that differs
// from the right name in its ending alone, where that file is missing, is a problem: what it says is meant.
func (l *loader) strays() (out []string) {
	there := func(name string) bool {
		info, err := os.Stat(filepath.Join(l.home, name))
		return err == nil && info.Mode().IsRegular()
	}
	for _, name := range []string{"akitad.yml", "akitad.json", "akitad.toml", "akita.yaml", "akita.yml", "config.yaml", "config.yml"} {
		switch {
		case !there(name):
		case strings.HasPrefix(name, "akitad.") && !there(FileName):
			l.problem(name, "", "rename it to "+FileName+", which is YAML, or remove it", "this file is not read")
		default:
			out = append(out, name)
		}
	}
	return out
}

// readSmall reads a regular file of bounded size and gives its mode.
func readSmall(path string, limit int64) ([]byte, fs.FileMode, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	return text, info.Mode(), err
}

func kindOfFile(err error) akitad.Kind {
	if errors.Is(err, fs.ErrPermission) {
		return akitad.PermissionDenied
	}
	return ""
}

// resolve gives an absolute path for one that may be relative to the home.
func (l *loader) resolve(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(l.home, path)
}
