package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
)

// Unwrap keeps kind and hint visible.
func (e errNoDaemon) Unwrap() error { return e.error }

// Unwrap keeps kind and hint visible.
func (e errUsage) Unwrap() error { return e.error }

// usage makes an error about how a command was called.
func usage(format string, args ...any) error { return errUsage{fmt.Errorf(format, args...)} }

// args checks the number of arguments as a usage error; names says what they are.
func args(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if len(given) < least || (most >= 0 && len(given) > most) {
			return usage("write: %s %s", cmd.CommandPath(), names)
		}
		return nil
	}
}

// group is a command that only holds others.
func group(name, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, given []string) error {
			if len(given) > 0 {
				return usage("there is no command %q; see %s --help", cmd.CommandPath()+" "+given[0], cmd.CommandPath())
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(subs...)
	return cmd
}

// withDaemon does something with the daemon of the home.
func withDaemon(env environment, do func(*client.Client) error) error {
	cfg, err := env.config()
	if err != nil {
		return err
	}
	c, err := client.ForHome(cfg.Path)
	if err == nil {
		err = do(c)
	}
	if errors.Is(err, client.ErrNoDaemon) {
		return errNoDaemon{err}
	}
	return err
}

// taskID reads a task's id as an argument.
func taskID(s string) (akitad.TaskID, error) {
	id := akitad.TaskID(s)
	if !id.Valid() {
		return "", usage("%q is not a task id: they begin with t_; list them with akitad task ls", s)
	}
	return id, nil
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// table prints rows in columns below a head, if there is one.
func table(w io.Writer, head []string, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	if head != nil {
		rows = slices.Concat([][]string{head}, rows)
	}
	for _, row := range rows {
		if _, err := fmt.Fprintln(t, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return t.Flush()
}

// brief gives a text on one line, cut to about n characters.
func brief(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// stamp shows a time to people.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}
