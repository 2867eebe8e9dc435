package tool_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"pgregory.net/rapid"
)

// What models write instead of JSON, with what must come of it. Want "" is a refusal. These are run
// for a tool that changes things; a tool that only reads accepts them too, unless readonly says else.
var written = []struct{ name, raw, want string }{
	{"plain", `{"b": 1, "a": "x"}`, `{"a":"x","b":1}`},
	{"nothing", ``, `{}`},
	{"null", `null`, `{}`},
	{"trailing commas", `{"a":[1,2,],"s":"x,}",}`, `{"a":[1,2],"s":"x,}"}`},
	{"comma and bracket in a text", `{"s":"a,] b,}","l":[{"k":",}"},],}`, `{"l":[{"k":",}"}],"s":"a,] b,}"}`},
	{"python literals", `{"ok": True, "n": None, "s": "None of True"}`, `{"n":null,"ok":true,"s":"None of True"}`},
	{"python all over", `{'ok': False, 'l': [None, True], 's': 'True, None'}`, `{"l":[null,true],"ok":false,"s":"True, None"}`},
	{"not a number", `{"score": NaN, "max": Infinity}`, `{"max":null,"score":null}`},
	{"minus infinity", `{"l": [-Infinity, nan], "s": "NaN, -Infinity"}`, `{"l":[null,null],"s":"NaN, -Infinity"}`},
	{"raw line break", "{\"t\":\"line1\nline2\tend\"}", `{"t":"line1\nline2\tend"}`},
	{"raw carriage return", "{\"t\":\"a\r\nb\"}", `{"t":"a\r\nb"}`},
	{"valid is not touched", `{"text":"Wrote D:\\data\\out\nOK"}`, `{"text":"Wrote D:\\data\\out\nOK"}`},
	{"valid with odd text", `{"t":"{'a': None,} // x NaN","u":"<b>&"}`, `{"t":"{'a': None,} // x NaN","u":"<b>&"}`},
	{"bad escape among good ones", `{"t":"C:\Users\new","a":1,}`, ``},
	{"missing closer after escapes", `{"command":" ' \" \" - '--","where":""`, `{"command":" ' \" \" - '--","where":""}`},
	{"trailing comma after escapes", `{"t":"say \"hi\" to C:\\x\u00e9",}`, `{"t":"say \"hi\" to C:\\xé"}`},
	{"single quotes", `{'a': 'it\'s "x"', 'b': ['y',]}`, `{"a":"it's \"x\"","b":["y"]}`},
	{"an apostrophe", `{"a": "it's", "b": 'y',}`, `{"a":"it's","b":"y"}`},
	{"a bare text", `{a: foo bar}`, `{"a":"foo bar"}`},
	{"a name that is a literal", `{None: 1, True: 2}`, `{"None":1,"True":2}`},
	{"bad escape", `{"p":"C:\Users\x"}`, `{"p":"C:\\Users\\x"}`},
	{"inner quotes", `{"text":"order a 27" monitor"}`, `{"text":"order a 27\" monitor"}`},
	{"inner quotes twice", `{"cmd":"grep "ERROR" app.log"}`, `{"cmd":"grep \"ERROR\" app.log"}`},
	{"inner quote, ambiguous", `{"notes":"Sent to the "boss", waiting."}`, ``},
	{"inner quote, ambiguous, more", `{"path":"a","content":"He said "go", then left.","append":true}`, ``},
	{"inner quote that reads as a name", `{"text":"a "b": c"}`, ``},
	{"missing closers", `{"rows": [[1], [2, 3`, `{"rows":[[1],[2,3]]}`},
	{"missing closers after a text", `{"l": [{"a": "x"`, `{"l":[{"a":"x"}]}`},
	{"cut in a text", `{"command":"rm -rf /data/old`, ``},
	{"cut in a text in a list", `{"command":["rm","-rf /data/o`, ``},
	{"cut after an inner quote", `{"command":"echo "a"`, ``},
	{"cut in a literal", `{"a":tru`, ``},
	{"cut in a name", `{"a":1,"b`, ``},
	{"cut before a value", `{"a":1,"b":`, ``},
	{"cut in an escape", `{"a":"x\`, ``},
	{"think and fence", "<think>use {\"a\":0}?</think>\n```json\n{\"a\":1}\n```", `{"a":1}`},
	{"fence", "```\n{\"a\":\"```\"}\n```", "{\"a\":\"```\"}"},
	{"fence and trailing comma", "```json\n{\"a\":1,}\n```\n", `{"a":1}`},
	{"thinking", "<thinking>no\n\nbrace</thinking>{\"a\":1}", `{"a":1}`},
	{"think tag in a text", `{"a":"<think>x</think>"}`, `{"a":"<think>x</think>"}`},
	{"prose around", `Here you are: {"a":1} Let's go.`, `{"a":1}`},
	{"encoded twice", `"{\"a\":[1]}"`, `{"a":[1]}`},
	{"encoded twice and broken", `"{\"a\":[1,],}"`, `{"a":[1]}`},
	{"escaped quotes", `{\"a\":\"x\"}`, `{"a":"x"}`},
	{"two objects", `{"a":1}{"b":2}`, ``},
	{"two objects, two lines", "{\"a\":1}\n{\"b\":2}", ``},
	{"two fences", "```json\n{\"a\":1}\n```\n```json\n{\"b\":2}\n```", ``},
	{"the same name twice", `{"a":1,"a":2}`, ``},
	{"byte order mark", "\ufeff{\"a\":1}", `{"a":1}`},
	{"byte order mark and comma", "\ufeff {\"a\":1,}", `{"a":1}`},
	{"extra closer", `{"a":1}}`, `{"a":1}`},
	{"missing comma", `{"a":"x" "b":"y"}`, `{"a":"x","b":"y"}`},
	{"bare names", `{a: 1, b_c: "x"}`, `{"a":1,"b_c":"x"}`},
	{"curly quotes", `{“a”: “x”}`, `{"a":"x"}`},
	{"a list", `[{"a":1},{"a":2}]`, ``},
	{"a list of one", `[{"a":1}]`, `{"a":1}`},
	{"a broken list", `[{"a":1,}]`, ``},
	{"a text", `"hello"`, ``},
	{"a number", `5`, ``},
	{"prose", `I would rather not.`, ``},
	{"a number out of range", `{"a":1e999999999}`, ``},
	{"too deep", strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100), ``},
}

