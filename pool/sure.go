package pool

import (
	"context"

	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/tool"
)

// sure is a tool that is called only while the claim is known to be held. A worker that was stopped
// past its claim's time would otherwise begin a call of a task that another worker has by now.
type sure struct {
	tool.Tool
	claim *claim.Claim
}

// Call makes the call, once it is known that it may.
func (s sure) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	if !s.Info().Readonly {
		if err := s.claim.Sure(ctx); err != nil {
			return tool.Result{}, err
		}
	}
	return s.Tool.Call(ctx, in)
}

// surely makes every tool such a one.
func surely(c *claim.Claim, tools []tool.Tool) []tool.Tool {
	for i, t := range tools {
		tools[i] = sure{t, c}
	}
	return tools
}
