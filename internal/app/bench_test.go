package app_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// allParts are what a daemon runs.
var allParts = app.Parts{Orchestrate: true, Work: true, Serve: true}

// benchConfig is a daemon's configuration without anything set, on a port of its own.
func benchConfig(home string) (config.Config, error) {
	cfg, err := config.Load(home, nil)
	cfg.Admin.Listen, cfg.Stop.Grace = "127.0.0.1:0", time.Second
	return cfg, err
}

// awaitReady returns once the bus answers, an orchestrator takes messages and a worker takes tasks.
func awaitReady(ctx context.Context, a *app.App) error {
	for _, profile := range []string{journal.OrchestratorProfile, "assistant"} {
		for found := false; !found; {
			var err error
			if _, found, err = a.Bus.AskHere(ctx, profile); err != nil {
				return err
			}
			if !found {
				time.Sleep(200 * time.Microsecond)
			}
		}
	}
	return a.Bus.Healthy(ctx)
}

// benchProcess is a whole idle daemon: it says when it is ready and ends with its input.
func benchProcess(home string) error {
	cfg, err := benchConfig(home)
	if err != nil {
		return err
	}
	a, err := app.New(context.Background(), cfg, app.Options{Parts: allParts})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	if err := awaitReady(ctx, a); err != nil {
		return err
	}
	fmt.Println("up")
	_, err = io.Copy(io.Discard, os.Stdin)
	stop()
	return errors.Join(err, <-ran, a.Close(context.Background()))
}

// daemon starts such a process in an empty home and returns when it is ready.
func daemon(b *testing.B) (pid int, stop func()) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "BENCH_HOME="+b.TempDir())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "up\n" {
		b.Fatalf("the process says %q (%v)", line, err)
	}
	return cmd.Process.Pid, func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			b.Error(err)
		}
	}
}

// median gives the middle value, in milliseconds.
func median(took []time.Duration) float64 { return quantile(took, 50) }

// quantile gives the value below which percent of the others lie, in milliseconds.
func quantile(took []time.Duration, percent int) float64 {
	slices.Sort(took)
	return float64(took[min(len(took)-1, len(took)*percent/100)].Microseconds()) / 1000
}

// BenchmarkStartToReady starts a daemon with its broker in an empty home, in this process (ms) and
// as a process of its own (process-ms).
func BenchmarkStartToReady(b *testing.B) {
	var inside, process []time.Duration
	for b.Loop() {
		inside = append(inside, startOnce(b))
		began := time.Now()
		_, stop := daemon(b)
		process = append(process, time.Since(began))
		b.StopTimer()
		stop()
		b.StartTimer()
	}
	b.ReportMetric(median(inside), "ms")
	b.ReportMetric(median(process), "process-ms")
}

func startOnce(b *testing.B) time.Duration {
	b.Helper()
	cfg, err := benchConfig(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	a, err := app.New(b.Context(), cfg, app.Options{Parts: allParts})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	err = awaitReady(ctx, a)
	took := time.Since(began)
	b.StopTimer()
	defer b.StartTimer()
	stop()
	if err := errors.Join(err, <-ran, a.Close(context.Background())); err != nil {
		b.Fatal(err)
	}
	return took
}

// BenchmarkIdleMemory reads the resident memory of a daemon that has had nothing to do for two
// seconds: all of it (MB), and what is its own and not of a file (anon-MB).
func BenchmarkIdleMemory(b *testing.B) {
	var all, anon float64
	for b.Loop() {
		pid, stop := daemon(b)
		time.Sleep(2 * time.Second) // idleness is what is measured; there is nothing to wait for
		all, anon = memory(b, pid, "VmRSS:"), memory(b, pid, "RssAnon:")
		stop()
	}
	b.ReportMetric(all, "MB")
	b.ReportMetric(anon, "anon-MB")
}

// memory reads a field of /proc/PID/status, in MB.
func memory(b *testing.B, pid int, field string) float64 {
	b.Helper()
	body, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip("needs /proc: ", err)
	}
	for line := range strings.Lines(string(body)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == field {
			kb, err := strconv.Atoi(words[1])
			if err != nil {
				b.Fatal(err)
			}
			return float64(kb) * 1024 / 1e6
		}
	}
	b.Fatalf("no %s for process %d", field, pid)
	return 0
}

// instant is a model without state and without delay: it reads one line after the other and then
// answers. The first number in the words says how many rounds it takes.
type instant struct{}

func (instant) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	words, _ := llm.SplitBrief(req.Messages[0].Text)
	rounds, done := number(strings.Fields(words), "rounds="), 0
	for _, m := range req.Messages {
		if m.Speaker == llm.ToolReply {
			done++
		}
	}
	if done >= rounds {
		return llm.Reply{Text: "read", Finish: llm.FinishStop}, nil
	}
	call := drillCall(done, 0, "read_file", map[string]any{"path": "a.txt", "offset": 1 + done, "limit": 1})
	return llm.Reply{Calls: []akitad.Call{call}, Finish: llm.FinishCalls}, nil
}

