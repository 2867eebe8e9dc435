package admin

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/plan"
)

// listFlows reads the folder anew: a file that was just edited shows what is wrong with it.
func (s *Server) listFlows(context.Context) ([]client.Flow, error) { return Flows(s.opts.Flows) }

// Flows lists the plans in a folder, in order of name; a missing folder has none. Only the shape is
// checked: what a plan may name is known when it runs.
func Flows(dir string) ([]client.Flow, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var out []client.Flow
	for _, file := range files {
		out = append(out, flow(file))
	}
	return out, nil
}

func flow(file string) client.Flow {
	f := client.Flow{Name: strings.TrimSuffix(filepath.Base(file), ".yaml")}
	text, err := os.ReadFile(file)
	if err != nil {
		f.Error = err.Error()
		return f
	}
	p, err := plan.Parse(string(text))
	if err != nil {
		f.Error = err.Error()
		return f
	}
	f.Goal, f.Steps = p.Goal, len(p.Steps)
	return f
}
