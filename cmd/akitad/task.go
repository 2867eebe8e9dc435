package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
)

func taskCommand(env environment) *cobra.Command {
	return group("task", "List tasks, look at them and steer them",
		taskLs(env), taskShow(env), taskWatch(env), taskSteer(env), taskRate(env), taskStats(env),
		taskAction(env, "cancel", "End a task for good", (*client.Client).Cancel),
		taskAction(env, "pause", "Hold a task once its running round has ended", (*client.Client).Pause),
		taskAction(env, "resume", "Let a paused task go on", (*client.Client).Resume),
		taskAction(env, "failover", "End the present attempt and start the next agent", (*client.Client).Failover),
		taskRetry(env), taskRollback(env), taskFiles(env), taskApprove(env),
	)
}

func taskLs(env environment) *cobra.Command {
	var f client.Filter
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List tasks, newest first", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		if err := cmp.Or(checkState(f.State), checkLimit(f.Limit)); err != nil {
			return err
		}
		return withReader(cmd.Context(), env, func(c *client.Client) error {
			page, err := c.Tasks(cmd.Context(), f)
			if err != nil {
				return err
			}
			if asJSON {
				return printPage(env.Stdout, page)
			}
			return printTasks(env, page)
		})
	}}
	fl := cmd.Flags()
	fl.StringVar(&f.State, "state", "", "only tasks in this state")
	fl.StringVar(&f.Session, "session", "", "only tasks of this session key")
	fl.StringVarP(&f.Query, "query", "q", "", "only tasks whose text contains this")
	fl.IntVar(&f.Limit, "limit", 50, "how many, at most 500")
	fl.StringVar(&f.Cursor, "cursor", "", "go on after the page that gave this")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

var states = []akitad.State{akitad.Pending, akitad.Running, akitad.Waiting, akitad.Blocked, akitad.Completed, akitad.Failed, akitad.WasCancelled}

func checkState(s string) error {
	if s == "" || slices.Contains(states, akitad.State(s)) {
		return nil
	}
	return usage("--state %s: use one of %s", s, strings.Trim(fmt.Sprint(states), "[]"))
}

func printTasks(env environment, page client.Page[client.Summary]) error {
	rows := make([][]string, 0, len(page.Items))
	for _, t := range page.Items {
		rows = append(rows, []string{string(t.ID), stateOf(t.State, t.Reason), t.Profile, stamp(t.Created), brief(t.Text, 60)})
	}
	if err := env.listing([]string{"ID", "STATE", "PROFILE", "CREATED", "TEXT"}, rows, "there are no such tasks: akitad run \"TEXT\" does one"); err != nil {
		return err
	}
	if page.Next != "" {
		fmt.Fprintln(env.Stderr, "more with: --cursor", page.Next)
	}
	return nil
}

func stateOf(s akitad.State, reason string) string {
	if reason == "" {
		return string(s)
	}
	return fmt.Sprintf("%s (%s)", s, reason)
}

