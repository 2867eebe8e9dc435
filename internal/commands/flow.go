package commands

import (
	"context"
	"errors"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/text"
)

// flow runs a prepared flow as the person's own task, or lists those that there are.
func (c *Commands) flow(ctx context.Context, r request) (string, error) {
	lang, m := r.lang, r.Message
	name, rest := oneValue(r.args)
	if name == "" {
		return c.listFlows(lang)
	}
	params, err := pairs(rest)
	if err != nil {
		return lang.FlowRefused(name, err.Error()), nil
	}
	m.Flow, m.Params, m.Origin.Lang = name, params, string(lang)
	err = c.Orchestrator.StartFlow(ctx, m)
	if words := full(lang, err); words != "" {
		return words, nil
	}
	switch akitad.KindOf(err) {
	case akitad.NotFound:
		return lang.NoSuchFlow(name), nil
	case akitad.InvalidRequest, akitad.PermissionDenied:
		return lang.FlowRefused(name, err.Error()), nil
	}
	return "", err
}

func (c *Commands) listFlows(lang text.Lang) (string, error) {
	all, err := c.Orchestrator.Flows()
	if err != nil {
		return "", err
	}
	var lines []string
	for _, f := range all {
		if f.Err != nil {
			lines = append(lines, lang.FlowBroken(f.Name, f.Err.Error()))
			continue
		}
		var params []string
		for _, p := range plan.Declared(f.Plan) {
			if p.Required {
				params = append(params, p.Name+"=…")
				continue
			}
			params = append(params, "["+p.Name+"=…]")
		}
		lines = append(lines, lang.FlowLine(f.Name, strings.Join(params, " "), f.Plan.Goal))
	}
	if len(lines) == 0 {
		return lang.NoFlows(), nil
	}
	more := len(lines) - maxListed
	if more > 0 {
		lines = append(lines[:maxListed], lang.MemoryMore(more))
	}
	return strings.Join(append(lines, usage(lang, "flow")), "\n"), nil
}

// pairs reads key=value words; a value with blanks stands in quotes, of the kind that phones write too.
func pairs(s string) (map[string]any, error) {
	out := map[string]any{}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		name, rest, ok := strings.Cut(s, "=")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t\n") {
			return nil, errors.New("key=value: " + firstWord(s))
		}
		if _, twice := out[name]; twice {
			return nil, errors.New(name + "=… " + name + "=…")
		}
		var value string
		value, s = oneValue(rest)
		out[name] = value
	}
	return out, nil
}

// quotes are what opens and closes a value.
var quotes = []struct{ open, shut string }{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"「", "」"}}

func oneValue(s string) (value, rest string) {
	for _, q := range quotes {
		in, ok := strings.CutPrefix(s, q.open)
		if !ok {
			continue
		}
		if value, rest, ok = strings.Cut(in, q.shut); ok {
			return value, rest
		}
	}
	if at := strings.IndexAny(s, " \t\r\n"); at >= 0 {
		return s[:at], s[at:]
	}
	return s, ""
}

func firstWord(s string) string { return strings.Fields(s)[0] }
