package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/tool"
)

// watch passes the finished rounds that the guard has not seen to it. Only the journal counts, so that the
// verdicts are the same after a restart or on another worker.
func (r *run) watch(t *journal.Task) {
	if r.opts.Unsupervised {
		return
	}
	for ; r.fed < len(t.Rounds) && t.Rounds[r.fed].Done; r.fed++ {
		r.guard.Add(r.seen(t, r.fed))
	}
}

// seen returns a finished round as the guard sees it.
func (r *run) seen(t *journal.Task, at int) guard.Round {
	round := t.Rounds[at]
	usage := round.Thought.Usage
	g := guard.Round{Input: usage.Input / max(1, usage.Calls), Endpoint: round.Thought.Endpoint, Told: spokeBefore(t, at)}
	for i, c := range round.Thought.Calls {
		if i >= len(round.Results) {
			break
		}
		o := round.Results[i]
		g.Calls = append(g.Calls, guard.Call{
			ID: c.ID, Tool: c.Tool, Key: r.key(c), Result: resultDigest(o), Failed: o.Error != nil,
			Refused: o.Error != nil && o.Error.Kind == akitad.Loop, Effect: r.mayChange(c.Tool),
			Cut: cutOff(round, o),
		})
	}
	return g
}

// cutOff reports a call of which nobody knows what it came to, since its process stopped while it ran.
func cutOff(round journal.RoundState, o akitad.Observation) bool {
	return round.Redone && o.Error != nil && o.Error.Kind == akitad.Unknown
}

// spokeBefore reports whether a person sent something between the round before and this one.
func spokeBefore(t *journal.Task, at int) bool {
	steers := 0
	if at > 0 {
		steers = t.Rounds[at-1].Thought.Steers
	}
	return t.Rounds[at].Thought.Steers > steers || answerTo(t, journal.StillCall+strconv.Itoa(at)) != nil
}

// key returns the key by which the guard compares calls: the tool with the arguments that it would be given.
func (r *run) key(c akitad.Call) string {
	if _, known := r.keys[c.ID]; !known {
		_, _ = r.arguments(c)
	}
	return r.keys[c.ID]
}

// arguments validates a call's arguments and remembers the call's key, which the guard needs again when the
// round is done.
func (r *run) arguments(c akitad.Call) (json.RawMessage, error) {
	args, err := r.opts.Tools.Prepare(c.Tool, c.Args)
	given := args
	if err != nil {
		given = c.Args
	}
	if r.keys == nil {
		r.keys = map[string]string{}
	}
	r.keys[c.ID] = guard.Key(c.Tool, tool.PlainPaths(given))
	return args, err
}

func (r *run) find(name string) tool.Tool { return r.tools.byName[name] }

func (r *run) mayChange(name string) bool {
	t := r.find(name)
	return t != nil && !t.Info().Readonly
}

// runTime matches the head of a program's result: how it ended and how long it ran.
var runTime = regexp.MustCompile(`^(exit code -?\d+) after [0-9.]+ s\n`)

// stopTime matches the same in the error of a program that was stopped.
var stopTime = regexp.MustCompile(`(?m)^(exit code -?\d+) after [0-9.]+ s$`)

// resultDigest returns a digest of a call's result, without the time that it took.
func resultDigest(o akitad.Observation) string {
	if o.Error != nil {
		return akitad.Digest(string(o.Error.Kind), eachTime.ReplaceAllString(stopTime.ReplaceAllString(o.Text, "$1"), "~"))
	}
	text := runTime.ReplaceAllString(o.Text, "$1\n")
	if strings.HasPrefix(text, "exit code ") && !strings.HasPrefix(text, "exit code 0\n") {
		text = eachTime.ReplaceAllString(text, "~")
	}
	return akitad.Digest("", text)
}

