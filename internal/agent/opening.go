package agent

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/tracing"
)

//go:embed system.md
var systemRules string

// System returns the system prompt of a task: the profile's prompt and the rules for every agent. It is the
// same for every round of a task and every root task of a session, whatever language the person writes
// in; the language of the answer is given in the brief.
func System(p akitad.Profile, t *journal.Task) string {
	parts := []string{strings.TrimSpace(p.Prompt), strings.TrimSpace(systemRules), strings.TrimSpace(compiler.ExitRules(""))}
	switch {
	case t.Sub.Parent != "":
		parts = append(parts, "You were handed this task by another agent. End it by calling submit_result; nobody reads anything else.")
	case len(t.Sub.Schema) > 0:
		parts = append(parts, "End this task by calling submit_result with data that satisfies the output schema.")
	}
	return strings.Join(parts, "\n\n")
}

// notes returns what the request of this round adds to the messages: the brief before the first round, and
// then only news, such as steers, hints and warnings.
func (r *run) notes(ctx context.Context, t *journal.Task, round int) ([]string, error) {
	if r.said.round != round {
		b := r.bind(ctx, t, round)
		notes, err := r.fresh(ctx, t, round, b)
		if err != nil {
			return nil, err
		}
		r.said = said{round: round, bound: b, notes: notes, steers: t.SteersSeen}
	}
	for _, s := range t.Steers[min(r.said.steers, len(t.Steers)):] {
		r.said.notes = append(r.said.notes, window.PersonNote+"adds, while you work] "+s.Text)
	}
	r.said.steers = max(r.said.steers, len(t.Steers))
	r.said.notes = append(r.said.notes, r.hints...)
	r.hints = nil
	return r.said.notes, nil
}

// fresh returns the notes with which a round begins. They depend on the journal alone, so that a warning is
// given once, whichever worker runs the round.
func (r *run) fresh(ctx context.Context, t *journal.Task, round int, b bound) (out []string, err error) {
	if round == 1 && b.ask == nil {
		brief, err := r.brief(ctx, t)
		if err != nil {
			return nil, err
		}
		out = append(out, brief.Append(""))
	}
	if words := takeOver(t); words != "" {
		out = append(out, words)
	}
	if n := len(t.Broke); n > 0 && t.Broke[n-1].Rounds == len(t.Rounds) && b.ask == nil {
		out = append(out, "[Your work was broken off at this point: "+t.Broke[n-1].Message+". Go on; if it comes again the task is taken from you.]")
	}
	return append(out, b.notes...), nil
}

// brief makes the brief, which accompanies the task's text: files, constraints, earlier results, memories.
// It is made once, before the first round, and is in the journal from then on.
func (r *run) brief(ctx context.Context, t *journal.Task) (llm.Brief, error) {
	b := llm.Brief{Date: day(time.Now()), Language: string(r.lang), Schema: string(t.Sub.Schema), Request: t.Sub.Request, MoreTools: r.tools.guests}
	if t.Compiled != nil {
		s := t.Compiled.Spec
		b.Constraints, b.Output, b.Given = s.Constraints, s.OutputRequirements, s.Inputs.Given
		b.Assumed = assumed(s.Inputs.Missing)
	}
	for _, a := range t.Answers {
		if asksOn(a.Call) || journal.PlanCall(a.Call) {
			continue
		}
		b.Given = append(b.Given, "asked: "+a.Question+"\n"+a.Text)
		b.Assumed = nil
	}
	if t.Sub.Inputs != "" {
		b.Given = append(b.Given, t.Sub.Inputs)
	}
	files, err := r.turn.Dir.Files()
	if err != nil {
		return b, fmt.Errorf("list the folder: %w", err)
	}
	if err := r.briefFiles(ctx, t, files, &b); err != nil {
		return b, err
	}
	for _, n := range t.Sub.Results {
		b.Results = append(b.Results, llm.BriefResult{Step: n.Name, Text: n.Text, Data: string(n.Data), Failed: n.Failed})
	}
	b.Results = append(b.Results, planResults(t)...)
	for i := range b.Results {
		b.Results[i].Text = r.clip(ctx, b.Results[i].Text)
		b.Results[i].Data = r.clip(ctx, b.Results[i].Data)
	}
	b.Known = r.opts.Core(t.Sub.Origin)
	b.Remembered = without(r.recall(ctx, t), b.Known)
	return b, nil
}

