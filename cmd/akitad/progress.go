package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
)

// doTask submits the request, tells its progress on stderr and prints the answer on stdout.
func doTask(ctx context.Context, env environment, r runner, cfg config.Config, req akitad.TaskRequest, asJSON bool) error {
	began := time.Now()
	id, err := r.Submit(ctx, req)
	if err != nil {
		return err
	}
	fmt.Fprintln(env.Stderr, "task", id)
	p := progress{w: env.Stderr, began: began, names: map[akitad.TaskID]string{}}
	stop := p.sayIdle(ctx, r, id)
	words := lines(env.Stdin)
	err = r.Follow(ctx, id, 0, func(e akitad.Event) bool {
		more := p.event(e)
		if d := payload[journal.WaitingData](e); e.Kind == journal.Waiting && d.Reason == akitad.ReasonApproval {
			p.approve(ctx, r, id, words)
		}
		return more
	})
	stop()
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted; the task is kept and goes on with the next akitad run or serve (%w)", err)
		}
		return err
	}
	t, err := r.Task(ctx, id)
	if err != nil {
		return err
	}
	if err := printAnswer(env, cfg, t, asJSON); err != nil {
		return err
	}
	return t.Error.Err()
}

func printAnswer(env environment, cfg config.Config, t akitad.Task, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(env.Stdout)
		enc.SetIndent("", "  ")
		if err := enc.Encode(t); err != nil {
			return err
		}
	} else if t.Result != nil {
		fmt.Fprintln(env.Stdout, t.Result.Text)
	}
	fmt.Fprintf(env.Stderr, "files: %s\ntrace: akitad trace show %s", filepath.Join(cfg.Path.Files, t.Folder), t.ID)
	if lookup(env.Env, "AKITA_HOME") != "" {
		fmt.Fprintf(env.Stderr, "   (with AKITA_HOME=%s)", cfg.Path.Home)
	}
	fmt.Fprintln(env.Stderr)
	return nil
}

// lines reads words a line at a time; next gives false at the end, or when ctx has ended.
func lines(in io.Reader) (next func(context.Context) (string, bool)) {
	scan := bufio.NewScanner(cmp.Or(in, io.Reader(strings.NewReader(""))))
	return func(ctx context.Context) (string, bool) {
		read := make(chan bool, 1)
		go func() { read <- scan.Scan() }() // a read cannot be stopped; the process ends soon after ctx
		select {
		case ok := <-read:
			return scan.Text(), ok
		case <-ctx.Done():
			return "", false
		}
	}
}

// approve passes the next line on as the word about the plan. Without one nobody can approve it here,
// and the task ends.
func (p *progress) approve(ctx context.Context, r runner, id akitad.TaskID, next func(context.Context) (string, bool)) {
	t, err := r.Task(ctx, id)
	if err != nil || t.State != akitad.Waiting || t.Question == "" {
		return // followed from the start: somebody has said something already
	}
	words, ok := next(ctx)
	if ctx.Err() != nil {
		return
	}
	if !ok || strings.TrimSpace(words) == "" {
		p.say("nobody approves the plan: stopped")
		words = "stop"
	}
	if _, err := r.Steer(ctx, id, words); err != nil {
		p.say("not passed on: %v", err)
	}
}

// progress prints one line for each thing worth knowing.
type progress struct {
	w     io.Writer
	began time.Time
	names map[akitad.TaskID]string
}

// idleAfter is how long a task may stand before the reason is told.
const idleAfter = 3 * time.Second

// sayIdle tells, once, why a task does not begin. stop ends it and waits.
func (p *progress) sayIdle(ctx context.Context, r runner, id akitad.TaskID) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		timer := time.NewTimer(idleAfter)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if t, err := r.Task(ctx, id); err == nil && t.State == akitad.Pending && t.Reason != "" {
			p.say("not begun yet: %s", t.Reason)
		}
	}()
	return func() { cancel(); <-done }
}

// event tells about one event of the root task; false after its end.
func (p *progress) event(e akitad.Event) bool {
	switch e.Kind {
	case journal.Compiled:
		d := payload[journal.CompiledData](e)
		p.say("understood as %s (%s)", d.Spec.TaskType, compiledBy(d.Source))
	case journal.Planned:
		p.planned(payload[journal.PlannedData](e))
	case journal.Delegated:
		for _, c := range payload[journal.DelegatedData](e).Children {
			p.names[c.ID] = name(c)
			p.say("started %s (%s)%s", p.names[c.ID], c.Profile, attempt(c))
		}
	case journal.Replanned:
		if d := payload[journal.ReplannedData](e); d.Plan != nil {
			p.say("the rest is planned anew: %s", d.Reason)
		}
	case journal.ChildDone:
		p.joined(payload[journal.ChildDoneData](e))
	case journal.Round:
		for _, o := range payload[journal.RoundData](e).Results {
			p.say("%s: %s", o.Tool, outcomeOf(o))
		}
	case journal.Waiting:
		if d := payload[journal.WaitingData](e); d.Note != "" {
			p.say("waiting (%s): %s", d.Reason, d.Note)
		}
	case journal.Completed, journal.Failed, journal.Cancelled:
		p.say("%s", e.Kind)
		return false
	}
	return true
}

// compiledBy says who made the spec: a model, or the rules that stand in for one.
func compiledBy(source string) string {
	if source == "twin" {
		return "by rules"
	}
	return "by a model"
}

func (p *progress) planned(d journal.PlannedData) {
	if d.Plan == nil {
		p.say("one agent does it (%s)", d.Profile)
		return
	}
	p.say("split into %d parts", len(d.Plan.Steps))
}

func (p *progress) joined(d journal.ChildDoneData) {
	if d.Error != nil {
		p.say("%s %s: %s", p.names[d.Child], d.State, d.Error.Message)
		return
	}
	p.say("%s %s", p.names[d.Child], d.State)
}

func (p *progress) say(format string, args ...any) {
	fmt.Fprintf(p.w, "%6.2fs  %s\n", time.Since(p.began).Seconds(), fmt.Sprintf(format, args...))
}

func name(c journal.ChildRef) string {
	if c.Run != "" {
		return c.Run
	}
	return c.Call
}

func attempt(c journal.ChildRef) string {
	if c.Attempt < 2 {
		return ""
	}
	return fmt.Sprintf(", attempt %d", c.Attempt)
}

func outcomeOf(o akitad.Observation) string {
	if o.Error != nil {
		return "failed (" + string(o.Error.Kind) + ")"
	}
	return fmt.Sprintf("%d bytes", o.Bytes)
}

// payload decodes an event's data; what cannot be decoded is shown as empty.
func payload[T any](e akitad.Event) (d T) {
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return d
	}
	return d
}
