package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// nameForm is what every provider accepts as the name of a tool.
var nameForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Registry names tools. It never changes once made, so it may be shared.
type Registry struct {
	tools  []Tool // in the order they were given
	byName map[string]entry
}

type entry struct {
	tool Tool
	args *Arguments
}

// NewRegistry makes a registry of these tools and keeps their order. A name that is given twice or
// that no provider would take, and a schema that is none, are errors.
func NewRegistry(tools ...Tool) (*Registry, error) {
	r := &Registry{tools: slices.Clone(tools), byName: make(map[string]entry, len(tools))}
	for _, t := range tools {
		info := t.Info()
		if !nameForm.MatchString(info.Name) {
			return nil, akitad.Errorf(akitad.InvalidRequest, "%q cannot name a tool", info.Name).WithHint("1 to 64 letters, digits, _ and -")
		}
		if _, ok := r.byName[info.Name]; ok {
			return nil, akitad.Errorf(akitad.InvalidRequest, "two tools are named %q", info.Name)
		}
		args, err := NewArguments(info)
		if err != nil {
			return nil, err
		}
		r.byName[info.Name] = entry{t, args}
	}
	return r, nil
}

// Get gives the tool of that name.
func (r *Registry) Get(name string) (Tool, bool) {
	e, ok := r.byName[name]
	return e.tool, ok
}

// All gives every tool, in order.
func (r *Registry) All() []Tool { return slices.Clone(r.tools) }

// Prepare does what Arguments.Prepare does, for the tool of that name. An unknown name is
// not_found, with the nearest known ones as hint.
func (r *Registry) Prepare(name string, raw json.RawMessage) (json.RawMessage, error) {
	e, ok := r.byName[name]
	if !ok {
		return nil, r.unknown(name, r.names())
	}
	return e.args.Prepare(raw)
}

// Select gives the tools that the words name: a tool's name, a category, or a glob over names.
// No words mean all tools. The order is the registry's. A word that names nothing is not_found.
func (r *Registry) Select(words []string) ([]Tool, error) {
	if len(words) == 0 {
		return r.All(), nil
	}
	wanted, errs := map[string]bool{}, []error{}
	for _, word := range words {
		found := r.match(word)
		if len(found) == 0 {
			errs = append(errs, r.unknown(word, append(r.names(), r.categories()...)))
		}
		for _, name := range found {
			wanted[name] = true
		}
	}
	if len(errs) > 0 {
		return nil, joinKind(akitad.NotFound, errs)
	}
	return slices.DeleteFunc(r.All(), func(t Tool) bool { return !wanted[t.Info().Name] }), nil
}

// Enabled gives the registry of the tools that are switched on: those that the first list names
// (all, if it is empty), and those that lead to others, without those of the second list. Words are
// as for Select; a word of the second list that names nothing switches nothing off and is no error.
func (r *Registry) Enabled(enabled, disabled []string) (*Registry, error) {
	tools, err := r.Select(enabled)
	if err != nil {
		return nil, err
	}
	on, off := map[string]bool{}, map[string]bool{}
	for _, t := range tools {
		on[t.Info().Name] = true
	}
	for _, word := range disabled {
		for _, name := range r.match(word) {
			off[name] = true
		}
	}
	sub := &Registry{byName: map[string]entry{}}
	for _, t := range r.tools {
		if info := t.Info(); (on[info.Name] || info.Meta) && !off[info.Name] {
			sub.tools = append(sub.tools, t)
			sub.byName[info.Name] = r.byName[info.Name]
		}
	}
	return sub, nil
}

// Nothing gives those of the words that name no tool.
func (r *Registry) Nothing(words []string) (out []string) {
	for _, word := range words {
		if len(r.match(word)) == 0 {
			out = append(out, word)
		}
	}
	return out
}

// Steps describes the tools that a plan's step may call.
func (r *Registry) Steps() (infos []Info) {
	for _, t := range r.tools {
		if info := t.Info(); !info.Meta && !info.Waits {
			infos = append(infos, info)
		}
	}
	return infos
}

// Waiting names the tools that wait for somebody else.
func (r *Registry) Waiting() (names []string) {
	for _, t := range r.tools {
		if info := t.Info(); info.Waits {
			names = append(names, info.Name)
		}
	}
	return names
}

// match gives the names that one word stands for.
func (r *Registry) match(word string) (names []string) {
	if _, ok := r.byName[word]; ok {
		return []string{word}
	}
	isGlob := strings.ContainsAny(word, "*?[")
	for _, t := range r.tools {
		info := t.Info()
		hit := info.Category == word
		if isGlob {
			hit, _ = path.Match(word, info.Name)
		}
		if hit {
			names = append(names, info.Name)
		}
	}
	return names
}

func (r *Registry) names() []string {
	names := make([]string, 0, len(r.tools))
	for _, t := range r.tools {
		names = append(names, t.Info().Name)
	}
	return names
}

func (r *Registry) categories() (all []string) {
	for _, t := range r.tools {
		if c := t.Info().Category; c != "" && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

func (r *Registry) unknown(word string, known []string) *akitad.Error {
	err := akitad.Errorf(akitad.NotFound, "no tool is named %q", word)
	if near := Nearest(word, known); len(near) > 0 {
		return err.WithHint("did you mean " + strings.Join(near, ", ") + "?")
	}
	slices.Sort(known)
	return err.WithHint("known: " + strings.Join(known, ", "))
}

// joinKind makes one error of several; the hints stay.
func joinKind(kind akitad.Kind, errs []error) error {
	var hints []string
	for _, err := range errs {
		if e, ok := errors.AsType[*akitad.Error](err); ok && e.Hint != "" {
			hints = append(hints, e.Hint)
		}
	}
	return &akitad.Error{Kind: kind, Err: fmt.Errorf("%w", errors.Join(errs...)), Hint: strings.Join(hints, " ")}
}
