package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad/internal/client"
)

func agentCommand(env environment) *cobra.Command {
	return group("agent", "The kinds of agent and how they do", agentLs(env))
}

func agentLs(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List the profiles and what became of their instances", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return withDaemon(env, func(c *client.Client) error {
			page, err := client.List[client.Agent](cmd.Context(), c, "/v1/agents", nil)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(env.Stdout, page)
			}
			var rows [][]string
			for _, a := range page.Items {
				rows = append(rows, []string{
					a.Profile, strconv.Itoa(a.Opened), strconv.Itoa(a.Reused), strconv.Itoa(a.Busy), strconv.Itoa(a.Idle),
					strconv.Itoa(a.Done), strconv.Itoa(a.Failed), fmt.Sprintf("%.0f %%", 100*a.Success), brief(a.Description, 60),
				})
			}
			return table(env.Stdout, []string{"PROFILE", "OPENED", "REUSED", "BUSY", "IDLE", "DONE", "FAILED", "SUCCESS", "DOES"}, rows)
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
