package agent

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
)

const (
	// MaxCorrections is how often a result that does not fit the request is sent back, an agent's or a model step's.
	MaxCorrections = 2
	// maxResult is the size of a child's result in bytes: 2,000 tokens at four bytes each.
	maxResult = 8_000
)

// final judges a reply without calls. After an empty reply the model is asked again once, after one without
// the demanded structure twice; these replies are not recorded. If the reply is still wrong, the task ends
// with a partial result that says so, or with an error.
func (r *run) final(ctx context.Context, t *journal.Task, reply llm.Reply) (*akitad.Result, error) {
	words := spoken(reply.Text)
	switch {
	case r.said.bound.last():
		return r.capped(t, words)
	case words == "":
		return r.empty(ctx, t), nil
	case len(t.Sub.Schema) > 0:
		return r.structured(ctx, t, reply, words)
	}
	if r.broken(ctx, t) {
		return nil, nil
	}
	whole := ""
	if t.Sub.Parent != "" {
		words, whole = r.shorten(ctx, words)
	}
	r.unheld.Finish = reply.Finish
	return &akitad.Result{Text: words, Whole: whole, Partial: reply.Finish == llm.FinishLength || reply.Finish == llm.FinishPartly, Told: reply.Finish == llm.FinishPartly}, nil
}

// spoken returns the text of a reply, or "" if it shows nothing: only white space, format characters, or an
// empty code block.
func spoken(reply string) string {
	words := strings.TrimSpace(reply)
	seen := func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !strings.ContainsRune("`*_#~>\u2800\u3164\uffa0\u115f\u1160", r)
	}
	if !strings.ContainsFunc(words, seen) {
		return ""
	}
	return words
}

// capped ends a task after its last call, with a partial result. An agent in a loop that has no answer
// fails instead, so that another agent may try.
func (r *run) capped(t *journal.Task, words string) (*akitad.Result, error) {
	b := r.said.bound
	switch {
	case words == "" && b.loops:
		return nil, akitad.Errorf(akitad.Loop, "the agent got no further in %d rounds and had no answer", len(t.Rounds)-t.Took)
	case words == "":
		words = r.lang.NoAnswer(len(t.Rounds))
	}
	return &akitad.Result{Text: words, Partial: true, Missing: []string{b.end}}, nil
}

// empty has the model asked again after an empty reply. After a second one in a row, the task ends without
// an answer.
func (r *run) empty(ctx context.Context, t *journal.Task) *akitad.Result {
	again := !r.nudged
	r.nudged = true
	r.verify(ctx, "empty reply", again)
	if !again {
		return &akitad.Result{Text: r.lang.NoAnswer(len(t.Rounds)), Partial: true}
	}
	r.hints = append(r.hints, "[Your last reply was empty. Answer now, or call a tool.]")
	return nil
}

// structured accepts a reply that consists of the demanded data; any other reply is sent back.
func (r *run) structured(ctx context.Context, t *journal.Task, reply llm.Reply, words string) (*akitad.Result, error) {
	if reply.Finish != llm.FinishLength {
		if data, err := tool.Satisfy(t.Sub.Schema, "the reply", []byte(words)); err == nil {
			return &akitad.Result{Text: words, Data: data}, nil
		}
	}
	if err := r.correct(ctx, "no structured result", "the agent ended without the structured result that was asked for"); err != nil {
		return nil, err
	}
	r.hints = append(r.hints, "[End by calling submit_result with data that satisfies the output schema, or answer with that JSON alone.]")
	return nil, nil
}

// correct counts a result that is sent back. After MaxCorrections of them, it returns an error of kind
// tool_failed.
func (r *run) correct(ctx context.Context, reason, failure string) error {
	r.corrections++
	again := r.corrections <= MaxCorrections
	r.verify(ctx, reason, again)
	if again {
		return nil
	}
	return akitad.Errorf(akitad.ToolFailed, "%s, and %d corrections did not help", failure, MaxCorrections)
}

// verify records the check of a reply as a span.
func (r *run) verify(ctx context.Context, reason string, again bool) {
	outcome := "completed"
	if again {
		outcome = "continue"
	}
	_, span := r.opts.Tracer.Start(ctx, akitad.SpanVerification, reason, tracing.String("type", "reply"),
		tracing.String(tracing.KeyOutcome, outcome), tracing.String("reason", reason))
	span.End(nil)
}

// shorten stores a child's long answer as an artifact and returns its beginning.
func (r *run) shorten(ctx context.Context, words string) (shown, artifact string) {
	if len(words) <= maxResult {
		return words, ""
	}
	head := cut(words, maxResult*3/4)
	hash, err := r.put(ctx, []byte(words))
	if err != nil {
		return head + "\n[the rest could not be kept]", ""
	}
	return head + fmt.Sprintf("\n[left out here: %d bytes; the whole answer is artifact %s]", len(words)-len(head), hash[:12]), hash
}

// cut returns the first n bytes of a text, without an incomplete character at the end.
func cut(words string, n int) string { return strings.ToValidUTF8(words[:n], "") }
