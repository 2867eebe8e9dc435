package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
)

type taskFunc = func(context.Context, *client.Client, akitad.TaskID) (akitad.Task, error)

// taskChange is a command that does something to a task and says how the task then stands.
func taskChange(env environment, cmd *cobra.Command, do func(args []string) (taskFunc, error)) *cobra.Command {
	var asJSON bool
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, a []string) error {
		id, err := taskID(a[0])
		if err != nil {
			return err
		}
		act, err := do(a[1:])
		if err != nil {
			return err
		}
		return withDaemon(env, func(c *client.Client) error {
			id, err := whole(cmd.Context(), c, id)
			if err != nil {
				return err
			}
			t, err := act(cmd.Context(), c, id)
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(env.Stdout, t)
			}
			_, err = fmt.Fprintln(env.Stdout, t.ID, stateOf(t.State, t.Reason))
			return err
		})
	}
	return cmd
}

func taskAction(env environment, name, short string, act func(*client.Client, context.Context, akitad.TaskID) (akitad.Task, error)) *cobra.Command {
	return taskChange(env, &cobra.Command{Use: name + " ID", Short: short, Args: args(1, 1, "ID")}, func([]string) (taskFunc, error) {
		return func(ctx context.Context, c *client.Client, id akitad.TaskID) (akitad.Task, error) {
			return act(c, ctx, id)
		}, nil
	})
}

func taskSteer(env environment) *cobra.Command {
	cmd := &cobra.Command{Use: "steer ID TEXT", Short: "Correct a running task, or answer its question", Args: args(2, -1, "ID TEXT")}
	return taskChange(env, cmd, func(words []string) (taskFunc, error) {
		text := strings.Join(words, " ")
		return func(ctx context.Context, c *client.Client, id akitad.TaskID) (akitad.Task, error) {
			return c.Steer(ctx, id, text)
		}, checkText("text", text)
	})
}

func taskRate(env environment) *cobra.Command {
	cmd := &cobra.Command{Use: "rate ID STARS", Short: "Rate a result with 1 to 5 stars", Args: args(2, 2, "ID STARS")}
	return taskChange(env, cmd, func(a []string) (taskFunc, error) {
		stars, err := strconv.Atoi(a[0])
		if err != nil || stars < 1 || stars > 5 {
			return nil, usage("%q is no number of stars from 1 to 5", a[0])
		}
		return func(ctx context.Context, c *client.Client, id akitad.TaskID) (akitad.Task, error) {
			return c.Rate(ctx, id, stars)
		}, nil
	})
}

func taskRetry(env environment) *cobra.Command {
	cmd := &cobra.Command{Use: "retry ID", Short: "Reopen a task that failed or was cancelled", Args: args(1, 1, "ID")}
	from := cmd.Flags().Int("from", 0, "go on after this `ROUND`, with the files as they were then; 0 begins anew (default: after the last round that was done)")
	return taskChange(env, cmd, func([]string) (taskFunc, error) {
		var round *int
		if cmd.Flags().Changed("from") {
			if round = from; *from < 0 {
				return nil, usage("--from %d: rounds are counted from 1, and 0 begins anew", *from)
			}
		}
		return func(ctx context.Context, c *client.Client, id akitad.TaskID) (akitad.Task, error) {
			return c.Retry(ctx, id, round)
		}, nil
	})
}

func taskRollback(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "rollback ID", Short: "Undo what a task that has ended wrote into its folder", Args: args(1, 1, "ID"), RunE: func(cmd *cobra.Command, a []string) error {
		id, err := taskID(a[0])
		if err != nil {
			return err
		}
		return withDaemon(env, func(c *client.Client) error {
			id, err := whole(cmd.Context(), c, id)
			if err != nil {
				return err
			}
			r, err := c.Rollback(cmd.Context(), id)
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(env.Stdout, r)
			}
			return printRollback(env, r)
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printRollback(env environment, r client.Rollback) error {
	var rows [][]string
	for _, name := range r.Restored {
		rows = append(rows, []string{"restored", name})
	}
	for _, name := range r.Removed {
		rows = append(rows, []string{"removed", name})
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(env.Stdout, "nothing to undo: the files are as they were")
		return err
	}
	return table(env.Stdout, nil, rows)
}
