package journal

import (
	"context"
	"time"
)

// lastWrites is how long what has happened may still be put on record once the time of its work has ended.
const lastWrites = 10 * time.Second

// Outlast returns a context that ends ten seconds after ctx does: for what has happened already, and would be
// done again, or not be known, if it were not put on record. cancel frees it.
func Outlast(ctx context.Context) (longer context.Context, cancel context.CancelFunc) {
	longer, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		late := time.AfterFunc(lastWrites, end)
		context.AfterFunc(longer, func() { late.Stop() })
	})
	return longer, func() {
		stop()
		end()
	}
}
