package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/plan"
)

func flowCommand(env environment) *cobra.Command {
	return group("flow", "Plans that people wrote: list and check them", flowLs(env), flowCheck(env))
}

func flowLs(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List the flows of this home", Args: noArgs, RunE: func(*cobra.Command, []string) error {
		cfg, err := env.config()
		if err != nil {
			return err
		}
		page := client.Page[client.Flow]{}
		if page.Items, err = admin.Flows(cfg.Path.Flows); err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, page)
		}
		var rows [][]string
		for _, f := range page.Items {
			rows = append(rows, []string{f.Name, strconv.Itoa(f.Steps), brief(f.Goal+f.Error, 80)})
		}
		return table(env.Stdout, []string{"NAME", "STEPS", "GOAL"}, rows)
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func flowCheck(env environment) *cobra.Command {
	return &cobra.Command{Use: "check FILE|NAME", Short: "Say what is wrong with a plan, if anything", Args: args(1, 1, "FILE|NAME"), RunE: func(cmd *cobra.Command, a []string) error {
		cfg, err := env.config()
		if err != nil {
			return err
		}
		file, text, err := readFlow(cfg, a[0])
		if err != nil {
			return err
		}
		known, err := app.Known(cmd.Context(), cfg)
		if err != nil {
			return err
		}
		p, err := plan.Check(text, known)
		if err != nil {
			return &akitad.Error{Kind: akitad.InvalidRequest, Op: file, Err: err, Hint: "mend the plan and check it again"}
		}
		_, err = fmt.Fprintf(env.Stdout, "%s: ok, %d steps\n", file, len(p.Steps))
		return err
	}}
}

// readFlow reads a plan by the name of a flow of this home, or from a file.
func readFlow(cfg config.Config, arg string) (file, text string, err error) {
	file = arg
	if akitad.ValidName(strings.TrimSuffix(arg, ".yaml")) {
		named := filepath.Join(cfg.Path.Flows, strings.TrimSuffix(arg, ".yaml")+".yaml")
		if _, serr := os.Stat(named); serr == nil {
			file = named
		}
	}
	body, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return file, "", akitad.Errorf(akitad.NotFound, "there is no file and no flow %q", arg).WithHint("list the flows with akitad flow ls; they are the YAML files in " + cfg.Path.Flows)
	}
	return file, string(body), err
}
