package text_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestDetect(t *testing.T) {
	for s, want := range map[string]text.Lang{
		"": text.En, "123 !?": text.En, "😀": text.En,
		"which services failed, and when?":                         text.En,
		"哪些服务失败了？":                                                 text.Zh,
		"统计 error.log 里 ERROR 的数量":                                 text.Zh,
		"统计 app.log 和 /var/log/nginx/access.log 中的 timeout":        text.Zh,
		"what does 你好 mean":                                        text.En,
		"translate 你好，世界 into English please":                      text.Zh, // five characters, four words: either would do
		"summarise 报告.md please":                                   text.En,
		"看看 https://example.com/a-long/path?with=words-in-it 说了什么": text.Zh,
		"比较 payment, auth, gateway 三个服务":                           text.Zh,
		"このファイルの行数を数えてください":                                        text.En,
		"도와주세요":                                                    text.En,
		"don't panic":                                              text.En,
		"帮我 fix 一下 bug":                                            text.Zh,
		"报告":                                                       text.Zh,
	} {
		if got := text.Detect(s); got != want {
			t.Errorf("Detect(%q) = %s, want %s", s, got, want)
		}
	}
	if text.Lang("").Or(text.Zh) != text.Zh || text.Lang("fr").Or(text.En) != text.En || text.Zh.Or(text.En) != text.Zh {
		t.Error("Or does not fall back")
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("统计 a.log")
	f.Fuzz(func(t *testing.T, s string) {
		l := text.Detect(s)
		if l != text.En && l != text.Zh {
			t.Errorf("Detect(%q) = %q", s, l)
		}
		if l == text.Zh && !strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("Chinese without a Han character: %q", s)
		}
	})
}

var placeholder = regexp.MustCompile(`\{([a-z]+)\}`)

// Every message names the same values in both languages, and is given exactly those.
func TestBothLanguagesSayTheSameThings(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "say" {
				calls++
				checkSay(t, name, call)
			}
			return true
		})
	}
	if calls < 60 {
		t.Errorf("only %d messages found: does the test still see them?", calls)
	}
}

func checkSay(t *testing.T, file string, call *ast.CallExpr) {
	t.Helper()
	en, zh := literal(t, call.Args[0]), literal(t, call.Args[1])
	var given []string
	for i := 2; i < len(call.Args); i += 2 {
		given = append(given, literal(t, call.Args[i]))
	}
	slices.Sort(given)
	if a, b := names(en), names(zh); !slices.Equal(a, given) || !slices.Equal(b, given) {
		t.Errorf("%s: %q uses %v, %q uses %v, given %v", file, en, a, zh, b, given)
	}
	if en == "" {
		t.Errorf("%s: no English for %q", file, zh)
	}
	if strings.Count(en, "\n") != strings.Count(zh, "\n") {
		t.Errorf("%s: %q and %q have different lines", file, en, zh)
	}
}

