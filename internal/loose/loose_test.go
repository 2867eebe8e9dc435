package loose_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/loose"
)

// shape has a field of each type that the decoder knows.
type shape struct {
	Name        string         `yaml:"name"`
	Role        string         `yaml:"role"`
	Description string         `yaml:"description"`
	Version     string         `yaml:"version"`
	Zip         string         `yaml:"zip"`
	Sha         string         `yaml:"sha"`
	Note        string         `yaml:"note"`
	Steps       []string       `yaml:"steps"`
	Agents      []agent        `yaml:"agents"`
	A           *part          `yaml:"a"`
	With        map[string]any `yaml:"with"`
	On          bool           `yaml:"on"`
	Max         int            `yaml:"max"`
	ForX        string         `yaml:"for_x"`
}

type agent struct {
	Name string   `yaml:"name"`
	Of   []string `yaml:"of"`
}

type part struct {
	B string `yaml:"b"`
	C string `yaml:"c"`
}

func TestDecodeAsMeant(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     shape
	}{
		{"plain", "name: a\nrole: b\n", shape{Name: "a", Role: "b"}},
		{"json", `{"name": "a", "steps": ["x", "y"], "on": true, "max": 3}`, shape{Name: "a", Steps: []string{"x", "y"}, On: true, Max: 3}},
		{"a line end in a value in quotes", `description: "Two lines:\nnote: x"`, shape{Description: "Two lines:\nnote: x"}},
		{"a text of JSON with quotes in it", `"name: a\nnote: \"b: c\""`, shape{Name: "a", Note: "b: c"}},
		{"json in prose on one line", `Here it is: {"name": "a"} - enjoy`, shape{Name: "a"}},
		{"json with a trailing comma and a fence", "```json\n{\"name\": \"a\", \"steps\": [\"x\",],}\n```", shape{Name: "a", Steps: []string{"x"}}},
		{"json with full-width punctuation", "｛“name”：“甲，乙”，\"role\"：\"b\"｝", shape{Name: "甲，乙", Role: "b"}},
		{"colon in a value", "description: Fix the bug: login fails\n", shape{Description: "Fix the bug: login fails"}},
		{"colon in a nested value", "agents:\n  - name: Chief: of all\n    of: [x]\n", shape{Agents: []agent{{"Chief: of all", []string{"x"}}}}},
		{"colon in list items", "steps:\n  - Language: English\n  - Note: do this: now\n  - see https://x.y/z: it\n", shape{Steps: []string{"Language: English", "Note: do this: now", "see https://x.y/z: it"}}},
		{"two blocks, one is it", "Sure! First run:\n```bash\nmake\n```\nThen:\n```yml\nname: a\nsteps: [x]\n```\nLet me know!", shape{Name: "a", Steps: []string{"x"}}},
		{"the same block twice", "```yaml\nname: a\n```\nAgain:\n```yaml\nname: 'a'\n```\n", shape{Name: "a"}},
		{"block of another shape first", "```yaml\nother: 1\n```\n```yaml\nname: a\n```\n", shape{Name: "a"}},
		{"fence never closed", "```yaml\nname: a\nrole: b\n", shape{Name: "a", Role: "b"}},
		{"tilde fence, indented", "  ~~~yaml\n  name: a\n  role: b\n  ~~~\n", shape{Name: "a", Role: "b"}},
		{"fence inside a block scalar", "```yaml\nname: |\n  run\n  ```sh\n  make\n  ```\nrole: b\n```\n", shape{Name: "run\n```sh\nmake\n```\n", Role: "b"}},
		{"prose before", "Sure! Here it is.\nname: a\n", shape{Name: "a"}},
		{"a heading and a list after", "name: a\n## Notes\n- thanks\n", shape{Name: "a"}},
		{"under a name of its own", "agent:\n  name: a\n  steps: [x]\n", shape{Name: "a", Steps: []string{"x"}}},
		{"trimmed at the front", "name: a\n  role: b\n  steps:\n    - x\n", shape{Name: "a", Role: "b", Steps: []string{"x"}}},
		{"keys of titles and with other signs", "for-x: a\nName: b\n", shape{ForX: "a", Name: "b"}},
		{"full-width colons and commas", "name：a\nsteps：[甲，乙]\n", shape{Name: "a", Steps: []string{"甲", "乙"}}},
		{"a full-width comma in a list of plain punctuation", "name: a\nsteps: [甲，乙]\n", shape{Name: "a", Steps: []string{"甲，乙"}}},
		{"commas at the ends of lines", "name: a,\nrole: \"b\",\nsteps: [x],\n", shape{Name: "a", Role: "b", Steps: []string{"x"}}},
		{"a mapping as a list of its pairs", "name: a\na:\n- b: x\n- c: y\n", shape{Name: "a", A: &part{B: "x", C: "y"}}},
		{"items that stand further out", "steps:\n    - x\n  - y\n    - z\nname: a\n", shape{Name: "a", Steps: []string{"x", "y", "z"}}},
		{"a key further out than the one beside it", "name: a\na:\n    b: x\n  c: y\n", shape{Name: "a", A: &part{B: "x", C: "y"}}},
		{"the first item beside its key", "name: a\nsteps: - x\n  - it's y: z\n", shape{Name: "a", Steps: []string{"x", "it's y: z"}}},
		{"numbered keys", "1. name: a\n2. steps:\n   - x\n   - 3. y: z\n", shape{Name: "a", Steps: []string{"x", "3. y: z"}}},
		{"a tag beside the fence", "<answer>```yaml\nname: a\n```</answer>", shape{Name: "a"}},
		{"json without a comma on one line", `{"name": "a" "role": "b"}`, shape{Name: "a", Role: "b"}},
		{"a question mark before the words", "name: ? a: b\nrole: ? why\n", shape{Name: "? a: b", Role: "? why"}},
		{"a list in a block", "name: a\nsteps: |\n  - x: y\n  - 'z'\n", shape{Name: "a", Steps: []string{"x: y", "z"}}},
		{"stars in a text that has an ampersand", "name: Q & A\nsteps:\n  - *all* of it\n  - * b\n", shape{Name: "Q & A", Steps: []string{"*all* of it", "* b"}}},
		{"a list of an empty text", "name: a\nsteps: \"\"\n", shape{Name: "a", Steps: []string{}}},
		{"prose with a colon before", "Sure! Here it is:\n\nname: a\n", shape{Name: "a"}},
		{"prose after", "name: a\n\nLet me know if you want changes.\n", shape{Name: "a"}},
		{"prose with a colon after", "name: a\nsteps:\n- x\n\nNote: I left out the rest.\n", shape{Name: "a", Steps: []string{"x"}}},
		{"prose after a document end", "name: a\n---\nThat is all.\n", shape{Name: "a"}},
		{"chinese prose around", "好的，以下是结果：\nname: a\n\n如需修改请告诉我。\n", shape{Name: "a"}},
		{"thinking", "<think>need a name: yes</think>\nname: a\n", shape{Name: "a"}},
		{"thinking on the same line", "<thinking>\nname: b\n</thinking>name: a\nrole: b", shape{Name: "a", Role: "b"}},
		{"thinking of Kimi", "◁think▷name: b\n◁/think▷name: a\n", shape{Name: "a"}},
		{"thinking of Mistral", "[THINK]name: b[/THINK]\nname: a\n", shape{Name: "a"}},
		{"thinking of Seed", "<seed:think>name: b</seed:think>name: a\n", shape{Name: "a"}},
		{"thinking of Cohere", "<|START_THINKING|>name: b<|END_THINKING|>\n```yaml\nname: a\n```", shape{Name: "a"}},
		{"thinking never closed", "<think>I need a name here\n\nname: a\n", shape{Name: "a"}},
		{"thinking never opened", "so the name: must be a\n</think>\n\nname: a\n", shape{Name: "a"}},
		{"thinking twice, then a fence", "<think>a</think>\n<Reasoning>b: c\n```yaml\nname: z\n```\n</Reasoning>\n```\nname: a\n```\n", shape{Name: "a"}},
		{"tab indentation", "agents:\n\t- name: a\n", shape{Agents: []agent{{Name: "a"}}}},
		{"tabs of two levels", "agents:\n\t- name: a\n\t\tof:\n\t\t\t- x\n", shape{Agents: []agent{{"a", []string{"x"}}}}},
		{"no-break space indentation", "a:\n\u00a0\u00a0b: 2\n", shape{A: &part{B: "2"}}},
		{"full-width space indentation", "a:\n\u3000b: 2\n\u3000c: 3\n", shape{A: &part{B: "2", C: "3"}}},
		{"characters of scalars kept", "version: 1.10\nzip: 0123\nsha: 1e3\nname: no\nrole: on\nnote: 1_000\n", shape{Version: "1.10", Zip: "0123", Sha: "1e3", Name: "no", Role: "on", Note: "1_000"}},
		{"more scalars kept", "version: 0x1F\nzip: +1\nsha: .5\nname: 2024-01-02\nrole: 12:30:45\nnote: true\n", shape{Version: "0x1F", Zip: "+1", Sha: ".5", Name: "2024-01-02", Role: "12:30:45", Note: "true"}},
		{"null counts as not written", "name: null\nrole: ~\nnote:\nsteps:\nagents: null\na:\n", shape{}},
		{"full-width colons", "name：研究员\nrole：writer\n", shape{Name: "研究员", Role: "writer"}},
		{"one full-width colon", "name: a\nrole：writer\n", shape{Name: "a", Role: "writer"}},
		{"full-width colons further in", "agents：\n  - name：a\n    of：[x，y]\n", shape{Agents: []agent{{"a", []string{"x", "y"}}}}},
		{"full-width colon in a value stays", "name: a\nnote: 注意：要快\n", shape{Name: "a", Note: "注意：要快"}},
		{"no space after the colon", "name:a\nrole:b\n", shape{Name: "a", Role: "b"}},
		{"other colons", "name﹕a\nrole∶b\n", shape{Name: "a", Role: "b"}},
		{"invisible marks", "\u200bname: a\n\u200b\u200brole: b\n", shape{Name: "a", Role: "b"}},
		{"wrapped in a tag", "<answer>\nname: a\n</answer>", shape{Name: "a"}},
		{"fence closed but never opened", "name: a\nrole: b\n```\n", shape{Name: "a", Role: "b"}},
		{"bold keys", "**name**: a\n**role:** b\n", shape{Name: "a", Role: "b"}},
		{"asterisk", "note: *important* thing", shape{Note: "*important* thing"}},
		{"one word in asterisks", "note: *important*", shape{Note: "*important*"}},
		{"at sign", "note: @alice", shape{Note: "@alice"}},
		{"backtick", "note: `ls`", shape{Note: "`ls`"}},
		{"percent", "note: %d items", shape{Note: "%d items"}},
		{"bracket", "note: [WIP] fix this", shape{Note: "[WIP] fix this"}},
		{"brace", "note: {name} hello", shape{Note: "{name} hello"}},
		{"bracketed alone", "note: [WIP]", shape{Note: "[WIP]"}},
		{"greater", "note: >= 5", shape{Note: ">= 5"}},
		{"greater with a comment", "note: >= 5 # or so", shape{Note: ">= 5"}},
		{"exclamation", "note: !important thing", shape{Note: "!important thing"}},
		{"exclamation alone", "note: !important", shape{Note: "!important"}},
		{"exclamations in lines that follow", "note: !important\nname: !x\nsteps:\n  - !a\n  - !b c\n", shape{Note: "!important", Name: "!x", Steps: []string{"!a", "!b c"}}},
		{"ampersand", "note: & more", shape{Note: "& more"}},
		{"pipe", "note: | more", shape{Note: "| more"}},
		{"question mark", "note: ? what", shape{Note: "? what"}},
		{"dash", "note: - what", shape{Note: "- what"}},
		{"closing bracket", "note: ]x", shape{Note: "]x"}},
		{"double quote never closed", "note: \"abc\nname: a\n", shape{Note: `"abc`, Name: "a"}},
		{"special starts in a list", "steps:\n  - *b* c\n  - `ls`\n  - @x\n  - \"a\" and b\n", shape{Steps: []string{"*b* c", "`ls`", "@x", `"a" and b`}}},
		{"quoted words", "note: \"a\" and \"b\"\nname: 'it's'\n", shape{Note: `"a" and "b"`, Name: "it's"}},
		{"quote in quotes", `note: "he said "hi" to me"`, shape{Note: `he said "hi" to me`}},
		{"apostrophes in quotes", "note: 'Bob's and Al's'", shape{Note: "Bob's and Al's"}},
		{"bullets of other kinds", "steps:\n  * under 100 words\n  • in English\nname: a\n", shape{Name: "a", Steps: []string{"under 100 words", "in English"}}},
		{"numbered list", "steps:\n  1. first\n  2. second\n", shape{Steps: []string{"first", "second"}}},
		{"numbered mappings", "agents:\n  1. name: a\n     of: [x]\n  10. name: b\n      of: [y]\n", shape{Agents: []agent{{"a", []string{"x"}}, {"b", []string{"y"}}}}},
		{"numbered mappings that stand as behind dashes", "agents:\n  1. name: a\n    of: [x]\n", shape{Agents: []agent{{"a", []string{"x"}}}}},
		{"a comma in a text in braces", "with: {path: a.db, query: SELECT a, b, c FROM t, n: 1}\n", shape{With: map[string]any{"path": "a.db", "query": "SELECT a, b, c FROM t", "n": 1}}},
		{"words alone in braces", "with: {path: a.csv, recursive}\n", shape{With: map[string]any{"path": "a.csv", "recursive": nil}}},
		{"a key of nothing in braces", "with: {q: SELECT a, order: , n: 1}\n", shape{With: map[string]any{"q": "SELECT a", "order": nil, "n": 1}}},
		{"a list of nothing for a mapping", "name: x\na: []\nrole: b\n", shape{Name: "x", A: &part{}, Role: "b"}},
		{"a dash with nothing behind it", "agents:\n- of:\n  - x\n  -\n  - y\n  -\n  name: b\n- name: c\n-\nname: z\n", shape{Name: "z", Agents: []agent{{"b", []string{"x", "y"}}, {Name: "c"}}}},
		{"list items of nothing", "steps:\n- a\n-\n- null\n- b\n", shape{Steps: []string{"a", "b"}}},
		{"a block of nothing", "name: |\nrole: b\n", shape{Role: "b"}},
		{"bom and crlf", "\ufeffname: a\r\nrole: b\r\n", shape{Name: "a", Role: "b"}},
		{"control character", "name: a\x07b\n", shape{Name: "ab"}},
		{"invalid utf-8", "name: \xff\n", shape{Name: "\ufffd"}},
		{"multi-line flow beside a bad line", "with: {x: 1,\n  y: [2,\n  3]}\nnote: a: b\n", shape{Note: "a: b", With: map[string]any{"x": 1, "y": []any{2, 3}}}},
		{"multi-line quotes beside a bad line", "name: \"one\n  two: x\"\nnote: a: b\n", shape{Name: "one two: x", Note: "a: b"}},
		{"block scalar beside a bad line", "name: |\n  x: y: z\n  \tq\n  * a\n\n  - b\nnote: a: b\n", shape{Name: "x: y: z\n\tq\n* a\n\n- b\n", Note: "a: b"}},
		{"expression in a flow", "with: {path: ${{ params.p }}, n: [${{ item }}]}\n", shape{With: map[string]any{"path": "${{ params.p }}", "n": []any{"${{ item }}"}}}},
		{"free values", "with: {a: 1, b: 1.5, c: 1.10, d: no, e: 007, f: true, g: null, h: '1', i: 1e3, j: -2}\n", shape{With: map[string]any{"a": 1, "b": 1.5, "c": "1.10", "d": "no", "e": "007", "f": true, "g": nil, "h": "1", "i": "1e3", "j": -2}}},
		{"booleans of old", "on: yes\nmax: 12.0\n", shape{On: true, Max: 12}},
		{"anchor and alias", "with: {x: &k [1]}\nsteps: []\na: &p {b: s}\nnote: t\n", shape{With: map[string]any{"x": []any{1}}, Steps: []string{}, A: &part{B: "s"}, Note: "t"}},
		{"merge", "with:\n  base: &b {x: 1, y: 2}\n  more:\n    <<: *b\n    y: 3\n", shape{With: map[string]any{"base": map[string]any{"x": 1, "y": 2}, "more": map[string]any{"x": 1, "y": 3}}}},
		{"short form of a struct", "a: make test\n", shape{A: &part{B: "make test"}}},
		{"a document twice", "name: a\n---\nname: a\n", shape{Name: "a"}},
		{"directive and document end", "%YAML 1.2\n---\nname: a\n...\n", shape{Name: "a"}},
		{"a path between double quotes", `name: "C:\Users\bob"`, shape{Name: `C:\Users\bob`}},
		{"backslashes that escape nothing", "name: \"\\xZZ\"\nnote: \"\\d+ \\\"q\\\"\"\nrole: \"\\u12\"\nzip: \"\\t\\x41\"\n", shape{Name: `\xZZ`, Note: `\d+ "q"`, Role: `\u12`, Zip: "\tA"}},
		{"backslashes in a flow", `steps: ["\d+", "x"]`, shape{Steps: []string{`\d+`, "x"}}},
		{"marks of Chinese lists", "steps:\n・一\n・ 二\nname: a\n", shape{Name: "a", Steps: []string{"一", "二"}}},
		{"numbers of Chinese lists", "steps:\n  1、一\n  （2）二\n  ③三\n", shape{Steps: []string{"一", "二", "三"}}},
		{"letters and plus signs", "steps:\n  a) x\n  + y\n  (3) z\n", shape{Steps: []string{"x", "y", "z"}}},
		{"a tab beside four spaces", "steps:\n\t- a\n    - b\n", shape{Steps: []string{"a", "b"}}},
		{"an object without its braces", "\"name\": \"a\",\n\"role\": \"b\",\n", shape{Name: "a", Role: "b"}},
		{"items further in than the one before", "steps:\n  - a b\n   - b\n     - c\n  - d\n", shape{Steps: []string{"a b", "b", "c", "d"}}},
		{"items further in within a text", "note: |\n  - a\n   - b\nname: x\n", shape{Name: "x", Note: "- a\n - b\n"}},
		{"a dash within an item of several lines", "steps:\n  - a - b\n    c\n", shape{Steps: []string{"a - b c"}}},
		{"a number with a comma in a list of words", "steps: [no more than 1,000 words, under $12,500,000 in all, cite 3]\n", shape{Steps: []string{"no more than 1,000 words", "under $12,500,000 in all", "cite 3"}}},
		{"numbers in a list stay apart", "steps: [1,200, a 1, 200 b]\n", shape{Steps: []string{"1", "200", "a 1", "200 b"}}},
		{"a fence at the end of the last line", "```yaml\nname: a\nrole: b c```\n", shape{Name: "a", Role: "b c"}},
		{"a text of three backticks at its end", "name: a\nrole: use ```\n", shape{Name: "a", Role: "use ```"}},
		{"shouting", "note: !!! fix it\nname: !!now\nsteps: [!!! x, y]\n", shape{Note: "!!! fix it", Name: "!!now", Steps: []string{"!!! x", "y"}}},
		{"a list in brackets of things to quote", "steps: [use C#, tag #1, @bob, `rm`, *.log]\n", shape{Steps: []string{"use C#", "tag #1", "@bob", "`rm`", "*.log"}}},
		{"a path between double quotes that escapes", `name: "C:\new\temp.txt"` + "\n" + `steps: ["D:\tmp"]` + "\n", shape{Name: `C:\new\temp.txt`, Steps: []string{`D:\tmp`}}},
		{
			"a drive, and then escapes", `name: "C:\u0000"` + "\n" + `role: "d:\n\nx"` + "\n" + `steps: ["E:\x41", "C:\t", "z:\tb"]` + "\n",
			shape{Name: "C:\x00", Role: "d:\n\nx", Steps: []string{"E:A", "C:\t", "z:\tb"}},
		},
		{"keys as Markdown writes them", "**name**: a\nfor\\_x: b\n", shape{Name: "a", ForX: "b"}},
		{"one document in a list", "- name: a\n  role: b\n", shape{Name: "a", Role: "b"}},
		{"one object in a list", `[{"name": "a", "steps": ["x"]}]`, shape{Name: "a", Steps: []string{"x"}}},
		{"no list, in a word", "steps: None\nagents: n/a\nname: none\n", shape{Name: "none", Steps: []string{}, Agents: []agent{}}},
		{"a block of words that stand as far out as its key", "name: a\nnote: |\nOne line: this.\nTwo lines.\nrole: b\n", shape{Name: "a", Note: "One line: this.\nTwo lines.\n", Role: "b"}},
		{"an object with comments", "{\n  // who\n  \"name\": \"a // b\", // c\n  \"role\": \"x /* y */\" /* z\n */, // d\n}", shape{Name: "a // b", Role: "x /* y */"}},
		{"an object of Python", `{'name': 'it\'s', 'steps': ['a', "b's"], 'agents': None}`, shape{Name: "it's", Steps: []string{"a", "b's"}, Agents: []agent{}}},
		{"arrows", "steps:\n  → a\n  ➤ b\n", shape{Steps: []string{"a", "b"}}},
		{"quoted as a whole", "> name: a\n> steps:\n>   - x\n>\n> role: b\n", shape{Name: "a", Role: "b", Steps: []string{"x"}}},
		{"an ampersand that names nothing", "name: &check the logs\nrole: &x\nnote: &k v\nsteps: [*k]\n", shape{Name: "&check the logs", Role: "&x", Note: "v", Steps: []string{"v"}}},
		{"invisible marks behind a key", "\u200bname: a\nrole\u200b: b\n", shape{Name: "a", Role: "b"}},
		{"items of prose at the end", "name: a\nrole: b\n\n- I chose a: it fits.\n- Nothing else.\n", shape{Name: "a", Role: "b"}},
		{"items behind an empty line", "name: a\nsteps:\n\n- x\n\n- y\n", shape{Name: "a", Steps: []string{"x", "y"}}},
		{"a comma lost between lines of an object", "{\"name\": \"a\"\n \"role\": \"b\"\n \"max\": 3\n \"on\": true\n}", shape{Name: "a", Role: "b", Max: 3, On: true}},
		{"a comma lost, and prose before", "Here:\n{\"name\": \"a\"\n \"role\": \"b\"}", shape{Name: "a", Role: "b"}},
		{"keys in another case", "Name: a\nROLE: b\n", shape{Name: "a", Role: "b"}},
		{"keys with other signs", "for-x: b\n", shape{ForX: "b"}},
		{"keys as in Java", "forX: b\nagents:\n- Name: c\n", shape{ForX: "b", Agents: []agent{{Name: "c"}}}},
		{"a remark that begins like a key", "name: a\n\nNote: I left out the rest.\n", shape{Name: "a"}},
		{"commas of JSON behind quotes", "name: \"a\",\nsteps:\n  - \"x\",\n  - \"y, z\",\n", shape{Name: "a", Steps: []string{"x", "y, z"}}},
		{"commas of JSON behind other values", "steps: [x, y],\nmax: 3,\non: true,\nname: 'a',\na: {b: x},\n", shape{Name: "a", Steps: []string{"x", "y"}, Max: 3, On: true, A: &part{B: "x"}}},
		{"a comma that is the text's", "name: a,\nsteps:\n  - x,\n", shape{Name: "a,", Steps: []string{"x,"}}},
		{"sent as a text of JSON", `"name: a\nsteps:\n- \"x\"\n"`, shape{Name: "a", Steps: []string{"x"}}},
		{"sent as a text of JSON without its quotes", `name: a\nrole: b\n`, shape{Name: "a", Role: "b"}},
		{"an escape that is no line end", `name: a\nb` + "\n", shape{Name: `a\nb`}},
		{"several merged", "with:\n  <<: [{x: 1}, {x: 2, z: 2}]\n  y: 3\n", shape{With: map[string]any{"x": 1, "z": 2, "y": 3}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := loose.Decode[shape](tt.in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Value, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got.Value, tt.want)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"duplicate key", "name: a\nname: b\n", `line 2: mapping key "name" already defined`},
		{"duplicate key in a flow", `{"name": "a", "name": "b"}`, `"name" already defined`},
		{"duplicate key in prose", "Here:\n\nname: a\nrole: c\nname: b\n", `line 5: mapping key "name" already defined`},
		{"second document", "name: a\n---\nname: b\n", "line 3: a second document with other content"},
		{"two blocks of the shape", "```yaml\nname: a\n```\nor\n```yaml\nname: b\n```\n", "a second document with other content"},
		{"unknown key", "name: a\nmax_turns: 5\n", `line 2: unknown key "max_turns"`},
		{"unknown key before", "max_turns: 5\nname: a\n", `line 1: unknown key "max_turns"`},
		{"unknown key after prose", "name: a\n\nAnd also this.\nmax_turns: 5\n", `line 3: `},
		{"the same key in two spellings", "name: a\nName: b\n", `unknown key "Name", did you mean name?`},
		{"near key", "nmae: a\nrole: b\n", `unknown key "nmae", did you mean name?`},
		{"near key in fence", "Text\n\n```yaml\nrole: b\nstep: [x]\n```\n", `line 5: unknown key "step", did you mean steps?`},
		{"unknown key further in", "agents:\n  - name: a\n    off: b\n", `line 3: unknown key "off" in agents[0], did you mean of?`},
		{"dash without space", "steps:\n  -a\n  -b\n", "line 1: steps must be a list, not text"},
		{"a bracket that is not closed, for a list", "name: a\nsteps: [\n", "line 2: a bracket that is opened here is not closed"},
		{"a text in brackets and a wrong key", "note: [WIP] x\ngaol: x\n", `line 2: unknown key "gaol"`},
		{"brackets of more than a list", "name: a\nwith: {x: ^[A-Z]+: y, z: .}\n", "line 2: what stands in the brackets cannot be read"},
		{"text for a list", "steps: x\n", "line 1: steps must be a list"},
		{"list for a struct", "a: [x]\n", "line 1: a must be a mapping of b, c, not a list"},
		{"word for a number", "max: many\n", "line 1: max must be a whole number"},
		{"fraction for a number", "max: 1.5\n", "max must be a whole number"},
		{"word for a truth", "on: maybe\n", "on must be true or false"},
		{"mapping for text", "name:\n  x: y\n", "line 2: name must be text, not a mapping"},
		{"prose alone", "I cannot do that.", "the document must be a mapping"},
		{"nothing", "", "no YAML found"},
		{"undefined alias in a flow", "with: {x: *nope}\n", "line 1: what stands in the brackets cannot be read"},
		{"self alias", "with: &w {x: *w}\n", "*w refers to nothing"},
		{"too large", strings.Repeat("#", loose.MaxBytes+1), "larger than 64 KiB"},
		{"brackets", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), "nested deeper than 16 levels"},
		{"brackets below a key", "with: " + strings.Repeat("[", 17) + strings.Repeat("]", 17), "nested deeper than 16 levels"},
		{"dashes", "with:\n  x: " + "\n" + strings.Repeat("- ", 30000), "nested deeper than 16 levels"},
		{"truncated", "agents:\n  - name: a\n  - name: b\nwork", "line 4: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := loose.Decode[shape](tt.in, nil)
			if err == nil {
				t.Fatalf("accepted as %+v", got.Value)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if akitad.KindOf(err) != akitad.InvalidRequest {
				t.Errorf("kind is %s", akitad.KindOf(err))
			}
			if akitad.FailureOf(err).Hint == "" && !strings.Contains(err.Error(), "must be") && !strings.Contains(err.Error(), "nested") {
				t.Errorf("%v has no hint", err)
			}
		})
	}
}