func TestPrepareRepairs(t *testing.T) {
	for _, readonly := range []bool{false, true} {
		info := tool.Info{Name: "exec", Readonly: readonly}
		for _, tt := range written {
			got, err := tool.Prepare(info, json.RawMessage(tt.raw))
			if tt.want == "" && readonly && strings.HasPrefix(tt.name, "cut ") {
				continue // see TestCutTextsOfReaders
			}
			if string(got) != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("%s: %s gives %s, %v; want %s", tt.name, tt.raw, got, err, tt.want)
			}
			if err != nil && (akitad.KindOf(err) != akitad.InvalidRequest || akitad.FailureOf(err).Hint == "") {
				t.Errorf("%s: %v has kind %s and hint %q", tt.name, err, akitad.KindOf(err), akitad.FailureOf(err).Hint)
			}
		}
	}
}

func TestCutTextsOfReaders(t *testing.T) {
	got, err := tool.Prepare(tool.Info{Name: "search", Readonly: true}, json.RawMessage(`{"query":"error rate`))
	if string(got) != `{"query":"error rate"}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestControlCharactersInPaths(t *testing.T) {
	for _, raw := range []string{`{"path":"C:\new\temp"}`, `{"file_path":"a\u0000"}`, `{"files":["ok","b\tc"]}`} {
		got, err := tool.Prepare(tool.Info{Name: "read_file"}, json.RawMessage(raw))
		if akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(akitad.FailureOf(err).Hint, `\\`) {
			t.Errorf("%s gives %s, %v", raw, got, err)
		}
	}
	if got, err := tool.Prepare(tool.Info{Name: "read_file"}, json.RawMessage(`{"path":"C:\temp",}`)); err == nil {
		t.Errorf("broken and with a tab: %s", got)
	}
	if _, err := tool.Prepare(tool.Info{Name: "write"}, json.RawMessage(`{"content":"a\tb","path":"a"}`)); err != nil {
		t.Error(err)
	}
}

const schema = `{"type":"object","additionalProperties":false,"required":["plan"],"properties":{
	"maxBytes":{"type":"integer","maximum":1000000},"deep":{"type":"boolean"},"zip":{"type":"string"},"plan":{"type":"array","items":{"$ref":"#/$defs/step"}},
	"ratio":{"type":["null","number"]},"mode":{"type":"string","enum":["lines","count"],"default":"lines"},"opts":{"type":"object","properties":{"n":{"type":"integer","default":3}}},
	"any":{}},"$defs":{"step":{"type":"object","properties":{"step":{"type":"string"},"n":{"type":"integer"}}}}}`

func TestPrepareFitsTheSchema(t *testing.T) {
	args, err := tool.NewArguments(tool.Info{Name: "t", Schema: json.RawMessage(schema)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ raw, want string }{
		{`{"plan":[],"maxBytes":"200000","deep":"true","zip":"0123"}`, `{"deep":true,"maxBytes":200000,"mode":"lines","plan":[],"zip":"0123"}`},
		{`{"plan":"[{\"step\":\"x\",\"n\":\"4\"}]"}`, `{"mode":"lines","plan":[{"n":4,"step":"x"}]}`},
		{`{"plan":[],"maxBytes":12.0}`, `{"maxBytes":12,"mode":"lines","plan":[]}`},
		{`{"plan":[],"maxBytes":1.2e1}`, `{"maxBytes":12,"mode":"lines","plan":[]}`},
		{`{"plan":[],"ratio":"2.50"}`, `{"mode":"lines","plan":[],"ratio":2.50}`},
		{`{"plan":[],"ratio":NaN}`, `{"mode":"lines","plan":[],"ratio":null}`},
		{`{"plan":"\"[{\\\"step\\\":\\\"x\\\"}]\""}`, `{"mode":"lines","plan":[{"step":"x"}]}`},
		{`{"plan":[],"zip":"true","any":"5"}`, `{"any":"5","mode":"lines","plan":[],"zip":"true"}`},
		{`{"plan":[],"zip":null,"deep":null}`, `{"mode":"lines","plan":[]}`},
		{`{"plan":[],"opts":"{}"}`, `{"mode":"lines","opts":{"n":3},"plan":[]}`},
		{`{"plan":[],"mode":"count","deep":"False"}`, `{"deep":false,"mode":"count","plan":[]}`},
		{`{"plan":[],"mode":"Count"}`, `{"mode":"count","plan":[]}`},
		{`{"plan":[],"mode":" \"count\" "}`, `{"mode":"count","plan":[]}`},
		{`{"plan":[],"max_bytes":"7","Deep":true}`, `{"deep":true,"maxBytes":7,"mode":"lines","plan":[]}`},
		{`{"plan ":[],"max-bytes":7}`, `{"maxBytes":7,"mode":"lines","plan":[]}`},
		{`{'Plan': [], 'maxbytes': 7}`, `{"maxBytes":7,"mode":"lines","plan":[]}`},
		{`{"plan":{"step":"x"}}`, `{"mode":"lines","plan":[{"step":"x"}]}`},
		{`{"plan":"{\"Step\":\"x\"}"}`, `{"mode":"lines","plan":[{"step":"x"}]}`},
		{`{"plan":[{"step":1.10}],"zip":9007199254740993}`, `{"mode":"lines","plan":[{"step":"1.10"}],"zip":"9007199254740993"}`},
		{`{"plan":[],"opts":[]}`, `{"mode":"lines","opts":{"n":3},"plan":[]}`},
		{`{"plan":[],"opts":"[]"}`, `{"mode":"lines","opts":{"n":3},"plan":[]}`},
		{`[{"plan":[]}]`, `{"mode":"lines","plan":[]}`},
		{`{"arguments":{"plan":[],"zip":"a"}}`, `{"mode":"lines","plan":[],"zip":"a"}`},
		{`{"name":"t","parameters":{"plan":[]}}`, `{"mode":"lines","plan":[]}`},
		{`{"input":"{\"plan\":[],}"}`, `{"mode":"lines","plan":[]}`},
	} {
		if got, err := args.Prepare(json.RawMessage(tt.raw)); string(got) != tt.want || err != nil {
			t.Errorf("%s gives %s, %v; want %s", tt.raw, got, err, tt.want)
		}
	}
}

// TestFits holds what stands for a value of another form, by the schema of an argument named p; want "" is a refusal.
func TestFits(t *testing.T) {
	const list, objects, enums = `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"object","properties":{"l":{"type":"array"}}}}`, `{"type":"array","items":{"enum":["read","write"]}}`
	for _, tt := range []struct{ name, schema, raw, want string }{
		{"a list by its places", list, `{"0":"a","1":"b"}`, `["a","b"]`},
		{"objects by their places", objects, `{"0":{"l":[]},"1":{}}`, `[{"l":[]},{}]`},
		{"xml's list of one", list, `{"item":"a"}`, `["a"]`},
		{"xml's list of objects", objects, `{"item":[{"l":[]},{}]}`, `[{"l":[]},{}]`},
		{"xml's list of one object", objects, `{"item":{"l":[]}}`, `[{"l":[]}]`},
		{"xml's list within xml's", list, `{"item":{"item":["a","b"]}}`, `["a","b"]`},
		{"elements that have items", `{"type":"array","items":{"type":"object","properties":{"item":{"type":"string"}}}}`, `{"item":"a"}`, `[{"item":"a"}]`},
		{"texts without quotes", list, `"[skill/One Two, skill/b]"`, `["skill/One Two","skill/b"]`},
		{"a hole among texts without quotes", list, `"[a b/c, , d/e f]"`, ``},
		{"a list by places with a hole", list, `{"0":"a","2":"b"}`, ``},
		{"a list as XML has it", list, `{"item":["a","b"]}`, `["a","b"]`},
		{"an object that holds a list of its own", objects, `{"l":["a"]}`, `[{"l":["a"]}]`},
		{"no list at all", list, `{}`, ``},
		{"a list in a fence", list, `"` + "```json\\n[\\\"a\\\"]\\n```" + `"`, `["a"]`},
		{"an object in a fence", `{"type":"object"}`, `"` + "```\\n{\\\"a\\\": 1,}\\n```" + `"`, `{"a":1}`},
		{"a fence that is the text", `{"type":"string"}`, `"` + "```json\\n[1]\\n```" + `"`, `"` + "```json\\n[1]\\n```" + `"`},
		{"one of the values for a list of them", enums, `"Read"`, `["read"]`},
		{"one of the numbers for a list of them", `{"type":"array","items":{"type":"integer","enum":[1,2]}}`, `2`, `[2]`},
		{"none of the numbers", `{"type":"array","items":{"type":"integer","enum":[1,2]}}`, `3`, ``},
		{"none of the values", enums, `"delete"`, ``},
		{"an object where values are wanted", enums, `{"a":{"b":1}}`, ``},
		{"a constant", `{"const":"v1"}`, `"V1"`, `"v1"`},
		{"another constant", `{"const":"v1"}`, `"v2"`, ``},
		{"a plus sign", `{"type":"integer"}`, `"+12"`, `12`},
		{"underscores", `{"type":"integer"}`, `1_000`, `1000`},
		{"hexadecimal", `{"type":"integer"}`, `0x1F`, `31`},
		{"a code with a zero", `{"type":"integer"}`, `"012"`, ``},
		{"a code with a zero and an underscore", `{"type":"integer"}`, `"0_17"`, ``},
		{"two signs", `{"type":"integer"}`, `"+-12"`, ``},
		{"underscores that are a text", `{"type":"string"}`, `1_000`, `"1_000"`},
		{"one for true", `{"type":"boolean"}`, `1`, `true`},
		{"zero for false", `{"type":"boolean"}`, `0`, `false`},
		{"one where it may be a text", `{"type":["boolean","string"]}`, `1`, `"1"`},
		{"two for nothing", `{"type":"boolean"}`, `2`, ``},
		{"one where it may be a number", `{"type":["boolean","integer"]}`, `1`, `1`},
		{"the list of a number", `{"type":"integer"}`, `["5"]`, `5`},
		{"the list of two", `{"type":"integer"}`, `[5,6]`, ``},
		{"the list of a text", `{"type":"string"}`, `["a"]`, ``},
		{"the list of an object", `{"type":"object"}`, `[{"a":1}]`, `{"a":1}`},
	} {
		info := tool.Info{Name: "t", Schema: json.RawMessage(`{"type":"object","properties":{"p":` + tt.schema + `},"required":["p"],"additionalProperties":false}`)}
		want := `{"p":` + tt.want + `}`
		if tt.want == "" {
			want = ""
		}
		if got, err := tool.Prepare(info, json.RawMessage(`{"p":`+tt.raw+`}`)); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s gives %s, %v; want %s", tt.name, tt.raw, got, err, want)
		}
	}
}

// TestNamesAndValuesAlike holds what stands for a name or a value of the schema, and what does not.
func TestNamesAndValuesAlike(t *testing.T) {
	const open = `{"properties":{"path":{"type":"string"}},"additionalProperties":{}}`
	for _, tt := range []struct{ name, schema, raw, want string }{
		{"another case", `{"properties":{"m":{"enum":["read_all","write"]}}}`, `{"m":"READ-ALL"}`, `{"m":"read_all"}`},
		{"another case beside a number", `{"properties":{"m":{"enum":["v1.0","v2"]}}}`, `{"m":"V1.0"}`, `{"m":"v1.0"}`},
		{"a number without its sign", `{"properties":{"m":{"enum":["1","2"]}}}`, `{"m":"-1"}`, ``},
		{"a number without its point", `{"properties":{"m":{"enum":["10","2"]}}}`, `{"m":"1.0"}`, ``},
		{"nothing for a sign", `{"properties":{"m":{"enum":["-","+"]}},"required":["m"]}`, `{"m":""}`, ``},
		{"a name", `{"properties":{"file_path":{"type":"string"}}}`, `{"filePath":"a"}`, `{"file_path":"a"}`},
		{"a name twice", `{"properties":{"file_path":{"type":"string"}}}`, `{"filePath":"a","file-path":"b"}`, `{"file-path":"b","filePath":"a"}`},
		{"a name where any may stand", open, `{"PATH":"/bin"}`, `{"PATH":"/bin"}`},
		{"a wrapping where any may stand", open, `{"input":{"a":1}}`, `{"input":{"a":1}}`},
		{"a wrapping", `{"properties":{"path":{"type":"string"}}}`, `{"input":{"path":"a"}}`, `{"path":"a"}`},
		{"a wrapping by the tool's name", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"t":{"path":"a"}}`, `{"path":"a"}`},
		{"a wrapping by any name", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"tool_input":"{\"Path\":\"a\"}"}`, `{"path":"a"}`},
		{"a whole call", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"function":{"name":"t","arguments":"{\"path\":\"a\"}"}}`, `{"path":"a"}`},
		{"a whole call with its id", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"id":"call_1","type":"function","arguments":{"path":"a"}}`, `{"path":"a"}`},
		{"a wrapping in a list", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"arguments":[{"path":"a"}]}`, `{"path":"a"}`},
		{"marks of a call that are arguments", `{"properties":{"id":{"type":"string"},"path":{"type":"string"}},"additionalProperties":false}`, `{"id":"call_1","arguments":{"path":"a"}}`, ``},
		{"nothing under an unknown name", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"path":"a","q":null}`, `{"path":"a"}`},
		{"something under an unknown name", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"path":"a","q":""}`, ``},
		{"a name as of a list", `{"properties":{"paths":{"type":"array"}},"additionalProperties":false}`, `{"paths[]":["a"]}`, `{"paths":["a"]}`},
		{"a whole call of another tool", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"function":{"name":"other","arguments":"{\"path\":\"a\"}"}}`, ``},
		{"an object that is no wrapping", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"filter":{"paths":"a"}}`, ``},
		{"an empty object that is no wrapping", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"filter":{}}`, ``},
		{"a name that says what is in it", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"exclude":{"path":"a"}}`, ``},
		{"the same around a wrapping", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"exclude":{"arguments":{"path":"a"}}}`, ``},
		{"two wrappings", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"x":{"path":"a"},"y":{"path":"b"}}`, ``},
		{"a name with its colon", `{"properties":{"path":{"type":"string"}},"additionalProperties":false}`, `{"path:":"a"}`, `{"path":"a"}`},
	} {
		args, err := tool.NewArguments(tool.Info{Name: "t", Schema: json.RawMessage(`{"type":"object",` + tt.schema[1:])})
		if err != nil {
			t.Fatal(err)
		}
		got, err := args.Prepare(json.RawMessage(tt.raw))
		if string(got) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %s gives %s, %v; want %s", tt.name, tt.raw, got, err, tt.want)
		}
	}
}

