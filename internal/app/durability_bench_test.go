package app_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// openTasks are under way, or wait, while something is measured.
const openTasks = 1000

// BenchmarkResume kills a daemon by SIGKILL while 1,000 tasks run, each in a call of a model that does
// not answer, and starts it again: from the start of the process to its readiness (ready-s), and to
// the moment at which the last of the tasks asks its model again (s); and the processor time that the
// daemon has used by then (cpu-s), whatever else the machine does.
func BenchmarkResume(b *testing.B) {
	var ready, whole, cpu float64
	for b.Loop() {
		r, w, c := resumeOnce(b)
		ready, whole, cpu = ready+r.Seconds(), whole+w.Seconds(), cpu+c.Seconds()
	}
	b.ReportMetric(cpu/float64(b.N), "cpu-s")
	b.ReportMetric(ready/float64(b.N), "ready-s")
	b.ReportMetric(whole/float64(b.N), "s")
}

// silent is a model that never answers and counts which tasks ask.
type silent struct {
	mu    sync.Mutex
	asked map[akitad.TaskID]bool
	all   chan struct{} // closed when all have
	gone  chan struct{}
}

// anew forgets who has asked.
func (s *silent) anew() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.all = map[akitad.TaskID]bool{}, make(chan struct{})
	return s.all
}

func (s *silent) reply(req llm.Request) (llm.Reply, error) {
	s.mu.Lock()
	if s.asked[req.Task] = true; len(s.asked) == openTasks {
		close(s.all)
		s.asked[""] = true // only once
	}
	s.mu.Unlock()
	<-s.gone
	return llm.Reply{Text: "too late", Finish: llm.FinishStop}, nil
}

func resumeOnce(b *testing.B) (ready, whole, cpu time.Duration) {
	b.Helper()
	b.StopTimer()
	s := &silent{gone: make(chan struct{})}
	defer close(s.gone)
	all := s.anew()
	m := llmtest.NewServer(b, llmtest.New(b).Always(llmtest.Any, llmtest.Do(s.reply)), llmtest.Options{Forget: true})
	h := newProcess(b, house, drillLLM+"="+m.URL(), drillTTLs+"=30s", drillWide+"="+fmt.Sprint(openTasks))
	defer h.discard()
	h.start()
	d := &drill{t: b, front: h}
	var eg errgroup.Group
	eg.SetLimit(16)
	for i := range openTasks {
		eg.Go(func() error {
			if status, _ := d.post(akitad.TaskRequest{Text: fmt.Sprintf("job %d", i)}); status/100 != 2 {
				return fmt.Errorf("answered %d", status)
			}
			return nil
		})
	}
	if err := eg.Wait(); err != nil {
		b.Fatal(err)
	}
	<-all
	h.end(syscall.SIGKILL)
	all = s.anew()
	b.StartTimer()
	began := time.Now()
	h.start()
	ready = time.Since(began)
	<-all
	return ready, time.Since(began), h.processorTime()
}

// processorTime gives what a process has used so far.
func (p *process) processorTime() time.Duration {
	p.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	ticks := 0
	for _, word := range strings.Fields(rest)[11:13] { // of the user, of the system; 100 a second
		n, err := strconv.Atoi(word)
		if err != nil {
			p.t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// asking asks a person and never gets an answer.
type asking struct{}

func (asking) Generate(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Calls: []akitad.Call{drillCall(0, 0, "ask_user", map[string]any{"question": "Which of them?"})}, Finish: llm.FinishCalls}, nil
}

// BenchmarkWaiting lets 1,000 tasks wait for an answer and measures what they add to memory beside 1,000
// others, NATS server, listing and the folds that are kept for a minute included (KB/task; the first ones
// pay for the server's write buffers, 16 MB that do not grow), and what the processors do for a second in
// which nothing happens (cpu-ms/s).
func BenchmarkWaiting(b *testing.B) {
	var each, cpu float64
	for b.Loop() {
		b.StopTimer()
		a := start(b, asking{}, func(c *config.Config) { c.Pool.PerProfile = 64 })
		waitingTasks(b, a)
		before := held()
		waitingTasks(b, a)
		each += float64(held()-before) / 1000 / openTasks
		b.StartTimer()
		began := now()
		time.Sleep(time.Second) // idleness is what is measured
		cpu += float64(began.since().cpu.Microseconds()) / 1000
	}
	b.ReportMetric(each/float64(b.N), "KB/task")
	b.ReportMetric(cpu/float64(b.N), "cpu-ms/s")
}

// waitingTasks submits tasks, and returns when each of them waits for a person.
func waitingTasks(b *testing.B, a *app.App) {
	b.Helper()
	ids := make([]akitad.TaskID, openTasks)
	var eg errgroup.Group
	eg.SetLimit(16)
	for i := range ids {
		eg.Go(func() (err error) {
			ids[i], err = a.Orchestrator.Submit(b.Context(), "bench", akitad.TaskRequest{Text: fmt.Sprintf("ask %d", i)})
			return err
		})
	}
	if err := eg.Wait(); err != nil {
		b.Fatal(err)
	}
	for _, id := range ids {
		if got := until(b, a, id, func(t *journal.Task) bool { return t.Reason == akitad.ReasonAnswer || t.Final() }); got.Final() {
			b.Fatalf("%s: %+v", got.State, got.Result)
		}
	}
}

// held is the memory in use, in bytes, garbage left out.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one finalised
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
