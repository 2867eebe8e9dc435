package compiler_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/llm"
)

// script answers with its replies in turn and keeps what it was asked.
type script struct {
	replies []llm.Reply
	err     error
	asked   []llm.Request
}

func (s *script) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	s.asked = append(s.asked, req)
	if s.err != nil {
		return llm.Reply{}, s.err
	}
	if len(s.replies) == 0 {
		return llm.Reply{}, errors.New("the script has ended")
	}
	r := s.replies[0]
	s.replies = s.replies[1:]
	return r, nil
}

func say(texts ...string) *script {
	s := &script{}
	for _, t := range texts {
		s.replies = append(s.replies, llm.Reply{Text: t, Finish: llm.FinishStop, Usage: akitad.Usage{Input: 10, Output: 5, Calls: 1}})
	}
	return s
}

const (
	good  = "task_type: analysis\ngoal: compare the two\ninputs:\n  given: [a.csv, b.csv]\n"
	twice = "Compare a.csv and b.csv. Then write a poem." // two goals, two files
)

func compile(t *testing.T, s *script, mode compiler.Mode, in compiler.Input) compiler.Output {
	t.Helper()
	out, err := compiler.New(s, compiler.Options{Mode: mode}).Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhenTheModelIsAsked(t *testing.T) {
	long := "Tell me about tea" + strings.Repeat(", please", 60)
	for _, tt := range []struct {
		name string
		mode compiler.Mode
		in   compiler.Input
		want int
	}{
		{"one goal", compiler.Auto, compiler.Input{Text: "What is the capital of France?"}, 0},
		{"two goals", compiler.Auto, compiler.Input{Text: "Write a poem about tea. What is its origin?"}, 1},
		{"two constraints", compiler.Auto, compiler.Input{Text: "Write a poem in Chinese, under 50 words."}, 1},
		{"two files", compiler.Auto, compiler.Input{Text: "What do they say about tea?", Files: []akitad.File{{Name: "a"}, {Name: "b"}}}, 1},
		{"one file, one constraint", compiler.Auto, compiler.Input{Text: "Count the lines of a.log, only errors."}, 0},
		{"over 400 columns", compiler.Auto, compiler.Input{Text: long}, 1},
		{"400 columns of Han", compiler.Auto, compiler.Input{Text: "茶" + strings.Repeat("好", 133)}, 1},
		{"399 columns of Han", compiler.Auto, compiler.Input{Text: strings.Repeat("好", 133)}, 0},
		{"command", compiler.Always, compiler.Input{Text: "/status of everything and more"}, 0},
		{"marked command", compiler.Always, compiler.Input{Text: "status of everything and more", Command: true}, 0},
		{"11 columns", compiler.Always, compiler.Input{Text: "what is tea"}, 0},
		{"12 columns", compiler.Always, compiler.Input{Text: "what is tea?"}, 1},
		{"11 columns of Han and more", compiler.Always, compiler.Input{Text: "你好吗??"}, 0},
		{"12 columns of Han", compiler.Always, compiler.Input{Text: "茶是什么"}, 1},
		{"always", compiler.Always, compiler.Input{Text: "What is the capital of France?"}, 1},
		{"twin", compiler.TwinOn, compiler.Input{Text: twice}, 0},
		{"default is auto", "", compiler.Input{Text: twice}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := say(good)
			out := compile(t, s, tt.mode, tt.in)
			if len(s.asked) != tt.want {
				t.Errorf("asked %d times, want %d", len(s.asked), tt.want)
			}
			want := map[int]string{0: compiler.SourceTwin, 1: compiler.SourceModel}[tt.want]
			if out.Source != want || out.Usage.Calls != tt.want {
				t.Errorf("source %s, %d calls", out.Source, out.Usage.Calls)
			}
		})
	}
}

func TestReplyIsTaken(t *testing.T) {
	s := say("Sure:\n```yaml\n" + good + "```\n")
	out := compile(t, s, compiler.Auto, compiler.Input{Text: twice, Task: "t_x", Files: []akitad.File{{Name: "in/b.csv"}, {Name: "c.csv"}}})
	if out.Source != compiler.SourceModel || out.Spec.Goal != "compare the two" || len(out.Warnings) > 0 {
		t.Errorf("got %+v", out)
	}
	if !slices.Equal(out.Spec.Inputs.Given, []string{"a.csv", "b.csv", "c.csv"}) {
		t.Errorf("given %v: a file at hand is always among them, and once", out.Spec.Inputs.Given)
	}
	req := s.asked[0]
	if req.Role != llm.RoleCompiler || req.MaxOutput != 512 || req.Task != "t_x" || len(req.Tools) > 0 {
		t.Errorf("request %+v", req)
	}
	if words, brief := llm.SplitBrief(req.Messages[0].Text); words != twice || len(brief.Files) != 2 {
		t.Errorf("words %q, brief %+v", words, brief)
	}
}

