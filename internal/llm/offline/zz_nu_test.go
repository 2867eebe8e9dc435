package offline_test

import (
	"os"
	"path/filepath"
	"fmt"
	"strings"
	"testing"
)

func TestZZNu(t *testing.T) {
	want := map[string]bool{}
	for _, w := range strings.Fields(os.Getenv("NUQ")) {
		want[w] = true
	}
	for _, f := range []string{"q.tsv", "q2.tsv"} {
		raw, _ := os.ReadFile("/tmp/akita/nu/" + f)
		for _, l := range strings.Split(string(raw), "\n") {
			p := strings.Split(l, "\t")
			if len(p) < 2 || len(want) > 0 && !want[p[0]] {
				continue
			}
			files := map[string]string{}
			if len(p) > 2 {
				for _, n := range strings.Fields(p[2]) {
					b, _ := os.ReadFile(filepath.Join("/tmp/akita/nu/data", n))
					files[n] = string(b)
				}
			}
			t.Run(p[0], func(t *testing.T) {
				out := newKit(t, files).team(p[1]).Text
				if len(out) > 700 {
					out = out[:700] + "…"
				}
				fmt.Printf("### %s %s\n%s\n", p[0], p[1], out)
			})
		}
	}
}
