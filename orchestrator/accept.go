package orchestrator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// acceptAll makes a task of every incoming message, in order within a session.
func (o *Orchestrator) acceptAll(ctx context.Context) error {
	defer o.accepts.Wait()
	return o.Bus.Consume(ctx, bus.ConsumerOptions{Stream: bus.Inbox, Durable: "accept", MaxAckPending: maxInFlight, InOrder: true},
		func(ctx context.Context, d *bus.Delivery) {
			var m akitad.Message
			if err := json.Unmarshal(d.Body(), &m); err != nil || !m.Task.Valid() {
				o.Log.Error("message cannot be read and is dropped", zap.String("subject", d.Subject()), zap.Error(err))
				o.ack(d)
				return
			}
			lane := string(m.Session)
			if lane == "" {
				lane = string(m.Task)
			}
			_ = o.accepts.Go(ctx, lane, func() { // an error means that ctx has ended: the message will be delivered again
				if o.insist(ctx, d, "accept", func() error { return o.acceptInTurn(ctx, m) }) {
					o.ack(d)
				}
			})
		})
}

// acceptInTurn limits how many messages are accepted at once, so that begun tasks go before new ones: of 200
// messages at once, the first are answered while the last still wait, instead of all being answered late.
func (o *Orchestrator) acceptInTurn(ctx context.Context, m akitad.Message) error {
	select {
	case o.accepting <- struct{}{}:
		defer func() { <-o.accepting }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return o.Accept(ctx, m)
}

// Accept makes a task of a message. The same message a second time changes nothing. A message that answers
// a question or corrects a running task is appended to that task instead.
func (o *Orchestrator) Accept(ctx context.Context, m akitad.Message) error {
	switch err := o.inline(ctx, &m); {
	case akitad.KindOf(err) == akitad.NotFound: // trying again would block the session for ever
		return o.refuse(ctx, m, akitad.FailureOf(err))
	case err != nil:
		return err
	}
	if err := o.prefer(ctx, &m); err != nil {
		return err
	}
	switch err := o.pinNew(ctx, &m); akitad.KindOf(err) {
	case "":
	case akitad.NotFound, akitad.InvalidRequest:
		return o.refuse(ctx, m, akitad.FailureOf(err))
	default:
		return err
	}
	if done, err := o.joinBy(ctx, m); done || err != nil {
		return err
	}
	if why, err := o.overDay(ctx, m, time.Now()); err != nil {
		return err
	} else if why != nil {
		return o.refuse(ctx, m, why)
	}
	if err := o.warnDay(ctx, &m, time.Now()); err != nil {
		return err
	}
	if m.Session == "" {
		t, err := o.submit(ctx, m, "", false)
		if err != nil {
			return err
		}
		return o.wakeQueued(ctx, t) // one whose refusal a crash cut short
	}
	return o.acceptInSession(ctx, m)
}

// inline loads the text of a message whose text is stored as an artifact.
func (o *Orchestrator) inline(ctx context.Context, m *akitad.Message) error {
	if m.TextRef == "" {
		return nil
	}
	body, err := o.Bus.GetArtifact(ctx, m.TextRef)
	if err != nil {
		return fmt.Errorf("text of %s: %w", m.Task, err)
	}
	m.Text, m.TextRef = string(body), ""
	return nil
}

// acceptInSession gives the task its place in the session before the task is created. After a crash in
// between, the message is delivered again and finds its place.
func (o *Orchestrator) acceptInSession(ctx context.Context, m akitad.Message) error {
	before, err := o.Journal.Load(ctx, m.Task)
	if err != nil || before.Exists() && (before.State != akitad.Waiting || before.Reason != akitad.ReasonQueued) {
		return err
	}
	var mine place
	full := false
	s, err := o.changeSession(ctx, m.Session, func(s *sessionState) bool {
		_, known := s.find(m.Task)
		full = !known && len(s.Queue) >= o.opts.MaxQueue
		if full {
			return false
		}
		mine = s.enter(m.Task)
		return !known
	})
	if err != nil {
		return err
	}
	if full {
		return o.refuse(ctx, m, &akitad.Failure{
			Kind: akitad.Overloaded, Message: fmt.Sprintf("%d messages of this conversation are waiting already", o.opts.MaxQueue),
			Hint: "wait for answers, or stop the running task",
		})
	}
	queued := s.Running == nil || s.Running.Task != m.Task
	t, err := o.submit(ctx, m, mine.Follows, queued)
	if err != nil || t.Reason != akitad.ReasonQueued {
		return err
	}
	return o.giveTurn(ctx, t) // the task may have got its turn before it was created
}

// refuse records a message that cannot become work as a failed task, so that the person is told.
func (o *Orchestrator) refuse(ctx context.Context, m akitad.Message, why *akitad.Failure) error {
	t, err := o.submit(ctx, m, "", true)
	if err != nil {
		return err
	}
	return o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Final() {
			return nil
		}
		return &journal.Decision{Kind: journal.Failed, Data: journal.EndData{Error: why}}
	})
}

