package offline_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline"
)

const oneImage = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00"

// That images are not seen is said plainly and in one language, and what else was given is looked at.
func TestImagesAreNotSeen(t *testing.T) {
	const en, zh = "I cannot see images without a language model, so I did not look at", "没有语言模型时我看不到图片，因此没有查看"
	only := map[string]string{"pic.png": oneImage}
	both := map[string]string{"pic.png": oneImage, "a.log": "10:00 ERROR x\n10:01 INFO y\n"}
	for _, tt := range []struct {
		files       map[string]string
		words, want string
		also        string
	}{
		{only, "What is in this picture?", en, ""},
		{only, "Describe the image", en, ""},
		{only, "How many people are in pic.png?", en, ""},
		{only, "Count the errors", en, ""},
		{only, "图里有什么？", zh, ""},
		{only, "总结这张图片", zh, ""},
		{both, "How many errors are there?", en, "1 "},
		{both, "What does the screenshot show?", en, ""},
		{both, "有多少错误？", zh, "1"},
	} {
		got := newKit(t, tt.files).ask(tt.words)
		if !strings.Contains(got, tt.want+" pic.png") || !strings.Contains(got, tt.also) || strings.Contains(got, "extract") || strings.Contains(got, "binary") {
			t.Errorf("%s: %q", tt.words, got)
		}
		if tt.want == zh && strings.Contains(got, "cannot") || tt.also == "" && strings.Contains(got, "a.log") {
			t.Errorf("%s: %q", tt.words, got)
		}
	}
}

// A task about images alone is not the engine's while a model may come back; what needs no file is.
func TestImagesAreLeftToModels(t *testing.T) {
	for words, want := range map[string]bool{"Describe this": false, "Count the people": false, "Remember that I like tea": true, "What do I like?": true} {
		b := llm.Brief{Files: []llm.BriefFile{{Name: "pic.jpg", Bytes: 9}}}
		req := llm.Request{Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: b.Append(words)}}}
		if got := offline.New(offline.Options{}).Serves(req); got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
}

// What asks for several is answered with several, the most telling first, also as a follow-up and in the
// language of the question.
func TestTheSlowestAreSeveral(t *testing.T) {
	for _, column := range []string{"duration_ms", "ms", "elapsed"} {
		k := newKit(t, map[string]string{"a.csv": "path," + column + "\n/a,30\n/b,500\n/c,900\n/d,12\n"})
		k.said = []string{"How many rows are in a.csv?"}
		for words, want := range map[string][]string{
			"which are the slowest?": {"/c", "/b", "/a"}, "Which ones are the fastest?": {"/d", "/a", "/b"}, "哪些最慢？": {"/c", "/b", "/a"},
			"which is the slowest?": {"/c"}, "哪个最慢？": {"/c"},
		} {
			got := k.ask(words)
			at := -1
			for _, w := range want {
				next := strings.Index(got, w)
				if next <= at {
					t.Errorf("%s by %s: %q", words, column, got)
				}
				at = next
			}
			if len(want) == 1 && strings.Contains(got, "/b") {
				t.Errorf("%s by %s: %q", words, column, got)
			}
			if zh := strings.Contains(words, "最"); zh != strings.Contains(got, "最大") {
				t.Errorf("%s by %s in another language: %q", words, column, got)
			}
		}
	}
}