func TestBadReplyIsAskedAgainOnce(t *testing.T) {
	for name, bad := range map[string]string{
		"prose":                "I would compare the files.",
		"duplicate key":        good + "goal: again\n",
		"second document":      good + "---\ntask_type: other\ngoal: b\n",
		"unknown key":          good + "answer: 42\n",
		"unknown task_type":    strings.Replace(good, "analysis", "research", 1),
		"no goal":              "task_type: question\n",
		"null goal":            "task_type: question\ngoal: null\n",
		"null task_type":       "task_type:\ngoal: x\n",
		"dash without a space": good + "constraints:\n  -short\n  -in English\n",
		"empty":                "",
	} {
		t.Run(name, func(t *testing.T) {
			s := say(bad, good)
			out := compile(t, s, compiler.Auto, compiler.Input{Text: twice})
			if out.Source != compiler.SourceModel || len(out.Warnings) != 1 || out.Usage.Calls != 2 {
				t.Fatalf("source %s, warnings %v", out.Source, out.Warnings)
			}
			msgs := s.asked[1].Messages
			if len(msgs) != 3 || msgs[0].Text != s.asked[0].Messages[0].Text || msgs[1].Text != bad || !strings.Contains(msgs[2].Text, "not a valid spec") {
				t.Errorf("second request: %+v", msgs)
			}

			s = say(bad, bad, good)
			out = compile(t, s, compiler.Auto, compiler.Input{Text: twice})
			if out.Source != compiler.SourceTwin || len(s.asked) != 2 || len(out.Warnings) != 3 {
				t.Errorf("after two bad replies: source %s, asked %d, warnings %v", out.Source, len(s.asked), out.Warnings)
			}
			if out.Spec.Goal != "Compare a.csv and b.csv" {
				t.Errorf("goal %q", out.Spec.Goal)
			}
		})
	}
}

func TestNoWholeReplyLeavesTheTwin(t *testing.T) {
	for name, s := range map[string]*script{
		"cut":           {replies: []llm.Reply{{Text: good + "constraints:\n  - a\nrisk", Finish: llm.FinishLength}}},
		"cut but whole": {replies: []llm.Reply{{Text: good, Finish: llm.FinishLength}}},
		"filtered":      {replies: []llm.Reply{{Text: good, Finish: llm.FinishFiltered}}},
		"a call":        {replies: []llm.Reply{{Text: good, Finish: llm.FinishCalls, Calls: []akitad.Call{{ID: "1", Tool: "x"}}}}},
		"failed":        {err: akitad.Errorf(akitad.Overloaded, "503")},
	} {
		out := compile(t, s, compiler.Auto, compiler.Input{Text: twice})
		if out.Source != compiler.SourceTwin || len(out.Warnings) != 1 || len(s.asked) != 1 {
			t.Errorf("%s: source %s, warnings %v, asked %d", name, out.Source, out.Warnings, len(s.asked))
		}
	}
}

func TestCompileEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(akitad.Errorf(akitad.Cancelled, "stop"))
	if _, err := compiler.New(say(good), compiler.Options{}).Compile(ctx, compiler.Input{Text: twice}); akitad.KindOf(err) != akitad.Cancelled {
		t.Errorf("got %v", err)
	}
	out, err := compiler.New(nil, compiler.Options{Mode: compiler.Always}).Compile(t.Context(), compiler.Input{Text: twice})
	if err != nil || out.Source != compiler.SourceTwin {
		t.Errorf("without a provider: %v, %v", out.Source, err)
	}
}

func TestComplexity(t *testing.T) {
	files := func(names ...string) (out []akitad.File) {
		for _, n := range names {
			out = append(out, akitad.File{Name: n})
		}
		return out
	}
	for _, tt := range []struct {
		text  string
		files []akitad.File
		want  int
	}{
		{"What is the capital of France?", nil, 1},
		{"北京今天的天气怎么样", nil, 1},
		{"hi", nil, 1},
		{"Count the errors in app.log", files("app.log"), 1},
		{"Write a haiku about autumn, in under 20 words, in Japanese", nil, 1},
		{"Compare a.csv and b.csv", files("a.csv", "b.csv"), 2},
		{"Compare the populations of France, Germany, Italy and Spain", nil, 2},
		{"Count the errors in app.log and write them to errors.md", files("app.log"), 2},
		{"Compare a.csv and b.csv and write the report to r.md", files("a.csv", "b.csv"), 3},
		{"比较 a.csv 和 b.csv，把报告写到 r.md", files("a.csv", "b.csv"), 3},
		{"What do these say?", files("a", "b", "c"), 3},
		{"What is in https://a.b/1.md, https://a.b/2.md and https://a.b/3.md?", nil, 3},
		{"Which services failed, when, why, how often, and what changed before? Write the report to report.md.", files("a.log", "b.log", "c.log", "deploy.md"), 5},
		{"哪些服务出了故障，什么时候，为什么，多少次，之前改了什么？把报告写到 report.md。", files("a.log", "b.log", "c.log", "deploy.md"), 5},
	} {
		spec, _ := compiler.Twin(compiler.Input{Text: tt.text, Files: tt.files})
		if got := compiler.Complexity(spec, tt.files); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.text, got, tt.want)
		}
	}
}
