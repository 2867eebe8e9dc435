package orchestrator

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
)

func (o *Orchestrator) flows() flow.Shelf { return flow.Shelf{Folder: o.opts.Folder} }

// pin copies the content of a message's flow into the message, so that later changes of the file do not
// matter. A message without a text gets the goal of the flow as its text.
func (o *Orchestrator) pin(m *akitad.Message) error {
	if m.Flow == "" || m.Plan != "" {
		return nil
	}
	f, err := o.flows().Find(m.Flow)
	if err != nil {
		return err
	}
	m.Plan, m.FlowHash = f.Source, f.Hash
	if strings.TrimSpace(m.Text) == "" && m.TextRef == "" {
		m.Text = cmp.Or(strings.TrimSpace(f.Plan.Goal), flow.Goal(f.Name, m.Params))
	}
	return nil
}

// pinNew pins a new message. If it is a task already, the task's journal has the flow.
func (o *Orchestrator) pinNew(ctx context.Context, m *akitad.Message) error {
	if m.Flow == "" || m.Plan != "" {
		return nil
	}
	before, err := o.Journal.Load(ctx, m.Task)
	if err != nil || before.Exists() {
		return err
	}
	return o.pin(m)
}

// pathOf returns the first entries of a root task's path: its text and, so that a flow is not run inside of
// itself, its flow.
func pathOf(profile string, m akitad.Message) []string {
	path := []string{journal.PathEntry(profile, m.Text)}
	if m.Flow != "" {
		path = append(path, journal.PathEntry("flow", flow.Goal(m.Flow, m.Params)))
	}
	return path
}

// StartFlow makes a task of a message of a chat that asks for a flow by m.Flow and m.Params. It checks the
// flow first, so that the person is told at once what is wrong. The error is not_found for an unknown flow,
// invalid_request if it cannot run with these parameters, permission_denied if the person may not run one
// of its steps, and a *disk.Low if the disk has no room. The same message a second time changes nothing.
func (o *Orchestrator) StartFlow(ctx context.Context, m akitad.Message) error {
	if err := o.pin(&m); err != nil {
		return err
	}
	p, err := o.readPlan(m.Plan, m.Params)
	if err == nil {
		err = o.permitted(m.Origin, p)
	}
	if err != nil {
		return err
	}
	if err := o.room(); err != nil {
		return err
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return o.Bus.PublishIn(ctx, m.Origin.Channel, m.ID, body)
}

// Flows lists the flows of the folder, with the error of those that cannot run here.
func (o *Orchestrator) Flows() ([]flow.Flow, error) {
	shelf := o.flows()
	shelf.Check = func(source string) error {
		_, err := plan.Check(source, o.knownFor(nil))
		return err
	}
	return shelf.List()
}
