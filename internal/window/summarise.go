package window

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

//go:embed summary.md
var summaryRules string

const (
	summaryWait  = 30 * time.Second // limit of one call of the summariser
	summaryTries = 2                // after so many calls without a usable summary, rules make the rest
	thinkTokens  = 1_000            // added to the limit of a reply, for models that think before they write
	leastTurns   = 4                // so many of the person's newest turns always stay, the task's words included
)

// summarise is the second stage: a note replaces the rounds before the newest KeepRounds, and if that is not enough
// also older turns of the session. A summary is never longer than its quota, so the least gain is known before a
// model is asked, and no call is made for a cut that is not worth it.
func (w *reduction) summarise(ctx context.Context) error {
	if !w.Strategy.summarises() || !w.over(w.SummarizeAt) {
		return nil
	}
	c, ok := w.worth()
	if !ok {
		return nil
	}
	parts := w.chunks(c.upto)
	for i := range parts {
		if err := w.part(ctx, &parts[i], len(parts)); err != nil {
			return err
		}
	}
	return w.cut(ctx, 2, c, parts)
}

// worth gives the cut to make: of the rounds alone if that brings the window below SummarizeAt, else of rounds and
// turns. False means that no cut frees a batch.
func (w *reduction) worth() (best cut, ok bool) {
	rounds := cut{w.older(max(1, w.KeepRounds)), w.view.dropped}
	for _, c := range []cut{rounds, {rounds.upto, w.lastTurns()}} {
		size := w.sizeOf(c)
		if w.size-size >= batch(w.budget) {
			best, ok = c, true
		}
		if float64(size) <= w.SummarizeAt*float64(w.budget) {
			break
		}
	}
	return best, ok
}

// lastTurns gives how many of the session's turns may be left out, counted from the oldest.
func (w *reduction) lastTurns() int {
	return max(w.view.dropped, len(w.in.Earlier)-(leastTurns-1))
}

// sizeOf gives the tokens of the request after a cut, if each summary were as long as its quota allows.
func (w *reduction) sizeOf(c cut) int {
	if c.upto == 0 && c.turns == 0 {
		return w.size
	}
	d := w.d
	d.Note, d.Upto, d.Earlier = w.noteOf(c, nil, noHash), c.upto, c.turns
	_, size := w.with(d)
	parts := w.chunks(c.upto)
	for _, p := range parts {
		size += w.quota(p, len(parts)) + 20 // the tags around a summary
	}
	return size
}

// part fills in the summary of one of so many chunks. It takes the one that an earlier reduction had a model write,
// else asks the model, else uses rules. The only error is the end of ctx.
func (w *reduction) part(ctx context.Context, p *journal.Part, of int) error {
	quota, rounds := w.quota(*p, of), w.view.rounds[p.From:p.Upto]
	if k, ok := w.known(*p); ok {
		*p = k
		p.Text = within(k.Text, quota)
		return nil
	}
	source := record(nil, rounds, p.From+1)
	for w.Ask != nil && w.failed < summaryTries {
		text, err := w.ask(ctx, source, quota)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			p.Text, p.Model = text, true
			return nil
		}
		if w.failed++; w.failed == summaryTries && !errors.Is(err, errNoModel) {
			w.d.Degraded = append(w.d.Degraded, byRules(err))
		}
	}
	p.Text = digest(rounds, p.From+1, quota)
	return nil
}

// errNoModel says that only the offline engine answered. Its text is not used, because the rules here know more of
// a record; and it is not recorded as degraded a second time, because the reply says so already.
var errNoModel = &akitad.Error{Kind: akitad.Unavailable, Err: errors.New("no model sums up: rules of the window's own know more of a record")}

// byRules is the record that rules took the place of a summariser that failed.
func byRules(err error) akitad.Degradation {
	return akitad.Degradation{Layer: "summary", From: string(llm.RoleSummarizer), To: "rules", Kind: akitad.KindOf(err), Reason: err.Error()}
}

// ask makes one call of the summariser and gives its summary, cut to quota tokens. A reply without words, from the
// offline engine, or no shorter than its source is an error. What the call cost is added to the decision in any case.
func (w *reduction) ask(ctx context.Context, source string, quota int) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, summaryWait, akitad.Errorf(akitad.Timeout, "no summary after %s", summaryWait))
	defer cancel()
	room := max(1, min(chunkTokens, w.in.Budget*3/4-thinkTokens)) // a small model cannot take a whole chunk
	reply, err := w.Ask(ctx, llm.Request{
		Role: llm.RoleSummarizer, System: fmt.Sprintf("%s\nUse at most %d words.", summaryRules, max(20, quota*2/3)), MaxOutput: quota + thinkTokens,
		Messages: []llm.Message{{Speaker: llm.User, Text: "<record>\n" + ends(strings.ReplaceAll(source, "</record>", "< /record>"), room) + "\n</record>"}},
	})
	if err != nil {
		reply.Bills = llm.Billed(err)
		reply.Usage = reply.Bills.Total()
	}
	w.d.Usage, w.d.Bills = w.d.Usage.Add(reply.Usage), w.d.Bills.Add(reply.Bills...)
	w.d.Degraded = append(w.d.Degraded, reply.Degraded...)
	text := strings.TrimSpace(valid(reply.Text))
	switch {
	case err != nil:
		return "", err
	case text == "" || len(reply.Calls) > 0:
		return "", akitad.Errorf(akitad.Unknown, "the summariser's reply has no words")
	case reply.Model == llm.OfflineModel:
		return "", errNoModel
	case Tokens(text) >= Tokens(source):
		return "", akitad.Errorf(akitad.Unknown, "the summary is no shorter than what it sums up")
	}
	return within(text, quota), nil
}

// cut records a cut with the summaries of its parts. The full record of what leaves the window is stored first.
func (w *reduction) cut(ctx context.Context, stage int, c cut, parts []journal.Part) error {
	dump, err := w.Keep(ctx, []byte(record(w.in.Earlier[:c.turns], w.view.rounds[:c.upto], 1)))
	if err != nil {
		return fmt.Errorf("keep what is summed up: %w", err)
	}
	w.d.Note, w.d.Upto, w.d.Earlier, w.d.Parts, w.d.Dump = w.noteOf(c, parts, dump), c.upto, c.turns, parts, dump
	w.stage(stage)
	w.d.Summarised += w.saved()
	return nil
}