func TestPrepareNamesTheField(t *testing.T) {
	args, err := tool.NewArguments(tool.Info{Name: "t", Schema: json.RawMessage(schema)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ raw, want string }{
		{`{}`, `argument "plan" is missing`},
		{`{"plan":null}`, `argument "plan" is null, want array`},
		{`{"plan":[{"step":true}]}`, `argument "plan.0.step" is boolean, want string`},
		{`{"plan":[],"maxBytes":"many"}`, `argument "maxBytes" is string, want integer`},
		{`{"plan":[],"maxBytes":1.5}`, `argument "maxBytes" is number, want integer`},
		{`{"plan":[],"maxBytes":2000000}`, `argument "maxBytes" is 2000000, want at most 1000000`},
		{`{"plan":[],"mode":"files"}`, `argument "mode" is files, want one of [lines count]`},
		{`{"plan":[],"maxByte":1}`, `argument "maxByte" is unknown (did you mean maxBytes?)`},
		{`{"plan":[],"to":1,"from":1,"by":1,"as":1}`, `argument "as, by, from, to" is unknown`},
		{`{"plan":[],"zip":[5]}`, `argument "zip" is array, want string`},
		{`{"plan":"a, b"}`, `argument "plan" is string, want array`},
		{`{"plan":[],"deep":[]}`, `argument "deep" is array, want boolean`},
		{`{"plan":[],"deep":"yes"}`, `argument "deep" is string, want boolean`},
		{`{"plan":[],"max_bytes":1,"Maxbytes":2}`, `is unknown`},
		{`{"plan":[],"maxBytes":1,"max_bytes":2}`, `argument "max_bytes" is unknown`},
		{`{"name":"other","arguments":{"plan":[]}}`, `is unknown`},
		{`{"arguments":{"plan":[]},"deep":true}`, `is unknown`},
		{`{"arguments":"all"}`, `argument "arguments" is unknown`},
	} {
		_, err := args.Prepare(json.RawMessage(tt.raw))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "t: ") {
			t.Errorf("%s gives %v, want %s", tt.raw, err, tt.want)
		}
		if f := akitad.FailureOf(err); f == nil || !strings.Contains(f.Hint, "maxBytes (integer, optional)") {
			t.Errorf("%s: the hint is %+v", tt.raw, f)
		}
	}
}

