package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// Who waits at a terminal is told what for, and what to do who does not want to.
func TestProgressOfWaits(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind akitad.EventKind
		data any
		want []string // each line, without its time
	}{
		{"another endpoint", journal.Stalled, journal.StalledData{Endpoint: "one", Next: "two", Try: 1, Waited: 30*time.Second + 1}, []string{"endpoint one does not answer (30s); trying two"}},
		{"the same again", journal.Stalled, journal.StalledData{Endpoint: "one", Next: "one", Try: 1, Waited: 30 * time.Second}, []string{"endpoint one does not answer (30s); trying it again"}},
		{
			"nobody answers", journal.Waiting,
			journal.WaitingData{Reason: akitad.ReasonRetry, Note: "I will keep trying.", Cause: "one (3 tries): transport: refused"},
			[]string{"waiting (retry): I will keep trying.", "because one (3 tries): transport: refused", "Ctrl-C is safe: the task is kept. Without any model, by rules alone: akitad run --offline"},
		},
		{"told already", journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Cause: "x"}, nil},
		{"a question", journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "Which one?"}, []string{"waiting (answer): Which one?"}},
	} {
		body, err := json.Marshal(tt.data)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		p := progress{w: &out, began: time.Now()}
		p.event(akitad.Event{Kind: tt.kind, Data: body})
		var got []string
		for line := range strings.Lines(out.String()) {
			_, words, _ := strings.Cut(strings.TrimSpace(line), "  ")
			got = append(got, words)
		}
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}
