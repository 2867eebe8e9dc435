package orchestrator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// Artifacts go when no journal and no recorded step names them any more, and only after their time.
func TestCollect(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	put := func(body string) string {
		t.Helper()
		hash, err := h.Bus.PutArtifact(t.Context(), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
	child := journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"}
	named, aside, within, nobodys := put("a task's file"), put("named in a long payload"), put("in a step's result"), put("nobody's")
	child.Files = []akitad.File{{Name: "a", Artifact: named}}
	h.create("open", child)
	child.Files, child.Inputs = nil, strings.Repeat("long ", 5000)+aside
	h.create("long", child)
	child.Inputs = ""
	settled := h.create("settled", child)
	gone := put("of a task that is purged")
	h.append(settled, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "done", Artifacts: []akitad.File{{Name: "r", Artifact: gone}}}})
	result := put(`{"artifacts":["` + within + `"]}`)
	steps, err := h.Bus.KV(t.Context(), "steps")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := steps.Put(t.Context(), "k", []byte(`{"result":"`+result+`"}`)); err != nil {
		t.Fatal(err)
	}

	h.collect(0, 24*time.Hour)
	h.collect(1, 60*24*time.Hour)
	h.holds(map[string]bool{named: true, aside: true, within: true, result: true, nobodys: false, gone: true})
	if err := h.Journal.Purge(t.Context(), settled); err != nil {
		t.Fatal(err)
	}
	h.collect(1, 60*24*time.Hour)
	h.holds(map[string]bool{named: true, aside: true, within: true, result: true, gone: false})
	if put("nobody's"); !h.has(nobodys) {
		t.Error("what was removed cannot be stored again")
	}
}

func (h *house) collect(want int, after time.Duration) {
	h.t.Helper()
	if n, err := h.Orchestrator.Collect(h.t.Context(), time.Now().Add(after)); n != want || err != nil {
		h.t.Errorf("%d artifacts are removed, want %d, %v", n, want, err)
	}
}

func (h *house) holds(want map[string]bool) {
	h.t.Helper()
	for hash, there := range want {
		if h.has(hash) != there {
			h.t.Errorf("%s: there %v, want %v", hash, !there, there)
		}
	}
}

func (h *house) has(hash string) bool {
	h.t.Helper()
	_, err := h.Bus.GetArtifact(h.t.Context(), hash)
	if err != nil && akitad.KindOf(err) != akitad.NotFound {
		h.t.Fatal(err)
	}
	return err == nil
}
