package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad/internal/client"
)

func agentCommand(env environment) *cobra.Command {
	return group("agent", "The kinds of agent and how they do", agentLs(env),
		agentTurn(env, "pause", "Let a profile take no work, on any node, until it is resumed", (*client.Client).PauseAgent),
		agentTurn(env, "resume", "Let a paused profile take work again", (*client.Client).ResumeAgent),
	)
}

func agentTurn(env environment, name, short string, turn func(*client.Client, context.Context, string) (client.Agent, error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: name + " PROFILE", Short: short, Args: args(1, 1, "PROFILE"), RunE: func(cmd *cobra.Command, a []string) error {
		return withDaemon(env, func(c *client.Client) error {
			agent, err := turn(c, cmd.Context(), a[0])
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(env.Stdout, agent)
			}
			_, err = fmt.Fprintln(env.Stdout, agent.Profile, agentState(agent))
			return err
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func agentState(a client.Agent) string {
	switch {
	case a.Paused && a.Busy > 0:
		return "paused, running rounds end"
	case a.Paused:
		return "paused"
	case !a.Healthy && a.Since != nil && a.NextProbe != nil:
		return fmt.Sprintf("degraded since %s, tried again from %s", stamp(*a.Since), stamp(*a.NextProbe))
	}
	return "open"
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
				return printPage(env.Stdout, page)
			}
			var rows [][]string
			for _, a := range page.Items {
				rows = append(rows, []string{
					a.Profile, strconv.Itoa(a.Opened), strconv.Itoa(a.Reused), strconv.Itoa(a.Busy), strconv.Itoa(a.Idle),
					strconv.Itoa(a.Done), strconv.Itoa(a.Failed), successOf(a), agentState(a), brief(a.Description, 60),
				})
			}
			return table(env.Stdout, []string{"PROFILE", "OPENED", "REUSED", "BUSY", "IDLE", "DONE", "FAILED", "SUCCESS", "STATE", "DOES"}, rows)
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// successOf gives the share of a profile's tasks that went well, "-" before any has ended.
func successOf(a client.Agent) string {
	if a.Done+a.Failed == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*a.Success)
}
