package builtin

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed ask_user.md
var askUserText string

type askUserArgs struct {
	Question   string   `json:"question" jsonschema:"complete in itself"`
	Options    []string `json:"options,omitempty" jsonschema:"to choose from"`
	Assumption string   `json:"assumption,omitempty" jsonschema:"what you go on with if nobody answers"`
}

type askUser struct {
	described
	now func() time.Time
}

func newAskUser(now func() time.Time) tool.Tool {
	return askUser{describe[askUserArgs](tool.Info{
		Name: "ask_user", Category: chat, Description: askUserText, Idempotent: true, Risk: tool.RiskRead, Waits: true,
	}), now}
}

// Call suspends the call until the person answers. If there is no person in a chat, the assumption is the answer. The
// same holds for a delegated task, which cannot ask the person: it tells the task that delegated it what it assumed.
func (t askUser) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a askUserArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	if strings.TrimSpace(a.Question) == "" {
		return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "ask_user: the question is empty")
	}
	if in.Scope.Depth > 0 || !in.Scope.Origin.Interactive() {
		return tool.Result{Text: assume(a.Assumption)}, nil
	}
	payload, err := json.Marshal(tool.Question{Text: a.Question, Options: a.Options, Assumption: a.Assumption})
	if err != nil {
		return tool.Result{}, fmt.Errorf("ask_user: %w", err)
	}
	until := t.now().Add(tool.AnswerTime)
	return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendAnswer, Payload: payload, Until: &until}}, nil
}

func assume(assumption string) string {
	if strings.TrimSpace(assumption) == "" {
		return "nobody can be asked here; go on with the most likely assumption and say in the answer which it was"
	}
	return "nobody can be asked here; go on with: " + assumption + "\nSay in the answer that this was assumed."
}
