package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
)

func approvalsCommand(env environment) *cobra.Command {
	return group("approvals", "What tasks ask people", approvalsLs(env))
}

func approvalsLs(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List what waits for a person", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return withDaemon(env, func(c *client.Client) error {
			page, err := client.List[client.Approval](cmd.Context(), c, "/v1/approvals", nil)
			switch {
			case err != nil:
				return err
			case asJSON:
				return printPage(env.Stdout, page)
			case len(page.Items) == 0:
				_, err = fmt.Fprintln(env.Stdout, "nothing waits for a person")
				return err
			}
			return printApprovals(env, page.Items)
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printApprovals(env environment, all []client.Approval) error {
	var rows [][]string
	for _, a := range all {
		until := "-"
		if a.Until != nil {
			until = stamp(*a.Until)
		}
		rows = append(rows, []string{a.ID, a.Kind, until, strings.Join(a.Choices, "|"), brief(a.Text, 70)})
	}
	return table(env.Stdout, []string{"ID", "KIND", "UNTIL", "CHOICES", "ASKS"}, rows)
}

// taskApprove decides what a task asks: by the id of the question, or of the task if it asks one thing.
func taskApprove(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "approve ID [DECISION]", Short: "Answer what a task asks: approve (the default), deny, or words of its choices", Args: args(1, -1, "ID [DECISION]"), RunE: func(cmd *cobra.Command, a []string) error {
		id, _, one := strings.Cut(a[0], ".")
		task, err := taskID(id)
		if err != nil {
			return err
		}
		decision := strings.Join(a[1:], " ")
		if decision == "" {
			decision = "approve"
		}
		return withDaemon(env, func(c *client.Client) error {
			question := a[0]
			if !one {
				if question, err = questionOf(cmd.Context(), c, task); err != nil {
					return err
				}
			}
			t, err := c.Decide(cmd.Context(), question, decision)
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(env.Stdout, t)
			}
			_, err = fmt.Fprintln(env.Stdout, t.ID, stateOf(t.State, t.Reason))
			return err
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// questionOf gives the id of the one thing that a task asks.
func questionOf(ctx context.Context, c *client.Client, task akitad.TaskID) (string, error) {
	task, err := whole(ctx, c, task)
	if err != nil {
		return "", err
	}
	page, err := client.List[client.Approval](ctx, c, "/v1/approvals", nil)
	if err != nil {
		return "", err
	}
	mine := slices.DeleteFunc(page.Items, func(a client.Approval) bool { return a.Task != task })
	switch len(mine) {
	case 0:
		return "", akitad.Errorf(akitad.NotFound, "task %s asks nothing", task).WithHint("list what waits for a person with: akitad approvals ls")
	case 1:
		return mine[0].ID, nil
	}
	return "", usage("task %s asks %d things: give the id of one, see akitad approvals ls", task, len(mine))
}
