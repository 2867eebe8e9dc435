package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

// What models write, by the fault that is in it. Want "" is a refusal. The tool changes things.
var faults = map[string][]struct{ raw, want string }{
	"trailing comma": {
		{`{"a":[1,2,],"s":"x,}",}`, `{"a":[1,2],"s":"x,}"}`},
		{`{"a":{"b":[],},}`, `{"a":{"b":[]}}`},
		{`{"a":[{"s":",]"},],}`, `{"a":[{"s":",]"}]}`},
		{"{\"a\":1 , \n }", `{"a":1}`},
		{`{"a":[1,2,],"s":"[1,2,]"}`, `{"a":[1,2],"s":"[1,2,]"}`},
		{`{"a":["x,",],}`, `{"a":["x,"]}`},
		{`{"a":1,,"b":2}`, `{"a":1,"b":2}`},
		{`{,"a":{"b":1 ,, },,}`, `{"a":{"b":1}}`},
		{`{"a":[1,,2]}`, ``},
		{`{"a":",,","b":[[1,],],}`, `{"a":",,","b":[[1]]}`},
	},
	"quotes of two kinds around a text": {
		{"{\"name\": \"John\u201d, \"age\": 3}", `{"age":3,"name":"John"}`},
		{"{\"l\": [\"a\u201d, \"b\u201d], \"n\": \"c\u201d}", `{"l":["a","b"],"n":"c"}`},
		{"{\"a\": \"27\u201d, black\",}", "{\"a\":\"27\u201d, black\"}"},
		{"{\"a\": \"the \u201cOG\u201d\",}", "{\"a\":\"the \u201cOG\u201d\"}"},
	},
	"blanks that are escaped outside of texts": {
		{`{"path": "a", "range": \n[1, 2]\n\n}`, `{"path":"a","range":[1,2]}`},
		{`{"n": 5\n,\t"s": "a\nb"}`, `{"n":5,"s":"a\nb"}`},
		{`{\n"a": "b",\n"l": ["c"\n]\n}`, `{"a":"b","l":["c"]}`},
		{`{"code": "if a == "b"\n}"}`, `{"code":"if a == \"b\"\n}"}`},
		{`{"p": C:\new}`, ``},
	},
	"words without quotes that a library cuts": {
		{`{"l": [x/y z, u/v]}`, ``},
		{`{"l": [x y, u v]}`, `{"l":["x y","u v"]}`},
		{`{"p": src/a.go, "q": b.go}`, ``},
	},
	"literals of other languages": {
		{`{"ok": True, "n": None, "s": "None of True"}`, `{"n":null,"ok":true,"s":"None of True"}`},
		{`{"a":TRUE,"b":FALSE,"c":NULL}`, `{"a":true,"b":false,"c":null}`},
		{`{"l":[True,False,None,undefined]}`, `{"l":[true,false,null,null]}`},
		{`{"a":{"None":None,"s":"False, None"}}`, `{"a":{"None":null,"s":"False, None"}}`},
		{`{"a":nil,"b":Null}`, `{"a":null,"b":null}`},
	},
	"no number": {
		{`{"score": NaN, "max": Infinity}`, `{"max":null,"score":null}`},
		{`{"a":-Infinity,"l":[NaN,1,+Infinity]}`, `{"a":null,"l":[null,1,null]}`},
		{`{"s":"NaN","n":-NaN}`, `{"n":null,"s":"NaN"}`},
		{`{"a":+5,"b":.5,"c":-.25,"d":7.}`, `{"a":5,"b":0.5,"c":-0.25,"d":7}`},
		{`{"a":1.2.3}`, `{"a":"1.2.3"}`},
	},
	"raw control characters": {
		{"{\"t\":\"line1\nline2\tend\"}", `{"t":"line1\nline2\tend"}`},
		{"{\"t\":\"a\r\nb\x00c\x1b\"}", `{"t":"a\r\nb\u0000c\u001b"}`},
		{"{\"t\":\"if x {\n\treturn\n}\n\",\"n\":1}", `{"n":1,"t":"if x {\n\treturn\n}\n"}`},
		{"{\"l\":[\"a\n\",\"b\t\"]}", `{"l":["a\n","b\t"]}`},
	},
	"backslashes": {
		{`{"path":"C:\new\temp"}`, ``},
		{`{"path":"C:\Users\bob"}`, ``},
		{`{"dir":"C:\temp\bin"}`, ``},
		{`{"outputFile":"D:\reports\q1.csv"}`, ``},
		{`{"edits":[{"path":"src\new.go"}]}`, ``},
		{`{"options":{"dir":"\tmp"}}`, ``},
		{`{"pattern":"\bword\b"}`, ``},
		{`{"command":"grep '\bfoo' x"}`, ``},
		{`{"path":"D:\data\x.txt"}`, `{"path":"D:\\data\\x.txt"}`},
		{`{"pattern":"\d+\s*\w\."}`, `{"pattern":"\\d+\\s*\\w\\."}`},
		{`{"command":"printf 'a\tb\n'"}`, `{"command":"printf 'a\tb\n'"}`},
		{`{"a":"\x41 \u12 \$HOME it\'s"}`, `{"a":"\\x41 \\u12 \\$HOME it's"}`},
	},
	"nothing is broken": {
		{`{"text":"Wrote D:\\data\\out\nOK"}`, `{"text":"Wrote D:\\data\\out\nOK"}`},
		{`{"text":"he said \"hi\", ok"}`, `{"text":"he said \"hi\", ok"}`},
		{"{\"text\":\"```json\\n{},\\n```\"}", "{\"text\":\"```json\\n{},\\n```\"}"},
		{`{"text":"<think>x</think> {{y}}"}`, `{"text":"<think>x</think> {{y}}"}`},
		{`{"text":"a // b /* c */ # d，e：f"}`, `{"text":"a // b /* c */ # d，e：f"}`},
		{`{"text":"\ud83d\ude00 True, NaN, 'x',"}`, `{"text":"😀 True, NaN, 'x',"}`},
		{`{"text":"\"\"\"doc\"\"\""}`, `{"text":"\"\"\"doc\"\"\""}`},
	},
	"inner quotes": {
		{`{"text":"order a 27" monitor"}`, `{"text":"order a 27\" monitor"}`},
		{`{"text":"she said "yes" and left"}`, `{"text":"she said \"yes\" and left"}`},
		{`{"a":"say "hi"","b":1}`, `{"a":"say \"hi\"","b":1}`},
		{`{"cmd":"echo "a" | grep "b""}`, `{"cmd":"echo \"a\" | grep \"b\""}`},
		{`{"html":"<a href="x">y</a>"}`, `{"html":"<a href=\"x\">y</a>"}`},
		{`{"text":"他说"好"，然后走了"}`, `{"text":"他说\"好\"，然后走了"}`},
		{`{"notes":"Sent to the "boss", waiting."}`, ``},
		{`{"notes":"he said "no", then "yes", then left","n":1}`, ``},
		{`{"notes":"a "b": c"}`, ``},
		{`{"notes":"list: "x", "y", "z""}`, ``},
		{`{"notes":"see "a", "b": 1"}`, ``},
		{`{"a":"x" + "y"}`, ``},
		{`{"cmd":"echo "{\"a\":1}" > f"}`, ``},
		{`{"text":"say \"a\" or "b""}`, ``},
		{"{\"a\":\"x\" +\n  \"y\"}", ``},
		{`{"a" 1, "b": 2}`, ``},
		{`{"na"me": "Jack", "id": "1"}`, ``},
		{`{"sum":"1" + 2"}`, `{"sum":"1\" + 2"}`},
	},
	"closers": {
		{`{"rows": [[1], [2, 3`, `{"rows":[[1],[2,3]]}`},
		{`{"a":{"b":[{"c":1`, `{"a":{"b":[{"c":1}]}}`},
		{`{"a":[1,2}`, `{"a":[1,2]}`},
		{`{"a":[{"b":1]}`, `{"a":[{"b":1}]}`},
		{`{"a":[1,2],`, `{"a":[1,2]}`},
		{`{"a":{"b":"c"}`, `{"a":{"b":"c"}}`},
		{`{"a":1}}]`, `{"a":1}`},
		{`"a":"x","b":1}`, `{"a":"x","b":1}`},
		{`"a":"x","b":[1]`, `{"a":"x","b":[1]}`},
		{`'a': 'x', 'b': 1`, `{"a":"x","b":1}`},
		{`"a":{"b":1},"c":"d`, ``},
		{`"a":1}{"b":2}`, ``},
		{`{{"a":1}}`, `{"a":1}`},
		{`{{"a":1},{"b":2}}`, ``},
		{`{`, ``},
		{`{"a":[`, ``},
		{`{"a":{"b":{`, ``},
	},
	"cut off": {
		{`{"command":"rm -rf /data/old`, ``},
		{`{"command":"ls","path":"/da`, ``},
		{`{"files":["a","b`, ``},
		{`{"edits":[{"old":"x","new":"y`, ``},
		{`{"a":1,"b`, ``},
		{`{"a":1,"b":`, ``},
		{`{"ok":fal`, ``},
		{`{"n":-`, ``},
		{`{"n":1.`, ``},
		{"{\"content\":\"line1\nline2", ``},
		{`{"content":"""line1`, ``},
	},
	"fences, thoughts and prose": {
		{"<think>use {\"a\":0}?</think>\n```json\n{\"a\":1}\n```", `{"a":1}`},
		{"<think>a</think><think>{}</think>{\"a\":1}", `{"a":1}`},
		{"I think {\"a\":0}\n</think>\n{\"a\":1}", `{"a":1}`},
		{"<thinking>{\"a\":0}</thinking>{\"a\":1}", `{"a":1}`},
		{"<think>{\"a\":0}", ``},
		{"◁think▷{\"a\":0}◁/think▷{\"a\":1}", `{"a":1}`},
		{"<seed:think>{\"a\":0}</seed:think>\n{\"a\":1}", `{"a":1}`},
		{"[THINK]{\"a\":0}[/THINK]{\"a\":1}", `{"a":1}`},
		{"<|START_THINKING|>{\"a\":0}<|END_THINKING|>{\"a\":1}", `{"a":1}`},
		{"[THINK]{\"a\":0}", ``},
		{"```JSON\n{\"a\":1}\n```", `{"a":1}`},
		{"~~~json\n{\"a\":1}\n~~~", `{"a":1}`},
		{"```json\n{\"a\":1}", `{"a":1}`},
		{"Sure! `{\"a\":1}` Done.", `{"a":1}`},
		{"<json>{\"a\":1}</json>", `{"a":1}`},
		{"arguments = {\"a\":1};", `{"a":1}`},
		{"I would not.", ``},
	},
	"encoded twice": {
		{`"{\"a\":[1]}"`, `{"a":[1]}`},
		{`"\"{\\\"a\\\":1}\""`, `{"a":1}`},
		{`{\"a\":\"b \\\"c\\\" d\"}`, `{"a":"b \"c\" d"}`},
		{`'{"a":1}'`, `{"a":1}`},
		{`"{\n \"a\": 1,\n}"`, `{"a":1}`},
		{`"[1]"`, ``},
		{`{\n  \"a\": \"x\",\n  \"b\": 2\n}`, `{"a":"x","b":2}`},
		{`{\r\n\t\"a\":1}`, `{"a":1}`},
		{`{&quot;a&quot;: &quot;x &lt; y&quot;}`, `{"a":"x < y"}`},
	},
	"several values": {
		{`{"a":1}{"b":2}`, ``},
		{"{\"a\":1}\n{\"a\":1}", ``},
		{`{"a":1},{"b":2}`, ``},
		{`[{"a":1},{"b":2}]`, ``},
		{`{}{"a":1}`, ``},
		{`{"a":1}{`, ``},
		{`{"a":1}[1]`, ``},
		{"```json\n{\"a\":1}\n```\n```json\n{\"b\":2}\n```", ``},
	},
	"marks and blanks": {
		{"\ufeff{\"a\":1}", `{"a":1}`},
		{"\ufeff\ufeff {\"a\":1,}", `{"a":1}`},
		{"\u200b{\"a\":1}", `{"a":1}`},
		{"{\ufeff\"a\":\u00a01}", `{"a":1}`},
		{"{\"a\":1}\ufeff", `{"a":1}`},
		{"{\"a\":1}\x00", `{"a":1}`},
		{"{\"a\":\"\ufeffx\u00a0y\"}", "{\"a\":\"\ufeffx\u00a0y\"}"},
	},
	"comments": {
		{"{\"a\":1 // c\n}", `{"a":1}`},
		{"{\"a\":1, /* , \"x\":2 */ \"b\":2}", `{"a":1,"b":2}`},
		{"{\"a\":1, # c\n \"b\":2}", `{"a":1,"b":2}`},
		{"{\"u\":\"http://x/#y\",}", `{"u":"http://x/#y"}`},
		{`{"a":1 // and "b":2}`, ``},
		{`{"a":1 /* and "b":2}`, ``},
		{"{\"a\":\"x\" // c\n}", `{"a":"x"}`},
		{"{\"a\":\"x\", // c\n\"b\":[\"y\" # d\n]}", `{"a":"x","b":["y"]}`},
		{`{"a":"x" /* c */, "b" /* d */: 1}`, `{"a":"x","b":1}`},
		{"{'a': 'http://x' # c\n}", `{"a":"http://x"}`},
		{"{\"a\":\"x\" // it's \"q\"\n}", ``},
		{"{\"cmd\":\"grep \"a\" # b\nc\"}", `{"cmd":"grep \"a\" # b\nc"}`},
	},
	"signs of other scripts": {
		{`{"a"："b"，"c"：1}`, `{"a":"b","c":1}`},
		{`{"a"："一，二：三"}`, `{"a":"一，二：三"}`},
		{`{“a”: “x”}`, `{"a":"x"}`},
		{"{\u3000\"a\":\u3000[1，2]}", `{"a":[1,2]}`},
		{`｛"a"：［1，2］｝`, `{"a":[1,2]}`},
		{`{"l":["x"，"y"、"z"]}`, `{"l":["x","y","z"]}`},
		{`{"l":["说"好"，"坏""]}`, ``},
		{`{"a":"b"，}`, `{"a":"b"}`},
		{`{“a”:"x"}`, `{"a":"x"}`},
		{`{“a”：“x，y”，“b”："他说“好”"}`, `{"a":"x，y","b":"他说“好”"}`},
		{`{＂a＂:＂x＂}`, `{"a":"x"}`},
		{`{'a'：'b'}`, `{"a":"b"}`},
		{`{"a":“x"}`, ``},
		{`{a：‘it’s’}`, `{"a":"it’s"}`},
	},
	"no text at all": {
		{"{\u201c\xb9", ``},
		{"{\"a\":\u201c\xff\xfe", ``},
		{"{\xb9\xb9:\xb9}", ``},
	},
	"left out": {
		{`{"a":[1,2,...]}`, ``},
		{`{"a":1, ...}`, ``},
		{`{"a":["x", "...",]}`, `{"a":["x","..."]}`},
		{`[]`, `{}`},
	},
	"texts changed": {
		{`{'name': 'Jack O'Sullivan, 'id': '5'}`, ``},
		{`{'name': 'O\'Neil "x"' 'id': '5'}`, ``},
	},
	"signs of other languages": {
		{`{a='x'}`, ``},
		{`{"a"="x"}`, ``},
		{`{"a"=>"x","b"=>1}`, ``},
		{`{"a":"b=","c":1,}`, `{"a":"b=","c":1}`},
	},
	"three quotes": {
		{"{\"a\":\"\"\"line \"1\"\nline 2\"\"\", \"n\":1}", `{"a":"line \"1\"\nline 2","n":1}`},
		{`{"a":"""it's"""}`, `{"a":"it's"}`},
		{`{"a":"""x\ny"""}`, ``},
	},
}

