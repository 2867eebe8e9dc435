package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
)

// runFlags are the flags of akitad run.
type runFlags struct {
	files   []string
	flow    string
	plan    string // YAML to run as it stands
	profile string
	session string
	model   string
	tags    []string
	params  []string
	offline bool
	mode    string // of planning: ask, or nothing
	json    bool
}

func runCommand(env environment) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: `run "TEXT"|-`, Short: "Do one task and print its answer",
		Long: "Do one task and print its answer: through the daemon of this home if one runs, else in this process.\n" +
			"Progress goes to stderr, the answer to stdout. Names of files behind TEXT are files to work on, as are those of this folder among words without quotes. Without TEXT, the environment's TEXT and FILES are used; - reads the text from stdin.",
		RunE: func(cmd *cobra.Command, args []string) error { return runTask(cmd.Context(), env, args, f) },
	}
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.files, "file", "f", nil, "a file to work on (repeat for more)")
	fl.StringVar(&f.flow, "flow", "", "run a flow in place of planning")
	fl.StringVar(&f.profile, "profile", "", "profile of the root task")
	fl.StringVar(&f.model, "model", "", "role or endpoint that serves the agents of the task")
	fl.StringArrayVar(&f.tags, "tag", nil, "only endpoints that have this tag (repeat for more)")
	fl.StringVar(&f.session, "session", "", "continue a named conversation")
	fl.StringArrayVarP(&f.params, "param", "p", nil, "a parameter of the flow, name=value")
	fl.BoolVar(&f.offline, "offline", false, "use the offline engine alone")
	fl.StringVar(&f.mode, "plan", "", "ask: show the plan and wait for a word on stdin before anything runs")
	fl.BoolVar(&f.json, "json", false, "print the whole task as JSON")
	return cmd
}

// runner does a task: a daemon, or this process.
type runner interface {
	Submit(ctx context.Context, req akitad.TaskRequest) (akitad.TaskID, error)
	Follow(ctx context.Context, id akitad.TaskID, after uint64, fn func(akitad.Event) bool) error
	Task(ctx context.Context, id akitad.TaskID) (akitad.Task, error)
	Steer(ctx context.Context, id akitad.TaskID, text string) (akitad.Task, error)
}

func runTask(ctx context.Context, env environment, args []string, f runFlags) error {
	req, err := f.request(env, args)
	if err != nil {
		return err
	}
	cfg, err := env.config()
	if err != nil {
		return err
	}
	r, stop, err := findRunner(ctx, env, cfg)
	if err != nil {
		return err
	}
	err = doTask(ctx, env, r, cfg, req, f.json)
	return errors.Join(err, stop())
}

// textAndFiles parts the words of a command line. Names of files behind a text in one word are the files of the task,
// wherever they are. Among other words, which all belong to the text, only those of this folder and below are that can be
// read and are not hidden: who asks about a key hands it to nobody. told says that it is the former.
func textAndFiles(words []string) (text string, files []string, told bool) {
	text = strings.Join(words, " ")
	if len(words) > 1 && !isFile(words[0]) && !slices.ContainsFunc(words[1:], func(w string) bool { return !isFile(w) }) {
		if words[0] == "-" || strings.ContainsFunc(words[0], func(r rune) bool { return r == ' ' || r > unicode.MaxASCII }) {
			text = words[0]
		}
		return text, words[1:], true
	}
	for _, word := range words {
		if isFile(word) && filepath.IsLocal(word) && !hidden(word) && unreadable(word) == "" {
			files = append(files, word)
		}
	}
	return text, files, false
}

// isFile tells a word that is a file by a name that no other word would have: the shell has completed it, or expanded a
// pattern.
func isFile(word string) bool {
	info, err := os.Stat(word)
	return err == nil && info.Mode().IsRegular() && strings.ContainsAny(word, "./")
}

