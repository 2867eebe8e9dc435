package app_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

const (
	loadTasks = 200
	loadCalls = 5 // model calls a task: four rounds of tools, and the answer
)

// cost is what a stretch of work took: by the clock, and by the processors, whatever else they do.
type cost struct{ wall, cpu time.Duration }

func (c cost) plus(d cost) cost { return cost{c.wall + d.wall, c.cpu + d.cpu} }

// moment is where a stretch of work begins.
type moment struct {
	at  time.Time
	cpu time.Duration
}

func now() moment { return moment{time.Now(), processorTime()} }

func (m moment) since() cost { return cost{time.Since(m.at), processorTime() - m.cpu} }

// processorTime gives what this process has used so far, its own and the system's for it.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkTasksModel1s does 200 tasks at once with five calls each to a model that thinks for a
// second.
func BenchmarkTasksModel1s(b *testing.B) { load(b, time.Second) }

// BenchmarkTasksModel50ms does so with a model that thinks for 50 ms.
func BenchmarkTasksModel50ms(b *testing.B) { load(b, 50*time.Millisecond) }

// load measures the house against its floor: the very requests that the house made, byte for byte,
// made again to the same server by bare goroutines, as many at once. It does so with the bounds of an
// unconfigured daemon, and with all tasks running at once.
func load(b *testing.B, latency time.Duration) {
	for _, bound := range []struct {
		name string
		wide int
	}{{"default", 64}, {"all", loadTasks}} {
		b.Run(bound.name, func(b *testing.B) {
			var house, floor cost
			for b.Loop() {
				h, f := loadOnce(b, latency, bound.wide)
				house, floor = house.plus(h), floor.plus(f)
			}
			tasks := loadTasks * float64(b.N)
			b.ReportMetric(tasks/house.wall.Seconds(), "tasks/s")
			b.ReportMetric(tasks/floor.wall.Seconds(), "floor-tasks/s")
			b.ReportMetric(floor.wall.Seconds()/house.wall.Seconds(), "of-floor")
			b.ReportMetric(1000*house.cpu.Seconds()/tasks, "cpu-ms/task")
			b.ReportMetric(1000*floor.cpu.Seconds()/tasks, "floor-cpu-ms/task")
		})
	}
}

func loadOnce(b *testing.B, latency time.Duration, wide int) (house, floor cost) {
	b.Helper()
	var turns []llmtest.Turn
	for i := range loadCalls - 1 {
		turns = append(turns, llmtest.Calls(llmtest.Call("read_file", map[string]any{"path": "a.txt", "offset": 1 + i, "limit": 1})))
	}
	script := llmtest.New(b).Rounds(llmtest.Any, append(turns, llmtest.Text("read"))...)
	server := llmtest.NewServer(b, script, llmtest.Options{Latency: latency})
	a := startParts(b, b.TempDir(), nil, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
		c.Pool.PerProfile = wide
		useModel(c, server.URL(), wide)
	})
	began := now()
	runTasks(b, a)
	house = began.since()
	seen := server.Seen()
	if len(seen) != loadTasks*loadCalls {
		b.Fatalf("%d calls were made, want %d", len(seen), loadTasks*loadCalls)
	}
	return house, replay(b, server.URL(), seen, wide)
}

// runTasks submits all tasks from eight clients and returns when the last has ended.
func runTasks(b *testing.B, a *app.App) {
	b.Helper()
	ids := make([]akitad.TaskID, loadTasks)
	var eg errgroup.Group
	eg.SetLimit(8)
	for i := range ids {
		eg.Go(func() (err error) {
			ids[i], err = a.Orchestrator.Submit(b.Context(), "http", akitad.TaskRequest{Text: fmt.Sprintf("read %d", i), Files: benchFile})
			return err
		})
	}
	if err := eg.Wait(); err != nil {
		b.Fatal(err)
	}
	for _, id := range ids {
		got, err := a.Journal.Wait(b.Context(), id, (*journal.Task).Final)
		if err != nil || got.State != akitad.Completed || len(got.Rounds) != loadCalls-1 || len(got.Result.Degraded) > 0 {
			b.Fatalf("%s is %s after %d rounds: %+v (%v)", id, got.State, len(got.Rounds), got.Error, err)
		}
	}
}

// replay makes the recorded requests again, those of a task one after the other, wide tasks at once.
func replay(b *testing.B, url string, seen []llmtest.Seen, wide int) cost {
	b.Helper()
	tasks := map[string][]llmtest.Seen{}
	for _, s := range seen {
		id := s.Header.Get("X-Akita-Task")
		tasks[id] = append(tasks[id], s)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: wide}}
	defer client.CloseIdleConnections()
	var eg errgroup.Group
	eg.SetLimit(wide)
	began := now()
	for _, calls := range tasks {
		eg.Go(func() error {
			for _, s := range calls {
				if err := bareCall(client, url, s); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := eg.Wait(); err != nil {
		b.Fatal(err)
	}
	return began.since()
}

func bareCall(client *http.Client, url string, s llmtest.Seen) error {
	req, err := http.NewRequest(http.MethodPost, url+"/chat/completions", bytes.NewReader(s.Body))
	if err != nil {
		return err
	}
	req.Header = s.Header.Clone()
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("answered %s (%v)", resp.Status, err)
	}
	return nil
}
