package data

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// given are the values of parameters: by name, or in order.
type given struct {
	named map[string]any
	list  []any
}

// parameters decodes the argument params: an object of values by name, a list of values in order, or nothing.
func parameters(raw json.RawMessage) (given, error) {
	raw = bytes.TrimSpace(raw)
	var g given
	var err error
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return g, nil
	case raw[0] == '{':
		err = decode(raw, &g.named)
	case raw[0] == '[':
		err = decode(raw, &g.list)
	default:
		err = fmt.Errorf("%.60s is neither an object nor a list", raw)
	}
	if err != nil {
		return g, bad("params: %w", err).WithHint(`write {"id": 7} for :id, or [7] for ?`)
	}
	return g, nil
}

// args returns what a script's parameters are bound to: values of the row, if it has them, else of g.
// A name that only other rows have is NULL.
func (g given) args(s script, known map[string]bool, row ...map[string]any) ([]any, error) {
	if s.positional {
		return g.positional(s)
	}
	if len(g.list) > 0 {
		return nil, bad("params is a list, and the SQL has no ?").WithHint(`write {"name": value} for :name`)
	}
	var out []any
	for _, name := range s.names {
		v, ok := g.named[name]
		for _, r := range row {
			if got, has := r[name]; has {
				v, ok = got, true
			}
		}
		if !ok && !known[name] {
			return nil, bad("there is no value for the parameter %q", name).WithHint(g.hint(known))
		}
		value, err := bound(v)
		if err != nil {
			return nil, bad("parameter %q: %w", name, err)
		}
		out = append(out, sql.Named(name, value))
	}
	return out, nil
}

// positional returns the list's values for the parameters of a script that have no name.
func (g given) positional(s script) ([]any, error) {
	if len(s.names) > 0 {
		return nil, bad("the SQL has parameters with and without a name").WithHint("use one kind")
	}
	out := make([]any, len(g.list))
	for i, v := range g.list {
		value, err := bound(v)
		if err != nil {
			return nil, bad("parameter %d: %w", i+1, err)
		}
		out[i] = value
	}
	return out, nil
}

// hint names the values that there are, for a model that asked for another one.
func (g given) hint(known map[string]bool) string {
	names := slices.Concat(slices.Collect(maps.Keys(g.named)), slices.Collect(maps.Keys(known)))
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return "give it in params"
	}
	return "there are: " + strings.Join(names, ", ")
}