// hidden tells a path of which a part begins with a point, as those of settings and keys do.
func hidden(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(filepath.Clean(path)), "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// request makes the request of the command line, or of TEXT and FILES in the environment.
func (f runFlags) request(env environment, args []string) (akitad.TaskRequest, error) {
	req := akitad.TaskRequest{Flow: f.flow, Profile: f.profile, Session: f.session, Model: f.model, Tags: f.tags, Offline: f.offline, Plan: cmp.Or(f.plan, f.mode)}
	if f.mode != "" && f.mode != "ask" {
		return req, errUsage{fmt.Errorf("--plan %s: the only word is ask", f.mode)}
	}
	text, among, told := textAndFiles(args)
	req.Text = text
	if len(f.files) == 0 && !told {
		among = append(among, splitFiles(lookup(env.Env, "FILES"))...)
	}
	files := slices.Clone(f.files)
	for _, name := range among {
		if !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	if req.Text == "-" {
		var err error
		if req.Text, err = fromStdin(env); err != nil {
			return req, err
		}
	}
	if len(args) == 0 && f.flow == "" && f.plan == "" {
		req.Text = lookup(env.Env, "TEXT")
	}
	if akitad.Blank(req.Text) && req.Flow == "" && f.plan == "" {
		return req, errUsage{errors.New(`say what is to be done: akitad run "TEXT", with --file F for each file`)}
	}
	if !akitad.Blank(req.Text) {
		if err := checkText("text", req.Text); err != nil {
			return req, err
		}
	}
	for _, name := range files {
		abs, err := filepath.Abs(name)
		if err != nil {
			return req, err
		}
		if why := unreadable(abs); why != "" {
			return req, errUsage{fmt.Errorf("--file %s: %s", name, why)}
		}
		req.Files = append(req.Files, akitad.InputFile{Path: abs})
	}
	nameApart(req.Files)
	for _, p := range f.params {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return req, errUsage{fmt.Errorf("parameter %s: write name=value", p)}
		}
		if !utf8.ValidString(p) {
			return req, usage("parameter %s is not UTF-8", name)
		}
		if _, twice := req.Params[name]; twice {
			return req, errUsage{fmt.Errorf("parameter %s is given twice", name)}
		}
		if req.Params == nil {
			req.Params = map[string]any{}
		}
		req.Params[name] = value
	}
	return req, nil
}

// nameApart gives files that are called alike names with the folders that they lie in.
func nameApart(files []akitad.InputFile) {
	alike := map[string]int{}
	for _, f := range files {
		alike[filepath.Base(f.Path)]++
	}
	for i, f := range files {
		if alike[filepath.Base(f.Path)] > 1 {
			files[i].Name = strings.TrimPrefix(filepath.ToSlash(f.Path), "/")
		}
	}
}

// unreadable says why a file cannot be given to a task, "" if it can.
func unreadable(file string) string {
	switch info, err := os.Stat(file); {
	case errors.Is(err, os.ErrNotExist):
		return "there is no such file"
	case err != nil:
		return err.Error()
	case info.IsDir():
		return "it is a folder; give each file in it with a --file of its own"
	case !info.Mode().IsRegular():
		return "it is no regular file"
	}
	f, err := os.Open(file)
	if err != nil {
		return err.Error()
	}
	_ = f.Close() // nothing was written
	return ""
}

func lookup(env []string, name string) string {
	value := ""
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// splitFiles reads a list of file names: one a line if it has several lines, else words, unless all of it is
// the name of one file.
func splitFiles(s string) []string {
	if _, err := os.Stat(s); err == nil {
		return []string{s}
	}
	if strings.Contains(strings.TrimSpace(s), "\n") {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	}
	return strings.Fields(s)
}

// lockWait is how long a run waits for another process on the same home.
const lockWait = 10 * time.Second

// findRunner gives the home's daemon, else everything in this process. While another run holds the
// home it waits.
func findRunner(ctx context.Context, env environment, cfg config.Config) (runner, func() error, error) {
	until, told := time.Now().Add(lockWait), false
	for {
		if c, err := client.ForHome(cfg.Path); err == nil && c.Ready(ctx) == nil {
			fmt.Fprintln(env.Stderr, "through the daemon at", c.URL())
			c.Lost = env.lost
			return c, func() error { return nil }, nil
		}
		l, err := openLocal(ctx, env, cfg)
		if err == nil {
			return l, l.close, nil
		}
		if !errors.Is(err, app.ErrLocked) || time.Now().After(until) {
			return nil, nil, err
		}
		if !told {
			told = true
			fmt.Fprintf(env.Stderr, "another akitad uses this home: waiting for it, %s at most\n", lockWait)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// local is everything in this process.
type local struct {
	app  *app.App
	stop context.CancelFunc
	ran  chan error
	sync func()
}

func openLocal(ctx context.Context, env environment, cfg config.Config) (*local, error) {
	if err := config.EnsureHome(cfg.Path.Home); err != nil {
		return nil, err
	}
	log, sync, err := app.OpenLog(cfg, io.Discard)
	if err != nil {
		return nil, err
	}
	a, err := app.New(ctx, cfg, app.Options{Parts: app.Parts{Orchestrate: true, Work: true}, Log: log})
	if err != nil {
		sync()
		return nil, err
	}
	for _, l := range config.WithoutEffect(cfg) {
		fmt.Fprintf(env.Stderr, "no effect: %s (%s): %s\n", l.Key, l.Source, l.Note)
	}
	rctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	l := &local{app: a, stop: stop, ran: make(chan error, 1), sync: sync}
	go func() { l.ran <- a.Run(rctx) }()
	return l, nil
}

func (l *local) close() error {
	l.stop()
	err := <-l.ran
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err = errors.Join(err, l.app.Close(ctx))
	l.sync()
	return err
}

func (l *local) Submit(ctx context.Context, req akitad.TaskRequest) (akitad.TaskID, error) {
	return l.app.Orchestrator.Submit(ctx, "cli", req)
}

func (l *local) Follow(ctx context.Context, id akitad.TaskID, after uint64, fn func(akitad.Event) bool) error {
	last := func(e akitad.Event) bool {
		return e.Kind == journal.Completed || e.Kind == journal.Failed || e.Kind == journal.Cancelled
	}
	if err := l.app.Journal.Follow(ctx, id, after, func(e akitad.Event) bool { return fn(e) && !last(e) }); err != nil {
		return err
	}
	return l.settle(ctx, id)
}

func (l *local) Steer(ctx context.Context, id akitad.TaskID, text string) (akitad.Task, error) {
	if err := l.app.Orchestrator.Steer(ctx, id, text); err != nil {
		return akitad.Task{}, err
	}
	return l.Task(ctx, id)
}

func (l *local) Task(ctx context.Context, id akitad.TaskID) (akitad.Task, error) {
	t, err := l.app.Journal.Load(ctx, id)
	if err != nil {
		return akitad.Task{}, err
	}
	v := t.View()
	if v.State == akitad.Pending {
		v.Reason = admin.PendingReason(ctx, l.app.Bus, l.app.Controls, t)
	}
	return v, nil
}
