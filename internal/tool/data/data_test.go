package data_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/data"
	"github.com/akitad/akitad/workspace"
)

// bench is a session's folder and the tools on it.
type bench struct {
	t     *testing.T
	dir   *workspace.Dir
	tools *tool.Registry
	scope tool.Scope
}

func newBench(t *testing.T, o data.Options) *bench {
	t.Helper()
	w, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, err := w.Dir("s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	all, err := data.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.NewRegistry(all...)
	if err != nil {
		t.Fatal(err)
	}
	task := akitad.DeriveTaskID("test")
	return &bench{t, dir, r, tool.Scope{Dir: dir, Task: task, Root: task}}
}

// call makes a call as an agent or a step does, its arguments checked first.
func (b *bench) call(ctx context.Context, name string, args any) (tool.Result, error) {
	b.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.rawCall(ctx, name, raw)
}

func (b *bench) rawCall(ctx context.Context, name string, raw []byte) (tool.Result, error) {
	b.t.Helper()
	tl, ok := b.tools.Get(name)
	if !ok {
		b.t.Fatalf("there is no tool %s", name)
	}
	checked, err := b.tools.Prepare(name, raw)
	if err != nil {
		return tool.Result{}, err
	}
	return tl.Call(ctx, tool.Input{Args: checked, Scope: b.scope})
}

// must gives the text of a call that succeeds.
func (b *bench) must(name string, args any) string {
	b.t.Helper()
	r, err := b.call(b.t.Context(), name, args)
	if err != nil {
		b.t.Fatalf("%s %v: %v (%s)", name, args, err, akitad.FailureOf(err).Hint)
	}
	return r.Text
}

func (b *bench) want(name string, args any, text string) {
	b.t.Helper()
	if got := b.must(name, args); got != text {
		b.t.Errorf("%s %v gives\n%s\nwant\n%s", name, args, got, text)
	}
}

// refused checks that a call fails, of what kind, and that its words hold a part.
func (b *bench) refused(name string, args any, kind akitad.Kind, part string) {
	b.t.Helper()
	r, err := b.call(b.t.Context(), name, args)
	if akitad.KindOf(err) != kind || !strings.Contains(fmt.Sprint(err), part) {
		b.t.Errorf("%s %v: got %q, %v (kind %s), want kind %s with %q", name, args, r.Text, err, akitad.KindOf(err), kind, part)
	}
}

func (b *bench) file(name string) string {
	b.t.Helper()
	body, err := b.dir.ReadFile(name)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(body)
}

// names are the files of the folder.
func (b *bench) names() string {
	b.t.Helper()
	files, err := b.dir.Files()
	if err != nil {
		b.t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		out = append(out, f.Name)
	}
	return strings.Join(out, " ")
}

type m = map[string]any

const sales = `CREATE TABLE sale (id INTEGER PRIMARY KEY, shop TEXT, total REAL, sold DATE, note BLOB);
INSERT INTO sale VALUES (1, 'north', 2.5, '2026-11-01', NULL), (2, 'süd', 10, '2026-11-02 08:00', x'00FF'), (9223372036854775807, '北', 0.1, 'never', 'a;b -- c');`

func shop(t *testing.T) *bench {
	b := newBench(t, data.Options{})
	b.must("sql_exec", m{"path": "shop.db", "statement": sales})
	return b
}

func TestQuery(t *testing.T) {
	b := shop(t)
	for _, tt := range []struct{ name, query, want string }{
		{
			"values as they are stored", "SELECT id, shop, sold, note FROM sale ORDER BY id",
			`{"columns":["id","shop","sold","note"],"rows":[{"id":1,"shop":"north","sold":"2026-11-01","note":null},{"id":2,"shop":"süd","sold":"2026-11-02 08:00","note":"x'00FF'"},{"id":9223372036854775807,"shop":"北","sold":"never","note":"a;b -- c"}],"total":3,"shown":3}`,
		},
		{"columns of one name", "SELECT id, id, total AS id FROM sale WHERE id = 1", `{"columns":["id","id_2","id_3"],"rows":[{"id":1,"id_2":1,"id_3":2.5}],"total":1,"shown":1}`},
		{"nothing found", "SELECT id FROM sale WHERE shop = ''", `{"columns":["id"],"rows":[],"total":0,"shown":0}`},
		{"a semicolon and a comment behind it", "SELECT count(*) AS n FROM sale; -- all of them", `{"columns":["n"],"rows":[{"n":3}],"total":1,"shown":1}`},
		{"a date behind a semicolon", "SELECT sold FROM sale WHERE id = 1; -- x", `{"columns":["sold"],"rows":[{"sold":"2026-11-01"}],"total":1,"shown":1}`},
		{"what floats can be", "SELECT 9e999 AS up, -9e999 AS down, 1.5e300 AS big, 3.0 AS three", `{"columns":["up","down","big","three"],"rows":[{"up":"Infinity","down":"-Infinity","big":1.5e+300,"three":3}],"total":1,"shown":1}`},
		{"text that is no UTF-8", "SELECT CAST(x'61FF62' AS TEXT) AS t, zeroblob(70) AS z", `{"columns":["t","z"],"rows":[{"t":"a` + "\uFFFD" + `b","z":"blob of 70 bytes"}],"total":1,"shown":1}`},
		{"a pragma that tells", "PRAGMA table_info(sale)", `{"columns":["cid","name","type","notnull","dflt_value","pk"],"rows":[{"cid":0,"name":"id","type":"INTEGER","notnull":0,"dflt_value":null,"pk":1},{"cid":1,"name":"shop","type":"TEXT","notnull":0,"dflt_value":null,"pk":0},{"cid":2,"name":"total","type":"REAL","notnull":0,"dflt_value":null,"pk":0},{"cid":3,"name":"sold","type":"DATE","notnull":0,"dflt_value":null,"pk":0},{"cid":4,"name":"note","type":"BLOB","notnull":0,"dflt_value":null,"pk":0}],"total":5,"shown":5}`},
		{"HTML stays readable", "SELECT '<b>&' AS h", `{"columns":["h"],"rows":[{"h":"<b>&"}],"total":1,"shown":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) { b.want("sql_query", m{"path": "shop.db", "query": tt.query}, tt.want) })
	}
}

func TestParameters(t *testing.T) {
	b := shop(t)
	ask := func(query, params string) (string, error) {
		r, err := b.rawCall(t.Context(), "sql_query", fmt.Appendf(nil, `{"path":"shop.db","query":%q,"params":%s}`, query, params))
		return r.Text, err
	}
	for _, tt := range []struct{ query, params, want string }{
		{"SELECT id FROM sale WHERE shop = :s", `{"s":"süd"}`, `[{"id":2}]`},
		{"SELECT id FROM sale WHERE shop = @s AND id > $min", `{"s":"süd","min":1,"other":3}`, `[{"id":2}]`},
		{"SELECT id FROM sale WHERE id = ? OR shop = ?", `[9223372036854775807,"none"]`, `[{"id":9223372036854775807}]`},
		{"SELECT :a AS a, ':b' AS b", `{"a":true}`, `[{"a":1,"b":":b"}]`},
		{"SELECT :a AS a, :n AS n, typeof(:f) AS f", `{"a":[1,{"x":2}],"n":null,"f":1.5}`, `[{"a":"[1,{\"x\":2}]","n":null,"f":"real"}]`},
		{`SELECT id AS "a:b" FROM sale /* :c */ WHERE shop = :s -- :d`, `{"s":"x' OR 1=1 --"}`, `[]`},
	} {
		got, err := ask(tt.query, tt.params)
		if err != nil || !strings.Contains(got, `"rows":`+tt.want) {
			t.Errorf("%s %s gives %s (%v), want rows %s", tt.query, tt.params, got, err, tt.want)
		}
	}
	for _, tt := range []struct{ query, params, part string }{
		{"SELECT :wanted", `{"wnted":1}`, `"wanted"`},
		{"SELECT :a, ?", `{"a":1}`, "with and without a name"},
		{"SELECT :a", `[1]`, "no ?"},
		{"SELECT :a", `{"a":99999999999999999999}`, "too large"},
		{"SELECT :a", `"text"`, "neither an object nor a list"},
	} {
		if got, err := ask(tt.query, tt.params); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(fmt.Sprint(err), tt.part) {
			t.Errorf("%s %s gives %s (%v), want %q", tt.query, tt.params, got, err, tt.part)
		}
	}
}

func TestQueryIsBounded(t *testing.T) {
	b := shop(t)
	const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 5000) SELECT i FROM n"
	got := b.must("sql_query", m{"path": "shop.db", "query": many, "limit": 3})
	if want := `"rows":[{"i":1},{"i":2},{"i":3}],"total":5000,"shown":3}`; !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	long := strings.Replace(many, "SELECT i FROM n", "SELECT printf('%.*c', 10000, 'x') AS x FROM n", 1)
	got = b.must("sql_query", m{"path": "shop.db", "query": long, "limit": 1000})
	if len(got) > 1<<20+1000 || !strings.HasSuffix(got, `"total":5000,"shown":104}`) {
		t.Errorf("%d bytes, ending %s", len(got), got[len(got)-40:])
	}
	b.refused("sql_query", m{"path": "shop.db", "query": "SELECT printf('%.*c', 2000000, 'x') AS x"}, akitad.InvalidRequest, "one row has")
	b.refused("sql_query", m{"path": "shop.db", "query": "SELECT zeroblob(100000000)"}, akitad.InvalidRequest, "too big")
}

// What never ends is stopped in the middle, whichever tool runs it, and nothing is written.
func TestTimeIsUp(t *testing.T) {
	b := newBench(t, data.Options{})
	b.must("sql_exec", m{"path": "a.db", "statement": "CREATE TABLE t(x)"})
	before := b.file("a.db")
	b.tools = newBench(t, data.Options{Time: 100 * time.Millisecond}).tools // for what never ends alone
	const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) "
	b.refused("sql_query", m{"path": "a.db", "query": endless + "SELECT count(*) FROM n"}, akitad.Timeout, "stopped after 100ms")
	b.refused("sql_query", m{"path": "a.db", "query": endless + "SELECT i FROM n"}, akitad.Timeout, "stopped after 100ms")
	b.refused("sql_exec", m{"path": "a.db", "statement": "INSERT INTO t " + endless + "SELECT 1 FROM n WHERE i < 0"}, akitad.Timeout, "stopped after 100ms")
	if b.file("a.db") != before {
		t.Error("the file changed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.call(ctx, "sql_query", m{"path": "a.db", "query": "SELECT 1"}); akitad.KindOf(err) != akitad.Cancelled {
		t.Errorf("a cancelled call gives %v", err)
	}
}

// Nothing that SQL can say reaches a file beside the one that was named.
func TestConfinement(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.db")
	b := shop(t)
	before := b.file("shop.db")
	for _, sql := range []string{
		"ATTACH '" + outside + "' AS o", "ATTACH DATABASE 'file:" + outside + "?mode=rwc' AS o", "ATTACH ':memory:' AS o", "DETACH main",
		"VACUUM INTO '" + outside + "'", "VACUUM", "SELECT load_extension('" + outside + "')", "SELECT fts3_tokenizer('simple', x'00')",
		"PRAGMA journal_mode=WAL", "PRAGMA temp_store_directory='/tmp'", "PRAGMA data_store_directory='/tmp'", "PRAGMA database_list", "SELECT * FROM pragma_database_list",
		"PRAGMA writable_schema=1", "PRAGMA query_only=0", "PRAGMA max_page_count=9999999", "PRAGMA hard_heap_limit=1", "PRAGMA page_size=1024", "PRAGMA encoding='UTF-16'",
		"CREATE VIRTUAL TABLE v USING dbstat", "CREATE VIRTUAL TABLE v USING csv(filename='/etc/passwd')", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "END",
		"COMMIT; ATTACH '" + outside + "' AS o", "CREATE TABLE x(a); ATTACH '" + outside + "' AS o",
		"CREATE TRIGGER tr AFTER INSERT ON sale BEGIN SELECT load_extension('x'); END; INSERT INTO sale(shop) VALUES ('a')",
	} {
		if r, err := b.call(t.Context(), "sql_exec", m{"path": "shop.db", "statement": sql}); err == nil {
			t.Errorf("sql_exec does %s: %s", sql, r.Text)
		}
		if r, err := b.call(t.Context(), "sql_query", m{"path": "shop.db", "query": sql}); err == nil {
			t.Errorf("sql_query does %s: %s", sql, r.Text)
		}
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a file was made outside")
	}
	if b.file("shop.db") != before || b.names() != "shop.db" {
		t.Errorf("the folder changed: %s", b.names())
	}
	b.refused("sql_exec", m{"path": "shop.db", "statement": "ATTACH 'x' AS o"}, akitad.PermissionDenied, "cannot be attached")
	b.refused("sql_query", m{"path": "shop.db", "query": "SELECT load_extension('x')"}, akitad.PermissionDenied, "load_extension is not available")
	b.refused("sql_exec", m{"path": "shop.db", "statement": "VACUUM INTO 'x'"}, akitad.InvalidRequest, "VACUUM")
}

// sql_query cannot write, not even to its own copy.
func TestQueryOnlyReads(t *testing.T) {
	b := shop(t)
	before := b.file("shop.db")
	for _, sql := range []string{
		"DELETE FROM sale", "INSERT INTO sale(shop) VALUES ('x') RETURNING id", "CREATE TABLE x(a)", "CREATE TEMP TABLE x(a)", "DROP TABLE sale", "UPDATE sale SET shop = 'x'",
		"WITH a AS (SELECT 1) DELETE FROM sale", "REINDEX", "ANALYZE", "ALTER TABLE sale RENAME TO y", "PRAGMA user_version=3", "REPLACE INTO sale(id) VALUES (1)",
	} {
		b.refused("sql_query", m{"path": "shop.db", "query": sql}, akitad.PermissionDenied, "")
	}
	b.refused("sql_query", m{"path": "shop.db", "query": "SELECT 1; DELETE FROM sale"}, akitad.InvalidRequest, "more than one statement")
	b.refused("sql_query", m{"path": "shop.db", "query": " -- nothing"}, akitad.InvalidRequest, "empty")
	b.refused("sql_query", m{"path": "none.db", "query": "SELECT 1"}, akitad.NotFound, "none.db")
	b.refused("sql_query", m{"path": "shop.db", "query": "SELECT nonsense"}, akitad.InvalidRequest, "no such column")
	if b.file("shop.db") != before || b.names() != "shop.db" {
		t.Errorf("the folder changed: %s", b.names())
	}
}

// The path is a name below the folder and nothing else.
func TestPaths(t *testing.T) {
	b := shop(t)
	host := b.dir.Path()
	secret := filepath.Join(filepath.Dir(host), "secret.db")
	if err := os.WriteFile(secret, []byte(b.file("shop.db")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(host, "link.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(secret, filepath.Join(host, "hard.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("shop.db", filepath.Join(host, "near.db")); err != nil {
		t.Fatal(err)
	}
	if err := b.dir.Place("given.db", []byte(b.file("shop.db"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{secret, "../secret.db", "a/../../secret.db", "link.db", "hard.db", "file:shop.db?mode=rw", ":memory:", ""} {
		if r, err := b.call(t.Context(), "sql_query", m{"path": name, "query": "SELECT id FROM sale"}); err == nil {
			t.Errorf("sql_query reads %q: %s", name, r.Text)
		}
	}
	for _, name := range []string{secret, "../new.db", "a/../../new.db", "link.db", "hard.db", "near.db", "given.db", ""} {
		if r, err := b.call(t.Context(), "sql_exec", m{"path": name, "statement": "CREATE TABLE made(a)"}); err == nil {
			t.Errorf("sql_exec writes %q: %s", name, r.Text)
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(host), "new.db")); err == nil {
		t.Error("a file was made outside")
	}
	if now, err := os.ReadFile(secret); err != nil || string(now) != b.file("shop.db") {
		t.Errorf("the file outside changed (%v)", err)
	}
	b.must("sql_query", m{"path": "given.db", "query": "SELECT 1"})
	b.must("sql_query", m{"path": "near.db", "query": "SELECT 1"})
	b.must("sql_exec", m{"path": "sub/dir/new.db", "statement": "CREATE TABLE made(a)"})
}

func TestWhatIsNoDatabase(t *testing.T) {
	b := shop(t)
	whole := b.file("shop.db")
	for name, body := range map[string]string{"text.db": strings.Repeat("this is no database ", 50), "cut.db": whole[:100], "head.db": whole[:16] + strings.Repeat("\xff", 4096)} {
		if err := b.dir.WriteFile(name, []byte(body)); err != nil {
			t.Fatal(err)
		}
		b.refused("sql_query", m{"path": name, "query": "SELECT * FROM sale"}, akitad.InvalidRequest, "")
		b.refused("sql_exec", m{"path": name, "statement": "CREATE TABLE a(b)"}, akitad.InvalidRequest, "")
		if b.file(name) != body {
			t.Errorf("%s changed", name)
		}
	}
	if err := b.dir.WriteFile("empty.db", nil); err != nil {
		t.Fatal(err)
	}
	b.must("sql_exec", m{"path": "empty.db", "statement": "CREATE TABLE a(b)"})
	for _, ending := range []string{"-wal", "-journal"} {
		if err := b.dir.WriteFile("shop.db"+ending, []byte("x")); err != nil {
			t.Fatal(err)
		}
		b.refused("sql_query", m{"path": "shop.db", "query": "SELECT 1"}, akitad.InvalidRequest, "not closed")
		if err := os.Remove(filepath.Join(b.dir.Path(), "shop.db"+ending)); err != nil {
			t.Fatal(err)
		}
	}
}

// A file in WAL mode is read and written; what comes of it is not in WAL mode.
func TestWriteAheadLogging(t *testing.T) {
	b := shop(t)
	body := []byte(b.file("shop.db"))
	body[18], body[19] = 2, 2
	if err := b.dir.WriteFile("wal.db", body); err != nil {
		t.Fatal(err)
	}
	b.want("sql_query", m{"path": "wal.db", "query": "SELECT count(*) AS n FROM sale"}, `{"columns":["n"],"rows":[{"n":3}],"total":1,"shown":1}`)
	b.must("sql_exec", m{"path": "wal.db", "statement": "DELETE FROM sale WHERE id = 1"})
	if got := b.file("wal.db"); got[18] != 1 || got[19] != 1 || b.names() != "shop.db wal.db" {
		t.Errorf("mode %d %d, files %s", got[18], got[19], b.names())
	}
}

func TestExec(t *testing.T) {
	b := newBench(t, data.Options{})
	insert := m{
		"path": "d.db", "setup": "CREATE TABLE IF NOT EXISTS sale(id TEXT PRIMARY KEY, total REAL, shop TEXT)",
		"statement": "INSERT INTO sale(id, total, shop) VALUES (:id, :total, :shop) ON CONFLICT DO NOTHING",
		"rows":      []m{{"id": "a", "total": 1.5}, {"id": "b", "total": 2, "shop": "north"}, {"id": "a", "total": 9}},
	}
	b.want("sql_exec", insert, `{"changes":2,"rows":3,"changed":true}`)
	first := b.file("d.db")
	r, err := b.call(t.Context(), "sql_exec", insert)
	if err != nil || r.Text != `{"changes":0,"rows":3,"changed":false}` || len(r.Changed) != 0 || b.file("d.db") != first {
		t.Errorf("the same rows again give %s, changed %v (%v)", r.Text, r.Changed, err)
	}
	b.want("sql_query", m{"path": "d.db", "query": "SELECT * FROM sale ORDER BY id"},
		`{"columns":["id","total","shop"],"rows":[{"id":"a","total":1.5,"shop":null},{"id":"b","total":2,"shop":"north"}],"total":2,"shown":2}`)
	r, err = b.call(t.Context(), "sql_exec", m{"path": "./d.db", "statement": "UPDATE sale SET shop = :s WHERE shop IS NULL", "params": m{"s": "süd"}})
	if err != nil || r.Text != `{"changes":1,"rows":0,"changed":true}` || len(r.Changed) != 1 || r.Changed[0] != "d.db" {
		t.Errorf("%s changed %v (%v)", r.Text, r.Changed, err)
	}
	b.want("sql_exec", m{"path": "d.db", "setup": insert["setup"], "statement": insert["statement"], "rows": []m{}}, `{"changes":0,"rows":0,"changed":false}`)
	b.must("sql_exec", m{"path": "d.db", "statement": "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('hello world')"})
	b.want("sql_query", m{"path": "d.db", "query": "SELECT x FROM f WHERE f MATCH 'hello'"}, `{"columns":["x"],"rows":[{"x":"hello world"}],"total":1,"shown":1}`)
}

// All of a call happens, or nothing of it.
func TestExecIsWhole(t *testing.T) {
	b := shop(t)
	before := b.file("shop.db")
	insert := "INSERT INTO sale(id, shop) VALUES (:id, 'x')"
	b.refused("sql_exec", m{"path": "shop.db", "statement": insert, "rows": []m{{"id": 5}, {"id": 6}, {"id": 1}}}, akitad.InvalidRequest, "row 3: ")
	b.refused("sql_exec", m{"path": "shop.db", "statement": "DELETE FROM sale; INSERT INTO nowhere VALUES (1)"}, akitad.InvalidRequest, "no such table")
	b.refused("sql_exec", m{"path": "shop.db", "statement": "CREATE TABLE c(s REFERENCES sale(id) DEFERRABLE INITIALLY DEFERRED); INSERT INTO c VALUES (77)"}, akitad.InvalidRequest, "FOREIGN KEY")
	b.refused("sql_exec", m{"path": "shop.db", "statement": insert, "rows": []any{m{"id": 5}, 7}}, akitad.InvalidRequest, "row 2: 7 is not an object")
	b.refused("sql_exec", m{"path": "shop.db", "statement": insert, "rows": []m{{"ID": 5}}}, akitad.InvalidRequest, `"id"`)
	b.refused("sql_exec", m{"path": "shop.db", "statement": "INSERT INTO sale(id) VALUES (?)", "rows": []m{{"id": 5}}}, akitad.InvalidRequest, "have names")
	b.refused("sql_exec", m{"path": "shop.db", "setup": insert, "statement": insert}, akitad.InvalidRequest, "setup has parameters")
	b.refused("sql_exec", m{"path": "shop.db", "statement": " "}, akitad.InvalidRequest, "empty")
	b.refused("sql_exec", m{"path": "shop.db", "statement": "CREATE TABLE big(x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 10) INSERT INTO big SELECT zeroblob(10000000) FROM n"}, akitad.InvalidRequest, "more than 67108864 bytes")
	if b.file("shop.db") != before || b.names() != "shop.db" {
		t.Errorf("the folder changed: %s", b.names())
	}
}

// A task's first write can be taken back, and two tasks do not write one file at a time.
func TestExecWritesLikeOtherTools(t *testing.T) {
	b := shop(t)
	before := b.file("shop.db")
	b.scope.Root, b.scope.Task = akitad.DeriveTaskID("second"), akitad.DeriveTaskID("a part of it")
	b.must("sql_exec", m{"path": "shop.db", "statement": "DELETE FROM sale"})
	if _, err := b.dir.Rollback(b.scope.Task); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("a child has a snapshot of its own: %v", err)
	}
	if _, err := b.dir.Rollback(b.scope.Root); err != nil {
		t.Fatal(err)
	}
	if b.file("shop.db") != before {
		t.Error("rolled back to something else")
	}
	other := akitad.DeriveTaskID("other")
	defer b.dir.Begin(other)()
	defer b.dir.Begin(b.scope.Task)()
	if err := b.dir.Own(other, "shop.db"); err != nil {
		t.Fatal(err)
	}
	b.refused("sql_exec", m{"path": "shop.db", "statement": "DELETE FROM sale"}, akitad.PermissionDenied, string(other))
}

func TestDedupe(t *testing.T) {
	b := newBench(t, data.Options{})
	if err := b.dir.WriteFile("s.csv", []byte("id,shop\n1,a\n2,b\n1,c\n,d\n")); err != nil {
		t.Fatal(err)
	}
	rows := []m{{"id": 1, "s": "a"}, {"id": "1", "s": "b"}, {"id": 2, "s": "a"}, {"s": "c"}, {"id": nil, "s": "d"}, {"id": 1.5, "s": "e"}}
	for _, tt := range []struct {
		name string
		args m
		want string
	}{
		{"the first stays", m{"rows": rows, "key": "id"}, `{"rows":[{"id":1,"s":"a"},{"id":2,"s":"a"},{"s":"c"},{"id":null,"s":"d"},{"id":1.5,"s":"e"}],"total":6,"kept":5,"dropped":1,"without_key":2}`},
		{"the last stays", m{"rows": rows, "key": "id", "keep": "last"}, `{"rows":[{"id":"1","s":"b"},{"id":2,"s":"a"},{"s":"c"},{"id":null,"s":"d"},{"id":1.5,"s":"e"}],"total":6,"kept":5,"dropped":1,"without_key":2}`},
		{"two columns", m{"rows": rows[:3], "key": "id, s"}, `{"rows":[{"id":1,"s":"a"},{"id":"1","s":"b"},{"id":2,"s":"a"}],"total":3,"kept":3,"dropped":0,"without_key":0}`},
		{"from a file", m{"path": "s.csv", "key": "id", "keep": "last"}, `{"rows":[{"id":"2","shop":"b"},{"id":"1","shop":"c"},{"id":"","shop":"d"}],"total":4,"kept":3,"dropped":1,"without_key":0}`},
		{"of nothing", m{"rows": []m{}, "key": "id"}, `{"rows":[],"total":0,"kept":0,"dropped":0,"without_key":0}`},
	} {
		t.Run(tt.name, func(t *testing.T) { b.want("dedupe", tt.args, tt.want) })
	}
	raw := `{"key":"id","rows":[{"id":12345678901234567890123,"x":"<&>"},{"id":12345678901234567890124,"x":1.10}]}`
	r, err := b.rawCall(t.Context(), "dedupe", []byte(raw))
	if err != nil || !strings.Contains(r.Text, `[{"id":12345678901234567890123,"x":"<&>"},{"id":12345678901234567890124,"x":1.10}]`) {
		t.Errorf("rows do not stay as they came: %s (%v)", r.Text, err)
	}
	b.refused("dedupe", m{"rows": rows, "key": "nr"}, akitad.InvalidRequest, `"nr"`)
	b.refused("dedupe", m{"rows": rows, "key": " , "}, akitad.InvalidRequest, "empty")
	b.refused("dedupe", m{"rows": []any{1}, "key": "id"}, akitad.InvalidRequest, "row 1")
	b.refused("dedupe", m{"rows": rows, "path": "s.csv", "key": "id"}, akitad.InvalidRequest, "both")
	b.refused("dedupe", m{"path": "../x.csv", "key": "id"}, akitad.PermissionDenied, "x.csv")
}

// What somebody sent in a chat is marked wherever it comes out.
func TestUntrusted(t *testing.T) {
	b := shop(t)
	if err := b.dir.Place("chat.db", []byte(b.file("shop.db"))); err != nil {
		t.Fatal(err)
	}
	b.scope.Origin.Channel = "telegram"
	for name, want := range map[string]bool{"chat.db": true, "shop.db": false} {
		r, err := b.call(t.Context(), "sql_query", m{"path": name, "query": "SELECT 1"})
		if err != nil || r.Untrusted != want {
			t.Errorf("%s: untrusted %v (%v)", name, r.Untrusted, err)
		}
	}
}

// No SQL makes sql_query panic, write, or leave something in the folder.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"SELECT 1", "SELECT :a", "';--", "/*", "SELECT \"", "ATTACH 'x' AS y", "PRAGMA database_list", "WITH x AS (SELECT 1) SELECT * FROM x;;", "[", "$", "?1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		b := newBench(t, data.Options{})
		b.must("sql_exec", m{"path": "a.db", "statement": "CREATE TABLE t(x)"})
		before := b.file("a.db")
		b.tools = newBench(t, data.Options{Time: 200 * time.Millisecond}).tools
		_, err := b.call(t.Context(), "sql_query", m{"path": "a.db", "query": sql})
		if kind := akitad.KindOf(err); kind == akitad.Unknown || kind == akitad.Unavailable {
			t.Errorf("%q fails without a reason: %v", sql, err)
		}
		if b.file("a.db") != before || b.names() != "a.db" {
			t.Errorf("%q changes the folder: %s", sql, b.names())
		}
	})
}
