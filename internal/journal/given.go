package journal

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/akitad/akitad"
)

// Given returns up to n of the last turns, oldest first, of a conversation that the task's caller keeps
// itself. For every other task it returns none.
func (j *Journal) Given(ctx context.Context, t *Task, n int) ([]akitad.Turn, error) {
	if t.Sub.Earlier == "" {
		return nil, nil
	}
	body, err := j.bus.GetArtifact(ctx, t.Sub.Earlier)
	if err != nil {
		return nil, fmt.Errorf("conversation of %s: %w", t.ID, err)
	}
	var turns []akitad.Turn
	if err := json.Unmarshal(body, &turns); err != nil {
		return nil, fmt.Errorf("conversation of %s: %w", t.ID, err)
	}
	return turns[max(0, len(turns)-n):], nil
}
