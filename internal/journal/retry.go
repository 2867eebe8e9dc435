package journal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// RetriedData reopens a task that failed or was cancelled.
type RetriedData struct {
	// From is how many rounds are kept, with the files as they were then; nil keeps all that are done
	// and leaves the files alone.
	From   *int   `json:"from,omitempty"`
	Queued bool   `json:"queued,omitempty"` // its session has to give it the turn first
	Reason string `json:"reason,omitempty"`
}

// RolledBackData records that a task's files are as they were before its first write.
type RolledBackData struct {
	Restored []string `json:"restored,omitempty"`
	Removed  []string `json:"removed,omitempty"`
}

// fileChange is what changed in the folder while the task had so many rounds.
type fileChange struct {
	round int
	child akitad.TaskID // that changed it; "" for the task itself
	files []akitad.File
}

// changed adds files that the task, or a child of it, wrote.
func (t *Task) changed(child akitad.TaskID, files []akitad.File) {
	if len(files) == 0 {
		return
	}
	t.Files = mergeFiles(t.Files, files)
	t.changes = append(t.changes, fileChange{len(t.Rounds), child, files})
}

// DoneRounds counts the rounds from which a task that has ended can go on: those that have a result
// for every call. A question that no round asked leaves them as they are.
func (t *Task) DoneRounds() int {
	n := len(t.Rounds)
	if n > 0 && (!t.Rounds[n-1].Done || slices.ContainsFunc(t.unanswered, t.Rounds[n-1].asked)) {
		n--
	}
	return n
}

// asked reports whether an open call is one of the round's.
func (r RoundState) asked(o OpenCall) bool {
	return slices.ContainsFunc(r.Thought.Calls, func(c akitad.Call) bool { return c.ID == o.ID })
}

// Reopens reports whether a retry runs steps of the task's plan again.
func (t *Task) Reopens() bool {
	if t.Planned == nil || t.Planned.Plan == nil {
		return false
	}
	open := func(n StepNote) bool { return n.State == "blocked" || n.Refused() }
	return slices.ContainsFunc(t.Skipped, open) || slices.ContainsFunc(t.Children, failedRun)
}

func failedRun(c Child) bool { return c.Run != "" && (!c.Done || c.State != akitad.Completed) }

// retried makes an ended task pending again, as it stood after the rounds that are kept. What a plan's
// steps completed stays; the others are open again.
func (t *Task) retried(e akitad.Event, d RetriedData) {
	if t.State != akitad.Failed && t.State != akitad.WasCancelled {
		return
	}
	keep := t.DoneRounds()
	if d.From != nil {
		keep = min(max(*d.From, 0), keep)
	}
	if t.Reopens() {
		keep = 0 // they were told of results that are no more
	}
	t.Restoring = t.Restoring || d.From != nil || t.RolledBack
	t.RanOn = slices.Clone(t.Nodes)
	t.keepRounds(keep)
	t.Took = len(t.Rounds) // what went in circles gets another chance
	t.forgetEnd()
	t.Retries++
	t.Attempts++
	t.Retried = e.At
	if d.Queued {
		t.State, t.Reason = akitad.Waiting, akitad.ReasonQueued
		return
	}
	t.ready(e.Seq)
}

