package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/sandbox"
)

// TestMain lets the test binary be the process that a drill kills, or the daemon that is measured.
func TestMain(m *testing.M) {
	sandbox.Init()
	for name, run := range map[string]func(string) error{"BENCH_HOME": benchProcess, benchClock: clockProcess, drillRole: drillRun, "DISK_HOME": diskProcess} {
		if value := os.Getenv(name); value != "" {
			if err := run(value); err != nil {
				fmt.Fprintf(os.Stderr, "process of %s=%s: %v\n", name, value, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// drillModel is a model without state: what it says depends on the request alone, as with a real
// one at temperature 0. A goal "job K rounds=R" writes R lines; "shell=S" lets a program write every
// S-th of them, beside a child that would outlive it, marked by "mark=M"; "split=N" delegates N jobs
// first, and "depth=D" lets each of them delegate one that is D-1 deep.
type drillModel struct{}

func (drillModel) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	words, _ := llm.SplitBrief(lastWords(req))
	job := strings.Fields(words)
	if len(job) < 2 {
		return llm.Reply{}, fmt.Errorf("no job in %q", words)
	}
	name, rounds, split := job[1], number(job, "rounds="), number(job, "split=")
	child := slices.ContainsFunc(req.Tools, func(t llm.Tool) bool { return t.Name == "submit_result" })
	n := 0
	for _, m := range req.Messages {
		if m.Speaker == llm.Assistant && len(m.Calls) > 0 {
			n++
		}
	}
	switch {
	case split > 0 && n == 0:
		return llm.Reply{Calls: delegated(name, split, number(job, "depth=")), Finish: llm.FinishCalls}, nil
	case n < rounds:
		return llm.Reply{Calls: []akitad.Call{effect(job, name, n)}, Finish: llm.FinishCalls}, nil
	case child:
		return llm.Reply{Calls: []akitad.Call{drillCall(n, 0, "submit_result", map[string]any{"text": "done " + name})}, Finish: llm.FinishCalls}, nil
	}
	return llm.Reply{Text: "done " + name, Finish: llm.FinishStop}, nil
}

func delegated(name string, split, depth int) (calls []akitad.Call) {
	for i := range split {
		goal := fmt.Sprintf("job %s-%d rounds=2", name, i)
		if depth > 1 {
			goal += fmt.Sprintf(" split=1 depth=%d", depth-1)
		}
		calls = append(calls, drillCall(0, i, "delegate", map[string]any{"profile": "assistant", "goal": goal}))
	}
	return calls
}

// effect is a call that must not happen twice: it adds a line to a file.
func effect(job []string, name string, n int) akitad.Call {
	file, line := "effects-"+name+".txt", fmt.Sprintf("%s round %d", name, n)
	if every := number(job, "shell="); every > 0 && n%every == 0 {
		command := fmt.Sprintf("echo %s >> %s; setsid sleep 97.%d & sleep 0.4", line, file, number(job, "mark="))
		return drillCall(n, 0, "run_shell", map[string]any{"command": command})
	}
	return drillCall(n, 0, "write_file", map[string]any{"path": file, "append": true, "content": line + "\n"})
}

// lastWords are the newest message of a person: a session's earlier ones stand before it.
func lastWords(req llm.Request) string {
	words := ""
	for _, m := range req.Messages {
		if m.Speaker == llm.User && strings.HasPrefix(m.Text, "job ") {
			words = m.Text
		}
	}
	return words
}

func number(words []string, key string) int {
	for _, w := range words {
		if v, ok := strings.CutPrefix(w, key); ok {
			n, _ := strconv.Atoi(v)
			return n
		}
	}
	return 0
}

func drillCall(round, i int, tool string, args map[string]any) akitad.Call {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return akitad.Call{ID: fmt.Sprintf("c%d-%d", round, i), Tool: tool, Args: raw}
}

// drillTTL is short, so that a drill sees many takeovers.
const drillTTL = time.Second

func drillConfig(home string) (config.Config, error) {
	cfg, err := config.Load(home, nil)
	cfg.Compiler, cfg.Stop.Grace = "twin", time.Second
	cfg.Claim.TTL, cfg.Claim.Renew = drillTTL, 300*time.Millisecond
	return cfg, err
}

func envInt(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return def
}

// drill is processes that are killed while people want things of them.
type drill struct {
	t     testing.TB
	kills int
	seed  uint64
	mark  int // of programs that this drill's tools start
	srv   *telegramtest.Server
	all   []*process
	more  []*process // to be killed more often than the others
	front *process   // to whom people talk
	done  []downtime // in the order in which they happened
	seen  int        // marked programs that ran when a daemon was killed

	mu     sync.Mutex // guards front's address while it is started again, and what follows
	asks   map[string]*question
	lined  map[string][]akitad.TaskID // session -> its tasks in the order in which they were accepted
	want   map[int64][]string         // chat -> answers in order
	behind int                        // placeholders that a kill left without an answer
}

// downtime is one process that was gone for a while.
type downtime struct {
	victim string
	node   string
	signal syscall.Signal
	at     time.Time // from here on it did nothing any more
	back   time.Time
}

// newDrill sets up a drill with that share of all kills.
func newDrill(t *testing.T, of, share int) *drill {
	t.Helper()
	total := envInt("AKITA_DRILL_KILLS", of)
	seed := envInt("SEED", int(time.Now().UnixNano()%1e6))
	d := &drill{
		t: t, kills: max(1, total*share/of), seed: uint64(seed), mark: os.Getpid()*10 + share%10, srv: telegramtest.Start(t, telegramtest.Options{}),
		asks: map[string]*question{}, lined: map[string][]akitad.TaskID{}, want: map[int64][]string{},
	}
	t.Logf("%d kills, SEED=%d", d.kills, seed)
	return d
}

// add starts a process of the drill.
func (d *drill) add(role string, env ...string) *process {
	d.t.Helper()
	p := newProcess(d.t, role, env...)
	d.t.Cleanup(p.discard)
	p.start()
	d.all = append(d.all, p)
	return p
}

func (d *drill) rng(of uint64) *rand.Rand { return rand.New(rand.NewPCG(d.seed, of)) }

// run lets people ask and chat while it kills, then waits for all that they are owed.
func (d *drill) run() {
	stop := make(chan struct{})
	var people sync.WaitGroup
	for i := range drillClients {
		people.Go(func() { d.client(i, stop) })
	}
	for i := range drillChats {
		people.Go(func() { d.chat(int64(1+i), stop) })
	}
	rng := d.rng(1)
	victims := slices.Concat(d.all, d.more)
	for range d.kills {
		d.kill(rng, victims[rng.IntN(len(victims))])
	}
	close(stop)
	people.Wait()
	for _, p := range slices.Backward(d.all) {
		if p.role != natsd {
			p.end(syscall.SIGTERM)
		}
	}
}

// kill takes one process down at a random moment, and starts it again after another.
func (d *drill) kill(rng *rand.Rand, p *process) {
	d.t.Helper()
	time.Sleep(time.Duration(100+rng.IntN(400)) * time.Millisecond)
	sig := syscall.SIGKILL
	if rng.IntN(4) == 0 {
		sig = syscall.SIGTERM
	}
	_, busy := orphans(d.t, d.marked(), d.all)
	down := downtime{victim: p.role, node: p.node, signal: sig}
	down.at = p.end(sig)
	if p.node != "" {
		d.seen += busy
		d.noOrphans(p)
	}
	time.Sleep(time.Duration(rng.IntN(200)) * time.Millisecond)
	d.mu.Lock()
	p.start()
	d.mu.Unlock()
	down.back = time.Now()
	d.done = append(d.done, down)
}

func (d *drill) marked() string { return fmt.Sprintf("97.%d", d.mark) }

// noOrphans gives the kernel a minute to end what a daemon left running, which would run for longer.
func (d *drill) noOrphans(p *process) {
	d.t.Helper()
	var left []string
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		if left, _ = orphans(d.t, d.marked(), d.all); len(left) == 0 {
			return
		}
	}
	d.t.Errorf("the %s is gone, what it ran is not: %v", p.role, left)
}

// A whole house is killed again and again, and the model that it asks.
func TestDrillHouse(t *testing.T) {
	d := newDrill(t, 20, 11)
	m := d.add(model, drillLatency+"=20ms")
	d.front = d.add(house, drillLLM+"=http://"+m.addr+"/v1", drillChat+"="+d.srv.URL+" "+d.srv.Token)
	d.more = []*process{d.front, d.front}
	d.run()
	d.report(journalAt{dir: d.front.home()})
}

// A daemon without workers, two workers and a NATS server are processes of their own; any of them is
// killed, and the model too.
func TestDrillSpread(t *testing.T) {
	d := newDrill(t, 20, 9)
	m := d.add(model, drillLatency+"=20ms")
	n := d.add(natsd)
	at := []string{drillLLM + "=http://" + m.addr + "/v1", drillNATS + "=nats://" + n.addr}
	d.front = d.add(control, append(at, drillChat+"="+d.srv.URL+" "+d.srv.Token)...)
	d.add(worker, at...)
	d.add(worker, at...)
	d.run()
	d.report(journalAt{url: "nats://" + n.addr})
}
