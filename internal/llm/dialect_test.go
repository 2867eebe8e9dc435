package llm_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"pgregory.net/rapid"
)

const deepseek = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{\"p\":\"a\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"

// tag gives an XML tag in the name space that some models write.
func tag(s string) string { return "<" + "antml:" + s }

type dialect struct{ name, text, words, calls string }

var dialects = []dialect{
	{"none", "Hello <b>you</b> [1].", "Hello <b>you</b> [1].", ""},
	{"hermes", "<tool_call>\n{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}\n</tool_call>", "", `read {"p":"a"}`},
	{"hermes, words before", "Let me look.\n\n<tool_call>{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}</tool_call>", "Let me look.", `read {"p":"a"}`},
	{"hermes, two", "<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"now\"}</tool_call>", "", `read {}; now {}`},
	{"hermes, not closed", "<tool_call>{\"name\":\"now\",\"arguments\":{}}", "", `now {}`},
	{"hermes, encoded twice", `<tool_call>{"name":"read","arguments":"{\"p\":\"a\"}"}</tool_call>`, "", `read {"p":"a"}`},
	{"qwen coder", "<tool_call>\n<function=read>\n<parameter=p>\na b\n</parameter>\n<parameter=n>\n3\n</parameter>\n</function>\n</tool_call>", "", `read {"n":"3","p":"a b"}`},
	{"llama function", `<function=read>{"p": "a"}</function>`, "", `read {"p":"a"}`},
	{"llama python tag", `<|python_tag|>{"type":"function","name":"read","parameters":{"p":"a"}}`, "", `read {"p":"a"}`},
	{"mistral list", `[TOOL_CALLS][{"name":"read","arguments":{"p":"a"}},{"name":"now","arguments":{}}]`, "", `read {"p":"a"}; now {}`},
	{"mistral tagged", `[TOOL_CALLS]read[ARGS]{"p":"a"}`, "", `read {"p":"a"}`},
	{"xml", "<function_calls>\n<invoke name=\"read\">\n<parameter name=\"p\">a</parameter>\n</invoke>\n</function_calls>", "", `read {"p":"a"}`},
	{"xml with a name space", tag("function_calls>") + tag(`invoke name="now">`) + "</" + "antml:invoke>", "", `now {}`},
	{"tool use", `Now: <tool_use>{"name":"read","input":{"p":"a"}}</tool_use>`, "Now:", `read {"p":"a"}`},
	{"function call", `<function_call>{"name":"read","arguments":{"p":"a"}}</function_call>`, "", `read {"p":"a"}`},
	{"function call, spoken of", "Write <function_call>read</function_call> to call it.", "Write <function_call>read</function_call> to call it.", ""},
	{"deepseek", deepseek, "", `read {"p":"a"}`},
	{"an unknown tool", `<tool_call>{"name":"nope","arguments":{}}</tool_call>`, "", `nope {}`},
	{"broken, but meant", `Now: <tool_call>{"name":"read","arguments":{"p":`, "Now:", ""},
	{"talk about the tag", "The tag <tool_call> opens a call.", "The tag <tool_call> opens a call.", ""},
	{"in a fence", "Write:\n```\n<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n```", "Write:\n```\n<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n```", ""},
	{"in backticks", "Use `<tool_call>{\"name\":\"read\"}`.", "Use `<tool_call>{\"name\":\"read\"}`.", ""},
	{"thoughts", "<think>\nI should read <tool_call>\n</think>\n\nHello", "Hello", ""},
	{"thoughts, then a call", "<think>hm</think><tool_call>{\"name\":\"now\"}</tool_call>", "", `now {}`},
	{"thoughts, opened by the template", "I think so.\n</think>\n\nHello", "Hello", ""},
	{"thoughts cut off", "<think>and then", "", ""},
	{"talk about thoughts", "Use `</think>` to end.", "Use `</think>` to end.", ""},
	{"hermes, capital", "<tool_call>{\"name\": \"read\", \"parameters\": {\"p\": \"a\"}}</tool_call>", "", `read {"p":"a"}`},
	{"hermes, in words of its own line", "Let me look. <tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call> I wait.", "Let me look.", `now {}`},
	{"hermes, a list", `<tool_calls>[{"name":"read","arguments":{"p":"a"}},{"name":"now","arguments":{}}]</tool_calls>`, "", `read {"p":"a"}; now {}`},
	{"hermes, trailing comma", `<tool_call>{"name":"read","arguments":{"p":"a",}}</tool_call>`, "", `read {"p":"a"}`},
	{"hermes, cut in the arguments", `<tool_call>{"name":"read","arguments":{"p":"rm -r`, "", ""},
	{"hermes, in a fence of its own", "```\n<tool_call>{\"name\":\"now\"}</tool_call>\n```", "```\n<tool_call>{\"name\":\"now\"}</tool_call>\n```", ""},
	{"hermes, function inside", `<tool_call>{"type":"function","function":{"name":"read","arguments":"{\"p\":\"a\"}"}}</tool_call>`, "", `read {"p":"a"}`},
	{"hermes, name space of the format", `<tool_call>{"name":"functions.read","arguments":{"p":"a"}}</tool_call>`, "", `read {"p":"a"}`},
	{"qwen coder, cut in a parameter", "<tool_call>\n<function=read>\n<parameter=p>\nrm -rf /tm", "", ""},
	{"qwen coder, lines and signs", "<function=read>\n<parameter=p>\nif a < b {\n  c()\n}\n</parameter>\n</function>", "", `read {"p":"if a \u003c b {\n  c()\n}"}`},
	{"llama function, two", `<function=read>{"p": "a"}</function><function=now>{}</function>`, "", `read {"p":"a"}; now {}`},
	{"llama function, broken arguments", `<function=read>{p: "a"}</function>`, "", `read "{p: \"a\"}"`},
	{"llama python tag, two", `<|python_tag|>{"name":"now","parameters":{}}; {"name":"read","parameters":{"p":"a"}}`, "", `now {}; read {"p":"a"}`},
	{"llama bare", `{"name": "read", "parameters": {"p": "a"}}`, "", `read {"p":"a"}`},
	{"llama bare, typed, on lines", "\n{\n  \"type\": \"function\",\n  \"name\": \"read\",\n  \"parameters\": {\"p\": \"a\"}\n}\n", "", `read {"p":"a"}`},
	{"llama bare, several", `{"name":"now","parameters":{}}; {"name":"read","parameters":{"p":"a"}}`, "", `now {}; read {"p":"a"}`},
	{"bare list", `[{"name":"now","arguments":{}}]`, "", `now {}`},
	{"bare, as the protocol has it", `{"tool_calls":[{"id":"x","type":"function","function":{"name":"read","arguments":"{\"p\":\"a\"}"}}]}`, "", `read {"p":"a"}`},
	{"bare, another's keys", `{"tool": "read", "args": {"p": "a"}}`, "", `read {"p":"a"}`},
	{"bare, unknown tool", `{"name": "nope", "parameters": {"p": "a"}}`, `{"name": "nope", "parameters": {"p": "a"}}`, ""},
	{"bare, an answer", `{"name": "read", "size": 3}`, `{"name": "read", "size": 3}`, ""},
	{"bare, an answer without arguments", `{"name": "read"}`, `{"name": "read"}`, ""},
	{"bare, an answer of many", `[{"name":"now","arguments":{}},{"name":"Bob"}]`, `[{"name":"now","arguments":{}},{"name":"Bob"}]`, ""},
	{"bare, words behind", `{"name": "read", "parameters": {"p": "a"}} is how it looks.`, `{"name": "read", "parameters": {"p": "a"}} is how it looks.`, ""},
	{"mistral without args tag", `[TOOL_CALLS]read{"p":"a"}[TOOL_CALLS]now{}`, "", `read {"p":"a"}; now {}`},
	{"mistral with call id", `[TOOL_CALLS]read[CALL_ID]abc123def[ARGS]{"p":"a"}`, "", `read {"p":"a"}`},
	{"mistral, blanks", "Sure.\n[TOOL_CALLS] [{\"name\": \"now\", \"arguments\": {}}]", "Sure.", `now {}`},
	{"deepseek 3.1", `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{"p":"a"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`, "", `read {"p":"a"}; now {}`},
	{"deepseek, plain bars", "Look.<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>read\n```json\n{\"p\":\"a\"}\n```<|tool_call_end|><|tool_calls_end|>", "Look.", `read {"p":"a"}`},
	{"deepseek, broken arguments", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{\"p\":\"a\",}\n```<｜tool▁call▁end｜>", "", `read "{\"p\":\"a\",}"`},
	{"deepseek 3.2", `<｜DSML｜function_calls><｜DSML｜invoke name="read"><｜DSML｜parameter name="p" string="true">a</｜DSML｜parameter><｜DSML｜parameter name="n" string="false">[3]</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>`, "", `read {"n":[3],"p":"a"}`},
	{"kimi", `I look.<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"p":"a"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`, "I look.", `read {"p":"a"}; now {}`},
	{"kimi, broken arguments", `<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"p":"a",}<|tool_call_end|>`, "", `read "{\"p\":\"a\",}"`},
	{"kimi, cut off", `<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"p":"/da`, "", ""},
	{"glm", "<tool_call>read\n<arg_key>p</arg_key>\n<arg_value>a b</arg_value>\n<arg_key>n</arg_key>\n<arg_value>3</arg_value>\n</tool_call>", "", `read {"n":"3","p":"a b"}`},
	{"glm on one line, two", "<tool_call>read<arg_key>p</arg_key><arg_value>a</arg_value></tool_call><tool_call>now</tool_call>", "", `read {"p":"a"}; now {}`},
	{"glm, cut in a value", "<tool_call>read\n<arg_key>p</arg_key>\n<arg_value>a b", "", ""},
	{"minimax", "<minimax:tool_call>\n<invoke name=\"read\">\n<parameter name=\"p\">a</parameter>\n</invoke>\n</minimax:tool_call>", "", `read {"p":"a"}`},
	{"seed", "<seed:tool_call>\n<function=read>\n<parameter=p>a</parameter>\n</function>\n</seed:tool_call>", "", `read {"p":"a"}`},
	{"xml, cut in a parameter", "<function_calls>\n<invoke name=\"read\">\n<parameter name=\"p\">rm -r", "", ""},
	{"cohere", `<|START_ACTION|>[{"tool_call_id":"0","tool_name":"read","parameters":{"p":"a"}}]<|END_ACTION|>`, "", `read {"p":"a"}`},
	{"phi", `<|tool_call|>[{"name":"read","arguments":{"p":"a"}}]<|/tool_call|>`, "", `read {"p":"a"}`},
	{"gpt-oss", `<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"p":"a"}<|call|>`, "", `read {"p":"a"}`},
	{"fenced", "I read it.\n```json\n{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}\n```", "I read it.", `read {"p":"a"}`},
	{"fenced, alone", "```\n{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}\n```\n", "", `read {"p":"a"}`},
	{"fenced as a tool", "Now:\n```tool_call\n{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}\n{\"name\": \"now\", \"arguments\": {}}\n```", "Now:", `read {"p":"a"}; now {}`},
	{"fenced example", "The format is, for example:\n```json\n{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}\n```", "The format is, for example:\n```json\n{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}\n```", ""},
	{"fenced, words behind", "So:\n```json\n{\"name\": \"read\", \"arguments\": {}}\n```\nThat is all.", "So:\n```json\n{\"name\": \"read\", \"arguments\": {}}\n```\nThat is all.", ""},
	{"fenced data", "Here:\n```json\n{\"name\": \"Bob\", \"arguments\": {}}\n```", "Here:\n```json\n{\"name\": \"Bob\", \"arguments\": {}}\n```", ""},
	{"fenced, not closed", "Here:\n```json\n{\"name\": \"read\", \"arguments\": {", "Here:\n```json\n{\"name\": \"read\", \"arguments\": {", ""},
	{"in the middle of a sentence", `In Hermes <tool_call>{"name":"read","arguments":{}}</tool_call> is a call.`, `In Hermes <tool_call>{"name":"read","arguments":{}}</tool_call> is a call.`, ""},
	{"shown, then meant", "In Hermes <tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call> is a call.\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>", "In Hermes <tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call> is a call.", `now {}`},
	{"quoted", `It wrote "<tool_call>{"name":"read","arguments":{}}</tool_call>" to the log.`, `It wrote "<tool_call>{"name":"read","arguments":{}}</tool_call>" to the log.`, ""},
	{"quoted in Chinese", `模型写了“<tool_call>{"name":"read","arguments":{}}</tool_call>”。`, `模型写了“<tool_call>{"name":"read","arguments":{}}</tool_call>”。`, ""},
	{"in a quotation", "> <tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n\nIt failed.", "> <tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n\nIt failed.", ""},
	{"in code of a line", "Write `x = <function=read>{}</function>` here.", "Write `x = <function=read>{}</function>` here.", ""},
	{"in an indented block", "Write:\n\n    <function=read>{\"p\":\"a\"}</function>\n\nand wait.", "Write:\n\n    <function=read>{\"p\":\"a\"}</function>\n\nand wait.", ""},
	{"after a fence", "```go\nx := 1\n```\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>", "```go\nx := 1\n```", `now {}`},
	{"a long fence", "````md\n```\n<tool_call>{\"name\":\"now\"}</tool_call>\n```\n````\nDone.", "````md\n```\n<tool_call>{\"name\":\"now\"}</tool_call>\n```\n````\nDone.", ""},
	{"thoughts of others", "[THINK]hm[/THINK]Hello", "Hello", ""},
	{"thoughts twice", "<think>a</think>\n<think>b</think>\nHello", "Hello", ""},
	{"thoughts in between", "Hello <think>a</think>world", "Hello world", ""},
	{"thoughts with a call in them", "<think>\n{\"name\":\"read\",\"arguments\":{}}\n</think>\nNo.", "No.", ""},
	{"talk of a thought", "The tag <think> opens one.", "The tag <think> opens one.", ""},
	{"thoughts in code", "Write `<think>x</think>` here.", "Write `<think>x</think>` here.", ""},
	{"kimi thoughts", "◁think▷hm◁/think▷Hi ◁ there", "Hi ◁ there", ""},
	{"upper case", "<TOOL_CALL>{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}</TOOL_CALL>", "", `read {"p":"a"}`},
	{"upper case, a list", `<TOOLCALL>[{"name":"read","arguments":{"p":"a"}},{"name":"now","arguments":{}}]</TOOLCALL>`, "", `read {"p":"a"}; now {}`},
	{"in one word", "I look.\n<toolcall>{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}</toolcall>", "I look.", `read {"p":"a"}`},
	{"with a hyphen", `<tool-call>{"name":"now","arguments":{}}</tool-call>`, "", `now {}`},
	{"upper case, glm", "<TOOL_CALL>read\n<arg_key>p</arg_key>\n<arg_value>a</arg_value>\n</TOOL_CALL>", "", `read {"p":"a"}`},
	{"upper case, spoken of", "The tag <TOOL_CALL>read</TOOL_CALL> opens a call.", "The tag <TOOL_CALL>read</TOOL_CALL> opens a call.", ""},
	{"upper case, in code", "Write `<TOOL_CALL>read</TOOL_CALL>`.", "Write `<TOOL_CALL>read</TOOL_CALL>`.", ""},
	{"functools", `functools[{"name":"read","arguments":{"p":"a"}},{"name":"now","arguments":{}}]`, "", `read {"p":"a"}; now {}`},
	{"functools behind words", "I look.\nfunctools[{\"name\":\"now\",\"arguments\":{}}]", "I look.", `now {}`},
	{"functools, spoken of", "`functools[{\"name\":\"now\"}]` is how Phi calls.", "`functools[{\"name\":\"now\"}]` is how Phi calls.", ""},
	{"functools, the module", "import functools\nfunctools.reduce(f, x)", "import functools\nfunctools.reduce(f, x)", ""},
	{"tool request", "[TOOL_REQUEST]{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}[END_TOOL_REQUEST]", "", `read {"p":"a"}`},
	{"tool call in brackets", "Now:\n[TOOL_CALL]{\"name\":\"now\",\"arguments\":{}}[/TOOL_CALL]", "Now:", `now {}`},
	{"pythonic", `[read(p="a", n=3), now()]`, "", `read {"p":"a","n":3}; now {}`},
	{"pythonic, all literals", `[read(a=True, b=None, c=[1, 2.5], d={'x': "y"}, e='it\'s', f=-1e3, g=("q",))]`, "", `read {"a":true,"b":null,"c":[1,2.5],"d":{"x":"y"},"e":"it's","f":-1e3,"g":["q"]}`},
	{"pythonic, lines", "[\n  read(\n    p='''a\nb''',\n  ),\n]", "", `read {"p":"a\nb"}`},
	{"pythonic, escapes", `[read(p="a\nb\t\u4e2d\x41", q=r"\d+")]`, "", `read {"p":"a\nb\t中A","q":"\\d+"}`},
	{"pythonic without brackets", `read(p="a")`, "", `read {"p":"a"}`},
	{"pythonic, several lines", "read(p=\"a\")\nread(p=\"b\")", "", `read {"p":"a"}; read {"p":"b"}`},
	{"pythonic, an object", `read({"p": "a"})`, "", `read {"p":"a"}`},
	{"pythonic, nothing in it", `now()`, `now()`, ""},
	{"pythonic, another function", `[open(p="a")]`, `[open(p="a")]`, ""},
	{"pythonic, no literal", `[read(p=x)]`, `[read(p=x)]`, ""},
	{"pythonic, by place", `read("a")`, `read("a")`, ""},
	{"pythonic, words behind", `read(p="a") is the call.`, `read(p="a") is the call.`, ""},
	{"pythonic, words before", `The call is read(p="a")`, `The call is read(p="a")`, ""},
	{"pythonic, cut off", `[read(p="a`, `[read(p="a`, ""},
	{"python tag", `<|python_tag|>read.call(p="a")`, "", `read {"p":"a"}`},
	{"liquid", `<|tool_call_start|>[read(p="a"), now()]<|tool_call_end|>I look.`, "", `read {"p":"a"}; now {}`},
	{"olmo", "<function_calls>\nread(p=\"<b>a</b>\")\nnow()\n</function_calls>", "", `read {"p":"\u003cb\u003ea\u003c/b\u003e"}; now {}`},
	{"pythonic in tags", "<tool_call>\nnow()\n</tool_call>", "", `now {}`},
	{"gemma", "I look.\n```tool_code\nprint(default_api.read(p=\"a\"))\n```", "I look.", `read {"p":"a"}`},
	{"gemma, without print", "```tool_code\nnow()\n```", "", `now {}`},
	{"gemma 4", `<|tool_call>call:read{p:<|"|>a<|"|>}<tool_call|>`, "", `read "{p:\"a\"}"`},
	{"Python code", "```python\nread(p=\"a\")\n```", "```python\nread(p=\"a\")\n```", ""},
	{"ReAct", "Thought: I need the file.\nAction: read\nAction Input: {\"p\": \"a\"}", "", `read {"p":"a"}`},
	{"ReAct that goes on by itself", "Thought: I look.\nAction: read\nAction Input: {\"p\": \"a\"}\nObservation: it is empty\nThought: I know.\nFinal Answer: empty", "", `read {"p":"a"}`},
	{"ReAct on lines", "Action: read\nAction Input:\n{\n  \"p\": \"a\"\n}\n", "", `read {"p":"a"}`},
	{"ReAct behind words", "I will look at it.\n\nAction: read\nAction Input: {\"p\": \"a\"}", "I will look at it.", `read {"p":"a"}`},
	{"ReAct, pythonic", "Thought: hm\nAction: read(p=\"a\")", "", `read {"p":"a"}`},
	{"ReAct, words for arguments", "Thought: hm\nAction: read\nAction Input: a", "", `read "a"`},
	{"ReAct, broken arguments", "Thought: hm\nAction: read\nAction Input: {\"p\": \"a\",}", "", `read "{\"p\": \"a\",}"`},
	{"ReAct in JSON", "Thought: I look.\nAction:\n```json\n{\"action\": \"read\", \"action_input\": {\"p\": \"a\"}}\n```", "", `read {"p":"a"}`},
	{"ReAct, the answer", "Thought: I know it.\nFinal Answer: Paris, of\ncourse.", "Paris, of\ncourse.", ""},
	{"ReAct, the answer alone", "Final Answer: Paris", "Paris", ""},
	{"ReAct, another tool", "Action: fly\nAction Input: {\"p\": \"a\"}", "Action: fly\nAction Input: {\"p\": \"a\"}", ""},
	{"ReAct, shown", "The format is, for example:\n\nAction: read\nAction Input: {\"p\": \"a\"}", "The format is, for example:\n\nAction: read\nAction Input: {\"p\": \"a\"}", ""},
	{"ReAct, in code", "```\nAction: read\nAction Input: {\"p\": \"a\"}\n```", "```\nAction: read\nAction Input: {\"p\": \"a\"}\n```", ""},
	{"ReAct, quoted", "> Action: read\n> Action Input: {}\n\nis ReAct.", "> Action: read\n> Action Input: {}\n\nis ReAct.", ""},
	{"an action of people", "Meeting notes\nAction: Bob reads the file\nOwner: Bob", "Meeting notes\nAction: Bob reads the file\nOwner: Bob", ""},
	{"a thought of people", "Thought: cogito ergo sum.", "Thought: cogito ergo sum.", ""},
	{"a final answer of people", "What is your final answer? Final Answer: A", "What is your final answer? Final Answer: A", ""},
	{"less than", "1 < 2 and a[0] {x}", "1 < 2 and a[0] {x}", ""},
	{"JSON", `{"total": 3, "tool": "read"}`, `{"total": 3, "tool": "read"}`, ""},
}

func TestSplitText(t *testing.T) {
	names := llm.NamesOf([]llm.Tool{{Name: "read"}, {Name: "now"}})
	for _, tt := range slices.Concat(dialects, fresh) {
		words, calls := llm.SplitText(tt.text, names)
		var got []string
		for _, c := range calls {
			got = append(got, c.Tool+" "+string(c.Args))
		}
		if strings.TrimSpace(words) != tt.words || strings.Join(got, "; ") != tt.calls {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, words, got, tt.words, tt.calls)
		}
	}
}

// TestVeil cuts each text in every way and holds what a person sees to a beginning of the words.
func TestVeil(t *testing.T) {
	names := llm.NamesOf([]llm.Tool{{Name: "read"}, {Name: "now"}})
	for _, tt := range slices.Concat(dialects, fresh) {
		if tt.name == "thoughts, opened by the template" {
			continue // a stream cannot know yet
		}
		for size := 1; size <= 9; size++ {
			var shown strings.Builder
			v := llm.NewVeil(func(s string) { shown.WriteString(s) }, names)
			for rest := tt.text; rest != ""; {
				n := min(size, len(rest))
				v.Write(rest[:n])
				rest = rest[n:]
			}
			v.Flush()
			if got := strings.TrimSpace(shown.String()); got != tt.words {
				t.Errorf("%s by %d bytes: shown %q, want %q", tt.name, size, got, tt.words)
			}
		}
	}
}

func FuzzSplitText(f *testing.F) {
	for _, d := range slices.Concat(dialects, fresh) {
		f.Add(d.text)
	}
	names := llm.NamesOf([]llm.Tool{{Name: "read"}, {Name: "now"}})
	f.Fuzz(func(t *testing.T, text string) {
		words, calls := llm.SplitText(text, names)
		if len(words) > len(text) {
			t.Errorf("%q grew to %q", text, words)
		}
		for _, c := range calls {
			if c.Tool == "" || !json.Valid(c.Args) {
				t.Errorf("%q gave call %q with %q", text, c.Tool, c.Args)
			}
		}
	})
}

// What a person has seen when a text ends is what the text has for a person, wherever it was cut.
func TestVeilShowsTheWords(t *testing.T) {
	names := llm.NamesOf([]llm.Tool{{Name: "read"}, {Name: "now"}})
	part := rapid.SampledFrom([]string{
		"word ", "Done. ", "\n", "\n\n", "    ", "> ", "`", "```", "```json\n", "{", "[", "\"", "<think>", "<think>a</think>", "<", "◁",
		`{"name":"read","arguments":{"p":"a"}}`, `<tool_call>{"name":"now","arguments":{}}</tool_call>`, "<tool_call>", "</tool_call>",
		"<function=read>{}</function>", "[TOOL_CALLS]", "<｜tool▁calls▁begin｜>", "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}", "<invoke name=\"now\"></invoke>",
		"Thought: a\n", "\nAction: read\nAction Input: {}", "Final Answer: b", "[read(p=\"a\")]", "now()", "read(", "functools[{", "Action: ", "<TOOL_CALL>", "[TOOL_REQUEST]", "A", "f",
		"<|im_end|>", "<|im_start|>user\n", "<|im_start|>assistant\n", "</s>", "<s>", "<|channel|>final<|message|>", "<|channel|>analysis<|message|>", "<|end|>", "<|start|>assistant",
		"analysis", "assistantfinal", "✿FUNCTION✿: now\n✿ARGS✿: {}", ">>>now\n{}", ">>>all\n", "now\n{}", "<answer>", "</answer>", "**Action:** read\nAction Input: {}", "\n**Action 1:** read\nAction Input 1: {}", "**Thought 2**: a\n", "Thought 3: a\n", "\n**Final Answer:** b", "Final Answer 1: b\n", "\n<now>\n</now>", "\n[now()]", "<tools>\n{", "<|recipient|>now\n<|content|>{}", "<｜DSML｜function_calls", "<‖DSML‖invoke name=\"now\">", "</parameter>", "</invoke>", "to=functions.now {}", "<|START_THINKING|>a<|END_THINKING|>",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
		words, _ := llm.SplitText(text, names)
		var shown strings.Builder
		v := llm.NewVeil(func(s string) { shown.WriteString(s) }, names)
		for rest := text; rest != ""; {
			n := min(rapid.IntRange(1, 9).Draw(t, "piece"), len(rest))
			v.Write(rest[:n])
			rest = rest[n:]
		}
		v.Flush()
		got, want := strings.TrimSpace(shown.String()), strings.TrimSpace(words)
		if got != want {
			t.Fatalf("%q: shown %q, want %q", text, got, want)
		}
	})
}
