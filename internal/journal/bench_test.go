package journal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// BenchmarkJournalAppend appends fenced events to tasks of twenty events each.
func BenchmarkJournalAppend(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"300B", 300}, {"4KB", 4096}} {
		b.Run(size.name, func(b *testing.B) {
			j := journal.New(bustest.New(b), "n1")
			data := journal.SteeredData{Text: strings.Repeat("x", size.bytes)}
			var took []time.Duration
			var task *journal.Task
			for i := 0; b.Loop(); i++ {
				if i%20 == 0 {
					task = created(b, j, fmt.Sprint(size.name, i))
				}
				began := time.Now()
				if err := j.Append(b.Context(), task, 0, journal.Steered, data); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			percentiles(b, took)
		})
	}
}

// BenchmarkJournalRound appends what one round costs, a thought and its result of 600 bytes each: with
// writes that survive the end of the process, and with such that survive a power cut.
func BenchmarkJournalRound(b *testing.B) {
	for _, durability := range []string{"process", "power"} {
		b.Run(durability, func(b *testing.B) {
			j := journal.New(bustest.Open(b, bus.Options{Dir: b.TempDir(), Durability: durability}), "n1")
			text := strings.Repeat("x", 600)
			var took []time.Duration
			var task *journal.Task
			for i := 0; b.Loop(); i++ {
				if i%20 == 0 {
					task = created(b, j, fmt.Sprint(durability, i))
				}
				began := time.Now()
				err := j.Append(b.Context(), task, 0, journal.Thought, journal.ThoughtData{Round: 1, Text: text})
				if err == nil {
					err = j.Append(b.Context(), task, 0, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Text: text}}})
				}
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			percentiles(b, took)
		})
	}
}

// BenchmarkJournalLoad loads tasks of twenty events each from a stream in which 200 tasks grew side
// by side: a task that this process appended to, and one that it has never seen.
func BenchmarkJournalLoad(b *testing.B) {
	const tasks, events = 200, 20
	nb := bustest.New(b)
	j := journal.New(nb, "n1")
	all := make([]*journal.Task, tasks)
	for n := range events {
		for i := range all {
			if n == 0 {
				all[i] = created(b, j, fmt.Sprint("load", i))
			} else if err := j.Append(b.Context(), all[i], 0, journal.Steered, journal.SteeredData{Text: strings.Repeat("x", 600)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, seen := range []string{"seen", "new"} {
		b.Run(seen, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				if seen == "new" {
					j = journal.New(nb, "n1")
				}
				began := time.Now()
				got, err := j.Load(b.Context(), all[i%tasks].ID)
				took = append(took, time.Since(began))
				if err != nil || got.Events != events {
					b.Fatalf("%d events, %v", got.Events, err)
				}
			}
			percentiles(b, took)
		})
	}
}

func created(b *testing.B, j *journal.Journal, name string) *journal.Task {
	b.Helper()
	id := akitad.DeriveTaskID("bench", name)
	task, _, err := j.Create(b.Context(), id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
	if err != nil {
		b.Fatal(err)
	}
	return task
}

func percentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1000, "p99-us")
}
