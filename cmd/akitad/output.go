package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
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

// checkText refuses words that are empty or not UTF-8: on their way they would become other words, without a
// word about it.
func checkText(what, text string) error {
	switch {
	case akitad.Blank(text):
		return usage("the %s is empty: write what is wanted", what)
	case !utf8.ValidString(text):
		return usage("the %s is not UTF-8: convert it, or give it as a file", what)
	}
	return nil
}

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
				return noCommand(cmd.CommandPath()+" "+given[0], cmd)
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(subs...)
	return cmd
}

// checkLimit refuses a number of items that no page can have.
func checkLimit(n int) error { return checkWithin(n, 500) }

// checkWithin refuses a number of items that an answer of at most that many cannot have.
func checkWithin(n, most int) error {
	if n < 1 || n > most {
		return usage("--limit %d: give 1 to %d", n, most)
	}
	return nil
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

// lost tells who follows a task that the daemon is gone.
func (e environment) lost(err error) {
	fmt.Fprintf(e.Stderr, "the daemon does not answer (%v): waiting for it, a minute at most; Ctrl-C is safe, the task is kept\n", err)
}

// taskID reads a task's id, or at least its first six characters, as an argument.
func taskID(s string) (akitad.TaskID, error) {
	if id := akitad.TaskID(s); id.Valid() {
		return id, nil
	}
	if why := notAnID(s); why != "" {
		return "", usage("%q is not a task id: %s; list them with akitad task ls", s, why)
	}
	return akitad.TaskID(s), nil
}

// Lengths of a task's id and of the least that may be given of it.
const (
	idLength = 26
	idLeast  = 6
)

// notAnID says why s is neither a task's id nor the beginning of one.
func notAnID(s string) string {
	rest, ok := strings.CutPrefix(s, "t_")
	wrong := strings.IndexFunc(rest, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '2' || r > '7') })
	switch {
	case !ok:
		return "they begin with t_"
	case wrong >= 0:
		r, _ := utf8.DecodeRuneInString(rest[wrong:])
		return fmt.Sprintf("%q is not one of the characters a-z and 2-7", r)
	case len(s) > idLength:
		return fmt.Sprintf("it has %d characters, and they have %d", len(s), idLength)
	case len(s) < idLeast:
		return fmt.Sprintf("give its first %d characters or more", idLeast)
	}
	return ""
}

// whole gives the id that the argument stands for: itself, or the one that begins like it.
func whole(ctx context.Context, c *client.Client, id akitad.TaskID) (akitad.TaskID, error) {
	if id.Valid() {
		return id, nil
	}
	page, err := c.Tasks(ctx, client.Filter{ID: string(id), Limit: 3})
	if err != nil {
		return "", err
	}
	var found []string
	for _, t := range page.Items {
		found = append(found, string(t.ID))
	}
	switch len(found) {
	case 0:
		return "", akitad.Errorf(akitad.NotFound, "no task's id begins with %s", id).WithHint("list the known ones with: akitad task ls")
	case 1:
		return akitad.TaskID(found[0]), nil
	}
	return "", usage("the ids of several tasks begin with %s: %s; give more of it", id, strings.Join(found, ", "))
}

// printPage prints a listing as JSON. One without items has an empty list.
func printPage[T any](w io.Writer, page client.Page[T]) error {
	if page.Items == nil {
		page.Items = []T{}
	}
	return printJSON(w, page)
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// listing prints rows in columns below a head; if there are none, it says so on standard error.
func (e environment) listing(head []string, rows [][]string, none string) error {
	err := table(e.Stdout, head, rows)
	if len(rows) == 0 {
		fmt.Fprintln(e.Stderr, none)
	}
	return err
}

// table prints rows in columns below a head, if there is one.
func table(w io.Writer, head []string, rows [][]string) error {
	if head != nil {
		rows = slices.Concat([][]string{head}, rows)
	}
	var wide []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			wide[i] = max(wide[i], cells(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", wide[i]-cells(cell)+2))
			}
		}
		if _, err := fmt.Fprintln(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}

// cells gives how many columns of a terminal a text takes: Chinese, Japanese and Korean characters two each.
func cells(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Mn, r), r == 0x200d:
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), r >= 0x3000 && r < 0x3040, r >= 0xff01 && r <= 0xff60, r >= 0x1f300 && r < 0x1fb00:
			n += 2
		default:
			n++
		}
	}
	return n
}

// counted gives a number with its noun, in the plural where it is not one.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
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
