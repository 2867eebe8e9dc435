package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/text"
)

// drillCrash is the variable that tells a process at which append it is to get a signal: its number, whether
// before it is stored or after, the signal, and which appends are counted.
const drillCrash = "DRILL_CRASH"

// Which appends a process counts of which it is told: all, or those of the task at whose append the process
// before it was killed, the same kind of event, any, or any but the claim that each process begins with.
const (
	everyAppend = "every"
	sameAppend  = "same"
	sameTask    = "task"
	pastClaim   = "past"
)

// drillVictim is a file in the home of a house: the task and the kind of the event at which it was killed first.
const drillVictim = "victim"

// crashAsTold has the process signal itself at one moment of one append.
func crashAsTold(j *journal.Journal, home string) error {
	var at int64
	var when, which string
	var sig int
	told := os.Getenv(drillCrash)
	if told == "" {
		return nil
	}
	if _, err := fmt.Sscan(told, &at, &when, &sig, &which); err != nil {
		return fmt.Errorf("%s=%s: %w", drillCrash, told, err)
	}
	file := filepath.Join(home, drillVictim)
	counts := func(akitad.Event) bool { return true }
	if which != everyAppend {
		counts = sameAs(file, which)
	}
	var seen atomic.Int64
	j.Around = func(e akitad.Event, stored bool) {
		if stored == (when == "after") && counts(e) && seen.Add(1) == at {
			if which == everyAppend {
				_ = os.WriteFile(file, []byte(string(e.Task)+" "+string(e.Kind)), 0o600)
			}
			runtime.LockOSThread() // to this thread the signal comes before the next step
			_ = syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.Signal(sig))
			runtime.UnlockOSThread()
			if syscall.Signal(sig) == syscall.SIGKILL {
				select {} // it takes effect in a moment
			}
		}
	}
	return nil
}

// sameAs says which events are those of the victim that a file names.
func sameAs(file, which string) func(akitad.Event) bool {
	body, _ := os.ReadFile(file)
	task, kind, _ := strings.Cut(string(body), " ")
	return func(e akitad.Event) bool {
		switch {
		case string(e.Task) != task:
			return false
		case which == sameAppend:
			return string(e.Kind) == kind
		}
		return which == sameTask || e.Kind != journal.Claimed
	}
}

// everything is a flow whose steps are of each kind: a program that must not run twice, an agent that
// delegates and writes, and one that ends it.
const everything = `goal: what a crash may cut off
steps:
- {id: note, tool: run_shell, with: {command: "echo note >> effects-note.txt"}, on_error: skip}
- {id: work, agent: assistant, goal: job w rounds=2 split=2}
- {id: tell, needs: [note, work], agent: assistant, goal: job t rounds=1}
`

// askingModel is the model of drills, which asks the person first if the job says ask=1.
func askingModel(ctx context.Context, req llm.Request) (llm.Reply, error) {
	words, _ := llm.SplitBrief(lastWords(req))
	job := strings.Fields(words)
	if number(job, "ask=") == 0 {
		return drillModel{}.Generate(ctx, req)
	}
	n := 0
	for _, m := range req.Messages {
		if m.Speaker == llm.Assistant && len(m.Calls) > 0 {
			n++
		}
	}
	switch n {
	case 0:
		return llm.Reply{Calls: []akitad.Call{drillCall(0, 0, "ask_user", map[string]any{"question": "Which colour?"})}, Finish: llm.FinishCalls}, nil
	case 1:
		return llm.Reply{Calls: []akitad.Call{effect(job, job[1], n)}, Finish: llm.FinishCalls}, nil
	}
	return llm.Reply{Text: "done " + job[1], Finish: llm.FinishStop}, nil
}

// appendDrill is a house that is to do everything, and a person who answers what it asks.
type appendDrill struct {
	t    *testing.T
	srv  *telegramtest.Server
	p    *process   // to whom the person talks
	all  []*process // whoever does the work, if not p alone
	at   journalAt
	said bool // the answer to the question
}

func newAppendDrill(t *testing.T, model, flow string) *appendDrill {
	t.Helper()
	srv := telegramtest.Start(t, telegramtest.Options{})
	// Its own work a house takes up again at once: a test that waits for the end of a loan waits in vain.
	d := &appendDrill{t: t, srv: srv, p: newProcess(t, house, drillLLM+"="+model, drillChat+"="+srv.URL+" "+srv.Token, drillTTLs+"=1h")}
	d.all, d.at = []*process{d.p}, journalAt{dir: d.p.home()}
	d.prepare(flow)
	return d
}

// prepare gives the house its flow, and has the person say what is to be done.
func (d *appendDrill) prepare(flow string) {
	d.t.Helper()
	d.t.Cleanup(d.p.discard)
	flows := config.Layout(d.p.home()).Flows
	if err := errors.Join(os.MkdirAll(flows, 0o700), os.WriteFile(filepath.Join(flows, "all.yaml"), []byte(flow), 0o600)); err != nil {
		d.t.Fatal(err)
	}
	d.srv.Say(anna, 0, "/flow all", telegramtest.Said{})
	d.srv.Say(anna, 0, "job q rounds=1 ask=1", telegramtest.Said{})
}