// keepRounds takes back the rounds after the first n, the steps of a plan that gave nothing, and what
// came of both.
func (t *Task) keepRounds(n int) {
	cut := map[string]bool{}
	for _, r := range t.Rounds[n:] {
		for _, c := range r.Thought.Calls {
			cut[c.ID] = true
		}
	}
	t.Rounds = slices.Clip(t.Rounds[:n])
	t.keepReductions(n)
	gone := map[akitad.TaskID]bool{}
	t.Cut = slices.Clone(t.Cut)
	t.Children = slices.DeleteFunc(slices.Clone(t.Children), func(c Child) bool {
		gone[c.ID] = failedRun(c) || c.Call != "" && cut[c.Call]
		if gone[c.ID] {
			t.Cut = append(t.Cut, c.ID)
		}
		return gone[c.ID]
	})
	t.Skipped = nil
	t.keepChanges(func(c fileChange) bool { return c.round <= n && !gone[c.child] })
	t.Degraded, t.SteersSeen = nil, 0
	if t.Planned != nil {
		t.Degraded = slices.Clone(t.Planned.Degraded)
	}
	for _, r := range t.Rounds {
		t.Degraded = append(t.Degraded, r.Thought.Degraded...)
		t.SteersSeen = max(t.SteersSeen, r.Thought.Steers)
	}
	for _, d := range t.Reduced {
		t.Degraded = append(t.Degraded, d.Degraded...)
	}
	for _, c := range t.Children {
		if c.Result != nil {
			t.Degraded = append(t.Degraded, c.Result.Degraded...)
		}
	}
}

// keepChanges leaves the files as the wanted changes made them. The names of the others are undone.
func (t *Task) keepChanges(wanted func(fileChange) bool) {
	all := t.changes
	t.changes, t.Files, t.Undone = nil, nil, slices.Clone(t.Undone)
	for _, c := range all {
		if wanted(c) {
			t.Files = mergeFiles(t.Files, c.files)
			t.changes = append(t.changes, c)
			continue
		}
		for _, f := range c.files {
			if !slices.Contains(t.Undone, f.Name) {
				t.Undone = append(t.Undone, f.Name)
			}
		}
	}
}

// forgetEnd clears all that the end of the last attempt left behind, so that the next one has an end,
// and an answer to the person, of its own.
func (t *Task) forgetEnd() {
	handed := t.Handed // what was not may have to be approved first
	t.Answers = slices.DeleteFunc(slices.Clone(t.Answers), func(a Answer) bool { return !a.holds() })
	t.SaidCall, t.noteCall, t.Asked = "", "", Asked{}
	t.Result, t.Error, t.Strategy, t.Instance, t.Reused = nil, nil, "", "", false
	t.Delivered, t.Parts, t.Placeholder, t.Sent, t.SaidSeq = false, 0, "", nil, 0
	t.AskedCancel, t.IsPaused, t.RolledBack, t.RolledBackAt = false, false, false, time.Time{}
	t.Open, t.unanswered, t.Until, t.WakeOnAny = nil, nil, nil, false
	t.Failover, t.Holds, t.Turns, t.Rating = 0, 0, 0, 0
	t.Unverified, t.Common, t.Broke = false, "", nil
	t.Profile = t.Sub.Profile
	t.Handed = t.Sub.Parent != ""
	if t.Planned != nil {
		t.Profile, t.Handed = t.Planned.Profile, t.Planned.Plan == nil && handed
	}
	t.Started, t.Ended = time.Time{}, time.Time{}
}

// holds reports whether an answer says something of the work, or of the plan as it stands, and not of
// how an attempt was to go on or to end: who has the task tried again wants it to go on.
func (a Answer) holds() bool {
	switch {
	case strings.HasPrefix(a.Call, BudgetCall):
		return a.Outcome == OutcomeAnswered && text.Agrees(a.Words)
	case strings.HasPrefix(a.Call, planCall):
		return a.approves()
	}
	return !strings.HasPrefix(a.Call, StillCall) && !strings.HasPrefix(a.Call, stepCall)
}

// rolledBack notes that what the task wrote is not there any more.
func (t *Task) rolledBack(e akitad.Event, _ RolledBackData) {
	if t.Final() {
		t.RolledBack, t.RolledBackAt = true, e.At
		t.soFar()
	}
}

// SpanTask names the TASK span of the present attempt: each retry has one of its own, below the first.
func (t *Task) SpanTask() akitad.TaskID { return spanTask(t.ID, t.Retries) }

func spanTask(id akitad.TaskID, retries int) akitad.TaskID {
	if retries == 0 {
		return id
	}
	return akitad.TaskID(fmt.Sprintf("%s/retry/%d", id, retries))
}