func TestHostileTextEndsSoon(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'g'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [*" + strings.Join([]string{p, p, p, p, p, p, p, p, p}, ",*") + "]\n"
	}
	type open struct {
		With map[string]any `yaml:"with"`
	}
	indented := "with:\n  " + strings.ReplaceAll(bomb, "\n", "\n  ")
	if _, err := loose.Decode[open](indented, nil); err == nil || !strings.Contains(err.Error(), "excessive aliasing") {
		t.Errorf("bomb: %v", err)
	}
	for _, unit := range []string{"[", "{", "- ", "a: ", "? ", "{a: ", "\"", "name: [\n", "name: \"\n", "with: {\n  a: [\n", "- *a\n", "<think>", "</think>", "```\n", "```yaml\nname: a\n", "---\n", "name：", "&a ", "name: > x\n", "? ", "- \n", "name: x: y\n", `["\d",`, `"\x41",`, "  - '\n", "- a - b\n", "- a\n   - b\n", "name: |\nx\n", "name: [#,\n", "- &a x\n", "> a: b\n"} {
		text := strings.Repeat(unit, loose.MaxBytes/len(unit))
		start := time.Now()
		_, err := loose.Decode[shape](text, nil)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%q: %v after %v", unit, err, took)
		} else if testing.Verbose() {
			t.Logf("%q: %v, %v", unit, took, err)
		}
	}
}

