package main

import (
	"github.com/spf13/cobra"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
)

func configCommand(env environment) *cobra.Command {
	return group("config", "The configuration of this home", configExplain(env))
}

func configExplain(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "explain", Short: "Show every key with its value and where that came from", Args: noArgs, RunE: func(*cobra.Command, []string) error {
		cfg, err := env.config()
		if err != nil {
			return err
		}
		lines := config.Explain(cfg)
		if asJSON {
			return printJSON(env.Stdout, client.Page[config.Line]{Items: lines})
		}
		var rows [][]string
		for _, l := range lines {
			if l.Note != "" {
				l.Source += " (" + l.Note + ")"
			}
			rows = append(rows, []string{l.Key, l.Value, l.Source})
		}
		return table(env.Stdout, []string{"KEY", "VALUE", "SOURCE"}, rows)
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
