package tool_test

import (
	"testing"

	"github.com/akitad/akitad/internal/tool"
)

func TestPlainPaths(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{`{"path":"a.txt"}`, `{"path":"a.txt"}`},
		{`{"path":"./a.txt","n":1}`, `{"n":1,"path":"a.txt"}`},
		{`{"output_file":" b/../a.txt "}`, `{"output_file":"a.txt"}`},
		{`{"path":""}`, `{"path":"."}`},
		{`{"path":"资料//a.txt"}`, `{"path":"资料/a.txt"}`},
		{`{"path":"../a.txt"}`, `{"path":"../a.txt"}`}, // another file than a.txt
		{`{"file":"https://x.example//a"}`, `{"file":"https://x.example//a"}`},
		{`{"content":"./a.txt"}`, `{"content":"./a.txt"}`},
		{`{"path":7}`, `{"path":7}`},
		{`{"command":" make   -j2\ttest \n ls\n"}`, `{"command":"make -j2 test\nls"}`},
		{`{"command":"printf 'a  b'"}`, `{"command":"printf 'a  b'"}`},
		{`{"command":"cat  $A"}`, `{"command":"cat  $A"}`},
		{`{"content":"a  b"}`, `{"content":"a  b"}`},
		{`["./a"]`, `["./a"]`},
		{`{"path":`, `{"path":`},
		{``, ``},
	} {
		if got := string(tool.PlainPaths([]byte(tt.args))); got != tt.want {
			t.Errorf("%s is spelled %s, want %s", tt.args, got, tt.want)
		}
	}
}