// A repair may not make up an argument that the tool does not have.
func TestRepairInventsNoArgument(t *testing.T) {
	info := tool.Info{Name: "t", Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)}
	got, err := tool.Prepare(info, json.RawMessage(`{"text":"he said "x", "waiting": "y"}`))
	if err == nil {
		t.Errorf("got %s", got)
	}
}

func TestBadSchemas(t *testing.T) {
	for _, s := range []string{`{`, `{"type":"strange"}`, `{"$ref":"http://127.0.0.1/x"}`, `{"$ref":"file:///etc/passwd"}`} {
		if _, err := tool.NewArguments(tool.Info{Name: "t", Schema: json.RawMessage(s)}); err == nil {
			t.Errorf("%s was taken for a schema", s)
		}
	}
}

func TestSatisfy(t *testing.T) {
	s := json.RawMessage(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"s":{"type":"string"}}}`)
	for _, tt := range []struct{ value, want, fault string }{
		{`{"n":1}`, `{"n":1}`, ""},
		{`{"n":"1"}`, `{"n":1}`, ""},
		{`"{\"n\":1.0}"`, `{"n":1}`, ""},
		{`{"n":1,"s":5}`, `{"n":1,"s":"5"}`, ""},
		{`{"n":1,"s":true}`, "", `result: argument "s" is boolean`},
		{`{}`, "", `result: argument "n" is missing`},
		{`{`, "", `result: not JSON`},
	} {
		got, err := tool.Satisfy(s, "result", json.RawMessage(tt.value))
		if string(got) != tt.want || (tt.fault == "") != (err == nil) {
			t.Errorf("%s gives %s, %v", tt.value, got, err)
		}
		if err != nil && (akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), tt.fault)) {
			t.Errorf("%s gives %v, want %s", tt.value, err, tt.fault)
		}
	}
	if got, err := tool.Satisfy(nil, "result", json.RawMessage(`[1, 2]`)); string(got) != `[1,2]` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := tool.Satisfy(json.RawMessage(`true`), "result", json.RawMessage(`1`)); string(got) != `1` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// Whatever is broken around the texts, they come back as they were, or not at all.
func TestRepairKeepsTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]string{
			"a": rapid.StringMatching(`[a-zA-Z0-9 "',:{}/\\\[\]\n-]{0,30}`).Draw(t, "a"), "b": rapid.String().Draw(t, "b"),
		}
		a, _ := json.Marshal(want["a"])
		b, _ := json.Marshal(want["b"])
		form := rapid.SampledFrom([]string{
			`{"a":%s,"b":%s,}`, `{"a":%s,"b":%s`, `{a:%s, b:%s}`, `{"a":%s "b":%s}`, `{'a':%s,"b":%s}`, "```json\n{\"a\":%s,\"b\":%s,}\n```", `{"a":%s,"b":%s}}`,
		}).Draw(t, "form")
		got, err := tool.Prepare(tool.Info{Name: "t"}, json.RawMessage(fmt.Sprintf(form, a, b)))
		if err != nil {
			return
		}
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil || back["a"] != want["a"] || back["b"] != want["b"] || len(back) != 2 {
			t.Fatalf("%s gives %s", fmt.Sprintf(form, a, b), got)
		}
	})
}

