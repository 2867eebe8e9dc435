package filter_test

import (
	"fmt"
	"strings"
	"testing"
)

// framed gives an output as the tools of the house hand it on.
func framed(text string) map[string]string {
	var numbered strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		fmt.Fprintf(&numbered, "%5d\t%s", n, line)
	}
	if !strings.HasSuffix(text, "\n") {
		numbered.WriteByte('\n')
	}
	fmt.Fprintf(&numbered, "[lines 1-%d of %d]", n, n)
	return map[string]string{
		"read_file": numbered.String(),
		"run_shell": "exit code 0 after 0.1 s\nstdout:\n" + strings.TrimSuffix(text, "\n") + "\n",
	}
}

// TestFramesCostNothing holds that an output is understood as well behind line numbers and exit codes.
func TestFramesCostNothing(t *testing.T) {
	f := newFilter()
	got := map[string]*score{"bare": {}, "read_file": {}, "run_shell": {}}
	missed := func(question, string, bool) {}
	for _, x := range corpus() {
		x.queries = x.queries[:min(3, len(x.queries))]
		got["bare"].add(ask(f, x, missed))
		for how, text := range framed(x.text) {
			y := x
			y.text = text
			s := ask(f, y, missed)
			got[how].add(s)
			if s.first < s.asked {
				t.Logf("%s %s %v", how, x.name, s)
			}
		}
	}
	for how, s := range got {
		t.Logf("%-10s %v", how, s)
		if s.first < got["bare"].first-1 {
			t.Errorf("%s: %v", how, s)
		}
	}
}