func TestRepairsByFault(t *testing.T) {
	for fault, inputs := range faults {
		for _, tt := range inputs {
			got, err := tool.Prepare(tool.Info{Name: "exec"}, json.RawMessage(tt.raw))
			if string(got) != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("%s: %s gives %s, %v; want %s", fault, tt.raw, got, err, tt.want)
			}
			if err != nil && (akitad.KindOf(err) != akitad.InvalidRequest || akitad.FailureOf(err).Hint == "") {
				t.Errorf("%s: %s: %v has kind %s and no hint", fault, tt.raw, err, akitad.KindOf(err))
			}
		}
	}
}

// Schemas as the tools of others bring them: alternatives, references, one alternative.
const alternatives = `{"type":"object","required":["must"],"properties":{
	"must":{"type":"integer"},"n":{"anyOf":[{"type":"integer"},{"type":"null"}]},"list":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]},
	"flag":{"type":"boolean"},"zip":{"type":"string"},"either":{"oneOf":[{"type":"string"},{"type":"integer"}]},
	"one":{"allOf":[{"$ref":"#/$defs/opts"}]},"opts":{"$ref":"#/$defs/opts"},"tags":{"type":"array","items":{"type":"string"}},"ratio":{"type":["number","null"]},
	"shape":{"oneOf":[{"type":"object","properties":{"r":{"type":"number","default":1}}},{"type":"object","properties":{"w":{"type":"number","default":2}}}]}},
	"$defs":{"opts":{"type":"object","properties":{"deep":{"type":"boolean"},"max":{"type":"integer"}}}}}`

