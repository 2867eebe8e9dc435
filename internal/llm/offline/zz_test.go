package offline_test

import (
	"os"
	"strings"
	"testing"
)

// TestZZ answers the questions of a file.
func TestZZ(t *testing.T) {
	d := "/tmp/akita/user/d/"
	for _, f := range strings.Fields(os.Getenv("ZZ")) {
		raw, _ := os.ReadFile(d + f)
		for _, l := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
			fs, q, _ := strings.Cut(l, "|")
			if only := os.Getenv("ZQ"); only != "" && !strings.Contains(q, only) {
				continue
			}
			m := map[string]string{}
			for _, n := range strings.Fields(fs) {
				if x, err := os.ReadFile(d + n); err == nil {
					m[n] = string(x)
				}
			}
			a := newKit(t, m).ask(q)
			if r := []rune(a); len(r) > 330 {
				a = string(r[:330]) + "…"
			}
			t.Logf("### %s [%s]\n%s", q, fs, a)
		}
	}
}
