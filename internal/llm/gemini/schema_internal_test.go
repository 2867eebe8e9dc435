package gemini

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/wire"
)

// in gives a schema as the one property of an object.
func in(property string) string {
	return `{"type":"object","properties":{"x":` + property + `}}`
}

func TestParameters(t *testing.T) {
	for _, tt := range []struct{ name, schema, want string }{
		{"nothing", ``, `null`},
		{"no properties", `{"type":"object","properties":{}}`, `null`},
		{"free form", `{"type":"object","additionalProperties":true}`, `null`},
		{"not a schema", `[1]`, `null`},
		{
			"what has no words", `{"$schema":"http://json-schema.org/draft-07/schema#","$id":"x","title":"t","type":"object","additionalProperties":false,
				"properties":{"n":{"type":"integer","minimum":1,"default":1,"exclusiveMaximum":9,"examples":[2]}},"required":["n"]}`,
			`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`,
		},
		{"properties of a text", `{"type":"object","properties":{"data":{"type":"string","properties":{},"required":["x"],"items":{}}}}`, `{"type":"object","properties":{"data":{"type":"string"}}}`},
		{"order", `{"properties":{"z":{"type":"string"},"a":{"type":"boolean"},"m":{"type":"number"}}}`, `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"boolean"},"m":{"type":"number"}}}`},
		{"required without schema, and twice", `{"properties":{"a":{}},"required":["a","b","a",3]}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`},
		{"descriptions", `{"description":"all","properties":{"a":{"type":"string","description":"one <b>"}}}`, `{"type":"object","description":"all","properties":{"a":{"type":"string","description":"one \u003cb\u003e"}}}`},
		{"alternatives of all arguments", `{"anyOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`},
		{"kinds of arguments", `{"oneOf":[{"properties":{"kind":{"const":"a"},"n":{"type":"integer"}}},{"properties":{"kind":{"const":"b"},"n":{"type":"boolean"}}},{"properties":{"kind":{"const":"c"}}}]}`, `{"type":"object","properties":{"kind":{"type":"string","enum":["a","b","c"]},"n":{"anyOf":[{"type":"integer"},{"type":"boolean"}]}}}`},
		{"a name twice", `{"properties":{"a":{"type":"string"},"b":{},"a":{"type":"boolean"}}}`, `{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"string"}}}`},
		{"either required", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`},
		{"all of", `{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"$ref":"#/$defs/b"}],"$defs":{"b":{"properties":{"b":{"type":"boolean"}},"required":["b"]}}}`, `{"type":"object","properties":{"b":{"type":"boolean"},"a":{"type":"string"}},"required":["b","a"]}`},
		{"the whole is a reference", `{"$ref":"#/definitions/A","definitions":{"A":{"type":"object","properties":{"a":{"type":"string"}}}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"a property that may not be", `{"properties":{"a":false,"b":true},"required":["a","b"]}`, `{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}`},
	} {
		check(t, tt.name, tt.schema, tt.want)
	}
}

