package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad/internal/client"
)

func strategyCommand(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "strategy [NAME]", Short: "Show how models are chosen, or force it on all nodes", Args: args(0, 1, "[NAME]"), RunE: func(cmd *cobra.Command, a []string) error {
		return withDaemon(env, func(c *client.Client) error {
			var s client.Strategy
			var err error
			if len(a) > 0 {
				s, err = c.SetStrategy(cmd.Context(), a[0])
			} else {
				s, err = c.Strategy(cmd.Context())
			}
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(env.Stdout, s)
			}
			_, err = fmt.Fprintf(env.Stdout, "%s (of: %s)\n", s.Strategy, strings.Join(s.Known, ", "))
			return err
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
