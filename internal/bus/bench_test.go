package bus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// BenchmarkAppend appends fenced events of 300 bytes to one task after the other.
func BenchmarkAppend(b *testing.B) {
	nb := bustest.New(b)
	body := []byte(strings.Repeat("x", 300))
	for i := 0; b.Loop(); i++ {
		id := fmt.Sprint("t_", i)
		if _, err := nb.Append(b.Context(), "akita.task."+id+".log", fence(id), 0, id, body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendParallel does so from 16 writers a processor.
func BenchmarkAppendParallel(b *testing.B) {
	nb := bustest.New(b)
	body := []byte(strings.Repeat("x", 300))
	var n atomic.Int64
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			id := fmt.Sprint("t_", n.Add(1))
			if _, err := nb.Append(b.Context(), "akita.task."+id+".log", fence(id), 0, id, body); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkReadTask loads a task of 20 events.
func BenchmarkReadTask(b *testing.B) {
	nb := bustest.New(b)
	var expect uint64
	for i := range 20 {
		expect = add(b, nb, "t_a", expect, fmt.Sprint(i))
	}
	for b.Loop() {
		n := 0
		if err := nb.ReadTask(b.Context(), fence("t_a"), 0, func(bus.Stored) error { n++; return nil }); err != nil || n != 20 {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkWork measures from the publish of an item to its arrival at a worker that waits (p50,
// p99); an operation is that and the acknowledgement.
func BenchmarkWork(b *testing.B) {
	nb := bustest.New(b)
	w := openWork(b, nb, "coder")
	ctx, cancel := context.WithCancel(b.Context())
	items, done := make(chan *bus.Delivery), make(chan struct{})
	go func() {
		defer close(done)
		for {
			d, err := w.Next(ctx)
			if err != nil {
				return
			}
			items <- d
		}
	}()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		id, start := fmt.Sprint("t_", i), time.Now()
		if err := nb.PublishWork(b.Context(), "coder", "normal", id, id, nil, ""); err != nil {
			b.Fatal(err)
		}
		d := <-items
		took = append(took, time.Since(start))
		if err := d.Ack(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	cancel()
	<-done
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
}

// BenchmarkArtifact stores and reads 100 KB.
func BenchmarkArtifact(b *testing.B) {
	nb := bustest.New(b)
	body := []byte(strings.Repeat("0123456789", 10_000))
	for i := 0; b.Loop(); i++ {
		hash, err := nb.PutArtifact(b.Context(), fmt.Append(body, i))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := nb.GetArtifact(b.Context(), hash); err != nil {
			b.Fatal(err)
		}
	}
}
