package main

import (
	"errors"

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
		err = config.Invalid(problems)
		if e, ok := errors.AsType[*akitad.Error](err); ok {
			err = e.WithHint("correct each line above; nothing starts before")
		}
		return err
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
			source += " (" + l.Note + ")"
		}
		if l.Problem != "" {
			source += "  WRONG: " + l.Problem
		}
		rows = append(rows, []string{l.Key, l.Value, source})
	}
	return table(env.Stdout, []string{"KEY", "VALUE", "SOURCE"}, rows)
}
