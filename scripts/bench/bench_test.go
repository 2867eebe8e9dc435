package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var out strings.Builder
	for _, l := range lines {
		out.WriteString("Benchmark" + l.bench + "-2 \t 3\t 100 ns/op\t 50.5 " + l.metric + "\n")
	}
	out.WriteString("Benchmark" + lines[0].bench + "-2 \t 3\t 100 ns/op\t 900 ms\nBenchmark" + lines[0].bench + "-2 \t 3\t 100 ns/op\t 800 ms\nPASS\n")
	got, rest := read(strings.NewReader(out.String()), io.Discard)
	if rest != "PASS\n" {
		t.Errorf("the rest is %q", rest)
	}
	var table1 bytes.Buffer
	if err := table(&table1, got); err != nil {
		t.Fatal(err)
	}
	if first := strings.Split(table1.String(), "\n")[2]; !strings.Contains(first, "800.00") || !strings.HasSuffix(first, "<= 110  MISSED") {
		t.Errorf("the middle of three runs is missing: %q", first)
	}
	delete(got, "Join")
	if err := table(io.Discard, got); err == nil {
		t.Error("a benchmark that did not run is not missed")
	}
}

func TestPatternNamesEveryBenchmark(t *testing.T) {
	re := regexp.MustCompile(pattern())
	for _, l := range lines {
		name, _, _ := strings.Cut(l.bench, "/")
		if name != "Size" && !re.MatchString("Benchmark"+name) {
			t.Errorf("%s is not run", l.bench)
		}
	}
	if re.MatchString("BenchmarkAppendCost") {
		t.Error("others run too")
	}
}
