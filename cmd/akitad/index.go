package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/knowledge"
)

func indexCommand(env environment) *cobra.Command {
	return group("index", "What the agents may read up on: add documents, search, list, remove",
		indexAdd(env), indexSearch(env), indexList(env), indexRemove(env), indexReindex(env),
	)
}

// shelf is the knowledge base: a daemon's, or the file if none runs.
type shelf interface {
	index(ctx context.Context, d client.Document) (client.Knowledge, error)
	find(ctx context.Context, words, source, cursor string, limit int) (client.Page[client.Knowledge], error)
	remove(ctx context.Context, source string) error
}

// withShelf does something with the knowledge base of the home.
func withShelf(env environment, do func(shelf) error) error {
	cfg, err := env.config()
	if err != nil {
		return err
	}
	c, err := client.ForHome(cfg.Path)
	if err == nil {
		err = do(remoteShelf{c})
	}
	if !errors.Is(err, client.ErrNoDaemon) {
		return err
	}
	if err := config.EnsureHome(cfg.Path.Home); err != nil {
		return err
	}
	b := knowledge.New(cfg.Path.Index, knowledge.Options{
		Private: cfg.Path.Home, Lost: func(text string) { fmt.Fprintln(env.Stderr, "akitad: "+text) },
	})
	return errors.Join(do(localShelf{b}), b.Close())
}

type remoteShelf struct{ c *client.Client }

func (s remoteShelf) index(ctx context.Context, d client.Document) (client.Knowledge, error) {
	return s.c.Index(ctx, d)
}

func (s remoteShelf) find(ctx context.Context, words, source, cursor string, limit int) (client.Page[client.Knowledge], error) {
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	for name, value := range map[string]string{"q": words, "source": source, "cursor": cursor} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return client.List[client.Knowledge](ctx, s.c, "/v1/knowledge", q)
}

// named does something with a source by the word for it. A file is named as it is seen from here, which may be
// another folder than the daemon's: what is there is asked for first.
func named(word string, do func(source string) error) error {
	if abs, err := filepath.Abs(word); err == nil && word != "" && !filepath.IsAbs(word) {
		if err := do(abs); akitad.KindOf(err) != akitad.NotFound {
			return err
		}
	}
	return do(word)
}

func (s remoteShelf) remove(ctx context.Context, source string) error {
	return s.c.Unindex(ctx, source)
}

type localShelf struct{ b *knowledge.Base }

func (s localShelf) index(ctx context.Context, d client.Document) (client.Knowledge, error) {
	return admin.Index(ctx, s.b, d)
}

func (s localShelf) find(ctx context.Context, words, source, cursor string, limit int) (client.Page[client.Knowledge], error) {
	return admin.FindKnowledge(ctx, s.b, words, source, cursor, limit)
}

func (s localShelf) remove(ctx context.Context, source string) error {
	_, err := s.b.Remove(ctx, source)
	return err
}

