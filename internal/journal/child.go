package journal

import (
	"context"
	"strconv"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
)

// ChildID derives the id of the child that answers a call or the run of a plan step. The same parent and
// call always give the same id; after a retry of the parent they give another one.
func (t *Task) ChildID(call string) akitad.TaskID {
	if t.Retries > 0 {
		return akitad.DeriveTaskID("child", string(t.ID), call, "retry", strconv.Itoa(t.Retries))
	}
	return akitad.DeriveTaskID("child", string(t.ID), call)
}

// ChildData returns the payload with which a child of this task is submitted: profile, goal, and what
// every child inherits, such as root, origin, session, folder, files and the path from the root.
func (t *Task) ChildData(profile, goal string) SubmittedData {
	files := append([]akitad.File{}, t.Sub.Files...)
	files = mergeFiles(files, t.Files)
	return SubmittedData{
		Root: t.Sub.Root, Parent: t.ID, Depth: t.Sub.Depth + 1, Origin: t.Sub.Origin, Session: t.Sub.Session,
		Folder: t.Sub.Folder, Text: goal, Profile: profile, Files: files, Priority: t.Sub.Priority, Model: t.Sub.Model, Tags: t.Sub.Tags,
		Offline: t.Sub.Offline, Tainted: t.Tainted, Try: t.Retries, Path: append(append([]string{}, t.Sub.Path...), PathEntry(profile, goal)),
	}
}

// PathEntry returns one entry of SubmittedData.Path, in the form that cycle checks compare.
func PathEntry(profile, goal string) string { return profile + ": " + NormalGoal(goal) }

// OpenSpans records a new task's open spans: TASK and, for a child, DELEGATION; from is the name of the
// agent that delegated it. Their ids are derived, so that any process can close them.
func OpenSpans(ctx context.Context, tr *tracing.Tracer, t *Task, from string) {
	if !t.IsRoot() {
		tr.Record(ctx, t.delegationSpan(from))
	}
	tr.Record(ctx, t.taskSpan())
}

// CloseSpans ends the TASK span that OpenSpans opened. The task must have ended.
func CloseSpans(ctx context.Context, tr *tracing.Tracer, t *Task) {
	end := t.Ended
	s := t.taskSpan()
	s.End, s.Status = &end, status(t.State)
	s.DurationMS = float64(end.Sub(s.Start)) / float64(time.Millisecond)
	if t.Error != nil {
		s.Error = t.Error.Message
	}
	tr.Record(ctx, s)
}

// CloseDelegation ends the DELEGATION span of a child that has joined its parent at the given time.
func CloseDelegation(ctx context.Context, tr *tracing.Tracer, child *Task, from string, at time.Time) {
	s := child.delegationSpan(from)
	s.End, s.Status = &at, status(child.State)
	s.DurationMS = float64(at.Sub(child.Created)) / float64(time.Millisecond)
	if child.Error != nil {
		s.Error = child.Error.Message
	}
	tr.Record(ctx, s)
}

func (t *Task) taskSpan() akitad.Span {
	s := akitad.Span{
		TraceID: tracing.TraceID(t.Sub.Root), SpanID: tracing.TaskSpanID(t.SpanTask()), Name: t.Profile, Kind: akitad.SpanTask, Start: t.Created,
		Attributes: map[string]any{
			tracing.KeyTask: string(t.ID), tracing.KeyDepth: t.Sub.Depth, tracing.KeyProfile: t.Profile, tracing.KeyNode: t.Claim.Node,
			tracing.KeyInstance: t.Instance, tracing.KeyReused: t.Reused, tracing.KeyState: string(t.State), tracing.KeyRounds: len(t.Rounds),
		},
	}
	if !t.IsRoot() {
		s.ParentID = tracing.DelegationSpanID(t.ID)
	}
	if t.Retries > 0 {
		s.ParentID, s.Start, s.Attributes["retry"] = tracing.TaskSpanID(t.ID), t.Retried, t.Retries
	}
	return s
}

func (t *Task) delegationSpan(from string) akitad.Span {
	return akitad.Span{
		TraceID: tracing.TraceID(t.Sub.Root), SpanID: tracing.DelegationSpanID(t.ID), ParentID: tracing.TaskSpanID(spanTask(t.Sub.Parent, t.Sub.Try)),
		Name: from + " to " + t.Profile, Kind: akitad.SpanDelegation, Start: t.Created,
		Attributes: map[string]any{"from": from, "to": t.Profile, tracing.KeyDepth: t.Sub.Depth, tracing.KeyTask: string(t.ID)},
	}
}

func status(s akitad.State) string {
	switch s {
	case akitad.Completed:
		return tracing.StatusOK
	case akitad.WasCancelled:
		return tracing.StatusCancelled
	}
	return tracing.StatusError
}
