package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
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
	stop := p.sayIdle(ctx, r, cfg, id)
	words := lines(env.Stdin)
	err = r.Follow(ctx, id, 0, func(e akitad.Event) bool {
		p.event(e)
		if d := payload[journal.WaitingData](e); e.Kind == journal.Waiting && d.Reason == akitad.ReasonApproval {
			p.approve(ctx, r, id, words)
		}
		return true
	})
	stop()
	if err != nil {
		if ctx.Err() != nil {
			return interrupted(r, id, err)
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

// interrupted says what becomes of a task that nobody waits for any more.
func interrupted(r runner, id akitad.TaskID, err error) error {
	if _, daemon := r.(*client.Client); daemon {
		return fmt.Errorf("interrupted; the task goes on in the daemon: akitad task watch %s, or akitad task cancel %s (%w)", id, id, err)
	}
	return fmt.Errorf("interrupted; the task is kept and goes on with the next akitad run or serve (%w)", err)
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
	where := whereFiles(cfg, t)
	if where != "" {
		fmt.Fprintln(env.Stderr, "files:", where)
	}
	fmt.Fprint(env.Stderr, "trace: akitad trace show ", t.ID)
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
	at    time.Time // of the event that is told; zero is now
	past  bool      // events may be old: each is told with its own time
	names map[akitad.TaskID]string
}

// idleAfter is how long a task may stand before the reason is told.
const idleAfter = 3 * time.Second

// sayIdle tells, once, why a task does not begin. stop ends it and waits.
func (p *progress) sayIdle(ctx context.Context, r runner, cfg config.Config, id akitad.TaskID) (stop func()) {
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
		if t, err := r.Task(ctx, id); err == nil {
			p.tellIdle(ctx, r, cfg, t)
		}
	}()
	return func() { cancel(); <-done }
}

// tellIdle says why a task, or the part of it that it waits for, does not begin, and what would help.
func (p *progress) tellIdle(ctx context.Context, r runner, cfg config.Config, t akitad.Task) {
	if t.State == akitad.Waiting && t.Reason == akitad.ReasonChildren {
		for _, id := range t.Children {
			if c, err := r.Task(ctx, id); err == nil && stands(c) {
				p.tellIdle(ctx, r, cfg, c)
				return
			}
		}
	}
	if !stands(t) {
		return
	}
	if t.State == akitad.Waiting {
		p.say("a part waits to be tried again: %s", cmp.Or(brief(t.WaitsFor, 300), "see akitad task show "+string(t.ID)))
		return
	}
	hint := ""
	switch {
	case t.Reason == akitad.ReasonPaused:
		hint = ": akitad agent resume " + t.Profile
	case t.Reason == akitad.ReasonNoWorker && cfg.Pool.Max == 0:
		hint = " runs, and pool.max is 0 here: start one with akitad worker, or set pool.max"
	case t.Reason == akitad.ReasonNoWorker:
		hint = " runs for " + t.Profile + ": start one with akitad worker"
	}
	p.say("not begun yet: %s%s", t.Reason, hint)
}

// stands reports whether a task does not begin, or waits for endpoints.
func stands(t akitad.Task) bool {
	return t.State == akitad.Pending && t.Reason != "" || t.State == akitad.Waiting && t.Reason == akitad.ReasonRetry && t.Parent != ""
}

// event tells about one event of the root task.
func (p *progress) event(e akitad.Event) {
	if p.past {
		p.at = e.At
	}
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
		p.waiting(payload[journal.WaitingData](e))
	case journal.Stalled:
		p.stalled(payload[journal.StalledData](e))
	case journal.Retried:
		p.say("tried again")
	case journal.RolledBack:
		p.say("what it wrote was undone")
	case journal.Completed, journal.Failed, journal.Cancelled:
		p.say("%s", e.Kind)
	}
}

// waiting tells why the task waits, and what a person can do who does not want to.
func (p *progress) waiting(d journal.WaitingData) {
	if d.Note == "" {
		return
	}
	p.say("waiting (%s): %s", d.Reason, d.Note)
	if d.Reason == akitad.ReasonRetry {
		p.say("because %s", cmp.Or(d.Cause, "no endpoint answers"))
		p.safe()
	}
}

// safe says what a person can do who does not want to wait for endpoints.
func (p *progress) safe() {
	p.say("Ctrl-C is safe: the task is kept. Without any model, by rules alone: akitad run --offline")
}

func (p *progress) stalled(d journal.StalledData) {
	if d.Next == d.Endpoint {
		p.say("endpoint %s does not answer (%s); trying it again", d.Endpoint, d.Waited.Round(time.Second))
		return
	}
	p.say("endpoint %s does not answer (%s); trying %s", d.Endpoint, d.Waited.Round(time.Second), d.Next)
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
	after := time.Since(p.began)
	if !p.at.IsZero() {
		after = p.at.Sub(p.began)
	}
	fmt.Fprintf(p.w, "%6.2fs  %s\n", after.Seconds(), fmt.Sprintf(format, args...))
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