// submit opens the task's journal. It is no error if the task exists already.
func (o *Orchestrator) submit(ctx context.Context, m akitad.Message, follows akitad.TaskID, queued bool) (*journal.Task, error) {
	profile := m.Profile
	if profile == "" {
		profile = o.opts.Default
	}
	folder := string(m.Session)
	if folder == "" {
		folder = string(m.Task)
	}
	if m.Origin.Lang == "" {
		m.Origin.Lang = string(text.Detect(m.Text))
	}
	t, created, err := o.Journal.Create(ctx, m.Task, journal.SubmittedData{
		Root: m.Task, Origin: m.Origin, Session: m.Session, Folder: folder, Follows: follows, Queued: queued, Text: m.Text,
		Profile: profile, Model: m.Model, Tags: m.Tags, Flow: m.Flow, FlowHash: m.FlowHash, Plan: m.Plan, Params: m.Params, Schema: m.Schema, Budget: m.Budget, Files: m.Files,
		Priority: m.Priority, Offline: m.Offline, PlanAsk: o.showsPlan(m), Path: pathOf(profile, m), Notice: m.Notice,
		Inputs: m.Inputs, Earlier: m.Earlier, Chat: m.Chat,
	})
	if err != nil {
		return nil, err
	}
	if created {
		journal.OpenSpans(ctx, o.Tracer, t, "")
	}
	return t, nil
}

// showsPlan reports whether a message's plan waits for approval: because the message says so, or because the
// configuration says so for every plan that a planner writes. A schedule has nobody to ask.
func (o *Orchestrator) showsPlan(m akitad.Message) bool {
	return m.PlanAsk || o.opts.PlanAsk && m.Plan == "" && m.Flow == "" && m.Origin.Channel != "schedule"
}

// appendSteer appends a correction to a task; false if the task has ended. A correction that the task has
// already counts as appended.
func (o *Orchestrator) appendSteer(ctx context.Context, t *journal.Task, d journal.SteeredData) (bool, error) {
	has := func(t *journal.Task) bool {
		return d.Message != "" && slices.ContainsFunc(t.Steers, func(s journal.SteeredData) bool { return s.Message == d.Message })
	}
	done, err := o.Journal.Decided(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Final() || has(t) {
			return nil
		}
		return &journal.Decision{Kind: journal.Steered, Data: d}
	})
	return done || has(t), err
}

// answer closes an open question with a message; false if it is not open.
func (o *Orchestrator) answer(ctx context.Context, t *journal.Task, call string, m akitad.Message) (bool, error) {
	return o.Journal.Decided(ctx, t, func(t *journal.Task) *journal.Decision {
		if call == "" || openQuestion(t) != call {
			return nil
		}
		return &journal.Decision{Kind: journal.Answered, Data: journal.AnsweredData{
			Call: call, Outcome: journal.OutcomeAnswered, Message: m.ID, Words: m.Text, Observation: akitad.Observation{Text: journal.AnswerPrefix + m.Text},
		}}
	})
}

func answeredBy(e akitad.Event) string {
	var d journal.AnsweredData
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return ""
	}
	return d.Message
}

// openQuestion returns the open call by which the task waits for a person's answer, or for the approval of
// its plan; "" if there is none.
func openQuestion(t *journal.Task) string {
	for _, c := range t.Open {
		if (c.Kind == "answer" || journal.PlanCall(c.ID)) && !t.Final() {
			return c.ID
		}
	}
	return ""
}