func literal(t *testing.T, e ast.Expr) string {
	t.Helper()
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		t.Fatalf("a message or a name of a value is not a literal: %T", e)
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func names(s string) []string {
	var out []string
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	slices.Sort(out)
	return out
}

// samples gives every method of Lang its arguments, by type; strings hold what must not be expanded
// or break a line.
func samples(m reflect.Method) []reflect.Value {
	var out []reflect.Value
	for i := 1; i < m.Type.NumIn(); i++ {
		var v any
		switch m.Type.In(i) {
		case reflect.TypeFor[int]():
			v = 40 + i
		case reflect.TypeFor[int64]():
			v = int64(i) << 30
		case reflect.TypeFor[string]():
			v = fmt.Sprintf("arg%d {k}\nline", i)
		case reflect.TypeFor[[]string]():
			v = []string{"one", "two"}
		case reflect.TypeFor[time.Time]():
			v = time.Date(2026, 11, 30, 9, 5, 0, 0, time.UTC)
		case reflect.TypeFor[text.Lang]():
			v = text.En
		case reflect.TypeFor[akitad.Kind]():
			v = akitad.Quota
		case reflect.TypeFor[akitad.Failure]():
			v = akitad.Failure{Kind: akitad.NotFound, Message: "no profile \"x\"\ngoroutine 1 [running]"}
		case reflect.TypeFor[[]akitad.Degradation]():
			v = []akitad.Degradation{{Layer: "endpoint", From: "a", To: "b", Kind: akitad.Timeout}, {Layer: "endpoint", From: "b", To: "offline", Kind: akitad.Transport}, {Layer: "agent", From: "analyst", To: "assistant", Kind: akitad.Loop}}
		case reflect.TypeFor[bool]():
			v = true
		case reflect.TypeFor[akitad.Step]():
			v = akitad.Step{ID: "save", Model: "main", Prompt: "write {k}\nall", Needs: []string{"a", "b"}, Verify: &akitad.Verify{Command: "true"}}
		case reflect.TypeFor[akitad.Plan]():
			v = akitad.Plan{Steps: []akitad.Step{{ID: "a", Agent: "analyst", Goal: "look {k}"}, {ID: "b", Tool: "grep", Needs: []string{"a"}}}}
		case reflect.TypeFor[text.TaskFacts]():
			v = text.TaskFacts{Profile: "analyst", Model: "small", Flow: "triage", Created: time.Date(2026, 11, 30, 9, 5, 0, 0, time.UTC), Took: 61 * time.Second, Rounds: 3, Calls: 4, Files: []string{"a.csv (1.0 KiB)"}, Rating: 4}
		case reflect.TypeFor[text.Progress]():
			v = text.Progress{Task: "t_x", Text: "count errors", State: "waiting", Reason: "children", Step: 1, Steps: 3, Rounds: 2, For: 90 * time.Second, Queued: 1}
		default:
			panic("no sample for " + m.Type.In(i).String() + " of " + m.Name)
		}
		out = append(out, reflect.ValueOf(v))
	}
	return out
}

// The golden file shows every message in both languages: it is there to be read.
func TestMessages(t *testing.T) {
	var out bytes.Buffer
	typ := reflect.TypeFor[text.Lang]()
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		if m.Name == "Or" || m.Type.NumOut() == 0 {
			continue
		}
		said := map[text.Lang]string{}
		for _, l := range text.Langs {
			got := m.Func.Call(append([]reflect.Value{reflect.ValueOf(l)}, samples(m)...))
			for _, g := range got {
				said[l] += g.String() + "\n"
			}
			fmt.Fprintf(&out, "%s %s: %s", m.Name, l, said[l])
		}
		if said[text.En] == said[text.Zh] || !strings.ContainsFunc(said[text.Zh], func(r rune) bool { return unicode.Is(unicode.Han, r) }) ||
			strings.ContainsFunc(said[text.En], func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s mixes its languages: %v", m.Name, said)
		}
		if strings.Contains(said[text.En], "goroutine") || strings.Contains(said[text.En], "{n}") {
			t.Errorf("%s: %v", m.Name, said)
		}
	}
	file := filepath.Join("testdata", "messages.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%s differs (-update to accept): %v\ngot:\n%s", file, err, out.Bytes())
	}
}

func TestEveryKindHasItsOwnWords(t *testing.T) {
	for _, l := range text.Langs {
		seen := map[string]akitad.Kind{}
		for _, kind := range akitad.Kinds {
			sentence, hint := l.Kind(kind)
			if sentence == "" || hint == "" {
				t.Errorf("%s %s: %q %q", l, kind, sentence, hint)
			}
			if other, ok := seen[sentence]; ok {
				t.Errorf("%s: %s and %s share %q", l, kind, other, sentence)
			}
			seen[sentence] = kind
		}
	}
}

