package pool

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
)

// modelStep runs a model step of a plan: one model call. A reply that is empty or does not fit the step's
// schema is sent back with the reason, up to agent.MaxCorrections times; then the step fails.
func (w *Worker) modelStep(ctx context.Context, t *journal.Task) (agent.Outcome, error) {
	out := agent.Outcome{Steers: math.MaxInt} // a call cannot be corrected
	if err := w.afford(ctx, t); err != nil {
		return out, err
	}
	req := stepRequest(t)
	var degraded []akitad.Degradation
	for tries := 0; ; tries++ {
		reply, err := w.Model.Generate(ctx, req)
		if err != nil {
			lost := llm.Billed(err)
			out.Usage, out.Bills = out.Usage.Add(lost.Total()), out.Bills.Add(lost...)
			return out, err
		}
		out.Usage, out.Bills = out.Usage.Add(reply.Usage), out.Bills.Add(reply.Bills...)
		degraded = append(degraded, reply.Degraded...)
		res, err := modelResult(t, reply)
		if err == nil {
			res.Degraded, out.Result = append([]akitad.Degradation{}, degraded...), res
			return out, nil
		}
		if tries == agent.MaxCorrections {
			return out, akitad.Errorf(akitad.ToolFailed, "step %s: the model's reply was not what was asked for: %w", t.Sub.Step.ID, err)
		}
		req.Messages = slices.Clip(req.Messages)
		if reply.Text != "" { // no vendor takes an empty message
			req.Messages = append(req.Messages, reply.Message())
		}
		req.Messages = append(req.Messages, llm.Message{Speaker: llm.User, Text: "[" + err.Error() + ": answer again, with the whole result and nothing else]"})
	}
}

func stepRequest(t *journal.Task) llm.Request {
	brief := llm.Brief{Language: t.Sub.Origin.Lang, Schema: string(t.Sub.Schema), Request: t.Sub.Request}
	for _, r := range t.Sub.Results {
		said, _ := tool.Clip(r.Text)
		data, _ := tool.Clip(string(r.Data))
		brief.Results = append(brief.Results, llm.BriefResult{Step: r.Name, Text: said, Data: data, Failed: r.Failed})
	}
	req := llm.Request{
		Task: t.ID, Offline: t.Sub.Offline, Role: llm.RoleMain,
		System:   "Answer with the result alone. If an output schema is given, answer with JSON that satisfies it and nothing else.",
		Messages: []llm.Message{{Speaker: llm.User, Text: brief.Append(t.Sub.Text)}},
	}
	req.Use(agent.Choice(akitad.Profile{}, t))
	return req
}

// modelResult turns a reply into a result. If the step has a schema, the reply must fit it.
func modelResult(t *journal.Task, reply llm.Reply) (*akitad.Result, error) {
	words := strings.TrimSpace(reply.Text)
	cut := reply.Finish == llm.FinishLength
	res := &akitad.Result{Text: words, Data: jsonOrNil(words), Partial: cut || reply.Finish == llm.FinishPartly, Told: reply.Finish == llm.FinishPartly}
	switch {
	case words == "":
		return nil, akitad.Errorf(akitad.InvalidRequest, "the reply is empty")
	case len(t.Sub.Schema) == 0:
		return res, nil
	case cut:
		return nil, akitad.Errorf(akitad.InvalidRequest, "the reply was cut by the length limit")
	}
	var err error
	if res.Data, err = tool.Satisfy(t.Sub.Schema, "the reply", []byte(unfenced(words))); err != nil {
		return nil, err
	}
	return res, nil
}

// unfenced returns the content of a code fence, if the whole text is one.
func unfenced(s string) string {
	inner, ok := strings.CutPrefix(s, "```")
	if !ok {
		return s
	}
	inner, ok = strings.CutSuffix(inner, "```")
	_, body, found := strings.Cut(inner, "\n")
	if !ok || !found {
		return s
	}
	return body
}
