package extract_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/extract"
	"github.com/akitad/akitad/workspace"
)

// folder makes a session's folder with some files.
func folder(t testing.TB, files map[string]string) *workspace.Dir {
	t.Helper()
	w, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.Dir("s")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := d.WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

const (
	boxLog = `2026-05-04T10:00:00Z INFO a took=5ms
2026-05-04T10:00:30Z ERROR cannot open box 7
2026-05-04T10:01:00Z WARN b
2026-05-04T10:01:30Z ERROR cannot open box 9
2026-05-04T11:00:00Z FATAL stopped
`
	shopCSV = "item,kind,price,sold at\ncup,glass,2.50,2026-01-02\npan,iron,12.00,2026-01-03\njug,glass,7.25,2026-02-01\nlid,iron,n/a,2026-02-02\n"
)

// body gives the answer without its lines about the files.
func body(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		if !strings.HasPrefix(line, "# ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func TestExtract(t *testing.T) {
	d := folder(t, map[string]string{
		"box.log": boxLog, "shop.csv": shopCSV, "logs/a.log": boxLog, "logs/b.log": boxLog,
		"trip.csv": "boat,out,back,sailed,landed\nA,2026-01-02,2026-01-09,08:00:00,08:30:30\nB,2026-02-01,,09:00:00,08:59:00\nC,2026-02-03,2026-03-01,10:00:00,10:00:00\n",
		"doc.md":   "# T\n| k | v |\n|---|---|\n| a | 1 |\n", "re.txt": "x=1;\ny\nx=3;\n",
	})
	for name, tt := range map[string]struct {
		args extract.Args
		want string
	}{
		"rows":                     {extract.Args{Path: "box.log", Limit: 1}, "source\ttime\tlevel\tmessage\ttook\tduration_ms\nbox.log:1\t2026-05-04T10:00:00Z\tINFO\ta\t5ms\t5\n[rows 1-1 of 5; next offset 1]"},
		"columns":                  {extract.Args{Path: "shop.csv", Columns: "item, price", Offset: 2}, "source\titem\tprice\nshop.csv:4\tjug\t7.25\nshop.csv:5\tlid\tn/a\n[rows 3-4 of 4]"},
		"equal, whatever the case": {extract.Args{Path: "shop.csv", Where: "kind = GLASS", Columns: "item"}, "source\titem\nshop.csv:2\tcup\nshop.csv:4\tjug\n[rows 1-2 of 2]"},
		"numbers":                  {extract.Args{Path: "shop.csv", Where: "price > 7", Columns: "item"}, "source\titem\nshop.csv:3\tpan\nshop.csv:4\tjug\n[rows 1-2 of 2]"},
		"several":                  {extract.Args{Path: "shop.csv", Where: `kind = "iron" and price >= 12 and item !~ "^c"`, Columns: "item"}, "source\titem\nshop.csv:3\tpan\n[rows 1-1 of 1]"},
		"in":                       {extract.Args{Path: "shop.csv", Where: "item in (cup, 'lid')", Columns: "item"}, "source\titem\nshop.csv:2\tcup\nshop.csv:5\tlid\n[rows 1-2 of 2]"},
		"not contains":             {extract.Args{Path: "box.log", Where: "any not contains box and level != info", Columns: "message"}, "source\tmessage\nbox.log:3\tb\nbox.log:5\tstopped\n[rows 1-2 of 2]"},
		"levels":                   {extract.Args{Path: "box.log", Where: "level >= error", Aggregate: "count"}, "count\tfirst_source\tlast_source\n3\tbox.log:2\tbox.log:5\n[groups 1-1 of 1]"},
		"time":                     {extract.Args{Path: "box.log", Since: "10:01", Until: "11:00", Columns: "level"}, "source\tlevel\nbox.log:3\tWARN\nbox.log:4\tERROR\n[rows 1-2 of 2]"},
		"day":                      {extract.Args{Path: "shop.csv", Since: "2026-01-03", Until: "2026-02-01", Columns: "item"}, "source\titem\nshop.csv:3\tpan\nshop.csv:4\tjug\n[rows 1-2 of 2]"},
		"time column":              {extract.Args{Path: "shop.csv", Where: "sold_at < 2026-01-03", Columns: "item"}, "source\titem\nshop.csv:2\tcup\n[rows 1-1 of 1]"},
		"groups": {
			extract.Args{Path: "shop.csv", GroupBy: "kind", Aggregate: "count, sum(price), avg(price), min(price), max(price), first(item), last(item)"},
			"kind\tcount\tsum(price)\tavg(price)\tmin(price)\tmax(price)\tfirst(item)\tlast(item)\tfirst_source\tlast_source\nglass\t2\t9.75\t4.875\t2.50\t7.25\tcup\tjug\tshop.csv:2\tshop.csv:4\niron\t2\t12\t12\t12.00\t12.00\tpan\tlid\tshop.csv:3\tshop.csv:5\n[groups 1-2 of 2]",
		},
		"by time":               {extract.Args{Path: "box.log", GroupBy: "hour"}, "hour\tcount\tfirst_source\tlast_source\n2026-05-04T10:00Z\t4\tbox.log:1\tbox.log:4\n2026-05-04T11:00Z\t1\tbox.log:5\tbox.log:5\n[groups 1-2 of 2]"},
		"by another's month":    {extract.Args{Path: "trip.csv", GroupBy: "month(back)", Where: `back != ""`}, "month(back)\tcount\tfirst_source\tlast_source\n2026-01\t1\ttrip.csv:2\ttrip.csv:2\n2026-03\t1\ttrip.csv:4\ttrip.csv:4\n[groups 1-2 of 2]"},
		"days apart":            {extract.Args{Path: "trip.csv", Aggregate: "sum(back-out),count(back-out)"}, "sum(back-out)\tcount(back-out)\tfirst_source\tlast_source\n33\t2\ttrip.csv:2\ttrip.csv:4\n[groups 1-1 of 1]"},
		"minutes apart":         {extract.Args{Path: "trip.csv", Where: "landed-sailed > 0", Columns: "boat, landed-sailed"}, "source\tboat\tlanded-sailed\ntrip.csv:2\tA\t30.5\n[rows 1-1 of 1]"},
		"by month":              {extract.Args{Path: "shop.csv", GroupBy: "month", Order: "count desc", Limit: 1}, "month\tcount\tfirst_source\tlast_source\n2026-01\t2\tshop.csv:2\tshop.csv:3\n[groups 1-1 of 2; next offset 1]"},
		"normalised":            {extract.Args{Path: "box.log", GroupBy: "message", Where: "level = error", Normalise: true}, "message\tcount\tfirst_source\tlast_source\ncannot open box <n>\t2\tbox.log:2\tbox.log:4\n[groups 1-1 of 1]"},
		"last":                  {extract.Args{Path: "box.log", Order: "line desc", Limit: 2, Columns: "level"}, "source\tlevel\nbox.log:5\tFATAL\nbox.log:4\tERROR\n[rows 1-2 of 5; next offset 2]"},
		"largest":               {extract.Args{Path: "shop.csv", Order: "price desc", Where: "price > 0", Limit: 1, Columns: "price"}, "source\tprice\nshop.csv:3\t12.00\n[rows 1-1 of 3; next offset 1]"},
		"a text is no largest":  {extract.Args{Path: "shop.csv", Order: "price desc", Limit: 1, Columns: "price"}, "source\tprice\nshop.csv:3\t12.00\n[rows 1-1 of 3; next offset 1]"},
		"a text is no smallest": {extract.Args{Path: "shop.csv", Aggregate: "min(price),max(price)"}, "min(price)\tmax(price)\tfirst_source\tlast_source\n2.50\t12.00\tshop.csv:2\tshop.csv:5\n[groups 1-1 of 1]"},
		"texts have an order":   {extract.Args{Path: "shop.csv", Order: "item desc", Limit: 2, Columns: "item"}, "source\titem\nshop.csv:3\tpan\nshop.csv:5\tlid\n[rows 1-2 of 4; next offset 2]"},
		"glob":                  {extract.Args{Path: "logs/*.log", GroupBy: "file"}, "file\tcount\tfirst_source\tlast_source\nlogs/a.log\t5\tlogs/a.log:1\tlogs/a.log:5\nlogs/b.log\t5\tlogs/b.log:1\tlogs/b.log:5\n[groups 1-2 of 2]"},
		"list of files":         {extract.Args{Path: "box.log, **/a.log", Aggregate: "count,distinct(level)"}, "count\tdistinct(level)\tfirst_source\tlast_source\n10\t4\tbox.log:1\tlogs/a.log:5\n[groups 1-1 of 1]"},
		"table":                 {extract.Args{Path: "doc.md"}, "source\tk\tv\tsection\ndoc.md:4\ta\t1\tT\n[rows 1-1 of 1]"},
		"headings":              {extract.Args{Path: "doc.md", Format: "headings"}, "source\tdepth\ttitle\tlines\ndoc.md:1\t1\tT\t3\n[rows 1-1 of 1]"},
		"pattern":               {extract.Args{Path: "re.txt", Pattern: `(?P<k>\w)=(?P<n>\d)`}, "source\tk\tn\nre.txt:1\tx\t1\nre.txt:3\tx\t3\n[rows 1-2 of 2]"},
		"figures of nothing":    {extract.Args{Path: "box.log", Where: "message = nothing", Aggregate: "count,sum(duration_ms)"}, "count\tsum(duration_ms)\tfirst_source\tlast_source\n0\t\t\t\n[groups 1-1 of 1]"},
		"no rows":               {extract.Args{Path: "box.log", Where: "message = nothing"}, "source\t\n[no rows of 0]"},
		"percentiles":           {extract.Args{Path: "shop.csv", Aggregate: "median(price),p95(price)"}, "median(price)\tp95(price)\tfirst_source\tlast_source\n7.25\t12\tshop.csv:2\tshop.csv:5\n[groups 1-1 of 1]"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := extract.Run(t.Context(), d, tt.args)
			if err != nil || body(got) != tt.want {
				t.Errorf("%v\n got %q\nwant %q", err, body(got), tt.want)
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	d := folder(t, map[string]string{"shop.csv": shopCSV})
	got, err := extract.Run(t.Context(), d, extract.Args{Path: "shop.csv", Describe: true, LookFor: "glass, jug, nowhere"})
	want := "# shop.csv format=csv lines=5 rows=4 matched=4 malformed=0\n" +
		"column\tkind\tfilled\tdistinct\tmin\tmax\texamples\n" +
		"item\ttext\t4\t4\tcup\tpan\tcup=1; jug=1; lid=1; pan=1\n" +
		"kind\ttext\t4\t2\tglass\tiron\tglass=2; iron=2\n" +
		"price\tnumber\t4\t4\t2.50\t12.00\t12.00=1; 2.50=1; 7.25=1; n/a=1\n" +
		"sold_at\ttime\t4\t4\t2026-01-02\t2026-02-02\t2026-01-02=1; 2026-01-03=1; 2026-02-01=1; 2026-02-02=1\n" +
		"# found \"glass\" mentions=2 first=\"shop.csv:2\" \"kind\"=2\n# found \"jug\" mentions=1 first=\"shop.csv:4\" \"item\"=1\n# found \"nowhere\" mentions=0\n[4 columns]"
	if err != nil || got != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

// TestTellsWhatItLeftOut: lines it could not read, values that are no numbers.
func TestTellsWhatItLeftOut(t *testing.T) {
	d := folder(t, map[string]string{"a.log": boxLog + "noise\n", "shop.csv": shopCSV})
	got, _ := extract.Run(t.Context(), d, extract.Args{Path: "a.log", Aggregate: "count"})
	if !strings.Contains(got, "malformed=1 malformed_at=6") {
		t.Errorf("malformed lines: %s", got)
	}
	got, _ = extract.Run(t.Context(), d, extract.Args{Path: "shop.csv", Aggregate: "sum(price)"})
	if !strings.Contains(got, "# sum(price): skipped=1") || !strings.Contains(got, "21.75") {
		t.Errorf("values that are no numbers: %s", got)
	}
}

func TestErrors(t *testing.T) {
	d := folder(t, map[string]string{"box.log": boxLog, "logs/a.log": boxLog})
	for name, tt := range map[string]struct {
		args extract.Args
		kind akitad.Kind
		hint string
	}{
		"no path":          {extract.Args{}, akitad.InvalidRequest, "app.log"},
		"no such file":     {extract.Args{Path: "bax.log"}, akitad.NotFound, "box.log"},
		"no match":         {extract.Args{Path: "*.csv"}, akitad.NotFound, "box.log"},
		"a folder":         {extract.Args{Path: "logs"}, akitad.InvalidRequest, "logs/*"},
		"unknown column":   {extract.Args{Path: "box.log", Where: "colour = red"}, akitad.InvalidRequest, "message"},
		"unknown operator": {extract.Args{Path: "box.log", Where: "level is error"}, akitad.InvalidRequest, "contains"},
		"or":               {extract.Args{Path: "box.log", Where: "level = error or level = warn"}, akitad.InvalidRequest, "in (...)"},
		"open quote":       {extract.Args{Path: "box.log", Where: `message = "x`}, akitad.InvalidRequest, "quote"},
		"bad pattern":      {extract.Args{Path: "box.log", Where: "message ~ '('"}, akitad.InvalidRequest, ""},
		"half a condition": {extract.Args{Path: "box.log", Where: "level = error and"}, akitad.InvalidRequest, "op"},
		"bad time":         {extract.Args{Path: "box.log", Since: "yesterday"}, akitad.InvalidRequest, "10:05"},
		"bad format":       {extract.Args{Path: "box.log", Format: "xml"}, akitad.InvalidRequest, "csv"},
		"bad aggregate":    {extract.Args{Path: "box.log", Aggregate: "sum"}, akitad.InvalidRequest, "sum(column)"},
		"bad function":     {extract.Args{Path: "box.log", Aggregate: "mode(x)"}, akitad.InvalidRequest, "avg"},
		"bad order":        {extract.Args{Path: "box.log", GroupBy: "level", Order: "size desc"}, akitad.InvalidRequest, "count"},
		"bad limit":        {extract.Args{Path: "box.log", Limit: 5000}, akitad.InvalidRequest, ""},
		"outside":          {extract.Args{Path: "../../etc/passwd"}, akitad.PermissionDenied, ""},
		"absolute":         {extract.Args{Path: "/etc/passwd"}, akitad.PermissionDenied, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := extract.Run(t.Context(), d, tt.args)
			var e *akitad.Error
			if akitad.KindOf(err) != tt.kind || !errors.As(err, &e) || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("%v (%s), hint %q; want %s, %q", err, akitad.KindOf(err), e.Hint, tt.kind, tt.hint)
			}
		})
	}
}

// TestBounded holds the size of answers, whatever they are asked for.
func TestBounded(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "2026-05-04T10:%02d:%02dZ INFO message %d %s\n", i/60%60, i%60, i, strings.Repeat("long ", i%200))
	}
	d := folder(t, map[string]string{"big.log": b.String()})
	for _, tt := range []struct {
		args  extract.Args
		limit int
	}{
		{extract.Args{Path: "big.log"}, 4600},
		{extract.Args{Path: "big.log", GroupBy: "message"}, 4600},
		{extract.Args{Path: "big.log", Limit: 1000}, 16600},
		{extract.Args{Path: "big.log", GroupBy: "message", Limit: 1000}, 16600},
		{extract.Args{Path: "big.log", Describe: true}, 16600},
	} {
		got, err := extract.Run(t.Context(), d, tt.args)
		if err != nil || len(got) > tt.limit {
			t.Errorf("%+v: %d bytes, %v", tt.args, len(got), err)
		}
		if !tt.args.Describe && !strings.Contains(got, "of 20000") {
			t.Errorf("%+v: the total is not told", tt.args)
		}
	}
}

func TestCancelled(t *testing.T) {
	d := folder(t, map[string]string{"big.log": strings.Repeat("2026-05-04T10:00:00Z INFO x\n", 5000)})
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, err := extract.Run(ctx, d, extract.Args{Path: "big.log"}); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("a call that was cancelled: %v", err)
	}
}

// TestTool goes through the schema as a model's call does.
func TestTool(t *testing.T) {
	d := folder(t, map[string]string{"box.log": boxLog})
	ex, err := extract.New()
	if err != nil {
		t.Fatal(err)
	}
	i := ex.Info()
	if !i.Readonly || !i.Idempotent || !i.ParallelSafe || i.Risk != tool.RiskRead || i.Description == "" {
		t.Errorf("info %+v", i)
	}
	form, err := tool.NewArguments(i)
	if err != nil {
		t.Fatal(err)
	}
	args, err := form.Prepare(json.RawMessage(`{"path":"box.log","where":"level >= error","limit":"1"}`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := ex.Call(t.Context(), tool.Input{Args: args, Scope: tool.Scope{Dir: d}})
	if err != nil || !strings.Contains(res.Text, "box.log:2") {
		t.Errorf("%v, %v", res, err)
	}
	if _, err := form.Prepare(json.RawMessage(`{"where":"x = 1"}`)); err == nil {
		t.Error("a call without path passes")
	}
}

// FuzzWhere holds that filters of any kind end in an answer or a helpful error.
func FuzzWhere(f *testing.F) {
	for _, s := range []string{"level >= error and any contains 'a b'", "message ~ '('", "x in (a,", "a", "any != 1", "time < 10:00 and line > 2", "\"message\" = \"\\\"\""} {
		f.Add(s, "count desc", "message")
	}
	d := folder(f, map[string]string{"box.log": boxLog})
	f.Fuzz(func(t *testing.T, where, order, group string) {
		_, err := extract.Run(t.Context(), d, extract.Args{Path: "box.log", Where: where, Order: order, GroupBy: group, Normalise: true})
		if err != nil && akitad.KindOf(err) == akitad.Unknown {
			t.Errorf("%q: %v", where, err)
		}
	})
}

// BenchmarkCount measures one call over a log of about 60 MB.
func BenchmarkCount(b *testing.B) {
	text := strings.Repeat(boxLog, 300_000)
	d := folder(b, map[string]string{"big.log": text})
	for name, args := range map[string]extract.Args{
		"count": {Path: "big.log", Where: "level >= error", Aggregate: "count"}, "messages": {Path: "big.log", GroupBy: "message", Normalise: true}, "describe": {Path: "big.log", Describe: true},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := extract.Run(b.Context(), d, args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// As JSON the answer is what a plan's next step takes: whole values, and nothing left out unsaid.
func TestAsJSON(t *testing.T) {
	long := "id,note\n"
	for i := range 10_001 {
		long += fmt.Sprintf("%d,x\n", i)
	}
	d := folder(t, map[string]string{
		"flat.json": `[{"n":1},{"n":2},{"n":3}]`,
		"box.log":   boxLog, "shop.csv": shopCSV, "ids.csv": "id,n,x\n007,1,<a>\n12345678901234567890,1.50,\"a,\"\"b\"\"\"\n-3,2.5,\n", "long.csv": long,
	})
	for _, tt := range []struct {
		name string
		args extract.Args
		want string
	}{
		{"rows", extract.Args{Path: "ids.csv", As: "json"}, `{"rows":[{"id":"007","n":1,"x":"<a>"},{"id":"12345678901234567890","n":"1.50","x":"a,\"b\""},{"id":-3,"n":2.5,"x":""}],"total":3,"shown":3,"files":[{"name":"ids.csv","rows":3,"matched":3,"malformed":0}]}`},
		{"named columns", extract.Args{Path: "box.log", As: "JSON", Columns: "level, line", Where: "level >= error"}, `{"rows":[{"level":"ERROR","line":2},{"level":"ERROR","line":4},{"level":"FATAL","line":5}],"total":3,"shown":3,"files":[{"name":"box.log","rows":5,"matched":3,"malformed":0}]}`},
		{"groups", extract.Args{Path: "shop.csv", As: "json", GroupBy: "kind", Aggregate: "count, sum(price)", Order: "kind asc"}, `{"rows":[{"kind":"glass","count":2,"sum(price)":9.75},{"kind":"iron","count":2,"sum(price)":12}],"total":2,"shown":2,"files":[{"name":"shop.csv","rows":4,"matched":4,"malformed":0}]}`},
		{"a limit that was asked for", extract.Args{Path: "box.log", As: "json", Columns: "line", Limit: 1, Offset: 1}, `{"rows":[{"line":2}],"total":5,"shown":1,"files":[{"name":"box.log","rows":5,"matched":5,"malformed":0}]}`},
		{"the last of an array in one line", extract.Args{Path: "flat.json", As: "json", Order: "line desc", Limit: 2}, `{"rows":[{"n":3},{"n":2}],"total":3,"shown":2,"files":[{"name":"flat.json","rows":3,"matched":3,"malformed":0}]}`},
		{"the first of it", extract.Args{Path: "flat.json", As: "json", Order: "line asc", Limit: 1}, `{"rows":[{"n":1}],"total":3,"shown":1,"files":[{"name":"flat.json","rows":3,"matched":3,"malformed":0}]}`},
		{"none", extract.Args{Path: "box.log", As: "json", Where: "level = TRACE"}, `{"rows":[],"total":0,"shown":0,"files":[{"name":"box.log","rows":5,"matched":0,"malformed":0}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := extract.Run(t.Context(), d, tt.args)
			if err != nil || got != tt.want {
				t.Errorf("got %s (%v), want %s", got, err, tt.want)
			}
		})
	}
	for _, a := range []extract.Args{
		{Path: "box.log", As: "xml"}, {Path: "box.log", As: "json", Describe: true}, {Path: "long.csv", As: "json"}, {Path: "long.csv", As: "json", Limit: 10_001},
	} {
		if got, err := extract.Run(t.Context(), d, a); akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%+v gives %.60s (%v)", a, got, err)
		}
	}
}

// Files that are PDF are read as the text in them; those without text say why.
func TestPDF(t *testing.T) {
	page := func(draws string) string {
		return "%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<</Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n" +
			"4 0 obj<<>>stream\n" + draws + "\nendstream endobj 5 0 obj<</Subtype/Type1/BaseFont/Courier>>endobj trailer<</Root 1 0 R>>"
	}
	d := folder(t, map[string]string{
		"bill.pdf": page("BT /F1 10 Tf 14 TL 50 700 Td (Rope 3 pieces) Tj T* (Anchor 1 piece) Tj T* (Lamp 2 pieces) Tj ET"),
		"scan.pdf": page(""),
	})
	got, err := extract.Run(t.Context(), d, extract.Args{Path: "bill.pdf", Where: "any contains Anchor"})
	if err != nil || !strings.Contains(got, "Anchor 1 piece") || !strings.Contains(got, "bill.pdf:2") {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := extract.Run(t.Context(), d, extract.Args{Path: "scan.pdf"}); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), "holds no text") {
		t.Errorf("a PDF without text: %v", err)
	}
}
