package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/sandbox"
)

// TestMain lets the test binary be the process that the drill kills, or the daemon that is measured.
func TestMain(m *testing.M) {
	sandbox.Init()
	if home := os.Getenv("BENCH_HOME"); home != "" {
		if err := benchProcess(home); err != nil {
			fmt.Fprintln(os.Stderr, "bench process:", err)
			os.Exit(1)
		}
		return
	}
	if home := os.Getenv("DRILL_HOME"); home != "" {
		if err := drillProcess(home); err != nil {
			fmt.Fprintln(os.Stderr, "drill process:", err)
			os.Exit(1)
		}
		return
	}
	if home := os.Getenv("DISK_HOME"); home != "" {
		if err := diskProcess(home); err != nil {
			fmt.Fprintln(os.Stderr, "disk process:", err)
			os.Exit(1)
		}
		return
	}
	if home := os.Getenv("CHAT_DRILL_HOME"); home != "" {
		if err := chatDrillProcess(home, os.Getenv("CHAT_DRILL_URL"), os.Getenv("CHAT_DRILL_TOKEN")); err != nil {
			fmt.Fprintln(os.Stderr, "chat drill process:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// drillModel is a model without state: what it says depends on the request alone, as with a real
// one at temperature 0. A goal "job K rounds=R" writes R lines, "split=N" delegates N such jobs first.
type drillModel struct{}

func (drillModel) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	words, _ := llm.SplitBrief(lastWords(req))
	job := strings.Fields(words)
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
		var calls []akitad.Call
		for i := range split {
			calls = append(calls, drillCall(n, i, "delegate", map[string]any{"profile": "assistant", "goal": fmt.Sprintf("job %s-%d rounds=2", name, i)}))
		}
		return llm.Reply{Calls: calls, Finish: llm.FinishCalls}, nil
	case n < rounds:
		return llm.Reply{Calls: []akitad.Call{drillCall(n, 0, "write_file", map[string]any{
			"path": "effects-" + name + ".txt", "append": true, "content": fmt.Sprintf("%s round %d\n", name, n),
		})}, Finish: llm.FinishCalls}, nil
	case child:
		return llm.Reply{Calls: []akitad.Call{drillCall(n, 0, "submit_result", map[string]any{"text": "done " + name})}, Finish: llm.FinishCalls}, nil
	}
	return llm.Reply{Text: "done " + name, Finish: llm.FinishStop}, nil
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

func drillConfig(home string) (config.Config, error) {
	cfg, err := config.Load(home, nil)
	cfg.Compiler, cfg.Stop.Grace = "twin", time.Second
	cfg.Claim.TTL, cfg.Claim.Renew = 2*time.Second, 500*time.Millisecond
	return cfg, err
}

// drillProcess serves tasks from stdin, one JSON request a line, and says on stdout which it has.
func drillProcess(home string) error {
	cfg, err := drillConfig(home)
	if err != nil {
		return err
	}
	ctx := context.Background()
	a, err := app.New(ctx, cfg, app.Options{Parts: app.Parts{Orchestrate: true, Work: true}, Model: drillModel{}})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	fmt.Println("up")
	var out sync.Mutex
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var req akitad.TaskRequest
		if err := json.Unmarshal(in.Bytes(), &req); err != nil {
			return err
		}
		id, err := a.Orchestrator.Submit(ctx, "http", req)
		out.Lock()
		if err != nil {
			fmt.Println("refused", req.IdempotencyKey, err)
		} else {
			fmt.Println("have", req.IdempotencyKey, id)
		}
		out.Unlock()
	}
	stop()
	return errors.Join(<-ran, a.Close(context.Background()))
}

// drill is the killing side.
type drill struct {
	t    *testing.T
	home string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
	have map[string]akitad.TaskID
	rng  *rand.Rand
}

func (d *drill) start() {
	d.t.Helper()
	d.cmd = exec.Command(os.Args[0])
	d.cmd.Env = append(os.Environ(), "DRILL_HOME="+d.home)
	d.cmd.Stderr = os.Stderr
	in, err := d.cmd.StdinPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	d.in, d.out = in, bufio.NewScanner(out)
	if err := d.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	if !d.out.Scan() || d.out.Text() != "up" {
		d.t.Fatalf("the process did not start: %q", d.out.Text())
	}
}

// feed submits requests in order until the process is dead. A request counts as accepted when the
// process said so; the others are submitted again, as a client would.
func (d *drill) feed(reqs []akitad.TaskRequest) {
	for _, req := range reqs {
		body, err := json.Marshal(req)
		if err != nil {
			d.t.Fatal(err)
		}
		if _, err := d.in.Write(append(body, '\n')); err != nil || !d.out.Scan() {
			return
		}
		word := strings.Fields(d.out.Text())
		if word[0] != "have" {
			d.t.Errorf("%s", d.out.Text())
			continue
		}
		id := akitad.TaskID(word[2])
		if old, twice := d.have[word[1]]; twice && old != id {
			d.t.Errorf("%s became %s and %s", word[1], old, id)
		}
		d.have[word[1]] = id
	}
}

// from is where a client goes on that keeps order: at what was not acknowledged, and a little before,
// so that some come twice.
func (d *drill) from(reqs []akitad.TaskRequest) int {
	first := slices.IndexFunc(reqs, func(r akitad.TaskRequest) bool { return d.have[r.IdempotencyKey] == "" })
	return max(0, first-3)
}

// killAfter kills the process that runs now; whoever waits for it sees its end.
func (d *drill) killAfter(wait time.Duration) *time.Timer {
	p := d.cmd.Process
	return time.AfterFunc(wait, func() { _ = p.Kill() })
}

func drillRequests(n int) []akitad.TaskRequest {
	var out []akitad.TaskRequest
	for i := range n {
		req := akitad.TaskRequest{IdempotencyKey: fmt.Sprintf("k%d", i), Text: fmt.Sprintf("job j%d rounds=%d", i, 1+i%4)}
		if i%5 == 0 {
			req.Text = fmt.Sprintf("job j%d rounds=2 split=3", i)
		}
		if i%4 == 0 {
			req.Session = fmt.Sprintf("s%d", i%12)
		}
		out = append(out, req)
	}
	return out
}

func envInt(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return def
}

// The whole process is killed again and again while it works on tasks with sessions, delegation and
// effects, and while requests are submitted twice. At the end every accepted task has ended once, no
// effect happened twice, and each session kept its order.
func TestDrillKillNine(t *testing.T) {
	kills, tasks := envInt("AKITA_DRILL_KILLS", 25), envInt("AKITA_DRILL_TASKS", 200)
	seed := envInt("SEED", int(time.Now().UnixNano()%1e6))
	t.Logf("%d kills, %d tasks, SEED=%d", kills, tasks, seed)
	d := &drill{t: t, home: t.TempDir(), have: map[string]akitad.TaskID{}, rng: rand.New(rand.NewPCG(uint64(seed), 1))}
	reqs := drillRequests(tasks)
	for k := range kills {
		d.start()
		timer := d.killAfter(time.Duration(50+d.rng.IntN(450)) * time.Millisecond)
		d.feed(reqs[d.from(reqs):min(len(reqs), len(reqs)*(k+1)/kills)])
		_ = d.cmd.Wait()
		timer.Stop()
	}
	d.start()
	d.feed(reqs) // everything once more: duplicates and what was never acknowledged
	if len(d.have) != tasks {
		t.Fatalf("%d of %d tasks were accepted", len(d.have), tasks)
	}
	if err := d.in.Close(); err != nil { // the process drains and ends
		t.Fatal(err)
	}
	if err := d.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	d.judge(reqs)
}

// judge opens the home itself, lets what is left finish, and looks.
func (d *drill) judge(reqs []akitad.TaskRequest) {
	t := d.t
	a := startIn(t, d.home, drillModel{}, func(c *config.Config) {
		c.Claim.TTL, c.Claim.Renew = 2*time.Second, 500*time.Millisecond
	})
	sessions := map[string][]*journal.Task{}
	claims, void, unknown := 0, 0, 0
	for _, req := range reqs {
		got := ended(t, a, d.have[req.IdempotencyKey])
		name := strings.Fields(req.Text)[1]
		if got.State != akitad.Completed || got.Result.Text != "done "+name {
			t.Errorf("%s: %s %+v %+v", name, got.State, got.Result, got.Error)
		}
		for _, r := range got.Rounds {
			for _, o := range r.Results {
				if o.Error != nil && o.Error.Kind == akitad.Unknown {
					unknown++
				}
			}
		}
		d.effects(a, got)
		d.oneEnd(a, got)
		claims, void = claims+got.Claims, void+got.Voided
		if req.Session != "" {
			sessions[req.Session] = append(sessions[req.Session], got)
		}
	}
	for name, tasks := range sessions {
		for i := 1; i < len(tasks); i++ {
			if tasks[i].Sub.Follows != tasks[i-1].ID || tasks[i].Started.Before(tasks[i-1].Ended) {
				t.Errorf("session %s: task %d began at %s before task %d ended at %s (follows %s)", name, i, tasks[i].Started, i-1, tasks[i-1].Ended, tasks[i].Sub.Follows)
			}
		}
	}
	t.Logf("%d tasks, %d claims, %d void events, %d calls of unknown outcome", len(reqs), claims, void, unknown)
}

// effects checks that no line was written twice into the task's folder.
func (d *drill) effects(a *app.App, task *journal.Task) {
	dir := filepath.Join(a.Config.Path.Files, task.Sub.Folder)
	files, err := filepath.Glob(filepath.Join(dir, "effects-*.txt"))
	if err != nil {
		d.t.Fatal(err)
	}
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			d.t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(body)), "\n")
		slices.Sort(lines)
		if n := len(lines); n != len(slices.Compact(lines)) {
			d.t.Errorf("%s: an effect happened twice: %q", task.ID, body)
		}
	}
}

// oneEnd checks the raw journal: exactly one event ends it, and nothing but notes follow.
func (d *drill) oneEnd(a *app.App, task *journal.Task) {
	ends := 0
	err := a.Journal.Events(d.t.Context(), task.ID, 0, func(e akitad.Event) error {
		if e.Kind == journal.Completed || e.Kind == journal.Failed || e.Kind == journal.Cancelled {
			ends++
		}
		return nil
	})
	if err != nil || ends != 1 {
		d.t.Errorf("%s has %d ends (%v)", task.ID, ends, err)
	}
}