// eachTime matches what is another each time that a program or a server fails in the same way: dates, times, durations,
// the numbers of processes, ports that were lent, addresses in memory, ids and names below /tmp. In a result that is no failure
// they may be all that has changed, and mean that something goes on.
var eachTime = regexp.MustCompile(`\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?Z?)?\b|\b\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?Z?\b|\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|sec|secs|seconds)\b` +
	`|\b(?:pid[ :=]*|goroutine )\d+|:[3-6]\d{4}\b|\b[0-9a-f]{12,}\b|\[\d{2,}\]|\b0x[0-9a-f]{6,}|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|/tmp/[\w.-]+`)

// refuse replaces a call that would give a known result again by an error. fresh says that an earlier call
// of the same round does something new.
func (r *run) refuse(ctx context.Context, t *journal.Task, p *prepared, key string, fresh bool) {
	times, ran, no := r.guard.Refuse(key, fresh)
	if !no {
		return
	}
	p.cached = observed(t, ran)
	p.err = akitad.Errorf(akitad.Loop, "this very call has come to the same result %d times and was not run again", times).
		WithHint("do something else, or answer with what you know")
	r.supervise(ctx, &bound{}, guard.Loop, "refuse", "")
}

// observed returns the result of the call with that id, nil if there is none.
func observed(t *journal.Task, call string) *akitad.Observation {
	for i := range t.Rounds {
		for j := range t.Rounds[i].Results {
			if t.Rounds[i].Results[j].Call == call {
				return &t.Rounds[i].Results[j]
			}
		}
	}
	return nil
}

// maxCached is the maximum number of bytes that are quoted of a known result.
const maxCached = 4_000

// again quotes the known result of a refused call and says where the whole result is.
func again(t *journal.Task, o *akitad.Observation) string {
	if o == nil {
		return ""
	}
	short := o.Text
	if len(short) > maxCached {
		short = cut(short, maxCached)
		if hash := aside(t, o.Call); hash != "" {
			short += "\n[all of it is artifact " + hash + ": read_artifact]"
		} else {
			short += "\n[the whole of it stands further up]"
		}
	}
	return "\nIts result was:\n" + short
}

// aside returns the artifact with a result that was taken out of the window, "" if it was not.
func aside(t *journal.Task, call string) (hash string) {
	for _, d := range t.Reduced {
		for i, r := range t.Rounds {
			if i < d.Upto && slices.ContainsFunc(r.Thought.Calls, func(c akitad.Call) bool { return c.ID == call }) {
				hash = d.Dump
			}
		}
		for _, m := range d.Masks {
			if m.Call == call && m.Text != "" {
				hash = m.Artifact
			}
		}
	}
	return hash
}

// overTasks refuses, in call order, the delegations beyond the tree's maximum number of tasks.
func (b *batch) overTasks(ctx context.Context) {
	asked := 0
	for i := range b.out {
		o := b.out[i].open
		if o == nil || o.Kind != string(tool.SuspendChildren) {
			continue
		}
		limits, spent := b.r.budget(ctx, b.task)
		if spent.Tasks += asked; limits.MayDelegate(spent) {
			asked++
			continue
		}
		err := akitad.Errorf(akitad.OverBudget, "%s: %d tasks have been delegated already, and no more may be", o.Tool, spent.Tasks).
			WithHint("do the rest of the work yourself")
		b.out[i] = b.observe(ctx, b.calls[i], tool.Result{}, err)
		b.r.supervise(ctx, &bound{}, guard.Spending, "refuse", "")
	}
}

// takeOver returns the note that tells an agent why the agent before it was stopped.
func takeOver(t *journal.Task) string {
	if t.Took == 0 || len(t.Rounds) != t.Took {
		return ""
	}
	for _, d := range slices.Backward(t.Degraded) {
		if d.Layer == "agent" {
			return fmt.Sprintf("[You take over from the agent %s, which failed (%s): %s. Do not repeat what it did.]", d.From, d.Kind, d.Reason)
		}
	}
	return ""
}
