package rows_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/rows"
)

// read gives each row as "line name=value name=value".
func read(t testing.TB, name, text string, opts rows.Options) ([]string, rows.Stats) {
	t.Helper()
	var out []string
	stats, err := rows.Read(strings.NewReader(text), name, opts, func(r *rows.Row) error {
		line := fmt.Sprint(r.Line)
		for _, f := range r.Fields {
			line += " " + f.Name + "=" + f.Value
		}
		out = append(out, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, stats
}

// TestInnerFields reads the parts of application lines that are columns, and Chinese levels.
func TestInnerFields(t *testing.T) {
	for line, want := range map[string]map[string]string{
		"2026-05-01T00:00:01Z INFO pool-5 job=16 took=870ms ok":    {"level": "INFO", "job": "16", "took": "870ms", "duration_ms": "870", "message": "pool-5 job=16 took=870ms ok"},
		"[2026/03/14 08:00:02.819 +0800] <WARN> (mill) ground 2":   {"level": "WARN", "service": "mill", "message": "ground 2"},
		"2026-05-01T00:00:01Z INFO (3) tries left":                 {"level": "INFO", "message": "(3) tries left"},
		"2026-02-02 06:05:22 [错误] 磨坊: 停了":                          {"level": "错误"},
		"ts=2026-07-01T10:20:01Z level=warn msg=\"low\" dur=4.50s": {"level": "WARN", "duration_ms": "4500"},
	} {
		_, err := rows.Read(strings.NewReader(line+"\n"), "a.log", rows.Options{Format: rows.Log}, func(r *rows.Row) error {
			for name, v := range want {
				if got, _ := r.Field(name); got != v {
					t.Errorf("%s: %s is %q, want %q", line, name, got, v)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for zh, en := range map[string]string{"信息": "info", "警告": "WARNING", "错误": "ERROR", "严重": "crit", "致命": "FATAL", "调试": "DEBUG"} {
		if !rows.SameLevel(zh, en) || rows.Severity(zh) != rows.Severity(en) {
			t.Errorf("%s is not %s", zh, en)
		}
	}
}

func TestLogForms(t *testing.T) {
	for line, want := range map[string]string{
		"2026-11-30T10:12:02.100000001Z stderr F E1130 10:12:01.123456       1 sync.go:81] no route":                                    "level=ERROR pid=1 source=sync.go:81 message=no route time=2026-11-30T10:12:02.100000001Z stream=stderr",
		"2026-11-30T10:12:01Z stdout F WARN low disk":                                                                                   "level=WARN message=low disk time=2026-11-30T10:12:01Z stream=stdout",
		"2026-11-30T10:12:01Z stdout P half of a":                                                                                       "message=half of a time=2026-11-30T10:12:01Z stream=stdout",
		"2026-11-30T10:12:01Z stdout F {\"level\":\"error\",\"msg\":\"no\"}":                                                            "level=ERROR message=no time=2026-11-30T10:12:01Z stream=stdout",
		"web-1  | E1130 10:12:01.123456       1 sync.go:81] no route":                                                                   "time=Nov 30 10:12:01.123456 level=ERROR pid=1 source=sync.go:81 message=no route service=web-1",
		"2026-11-30T10:12:01Z stdout closed F":                                                                                          "time=2026-11-30T10:12:01Z message=stdout closed F",
		"2026-11-30T10:12:01.123Z INFO started":                                                                                         "time=2026-11-30T10:12:01.123Z level=INFO message=started",
		"2026-11-30 10:12:01,123 [main] ERROR no route":                                                                                 "time=2026-11-30 10:12:01.123 thread=main level=ERROR message=no route",
		"2026-11-30 10:12:01,123 - my.app - WARNING - low disk":                                                                         "time=2026-11-30 10:12:01.123 logger=my.app level=WARNING message=low disk",
		"2026-11-30 10:12:01.123  INFO 77 --- [main] c.e.App : up":                                                                      "time=2026-11-30 10:12:01.123 pid=77 thread=main logger=c.e.App level=INFO message=up",
		"[2026-11-30 10:12:01] app.ERROR: boom":                                                                                         "time=2026-11-30 10:12:01 logger=app level=ERROR message=boom",
		`[2026-11-30 10:12:01] production.WARNING: slow query {"ms":900} []`:                                                            `time=2026-11-30 10:12:01 logger=production level=WARNING message=slow query {"ms":900} []`,
		"[2026-11-30 10:12:01] see a.b.c: boom":                                                                                         "time=2026-11-30 10:12:01 message=see a.b.c: boom",
		"Nov 30 10:12:01 node-3 kubelet[812]: E1130 10:12:01.512000 812 pod.go:12] OOMKilled web":                                       "time=Nov 30 10:12:01 host=node-3 app=kubelet pid=812 level=ERROR message=OOMKilled web",
		"Nov 30 10:12:01 node-3 kubelet[812]: W1130 10:12:01.512 Disk pressure":                                                         "time=Nov 30 10:12:01 host=node-3 app=kubelet pid=812 level=WARNING message=Disk pressure",
		"Nov 30 10:12:01 node-3 app[812]: E1130 is a part":                                                                              "time=Nov 30 10:12:01 host=node-3 app=app pid=812 message=E1130 is a part",
		"ERROR 2026-11-30 10:12:01 boom":                                                                                                "time=2026-11-30 10:12:01 level=ERROR message=boom",
		"[WARN] 2026-11-30 10:12:01 hot":                                                                                                "time=2026-11-30 10:12:01 level=WARN message=hot",
		"2026/11/30 10:12:01 listening on :80":                                                                                          "time=2026-11-30 10:12:01 message=listening on :80",
		"2026-11-30T10:12:01Z | DEBUG | tick":                                                                                           "time=2026-11-30T10:12:01Z level=DEBUG message=tick",
		"2026-11-30T10:12:01Z error: no more":                                                                                           "time=2026-11-30T10:12:01Z level=ERROR message=no more",
		"2026-11-30T10:12:01Z INFO GET /x status=200 took=35ms":                                                                         "time=2026-11-30T10:12:01Z level=INFO message=GET /x status=200 took=35ms duration_ms=35",
		"2026-11-30T10:12:01Z INFO job done in 1.5s":                                                                                    "time=2026-11-30T10:12:01Z level=INFO message=job done in 1.5s duration_ms=1500",
		"2026-11-30T10:12:01Z INFO gave up after 5s":                                                                                    "time=2026-11-30T10:12:01Z level=INFO message=gave up after 5s",
		`time=2026-11-30T10:12:01Z level=warn msg="disk \"a\" full"`:                                                                    `time=2026-11-30T10:12:01Z level=WARN message=disk "a" full`,
		`{"ts":1764497521,"level":50,"msg":"x","http":{"status":503,"rt_ms":7}}`:                                                        "time=2025-11-30T10:12:01Z level=ERROR message=x http.status=503 http.rt_ms=7 duration_ms=7",
		`{"@timestamp":"2026-11-30T10:12:01Z","log.level":"INFO","message":"a\tb","n":null,"ok":true,"l":[1,2]}`:                        "time=2026-11-30T10:12:01Z level=INFO message=a\tb n= ok=true l=[1,2]",
		"<34>1 2026-11-30T10:12:01Z h1 app 7 ID1 [x@1 k=\"v\"] boom":                                                                    "time=2026-11-30T10:12:01Z level=CRIT host=h1 app=app pid=7 msgid=ID1 k=v message=boom",
		"<11>Nov 30 10:12:01 h1 app[7]: boom":                                                                                           "time=Nov 30 10:12:01 level=ERR host=h1 app=app pid=7 message=boom",
		"Nov 30 10:12:01 h1 sshd[7]: Failed password for root":                                                                          "time=Nov 30 10:12:01 host=h1 app=sshd pid=7 message=Failed password for root",
		"2026-11-30T10:12:01.5+00:00 h1 cron[9]: (root) CMD x":                                                                          "time=2026-11-30T10:12:01.500Z host=h1 app=cron pid=9 message=(root) CMD x",
		"E1130 10:12:01.123456    7 file.go:12] boom":                                                                                   "time=Nov 30 10:12:01.123456 level=ERROR pid=7 source=file.go:12 message=boom",
		`E1130 10:12:01.123456    7 f.go:12] "Sync failed" err="x y" pod="a/b"`:                                                         "time=Nov 30 10:12:01.123456 level=ERROR pid=7 source=f.go:12 message=Sync failed err=x y pod=a/b",
		`1.2.3.4 - bob [30/Nov/2026:10:12:01 +0000] "GET /a?b=1 HTTP/1.1" 200 12 "-" "curl/8" 0.250`:                                    "time=2026-11-30T10:12:01Z client=1.2.3.4 user=bob method=GET path=/a query=b=1 protocol=HTTP/1.1 status=200 bytes=12 referer=- agent=curl/8 request_time=0.250 duration_ms=250",
		`1.2.3.4 - - [30/Nov/2026:10:12:01 +0000] "-" 400 0`:                                                                            "time=2026-11-30T10:12:01Z client=1.2.3.4 request=- status=400 bytes=0",
		`1.2.3.4 - - [30/Nov/2026:10:12:01 +0000] "GET /a HTTP/1.1" 200 12 0.250`:                                                       "time=2026-11-30T10:12:01Z client=1.2.3.4 method=GET path=/a protocol=HTTP/1.1 status=200 bytes=12 request_time=0.250 duration_ms=250",
		`1.2.3.4 - - [30/Nov/2026:10:12:01 +0000] "GET /a HTTP/1.1" 200 12 250`:                                                         "time=2026-11-30T10:12:01Z client=1.2.3.4 method=GET path=/a protocol=HTTP/1.1 status=200 bytes=12 extra=250",
		`1.2.3.4 - - [30/Nov/2026:10:12:01 +0000] "GET /a HTTP/1.1" 200 12 "http://x/" "curl/8" "-" 0.250`:                              "time=2026-11-30T10:12:01Z client=1.2.3.4 method=GET path=/a protocol=HTTP/1.1 status=200 bytes=12 referer=http://x/ agent=curl/8 request_time=0.250 duration_ms=250",
		`2026/11/30 10:12:01 [error] 7#7: *5 upstream timed out, client: 1.2.3.4, server: s, request: "GET /a HTTP/1.1", upstream: "u"`: "time=2026-11-30 10:12:01 level=ERROR pid=7#7 connection=5 message=upstream timed out client=1.2.3.4 server=s method=GET path=/a protocol=HTTP/1.1 upstream=u",
		`[Mon Nov 30 10:12:01.5 2026] [core:error] [pid 7] [client 1.2.3.4:5] no file`:                                                  "time=2026-11-30 10:12:01.500 level=ERROR module=core pid=7 client=1.2.3.4 port=5 message=no file",
		"2026-11-30T10:12:01Z INFO [http] served id=7 path=\"/a b\"":                                                                    "time=2026-11-30T10:12:01Z thread=http level=INFO message=served id=7 path=/a b",
	} {
		got, stats := read(t, "x.log", line+"\n", rows.Options{Format: rows.Log})
		if len(got) != 1 || got[0] != "1 "+want {
			t.Errorf("%s\n got %q (%+v)\nwant %q", line, got, stats, "1 "+want)
		}
	}
}

// TestNothingIsDropped holds the books: every line is a row, part of one, blank, passed over or
// malformed.
func TestNothingIsDropped(t *testing.T) {
	text := "2026-11-30T10:12:01Z ERROR boom\n  at a.b(c)\nCaused by: x\n\nwhat is this\n2026-11-30T10:12:02Z INFO ok\nnoise\n"
	got, stats := read(t, "x.log", text, rows.Options{})
	if len(got) != 2 || stats.Lines != 7 || stats.Rows != 2 || stats.Continued != 2 || stats.Blank != 1 || stats.Malformed != 2 || fmt.Sprint(stats.MalformedAt) != "[5 7]" {
		t.Errorf("%q %+v", got, stats)
	}
}

func TestMixedLog(t *testing.T) {
	text := "2026-11-30T10:12:01Z INFO a\n{\"level\":\"error\",\"msg\":\"b\",\"time\":\"2026-11-30T10:12:02Z\"}\nNov 30 10:12:03 h app[1]: c\n"
	got, stats := read(t, "x", text, rows.Options{})
	if stats.Format != rows.Log || len(got) != 3 || stats.Malformed != 0 {
		t.Errorf("%q %+v", got, stats)
	}
}

func TestCSV(t *testing.T) {
	for name, tt := range map[string]struct{ file, text, want string }{
		"header":       {"a.csv", "id,name\n1,ann\n2,bob\n", "2 id=1 name=ann|3 id=2 name=bob"},
		"semicolon":    {"a.csv", "id;price\n1;1,50\n2;2,75\n", "2 id=1 price=1,50|3 id=2 price=2,75"},
		"tabs":         {"a.tsv", "id\tname\n1\tann, b\n", "2 id=1 name=ann, b"},
		"no header":    {"a.csv", "1,ann\n2,bob\n3,cyd\n", "1 column1=1 column2=ann|2 column1=2 column2=bob|3 column1=3 column2=cyd"},
		"quotes":       {"a.csv", "id,text\n1,\"a, \"\"b\"\"\"\n", `2 id=1 text=a, "b"`},
		"two lines":    {"a.csv", "id,text\n1,\"a\nb\"\n2,c\n", "2 id=1 text=a\nb|4 id=2 text=c"},
		"mark and crs": {"a.csv", "\ufeffid,name\r\n1,ann\r\n", "2 id=1 name=ann"},
		"empty cells":  {"a.csv", "id,a,b\n1,,\n", "2 id=1 a= b="},
		"spaces":       {"a.csv", "order id, full name\n1, ann\n", "2 order_id=1 full_name=ann"},
		"text header":  {"a.csv", "name,city\nann,oslo\nbob,rome\n", "2 name=ann city=oslo|3 name=bob city=rome"},
		"by content":   {"a.txt", "id,name,city\n1,ann,oslo\n2,bob,rome\n", "2 id=1 name=ann city=oslo|3 id=2 name=bob city=rome"},
	} {
		got, _ := read(t, tt.file, tt.text, rows.Options{})
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, "|"), tt.want)
		}
	}
}

// TestOpenQuote loses one line to a quote that is never closed, not the rest of the file.
func TestOpenQuote(t *testing.T) {
	text := "id,text\n1,\"open\n" + strings.Repeat("2,ok\n", 500)
	got, stats := read(t, "a.csv", text, rows.Options{})
	if len(got) != 500 || stats.Malformed != 1 || stats.Lines != 502 {
		t.Errorf("%d rows, %+v", len(got), stats)
	}
	_, stats = read(t, "a.csv", "id,text\n1,a\n2\n3,c,d\n", rows.Options{})
	if stats.Rows != 1 || stats.Malformed != 2 || fmt.Sprint(stats.MalformedAt) != "[3 4]" {
		t.Errorf("ragged: %+v", stats)
	}
}

func TestMarkdown(t *testing.T) {
	text := "# A\ntext | not a table\n\n| x | y |\n|---|:-:|\n| 1 | a\\|b |\n| 2 | `c|d` | extra |\n\n```\n| no | table |\n|--|--|\n# no heading\n```\n## B\nx|y\n-|-\n5|6"
	got, _ := read(t, "a.md", text, rows.Options{})
	if want := "6 x=1 y=a|b section=A|7 x=2 y=`c|d` section=A|17 x=5 y=6 section=B"; strings.Join(got, "|") != want {
		t.Errorf("tables: %q", strings.Join(got, "|"))
	}
	got, _ = read(t, "a.md", text, rows.Options{Format: rows.Headings})
	if want := "1 depth=1 title=A lines=12|14 depth=2 title=B lines=3"; strings.Join(got, "|") != want {
		t.Errorf("headings: %q", strings.Join(got, "|"))
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]rows.Format{
		"just some\nplain words\n":             rows.Text,
		"a,b,c\n1,2,3\n4,5,6\n":                rows.CSV,
		"2026-11-30T10:12:01Z INFO a\nx\n y\n": rows.Log,
		"":                                     rows.Text,
		"One, two\nthree\nfour, five, six, seven.": rows.Text,
	} {
		if got := rows.Detect("x", []byte(text)); got != want {
			t.Errorf("Detect(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestNotText(t *testing.T) {
	for _, text := range []string{"a\x00b", "plain\nbin\x00ary"} {
		_, err := rows.Read(strings.NewReader(text), "x", rows.Options{}, func(*rows.Row) error { return nil })
		if akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestEncodings reads Chinese that is not UTF-8, and leaves alone what only looks odd.
func TestEncodings(t *testing.T) {
	gb := "\xb5\xd8\xc7\xf8,\xbd\xf0\xb6\xee\n\xbb\xaa\xb6\xab,5\n\xbb\xaa\xb1\xb1,7\n"
	for name, tt := range map[string]struct{ text, field, value string }{
		"gbk":              {gb, "地区", "华东"},
		"utf16 little end": {"\xff\xfea\x00,\x00b\x00\n\x00x\x00,\x001\x00\n\x00y\x00,\x002\x00\n\x00", "a", "x"},
		"utf16 big end":    {"\xfe\xff\x00a\x00,\x00b\x00\n\x00x\x00,\x001\x00\n\x00y\x00,\x002\x00\n", "a", "x"},
		"utf8":             {"地区,金额\n华东,5\n华北,7\n", "地区", "华东"},
		"latin1":           {"a,b\nM\xfcller,5\nMeier,7\n", "a", "M\ufffdller"},
		"a name twice":     {"a,b,b\nx,1,2\ny,3,4\n", "b_2", "2"},
	} {
		var got []string
		_, err := rows.Read(strings.NewReader(tt.text), "t.csv", rows.Options{}, func(r *rows.Row) error {
			v, _ := r.Field(tt.field)
			got = append(got, v)
			return nil
		})
		if err != nil || len(got) != 2 || got[0] != tt.value {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

// TestNumberForms reads what bookkeepers and machines write.
func TestNumberForms(t *testing.T) {
	for text, want := range map[string]float64{"(5.00)": -5, "(1,200)": -1200, "1e3": 1000, "$(7)": 0, "12%": 12} {
		got, ok := rows.Number(text)
		if ok != (want != 0) || got != want {
			t.Errorf("%s: %v %v", text, got, ok)
		}
	}
	if _, ok := rows.Number("N/A"); ok {
		t.Error("N/A is a number")
	}
}

// TestLongLine cuts a line of many mebibytes and goes on.
func TestLongLine(t *testing.T) {
	text := "2026-11-30T10:12:01Z INFO " + strings.Repeat("x", 5<<20) + "\n2026-11-30T10:12:02Z INFO b\n"
	got, stats := read(t, "x.log", text, rows.Options{})
	if len(got) != 2 || stats.Cut != 1 || len(got[0]) > 1<<20+100 {
		t.Errorf("%d rows, %+v", len(got), stats)
	}
}

func TestTemplate(t *testing.T) {
	for msg, want := range map[string]string{
		"user 42 logged in":                                "user <n> logged in",
		"user \"ann\" and 'bob' left":                      "user \"<s>\" and '<s>' left",
		"it's late, don't wait":                            "it's late, don't wait",
		"from 10.0.0.7:5432 in 12.5ms":                     "from <ip> in <n>ms",
		"id 3f2a9c81 and 3f2504e0-4f89-11d3-9a0c-0305e82c": "id <id> and <id>",
		"order-123 of v2.3.1":                              "order-<n> of v<n>",
		"no digits at all":                                 "no digits at all",
		"deadbeef is a word":                               "deadbeef is a word",
		"错误 17 次":                                          "错误 <n> 次",
		"":                                                 "",
	} {
		if got := rows.Template(msg); got != want {
			t.Errorf("Template(%q) = %q, want %q", msg, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-1.5": -1.5, "$1,234.50": 1234.5, "12%": 12, "€ 3,5": 3.5, "1.234,56": 1234.56, "1e3": 1000, "¥100": 100, "+2": 2, "1,234": 1234} {
		if got, ok := rows.Number(text); !ok || got != want {
			t.Errorf("Number(%q) = %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "a", "1a", "NaN", "Inf", "0x10", "1-2", "10:00", "-", "e5", "1 2", "2026-11-30"} {
		if got, ok := rows.Number(text); ok {
			t.Errorf("Number(%q) = %v, want none", text, got)
		}
	}
}

func TestSeverity(t *testing.T) {
	if rows.Severity("warn") >= rows.Error || rows.Severity("Critical") <= rows.Severity("ERROR") || rows.Severity("nope") != 0 {
		t.Error("severities out of order")
	}
	if !rows.SameLevel("warning", "WARN") || rows.SameLevel("FATAL", "PANIC") {
		t.Error("levels mixed up")
	}
}

// FuzzRead holds for any text: no panic, line numbers rise, and the books are balanced.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"2026-11-30T10:12:01Z INFO a\n b\n", "a,b\n1,\"x\n2,y\n", "{\"a\":{\"b\":[1,{}]}}\n{\"a\"", "| a |\n|--|\n| 1 |", "# x\n```\n# y", "<34>1 - - - - - -", "I1130 10:12:01.1 7 a] b", "a=1 b=\"2"} {
		for i := range 8 {
			f.Add(s, byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, kind byte) {
		opts := rows.Options{Format: rows.Formats[int(kind)%len(rows.Formats)]}
		last := 0
		stats, err := rows.Read(strings.NewReader(text), "x", opts, func(r *rows.Row) error {
			if r.Line <= last {
				t.Fatalf("line %d after %d", r.Line, last)
			}
			last = r.Line
			return nil
		})
		if err != nil {
			return
		}
		if sum := stats.Rows + stats.Continued + stats.Blank + stats.Malformed + stats.Skipped; sum != stats.Lines && stats.Format != rows.Headings {
			t.Fatalf("%s: %d lines, %d accounted for: %+v", stats.Format, stats.Lines, sum, stats)
		}
	})
}

// An array of JSON objects is read by its objects, wherever they begin, and what is wrong with it is counted.
func TestArrayOfObjects(t *testing.T) {
	for name, tt := range map[string]struct {
		text, want, at string
		lines          int
	}{
		"one line":         {`[{"a":1,"b":"x"}, {"a":2,"b":{"c":"]"}}]`, "1 a=1 b=x; 1 a=2 b.c=]", "[]", 1},
		"an object a line": {"[{\"a\":1},\n {\"a\":2}]\n", "1 a=1; 2 a=2", "[]", 2},
		"laid out":         {"\xEF\xBB\xBF[\n  {\n    \"a\": 1,\n    \"b\": [1,\n 2]\n  },\n\n  {\"a\": \"y\\nz\"}\n]\n\n", "2 a=1 b=[1,2]; 8 a=y\nz", "[]", 10},
		"times":            {`[{"ts":"2026-11-30T10:00:00Z","level":"error","took":"1m30s"}]`, "1 time=2026-11-30T10:00:00Z level=ERROR took=1m30s duration_ms=90000", "[]", 1},
		"no object":        {"[{\"a\":1},\n3,\n{\"a\":2}]", "1 a=1; 3 a=2", "[2]", 3},
		"broken":           {"[{\"a\":1},\n{\"a\":2},\n{\"a\" 3},\n{\"a\":4}]\n", "1 a=1; 2 a=2", "[3]", 4},
		"cut off":          {"[{\"a\":1},\n{\"a\":", "1 a=1", "[2]", 2},
		"more after it":    {"[{\"a\":1}]\n[]\n", "1 a=1", "[2]", 2},
	} {
		got, stats := read(t, "orders.json", tt.text, rows.Options{})
		if strings.Join(got, "; ") != tt.want || fmt.Sprint(stats.MalformedAt) != tt.at || stats.Lines != tt.lines || stats.Rows != len(got) || stats.Format != rows.JSONL {
			t.Errorf("%s:\n got %s\nwant %s\n%+v", name, strings.Join(got, "; "), tt.want, stats)
		}
	}
	long := `[{"a":"` + strings.Repeat("x", 5<<20) + `"}]`
	if _, err := rows.Read(strings.NewReader(long), "a.json", rows.Options{}, func(*rows.Row) error { return nil }); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("an object that is too long: %v", err)
	}
	n := 0
	if _, err := rows.Read(strings.NewReader(`[{"a":1},{"a":2}]`), "a.json", rows.Options{}, func(*rows.Row) error { n++; return rows.ErrStop }); err != nil || n != 1 {
		t.Errorf("stopped after %d: %v", n, err)
	}
}
