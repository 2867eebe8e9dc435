package rows_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/rows"
)

// TestBrackets tells services from threads by all the names of a log's beginning.
func TestBrackets(t *testing.T) {
	for _, tt := range []struct {
		names string
		want  string
	}{
		{"billing mailer search-api", "service"},
		{"unit lint publish", "service"},
		{"main billing", "thread"},
		{"pool-1-thread-1 pool-1-thread-2", "thread"},
		{"w-1 w-2", "thread"},
		{"http-nio-80-exec-4 cart", "thread"},
		{"billing", "thread"}, // one alone says nothing
		{"pay-service", "service"},
	} {
		var b strings.Builder
		for _, name := range strings.Fields(tt.names) {
			b.WriteString("2026-05-04 10:00:00 INFO [" + name + "] up\n")
		}
		_, err := rows.Read(strings.NewReader(b.String()), "x.log", rows.Options{}, func(r *rows.Row) error {
			if _, ok := r.Field(tt.want); !ok {
				t.Errorf("%s: row %d has no %s: %v", tt.names, r.Line, tt.want, r.Fields)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