func TestValidTextIsNotAltered(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want shape
	}{
		{"name: “x”\n", shape{Name: "“x”"}},
		{"name: 'a: b'\nnote: \"*x*\"\n", shape{Name: "a: b", Note: "*x*"}},
		{"note: |\n  ```yaml\n  name: b\n  ```\n  <think>x</think>\nname: a\n", shape{Name: "a", Note: "```yaml\nname: b\n```\n<think>x</think>\n"}},
		{"note: a # b\n", shape{Note: "a"}},
		{"note: >\n  a\n  b\n\n  c\n", shape{Note: "a b\nc\n"}},
		{"note: key：value\n", shape{Note: "key：value"}},
		{"name: !!str 5\n", shape{Name: "5"}},
		{"? name\n: a\n", shape{Name: "a"}},
	} {
		got, err := loose.Decode[shape](tt.in, nil)
		if err != nil || !reflect.DeepEqual(got.Value, tt.want) || got.Repaired {
			t.Errorf("%q: got %+v, repaired %v, %v", tt.in, got.Value, got.Repaired, err)
		}
	}
}

func TestCheckSendsTextToRepair(t *testing.T) {
	check := func(s shape) error {
		if !akitad.ValidName(s.Name) {
			return akitad.Errorf(akitad.NotFound, "name %q", s.Name)
		}
		return nil
	}
	got, err := loose.Decode("name: “researcher”\n", check)
	if err != nil || got.Value.Name != "researcher" || !got.Repaired {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err = loose.Decode("name: No Name\n", check); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("got %v, want the check's own error", err)
	}
	type list struct {
		Needs []string `yaml:"needs"`
	}
	needs, err := loose.Decode("needs: [“a”， “b”]\n", func(l list) error {
		for _, n := range l.Needs {
			if !akitad.ValidName(n) {
				return akitad.Errorf(akitad.NotFound, "%q", n)
			}
		}
		return nil
	})
	if err != nil || !reflect.DeepEqual(needs.Value.Needs, []string{"a", "b"}) {
		t.Errorf("got %+v, %v", needs.Value, err)
	}
}

