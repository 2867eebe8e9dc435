package admin

import (
	"context"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/plan"
)

// listFlows reads the folder anew: a file that was just edited shows what is wrong with it.
func (s *Server) listFlows(context.Context) ([]client.Flow, error) { return Flows(s.opts.Flows) }

// Flows lists the plans in a folder, in order of name; a missing folder has none. Only the shape is
// checked: what a plan may name is known when it runs.
func Flows(dir string) ([]client.Flow, error) {
	all, err := flow.Shelf{Folder: dir}.List()
	if err != nil {
		return nil, err
	}
	var out []client.Flow
	for _, f := range all {
		out = append(out, describe(f))
	}
	return out, nil
}

func describe(f flow.Flow) client.Flow {
	out := client.Flow{Name: f.Name, Hash: f.Hash, Params: []client.FlowParam{}}
	if f.Err != nil {
		out.Error = f.Err.Error()
		return out
	}
	out.Goal, out.Steps = f.Plan.Goal, len(f.Plan.Steps)
	for _, p := range plan.Declared(f.Plan) {
		out.Params = append(out.Params, client.FlowParam(p))
	}
	return out
}
