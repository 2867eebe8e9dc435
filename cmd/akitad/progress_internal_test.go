package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
)

// tasks is a runner that only knows tasks.
type tasks map[akitad.TaskID]akitad.Task

func (t tasks) Task(_ context.Context, id akitad.TaskID) (akitad.Task, error) { return t[id], nil }

func (tasks) Submit(context.Context, akitad.TaskRequest) (akitad.TaskID, error) {
	return "", errors.New("not asked")
}

func (tasks) Follow(context.Context, akitad.TaskID, uint64, func(akitad.Event) bool) error {
	return nil
}

func (tasks) Steer(context.Context, akitad.TaskID, string) (akitad.Task, error) {
	return akitad.Task{}, errors.New("not asked")
}

// A task that does not begin says why and what would help, for the part that it waits for too.
func TestTellIdle(t *testing.T) {
	several, err := config.Load(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	alone := several
	alone.Pool.Max = 0
	paused := akitad.Task{State: akitad.Pending, Reason: akitad.ReasonPaused, Profile: "analyst"}
	none := akitad.Task{State: akitad.Pending, Reason: akitad.ReasonNoWorker, Profile: "writer"}
	for _, tt := range []struct {
		name string
		cfg  config.Config
		task akitad.Task
		want string
	}{
		{"nothing runs here", alone, none, "pool.max is 0"},
		{"nobody runs it", several, none, "no worker runs for writer"},
		{"paused", several, paused, "akitad agent resume analyst"},
		{"full", several, akitad.Task{State: akitad.Pending, Reason: akitad.ReasonPoolFull}, "pool full"},
		{"a part", alone, akitad.Task{State: akitad.Waiting, Reason: akitad.ReasonChildren, Children: []akitad.TaskID{"done", "none"}}, "pool.max is 0"},
		{"it runs", alone, akitad.Task{State: akitad.Running}, ""},
	} {
		var out bytes.Buffer
		p := progress{w: &out}
		p.tellIdle(t.Context(), tasks{"none": none, "done": {State: akitad.Completed}}, tt.cfg, tt.task)
		if got := out.String(); (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestInterruptedSaysWhatGoesOn(t *testing.T) {
	for _, tt := range []struct {
		r    runner
		want string
	}{{&client.Client{}, "goes on in the daemon: akitad task watch t_x"}, {&local{}, "with the next akitad run or serve"}} {
		if got := interrupted(tt.r, "t_x", context.Canceled).Error(); !strings.Contains(got, tt.want) {
			t.Errorf("%T: %s", tt.r, got)
		}
	}
}

// What is told of the past has its own time.
func TestProgressTellsEachEventsTime(t *testing.T) {
	var out bytes.Buffer
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := progress{w: &out, began: began, past: true}
	p.event(akitad.Event{Kind: journal.Failed, At: began.Add(90 * time.Second)})
	p.event(akitad.Event{Kind: journal.Retried, At: began.Add(2 * time.Minute)})
	if got := out.String(); !strings.Contains(got, " 90.00s  failed") || !strings.Contains(got, "120.00s  tried again") {
		t.Error(got)
	}
}

// A question of several lines stands below the table, as it was asked.
func TestShowPrintsAPlanAsABlock(t *testing.T) {
	var out bytes.Buffer
	plan := "The plan:\n1. read\n2. write\nsteps:\n  - {id: a, tool: time}"
	if err := printTask(&out, akitad.Task{ID: "t_x", State: akitad.Waiting, Question: plan}, ""); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\n\n"+plan+"\n") || !strings.Contains(out.String(), "see below") {
		t.Error(out.String())
	}
	out.Reset()
	if err := printTask(&out, akitad.Task{ID: "t_x", Question: "Which one?"}, ""); err != nil || !strings.Contains(out.String(), "asks         Which one?") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
