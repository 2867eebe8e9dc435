package schema_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm/schema"
)

const recursive = `{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`

func TestRooted(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"as it should be", `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["a"]}`, ""},
		{"order is kept", `{"type":"object","properties":{"z":{},"a":{}}}`, ""},
		{"no properties", `{"type":"object"}`, `{"type":"object","properties":{}}`},
		{"no type", `{"properties":{"a":{"type":"string"}}}`, `{"properties":{"a":{"type":"string"}},"type":"object"}`},
		{"any of", `{"anyOf":[{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}},"required":["id","n"]},{"type":"object","properties":{"id":{"type":"string"},"q":{"type":"string"}},"required":["id","q"]}]}`, `{"properties":{"id":{"type":"string"},"n":{"type":"integer"},"q":{"type":"string"}},"required":["id"],"type":"object"}`},
		{"one of, beside properties", `{"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"],"properties":{"b":{"type":"string"}}}]}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`},
		{"all of", `{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`, `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"],"type":"object"}`},
		{"a reference", `{"$ref":"#/$defs/args","$defs":{"args":{"type":"object","properties":{"a":{"type":"string"}}}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"$defs":{"args":{"type":"object","properties":{"a":{"type":"string"}}}}}`},
		{"a reference to nowhere", `{"$ref":"http://127.0.0.1/x"}`, `{"type":"object","properties":{}}`},
		{"conditions", `{"type":"object","properties":{},"if":{},"then":{},"not":{}}`, `{"type":"object","properties":{}}`},
		{"a list", `[]`, `{"type":"object","properties":{}}`},
		{"true", `true`, `{"type":"object","properties":{}}`},
		{"broken", `{`, `{"type":"object","properties":{}}`},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if got := string(schema.Rooted(json.RawMessage(tt.in))); got != want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, want)
		}
	}
}

func TestSimple(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{
			"words that some servers refuse",
			`{"$schema":"x","type":"object","additionalProperties":false,"properties":{"n":{"type":"integer","minimum":1,"default":1,"description":"how many"},"u":{"type":"string","format":"uri"}},"required":["n"]}`,
			`{"type":"object","additionalProperties":false,"properties":{"n":{"type":"integer","description":"how many"},"u":{"type":"string"}},"required":["n"]}`,
		},
		{"properties that are named like words", `{"type":"object","properties":{"default":{"type":"string"},"format":{"type":"string","format":"uri"}}}`, `{"type":"object","properties":{"default":{"type":"string"},"format":{"type":"string"}}}`},
		{"a reference", `{"type":"object","properties":{"o":{"$ref":"#/$defs/o","description":"opts"}},"$defs":{"o":{"type":"object","properties":{"d":{"type":"boolean","default":true}}}}}`, `{"type":"object","properties":{"o":{"type":"object","properties":{"d":{"type":"boolean"}},"description":"opts"}}}`},
		{"alternatives", `{"type":"object","properties":{"a":{"oneOf":[{"type":"string","minLength":1},{"const":3}]},"b":{"allOf":[{"type":"string"}],"description":"x"}}}`, `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"enum":[3]}]},"b":{"description":"x","type":"string"}}}`},
		{"a schema of anything", `{"type":"object","properties":{"a":true},"additionalProperties":{"type":"string","pattern":"x"}}`, `{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`},
	} {
		if got := string(schema.Simple(json.RawMessage(tt.in))); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
	got := schema.Simple(json.RawMessage(recursive))
	if !json.Valid(got) || len(got) > 4000 || bytes.Contains(got, []byte("$ref")) {
		t.Errorf("a schema of itself: %s", got)
	}
}

func TestStrict(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{
			"optional ones may be null",
			`{"type":"object","properties":{"path":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":1,"default":10},"mode":{"type":"string","enum":["a","b"]},"any":{"type":["string","integer"]}},"required":["path"]}`,
			`{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":["integer","null"],"minimum":1},"mode":{"type":["string","null"],"enum":["a","b",null]},"any":{"type":["string","integer","null"]}},"required":["path","limit","mode","any"],"additionalProperties":false}`,
		},
		{
			"objects within, lists, alternatives",
			`{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"}}}},"o":{"oneOf":[{"type":"string"},{"type":"integer"}],"description":"d"}},"required":["l"]}`,
			`{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"x":{"type":["string","null"]}},"required":["x"],"additionalProperties":false}},"o":{"description":"d","anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}},"required":["l","o"],"additionalProperties":false}`,
		},
		{
			"references stay, and what is optional is an alternative",
			`{"type":"object","properties":{"o":{"$ref":"#/$defs/o"}},"$defs":{"o":{"type":"object","properties":{"d":{"type":"boolean"}},"required":["d"]}}}`,
			`{"type":"object","properties":{"o":{"anyOf":[{"$ref":"#/$defs/o"},{"type":"null"}]}},"$defs":{"o":{"type":"object","properties":{"d":{"type":"boolean"}},"required":["d"],"additionalProperties":false}},"required":["o"],"additionalProperties":false}`,
		},
		{"no arguments", `{"type":"object"}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		{"an object of any names", `{"type":"object","properties":{"env":{"type":"object","additionalProperties":{"type":"string"}}}}`, ""},
		{"an open object", `{"type":"object","properties":{},"additionalProperties":true}`, ""},
		{"an object without properties", `{"type":"object","properties":{"o":{"type":"object"}}}`, ""},
		{"anything", `{"type":"object","properties":{"any":{}}}`, ""},
		{"a condition", `{"type":"object","properties":{"a":{"type":"string","not":{"enum":["x"]}}}}`, ""},
		{"names by a pattern", `{"type":"object","properties":{},"patternProperties":{"x":{}}}`, ""},
	} {
		got, ok := schema.Strict(json.RawMessage(tt.in))
		if string(got) != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %s, %v\nwant %s", tt.name, got, ok, tt.want)
		}
	}
	if _, ok := schema.Strict(json.RawMessage(recursive)); !ok {
		t.Error("a schema of itself may be strict")
	}
}

func FuzzSchemas(f *testing.F) {
	for _, s := range []string{recursive, `{"anyOf":[{"$ref":"#"}]}`, `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/properties/a"}]}}}`, `{"oneOf":[1,true,[]]}`} {
		f.Add(s)
	}
	many := strings.TrimSuffix(strings.Repeat(`{"$ref":"#"},`, 200), ",")
	f.Add(`{"anyOf":[` + many + `],"properties":{"a":{"anyOf":[` + many + `]}}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		for _, got := range []json.RawMessage{schema.Rooted(json.RawMessage(raw)), schema.Simple(json.RawMessage(raw))} {
			if !json.Valid(got) {
				t.Errorf("%s gives %s", raw, got)
			}
		}
		if got, ok := schema.Strict(json.RawMessage(raw)); ok && !json.Valid(got) {
			t.Errorf("%s gives %s", raw, got)
		}
	})
}
