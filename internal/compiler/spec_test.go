package compiler_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/llm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal([]byte(got), want) {
		t.Errorf("%s differs (-update to accept): %v\ngot:\n%s", file, err, got)
	}
}

var incident = []akitad.File{{Name: "api.log", Size: 120000}, {Name: "db.log", Size: 98000}, {Name: "deploy.md", Size: 800}}

func TestSpecGolden(t *testing.T) {
	for name, text := range map[string]string{
		"spec_en.yaml": "Hi! Which services failed, when, and why? Do not guess. Use only the attached logs, in under 300 words, and write the report to report.md as a table with line numbers. Delete old reports first.",
		"spec_zh.yaml": "你好，请分析一下哪些服务出了故障：什么时候、为什么。不要猜测，只用附件里的日志，控制在300字以内，把报告写到report.md，用表格形式，并注明行号。再删除旧报告。",
	} {
		spec, _ := compiler.Twin(compiler.Input{Text: text, Files: incident})
		golden(t, name, compiler.Marshal(spec))
	}
}

func TestPromptGolden(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		text := map[string]string{"en": "Compare the two logs. What failed first?", "zh": "比较这两份日志，哪个先出故障？"}[lang]
		req := compiler.Request(compiler.Input{
			Text: text, Lang: lang, Files: incident[:2], Task: "t_abc",
			Earlier: []llm.BriefTurn{{Said: "hello", Answered: "Hello: how can I help?"}},
		})
		var b strings.Builder
		b.WriteString("=== system\n" + req.System)
		for _, m := range req.Messages {
			b.WriteString("=== " + string(m.Speaker) + "\n" + m.Text + "\n")
		}
		b.WriteString("=== exit rules\n" + compiler.ExitRules(lang) + "\n")
		golden(t, "prompt_"+lang+".txt", b.String())
	}
}

func TestParseSurvives(t *testing.T) {
	want := akitad.Spec{
		TaskType:           akitad.Question,
		Goal:               "Find out: why",
		Inputs:             akitad.Inputs{Given: []string{"a.log"}, Missing: []string{}},
		Constraints:        []string{"Language: English", "*no* guesses"},
		OutputRequirements: []string{},
		Risks:              []string{},
	}
	body := "task_type: question\ngoal: Find out: why\ninputs:\n  given:\n    - a.log\nconstraints:\n  - Language: English\n  - *no* guesses\n"
	for name, text := range map[string]string{
		"unquoted colons":     body,
		"fence and prose":     "Here is the spec:\n\n```yaml\n" + body + "```\n\nAnything else?",
		"thinking":            "<think>goal: a thought\ntask_type: none</think>" + body,
		"tabs":                strings.ReplaceAll(body, "  ", "\t"),
		"full-width colons":   strings.NewReplacer("task_type: ", "task_type：", "goal: ", "goal：", "given:", "given：").Replace(body),
		"bom and crlf":        "\ufeff" + strings.ReplaceAll(body, "\n", "\r\n"),
		"null lists":          body + "risks_or_ambiguities: null\noutput_requirements:\n",
		"curly quotes":        strings.Replace(body, "question", "“question”", 1),
		"type with a capital": strings.Replace(body, "question", "Question", 1),
		"type in bold type":   strings.Replace(body, "question", "**question**", 1),
		"type as code":        strings.Replace(body, "question", "`question`.", 1),
		"list of nothing":     body + "output_requirements: None\nrisks_or_ambiguities: 无\n",
		"json":                `{"task_type": "question", "goal": "Find out: why", "inputs": {"given": ["a.log"], "missing": []}, "constraints": ["Language: English", "*no* guesses"]}`,
	} {
		got, err := compiler.Parse(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestParseKeepsWords(t *testing.T) {
	got, err := compiler.Parse("task_type: other\ngoal: no\nconstraints: [1.10, 0123, 1e3, yes, 12:30]\n")
	if err != nil || got.Goal != "no" || !slices.Equal(got.Constraints, []string{"1.10", "0123", "1e3", "yes", "12:30"}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// What looks like a comment, or like a blank that means nothing, is a part of the words.
func TestParseKeepsNumberSignsAndTabs(t *testing.T) {
	for in, want := range map[string]string{
		"goal: fix #12":                              "fix #12/",
		"goal: fix bug #12 in #general":              "fix bug #12 in #general/",
		"goal: a\tb":                                 "a b/",
		"goal:\tx":                                   "x/",
		"goal: a # a remark":                         "a/",
		"goal: 'a #1' # a remark":                    "a #1/",
		"goal: \"a #1\"":                             "a #1/",
		"goal: x # c\nconstraints: # d\n  - a #b":    "x/a #b",
		"goal: x\nconstraints:\n  - see #7: first\n": "x/see #7: first",
		"goal: x\nconstraints: [a, b] # c":           "x/a|b",
		"goal: |\n  a #1\n  b\tc":                    "a #1\nb\tc/",
		"goal: say \"x\" #2":                         "say \"x\"/", // what is quoted is left to YAML
		"goal: C#, F# and #rust":                     "C#, F# and #rust/",
	} {
		got, err := compiler.Parse("task_type: question\n" + in + "\n")
		if text := got.Goal + "/" + strings.Join(got.Constraints, "|"); err != nil || text != want {
			t.Errorf("%q: %q, %v; want %q", in, text, err, want)
		}
	}
}

// Typographic quotes that enclose all of a value are the model's, those within are part of the words.
func TestParseTypographicQuotes(t *testing.T) {
	for in, want := range map[string]string{
		"goal: “write a ‘hello’ page”":                "write a ‘hello’ page/",
		"goal: 「写诗」\nconstraints: [“short”, “no JS”]": "写诗/short|no JS",
		"goal: x\nconstraints:\n  - “a, b”\n  - ‘c’":  "x/a, b|c",
		"goal: x\nconstraints: [“a, b”]":              "x/a, b",
		"goal: “a” and “b”":                           "“a” and “b”/",
		"goal: \"“a”\"":                               "“a”/", // what is quoted is left to YAML
		"goal: |\n  - “a”":                            "- “a”/",
		"goal: x\nconstraints: [say “hi” to all, b]":  "x/say “hi” to all|b",
	} {
		got, err := compiler.Parse("task_type: question\n" + in + "\n")
		if text := got.Goal + "/" + strings.Join(got.Constraints, "|"); err != nil || text != want {
			t.Errorf("%q: %q, %v; want %q", in, text, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"task_type: research\ngoal: x\n", `task_type "research" is not known`},
		{"goal: x\n", "task_type is missing"},
		{"task_type: other\ngoal: ''\n", "goal is missing"},
		{"task_type: other\ngoal: x\ngaol: y\n", `line 3: unknown key "gaol", did you mean goal?`},
		{"task_type: other\ngoal: x\ninputs: [a]\n", "line 3: inputs must be a mapping of given, missing"},
		{"task_type: other\ngoal: x\nconstraints: short\n", "line 3: constraints must be a list"},
		{"task_type: other\ngoal: x\ngoal: y\n", "line 3: mapping key \"goal\" already defined"},
		{"I am afraid I cannot do that.", "the document must be a mapping"},
	} {
		_, err := compiler.Parse(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) || akitad.FailureOf(err).Hint == "" && !strings.Contains(tt.want, "must be a mapping") {
			t.Errorf("%q: got %v (hint %q), want %s", tt.in, err, akitad.FailureOf(err).Hint, tt.want)
		}
		if akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%q: kind %s", tt.in, akitad.KindOf(err))
		}
	}
}

// anyText draws texts that YAML has opinions about.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"no", "null", "~", "1e3", "0123", "true", "- a", "a: b", "#x", "x # y", "*a*", "&b", "!c", "|", ">", "'", `"`, "“q”", "{a}", "[b]", "%d", "@me", "`x`", "a\nb", "\ta", "：", "```", "<think>", "---", "...", "\u0007", "\u2028", "\ufeff", "\\n", "写：诗", "? x", "${{ y }}", "=", "<<"}),
		rapid.String(),
		rapid.StringMatching(`[a-z ]{1,20}`),
	)
}

func TestMarshalReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := func(name string) []string { return rapid.SliceOfN(anyText(), 0, 4).Draw(t, name) }
		spec := akitad.Spec{
			TaskType:           rapid.SampledFrom(akitad.TaskTypes).Draw(t, "type"),
			Goal:               "g" + anyText().Draw(t, "goal"),
			Inputs:             akitad.Inputs{Given: list("given"), Missing: list("missing")},
			Constraints:        list("constraints"),
			OutputRequirements: list("output"),
			Risks:              list("risks"),
		}
		text := compiler.Marshal(spec)
		got, err := compiler.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := compiler.Marshal(got); again != text {
			t.Fatalf("wrote\n%s\nread and wrote\n%s", text, again)
		}
	})
}

