package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

// missing returns the question that a task must ask before it begins, if its spec lists missing inputs,
// a person can be asked, and none was asked yet.
func missing(t *journal.Task) (string, bool) {
	if !t.Sub.Origin.Interactive() || t.Compiled == nil || len(t.Compiled.Spec.Inputs.Missing) == 0 || len(t.Answers) > 0 {
		return "", false
	}
	if t.Sub.Plan != "" || t.Sub.Flow != "" {
		return "", false // the inputs of a person's plan are its parameters, which were checked
	}
	return text.Lang(t.Sub.Origin.Lang).AskMissing(t.Compiled.Spec.Inputs.Missing), true
}

// askMissing opens the question and lets the task wait, without any resources, until the answer or the end
// of the time wakes it.
func (o *Orchestrator) askMissing(ctx context.Context, c *claim.Claim, question string) error {
	until := time.Now().Add(tool.AnswerTime).UTC()
	if c.Snapshot().Question() == "" {
		payload, err := json.Marshal(tool.Question{Text: question})
		if err != nil {
			return err
		}
		open := journal.OpenCall{ID: "missing", Tool: "ask_user", Kind: string(tool.SuspendAnswer), Payload: payload, Until: &until}
		if err := c.Append(ctx, journal.Round, journal.RoundData{Open: []journal.OpenCall{open}}); err != nil {
			return err
		}
	}
	err := c.AppendIf(ctx, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Until: &until, Note: question},
		func(t *journal.Task) bool { return len(t.Open) > 0 && !t.AskedCancel })
	if errors.Is(err, claim.ErrMoot) {
		return o.advance(ctx, c) // the answer, or a cancel, was faster
	}
	return err
}
