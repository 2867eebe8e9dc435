package admin

import (
	"context"
	"errors"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/plan"
)

// listFlows reads the folder anew: a file that was just edited shows what is wrong with it.
func (s *Server) listFlows(context.Context) ([]client.Flow, error) {
	all, err := s.Orchestrator.Flows()
	return Flows(all), err
}

// Flows describes flows as they are listed.
func Flows(all []flow.Flow) (out []client.Flow) {
	for _, f := range all {
		out = append(out, describe(f))
	}
	return out
}

// firstOf gives the first of several problems: a listing has a line for each plan.
func firstOf(err error) error {
	if found, ok := errors.AsType[plan.Problems](err); ok && len(found) > 0 {
		return errors.New(found[0].String())
	}
	return err
}

func describe(f flow.Flow) client.Flow {
	out := client.Flow{Name: f.Name, Hash: f.Hash, Params: []client.FlowParam{}}
	if f.Err != nil {
		out.Error = firstOf(f.Err).Error()
	}
	out.Goal, out.Steps = f.Plan.Goal, len(f.Plan.Steps)
	for _, p := range plan.Declared(f.Plan) {
		out.Params = append(out.Params, client.FlowParam(p))
	}
	return out
}