func TestDegraded(t *testing.T) {
	endpoint := func(from, to string, kind akitad.Kind) akitad.Degradation {
		return akitad.Degradation{Layer: "endpoint", From: from, To: to, Kind: kind}
	}
	for _, tt := range []struct {
		name   string
		list   []akitad.Degradation
		en, zh string
	}{
		{"clean", nil, "", ""},
		{"next endpoint", []akitad.Degradation{endpoint("a", "b", akitad.Overloaded)}, "Note: a was overloaded, so b was used.", "说明：a 负载过高，因此改用 b。"},
		{
			"offline",
			[]akitad.Degradation{endpoint("a", "offline", akitad.Transport)},
			"Note: a was not reachable, so the built-in offline engine answered, by rules and search and without a model.", "说明：a 连不上，因此由内置离线引擎回答（只用规则和检索，没有用模型）。",
		},
		{
			"chain",
			[]akitad.Degradation{endpoint("a", "b", akitad.Timeout), endpoint("b", "c", akitad.Auth)},
			"Note: a did not answer in time, b refused our key, so c was used.", "说明：a 没有及时响应，b 拒绝了密钥，因此改用 c。",
		},
		{
			"two apart",
			[]akitad.Degradation{endpoint("a", "b", akitad.Quota), {Layer: "agent", From: "x", To: "y", Kind: akitad.ToolFailed}},
			"Note: a has no quota left, so b was used; x failed, so the agent y took over.", "说明：a 额度已用完，因此改用 b；x 失败了，因此改由智能体 y 处理。",
		},
		{
			"images that nobody saw",
			[]akitad.Degradation{endpoint("a", "b", akitad.Timeout), {Layer: "input", From: "b", To: "text", Kind: akitad.Unavailable}},
			"Note: a did not answer in time, so b was used; the model behind b sees no images, so it worked without them.", "说明：a 没有及时响应，因此改用 b；b 的模型看不到图片，因此没有看图片。",
		},
		{
			"images that rules do not see",
			[]akitad.Degradation{{Layer: "input", From: "offline", To: "text", Kind: akitad.Unavailable}},
			"Note: the built-in offline engine sees no images, so it worked without them.", "说明：内置离线引擎看不到图片，因此没有看图片。",
		},
		{
			"a summary by rules",
			[]akitad.Degradation{{Layer: "summary", From: "summarizer", To: "rules", Kind: akitad.Timeout}},
			"Note: the model that sums up earlier work did not answer in time, so rules did it and details may be missing.", "说明：总结之前工作的模型没有及时响应，因此按规则总结，细节可能有缺失。",
		},
		{"nothing left", []akitad.Degradation{endpoint("a", "", akitad.Unknown)}, "Note: a failed, and there was nothing to use in its place.", "说明：a 失败了，并且没有可以替代的。"},
	} {
		if en, zh := text.En.Degraded(tt.list), text.Zh.Degraded(tt.list); en != tt.en || zh != tt.zh {
			t.Errorf("%s:\n%s\n%s\nwant\n%s\n%s", tt.name, en, zh, tt.en, tt.zh)
		}
	}
}

// The line about what was degraded is the last of the answer.
func TestFinish(t *testing.T) {
	degraded := []akitad.Degradation{{Layer: "endpoint", From: "a", To: "b", Kind: akitad.Timeout}}
	for _, tt := range []struct {
		name   string
		result akitad.Result
		want   string
	}{
		{"clean", akitad.Result{Text: "four"}, "four"},
		{"degraded", akitad.Result{Text: "four", Degraded: degraded}, "four\n\nNote: a did not answer in time, so b was used."},
		{
			"both",
			akitad.Result{Text: "four", Degraded: degraded, Partial: true, Missing: []string{"x"}},
			"four\n\nThis answer is incomplete. Missing: x.\n\nNote: a did not answer in time, so b was used.",
		},
	} {
		text.En.Finish(&tt.result)
		if tt.result.Text != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.result.Text, tt.want)
		}
	}
}

