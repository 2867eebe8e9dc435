package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/memory"
)

func memoryCommand(env environment) *cobra.Command {
	return group("memory", "What the agents remember: list, search, add, forget",
		memoryList(env, "ls", "List what is remembered, newest first", args(0, 0, "")),
		memoryList(env, "search TEXT", "Find what is remembered about something", args(1, -1, "TEXT")),
		memoryAdd(env), memoryForget(env), memoryReindex(env),
	)
}

// withMemory does something with the daemon's memory, or with the files if none runs.
func withMemory(env environment, daemon func(*client.Client) error, files func(*memory.Memory) error) error {
	cfg, err := env.config()
	if err != nil {
		return err
	}
	c, err := client.ForHome(cfg.Path)
	if err == nil {
		err = daemon(c)
	}
	if !errors.Is(err, client.ErrNoDaemon) {
		return err
	}
	m, err := memory.Open(cfg.Path.Memory, memory.Options{})
	if err != nil {
		return err
	}
	return errors.Join(files(m), m.Close())
}

type memoryFlags struct {
	kind   string
	person string
	limit  int
	json   bool
}

func (f *memoryFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.kind, "type", "", "only entries of this type")
	fl.StringVar(&f.person, "person", "", "what this person would see, e.g. telegram:1001 (default everybody's)")
	fl.IntVar(&f.limit, "limit", 50, "how many, at most 500")
	fl.BoolVar(&f.json, "json", false, "print JSON")
}

func memoryList(env environment, use, short string, check cobra.PositionalArgs) *cobra.Command {
	var f memoryFlags
	cmd := &cobra.Command{Use: use, Short: short, Args: check, RunE: func(cmd *cobra.Command, a []string) error {
		if err := cmp.Or(checkType(f.kind), checkLimit(f.limit)); err != nil {
			return err
		}
		page, err := findEntries(cmd.Context(), env, strings.Join(a, " "), f)
		if err != nil {
			return err
		}
		if f.json {
			return printPage(env.Stdout, page)
		}
		var rows [][]string
		for _, e := range page.Items {
			rows = append(rows, []string{e.ID, string(e.Type), string(e.Scope), e.File, brief(e.Text, 80)})
		}
		return env.listing([]string{"ID", "TYPE", "SCOPE", "FILE", "TEXT"}, rows, "nothing is found: akitad memory add \"TEXT\" adds an entry")
	}}
	f.register(cmd)
	return cmd
}

func checkType(s string) error {
	if s == "" || memory.Type(s).Valid() {
		return nil
	}
	return usage("--type %s: use one of %s", s, strings.Trim(fmt.Sprint(memory.Types), "[]"))
}

func findEntries(ctx context.Context, env environment, text string, f memoryFlags) (page client.Page[memory.Entry], err error) {
	return page, withMemory(env, func(c *client.Client) error {
		q := url.Values{"limit": {strconv.Itoa(f.limit)}}
		for name, value := range map[string]string{"q": text, "type": f.kind, "person": f.person} {
			if value != "" {
				q.Set(name, value)
			}
		}
		page, err = client.List[memory.Entry](ctx, c, "/v1/memory", q)
		return err
	}, func(m *memory.Memory) error {
		page.Items, err = m.List(ctx, memory.Query{Text: text, Person: cmp.Or(f.person, memory.Everyone), Type: memory.Type(f.kind), Limit: f.limit})
		if page.Items == nil {
			page.Items = []memory.Entry{}
		}
		return err
	})
}

func memoryAdd(env environment) *cobra.Command {
	var r client.Remember
	var asJSON bool
	cmd := &cobra.Command{Use: "add TEXT", Short: "Remember something", Args: args(1, -1, "TEXT"), RunE: func(cmd *cobra.Command, a []string) error {
		r.Text = strings.Join(a, " ")
		if err := checkText("text", r.Text); err != nil {
			return err
		}
		if err := checkType(r.Type); err != nil {
			return err
		}
		var e memory.Entry
		err := withMemory(env, func(c *client.Client) error { return c.Remember(cmd.Context(), r, &e) }, func(m *memory.Memory) (err error) {
			if e, err = admin.EntryOf(r, time.Now()); err == nil {
				e, err = m.Remember(cmd.Context(), e)
			}
			return err
		})
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, e)
		}
		_, err = fmt.Fprintf(env.Stdout, "%s in %s, %s\n", e.ID, e.File, keptFor(e.Scope))
		return err
	}}
	fl := cmd.Flags()
	fl.StringVar(&r.Type, "type", "", "fact (default), preference, skill, context, rule, error or experience")
	fl.StringVar(&r.Person, "person", "", "whose entry it is, e.g. telegram:1001, or local for the owner of this home (default everybody's)")
	fl.StringVar(&r.Topic, "topic", "", "file below topics that keeps it")
	fl.StringVar(&r.Life, "life", "", "1d, 3d, 30d or permanent (default by type)")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// keptFor says whom an entry answers.
func keptFor(s memory.Scope) string {
	switch person := s.Person(); person {
	case "":
		return "kept for everybody who may ask; --person ID keeps it for one"
	case akitad.Local:
		return "kept for the owner of this home"
	default:
		return "kept for " + person
	}
}

func memoryForget(env environment) *cobra.Command {
	return &cobra.Command{Use: "forget ID", Short: "Remove an entry and its history for good", Args: args(1, 1, "ID"), RunE: func(cmd *cobra.Command, a []string) error {
		err := withMemory(env, func(c *client.Client) error { return c.Forget(cmd.Context(), a[0]) },
			func(m *memory.Memory) error { return m.Forget(cmd.Context(), a[0], memory.Everyone) })
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(env.Stdout, "forgotten:", a[0])
		return err
	}}
}

func memoryReindex(env environment) *cobra.Command {
	return &cobra.Command{Use: "reindex", Short: "Read all memory files anew and count the entries", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		cfg, err := env.config()
		if err != nil {
			return err
		}
		m, err := memory.Open(cfg.Path.Memory, memory.Options{})
		if err != nil {
			return err
		}
		n, err := m.Reindex(cmd.Context())
		if err = errors.Join(err, m.Close()); err != nil {
			return err
		}
		_, err = fmt.Fprintln(env.Stdout, n, "entries")
		return err
	}}
}
