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

// pin puts the content of a message's flow into the message: whatever becomes of the file, the task
// runs what stood in it when it was asked for. A flow without words is asked for by its goal.
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

// pinNew pins a message that comes in, unless it is a task already: then its journal has the flow.
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

// pathOf begins the way from the root down: the person's words and, so that a flow is not run inside
// of itself, the flow.
func pathOf(profile string, m akitad.Message) []string {
	path := []string{journal.PathEntry(profile, m.Text)}
	if m.Flow != "" {
		path = append(path, journal.PathEntry("flow", flow.Goal(m.Flow, m.Params)))
	}
	return path
}

// StartFlow hands in a message of a person in a chat that asks for a flow, with m.Flow and m.Params
// set. It is checked here, so that the person is told at once what is wrong: not_found for a flow
// that there is none of, invalid_request for one that cannot run with these parameters, a *disk.Low
// for a disk without room, permission_denied for one with a step that is not for this person. The same message again changes nothing.
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

// Flows lists the flows of the folder, with what is wrong with those that cannot run here.
func (o *Orchestrator) Flows() ([]flow.Flow, error) {
	shelf := o.flows()
	shelf.Check = func(source string) error {
		_, err := plan.Check(source, o.knownFor(nil))
		return err
	}
	return shelf.List()
}
