package llm_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
)

// Blocks of code that have lost their fence are calls, and nobody sees them come; XML that was asked for is an answer.
func TestBlocksWithoutAFence(t *testing.T) {
	names := llm.Names{"read_file": "read_file", "note": "note"}
	const call, look = `print(default_api.read_file(path="a.txt"))`, "I will look."
	for _, tt := range []struct {
		name, text string
		words      string // that are left; those of the text if there is no call
		calls      int
	}{
		{"a line of its name", "tool_code\n" + call, "", 1},
		{"the same without the module", "tool_code\nread_file(path=\"a.txt\")", "", 1},
		{"behind words", look + "\n\ntool_code\n" + call + "\n", look, 1},
		{"in tags", look + "\n<tool_code>\nprint(read_file(path=\"a.txt\"))\n</tool_code>", look, 1},
		{"in square brackets", "[tool_code]\n" + call + "\n[/tool_code]", "", 1},
		{"JSON in tags", `<tool_code>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_code>`, "", 1},
		{"the module alone", look + "\n" + call, look, 1},
		{"two calls", "tool_code\n" + call + "\n" + call, "", 2},
		{"in a sentence", "tool_code is what it is called.", "", 0},
		{"a word on a line", "The block is named\ntool_code\nand holds Python.", "", 0},
		{"in a fence of other code", "Write it like this:\n```text\ntool_code\n" + call + "\n```", "", 0},
		{"an example", "For example:\ntool_code\n" + call, "", 0},
		{"of a tool that there is not", "tool_code\nprint(default_api.fly(to=\"x\"))", "", 0},
		{"lines that begin alike", "The end.\ndefault\nprint\ntool\nthe", "", 0},
		{"XML that was asked for", "Here is the note as XML:\n\n<note>\n<to>Tove</to>\n</note>", "", 0},
		{"the same in Chinese", "下面是你要的 XML：\n<note>\n<to>Tove</to>\n</note>", "", 0},
		{"a call about a file of XML", "Let me read config.xml, the XML that you sent:\n<read_file>\n<path>config.xml</path>\n</read_file>", "Let me read config.xml, the XML that you sent:", 1},
		{"a call behind the word here", "The path is here: a.xml\n<read_file>\n<path>a.xml</path>\n</read_file>", "The path is here: a.xml", 1},
	} {
		words, calls := llm.SplitText(tt.text, names)
		want := tt.words
		if tt.calls == 0 {
			want = tt.text
		}
		if words != want || len(calls) != tt.calls {
			t.Errorf("%s: words %q and %d calls, want %q and %d", tt.name, words, len(calls), want, tt.calls)
		}
		for _, size := range []int{1, 3, len(tt.text)} {
			var shown strings.Builder
			v := llm.NewVeil(func(s string) { shown.WriteString(s) }, names)
			for rest := tt.text; rest != ""; {
				n := min(size, len(rest))
				v.Write(rest[:n])
				rest = rest[n:]
			}
			v.Flush()
			if got := strings.TrimSpace(shown.String()); got != strings.TrimSpace(want) {
				t.Errorf("%s in pieces of %d: %q is shown, want %q", tt.name, size, got, want)
			}
		}
	}
}
