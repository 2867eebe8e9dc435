package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/tracing"
)

func traceCommand(env environment) *cobra.Command {
	return group("trace", "Look at what a task did, step by step", traceShow(env), traceExport(env))
}

func traceShow(env environment) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{Use: "show ID", Short: "Show a task's trace as a tree", Args: args(1, 1, "ID"), RunE: func(cmd *cobra.Command, a []string) error {
		id, err := taskID(a[0])
		if err != nil {
			return err
		}
		return withReader(cmd.Context(), env, func(c *client.Client) error {
			id, err := whole(cmd.Context(), c, id)
			if err != nil {
				return err
			}
			body, err := c.Trace(cmd.Context(), id, "json")
			if err != nil {
				return err
			}
			if asJSON {
				_, err = fmt.Fprintln(env.Stdout, strings.TrimSpace(string(body)))
				return err
			}
			var nodes []*tracing.Node
			if err := json.Unmarshal(body, &nodes); err != nil {
				return fmt.Errorf("read the trace: %w", err)
			}
			return tracing.Render(env.Stdout, nodes, tracing.RenderOptions{All: all})
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&all, "all", false, "show every attribute")
	return cmd
}

var traceFormats = []string{"json", "jsonl", "otlp", "chrome"}

func traceExport(env environment) *cobra.Command {
	var format, file string
	cmd := &cobra.Command{Use: "export ID", Short: "Write a task's trace for other programs", Args: args(1, 1, "ID"), RunE: func(cmd *cobra.Command, a []string) error {
		id, err := taskID(a[0])
		if err != nil {
			return err
		}
		if !slices.Contains(traceFormats, format) {
			return usage("--format %s: use one of %s", format, strings.Join(traceFormats, ", "))
		}
		return withReader(cmd.Context(), env, func(c *client.Client) error {
			id, err := whole(cmd.Context(), c, id)
			if err != nil {
				return err
			}
			body, err := c.Trace(cmd.Context(), id, format)
			if err != nil {
				return err
			}
			if file != "" {
				return os.WriteFile(file, body, 0o600)
			}
			_, err = env.Stdout.Write(body)
			return err
		})
	}}
	cmd.Flags().StringVar(&format, "format", "otlp", strings.Join(traceFormats, ", "))
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write (default stdout)")
	return cmd
}
