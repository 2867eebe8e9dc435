package llm_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/llm"
)

// Whatever stands in the words and in the brief, the words stay a prefix and both come back.
func TestBriefRoundTrip(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "no", "0123", "1.10", "a: b", "- x", "*star", "</context>", "<context>", "line\nline", "tab\there", "# not a comment",
		"\"quoted\" and more", "结果：三处", "trailing \n", "\n", "{\"a\": [1]}", "a\r\nb", "&x", "!tag", "key:\n  - v",
	}))
	rapid.Check(t, func(rt *rapid.T) {
		words := strings.ToValidUTF8(text.Draw(rt, "words"), "")
		line := func(name string) string { return clean(text.Draw(rt, name)) }
		b := llm.Brief{
			Date: "2026-11-30", Language: "en", Request: line("request"), Files: []llm.BriefFile{{Name: line("file"), Bytes: 3}},
			Results: []llm.BriefResult{{Step: "s", Text: line("text"), Data: line("data"), Failed: line("failed")}}, Remembered: []string{"x" + line("memory")},
		}
		got := b.Append(words)
		if !strings.HasPrefix(got, words) {
			rt.Fatalf("the words are no prefix: %q", got)
		}
		back, brief := llm.SplitBrief(got)
		if back != words || !reflect.DeepEqual(brief, b) {
			rt.Fatalf("%q\ngot  %+v\nwant %+v\nfrom %q", back, brief, b, got)
		}
	})
}

// clean leaves out what YAML cannot carry.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\uFEFF' || r == '\uFFFD' || r == '\r' || (r < 0x20 && r != '\n' && r != '\t') || (r >= 0x7F && r < 0xA0) || r == 0x2028 || r == 0x2029 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

func TestAnEmptyBriefAddsNothing(t *testing.T) {
	if got := (llm.Brief{}).Append("words"); got != "words" {
		t.Errorf("%q", got)
	}
	if words, b := llm.SplitBrief("words\n\n<context>\nnot: [closed"); words != "words\n\n<context>\nnot: [closed" || !reflect.DeepEqual(b, llm.Brief{}) {
		t.Errorf("%q %+v", words, b)
	}
}