var benchFile = []akitad.InputFile{{Name: "a.txt", Content: []byte(strings.Repeat("a line of some forty characters in a file\n", 100))}}

// BenchmarkRoundOverhead runs tasks of 50 rounds, one at a time, on a model that takes no time: what
// is left is ours (ms/round; the first of them carries the task's own beginning and end). Spans are
// measured by themselves in the same run (span-ms/round), to say which share they have.
func BenchmarkRoundOverhead(b *testing.B) {
	const rounds = 50
	a := start(b, instant{}, nil)
	var took []time.Duration
	var cpu time.Duration
	var last *journal.Task
	for b.Loop() {
		began := now()
		id := submit(b, a, akitad.TaskRequest{
			Text: fmt.Sprintf("rounds=%d of reading", rounds), Files: benchFile, Budget: &akitad.Budget{Rounds: rounds + 1},
		})
		last = ended(b, a, id)
		c := began.since()
		took, cpu = append(took, c.wall/rounds), cpu+c.cpu
		if last.State != akitad.Completed || len(last.Rounds) != rounds {
			b.Fatalf("%s after %d rounds: %+v", last.State, len(last.Rounds), last.Error)
		}
	}
	ms := median(took)
	spans := len(spansOf(b, a, last.ID))
	span := spanCost(b, a) * float64(spans) / rounds
	b.ReportMetric(ms, "ms/round")
	b.ReportMetric(float64(cpu.Microseconds())/1000/float64(len(took)*rounds), "cpu-ms/round")
	b.ReportMetric(span, "span-ms/round")
	b.ReportMetric(100*span/ms, "%spans")
	b.ReportMetric(float64(spans)/rounds, "spans/round")
}

// spanCost gives the milliseconds that one span takes until it is stored.
func spanCost(b *testing.B, a *app.App) float64 {
	b.Helper()
	const spans = 2000
	ctx := a.Tracer.InTask(b.Context(), "t_bench", "t_bench")
	began := time.Now()
	for range spans {
		_, span := a.Tracer.Start(ctx, akitad.SpanTool, "bench")
		span.End(nil)
	}
	if err := a.Bus.FlushSpans(b.Context()); err != nil {
		b.Fatal(err)
	}
	return float64(time.Since(began).Microseconds()) / 1000 / spans
}

// BenchmarkJoin delegates to three children that end at once and joins them: the whole task (ms),
// and from the last child's end to the parent's going on (join-ms).
func BenchmarkJoin(b *testing.B) {
	a := start(b, joining{}, nil)
	var whole, join []time.Duration
	for b.Loop() {
		began := time.Now()
		id := submit(b, a, akitad.TaskRequest{Text: "split"})
		got := ended(b, a, id)
		whole = append(whole, time.Since(began))
		if got.State != akitad.Completed || len(got.Children) != 3 {
			b.Fatalf("%s with %d children: %+v", got.State, len(got.Children), got.Error)
		}
		join = append(join, wokenAt(b, a, id).Sub(lastEnd(b, a, got)))
	}
	b.ReportMetric(median(whole), "ms")
	b.ReportMetric(median(join), "join-ms")
}

// joining delegates "split" to three children, each of which submits a result.
type joining struct{}

func (joining) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	words, _ := llm.SplitBrief(req.Messages[0].Text)
	var calls []akitad.Call
	switch {
	case words != "split":
		calls = append(calls, drillCall(0, 0, "submit_result", map[string]any{"text": "part"}))
	case len(req.Messages) == 1:
		for i := range 3 {
			calls = append(calls, drillCall(0, i, "delegate", map[string]any{"profile": "analyst", "goal": fmt.Sprint("part ", i)}))
		}
	default:
		return llm.Reply{Text: "joined", Finish: llm.FinishStop}, nil
	}
	return llm.Reply{Calls: calls, Finish: llm.FinishCalls}, nil
}

func lastEnd(b *testing.B, a *app.App, parent *journal.Task) time.Time {
	b.Helper()
	var last time.Time
	for _, c := range parent.Children {
		if at := ended(b, a, c.ID).Ended; at.After(last) {
			last = at
		}
	}
	return last
}

// wokenAt gives when the task was claimed for the last time.
func wokenAt(b *testing.B, a *app.App, id akitad.TaskID) (at time.Time) {
	b.Helper()
	if err := a.Journal.Events(b.Context(), id, 0, func(e akitad.Event) error {
		if e.Kind == journal.Claimed {
			at = e.At
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	return at
}
