package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/client"
)

func toolCommand(env environment) *cobra.Command {
	return group("tool", "The tools that agents may use", toolLs(env))
}

func toolLs(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List the tools that this home's configuration switches on", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		cfg, err := env.config()
		if err != nil {
			return err
		}
		tools, err := app.Tools(cmd.Context(), cfg)
		if err != nil {
			return err
		}
		page := client.Page[client.Tool]{Items: admin.Tools(tools)}
		if asJSON {
			return printPage(env.Stdout, page)
		}
		var rows [][]string
		for _, t := range page.Items {
			does, _, _ := strings.Cut(t.Description, "\n")
			rows = append(rows, []string{t.Name, t.Category, t.Risk, brief(does, 80)})
		}
		return table(env.Stdout, []string{"NAME", "CATEGORY", "RISK", "DOES"}, rows)
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
