package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/client"
)

func toolCommand(env environment) *cobra.Command {
	return group("tool", "The tools that agents may use: list, call", toolLs(env), toolCall(env))
}

func toolLs(env environment) *cobra.Command {
	var asJSON bool
	var profile string
	cmd := &cobra.Command{Use: "ls", Short: "List the tools that this home's configuration switches on", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		cfg, err := env.config()
		if err != nil {
			return err
		}
		tools, err := app.Tools(cmd.Context(), cfg, profile)
		if err != nil {
			return err
		}
		if asJSON {
			return printPage(env.Stdout, client.Page[client.Tool]{Items: tools})
		}
		var rows [][]string
		for _, t := range tools {
			does, _, _ := strings.Cut(t.Description, "\n")
			rows = append(rows, []string{t.Name, t.Category, t.Risk, traits(t), disclosure(t), brief(does, 60)})
		}
		return table(env.Stdout, []string{"NAME", "CATEGORY", "RISK", "TRAITS", "PROMPT", "DOES"}, rows)
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&profile, "profile", "", "the tools of this profile (default assistant)")
	return cmd
}

// traits names what is known of a tool's calls.
func traits(t client.Tool) string {
	var all []string
	for _, trait := range []struct {
		word string
		has  bool
	}{{"readonly", t.Readonly}, {"idempotent", t.Idempotent && !t.Readonly}, {"parallel", t.ParallelSafe}} {
		if trait.has {
			all = append(all, trait.word)
		}
	}
	if len(all) == 0 {
		return "-"
	}
	return strings.Join(all, ",")
}

// disclosure says how a prompt tells of a tool: by its schema, or by a line.
func disclosure(t client.Tool) string {
	if t.InBlock {
		return "schema"
	}
	return "line"
}

func toolCall(env environment) *cobra.Command {
	var asJSON bool
	var session string
	cmd := &cobra.Command{Use: "call NAME [JSON]", Short: "Call a tool outside of any task, under the policy of this home", Args: args(1, 2, "NAME [JSON]"), RunE: func(cmd *cobra.Command, a []string) error {
		raw := json.RawMessage("{}")
		if len(a) == 2 {
			raw = json.RawMessage(a[1])
		}
		if !json.Valid(raw) {
			return usage(`the arguments are not JSON: write one object, such as '{"path": "a.txt"}'`)
		}
		r, err := callTool(cmd, env, a[0], session, raw)
		switch {
		case err != nil:
			return err
		case asJSON:
			err = printJSON(env.Stdout, r)
		default:
			_, err = fmt.Fprintln(env.Stdout, strings.TrimRight(r.Text, "\n"))
		}
		if err == nil && r.Exit != 0 {
			err = akitad.Errorf(akitad.ToolFailed, "%s ended with exit code %d", r.Tool, r.Exit)
		}
		return err
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&session, "session", "", "work in the folder of this session (default one that all such calls share)")
	return cmd
}

// callTool makes the call by the daemon of this home, or in this process if none runs.
func callTool(cmd *cobra.Command, env environment, name, session string, raw json.RawMessage) (r client.ToolResult, err error) {
	cfg, err := env.config()
	if err != nil {
		return r, err
	}
	c, err := client.ForHome(cfg.Path)
	if err == nil {
		r, err = c.CallTool(cmd.Context(), name, session, raw)
	}
	if !errors.Is(err, client.ErrNoDaemon) {
		return r, err
	}
	return app.CallTool(cmd.Context(), cfg, name, raw, session)
}
