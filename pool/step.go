package pool

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/tracing"
	"github.com/akitad/akitad/workspace"
)

// toolStep runs a plan's deterministic step: one call, no model.
func (w *Worker) toolStep(ctx context.Context, t *journal.Task, i *Instance) (agent.Outcome, error) {
	step := t.Sub.Step
	ctx, span := w.Tracer.Start(ctx, akitad.SpanTool, step.Tool, tracing.String(tracing.KeyTool, step.Tool),
		tracing.String(tracing.KeyArgsDigest, akitad.Digest(step.Tool, step.ID)))
	res, err := w.callStep(ctx, t, i)
	outcome := "ok"
	if err != nil {
		outcome = string(akitad.KindOf(err))
	}
	span.Set(tracing.Int(tracing.KeyBytes, len(res.Text)), tracing.String(tracing.KeyOutcome, outcome))
	span.End(err)
	if err != nil {
		return agent.Outcome{}, err
	}
	files, err := w.keepFiles(ctx, i.Dir, res.Changed)
	return agent.Outcome{Result: &akitad.Result{Text: res.Text, Artifacts: files, Data: jsonOrNil(res.Text)}}, err
}

// callStep makes the step's arguments valid and calls its tool. A call that an earlier claim may
// have run already is repeated only if that is harmless.
func (w *Worker) callStep(ctx context.Context, t *journal.Task, i *Instance) (tool.Result, error) {
	step := t.Sub.Step
	tl, ok := w.Tools.Get(step.Tool)
	if !ok {
		return tool.Result{}, akitad.Errorf(akitad.NotFound, "there is no tool %q", step.Tool)
	}
	info := tl.Info()
	if t.Claims > 1 && !info.Readonly && !info.Idempotent && step.IdempotencyKey == "" {
		return tool.Result{}, akitad.Errorf(akitad.Unknown, "the process stopped while step %s ran: whether %s took effect is unknown", step.ID, step.Tool).
			WithHint("look at the state of things, then retry the step")
	}
	raw, err := json.Marshal(step.With)
	if err != nil {
		return tool.Result{}, fmt.Errorf("arguments of step %s: %w", step.ID, err)
	}
	if step.With == nil {
		raw = []byte("{}")
	}
	args, err := w.Tools.Prepare(step.Tool, raw)
	if err != nil {
		return tool.Result{}, err
	}
	res, err := tl.Call(ctx, tool.Input{Call: akitad.Call{ID: step.ID, Tool: step.Tool, Args: args}, Args: args, Scope: tool.Scope{
		Task: t.ID, Root: t.Sub.Root, Depth: t.Sub.Depth, Session: t.Sub.Session, Origin: t.Sub.Origin, Dir: i.Dir, Tainted: t.Tainted,
	}})
	if err == nil && res.Suspend != nil {
		err = akitad.Errorf(akitad.InvalidRequest, "tool %s waits for somebody else and cannot be a plan's tool step", step.Tool)
	}
	return res, err
}

func jsonOrNil(text string) akitad.RawJSON {
	if b := bytes.TrimSpace([]byte(text)); len(b) > 0 && (b[0] == '{' || b[0] == '[') && json.Valid(b) {
		return b
	}
	return nil
}

// modelStep makes a plan's single model call.
func (w *Worker) modelStep(ctx context.Context, t *journal.Task) (agent.Outcome, error) {
	brief := llm.Brief{Language: t.Sub.Origin.Lang, Schema: string(t.Sub.Schema)}
	for _, r := range t.Sub.Results {
		brief.Results = append(brief.Results, llm.BriefResult{Step: r.Name, Text: r.Text, Data: string(r.Data), Failed: r.Failed})
	}
	reply, err := w.Model.Generate(ctx, llm.Request{
		Task: t.ID, Offline: t.Sub.Offline, Role: llm.Role(cmp.Or(t.Sub.Step.Model, string(llm.RoleMain))),
		System:   "Answer with the result alone. If an output schema is given, answer with JSON that satisfies it and nothing else.",
		Messages: []llm.Message{{Speaker: llm.User, Text: brief.Append(t.Sub.Text)}},
	})
	if err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{
		Result: &akitad.Result{Text: reply.Text, Data: jsonOrNil(reply.Text), Partial: reply.Finish == llm.FinishLength, Degraded: reply.Degraded},
		Usage:  reply.Usage,
	}, nil
}

// maxEarlier is how many of the session's messages a new task starts from.
const maxEarlier = 20

// earlier walks the session's chain back: what was said and what was answered, oldest first.
func (w *Worker) earlier(ctx context.Context, t *journal.Task) ([]window.Turn, error) {
	var out []window.Turn
	for id := t.Sub.Follows; id != "" && len(out) < maxEarlier; {
		before, err := w.Journal.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if !before.Exists() {
			break // purged: the session's memory of it is gone
		}
		if before.Result != nil && before.Result.Text != "" {
			out = append([]window.Turn{{Said: before.Sub.Text, Answered: before.Result.Text}}, out...)
		}
		id = before.Sub.Follows
	}
	return out, nil
}

// placeFiles brings the folder to what the journal says: given files read-only, files that the
// task's own rounds and children wrote as they left them.
func (w *Worker) placeFiles(ctx context.Context, dir *workspace.Dir, t *journal.Task) error {
	for _, f := range t.Sub.Files {
		if err := w.place(ctx, dir, f, f.Mode != "ro"); err != nil {
			return err
		}
	}
	for _, f := range t.Files {
		if err := w.place(ctx, dir, f, false); err != nil {
			return err
		}
	}
	return nil
}

// place writes a file unless its bytes are there; onlyAbsent leaves one that differs alone, for
// another task of the session may have written it since.
func (w *Worker) place(ctx context.Context, dir *workspace.Dir, f akitad.File, onlyAbsent bool) error {
	have, err := dir.ReadFile(f.Name)
	switch {
	case err == nil && (onlyAbsent || hashOf(have) == f.Artifact):
		return nil
	case err != nil && akitad.KindOf(err) != akitad.NotFound:
		return err
	}
	body, err := w.Bus.GetArtifact(ctx, f.Artifact)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if f.Mode == "ro" {
		return dir.Place(f.Name, body)
	}
	return dir.WriteFile(f.Name, body)
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// keepFiles stores changed files as artifacts.
func (w *Worker) keepFiles(ctx context.Context, dir *workspace.Dir, names []string) ([]akitad.File, error) {
	var out []akitad.File
	for _, name := range names {
		body, err := dir.ReadFile(name)
		if akitad.KindOf(err) == akitad.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		hash, err := w.Bus.PutArtifact(ctx, body)
		if err != nil {
			return nil, err
		}
		out = append(out, akitad.File{Name: name, Artifact: hash, Size: int64(len(body))})
	}
	return out, nil
}

type nodeInfo struct {
	Node   string  `json:"node"`
	Agents []Stats `json:"agents"`
}

// hereInfo is what a worker answers when somebody asks who is there.
func hereInfo(node string, stats []Stats) []byte {
	b, err := json.Marshal(nodeInfo{node, stats})
	if err != nil {
		return []byte("{}")
	}
	return b
}
