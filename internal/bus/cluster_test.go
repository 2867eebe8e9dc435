package bus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// TestCluster does on three servers with three copies of everything what the other tests do on one.
func TestCluster(t *testing.T) {
	nodes := bustest.Cluster(t, 3)
	buses := make([]*bus.Bus, len(nodes))
	for i, n := range nodes {
		buses[i] = bustest.Open(t, bus.Options{URL: n.URL, Replicas: 3})
	}
	t.Run("one winner", func(t *testing.T) { clusterRace(t, buses) })
	t.Run("work", func(t *testing.T) { clusterWork(t, buses) })
	t.Run("artifacts", func(t *testing.T) { clusterArtifacts(t, buses) })
	t.Run("a server is lost", func(t *testing.T) { clusterLoss(t, nodes, buses) })
}

func clusterRace(t *testing.T, buses []*bus.Bus) {
	var expect uint64
	for round := range 10 {
		var mu sync.Mutex
		var won []uint64
		var wg sync.WaitGroup
		for w := range 12 {
			wg.Go(func() {
				seq, err := buses[w%3].Append(within(t), "akita.task.t_r.log", fence("t_r"), expect, fmt.Sprint(round, "-", w), nil)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won = append(won, seq)
				} else if !errors.Is(err, bus.ErrConflict) {
					t.Errorf("writer %d: %v", w, err)
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d: %d winners", round, len(won))
		}
		expect = won[0]
	}
}

func clusterWork(t *testing.T, buses []*bus.Bus) {
	ws := []*bus.Work{openWork(t, buses[1], "coder"), openWork(t, buses[2], "coder")}
	var want []string
	got := claimAll(t, ws, 30, func() {
		for i := range 30 {
			want = append(want, fmt.Sprint("t_", i))
			put(t, buses[0], []string{"high", "normal", "low"}[i%3], want[i])
		}
	})
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("claimed %v, want %v", got, want)
	}
}

func clusterArtifacts(t *testing.T, buses []*bus.Bus) {
	for i := range 10 {
		body := bytes.Repeat([]byte{byte(i)}, 200_000)
		hash, err := buses[i%3].PutArtifact(within(t), body)
		must(t, err)
		got, err := buses[(i+1)%3].GetArtifact(within(t), hash) // perhaps from a replica that is behind
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("artifact %d: %d bytes, %v", i, len(got), err)
		}
	}
}

// clusterLoss stops one server under writers and a follower on all three.
func clusterLoss(t *testing.T, nodes []*bustest.Node, buses []*bus.Bus) {
	ctx, cancel := context.WithCancel(t.Context())
	ch, done := make(chan string, 1000), make(chan error, 1)
	go func() {
		done <- buses[1].FollowTasks(ctx, []string{"akita.task.*.end"}, 0, func(s bus.Stored) error { ch <- string(s.Body); return nil })
	}()
	var want []string
	for i := range 60 {
		if i == 20 {
			nodes[0].Stop()
		}
		b := buses[1+i%2]
		id := fmt.Sprint("t_l", i)
		wait, stop := context.WithTimeout(ctx, patience)
		_, err := b.Append(wait, "akita.task."+id+".end", fence(id), 0, id, []byte(id))
		stop()
		if err != nil && !errors.Is(err, bus.ErrConflict) { // a conflict is our own success: nobody else writes
			t.Fatalf("append %d: %v", i, err)
		}
		want = append(want, id)
	}
	var got []string
	for range want {
		got = append(got, receive(t, ch))
	}
	if !slices.Equal(got, want) {
		t.Errorf("followed %v, want %v", got, want)
	}
	cancel()
	must(t, receive(t, done))
}
