package llm_test

import (
	"testing"

	"github.com/akitad/akitad/internal/llm"
)

// Words before a call that say what is to be read, which is XML, present no answer.
func TestCallBehindWordsOfXML(t *testing.T) {
	names := llm.Names{"read_file": "read_file"}
	for _, words := range []string{
		"Sure, I will check the XML feed first.", "Let me look at the following XML file.", "I am here to validate your XML, so I read it first.", "这是一个 XML 文件，我先读取它。",
	} {
		_, calls := llm.SplitText(words+"\n<read_file>\n<path>feed.xml</path>\n</read_file>", names)
		if len(calls) != 1 {
			t.Errorf("%q: %d calls", words, len(calls))
		}
	}
}