func assumed(missing []string) []string {
	var out []string
	for _, m := range missing {
		out = append(out, "not given, and nobody could be asked: "+m)
	}
	return out
}

// briefFiles adds the files of the task to the brief: which of them came with its message, and how many more
// are in the folder.
func (r *run) briefFiles(ctx context.Context, t *journal.Task, files []akitad.File, b *llm.Brief) error {
	var known map[string]bool
	if r.turn.Known != nil && (t.Sub.Step == nil || len(t.Sub.Step.Files) == 0) {
		var err error
		if known, err = r.turn.Known(ctx, t); err != nil {
			return fmt.Errorf("%w: read the files of the session: %w", ErrStore, err)
		}
	}
	for _, f := range relevant(t, files) {
		if known != nil && !known[f.Name] {
			b.Others++
			continue
		}
		b.Files = append(b.Files, llm.BriefFile{Name: f.Name, Bytes: f.Size})
		if t.IsRoot() && slices.ContainsFunc(t.Sub.Files, func(sent akitad.File) bool { return sent.Name == f.Name }) {
			b.Sent = append(b.Sent, f.Name)
		}
	}
	for _, f := range t.Sub.Files {
		if f.Artifact == "" && t.IsRoot() { // it could not be fetched: the sender was told, and the agent must know as well
			b.Given = append(b.Given, fmt.Sprintf("the file %s came with this message but could not be fetched: what is in it is not known", f.Name))
		}
	}
	return nil
}

// relevant returns the files that a step names, or all files if it names none.
func relevant(t *journal.Task, files []akitad.File) []akitad.File {
	if t.Sub.Step == nil || len(t.Sub.Step.Files) == 0 {
		return files
	}
	var out []akitad.File
	for _, f := range files {
		for _, name := range t.Sub.Step.Files {
			if f.Name == name {
				out = append(out, f)
			}
		}
	}
	return out
}

// planResults returns the results of the task's own plan, for the agent that joins them.
func planResults(t *journal.Task) []llm.BriefResult {
	if t.Planned == nil || t.Planned.Plan == nil {
		return nil
	}
	var out []llm.BriefResult
	for _, c := range t.Children {
		if c.Run == "" || !c.Done {
			continue
		}
		res := llm.BriefResult{Step: c.Run}
		if c.Result != nil {
			res.Text, res.Data = c.Result.Text, string(c.Result.Data)
		} else if c.Error != nil {
			res.Failed = c.Error.Message
		}
		out = append(out, res)
	}
	return out
}

// recall asks the sources for passages that may help. A source that fails is recorded and left out: an
// answer without memory is better than none.
func (r *run) recall(ctx context.Context, t *journal.Task) []string {
	var out []string
	for _, src := range r.opts.Sources {
		_, span := r.opts.Tracer.Start(ctx, akitad.SpanMemory, "recall", tracing.String("operation", "recall"))
		found, err := src.Find(ctx, window.Query{Text: t.Sub.Text, Origin: t.Sub.Origin, Session: t.Sub.Session, Limit: 5})
		span.Set(tracing.Int("hits", len(found)))
		span.End(err)
		for _, s := range found {
			out = append(out, s.Text)
		}
	}
	return out
}

// without returns the lines that are not in known.
func without(lines, known []string) []string {
	return slices.DeleteFunc(lines, func(l string) bool { return slices.Contains(known, l) })
}