func taskShow(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "show ID", Short: "Show one task", Args: args(1, 1, "ID"), RunE: func(cmd *cobra.Command, a []string) error {
		id, err := taskID(a[0])
		if err != nil {
			return err
		}
		cfg, err := env.config()
		if err != nil {
			return err
		}
		return withReader(cmd.Context(), env, func(c *client.Client) error {
			id, err := whole(cmd.Context(), c, id)
			if err != nil {
				return err
			}
			t, err := c.Task(cmd.Context(), id)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(env.Stdout, t)
			}
			return printTask(env.Stdout, t, whereFiles(cfg, t))
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printTask(w io.Writer, t akitad.Task, files string) error {
	rows := [][]string{
		{"task", string(t.ID)},
		{"state", stateOf(t.State, t.Reason)},
		{"text", brief(t.Text, 200)},
		{"profile", t.Profile},
		{"from", t.Origin.Channel},
		{"created", stamp(t.Created)},
		{"took", took(t)},
		{"rounds", roundsText(t.Rounds)},
		{"usage", fmt.Sprintf("%d calls, %d tokens in (%d cached), %d out", t.Usage.Calls, t.Usage.Input, t.Usage.Cached, t.Usage.Output)},
	}
	if t.WaitsFor != "" {
		rows = append(rows, []string{"waits for", brief(t.WaitsFor, 300)})
	}
	if t.Flow != "" {
		rows = append(rows, []string{"flow", strings.TrimSpace(t.Flow + " " + t.FlowHash)})
	}
	if t.Parent != "" {
		rows = append(rows, []string{"parent", string(t.Parent)})
	}
	if files != "" {
		rows = append(rows, []string{"files", files})
	}
	if t.RolledBack != nil {
		rows = append(rows, []string{"rolled back", stamp(*t.RolledBack) + ", what it wrote is undone"})
	}
	block := ""
	if t.Question != "" {
		asks := t.Question
		if block = asks; !strings.Contains(strings.TrimSpace(asks), "\n") && utf8.RuneCountInString(asks) <= maxAsks {
			block = ""
		} else {
			asks = "see below"
		}
		rows = append(rows, []string{"asks", brief(asks, maxAsks)}, []string{"answer with", "akitad task steer " + string(t.ID) + " TEXT"})
	}
	for _, s := range t.Steps {
		rows = append(rows, []string{"step " + s.ID, s.State + " " + string(s.Task)})
	}
	if len(t.Steps) == 0 {
		for _, c := range t.Children {
			rows = append(rows, []string{"child", string(c)})
		}
	}
	if err := table(w, nil, rows); err != nil {
		return err
	}
	if block != "" {
		if _, err := fmt.Fprintf(w, "\n%s\n", strings.TrimRight(block, "\n")); err != nil {
			return err
		}
	}
	return printEnd(w, t)
}

// maxAsks is how long a question may be, in characters, to stand in the table; a plan stands below it.
const maxAsks = 200

func printEnd(w io.Writer, t akitad.Task) error {
	if t.Error != nil {
		if _, err := fmt.Fprintf(w, "\n%s: %s\n", t.Error.Kind, strings.TrimPrefix(t.Error.Message, string(t.Error.Kind)+": ")); err != nil {
			return err
		}
		if t.Error.Hint != "" {
			if _, err := fmt.Fprintln(w, "hint:", t.Error.Hint); err != nil {
				return err
			}
		}
	}
	return printResult(w, t)
}

func printResult(w io.Writer, t akitad.Task) error {
	if t.Result == nil {
		return nil
	}
	if t.Result.Text != "" {
		if _, err := fmt.Fprintf(w, "\n%s\n", strings.TrimRight(t.Result.Text, "\n")); err != nil {
			return err
		}
	}
	for _, d := range t.Result.Degraded {
		if _, err := fmt.Fprintf(w, "degraded: %s %s -> %s (%s) %s\n", d.Layer, d.From, d.To, d.Kind, d.Reason); err != nil {
			return err
		}
	}
	return nil
}

func took(t akitad.Task) string {
	switch {
	case t.Started == nil:
		return "not started"
	case t.Ended == nil:
		return "running for " + time.Since(*t.Started).Round(time.Second).String()
	}
	return t.Ended.Sub(*t.Started).Round(time.Millisecond).String()
}

func taskWatch(env environment) *cobra.Command {
	return &cobra.Command{Use: "watch ID", Short: "Follow a task until it ends", Args: args(1, 1, "ID"), RunE: func(cmd *cobra.Command, a []string) error {
		id, err := taskID(a[0])
		if err != nil {
			return err
		}
		return withDaemon(env, func(c *client.Client) error {
			id, err := whole(cmd.Context(), c, id)
			if err != nil {
				return err
			}
			t, err := c.Task(cmd.Context(), id)
			if err != nil {
				return err
			}
			c.Lost = env.lost
			p := progress{w: env.Stdout, began: t.Created, past: true, names: map[akitad.TaskID]string{}}
			if err := c.Follow(cmd.Context(), id, 0, func(e akitad.Event) bool { p.event(e); return true }); err != nil {
				return err
			}
			if t, err = c.Task(cmd.Context(), id); err != nil {
				return err
			}
			return errors.Join(printResult(env.Stdout, t), t.Error.Err()) // what it failed with is told once, as the error
		})
	}}
}

// budgetRows tells what the task's tree has used of its budget.
func budgetRows(limits []client.Limit) (rows [][]string) {
	for _, l := range limits {
		text := fmt.Sprintf("%d used, no limit", l.Used)
		if l.Limit > 0 {
			text = fmt.Sprintf("%d of %d used, %d left", l.Used, l.Limit, l.Left)
		}
		rows = append(rows, []string{"budget: " + strings.ReplaceAll(l.Name, "_", " "), text})
	}
	return rows
}

func taskStats(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "stats ID", Short: "Show what a task used", Args: args(1, 1, "ID"), RunE: func(cmd *cobra.Command, a []string) error {
		id, err := taskID(a[0])
		if err != nil {
			return err
		}
		return withReader(cmd.Context(), env, func(c *client.Client) error {
			id, err := whole(cmd.Context(), c, id)
			if err != nil {
				return err
			}
			s, err := c.Stats(cmd.Context(), id)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(env.Stdout, s)
			}
			return table(env.Stdout, nil, append([][]string{
				{"rounds", roundsText(s.Rounds)},
				{"model calls", strconv.Itoa(s.Usage.Calls)},
				{"tokens", tokens(s.Usage.Input, s.Usage.Cached, s.Usage.Output)},
				{"tool calls", fmt.Sprintf("%d, %d failed", s.Calls, s.Failed)},
				{"tool bytes", fmt.Sprintf("%d made, %d shown to the model", s.Produced, s.Shown)},
				{"children", strconv.Itoa(s.Children)},
				{"claims", strconv.Itoa(s.Claims)},
				{"events", strconv.Itoa(s.Events)},
			}, slices.Concat(budgetRows(s.Budget), shareRows("own", s.Own), shareRows("tree", s.Tree))...))
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// roundsText says which rounds are counted: the last one of a trace, which has the answer and no calls, is none of them.
func roundsText(n int) string { return strconv.Itoa(n) + " with tool calls" }
