package app_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
)

// stopDrill is a house of which one process is stopped at an append, and goes on once another one has taken its
// place.
type stopDrill struct {
	*appendDrill
	env    []string // of all its processes
	worker *process
	bus    *bus.Bus
}

func newStopDrill(t *testing.T, model string) *stopDrill {
	t.Helper()
	srv, nats := telegramtest.Start(t, telegramtest.Options{}), bustest.Server(t)
	d := &stopDrill{env: []string{drillLLM + "=" + model, drillNATS + "=" + nats}}
	d.worker = newProcess(t, worker, d.env...)
	t.Cleanup(d.worker.discard)
	front := newProcess(t, control, append(d.env, drillChat+"="+srv.URL+" "+srv.Token)...)
	d.appendDrill = &appendDrill{t: t, srv: srv, p: front, all: []*process{front, d.worker}, at: journalAt{url: nats}}
	d.bus = bustest.Open(t, bus.Options{URL: nats, ClaimTTL: drillTTL})
	d.prepare(everything)
	return d
}

// by counts what each node has appended.
func (d *stopDrill) by() map[string]int {
	d.t.Helper()
	n, j := map[string]int{}, journal.New(d.bus, "judge")
	for _, id := range (&drill{t: d.t}).tasks(d.bus) {
		if err := j.Events(d.t.Context(), id, 0, func(e akitad.Event) error { n[e.By]++; return nil }); err != nil {
			d.t.Fatal(err)
		}
	}
	return n
}

// begin starts both processes, the victim told when to stop. It returns when it has stopped, or all is answered.
func (d *stopDrill) begin(victim *process, moment string) (stopped bool) {
	d.t.Helper()
	victim.env = append(victim.env, drillCrash+"="+moment)
	d.worker.start()
	if d.p == victim {
		d.p.launch() // it may stop before it serves
	} else {
		d.p.start()
	}
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	go func() {
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) { // nobody tells of it
			if isStopped(victim.cmd.Process.Pid) {
				cancel()
			}
		}
	}()
	err := d.srv.Wait(ctx, d.answered)
	if err != nil && !isStopped(victim.cmd.Process.Pid) {
		d.t.Fatalf("nothing happens any more, and nobody has stopped; the chat is %q", d.chat())
	}
	return err != nil
}

// isStopped reports whether a process was stopped by a signal.
func isStopped(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return err == nil && bytes.HasPrefix(rest, []byte("T"))
}

func (d *stopDrill) awaitAnswers() {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	if err := d.srv.Wait(ctx, d.answered); err != nil {
		d.t.Fatalf("nothing happens any more; the chat is %q", d.chat())
	}
}

// instead starts another process of that role, which takes the place of the one that is stopped.
func (d *stopDrill) instead(role string) *process {
	d.t.Helper()
	p := newProcess(d.t, role, d.env...)
	d.t.Cleanup(p.discard)
	p.start()
	d.all = append(d.all, p)
	return p
}

// files are what the tasks wrote that ran in a process.
func (p *process) files() map[string]string {
	out := map[string]string{}
	names, _ := filepath.Glob(filepath.Join(config.Layout(p.home()).Files, "*", "effects-*.txt"))
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			p.t.Fatal(err)
		}
		out[name] = string(body)
	}
	return out
}

// stopWorker has the worker stop at a moment, another one do all that is left, and the first one go on.
func (d *stopDrill) stopWorker(moment string) {
	if !d.begin(d.worker, moment) {
		return
	}
	wrote := d.worker.files()
	d.instead(worker)
	d.awaitAnswers()
	appended := d.by()
	d.worker.signal(syscall.SIGCONT)
	d.worker.end(syscall.SIGTERM)
	for node, n := range d.by() {
		if _, ours := appended[node]; !ours || n != appended[node] && d.isWorker(node) {
			d.t.Errorf("worker at %s: %s had appended %d events, and appended %d", moment, node, appended[node], n)
		}
	}
	for name, now := range d.worker.files() {
		if more := strings.Count(now, "\n") - strings.Count(wrote[name], "\n"); more > 1 { // the call that was under way ends
			d.t.Errorf("worker at %s: when it went on it wrote %q after %q", moment, now, wrote[name])
		}
	}
}

// isWorker reports whether a node is not the one that the person talks to.
func (d *stopDrill) isWorker(node string) bool { return node != d.p.node }

// stopControl has the daemon stop at a moment, and go on when another one has done what it could.
func (d *stopDrill) stopControl(moment string) {
	if !d.begin(d.p, moment) {
		return
	}
	other := d.instead(control)
	for began := time.Now(); time.Since(began) < 3*drillTTL && d.by()[other.node] == 0; time.Sleep(10 * time.Millisecond) {
		continue // it may have nothing to do: what the first one has on loan is not its
	}
	d.p.signal(syscall.SIGCONT)
	d.awaitAnswers()
}

// end asks all that live to end. One whose moment comes only now goes on at once.
func (d *stopDrill) end() {
	for _, p := range d.all {
		if p.cmd == nil {
			continue
		}
		ended, last := make(chan struct{}), make(chan struct{})
		go func(p *os.Process) {
			defer close(last)
			for {
				select {
				case <-ended:
					return
				case <-time.After(5 * time.Millisecond):
					if isStopped(p.Pid) {
						_ = p.Signal(syscall.SIGCONT)
					}
				}
			}
		}(p.cmd.Process)
		p.end(syscall.SIGTERM)
		close(ended)
		<-last
	}
}

// A worker, or the daemon that has no workers, is stopped at each append of a script of everything, before and
// after it is stored. Another one takes its place, and then it goes on: a worker writes nothing any more, and
// what had to be done is done once and said once. Few of these moments are drawn in a test run, all in a drill.
func TestDrillStopAtEveryAppend(t *testing.T) {
	m := modelOf(t, func(req llm.Request) (llm.Reply, error) { return askingModel(t.Context(), req) })
	whole := newStopDrill(t, m.URL())
	whole.begin(whole.worker, momentOf(1<<30, syscall.SIGSTOP))
	whole.end()
	moments := whole.by()
	whole.judge("nobody stops")
	whole.saidOnce("nobody stops", 0)
	if t.Failed() {
		return
	}
	for _, role := range []string{worker, control} {
		n := 0
		for node, events := range moments {
			if (node == whole.worker.node) == (role == worker) {
				n += 2 * events
			}
		}
		draws := min(envInt("AKITA_DRILL_KILLS", 1), n)
		seed := envInt("SEED", int(time.Now().UnixNano()%1e6))
		t.Logf("%s: %d moments, %d of them, SEED=%d", role, n, draws, seed)
		for i := range draws {
			at := (seed + i*n/draws) % n
			moment := momentOf(at, syscall.SIGSTOP)
			d := newStopDrill(t, m.URL())
			if role == worker {
				d.stopWorker(moment)
			} else {
				d.stopControl(moment)
			}
			d.end()
			d.judge(role + " at " + moment)
			d.saidOnce(role+" at "+moment, 1)
			if t.Failed() {
				return
			}
		}
	}
}
