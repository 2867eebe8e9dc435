package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/compiler"
)

// maxText is the most that a message may have, in bytes.
const maxText = 1 << 20

func specCommand(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "spec ID|TEXT|-", Short: "Show what a task, or a text, was understood as",
		Long: "Show the spec of a task (ids begin with t_) as it was compiled; or compile TEXT, or what stands on stdin (-), here by the rules alone.",
		Args: args(1, -1, "ID|TEXT|-"),
		RunE: func(cmd *cobra.Command, a []string) error {
			spec, err := specOf(cmd.Context(), env, strings.Join(a, " "))
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(env.Stdout, spec)
			}
			_, err = fmt.Fprint(env.Stdout, compiler.Marshal(spec))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func specOf(ctx context.Context, env environment, arg string) (spec akitad.Spec, err error) {
	if strings.HasPrefix(arg, "t_") {
		id, err := taskID(arg)
		if err != nil {
			return spec, err
		}
		err = withReader(ctx, env, func(c *client.Client) error {
			id, err := whole(ctx, c, id)
			if err != nil {
				return err
			}
			text, err := c.Spec(ctx, id)
			if err == nil {
				spec, err = compiler.Parse(string(text))
			}
			return err
		})
		return spec, err
	}
	if arg == "-" {
		if arg, err = fromStdin(env); err != nil {
			return spec, err
		}
	}
	if err := checkText("text", arg); err != nil {
		return spec, err
	}
	if len(arg) > maxText {
		return spec, usage("the text has more than %d bytes: put long material into a file and refer to it", maxText)
	}
	spec, _ = compiler.Twin(compiler.Input{Text: arg})
	return spec, nil
}

// fromStdin reads a text from stdin, as far as one that is too long.
func fromStdin(env environment) (string, error) {
	text, err := io.ReadAll(io.LimitReader(env.Stdin, maxText+1))
	if err != nil {
		return "", fmt.Errorf("read stdin: %w", err)
	}
	return string(text), nil
}