func TestParametersOfOneProperty(t *testing.T) {
	defs := `,"$defs":{"A":{"type":"string","description":"an A"},"a/b":{"type":"boolean"},` +
		`"Tree":{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}},"L":{"$ref":"#/$defs/L"}}}`
	for _, tt := range []struct{ name, schema, want string }{
		{"any value", `{}`, `{"type":"string"}`},
		{"null", `{"type":"null"}`, `{"type":"string","nullable":true}`},
		{"const", `{"const":"on"}`, `{"type":"string","enum":["on"]}`},
		{"const number", `{"type":"integer","const":7}`, `{"type":"string","enum":["7"]}`},
		{"enum", `{"type":"string","enum":["a","","b",null,"a"]}`, `{"type":"string","nullable":true,"enum":["a","b"]}`},
		{"enum of numbers", `{"type":"integer","enum":[1,2]}`, `{"type":"string","enum":["1","2"]}`},
		{"enum of numbers without type", `{"enum":[1,2.5],"description":"d"}`, `{"type":"string","description":"d","enum":["1","2.5"]}`},
		{"enum of integers without type", `{"enum":[1,2],"description":"d"}`, `{"type":"integer","description":"d (one of: 1, 2)"}`},
		{"enum of objects", `{"enum":[{"a":1}]}`, `{"type":"string"}`},
		{"or null", `{"type":["string","null"]}`, `{"type":"string","nullable":true}`},
		{"two types", `{"type":["string","integer","null"],"description":"d"}`, `{"anyOf":[{"type":"string","description":"d","nullable":true},{"type":"integer","description":"d","nullable":true}]}`},
		{"any of one or null", `{"anyOf":[{"type":"string","format":"uuid"},{"type":"null"}],"title":"t","default":null,"description":"d"}`, `{"type":"string","description":"d","nullable":true}`},
		{"one of", `{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`, `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`},
		{"one of words", `{"oneOf":[{"const":"a","description":"first"},{"const":"b"}]}`, `{"type":"string","description":"first","enum":["a","b"]}`},
		{"the same twice", `{"anyOf":[{"type":"string","format":"ipv4"},{"type":"string","format":"ipv6"}]}`, `{"type":"string"}`},
		{"any of nested", `{"anyOf":[{"anyOf":[{"type":"string"},{"type":"boolean"}]},{"type":"number"}]}`, `{"anyOf":[{"type":"string"},{"type":"boolean"},{"type":"number"}]}`},
		{"any of nested, or null", `{"anyOf":[{"oneOf":[{"type":"string"},{"type":"boolean"}]},{"type":"null"}]}`, `{"anyOf":[{"type":"string","nullable":true},{"type":"boolean","nullable":true}]}`},
		{"any of beside properties", `{"type":"object","properties":{"k":{"type":"string"}},"anyOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}}}]}`, `{"anyOf":[{"type":"object","properties":{"k":{"type":"string"},"a":{"type":"string"}}},{"type":"object","properties":{"k":{"type":"string"},"b":{"type":"string"}}}]}`},
		{"any of anything", `{"anyOf":[{"enum":["a"]},{"pattern":"^x"}],"type":"string"}`, `{"type":"string"}`},
		{"formats", `{"type":"string","format":"date-time"}`, `{"type":"string","format":"date-time"}`},
		{"foreign formats", `{"type":"integer","format":"uint8"}`, `{"type":"integer"}`},
		{"array of anything", `{"type":"array"}`, `{"type":"array","items":{"type":"string"}}`},
		{"array of places", `{"type":"array","items":[{"type":"string"},{"type":"integer"}]}`, `{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`},
		{"array of prefix", `{"type":"array","prefixItems":[{"type":"integer"},{"type":"integer"}],"items":false}`, `{"type":"array","items":{"type":"integer"}}`},
		{"items alone", `{"items":{"type":"integer"}}`, `{"type":"array","items":{"type":"integer"}}`},
		{"object of anything", `{"type":"object","additionalProperties":{"type":"string"},"properties":{},"required":["x"]}`, `{"type":"object"}`},
		{"map without type", `{"additionalProperties":{"type":"string"}}`, `{"type":"object"}`},
		{"upper case", `{"type":"STRING"}`, `{"type":"string"}`},
		{"a type of nobody", `{"type":"file"}`, `{"type":"string"}`},
		{"reference", `{"$ref":"#/$defs/A"}`, `{"type":"string","description":"an A"}`},
		{"reference with words", `{"$ref":"#/$defs/A","description":"mine"}`, `{"type":"string","description":"mine"}`},
		{"reference with a slash", `{"$ref":"#/$defs/a~1b"}`, `{"type":"boolean"}`},
		{"escaped reference", `{"$ref":"#/%24defs/A"}`, `{"type":"string","description":"an A"}`},
		{"reference to nowhere", `{"$ref":"#/$defs/nope"}`, `{"type":"object"}`},
		{"reference to elsewhere", `{"$ref":"https://example.com/s.json"}`, `{"type":"object"}`},
		{"reference to itself", `{"$ref":"#/$defs/L"}`, `{"type":"object"}`},
		{"a tree", `{"$ref":"#/$defs/Tree"}`, `{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"type":"object"}}}}`},
		{"wrong kinds", `{"type":7,"description":[],"enum":"x","properties":[],"required":"a","anyOf":{}}`, `{"type":"object"}`},
	} {
		check(t, tt.name, strings.TrimSuffix(in(tt.schema), "}")+defs, in(tt.want))
	}
}

func check(t *testing.T, name, schema, want string) {
	t.Helper()
	got := wire.Marshal(parameters(json.RawMessage(schema)))
	if string(got) != want {
		t.Errorf("%s: %s\n got %s\nwant %s", name, schema, got, want)
	}
	if err := llmtest.GeminiSchema(got); err != nil && want != "null" {
		t.Errorf("%s: the service refuses %s: parameters%v", name, got, err)
	}
}

// References that are used twice each make a tree of two to the power of their number: it is cut.
func TestParametersAreBounded(t *testing.T) {
	for form, twice := range map[string]string{
		"properties":   `{"properties":{"l":NEXT,"r":NEXT}}`,
		"alternatives": `{"anyOf":[NEXT,{"type":"array","items":NEXT}]}`,
		"all of":       `{"allOf":[NEXT,NEXT]}`,
	} {
		var defs []string
		for c := 'a'; c < 'z'; c++ {
			defs = append(defs, `"`+string(c)+`":`+strings.ReplaceAll(twice, "NEXT", `{"$ref":"#/$defs/`+string(c+1)+`"}`))
		}
		got := wire.Marshal(parameters(json.RawMessage(`{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{` + strings.Join(defs, ",") + `,"z":{"type":"string"}}}`)))
		if len(got) > 200_000 {
			t.Errorf("%s: %d bytes", form, len(got))
		}
		if err := llmtest.GeminiSchema(got); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// Whatever a tool's author wrote, the service takes it, and the same document gives the same bytes.
func FuzzParameters(f *testing.F) {
	for _, s := range []string{
		`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"properties":{"a":{"anyOf":[{"type":["null","array"]},{"enum":[1,null,"x"]}]}}}`,
		`{"allOf":[{"properties":{"a":{"const":{}}}},{"$ref":"#/allOf/0"}]}`, `{"properties":{"a":{"items":[false,{"oneOf":[true]}],"type":"array"}}}`,
		`{"properties":{"a":{"type":["object","string"],"properties":{"b":{"format":"int32","type":"integer","enum":[1.5]}},"required":["b"]}}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := wire.Marshal(parameters(json.RawMessage(text)))
		if again := wire.Marshal(parameters(json.RawMessage(text))); string(again) != string(got) {
			t.Fatalf("%s gives %s and %s", text, got, again)
		}
		if string(got) == "null" {
			return
		}
		if err := llmtest.GeminiSchema(got); err != nil {
			t.Fatalf("%s gives %s: %v", text, got, err)
		}
	})
}
