package catalogue_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/builtin"
	"github.com/akitad/akitad/internal/tool/catalogue"
	"github.com/akitad/akitad/internal/window"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s differs (-update to accept): %v\ngot:\n%s", file, err, got)
	}
}

type fake struct{ info tool.Info }

func (f fake) Info() tool.Info { return f.info }

func (fake) Call(context.Context, tool.Input) (tool.Result, error) { return tool.Result{}, nil }

func house(names ...string) (all []tool.Tool) {
	for _, n := range names {
		all = append(all, fake{tool.Info{Name: n, Category: "files"}})
	}
	return all
}

// leading are the tools by which others are reached.
func leading() (all []tool.Tool) {
	for _, n := range []string{"call_tool", "find_tool", "tool_info"} {
		all = append(all, fake{tool.Info{Name: n, Category: "system", Meta: true}})
	}
	return all
}

func names(tools []tool.Tool) string {
	var all []string
	for _, t := range tools {
		all = append(all, t.Info().Name)
	}
	return strings.Join(all, " ")
}

func TestSplit(t *testing.T) {
	full := slices.Concat(house("list_directory", "read_file", "write_file", "grep", "run_shell", "ask_user", "delegate", "submit_result", "a", "b", "c"), leading())
	few := slices.Concat(house("a", "b"), leading())
	guest := fake{tool.Info{Name: "git__log", Server: "git"}}
	for _, tt := range []struct {
		name        string
		profile     akitad.Profile
		tools       []tool.Tool
		block, rest string
	}{
		{
			"every tool",
			akitad.Profile{},
			full,
			"list_directory read_file write_file run_shell ask_user delegate submit_result call_tool find_tool tool_info", "grep a b c",
		},
		{
			"a root task has no result to submit",
			akitad.Profile{},
			slices.DeleteFunc(slices.Clone(full), func(t tool.Tool) bool { return t.Info().Name == "submit_result" }),
			"list_directory read_file write_file run_shell ask_user delegate call_tool find_tool tool_info", "grep a b c",
		},
		{
			"a core of its own",
			akitad.Profile{Core: []string{"c", "read_file", "b", "a"}},
			full,
			"list_directory read_file write_file run_shell ask_user submit_result c call_tool find_tool tool_info", "grep delegate a b",
		},
		{
			"the order of its tools",
			akitad.Profile{Tools: []string{"b", "files"}},
			full,
			"list_directory read_file write_file run_shell ask_user submit_result b call_tool find_tool tool_info", "grep delegate a c",
		},
		{"few and fixed", akitad.Profile{Tools: []string{"a", "b"}}, few, "a b", ""},
		{"few, but others may come", akitad.Profile{}, few, "call_tool find_tool tool_info", "a b"},
		{"few, but others are named", akitad.Profile{Tools: []string{"a", "b", "git__*"}}, few, "a b call_tool find_tool tool_info", ""},
		{"a guest", akitad.Profile{Tools: []string{"a", "git__*"}, Core: []string{"git__log"}}, append(slices.Clone(few), guest), "a call_tool find_tool tool_info", "b git__log"},
		{"nothing leads to others", akitad.Profile{}, slices.Clone(full[:11]), names(full[:11]), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			block, rest := catalogue.Split(tt.profile, tt.tools)
			if names(block) != tt.block || names(rest) != tt.rest {
				t.Errorf("block %q, want %q\nrest  %q, want %q", names(block), tt.block, names(rest), tt.rest)
			}
			if len(block) > catalogue.Most && tt.rest != "" {
				t.Errorf("%d tools in the block", len(block))
			}
		})
	}
}

// Tools of servers come and go; the block stays the same.
func TestTheBlockKnowsNoGuests(t *testing.T) {
	own := slices.Concat(house("read_file", "a", "b", "grep"), leading())
	for _, p := range []akitad.Profile{{}, {Tools: []string{"read_file", "mcp"}}, {Tools: []string{"a", "forge0__list_issue_0"}, Core: []string{"forge0__list_issue_0"}}} {
		want, _ := catalogue.Split(p, own)
		for n := range 30 {
			var guests []tool.Tool
			for _, info := range issues(n) {
				guests = append(guests, fake{info})
			}
			block, rest := catalogue.Split(p, slices.Concat(own[:2], guests, own[2:]))
			if names(block) != names(want) || len(block)+len(rest) != len(own)+n {
				t.Fatalf("%v with %d guests: %s, want %s", p.Tools, n, names(block), names(want))
			}
		}
	}
}

// issues makes tools as servers bring them: names, descriptions and schemas of a usual size.
func issues(n int) (all []tool.Info) {
	verbs, things := []string{"list", "create", "update", "delete", "search"}, []string{"issue", "pull_request", "branch", "release", "label", "comment", "webhook"}
	for i := range n {
		verb, thing, server := verbs[i%5], things[i%7], fmt.Sprintf("forge%d", i/40)
		words := strings.ReplaceAll(thing, "_", " ")
		all = append(all, tool.Info{
			Name: fmt.Sprintf("%s__%s_%s_%d", server, verb, thing, i), Server: server, Category: catalogue.MCP, Risk: tool.RiskNetwork,
			Description: fmt.Sprintf("%s%s one or more %ss in a repository of the forge. Needs the owner and the name of the repository; "+
				"answers with JSON that holds the number, the title, the state, the author and the times at which the %s was made and changed. "+
				"Results come in pages of 30; ask for the next one by page.", strings.ToUpper(verb[:1]), verb[1:], words, words),
			Schema: json.RawMessage(`{"type":"object","properties":{"owner":{"type":"string","description":"the account that the repository belongs to"},` +
				`"repo":{"type":"string","description":"name of the repository, without the account"},"title":{"type":"string","description":"title of the ` + words + `"},` +
				`"body":{"type":"string","description":"its text, in Markdown"},"labels":{"type":"array","items":{"type":"string"},"description":"names of labels"},` +
				`"state":{"type":"string","enum":["open","closed","all"],"description":"only those in this state"},` +
				`"page":{"type":"integer","minimum":1,"description":"which page of the results"}},"required":["owner","repo"],"additionalProperties":false}`),
		})
	}
	return all
}

