package pool

import (
	"context"

	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/tool"
)

// sure is a tool that is called only after it is certain that the claim is held. Otherwise a worker that was
// stopped for longer than the claim lasts could start a call of a task that another worker has now.
type sure struct {
	tool.Tool
	claim *claim.Claim
}

// Call makes the call after checking the claim. A read-only tool needs no check.
func (s sure) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	if !s.Info().Readonly {
		if err := s.claim.Sure(ctx); err != nil {
			return tool.Result{}, err
		}
	}
	return s.Tool.Call(ctx, in)
}

// surely wraps every tool in place.
func surely(c *claim.Claim, tools []tool.Tool) []tool.Tool {
	for i, t := range tools {
		tools[i] = sure{t, c}
	}
	return tools
}