// live starts the process, told to crash or not, and returns when it has crashed, or when all is answered.
func (d *appendDrill) live(crash string) (crashed bool) {
	d.t.Helper()
	env := d.p.env
	d.p.env = append(slices.Clone(env), drillCrash+"="+crash)
	defer func() { d.p.env = env }()
	gone := make(chan error, 1)
	if crash == "" {
		d.p.start() // it must be there to be asked to end
	} else {
		d.p.launch()
	}
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	go func() { // it has crashed: nothing is to be waited for
		gone <- d.p.cmd.Wait()
		cancel()
	}()
	err := d.srv.Wait(ctx, d.answered)
	select {
	case <-gone:
		d.p.cmd = nil
		return true
	default:
	}
	if err != nil {
		d.t.Errorf("crash %q: nothing happens any more; the chat is %q", crash, d.chat())
	}
	_ = d.p.cmd.Process.Signal(syscall.SIGTERM)
	if err := <-gone; err != nil && !isKilled(err) {
		d.t.Errorf("crash %q: the end was %v", crash, err)
	} else if isKilled(err) {
		crashed = true
	}
	d.p.cmd = nil
	return crashed
}

func isKilled(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// answered reports whether both messages have their answers. It answers the question when it sees it.
func (d *appendDrill) answered() bool {
	done := 0
	for _, m := range d.srv.FromBot(anna) {
		switch {
		case strings.Contains(m.Text, "done "):
			done++
		case strings.Contains(m.Text, "Which colour?") && !d.said:
			d.said = true
			go d.srv.Say(anna, anna, "red", telegramtest.Said{})
		}
	}
	return done >= 2
}

func (d *appendDrill) chat() (out []string) {
	for _, m := range d.srv.FromBot(anna) {
		out = append(out, m.Text)
	}
	return out
}

// saidOnce checks that a question, and the first words of a task, stand in the chat once; what a crash may
// have cut off from its record may be there once more.
func (d *appendDrill) saidOnce(name string, crashes int) {
	d.t.Helper()
	behind, asked := 0, 0
	for _, words := range d.chat() {
		switch {
		case words == text.En.Received(), words == text.En.Restarted():
			behind++
		case strings.Contains(words, "Which colour?"):
			asked++
		}
	}
	if behind > crashes || asked > 1+crashes {
		d.t.Errorf("%s: %d placeholders are left, it is asked %d times: %q", name, behind, asked, d.chat())
	}
}

// judge checks that everything was done once, and said once; it gives the number of events.
func (d *appendDrill) judge(name string) (events int) {
	d.t.Helper()
	judge := &drill{t: d.t, srv: d.srv, all: d.all, lined: map[string][]akitad.TaskID{}}
	b := bustest.Open(d.t, bus.Options{Dir: dataOf(d.at.dir), URL: d.at.url, ClaimTTL: drillTTL})
	j, v, roots := journal.New(b, "judge"), &verdict{rows: map[string]*row{}}, 0
	for _, id := range judge.tasks(b) {
		task, ends, delivered := journal.NewTask(id), 0, 0
		err := j.Events(d.t.Context(), id, 0, func(e akitad.Event) error {
			events++
			round, epoch, voided := len(task.Rounds), uint64(0), task.Voided
			if round > 0 {
				epoch = task.Rounds[round-1].Epoch
			}
			if err := task.Apply(e); err != nil || task.Voided > voided {
				return err
			}
			switch e.Kind {
			case journal.Completed, journal.Failed, journal.Cancelled:
				ends++
			case journal.Delivered:
				delivered++
			case journal.Round:
				if epoch != e.Epoch {
					judge.rerun(v, &row{}, task)
				}
			}
			return nil
		})
		if task.IsRoot() {
			roots++
		}
		if err != nil || ends != 1 || delivered > 1 || task.State != akitad.Completed && !cutOff(task) {
			d.t.Errorf("%s: %s (%s) has %d ends, is delivered %d times and is %s (%s) with %+v: %v", name, id, task.Sub.Text, ends, delivered, task.State, task.Reason, task.Error, err)
		}
	}
	if got := judge.answers(anna); roots != 2 || len(got) != 2 || !strings.HasPrefix(got[0], "done t") || !strings.HasPrefix(got[1], "done q") {
		d.t.Errorf("%s: %d roots, the answers are %q", name, roots, got)
	}
	judge.effects(v)
	if err := b.Close(context.Background()); err != nil {
		d.t.Error(err)
	}
	return events
}

// cutOff reports a step that failed since nobody knows what its one call came to, or since what an agent was to
// write is not there: its call was cut off.
func cutOff(task *journal.Task) bool {
	step := task.Sub.Step
	switch {
	case step == nil || task.State != akitad.Failed:
		return false
	case step.Tool != "":
		return task.Error.Kind == akitad.Unknown && task.DoneRounds() == 0
	}
	return task.Unverified
}

// momentOf names the moment of that number, from 0: two of each append.
func momentOf(n int, sig syscall.Signal) string {
	return fmt.Sprint(1+n/2, " ", []string{"before", "after"}[n%2], " ", int(sig), " ", everyAppend)
}

// A house is killed at each append of a script of everything, before and after it is stored, and started
// again: what had to be done is done once and said once. Few of these moments are drawn in a test run,
// all in a drill.
func TestDrillEveryAppend(t *testing.T) {
	m := modelOf(t, func(req llm.Request) (llm.Reply, error) { return askingModel(t.Context(), req) })
	whole := newAppendDrill(t, m.URL(), everything)
	whole.live("")
	events := whole.judge("no crash")
	whole.saidOnce("no crash", 0)
	if t.Failed() {
		return
	}
	kills := min(envInt("AKITA_DRILL_KILLS", 4), 2*events)
	seed := envInt("SEED", int(time.Now().UnixNano()%1e6))
	t.Logf("%d events, %d kills, SEED=%d", events, kills, seed)
	for i := range kills {
		moment := (seed + i*2*events/kills) % (2 * events)
		name := momentOf(moment, syscall.SIGKILL)
		d := newAppendDrill(t, m.URL(), everything)
		crashes := 0
		if d.live(name) {
			crashes++
			d.live("")
		}
		d.judge(name)
		d.saidOnce(name, crashes)
	}
}
