package memtool

import (
	"cmp"
	"context"
	_ "embed"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/memory"
)

//go:embed remember.md
var rememberText string

type rememberArgs struct {
	Text  string      `json:"text" jsonschema:"what to remember, as one sentence" minLength:"1"`
	Type  memory.Type `json:"type,omitempty" jsonschema:"what it is about; default fact" enum:"fact,preference,skill,context,rule,error,experience"`
	Until memory.Life `json:"until,omitempty" jsonschema:"how long it is of use; default: context 3d, error and experience 30d, all else permanent" enum:"1d,3d,30d,permanent"`
	Scope string      `json:"scope,omitempty" jsonschema:"who may see it: the person (default), everybody in this conversation, or everybody; leave it out unless the person asks for it" enum:"person,session,global"`
}

type remember struct {
	info   tool.Info
	memory *memory.Memory
	opts   Options
}

func newRemember(m *memory.Memory, opts Options) tool.Tool {
	return &remember{describe[rememberArgs](tool.Info{
		Name: "remember", Description: rememberText, Idempotent: true, Risk: tool.RiskWrite,
	}), m, opts}
}

// Info describes the tool.
func (t *remember) Info() tool.Info { return t.info }

// Call keeps one entry and returns what became of it: new, known already, or in place of older ones. Unless the call names a
// scope, it belongs to the task's person, as its origin has it; where a chat does not say who writes, to the conversation.
// A scope that the task does not have is an error of kind invalid_request, one that its person may not write of kind
// permission_denied. A tainted task may not remember anything.
func (t *remember) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	var args rememberArgs
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
		Text: args.Text, Type: args.Type, Scope: scope, From: in.Scope.Task, By: in.Scope.Origin.Keeper(),
		Until: until, Tainted: in.Scope.Tainted,
	})
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{Text: report(kept, in.Scope.Task)}, nil
}

// scope returns the scope in which an entry is kept; asked is the call's argument, "" if there is none.
func (t *remember) scope(asked string, in tool.Scope) (memory.Scope, error) {
	person := in.Origin.Keeper()
	if asked == "" {
		asked = "person"
		if person == "" {
			asked = "session"
		}
	}
	switch asked {
	case "person":
		if person != "" {
			return memory.PersonScope(person), nil
		}
		return "", refuse(akitad.InvalidRequest, "this task comes from no person", "Leave scope out: it is kept for the conversation.")
	case "session":
		if in.Session == "" {
			return "", refuse(akitad.InvalidRequest, "this task belongs to no session", "Leave scope out.")
		}
		return memory.SessionScope(in.Session), nil
	case "global":
		if person == akitad.Local || t.opts.Shares(in.Origin) {
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