func TestFitsAlternatives(t *testing.T) {
	args, err := tool.NewArguments(tool.Info{Name: "t", Schema: json.RawMessage(alternatives)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ raw, want string }{
		{`{"must":"7"}`, `{"must":7}`},
		{`{"must":1,"n":"5"}`, `{"must":1,"n":5}`},
		{`{"must":1,"n":null}`, `{"must":1,"n":null}`},
		{`{"must":1,"n":"None"}`, `{"must":1,"n":null}`},
		{`{"must":1,"list":"[1, \"2\"]"}`, `{"list":[1,2],"must":1}`},
		{`{"must":1,"list":"['3',]"}`, `{"list":[3],"must":1}`},
		{`{"must":1,"list":["4"]}`, `{"list":[4],"must":1}`},
		{`{"must":1,"flag":"TRUE"}`, `{"flag":true,"must":1}`},
		{`{"must":1,"flag":""}`, `{"must":1}`},
		{`{"must":1,"flag":"null"}`, `{"must":1}`},
		{`{"must":1,"zip":""}`, `{"must":1,"zip":""}`},
		{`{"must":1,"zip":"null"}`, `{"must":1,"zip":"null"}`},
		{`{"must":1,"either":"5"}`, `{"either":"5","must":1}`},
		{`{"must":1,"either":5.0}`, `{"either":5,"must":1}`},
		{`{"must":1,"one":{"deep":"true"}}`, `{"must":1,"one":{"deep":true}}`},
		{`{"must":1,"opts":"{'deep': True, 'max': '3'}"}`, `{"must":1,"opts":{"deep":true,"max":3}}`},
		{`{"must":1,"tags":"[\"01\",\"2\"]"}`, `{"must":1,"tags":["01","2"]}`},
		{`{"must":1,"ratio":"0.50"}`, `{"must":1,"ratio":0.50}`},
		{`{"must":1,"ratio":"None"}`, `{"must":1,"ratio":null}`},
		{`{"must":1,"tags":"x"}`, `{"must":1,"tags":["x"]}`},
		{`{"must":1,"tags":7}`, `{"must":1,"tags":["7"]}`},
		{`{"must":1,"tags":[1,"b"]}`, `{"must":1,"tags":["1","b"]}`},
		{`{"must":1,"list":5}`, `{"list":[5],"must":1}`},
		{`{"must":1,"one":[{"deep":"true"}]}`, `{"must":1,"one":{"deep":true}}`},
	} {
		if got, err := args.Prepare(json.RawMessage(tt.raw)); string(got) != tt.want || err != nil {
			t.Errorf("%s gives %s, %v; want %s", tt.raw, got, err, tt.want)
		}
	}
	for _, raw := range []string{`{}`, `{"must":""}`, `{"must":"null"}`, `{"must":"1.5"}`, `{"must":"1,000"}`, `{"must":1,"list":"1,2"}`, `{"must":1,"list":"[1, 2"}{"}`, `{"must":1,"opts":"{'deep': 'Tr"}`} {
		if got, err := args.Prepare(json.RawMessage(raw)); err == nil {
			t.Errorf("%s gives %s, want a refusal", raw, got)
		}
	}
}

// Where two alternatives fit, no default of either is made up.
func TestAlternativesOfOneTypeGetNoDefaults(t *testing.T) {
	args, err := tool.NewArguments(tool.Info{Name: "t", Schema: json.RawMessage(strings.ReplaceAll(alternatives, "oneOf", "anyOf"))})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := args.Prepare(json.RawMessage(`{"must":1,"shape":{}}`)); string(got) != `{"must":1,"shape":{}}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}
