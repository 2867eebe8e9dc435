package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
)

// whereFiles tells where the files of a task are: in a folder of this machine, or how to get them from
// the nodes that wrote them. It is empty if there are none.
func whereFiles(cfg config.Config, t akitad.Task) string {
	var wrote []akitad.File
	if t.Result != nil {
		wrote = t.Result.Artifacts
	}
	folder := filepath.Join(cfg.Path.Files, t.Folder)
	if info, err := os.Stat(folder); t.Folder != "" && err == nil && info.IsDir() && (len(wrote) == 0 || anyIn(folder, wrote)) {
		return folder
	}
	if len(wrote) == 0 || t.RolledBack != nil {
		return ""
	}
	var names []string
	for _, f := range wrote {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("%s, written elsewhere; get them with: akitad task files %s --to DIR", brief(strings.Join(names, " "), 120), t.ID)
}

func anyIn(folder string, files []akitad.File) bool {
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(f.Name))); err == nil {
			return true
		}
	}
	return false
}

func taskFiles(env environment) *cobra.Command {
	var asJSON bool
	var dir string
	cmd := &cobra.Command{
		Use: "files ID", Short: "List the files that a task wrote, or save them", Args: args(1, 1, "ID [--to DIR]"),
		Long: "List the files that a task wrote, with size and content hash. With --to they are saved into a folder,\n" +
			"whichever node wrote them; files of the same name there are replaced.",
		RunE: func(cmd *cobra.Command, a []string) error {
			id, err := taskID(a[0])
			if err != nil {
				return err
			}
			return withReader(cmd.Context(), env, func(c *client.Client) error {
				files, id, err := filesOf(cmd.Context(), c, id)
				switch {
				case err != nil:
					return err
				case dir != "":
					return saveFiles(cmd.Context(), env, c, id, files, dir)
				case asJSON:
					return printPage(env.Stdout, client.Page[akitad.File]{Items: files})
				}
				return listFiles(env, files)
			})
		},
	}
	cmd.Flags().StringVar(&dir, "to", "", "save them into this `DIR`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func filesOf(ctx context.Context, c *client.Client, id akitad.TaskID) ([]akitad.File, akitad.TaskID, error) {
	id, err := whole(ctx, c, id)
	if err != nil {
		return nil, id, err
	}
	t, err := c.Task(ctx, id)
	if err != nil || t.Result == nil {
		return nil, id, err
	}
	return t.Result.Artifacts, id, nil
}

func listFiles(env environment, files []akitad.File) error {
	if len(files) == 0 {
		_, err := fmt.Fprintln(env.Stderr, "it has written no files")
		return err
	}
	var rows [][]string
	for _, f := range files {
		rows = append(rows, []string{f.Name, strconv.FormatInt(f.Size, 10), f.Artifact})
	}
	return table(env.Stdout, []string{"NAME", "BYTES", "HASH"}, rows)
}

// saveFiles writes a task's files below a folder, which none of their names can leave.
func saveFiles(ctx context.Context, env environment, c *client.Client, id akitad.TaskID, files []akitad.File, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, f := range files {
		if err := saveFile(ctx, c, id, root, f); err != nil {
			return fmt.Errorf("save %s: %w", f.Name, err)
		}
		if _, err := fmt.Fprintln(env.Stdout, filepath.Join(dir, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	return nil
}

func saveFile(ctx context.Context, c *client.Client, id akitad.TaskID, root *os.Root, f akitad.File) error {
	if err := root.MkdirAll(path.Dir(f.Name), 0o700); err != nil {
		return err
	}
	out, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(c.Artifact(ctx, id, f.Artifact, out), out.Close())
}
