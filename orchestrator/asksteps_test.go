package orchestrator_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
)

const asks = `
steps:
  - {id: side, tool: time}
  - {id: get, tool: read_file, on_error: ask, with: {path: in.txt}}
  - {id: use, tool: write_file, needs: [get], with: {path: out.txt, content: "got ${{ steps.get.output }}"}}
`

func planned(yaml string) func(*akitad.Message) {
	return func(m *akitad.Message) { m.Plan = yaml }
}

func asking(t *journal.Task) bool { return t.State == akitad.Waiting && t.Question() != "" }

// A failed step that asks suspends the plan with a question; the answer, in either language and also
// after a restart, says what becomes of it.
func TestAFailedStepAsks(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers []string
		mend    bool
		says    string
		missing string
		partial bool
	}{
		{"retry", []string{"retry"}, true, "wrote", "", false},
		{"retry in Chinese", []string{"重试"}, true, "wrote", "", false},
		{"retry that fails again asks again", []string{"retry", "skip"}, false, "wrote", "get: ", true},
		{"skip", []string{"Skip, please"}, false, "wrote", "get: ", true},
		{"skip in Chinese", []string{"跳过"}, false, "wrote", "get: ", true},
		{"stop", []string{"stop"}, false, "side", "use: not run", true},
		{"stop in Chinese", []string{"停止"}, false, "side", "use: not run", true},
		{"words that are none of them", []string{"what do you mean", "skip"}, false, "wrote", "get: ", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			script := llmtest.New(t)
			h := startParts(t, home, script, whole, nil)
			id := h.say(1, "go", planned(asks))
			q := h.until(id, func(t *journal.Task) bool { return asking(t) && t.Reason == akitad.ReasonAnswer })
			if !strings.Contains(q.WaitNote, "get") || time.Until(*q.Until) < 23*time.Hour || q.OpenRuns() != 0 {
				t.Fatalf("waits until %v: %q", q.Until, q.WaitNote)
			}
			if tt.mend {
				h.write(q, "in.txt", "x")
			}
			h.stop()
			h = startParts(t, home, script, whole, nil)
			for i, words := range tt.answers {
				before := h.until(id, asking).QuestionCall()
				h.say(2+i, words, nil)
				h.until(id, func(t *journal.Task) bool { return t.Final() || t.QuestionCall() != before })
			}
			got := h.ended(id)
			if got.State != akitad.Completed || !strings.Contains(got.Result.Text, tt.says) || got.Result.Partial != tt.partial || !strings.Contains(strings.Join(got.Result.Missing, "; "), tt.missing) {
				t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
			}
		})
	}
}

func (h *house) write(t *journal.Task, name, content string) {
	h.t.Helper()
	dir, err := h.Workspace.Dir(t.Sub.Folder)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	if err := dir.WriteFile(name, []byte(content)); err != nil {
		h.t.Fatal(err)
	}
}

// dayLater sweeps as if a day had passed since the task went to sleep.
func (h *house) dayLater(id akitad.TaskID) {
	h.t.Helper()
	h.asleep(id)
	h.sweep(25 * time.Hour)
}

// asleep waits until the listing has the task asleep.
func (h *house) asleep(id akitad.TaskID) {
	h.t.Helper()
	h.until(id, func(*journal.Task) bool {
		rows, _, err := h.Projection.List(h.t.Context(), projection.Filter{Root: id})
		return err == nil && slices.ContainsFunc(rows, func(r projection.Row) bool { return r.ID == id && r.State == akitad.Waiting })
	})
}

// The question is open while siblings go on; when nobody answers in a day the step counts as failed.
func TestNobodyAnswersAboutAStep(t *testing.T) {
	hold := llmtest.NewHold()
	h := start(t, llmtest.New(t).On(llmtest.Begins("slow"), submitResult(map[string]any{"text": "by itself"}).Held(hold)).
		On(llmtest.Begins("go"), llmtest.Text("what there is")))
	id := h.say(1, "go", planned(`
steps:
  - {id: slow, agent: analyst, goal: slow, parallel: true}
  - {id: get, tool: read_file, parallel: true, on_error: ask, with: {path: in.txt}}
  - {id: use, tool: time, needs: [get]}
  - {id: save, tool: write_file, needs: [slow], with: {path: o.txt, content: "${{ steps.slow.output.text }}"}}
  - {id: read, tool: read_file, needs: [save], with: {path: o.txt}}
`))
	<-hold.Arrived()
	if q := h.until(id, asking); q.Reason != akitad.ReasonChildren {
		t.Errorf("waits for %s while a sibling runs", q.Reason)
	}
	hold.Release()
	h.until(id, func(t *journal.Task) bool { return asking(t) && t.Reason == akitad.ReasonAnswer })
	h.dayLater(id)
	h.until(id, func(t *journal.Task) bool { return len(t.Answers) == 1 })
	got := h.ended(id)
	if got.State != akitad.Completed || !got.Result.Partial {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	if missing := strings.Join(got.Result.Missing, "; "); !strings.Contains(missing, "get: ") || !strings.Contains(missing, "use: needs get") {
		t.Errorf("missing %q", missing)
	}
}

// A pause while a question is open changes nothing about it: not its time, and not its answer.
func TestAPauseWhileAStepAsks(t *testing.T) {
	h := start(t, llmtest.New(t))
	id := h.say(1, "go", planned(asks))
	q := h.until(id, func(t *journal.Task) bool { return asking(t) && t.Reason == akitad.ReasonAnswer })
	if err := h.Orchestrator.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	h.append(id, journal.Woken, journal.WokenData{Reason: "as the sweep does"})
	h.until(id, func(t *journal.Task) bool { return t.State == akitad.Waiting && t.Reason == akitad.ReasonPaused })
	if err := h.Orchestrator.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	again := h.until(id, func(t *journal.Task) bool { return asking(t) && t.Reason == akitad.ReasonAnswer })
	if again.QuestionCall() != q.QuestionCall() || again.Until == nil || !again.Until.Equal(*q.Until) {
		t.Errorf("asks %s until %v, was %s until %v", again.QuestionCall(), again.Until, q.QuestionCall(), q.Until)
	}
	h.say(2, "skip", nil)
	if got := h.ended(id); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

const stop = `
steps:
  - {id: get, tool: read_file, parallel: true, on_error: ask, with: {path: in.txt}}
  - {id: slow, tool: run_shell, parallel: true, with: {command: "sleep 50"}}
`

// Stop ends the plan at once, with what still runs.
func TestStopEndsWhatRuns(t *testing.T) {
	h := start(t, llmtest.New(t))
	id := h.say(1, "go", planned(stop))
	h.until(id, asking)
	h.say(2, "stop", nil)
	got := h.ended(id)
	if got.State != akitad.Failed || !strings.Contains(got.Error.Message, "slow: "+text.En.PlanStopped()) {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	for _, c := range got.Children {
		if child := h.ended(c.ID); c.Run == "slow" && child.State != akitad.WasCancelled {
			t.Errorf("%s is %s", c.Run, child.State)
		}
	}
}
