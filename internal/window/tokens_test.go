package window_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/window"
)

// counted are texts of many kinds and what two public vocabularies make of them, counted once with a
// tokenizer: o200k_base and cl100k_base.
var counted = []struct {
	file         string
	o200k, cl100 int
	latin        bool // in Latin letters, so that nothing need be learned
}{
	{"access.log", 1919, 1863, true},
	{"base64.txt", 1744, 1844, true},
	{"code.go.txt", 938, 946, true},
	{"code.py.txt", 339, 338, true},
	{"hashes.txt", 1312, 1308, true},
	{"list.json", 1492, 1492, true},
	{"mixed.txt", 217, 249, false},
	{"numbers.txt", 906, 906, true},
	{"page.html", 364, 362, true},
	{"paths.txt", 173, 170, true},
	{"pretty.json", 1044, 1044, true},
	{"prose-en.txt", 402, 403, true},
	{"prose-zh.txt", 438, 657, false},
	{"rows.csv", 1554, 1554, true},
	{"service.log", 1188, 1188, true},
	{"test-output.txt", 413, 410, true},
}

const allowed = 0.15 // of error

func sample(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "tokens", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func off(got, want int) float64 { return math.Abs(float64(got)/float64(want) - 1) }

// Of texts in Latin letters the estimate is right within 15 % without any report.
func TestTheEstimate(t *testing.T) {
	for _, c := range counted {
		got := window.Tokens(sample(t, c.file))
		if c.latin && (off(got, c.o200k) > allowed || off(got, c.cl100) > allowed) {
			t.Errorf("%s: estimated %d, counted %d and %d", c.file, got, c.o200k, c.cl100)
		}
		if got < c.o200k*85/100 {
			t.Errorf("%s: estimated %d is too few: counted %d", c.file, got, c.o200k)
		}
	}
}

func asking(text string) llm.Request {
	return llm.Request{System: strings.Repeat("You help. ", 50), Messages: []llm.Message{{Speaker: llm.User, Text: text}}}
}

// Of any text it is, once a model has reported a few requests, in whatever order they came.
func TestTheEstimateLearns(t *testing.T) {
	for name, tokens := range map[string]func(int) int{
		"o200k":  func(i int) int { return counted[i].o200k },
		"cl100k": func(i int) int { return counted[i].cl100 },
	} {
		var c window.Corrector
		overhead := window.Count(asking(""))
		for range 6 {
			for i := range counted {
				c.Learn(name, window.LoadOf(asking(sample(t, counted[i].file))), tokens(i)+overhead)
			}
		}
		for i, k := range counted {
			got := c.Weights(name).Tokens(window.LoadOf(asking(sample(t, k.file))))
			if off(got, tokens(i)+overhead) > allowed {
				t.Errorf("%s, %s: %d, counted %d", name, k.file, got, tokens(i)+overhead)
			}
		}
	}
}

// What cannot be a count of the request teaches nothing, and endpoints do not learn from each other.
func TestImplausibleReports(t *testing.T) {
	var c window.Corrector
	load := window.LoadOf(asking(strings.Repeat("word ", 1000)))
	for _, reported := range []int{0, 7, -1, 100, load.Tokens() * 3} {
		c.Learn("e", load, reported)
	}
	c.Learn("", load, load.Tokens()*2)
	c.Learn("small", window.LoadOf(asking("hi")), 250)
	if got := c.Weights("e"); got != (window.Weights{}) {
		t.Errorf("learned %+v", got)
	}
	if got := c.Weights("small"); got != (window.Weights{}) {
		t.Errorf("learned %+v of a small request", got)
	}
	c.Learn("e", load, load.Tokens()*2)
	if got := c.Weights("other").Tokens(load); got != load.Tokens() {
		t.Errorf("another endpoint counts %d", got)
	}
	if got := c.Weights("e").Tokens(load); got < load.Tokens()*14/10 || got > load.Tokens()*16/10 {
		t.Errorf("half of the error is made good at once: %d of %d", got, load.Tokens())
	}
}

func TestTheCorrectorIsSafe(t *testing.T) {
	var c window.Corrector
	var wg sync.WaitGroup
	load := window.LoadOf(asking(strings.Repeat("word ", 1000)))
	for range 8 {
		wg.Go(func() {
			for range 100 {
				c.Learn("e", load, load.Tokens()*2)
				c.Weights("e")
			}
		})
	}
	wg.Wait()
	if got := c.Weights("e").Tokens(load); off(got, load.Tokens()*2) > 0.01 {
		t.Errorf("learned %d of %d", got, load.Tokens()*2)
	}
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"word", 1},
		{"two words", 2},
		{"internationalisation", 3},
		{"camelCaseName", 3},
		{"123456", 2},
		{strings.Repeat("汉", 100), 170},
		{"汉字 and", 4},
		{"かな", 3},
		{"한글", 3},
		{"9f86d081884c7d65", 10},
	} {
		if got := window.Tokens(tt.text); got != tt.want {
			t.Errorf("Tokens(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

// Everything that goes to the model is counted: system, tools, words, images, calls, results, and what
// stands in a provider's own message beside them.
func TestCountSeesEveryPart(t *testing.T) {
	base := llm.Request{System: "s", Tools: []llm.Tool{{Name: "t"}}, Messages: []llm.Message{
		{Speaker: llm.User, Text: "u"}, {Speaker: llm.Assistant, Calls: []akitad.Call{{Tool: "t"}}}, {Speaker: llm.ToolReply, Results: []akitad.Observation{{Text: "r"}}},
	}}
	long := strings.Repeat("more ", 100)
	for name, tt := range map[string]struct {
		grow        func(*llm.Request)
		least, most int
	}{
		"system":      {func(r *llm.Request) { r.System += long }, 95, 105},
		"description": {func(r *llm.Request) { r.Tools = []llm.Tool{{Name: "t", Description: long}} }, 95, 105},
		"schema":      {func(r *llm.Request) { r.Tools = []llm.Tool{{Name: "t", Schema: []byte(long)}} }, 95, 105},
		"words":       {func(r *llm.Request) { r.Messages[0].Text += long }, 95, 105},
		"arguments":   {func(r *llm.Request) { r.Messages[1].Calls = []akitad.Call{{Tool: "t", Args: []byte(long)}} }, 95, 105},
		"result":      {func(r *llm.Request) { r.Messages[2].Results = []akitad.Observation{{Text: long}} }, 95, 105},
		"image":       {func(r *llm.Request) { r.Messages[0].Parts = []llm.Part{{MIME: "image/png", Data: make([]byte, 9)}} }, 1500, 1500},
		"text file":   {func(r *llm.Request) { r.Messages[0].Parts = []llm.Part{{MIME: "text/csv", Data: []byte(long)}} }, 95, 105},
		"thoughts":    {func(r *llm.Request) { r.Messages[1].Raw = []byte(`{"thinking":"` + strings.Repeat(long, 4) + `"}`) }, 350, 520},
	} {
		req := base
		req.Messages = append([]llm.Message{}, base.Messages...)
		tt.grow(&req)
		if got := window.Count(req) - window.Count(base); got < tt.least || got > tt.most {
			t.Errorf("more %s counts as %d tokens, want %d to %d", name, got, tt.least, tt.most)
		}
	}
}

// No character can be repeated for nothing: a model's own vocabulary has only so long runs of it.
func TestRunsAreNotFree(t *testing.T) {
	const n = 1 << 16
	for _, s := range []string{" ", "\t", "\n", "\r\n", " \n", ",\n", "\n\t", "a", "=", "-", "0", "\x00", "\u00a0", "汉", "🙂", "\xff"} {
		for name, text := range map[string]string{"alone": strings.Repeat(s, n), "in a text": "a, " + strings.Repeat(s, n) + "b"} {
			if got := window.Tokens(text); got < n/64 {
				t.Errorf("%q %d times, %s, is %d tokens", s, n, name, got)
			}
		}
	}
}
