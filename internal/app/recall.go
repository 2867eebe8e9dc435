package app

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/memory"
)

// memorySource is the source of memories for an agent's window.
type memorySource struct {
	memory *memory.Memory
	top    int
}

func (s memorySource) Find(ctx context.Context, q window.Query) ([]akitad.Snippet, error) {
	return s.memory.Recall(ctx, memory.Query{Text: q.Text, Person: q.Origin.Keeper(), Also: q.Origin.Hears(), Session: q.Session, Limit: s.top})
}

func (a *App) memoryOptions() memory.Options {
	c := a.Config.Memory
	return memory.Options{Gate: c.Gate, HalfLife: c.HalfLife, Core: int(c.Core), Redactor: a.Redact, Log: a.log.Named("memory")}
}

// core returns the core memories for tasks of an origin, one per entry.
func (a *App) core(from akitad.Origin) []string {
	var out []string
	for line := range strings.Lines(a.Memory.Core(memory.Query{Person: from.Keeper(), Also: from.Hears()})) {
		out = append(out, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "- "))
	}
	return out
}