func TestTwinAlwaysGivesASpec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z ,.?:"“”请写把。，\n]{0,200}`)).Draw(t, "text")
		in := compiler.Input{Text: text, Lang: rapid.SampledFrom([]string{"", "en", "zh"}).Draw(t, "lang")}
		spec, report := compiler.Twin(in)
		if _, err := compiler.Parse(compiler.Marshal(spec)); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if report.Constraints != len(spec.Constraints) || report.Goals < 0 {
			t.Fatalf("%q: %+v", text, report)
		}
		if c := compiler.Complexity(spec, nil); c < 1 || c > 5 {
			t.Fatalf("%q: complexity %d", text, c)
		}
		if again, _ := compiler.Twin(in); !reflect.DeepEqual(spec, again) {
			t.Fatalf("%q compiles differently the second time", text)
		}
	})
}

func TestLongTextIsRead(t *testing.T) {
	text := "Summarise this text:\n" + strings.Repeat("The log says: error in a.log, 不要 panic. ", 1<<15)
	spec, _ := compiler.Twin(compiler.Input{Text: text})
	if spec.TaskType != akitad.Analysis || len(compiler.Marshal(spec)) > 64<<10 {
		t.Errorf("%s, %d bytes", spec.TaskType, len(compiler.Marshal(spec)))
	}
}

func FuzzParse(f *testing.F) {
	f.Add("task_type: other\ngoal: x: y\nconstraints: [a, *b]\n")
	f.Add("```yaml\ntask_type：question\ngoal：谁\n```")
	f.Add("<think>\ntask_type: \"action\"\ngoal: 'it's'\ninputs:\n\tgiven:\n\t- a\n")
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := compiler.Parse(text)
		if err != nil {
			return
		}
		if _, err := compiler.Parse(compiler.Marshal(spec)); err != nil {
			t.Errorf("%q gives a spec that does not read back: %v\n%s", text, err, compiler.Marshal(spec))
		}
	})
}