// Any object survives, whatever is in its texts, and preparing twice is the same as once.
func TestPrepareKeepsValidObjects(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~\n\t]{0,30}`))
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.MapOf(rapid.StringMatching(`k[0-9a-c]{0,4}`), text).Draw(t, "args")
		raw, _ := json.Marshal(args)
		got, err := tool.Prepare(tool.Info{Name: "t"}, raw)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(args) {
			t.Fatalf("%s became %s", raw, got)
		}
		again, err := tool.Prepare(tool.Info{Name: "t"}, got)
		if err != nil || string(again) != string(got) {
			t.Fatalf("%s became %s, %v", got, again, err)
		}
	})
}

// Whatever is cut off the end, a tool that changes things never gets a shorter text.
func TestCutNeverShortensAText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := map[string]string{
			"command": rapid.StringMatching(`[a-zA-Z0-9 "',:{}/\\\[\]-]{1,40}`).Draw(t, "command"),
			"where":   rapid.StringMatching(`[a-z]{0,5}`).Draw(t, "where"),
		}
		raw, _ := json.Marshal(args)
		cut := rapid.IntRange(1, len(raw)-1).Draw(t, "cut")
		got, err := tool.Prepare(tool.Info{Name: "t"}, raw[:cut])
		if err != nil {
			return
		}
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		for name, text := range back {
			if text != args[name] {
				t.Fatalf("%s gives %s", raw[:cut], got)
			}
		}
	})
}