// What other people wrote stands in a message once, on one line, cut, and is not a template.
func TestForeignTextStaysText(t *testing.T) {
	got := text.En.StepFailed(1, 2, "{why} {k}", strings.Repeat("long\n", 100))
	if !strings.HasPrefix(got, "✗ 1/2 {why} {k}: long long") || strings.Contains(got, "\n") || len(got) > 120 || !strings.HasSuffix(got, "…") {
		t.Errorf("%q", got)
	}
}

// A chat reads Markdown: what others wrote, such as the pattern in an error, must come through as it is.
func TestWordsOfOthersAreNoMarkup(t *testing.T) {
	f := akitad.Failure{Kind: akitad.NotFound, Message: "no file fits *.log or *.txt"}
	if got := text.En.Failed(f); !strings.Contains(got, "(`no file fits *.log or *.txt`)") {
		t.Errorf("%q", got)
	}
	f.Message = "no file fits `*.log`"
	if got := text.Zh.Failed(f); !strings.Contains(got, "（`no file fits '*.log'`）") {
		t.Errorf("%q", got)
	}
	if got := text.FileLine("a_b_c.md", 1); strings.Contains(got, "`") {
		t.Errorf("a plain name became code: %q", got)
	}
	if got := text.En.SoFar([]string{"*a*.md"}); !strings.Contains(got, "`*a*.md`") {
		t.Errorf("%q", got)
	}
}

// What people read of status, models and memory in Chinese has no words of English that are nobody's name.
func TestChineseThroughout(t *testing.T) {
	step := func(kind akitad.Kind, message string) string {
		return text.Zh.StatusStep("failed", "1", "统计", akitad.Failure{Kind: kind, Message: message})
	}
	for got, want := range map[string]string{
		text.Zh.MemoryLine("3", "preference", "喜欢短句"):                             "• 喜欢短句（类型 偏好，编号 3）",
		text.Zh.MemoryLine("3", "hobby", "下棋"):                                    "• 下棋（类型 hobby，编号 3）",
		text.En.MemoryLine("3", "error", "x"):                                     "• x (error, 3)",
		text.Zh.ModelRole("summarizer", true):                                     "● 摘要职能（summarizer）",
		text.En.ModelRole("judge", false):                                         "○ the role judge",
		step(akitad.Timeout, "context deadline exceeded"):                         "✗ 1: 统计（没有及时响应）",
		step(akitad.Unknown, "没有这一列"):                                             "✗ 1: 统计（没有这一列）",
		step(akitad.NotFound, "the planner is switched off"):                      "✗ 1: 统计（规划器已关闭）",
		text.En.StatusStep("failed", "1", "", akitad.Failure{Message: "no file"}): "✗ 1 (no file)",
		text.Zh.StatusStep("running", "1", "", akitad.Failure{}):                  "▸ 1",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0 秒", 61 * time.Second: "1 分 1 秒", 2*time.Hour + 400*time.Millisecond: "2 小时", 25*time.Hour + 3*time.Minute: "25 小时 3 分"} {
		if got := text.Zh.Status(text.Progress{For: d}); !strings.Contains(got, "用时："+want+"，") {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// A plain 500 says nothing of load.
func TestAFaultIsNoOverload(t *testing.T) {
	d := []akitad.Degradation{{Layer: "endpoint", From: "big", To: "small", Kind: akitad.Overloaded, Status: 500}}
	if got := text.En.Degraded(d); got != "Note: big had a fault of its own, so small was used." {
		t.Errorf("%q", got)
	}
}

// What was not asked this time did not fail to answer this time.
func TestSkippedIsNotSilentNow(t *testing.T) {
	d := []akitad.Degradation{{Layer: "endpoint", From: "big", To: "small", Kind: akitad.Timeout, Skipped: true}}
	if got := text.En.Degraded(d); got != "Note: big has not answered in time lately, so small was used." {
		t.Errorf("%q", got)
	}
}
