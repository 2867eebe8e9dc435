package app

import (
	"github.com/akitad/akitad/internal/tool"
)

// Exchange wraps the tools that agents and plans use. It must be called before Run.
func (a *App) Exchange(wrap func(tool.Tool) tool.Tool) error {
	for _, r := range []*tool.Registry{a.known, a.Tools} {
		tools := r.All()
		for i := range tools {
			tools[i] = wrap(tools[i])
		}
		wrapped, err := tool.NewRegistry(tools...)
		if err != nil {
			return err
		}
		*r = *wrapped
	}
	return nil
}
