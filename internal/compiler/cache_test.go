package compiler_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/llm"
)

// maker is a model that writes a new goal each time, and quotes the constraint as it stands.
type maker struct {
	asked  int
	by     string // the endpoint that answers, default the first
	quote  string
	finish llm.Finish
	err    error
	broken bool // what it says is no spec
	rules  bool // it is the offline engine
}

func (m *maker) Generate(context.Context, llm.Request) (llm.Reply, error) {
	m.asked++
	if m.err != nil {
		return llm.Reply{}, m.err
	}
	text := fmt.Sprintf("task_type: analysis\ngoal: goal %d\nconstraints: [%q]\n", m.asked, m.quote)
	if m.broken {
		text = "I cannot."
	}
	r := llm.Reply{Text: text, Finish: llm.FinishStop, Endpoint: "small", Usage: akitad.Usage{Input: 10, Calls: 1}}
	if m.by != "" {
		r.Endpoint = m.by
	}
	if m.finish != "" {
		r.Finish = m.finish
	}
	if m.rules {
		r.Model = llm.OfflineModel
	}
	return r, nil
}

func cached(m *maker, size int) *compiler.Compiler {
	return compiler.New(m, compiler.Options{Mode: compiler.Always, Cache: size, First: func() llm.Endpoint { return llm.Endpoint{Name: "small", Model: "s-1"} }})
}

func made(t *testing.T, c *compiler.Compiler, in compiler.Input) compiler.Output {
	t.Helper()
	out, err := c.Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const tea = "Write about tea, in at most  50 words"

func TestCacheKey(t *testing.T) {
	files := func(names ...string) (out []akitad.File) {
		for _, n := range names {
			out = append(out, akitad.File{Name: n, Size: 3})
		}
		return out
	}
	for _, tt := range []struct {
		name  string
		quote string
		in    compiler.Input
		asked int
	}{
		{"the same", "at most  50 words", compiler.Input{Text: tea}, 1},
		{"other blanks", "in few words", compiler.Input{Text: " Write about  tea, in at most 50 words \r\n"}, 1},
		{"other blanks in what is quoted", "at most  50 words", compiler.Input{Text: "Write about tea, in at most 50 words"}, 2},
		{"other case", "in few words", compiler.Input{Text: "write about tea, in at most  50 words"}, 2},
		{"another line", "in few words", compiler.Input{Text: "Write about tea,\nin at most  50 words"}, 2},
		{"another language", "in few words", compiler.Input{Text: tea, Lang: "zh"}, 2},
		{"with a file", "in few words", compiler.Input{Text: tea, Files: files("a b.csv")}, 2},
		{"after another turn", "in few words", compiler.Input{Text: tea, Earlier: []llm.BriefTurn{{Said: "green tea?", Answered: "yes"}}}, 2},
	} {
		m := &maker{quote: tt.quote}
		c := cached(m, 4)
		first := made(t, c, compiler.Input{Text: tea})
		second := made(t, c, tt.in)
		if m.asked != tt.asked || second.Cached != (tt.asked == 1) || first.Cached {
			t.Errorf("%s: asked %d times, want %d; cached %v, %v", tt.name, m.asked, tt.asked, first.Cached, second.Cached)
		}
		if second.Cached && (second.Spec.Goal != first.Spec.Goal || second.Source != compiler.SourceModel || second.Usage != (akitad.Usage{}) || len(second.Bills) != 0) {
			t.Errorf("%s: %+v", tt.name, second)
		}
	}
	m := &maker{}
	c := cached(m, 4)
	made(t, c, compiler.Input{Text: tea, Files: files("a b.csv")})
	if got := made(t, c, compiler.Input{Text: tea, Files: files("a  b.csv")}); got.Cached || !slices.Contains(got.Spec.Inputs.Given, "a  b.csv") {
		t.Errorf("a file whose name differs in a blank: %+v", got)
	}
}

// What failed, was cut, is no spec, or came from a stand-in or from rules is never kept.
func TestCacheKeepsWhatIsWholeAlone(t *testing.T) {
	for name, m := range map[string]*maker{
		"failed": {err: akitad.Errorf(akitad.Overloaded, "busy")}, "cut": {finish: llm.FinishLength}, "filtered": {finish: llm.FinishFiltered},
		"no spec": {broken: true}, "a stand-in": {by: "big"}, "rules": {rules: true},
	} {
		c := cached(m, 4)
		made(t, c, compiler.Input{Text: tea})
		before := m.asked
		if out := made(t, c, compiler.Input{Text: tea}); out.Cached || m.asked == before {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	m := &maker{}
	c := cached(m, 2)
	ask := func(n int) bool {
		return made(t, c, compiler.Input{Text: fmt.Sprintf("Write about tea, part %d", n)}).Cached
	}
	got := []bool{ask(1), ask(2), ask(1), ask(3), ask(1), ask(2)} // 3 takes the place of 2, which was used longest ago
	if want := []bool{false, false, true, false, true, false}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	off := cached(m, 0)
	made(t, off, compiler.Input{Text: tea})
	if made(t, off, compiler.Input{Text: tea}).Cached {
		t.Error("a cache of 0 keeps something")
	}
}

func TestCacheForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := cached(&maker{}, 2)
		made(t, c, compiler.Input{Text: tea})
		time.Sleep(time.Hour - time.Second)
		if !made(t, c, compiler.Input{Text: tea}).Cached {
			t.Error("forgotten within the hour")
		}
		time.Sleep(time.Second)
		if made(t, c, compiler.Input{Text: tea}).Cached {
			t.Error("kept after an hour")
		}
	})
}

// Who gets a kept spec may add to it; the next one does not see that.
func TestCacheGivesCopies(t *testing.T) {
	c := cached(&maker{}, 2)
	made(t, c, compiler.Input{Text: tea})
	a := made(t, c, compiler.Input{Text: tea})
	a.Spec.Inputs.Given = append(a.Spec.Inputs.Given, "x")
	b := made(t, c, compiler.Input{Text: tea})
	b.Spec.Inputs.Given = append(b.Spec.Inputs.Given, "y")
	if a.Spec.Inputs.Given[len(a.Spec.Inputs.Given)-1] != "x" {
		t.Errorf("%q", a.Spec.Inputs.Given)
	}
}
