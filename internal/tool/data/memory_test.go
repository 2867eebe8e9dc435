package data_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool/data"
)

// spilled watches for files that SQLite opens and deletes at once, until stop gives the first it saw.
func spilled(t *testing.T) (stop func() string) {
	t.Helper()
	done, found := make(chan struct{}), make(chan string, 1)
	go func() {
		seen := ""
		look := time.NewTicker(time.Millisecond)
		defer look.Stop()
		for {
			links, _ := filepath.Glob("/proc/self/fd/*")
			for _, link := range links {
				if to, err := os.Readlink(link); err == nil && strings.HasSuffix(to, " (deleted)") {
					seen = to
				}
			}
			select {
			case <-done:
				found <- seen
				return
			case <-look.C:
			}
		}
	}()
	return func() string { close(done); return <-found }
}

// peak gives the most bytes that the process ever had in memory.
func peak(t *testing.T) (kb int64) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	if _, after, ok := strings.Cut(string(text), "VmHWM:"); ok {
		if _, err := fmt.Sscan(after, &kb); err != nil {
			t.Fatal(err)
		}
	}
	return kb << 10
}

// Whatever SQL sorts, keeps or makes on its way: no byte of it goes to a disk, and the memory has an end.
// Rows are so wide that few of them fill the room, and differ at their beginning, so that to compare them
// is cheap.
func TestSQLIsBounded(t *testing.T) {
	const (
		endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) "
		once    = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n), m AS MATERIALIZED (SELECT i || zeroblob(100000) b FROM n) "
	)
	b := newBench(t, data.Options{Time: 20 * time.Minute, Room: 8 << 20})
	b.must("sql_exec", m{"path": "a.db", "statement": "CREATE TABLE a(x)"})
	before := peak(t)
	for _, tt := range []struct{ name, tool, sql string }{
		{"a sort", "sql_query", endless + "SELECT i || zeroblob(100000) b FROM n ORDER BY b"},
		{"distinct rows", "sql_query", endless + "SELECT DISTINCT i || zeroblob(100000) FROM n"},
		{"a union", "sql_query", endless + ", o(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM o) SELECT i || zeroblob(100000) FROM n UNION SELECT i || zeroblob(100000) FROM o"},
		{"groups", "sql_query", endless + "SELECT i FROM n GROUP BY i || zeroblob(100000) HAVING count(*) > 1"},
		{"a table on the way", "sql_query", once + "SELECT max(b) FROM m"},
		{"a window", "sql_query", endless + "SELECT max(i || zeroblob(100000)) OVER (ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM n"},
		{"a queue", "sql_query", "WITH RECURSIVE n(i, b) AS (SELECT 1, x'' UNION ALL SELECT i+j, i || zeroblob(100000) FROM n, (SELECT 1 j UNION ALL SELECT 2)) SELECT count(*) FROM n"},
		{"a sort to write", "sql_exec", "INSERT INTO a " + endless + "SELECT i || zeroblob(100000) b FROM n ORDER BY b"},
		{"a new table, sorted", "sql_exec", "CREATE TABLE c AS " + endless + "SELECT DISTINCT i || zeroblob(100000) b FROM n"},
	} {
		stop := spilled(t)
		r, err := b.call(t.Context(), tt.tool, m{"path": "a.db", map[string]string{"sql_query": "query", "sql_exec": "statement"}[tt.tool]: tt.sql})
		if file := stop(); file != "" {
			t.Errorf("%s: SQLite wrote to %s", tt.name, file)
		}
		if akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(fmt.Sprint(err), "more than 8 MB of memory") {
			t.Errorf("%s: %q, %v", tt.name, r.Text, err)
		}
	}
	if more := (peak(t) - before) >> 20; more > 100 {
		t.Errorf("the process grew by %d MB", more)
	}
	b.want("sql_query", m{"path": "a.db", "query": "SELECT count(*) n FROM a"}, `{"columns":["n"],"rows":[{"n":0}],"total":1,"shown":1}`)
}

func TestNothingTemporaryIsMade(t *testing.T) {
	b := shop(t)
	for _, sql := range []string{
		"CREATE TEMP TABLE a AS SELECT * FROM sale", "CREATE TABLE temp.a(x)", "CREATE TEMP VIEW a AS SELECT 1",
		"CREATE TEMP TRIGGER a AFTER INSERT ON sale BEGIN SELECT 1; END",
	} {
		b.refused("sql_exec", m{"path": "shop.db", "statement": sql}, akitad.PermissionDenied, "temporary")
	}
}
