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
	// From is the number of rounds to keep; the files are restored to their state after them. nil keeps all
	// completed rounds and leaves the files as they are.
	From   *int   `json:"from,omitempty"`
	Queued bool   `json:"queued,omitempty"` // it waits for its turn in the session
	Reason string `json:"reason,omitempty"`
}

// RolledBackData records that a task's files were restored to their state before its first write.
type RolledBackData struct {
	Restored []string `json:"restored,omitempty"`
	Removed  []string `json:"removed,omitempty"`
}

// fileChange is a change of files, with the number of rounds at that time.
type fileChange struct {
	round int
	child akitad.TaskID // the child that made it; "" for the task itself
	files []akitad.File
}

// changed records files that the task or a child of it wrote.
func (t *Task) changed(child akitad.TaskID, files []akitad.File) {
	if len(files) == 0 {
		return
	}
	t.Files = mergeFiles(t.Files, files)
	t.changes = append(t.changes, fileChange{len(t.Rounds), child, files})
}

// DoneRounds returns the number of rounds that a retry of an ended task can keep: those with a result for
// every call. An unanswered question that belongs to no round does not matter.
func (t *Task) DoneRounds() int {
	n := len(t.Rounds)
	if n > 0 && (!t.Rounds[n-1].Done || slices.ContainsFunc(t.unanswered, t.Rounds[n-1].asked)) {
		n--
	}
	return n
}

// asked reports whether an open call belongs to the round.
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

// retried reopens an ended task with the kept rounds. Completed steps of a plan stay completed; the others
// run again.
func (t *Task) retried(e akitad.Event, d RetriedData) {
	if t.State != akitad.Failed && t.State != akitad.WasCancelled {
		return
	}
	keep := t.DoneRounds()
	if d.From != nil {
		keep = min(max(*d.From, 0), keep)
	}
	if t.Reopens() {
		keep = 0 // the rounds saw results of steps that run again
	}
	t.Restoring = t.Restoring || d.From != nil || t.RolledBack
	t.RanOn = slices.Clone(t.Nodes)
	t.keepRounds(keep)
	t.Took = len(t.Rounds) // the guard starts again: a loop gets another chance
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

// keepRounds drops the rounds after the first n, the failed steps of a plan, and everything that followed
// from both.
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

// keepChanges keeps only the wanted changes of files. The names in the other changes are added to Undone.
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

// forgetEnd clears everything about the end of the last attempt, so that the next attempt can end, and
// answer the person, again.
func (t *Task) forgetEnd() {
	handed := t.Handed // a plan that was not approved yet may still need approval
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

// holds reports whether an answer still counts after a retry. Answers about the work do, and so do a granted
// budget and an approved plan. Answers that ended an attempt do not: a person who retries wants to continue.
func (a Answer) holds() bool {
	switch {
	case strings.HasPrefix(a.Call, BudgetCall):
		return a.Outcome == OutcomeAnswered && text.Agrees(a.Words)
	case strings.HasPrefix(a.Call, planCall):
		return a.approves()
	}
	return !strings.HasPrefix(a.Call, StillCall) && !strings.HasPrefix(a.Call, stepCall)
}

// rolledBack records that the files that the task wrote were undone.
func (t *Task) rolledBack(e akitad.Event, _ RolledBackData) {
	if t.Final() {
		t.RolledBack, t.RolledBackAt = true, e.At
		t.soFar()
	}
}

// SpanTask returns the id from which the TASK span of the current attempt is derived. Each retry has a span
// of its own, below the first one.
func (t *Task) SpanTask() akitad.TaskID { return spanTask(t.ID, t.Retries) }

func spanTask(id akitad.TaskID, retries int) akitad.TaskID {
	if retries == 0 {
		return id
	}
	return akitad.TaskID(fmt.Sprintf("%s/retry/%d", id, retries))
}