// unchanged holds that what was valid means the same, and that to prepare once more changes nothing.
func unchanged(t *testing.T, raw string, got json.RawMessage) {
	t.Helper()
	var was, is map[string]any
	if json.Unmarshal([]byte(raw), &was) == nil && was != nil && (json.Unmarshal(got, &is) != nil || !reflect.DeepEqual(was, is)) {
		t.Errorf("%q became %s", raw, got)
	}
	if again, err := tool.Prepare(tool.Info{Name: "t"}, got); err != nil || string(again) != string(got) {
		t.Errorf("%q gives %s, then %s, %v", raw, got, again, err)
	}
}

func FuzzPrepare(f *testing.F) {
	for _, tt := range written {
		f.Add(tt.raw, true)
	}
	for _, inputs := range faults {
		for _, tt := range inputs {
			f.Add(tt.raw, false)
		}
	}
	info := tool.Info{Name: "t", Schema: json.RawMessage(schema)}
	args, err := tool.NewArguments(info)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw string, readonly bool) {
		got, err := tool.Prepare(tool.Info{Name: "t", Readonly: readonly}, json.RawMessage(raw))
		var object map[string]any
		if err == nil && json.Unmarshal(got, &object) != nil {
			t.Errorf("%q gives %s", raw, got)
		}
		if err == nil {
			unchanged(t, raw, got)
		}
		if got, err = args.Prepare(json.RawMessage(raw)); err == nil && json.Unmarshal(got, &object) != nil {
			t.Errorf("%q gives %s", raw, got)
		}
	})
}
