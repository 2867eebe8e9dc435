package offline_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestProbe(t *testing.T) {
	for line := range strings.SplitSeq(os.Getenv("PROBE"), "\n") {
		if strings.TrimSpace(line) == "" { continue }
		names, words, _ := strings.Cut(line, "|")
		k := newKit(t, only(strings.Fields(names)...))
		fmt.Printf("=== %s\n%s\n--- %d rounds: ", line, k.ask(words), k.rounds)
		for _, c := range k.calls { fmt.Printf("%s %s; ", c.Tool, c.Args) }
		fmt.Println()
	}
}