func TestLinesAreThoseOfTheText(t *testing.T) {
	got, err := loose.Decode[shape]("<think>\nx\n</think>\nSure:\n\n```yaml\nname：a\nagents:\n  - name: b\n    of:\n    - c\n    - d\n```\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"name": 7, "agents": 8, "agents[0]": 9, "agents[0].name": 9, "agents[0].of": 10, "agents[0].of[1]": 12, "agents[0].of[1].x": 12, "nowhere": 0} {
		if n := got.Lines.At(path); n != want {
			t.Errorf("%s is on line %d, want %d", path, n, want)
		}
	}
}

func TestKeepSigns(t *testing.T) {
	for _, tt := range []struct{ in, all, goals string }{
		{"goal: do #1\n", "goal: \"do #1\"\n", "goal: \"do #1\"\n"},
		{"retry: 2 #two\n", "retry: \"2 #two\"\n", "retry: 2 #two\n"},
		{"- do #1\n", "- \"do #1\"\n", "- do #1\n"},
		{"- goal: do #1\r\n", "- goal: \"do #1\"\n", "- goal: \"do #1\"\n"},
		{"goal: do #1 # now\n", "goal: \"do #1\" # now\n", "goal: \"do #1\" # now\n"},
		{"goal: do # 1\n", "goal: do # 1\n", "goal: do # 1\n"},
		{"goal: |\n  - see #1\n\n  goal: x #2\nx: y #3\n", "goal: |\n  - see #1\n\n  goal: x #2\nx: \"y #3\"\n", "goal: |\n  - see #1\n\n  goal: x #2\nx: y #3\n"},
	} {
		if got := loose.KeepSigns(tt.in); got != tt.all {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.all)
		}
		if got := loose.KeepSigns(tt.in, "goal"); got != tt.goals {
			t.Errorf("%q: of goals got %q, want %q", tt.in, got, tt.goals)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"steps", "goal", "params", "output_requirements", "for_each"}
	for in, want := range map[string]string{"step": "steps", "gaol": "goal", "param": "params", "requirements": "output_requirements", "foreach": "for_each", "banana": "", "x": ""} {
		if got := loose.Nearest(in, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"name: a\nrole：b\n", "```yaml\nname: a: b\n```", "<think>x</think>\n- *a\n", "{\"a\": [1, {b: ${{ x }}}]}", "a:\n\t- b\n\u00a0c: |\n  x\n", "name: 'it's'\nwith: {x: [1,\n 2]}\n", "&a *a !b ? : - > |", "steps:\n * x\n 1. y\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := loose.Decode[shape](text, nil)
		if err != nil {
			return
		}
		again, err := loose.Decode[shape](text, nil)
		if err != nil || !reflect.DeepEqual(first, again) {
			t.Errorf("%q reads differently the second time: %v", text, err)
		}
		for path, n := range first.Lines {
			if n < 0 || n > strings.Count(text, "\n")+strings.Count(text, "\r")+1 {
				t.Errorf("%q: %s on line %d", text, path, n)
			}
		}
	})
}
