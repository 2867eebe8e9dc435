package bus_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func TestHere(t *testing.T) {
	b := bustest.New(t)
	ask := func(profile string) string {
		info, found, err := b.AskHere(within(t), profile)
		must(t, err)
		return fmt.Sprint(string(info), found)
	}
	start := time.Now()
	if got := ask("coder"); got != "false" {
		t.Errorf("nobody answers %s", got)
	}
	all, err := b.AskAll(within(t), time.Minute)
	if len(all) != 0 || err != nil {
		t.Errorf("nobody answers %q, %v", all, err)
	}
	if took := time.Since(start); took > 300*time.Millisecond {
		t.Errorf("to learn that nobody is here took %s", took)
	}
	busy := 0
	stop, err := b.ServeHere("coder", func() []byte { busy++; return fmt.Append(nil, "busy ", busy) })
	must(t, err)
	writer, err := b.ServeHere("writer", func() []byte { return []byte("idle") })
	must(t, err)
	defer writer()
	if got := ask("coder") + ask("coder"); got != "busy 1truebusy 2true" {
		t.Errorf("coder answers %s", got)
	}
	all, err = b.AskAll(within(t), 50*time.Millisecond)
	must(t, err)
	got := []string{}
	for _, info := range all {
		got = append(got, string(info))
	}
	slices.Sort(got)
	if !slices.Equal(got, []string{"busy 3", "idle"}) {
		t.Errorf("all answer %q", got)
	}
	stop()
	if got := ask("coder") + ask("writer"); got != "falseidletrue" {
		t.Errorf("after the stop: %s", got)
	}
	_, _, err = b.AskHere(within(t), "a.b")
	wantKind(t, err, akitad.InvalidRequest)
	_, err = b.ServeHere(">", nil)
	wantKind(t, err, akitad.InvalidRequest)
}

// TestHereSilent: somebody who is there but does not answer counts as nobody after half a second.
func TestHereSilent(t *testing.T) {
	b := bustest.New(t)
	hold := make(chan struct{})
	stop, err := b.ServeHere("coder", func() []byte { <-hold; return nil })
	must(t, err)
	defer stop()
	defer close(hold)
	_, found, err := b.AskHere(within(t), "coder")
	if found || err != nil {
		t.Errorf("silence is %v, %v", found, err)
	}
}
