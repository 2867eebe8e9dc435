package builtin_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/akitad/akitad"
)

func TestGrep(t *testing.T) {
	d := newDesk(t)
	d.write("a.log", "INFO start\nERROR one\nINFO two\nerror three\nINFO end\n")
	d.write("sub/b.log", "ERROR four\r\n")
	d.write("c.md", "no\n")
	d.write("bin", "ERROR\x00")
	const passed = "[1 file passed over: not text]\n"
	for args, want := range map[string]string{
		`{"pattern":"ERROR"}`: "a.log:2: ERROR one\nsub/b.log:1: ERROR four\n" + passed,
		`{"pattern":"error","ignore_case":true,"path":"a.log"}`:          "a.log:2: ERROR one\na.log:4: error three\n",
		`{"pattern":"INFO","path":"a.log","invert":true}`:                "a.log:2: ERROR one\na.log:4: error three\n",
		`{"pattern":"ERROR","glob":"*.log","mode":"count"}`:              "a.log: 1\nsub/b.log: 1\ntotal: 2\n",
		`{"pattern":"ERROR","path":"sub","glob":"b.*"}`:                  "sub/b.log:1: ERROR four\n",
		`{"pattern":"four$","mode":"files"}`:                             "sub/b.log\n" + passed,
		`{"pattern":"wombat","glob":"*.log"}`:                            "no line matches in 2 files\n",
		`{"pattern":"wombat","glob":"*.log","mode":"count"}`:             "total: 0\n",
		`{"pattern":"INFO","path":"a.log","limit":2}`:                    "a.log:1: INFO start\na.log:3: INFO two\n[stopped at the limit of 2; 3 lines match in all]\n",
		`{"pattern":"ERROR","glob":"*.log","mode":"files","limit":1}`:    "a.log\n[stopped at the limit of 1; 2 files match in all]\n",
		`{"pattern":"ERROR","glob":"*.log","mode":"count","limit":1}`:    "a.log: 1\n[stopped at the limit of 1 files; 2 files match]\ntotal: 2\n",
		`{"pattern":"start|end","path":"a.log","context":1}`:             "a.log:1: INFO start\na.log-2- ERROR one\n--\na.log-4- error three\na.log:5: INFO end\n",
		`{"pattern":"one|three","path":"a.log","context":1}`:             "a.log-1- INFO start\na.log:2: ERROR one\na.log-3- INFO two\na.log:4: error three\na.log-5- INFO end\n",
		`{"pattern":"two","path":"a.log","context":9}`:                   "a.log-1- INFO start\na.log-2- ERROR one\na.log:3: INFO two\na.log-4- error three\na.log-5- INFO end\n",
		`{"pattern":"INFO","path":"a.log","context":1,"limit":1}`:        "a.log:1: INFO start\na.log-2- ERROR one\n[stopped at the limit of 1; 3 lines match in all]\n",
		`{"pattern":"^$","path":"c.md","mode":"count"}`:                  "total: 0\n",
		`{"pattern":"","path":"c.md","mode":"count","ignore_case":true}`: "c.md: 1\ntotal: 1\n",
	} {
		d.wantText("grep", args, want)
	}
	d.wantError("grep", `{"pattern":"(?=x)"}`, akitad.InvalidRequest, "RE2")
	d.wantError("grep", `{"pattern":"x","path":"none"}`, akitad.NotFound, "none")
	d.wantError("grep", `{"pattern":"x","path":"bin"}`, akitad.InvalidRequest, "not a text file")
}

func TestGrepOfABigFile(t *testing.T) {
	d := newDesk(t)
	f, err := os.Create(filepath.Join(d.dir.Path(), "big.log"))
	d.must(err)
	line := strings.Repeat("x", 99) + "\n"
	for i := range 2_000 {
		_, err := f.WriteString(strings.Repeat(line, 100) + fmt.Sprintf("ERROR %d\n", i))
		d.must(err)
	}
	_, err = f.WriteString(strings.Repeat("y", 8<<20) + "\n")
	d.must(err)
	d.must(f.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := d.call("grep", `{"pattern":"ERROR","limit":3}`)
	d.must(err)
	runtime.ReadMemStats(&after)
	want := "big.log:101: ERROR 0\nbig.log:202: ERROR 1\nbig.log:303: ERROR 2\n[stopped at the limit of 3; 2000 lines match in all]\n"
	if r.Text != want {
		t.Errorf("got %q", r.Text)
	}
	if used := int64(after.HeapSys) - int64(before.HeapSys); used > 20<<20 {
		t.Errorf("the heap grew by %d bytes to search 28 MB", used)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.callIn(ctx, "grep", `{"pattern":"ERROR"}`); akitad.KindOf(err) != akitad.Cancelled {
		t.Errorf("a cancelled search gives %v", err)
	}
}

// The text of a PDF is read and searched like that of any file; one without text says why.
func TestPDFsAreRead(t *testing.T) {
	d := newDesk(t)
	d.write("a.pdf", "%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<</Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n"+
		"4 0 obj<<>>stream\nBT /F 9 Tf (Invoice 4711) Tj 0 -12 Td (Total 99) Tj ET\nendstream endobj 5 0 obj<</Subtype/Type1>>endobj trailer<</Root 1 0 R>>\x00")
	d.wantText("read_file", `{"path":"a.pdf"}`, "    1\tInvoice 4711\n    2\tTotal 99\n[lines 1-2 of 2]")
	if r, err := d.call("grep", `{"pattern":"Total","path":"a.pdf"}`); err != nil || !strings.Contains(r.Text, "Total 99") {
		t.Errorf("grep gives %q, %v", r.Text, err)
	}
	d.write("b.pdf", "%PDF-1.4\n1 0 obj<<>>endobj trailer<</Root 1 0 R/Encrypt 2 0 R>>\x00")
	d.wantError("read_file", `{"path":"b.pdf"}`, akitad.InvalidRequest, "it is encrypted")
}
