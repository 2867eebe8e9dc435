package projection

import (
	"context"

	"github.com/akitad/akitad"
)

// Counts gives the number of tasks by state, without states that no task has. It is one query, so it sees the rows of
// whole transactions.
func (p *Projection) Counts(ctx context.Context) (map[akitad.State]int, error) {
	found, err := p.db.Read.QueryContext(ctx, `SELECT state, count(*) FROM tasks GROUP BY state`)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	counts := map[akitad.State]int{}
	for found.Next() {
		var state akitad.State
		var n int
		if err := found.Scan(&state, &n); err != nil {
			return nil, err
		}
		counts[state] = n
	}
	return counts, found.Err()
}
