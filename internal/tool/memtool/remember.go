package memtool

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/memory"
)

//go:embed remember.md
var rememberText string

const rememberSchema = `{
  "type": "object",
  "properties": {
    "text": {"type": "string", "minLength": 1, "description": "What to remember, as one sentence."},
    "type": {"type": "string", "enum": ["fact", "preference", "skill", "context", "rule", "error", "experience"], "description": "What it is about; default fact."},
    "until": {"type": "string", "enum": ["1d", "3d", "30d", "permanent"], "description": "How long it is of use. Default: context 3d, error and experience 30d, all else permanent."},
    "scope": {"type": "string", "enum": ["person", "session", "global"], "description": "Who may see it: the person (default), everybody in this conversation, or everybody. Leave it out unless the person asks for it."}
  },
  "required": ["text"],
  "additionalProperties": false
}`

type remember struct {
	memory *memory.Memory
	opts   Options
}

// Info describes the tool.
func (*remember) Info() tool.Info {
	return tool.Info{
		Name: "remember", Category: "memory", Description: rememberText, Schema: json.RawMessage(rememberSchema),
		Idempotent: true, Risk: tool.RiskWrite,
	}
}

// Call keeps one entry. It belongs to the task's person; without one, to everybody. A tainted task
// may not remember anything.
func (t *remember) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	var args struct {
		Text  string      `json:"text"`
		Type  memory.Type `json:"type"`
		Until memory.Life `json:"until"`
		Scope string      `json:"scope"`
	}
	if err := parse(in, &args); err != nil {
		return tool.Result{}, err
	}
	scope, err := t.scope(args.Scope, in.Scope)
	if err != nil {
		return tool.Result{}, err
	}
	args.Type = cmp.Or(args.Type, memory.Fact)
	until, err := cmp.Or(args.Until, args.Type.Life()).Until(time.Now())
	if err != nil {
		return tool.Result{}, err
	}
	kept, err := t.memory.Remember(ctx, memory.Entry{
		Text: args.Text, Type: args.Type, Scope: scope, From: in.Scope.Task, By: in.Scope.Origin.Person(),
		Until: until, Tainted: in.Scope.Tainted,
	})
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{Text: report(kept, in.Scope.Task)}, nil
}

func (t *remember) scope(asked string, in tool.Scope) (memory.Scope, error) {
	person := in.Origin.Person()
	switch asked {
	case "", "person":
		if person != "" {
			return memory.PersonScope(person), nil
		}
		if asked == "" {
			return memory.Global, nil
		}
		return "", refuse(akitad.InvalidRequest, "this task comes from no person", "Leave scope out: what it remembers is for everybody.")
	case "session":
		if in.Session == "" {
			return "", refuse(akitad.InvalidRequest, "this task belongs to no session", "Leave scope out.")
		}
		return memory.SessionScope(in.Session), nil
	case "global":
		if person == "" || t.opts.Shares(in.Origin) {
			return memory.Global, nil
		}
		return "", refuse(akitad.PermissionDenied, "this person may not write what everybody sees", "Leave scope out: it is kept for this person.")
	}
	return "", refuse(akitad.InvalidRequest, "unknown scope", "Use person, session or global.")
}

func refuse(kind akitad.Kind, what, hint string) error {
	return akitad.Errorf(kind, "%s", what).WithHint(hint)
}

// report says what became of the wish, so that the model does not claim more.
func report(kept memory.Entry, task akitad.TaskID) string {
	line := oneLine(string(kept.Type), kept.ID, kept.Text)
	switch {
	case kept.From != task:
		return list([]string{"Known already:\n", line})
	case len(kept.Supersedes) > 0:
		return list([]string{"Remembered, in place of what was known before:\n", line})
	}
	return list([]string{"Remembered:\n", line})
}
