package orchestrator

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/text"
)

// outcomes returns how the steps of the plan have ended, by run, including a person's decisions about them.
// A step that is to be tried again has no outcome.
func outcomes(t *journal.Task) map[string]plan.Outcome {
	out := map[string]plan.Outcome{}
	for _, a := range t.Answers { // also answers about steps that could not begin and have no child
		if run, child, ok := askedAbout(a.Call); ok && child == "" {
			out[run] = plan.Outcome{Decision: onError(a)}
		}
	}
	for _, c := range t.Children {
		if c.Run == "" || !c.Done {
			continue
		}
		if _, again := nextTry(t, c); !again {
			out[c.Run] = plan.Outcome{State: c.State, Result: c.Result, Failure: failureOf(t, c), Decision: onError(decided(t, c))}
		}
	}
	refusals(t, out)
	return out
}

// nextTry reports whether a step whose child has ended is tried again, and from when on, by a person's
// decision or by the plan.
func nextTry(t *journal.Task, c journal.Child) (from time.Time, again bool) {
	if a := decided(t, c); a.Call != "" {
		return c.Ended, a.Outcome != assumed && text.ReadChoice(a.Words) == text.Retry
	}
	if c.State != akitad.Failed {
		return time.Time{}, false
	}
	wait, again := plan.Again(written(*t.Planned.Plan, journal.StepOf(c.Run)), plan.Attempt{
		Nr: attempt(c.ChildRef), Failure: c.Error, Common: c.Common, Unverified: c.Unverified, Jitter: jitter(c.ID),
	})
	return c.Ended.Add(wait), again
}

func attempt(c journal.ChildRef) int { return max(c.Attempt, 1) }

// jitter returns a number in [0, 1) that is fixed for each task.
func jitter(id akitad.TaskID) float64 {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(id)) // never fails
	return float64(sum.Sum32()) / (1 << 32)
}

// childFor returns the child for a ready step, and the time from which it may run: the existing child, or
// that of the next attempt.
func childFor(t *journal.Task, r plan.Ready) (ref journal.ChildRef, from time.Time) {
	ref = journal.ChildRef{Run: r.ID, Of: r.Of, Profile: profileFor(r.Step), Goal: stepText(r.Step), Single: r.Step.Kind() != "agent"}
	if at := slices.IndexFunc(t.Children, func(c journal.Child) bool { return c.Run == r.ID }); at >= 0 {
		c := t.Children[at]
		if !c.Done {
			return c.ChildRef, time.Time{}
		}
		from, _ = nextTry(t, c)
		ref.Attempt, ref.Replaces = attempt(c.ChildRef)+1, c.ID
	}
	ref.ID = t.ChildID(r.ID)
	if t.Replans > 0 || ref.Attempt > 1 {
		ref.ID = t.ChildID(fmt.Sprintf("%s#%d.%d", r.ID, t.Replans, attempt(ref)))
	}
	return ref, from
}

// followsUp reports whether a child replaces one that asked for it, not a failed attempt.
func followsUp(t *journal.Task, ref journal.ChildRef) bool {
	return slices.ContainsFunc(t.Children, func(c journal.Child) bool {
		return c.ID == ref.Replaces && attempt(c.ChildRef) == attempt(ref)
	})
}

// reasons returns why the attempts before a child failed, oldest first.
func reasons(t *journal.Task, ref journal.ChildRef) []string {
	var out []string
	for ref.Replaces != "" {
		at := slices.IndexFunc(t.Children, func(c journal.Child) bool { return c.ID == ref.Replaces })
		if at < 0 {
			break
		}
		if before := t.Children[at]; before.Error != nil {
			out = append(out, before.Error.Message)
		}
		ref = t.Children[at].ChildRef
	}
	slices.Reverse(out)
	return out
}

// failureOf returns a child's failure, after several attempts with the reason of each.
func failureOf(t *journal.Task, c journal.Child) *akitad.Failure {
	before := reasons(t, c.ChildRef)
	if c.Error == nil || len(before) == 0 {
		return c.Error
	}
	f := *c.Error
	f.Message = fmt.Sprintf("%d attempts failed: %s", len(before)+1, strings.Join(numbered(append(before, f.Message), 200), "; "))
	return &f
}

// numbered returns the reasons with numbers, each on one line of at most limit characters.
func numbered(reasons []string, limit int) []string {
	out := make([]string, len(reasons))
	for i, r := range reasons {
		r = strings.Join(strings.Fields(r), " ")
		if runes := []rune(r); len(runes) > limit {
			r = string(runes[:limit-1]) + "…"
		}
		out[i] = fmt.Sprintf("%d: %s", i+1, r)
	}
	return out
}

// feedback is what the next attempt is told in addition to its goal. Its context has nothing else from the
// attempts before.
func feedback(run string, reasons []string) string {
	if len(reasons) == 0 {
		return ""
	}
	return fmt.Sprintf("\n\nThis is attempt %d. What the earlier attempts gave did not hold, for these reasons:\n%s\n"+
		"The file %s has them in full: read it first, look at what is there already, and do it so that none of this happens again.",
		len(reasons)+1, strings.Join(numbered(reasons, 1000), "\n"), journal.ProgressNote(run))
}
