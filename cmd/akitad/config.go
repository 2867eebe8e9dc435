package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
)

func configCommand(env environment) *cobra.Command {
	return group("config", "The configuration of this home", configExplain(env))
}

func configExplain(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "explain", Short: "Show every key with its value and where that came from", Args: noArgs, RunE: func(*cobra.Command, []string) error {
		cfg, problems, err := config.Inspect(env.home(), env.Env)
		if err != nil {
			return err
		}
		if err := printLines(env, config.ExplainAll(cfg, problems), asJSON); err != nil || len(problems) == 0 {
			return err
		}
		var where []string // the lines above say what is wrong
		for _, p := range problems {
			where = append(where, cmp.Or(p.Where, p.Key))
		}
		return akitad.Errorf(akitad.InvalidRequest, "the configuration has %s: %s", counted(len(problems), "problem"), strings.Join(where, ", ")).
			WithHint("correct each line that says WRONG; nothing starts before")
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printLines(env environment, lines []config.Line, asJSON bool) error {
	if asJSON {
		return printPage(env.Stdout, client.Page[config.Line]{Items: lines})
	}
	var rows [][]string
	for _, l := range lines {
		source := l.Source
		if l.Note != "" {
			source += "  NO EFFECT: " + l.Note
		}
		if l.Problem != "" {
			source += "  WRONG: " + l.Problem
		}
		rows = append(rows, []string{l.Key, l.Value, source})
	}
	return table(env.Stdout, []string{"KEY", "VALUE", "SOURCE"}, rows)
}
