package tool_test

import (
	"encoding/json"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

// What models write as a call through call_tool, and the call that is meant. A call without a tool
// stays as it is, for call_tool to refuse.
func TestMeant(t *testing.T) {
	r, err := tool.NewRegistry(fake{info: tool.Info{Name: "look", Readonly: true}}, fake{info: tool.Info{Name: "write"}})
	if err != nil {
		t.Fatal(err)
	}
	const stays = "call_tool"
	for _, tt := range []struct{ name, raw, tool, args string }{
		{"plain", `{"tool":"look","args":{"n":12345678901234567890}}`, "look", `{"n":12345678901234567890}`},
		{"order does not matter", `{"args":{"b":1,"a":"<x>"},"tool":"write"}`, "write", `{"a":"<x>","b":1}`},
		{"no arguments", `{"tool":"look"}`, "look", `{}`},
		{"null arguments", `{"tool":"look","args":null}`, "look", `{}`},
		{"arguments as text", `{"tool":"look","args":"{\"n\":1}"}`, "look", `"{\"n\":1}"`},
		{"other names", `{"name":"look","arguments":{"n":1}}`, "look", `{"n":1}`},
		{"side by side", `{"tool":"write","path":"a","name":"b"}`, "write", `{"name":"b","path":"a"}`},
		{"an argument called input", `{"tool":"write","input":"a","path":"b"}`, "write", `{"input":"a","path":"b"}`},
		{"all of it as text", `"{\"tool\":\"look\",\"args\":{\"n\":1}}"`, "look", `{"n":1}`},
		{"mended", "\"{tool: 'write', args: {path: 'a',}}\"", "write", `{"path":"a"}`},
		{"spaces", `{"tool":" look "}`, "look", `{}`},
		{"unknown", `{"tool":"wombat","args":{"n":1}}`, "wombat", `{"n":1}`},
		{"twice", `{"tool":"call_tool","args":{"tool":"look","args":{"n":1}}}`, "look", `{"n":1}`},
		{"cut off, only reads", `"{\"tool\":\"look\",\"args\":{\"what\":\"a b"`, "look", `{"what":"a b"}`},
		{"cut off, writes", `"{\"tool\":\"write\",\"args\":{\"text\":\"a b"`, stays, ``},
		{"cut off, unknown", `"{\"tool\":\"wombat\",\"args\":{\"text\":\"a b"`, stays, ``},
		{"mended and side by side", "\"{tool: 'write', path: 'a'}\"", stays, ``},
		{"more beside the arguments", `{"tool":"look","args":{"n":1},"why":"x"}`, stays, ``},
		{"no tool", `{"args":{"n":1}}`, stays, ``},
		{"a number for a tool", `{"tool":5}`, stays, ``},
		{"nothing", `{}`, stays, ``},
		{"a list", `[]`, stays, ``},
		{"endless", deep(9), stays, deep(5)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			made := akitad.Call{ID: "1", Tool: "call_tool", Args: json.RawMessage(tt.raw)}
			want := akitad.Call{ID: "1", Tool: tt.tool, Args: json.RawMessage(tt.args), Via: "call_tool"}
			switch {
			case tt.args == "":
				want = made
			case tt.tool == stays:
				want.Args = json.RawMessage(tt.args)
			}
			got := r.Meant(made)
			if got.ID != want.ID || got.Tool != want.Tool || got.Via != want.Via || string(got.Args) != string(want.Args) {
				t.Errorf("%s\ngives %+v %s\nwant  %+v %s", tt.raw, got, got.Args, want, want.Args)
			}
		})
	}
	direct := akitad.Call{ID: "1", Tool: "look", Args: json.RawMessage(`{"tool":"write","args":{}}`)}
	if got := r.Meant(direct); got.Tool != "look" || string(got.Args) != string(direct.Args) || got.Via != "" {
		t.Errorf("a direct call became %+v", got)
	}
}

func deep(n int) string {
	if n == 0 {
		return `{}`
	}
	return `{"args":` + deep(n-1) + `,"tool":"call_tool"}`
}
