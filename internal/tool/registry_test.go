package tool_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

// fake is a tool that does what its call says.
type fake struct {
	info tool.Info
	call func(context.Context, tool.Input) (tool.Result, error)
}

func (f fake) Info() tool.Info { return f.info }

func (f fake) Call(ctx context.Context, in tool.Input) (tool.Result, error) { return f.call(ctx, in) }

func named(name, category string) tool.Tool {
	return fake{info: tool.Info{Name: name, Category: category}}
}

func registry(t *testing.T) *tool.Registry {
	t.Helper()
	r, err := tool.NewRegistry(named("read_file", "files"), named("write_file", "files"), named("run_shell", "shell"), named("git__log", "mcp"), named("time", "system"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func names(tools []tool.Tool) string {
	var all []string
	for _, t := range tools {
		all = append(all, t.Info().Name)
	}
	return strings.Join(all, " ")
}

func TestNewRegistryRefuses(t *testing.T) {
	for name, tools := range map[string][]tool.Tool{
		"twice":        {named("a", ""), named("a", "")},
		"empty":        {named("", "")},
		"space":        {named("a b", "")},
		"dot":          {named("a.b", "")},
		"too long":     {named(strings.Repeat("a", 65), "")},
		"a bad schema": {fake{info: tool.Info{Name: "a", Schema: json.RawMessage(`{"type":5}`)}}},
	} {
		if _, err := tool.NewRegistry(tools...); akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGet(t *testing.T) {
	r := registry(t)
	if got, ok := r.Get("run_shell"); !ok || got.Info().Category != "shell" {
		t.Errorf("got %v, %v", got, ok)
	}
	if _, ok := r.Get("none"); ok {
		t.Error("there is a tool named none")
	}
}

func TestSelect(t *testing.T) {
	r := registry(t)
	for _, tt := range []struct{ words, want string }{
		{"", "read_file write_file run_shell git__log time"},
		{"time read_file time", "read_file time"},
		{"files", "read_file write_file"},
		{"*_file shell", "read_file write_file run_shell"},
		{"git__*", "git__log"},
	} {
		got, err := r.Select(strings.Fields(tt.words))
		if names(got) != tt.want || err != nil {
			t.Errorf("select %q gives %q, %v; want %q", tt.words, names(got), err, tt.want)
		}
	}
}

func TestSelectUnknown(t *testing.T) {
	_, err := registry(t).Select([]string{"time", "read_fil", "wombat", "x*"})
	f := akitad.FailureOf(err)
	if f == nil || f.Kind != akitad.NotFound {
		t.Fatalf("select gives %v", err)
	}
	for _, want := range []string{`"read_fil"`, `"wombat"`, `"x*"`} {
		if !strings.Contains(f.Message, want) {
			t.Errorf("%q does not name %s", f.Message, want)
		}
	}
	if !strings.Contains(f.Hint, "did you mean read_file") || !strings.Contains(f.Hint, "known: ") {
		t.Errorf("the hint is %q", f.Hint)
	}
}

func TestEnabled(t *testing.T) {
	for _, tt := range []struct{ on, off, want string }{
		{"", "", "read_file write_file run_shell git__log time"},
		{"", "shell nothing", "read_file write_file git__log time"},
		{"files time", "write_file", "read_file time"},
		{"run_shell", "run_*", ""},
	} {
		r, err := registry(t).Enabled(strings.Fields(tt.on), strings.Fields(tt.off))
		if err != nil || names(r.All()) != tt.want {
			t.Fatalf("on %q, off %q gives %v; want %q", tt.on, tt.off, err, tt.want)
		}
		for _, n := range strings.Fields(tt.want) {
			if _, ok := r.Get(n); !ok {
				t.Errorf("%s cannot be got", n)
			}
		}
		if _, ok := r.Get("run_shell"); ok != slices.Contains(strings.Fields(tt.want), "run_shell") {
			t.Errorf("on %q, off %q: run_shell is there: %v", tt.on, tt.off, ok)
		}
	}
	if _, err := registry(t).Enabled([]string{"wombat"}, nil); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("enable an unknown tool: %v", err)
	}
}

func TestRegistryPrepare(t *testing.T) {
	r := registry(t)
	if got, err := r.Prepare("time", nil); string(got) != "{}" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	_, err := r.Prepare("tiem", nil)
	if akitad.KindOf(err) != akitad.NotFound || !strings.Contains(akitad.FailureOf(err).Hint, "time") {
		t.Errorf("an unknown tool: %v", akitad.FailureOf(err))
	}
}

func TestSchemaOf(t *testing.T) {
	type args struct {
		Path  string   `json:"path" jsonschema:"name of the file"`
		Mode  string   `json:"mode,omitempty" jsonschema:"what comes back" enum:"lines,count" default:"\"lines\""`
		Limit int      `json:"limit,omitempty" default:"100" minimum:"1" maximum:"1000"`
		List  []string `json:"list,omitempty"`
	}
	s, err := tool.SchemaOf[args]()
	if err != nil {
		t.Fatal(err)
	}
	info := tool.Info{Name: "t", Schema: s}
	got, err := tool.Prepare(info, json.RawMessage(`{"path":"a","list":["x"]}`))
	if want := `{"limit":100,"list":["x"],"mode":"lines","path":"a"}`; string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, bad := range []string{`{}`, `{"path":"a","mode":"x"}`, `{"path":"a","limit":0}`, `{"path":"a","limit":1001}`, `{"path":"a","other":1}`} {
		if _, err := tool.Prepare(info, json.RawMessage(bad)); err == nil {
			t.Errorf("%s is valid", bad)
		}
	}
	if !strings.Contains(string(s), "name of the file") {
		t.Errorf("no description in %s", s)
	}
}

func TestSchemaOfKinds(t *testing.T) {
	type inner struct {
		Goal string          `json:"goal"`
		Any  json.RawMessage `json:"any,omitempty"`
		Not  string          `json:"-"`
	}
	type shared struct {
		Last *bool `json:"last,omitempty" jsonschema:"<b> & \"c\""`
	}
	type args struct {
		shared
		N     float64          `json:"n" minimum:"0.5"`
		Name  string           `json:"name" minLength:"1" format:"regex"`
		Next  *inner           `json:"next,omitempty"`
		Each  []inner          `json:"each,omitempty"`
		Table map[string]any   `json:"table,omitempty"`
		Count map[string]int64 `json:"count,omitempty" default:"{}"`
	}
	const each = `"properties":{"goal":{"type":"string"},"any":true},"required":["goal"],"additionalProperties":false`
	want := `{"type":"object","properties":{"last":{"type":["null","boolean"],"description":"\u003cb\u003e \u0026 \"c\""},` +
		`"n":{"type":"number","minimum":0.5},"name":{"type":"string","minLength":1,"format":"regex"},` +
		`"next":{"type":["null","object"],` + each + `},"each":{"type":["null","array"],"items":{"type":"object",` + each + `}},` +
		`"table":{"type":"object","additionalProperties":true},"count":{"type":"object","default":{},"additionalProperties":{"type":"integer"}}},` +
		`"required":["n","name"],"additionalProperties":false}`
	if got, err := tool.SchemaOf[args](); string(got) != want || err != nil {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

func TestSchemaOfRefuses(t *testing.T) {
	if _, err := tool.SchemaOf[int](); err == nil {
		t.Error("int is no struct")
	}
	type bad struct {
		A string `json:"a" default:"x"`
	}
	if _, err := tool.SchemaOf[bad](); err == nil {
		t.Error("x is not JSON")
	}
}
