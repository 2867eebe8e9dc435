package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
)

// modelReport is what doctor --models found.
type modelReport struct {
	Items []app.TriedModel    `json:"items"`
	Roles map[string][]string `json:"roles"` // endpoints in the order in which they are tried
}

// tryModels asks every endpoint and says what works. One that a role needs and that does not serve it
// is an error.
func tryModels(ctx context.Context, env environment, asJSON bool) error {
	cfg, err := env.config()
	if err != nil {
		return err
	}
	tried, err := app.TryModels(ctx, cfg)
	if err != nil {
		return err
	}
	report := modelReport{Items: tried, Roles: cfg.Roles.Map()}
	if asJSON {
		err = printJSON(env.Stdout, report)
	} else {
		err = printModels(env, report)
	}
	for _, t := range tried {
		if t.State == "fail" && err == nil {
			err = akitad.Errorf(akitad.Unavailable, "not every endpoint that a role needs works: see %s above", t.Endpoint)
		}
	}
	return err
}

func printModels(env environment, r modelReport) error {
	rows := make([][]string, 0, len(r.Items))
	states := map[string]string{}
	for _, t := range r.Items {
		states[t.Endpoint] = t.State
		rows = append(rows, []string{
			t.State, t.Endpoint, t.Protocol, t.Model, string(t.Reachable), string(t.KeyAccepted), string(t.ToolCall),
			string(t.Streaming), string(t.Usage), firstByte(t), window(t),
		})
	}
	head := []string{"STATE", "ENDPOINT", "PROTOCOL", "MODEL", "REACHED", "KEY", "TOOL CALL", "STREAMS", "USAGE", "FIRST BYTE", "WINDOW"}
	if err := table(env.Stdout, head, rows); err != nil {
		return err
	}
	for _, t := range r.Items {
		printProblem(env, t)
	}
	for _, role := range slices.Sorted(maps.Keys(r.Roles)) {
		names := slices.Clone(r.Roles[role])
		for i, n := range names {
			if states[n] == "fail" {
				names[i] += " (fails)"
			}
		}
		fmt.Fprintf(env.Stdout, "role  %-10s  %s\n", role, strings.Join(names, ", "))
	}
	return nil
}

func printProblem(env environment, t app.TriedModel) {
	if t.Problem == "" {
		return
	}
	fmt.Fprintf(env.Stdout, "%-4s  %-10s  %s: %s\n", t.State, t.Endpoint, t.Kind, t.Problem)
	if t.Hint != "" {
		fmt.Fprintf(env.Stdout, "%-4s  %-10s  -> %s\n", "", "", t.Hint)
	}
}

func firstByte(t app.TriedModel) string {
	if t.FirstByteMS == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f ms", t.FirstByteMS)
}

// window gives an endpoint's window in tokens; what nobody has set is only what is common.
func window(t app.TriedModel) string {
	switch {
	case t.Protocol == config.OfflineEndpoint:
		return "-"
	case t.WindowKnown:
		return fmt.Sprint(t.Window)
	}
	return fmt.Sprintf("%d (not set)", t.Window)
}
