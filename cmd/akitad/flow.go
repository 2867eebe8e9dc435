package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/plan"
)

func flowCommand(env environment) *cobra.Command {
	return group("flow", "Plans that people wrote: list, check and run them", flowLs(env), flowCheck(env), flowRun(env))
}

func flowLs(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List the flows of this home", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		cfg, err := env.config()
		if err != nil {
			return err
		}
		known, err := app.Known(cmd.Context(), cfg)
		if err != nil {
			return err
		}
		shelf := flow.Shelf{Folder: cfg.Path.Flows, Check: func(source string) error { _, err := plan.Check(source, known); return err }}
		all, err := shelf.List()
		if err != nil {
			return err
		}
		page := client.Page[client.Flow]{Items: admin.Flows(all)}
		for _, name := range shelf.Strays() {
			fmt.Fprintf(env.Stderr, "left out: %s: a flow's file is called NAME%s, with 1 to 40 of a-z, 0-9 and - as its name\n", name, flow.Ending)
		}
		if asJSON {
			return printPage(env.Stdout, page)
		}
		var rows [][]string
		for _, f := range page.Items {
			goal := f.Goal
			if f.Error != "" {
				goal = "BROKEN: " + f.Error
			}
			rows = append(rows, []string{f.Name, strconv.Itoa(f.Steps), brief(goal, 80), paramList(f.Params), f.Hash})
		}
		return env.listing([]string{"NAME", "STEPS", "GOAL", "PARAMS", "VERSION"}, rows, "there are no flows: write plans as YAML files into "+shelf.Folder)
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
			return &akitad.Error{Kind: akitad.InvalidRequest, Op: file, Err: allProblems(err), Hint: "mend the plan and check it again"}
		}
		steps := "1 step"
		if len(p.Steps) != 1 {
			steps = strconv.Itoa(len(p.Steps)) + " steps"
		}
		_, err = fmt.Fprintf(env.Stdout, "%s: ok, %s, version %s\n", file, steps, flow.HashOf(text))
		return err
	}}
}

// allProblems gives an error that says each of several problems on a line of its own, however many.
func allProblems(err error) error {
	found, ok := errors.AsType[plan.Problems](err)
	if !ok {
		return err
	}
	lines := make([]string, len(found))
	for i, p := range found {
		lines[i] = p.String()
	}
	return errors.New(strings.Join(lines, "\n"))
}

// paramList names parameters, those that must be given with a star.
func paramList(params []client.FlowParam) string {
	var out []string
	for _, p := range params {
		name := p.Name
		if p.Required {
			name += "*"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func flowRun(env environment) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: "run NAME|FILE [PARAM=VALUE]...", Short: "Run a flow and print its answer",
		Long: "Run a flow of this home by its name, or a plan in a file, and print its answer. Values are read as the\n" +
			"types that the flow declares; akitad flow ls shows its parameters.",
		RunE: func(cmd *cobra.Command, a []string) error {
			if len(a) == 0 {
				return usage("akitad flow run NAME|FILE [PARAM=VALUE]...: name the flow")
			}
			cfg, err := env.config()
			if err != nil {
				return err
			}
			if err := f.choose(cfg, a[0]); err != nil {
				return err
			}
			f.params = append(f.params, a[1:]...)
			return runTask(cmd.Context(), env, nil, f)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.files, "file", "f", nil, "a file to work on (repeat for more)")
	fl.StringVar(&f.session, "session", "", "continue a named conversation, in its folder")
	fl.BoolVar(&f.offline, "offline", false, "use the offline engine alone")
	fl.BoolVar(&f.json, "json", false, "print the whole task as JSON")
	return cmd
}

// choose takes a flow of the home, else the plan in a file of that name.
func (f *runFlags) choose(cfg config.Config, arg string) error {
	file, text, err := readFlow(cfg, arg)
	if err != nil {
		return err
	}
	if filepath.Dir(file) == filepath.Clean(cfg.Path.Flows) {
		f.flow = strings.TrimSuffix(filepath.Base(file), flow.Ending)
		return nil
	}
	f.plan = text
	return nil
}

// planEndings are those of files that may hold a plan: prose around one is a model's way, not a person's.
var planEndings = []string{".yaml", ".yml", ".json", ""}

// readFlow reads a plan by the name of a flow of this home, or from a file.
func readFlow(cfg config.Config, arg string) (file, text string, err error) {
	file = arg
	if akitad.ValidName(strings.TrimSuffix(arg, ".yaml")) {
		named := filepath.Join(cfg.Path.Flows, strings.TrimSuffix(arg, ".yaml")+".yaml")
		if _, serr := os.Stat(named); serr == nil {
			file = named
		}
	}
	if end := strings.ToLower(filepath.Ext(file)); !slices.Contains(planEndings, end) {
		if _, serr := os.Stat(file); serr == nil {
			return file, "", akitad.Errorf(akitad.InvalidRequest, "%s is no plan: a plan is a YAML file", file).WithHint("give a file that ends in .yaml; see examples/flows")
		}
	}
	text, err = flow.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return file, "", akitad.Errorf(akitad.NotFound, "there is no file and no flow %q", arg).WithHint("list the flows with akitad flow ls; they are the YAML files in " + cfg.Path.Flows)
	}
	return file, text, err
}
