package offline_test

import (
	"slices"
	"testing"
)

// Tools that are not in the tool block are called through call_tool, and the answers are the same.
func TestToolsBesideTheBlock(t *testing.T) {
	files := map[string]string{
		"a.log":    "2026-05-05T10:00:00Z INFO up\n2026-05-05T10:00:01Z ERROR down\n2026-05-05T10:00:02Z ERROR down\n",
		"notes.md": "# Refunds\n\nRefunds are paid on Fridays.\n",
	}
	through := 0
	for _, words := range []string{"How many errors are in a.log?", "a.log 里有多少错误？", "When are refunds paid?", "Remember that I like tea", "Write the errors of a.log to report.md"} {
		whole, few := newKit(t, files), newKit(t, files)
		few.block = []string{"list_directory", "read_file", "write_file", "call_tool"}
		want, got := whole.ask(words), few.ask(words)
		if got != want || few.rounds != whole.rounds {
			t.Errorf("%q in %d rounds:\n%s\nwith all tools in the block in %d:\n%s", words, few.rounds, got, whole.rounds, want)
		}
		for _, c := range few.calls {
			if !slices.Contains(few.block, c.Tool) {
				t.Errorf("%q makes a call of %s", words, c.Tool)
			}
			if c.Tool == "call_tool" {
				through++
			}
		}
	}
	if through == 0 {
		t.Error("no call went through call_tool")
	}
}