// cost gives what a request has in tokens with so many tools of servers, or of the house, beside it.
func cost(t *testing.T, tools []tool.Info) int {
	t.Helper()
	req := llm.Request{Tools: []llm.Tool{{Name: "call_tool"}}}
	var own, guests []tool.Info
	for _, info := range tools {
		if info.Server == "" {
			own = append(own, info)
		} else {
			guests = append(guests, info)
		}
	}
	req.Tools[0].Description = catalogue.Text(own, catalogue.MostHouse)
	brief := llm.Brief{MoreTools: catalogue.Text(guests, catalogue.MostServers)}
	req.Messages = []llm.Message{{Speaker: llm.User, Text: brief.Append("ping")}}
	return new(window.Counter).Request(req).Tokens()
}

func TestManyToolsCostLittle(t *testing.T) {
	const most = 10_000
	bare := cost(t, nil)
	for _, where := range []string{"servers", "the house"} {
		took := map[int]int{}
		for _, n := range []int{1, 10, 100, 1000} {
			tools := issues(n)
			for i := range tools {
				if where == "the house" {
					tools[i].Category, tools[i].Server = tools[i].Server, ""
				}
			}
			took[n] = cost(t, tools) - bare
		}
		whole := 0
		for _, info := range issues(100) {
			whole += window.Tokens(info.Name + info.Description + string(info.Schema))
		}
		t.Logf("%s: %v tokens; 100 with their schemas %d", where, took, whole)
		if took[100] > most || took[1000] > 2*took[100] || took[1] == 0 {
			t.Errorf("tools of %s cost %v tokens", where, took)
		}
	}
}

func builtins() (all []tool.Info) {
	for _, t := range builtin.All(builtin.Deps{}) {
		all = append(all, t.Info())
	}
	return all
}

func TestCatalogueText(t *testing.T) {
	mixed := append(slices.Clone(issues(3)), tool.Info{Name: "recall", Category: "memory", Description: "搜索以前记住的内容。只用于这个人。"},
		tool.Info{Name: "odd", Schema: json.RawMessage(`[]`)})
	few, many := issues(100), issues(1000)
	var b strings.Builder
	for _, part := range []struct{ name, text string }{
		{"all of few", catalogue.Text(mixed, 4000)},
		{"names of many", catalogue.Text(slices.Concat(few[40:44], few[:40]), 2000)},
		{"numbers of very many", catalogue.Text(many, 600)},
		{"no room", catalogue.Text(few, 0)},
		{"no tools", catalogue.Text(nil, 4000)},
		{"found", catalogue.Found(few[0]) + "\n" + catalogue.Found(mixed[3]) + "\n"},
		{"described", catalogue.Describe(few[0]) + "\n" + catalogue.Describe(mixed[4]) + "\n"},
	} {
		b.WriteString("== " + part.name + "\n" + part.text)
	}
	golden(t, "catalogue.txt", b.String())
}

func TestFind(t *testing.T) {
	all := append(builtins(), issues(100)...)
	for _, tt := range []struct{ query, want string }{
		{"grep", "grep"},
		{"search text in files", "grep"},
		{"regular expressions", "grep"},
		{"find a file by its name", "glob"},
		{"reading a file", "read_file"},
		{"save text", "write_file"},
		{"execute a command", "run_shell"},
		{"bash", "run_shell"},
		{"what day is it", "time"},
		{"which workflows are there", "list_flows"},
		{"hand work to another agent", "delegate"},
		{"ask the user a question", "ask_user"},
		{"folder contents", "list_directory"},
		{"creating pull requests", "forge0__create_pull_request_1"},
		{"在文件里搜索文本", "grep"},
		{"搜索", "grep"},
		{"读取文件", "read_file"},
		{"写入文件", "write_file"},
		{"运行命令", "run_shell"},
		{"现在几点，什么时间", "time"},
		{"列出文件夹", "list_directory"},
		{"工作流", "run_flow"},
		{"委派给其他智能体", "delegate"},
		{"向用户提问", "ask_user"},
		{"删除标签 label", "forge0__delete_label"},
		{"zzz 龘", ""},
	} {
		var got []string
		for _, info := range catalogue.Find(all, tt.query, 3) {
			got = append(got, info.Name)
		}
		ok := tt.want == "" && len(got) == 0
		if tt.want != "" {
			ok = slices.ContainsFunc(got, func(n string) bool { return strings.HasPrefix(n, tt.want) })
		}
		if !ok {
			t.Errorf("%q finds %v, want %q", tt.query, got, tt.want)
		}
	}
	if got := catalogue.Find(all, "file", 4); len(got) != 4 {
		t.Errorf("%d tools found, want the 4 asked for", len(got))
	}
}