func indexAdd(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "add PATH...", Short: "Index files, and all that lie in folders", Args: args(1, -1, "PATH..."),
		Long: "Index files, and all that lie in folders, at any depth. A file that was indexed before is replaced; one that has\n" +
			"not changed costs nothing. Hidden, linked and binary files of a folder are skipped, and it is said why.\n" +
			"What is indexed may be quoted to everybody who is allowed to ask this akitad: index nothing that is meant for some.",
		RunE: func(cmd *cobra.Command, a []string) error {
			return withShelf(env, func(s shelf) error { return addAll(cmd.Context(), env, s, a, asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// indexed is what came of adding.
type indexed struct {
	Items   []client.Knowledge `json:"items"`
	Skipped []knowledge.Skip   `json:"skipped"`
}

func (x indexed) print(env environment, asJSON bool) error {
	if asJSON {
		return printJSON(env.Stdout, x)
	}
	for _, s := range x.Skipped {
		if _, err := fmt.Fprintf(env.Stderr, "skipped %s: %s\n", s.Name, s.Reason); err != nil {
			return err
		}
	}
	fresh, chunks := 0, 0
	for _, k := range x.Items {
		if k.Changed {
			fresh++
			chunks += k.Chunks
		}
	}
	_, err := fmt.Fprintf(env.Stdout, "indexed %s (%s), unchanged %d, skipped %d\n", counted(fresh, "file"), counted(chunks, "chunk"), len(x.Items)-fresh, len(x.Skipped))
	return err
}

func indexSearch(env environment) *cobra.Command {
	var limit int
	var source string
	var asJSON bool
	cmd := &cobra.Command{Use: `search "WORDS"`, Short: "Find what stands in the documents", Args: args(1, -1, `"WORDS"`), RunE: func(cmd *cobra.Command, a []string) error {
		if err := checkWithin(limit, knowledge.MaxLimit); err != nil {
			return err
		}
		words := strings.Join(a, " ")
		if strings.TrimSpace(words) == "" {
			return usage(`write: akitad index search "WORDS"`)
		}
		return withShelf(env, func(s shelf) error {
			var found client.Page[client.Knowledge]
			err := named(source, func(it string) (err error) {
				found, err = s.find(cmd.Context(), words, it, "", limit)
				return err
			})
			switch {
			case err != nil:
				return err
			case asJSON:
				return printPage(env.Stdout, found)
			}
			return printHits(env, found.Items)
		})
	}}
	cmd.Flags().IntVar(&limit, "limit", 10, fmt.Sprintf("how many, at most %d", knowledge.MaxLimit))
	cmd.Flags().StringVar(&source, "source", "", "only in this document: its id or name")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printHits(env environment, hits []client.Knowledge) error {
	if len(hits) == 0 {
		_, err := fmt.Fprintln(env.Stderr, "nothing is found; akitad index ls lists what is indexed")
		return err
	}
	for i, h := range hits {
		title := ""
		if h.Title != "" {
			title = "  " + h.Title
		}
		for _, word := range sortedKeys(h.Read) {
			title += fmt.Sprintf("  (%s read as %s)", word, h.Read[word])
		}
		if _, err := fmt.Fprintf(env.Stdout, "%d. %s:%d%s\n   %s\n", i+1, h.Name, h.Line, title, h.Text); err != nil {
			return err
		}
	}
	return nil
}

func indexList(env environment) *cobra.Command {
	var limit int
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List the documents that are indexed", Args: args(0, 0, ""), RunE: func(cmd *cobra.Command, _ []string) error {
		if err := checkLimit(limit); err != nil {
			return err
		}
		return withShelf(env, func(s shelf) error {
			page, err := s.find(cmd.Context(), "", "", "", limit)
			switch {
			case err != nil:
				return err
			case asJSON:
				return printPage(env.Stdout, page)
			}
			var rows [][]string
			for _, k := range page.Items {
				rows = append(rows, []string{k.ID, k.Kind, strconv.FormatInt(k.Bytes, 10), strconv.Itoa(k.Chunks), stamp(*k.Indexed), k.Name})
			}
			return table(env.Stdout, []string{"ID", "KIND", "BYTES", "CHUNKS", "INDEXED", "NAME"}, rows)
		})
	}}
	cmd.Flags().IntVar(&limit, "limit", 500, "how many, at most 500")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func indexRemove(env environment) *cobra.Command {
	return &cobra.Command{Use: "rm SOURCE...", Short: "Take documents out of the index, by id or name; the files stay", Args: args(1, -1, "SOURCE..."), RunE: func(cmd *cobra.Command, a []string) error {
		return withShelf(env, func(s shelf) error {
			for _, source := range a {
				gone := source
				if err := named(source, func(it string) error { gone = it; return s.remove(cmd.Context(), it) }); err != nil {
					return err
				}
				if _, err := fmt.Fprintln(env.Stdout, "removed:", gone); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

func indexReindex(env environment) *cobra.Command {
	return &cobra.Command{Use: "reindex", Short: "Read all indexed files again", Args: args(0, 0, ""), RunE: func(cmd *cobra.Command, _ []string) error {
		return withShelf(env, func(s shelf) error {
			var files []string
			for cursor := ""; ; {
				page, err := s.find(cmd.Context(), "", "", cursor, 500)
				if err != nil {
					return err
				}
				for _, k := range page.Items {
					if k.File {
						files = append(files, k.Name)
					}
				}
				if cursor = page.Next; cursor == "" {
					a := newAdding(s)
					return a.end(env, false, a.again(cmd.Context(), files))
				}
			}
		})
	}}
}

func sortedKeys(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
