package builtin

import (
	"context"
	_ "embed"
	"errors"
	"path"
	"regexp"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed grep.md
var grepText string

type grepArgs struct {
	Pattern    string `json:"pattern" format:"regex"`
	Path       string `json:"path,omitempty" jsonschema:"a file, or a folder to search below" default:"\".\""`
	Glob       string `json:"glob,omitempty" jsonschema:"only such files, as *.log"`
	IgnoreCase bool   `json:"ignore_case,omitempty"`
	Invert     bool   `json:"invert,omitempty" jsonschema:"lines that do not match"`
	Mode       string `json:"mode,omitempty" enum:"lines,count,files" default:"\"lines\""`
	Limit      int    `json:"limit,omitempty" jsonschema:"of lines or names shown" default:"100" minimum:"1" maximum:"5000"`
	Context    int    `json:"context,omitempty" jsonschema:"lines around each match" default:"0" minimum:"0" maximum:"50"`
}

type grep struct{ described }

func newGrep() tool.Tool { return grep{describe[grepArgs](reader("grep", grepText))} }

// Call searches the files one after the other, each line by line.
func (t grep) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	var a grepArgs
	err := t.args(in, &a)
	if err != nil {
		return tool.Result{}, err
	}
	s := &search{mode: a.Mode, invert: a.Invert, limit: a.Limit, context: a.Context}
	if s.limit <= 0 {
		s.limit = 100
	}
	if s.pattern, err = compilePattern(a.Pattern, a.IgnoreCase); err != nil {
		return tool.Result{}, err
	}
	names, err := filesToSearch(in.Scope, a)
	if err != nil {
		return tool.Result{}, err
	}
	untrusted := false
	for _, name := range names {
		switch err := s.file(ctx, in.Scope, name); {
		case err != nil && (name == path.Clean(a.Path) || ctx.Err() != nil):
			return tool.Result{}, err
		case errors.Is(err, errBinary):
			s.binary++
		case err != nil: // unreadable or gone: the others count
			s.unread = append(s.unread, named(name))
		}
		untrusted = untrusted || fromChat(in.Scope, name)
	}
	return tool.Result{Text: s.answer(len(names)), Untrusted: untrusted}, nil
}

func compilePattern(pattern string, ignoreCase bool) (*regexp.Regexp, error) {
	if ignoreCase {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "grep: argument \"pattern\": %w", err).
			WithHint(`the syntax is RE2; put \ before a character that is meant literally`)
	}
	return re, nil
}

func filesToSearch(s tool.Scope, a grepArgs) ([]string, error) {
	at := orHere(a.Path)
	names, err := filesBelow(s, at)
	if err != nil || a.Glob == "" {
		return names, err
	}
	m, err := newMatcher(a.Glob)
	if err != nil {
		return nil, err
	}
	var wanted []string
	for _, name := range names {
		if m.match(within(at, name)) {
			wanted = append(wanted, name)
		}
	}
	return wanted, nil
}
