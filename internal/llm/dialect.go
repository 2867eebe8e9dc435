package llm

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

const space = "antml:" // an XML name space that the tags of a dialect may be in

// markers begin a tool call that a model has written as text, because its server does not parse its
// dialect: Hermes, Qwen and GLM; Llama; Mistral; Kimi; DeepSeek, in both spellings of its bars; Phi and
// Granite; Cohere; InternLM; gpt-oss; Step, LongCat, Grok, Apertus and Functionary; and the XML of many prompts.
var markers = []string{
	"<tool_call>", "<tool_calls>", "<function=", "<function(", "<|python_tag|>", "[TOOL_CALLS]",
	"<|tool_calls_section_begin|>", "<|tool_call_begin|>",
	"<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<|tool▁calls▁begin|>", "<|tool_calls_begin|>",
	"<｜tool calls begin｜>", "<｜tool call begin｜>", "<|tool calls begin|>", "<|tool call begin|>",
	"<｜DSML｜", "<|DSML|", "<‖DSML‖", "<｜｜DSML｜｜", "<||DSML||",
	"<|tool_call|>", "<|START_ACTION|>", "<|action_start|>", "<|channel|>commentary to=",
	"<function_calls>", "<invoke name=", "<" + space + "function_calls>", "<" + space + "invoke name=",
	"<minimax:tool_call>", "<seed:tool_call>", "<tool_use>", "<function_call>",
	"<TOOL_CALL>", "<TOOLCALL>", "<toolcall>", "<ToolCall>", "<tool-call>", "<|tool_call_start|>", "<|tool_call>",
	"[TOOL_CALL]", "[TOOL_REQUEST]", "functools[{",
	"<|python_start|>", "<｜tool_calls_begin｜>", "<｜tool_call_begin｜>", "<|tool_call_section_begin|>", "<|tools_prefix|>",
	"<start_function_call>", "<longcat_tool_call>", "<xai:function_call name=", "<function_call name=", "<tool_call name=", "<function name=",
	"<invoke>\n", "<function>\n<name>", "<tools>\n{", "<tools>{", "<tools>[", "<tools>\n[", "✿FUNCTION✿", "<|recipient|>",
}

// variants are spellings of a tag that all mean the same.
var variants = pattern.New(`^<(?:TOOL_CALL|TOOLCALL|toolcall|ToolCall|tool-call|\|tool_call|start_function_call|longcat_tool_call)>`)

var (
	variantTag = pattern.New(`(?i)<(/?)\|?tool[-_]?calls?>`)
	odd        = strings.NewReplacer("<|\"|>", "\"", "<escape>", "\"", "<start_function_call>", "<tool_call>", "<end_function_call>", "</tool_call>",
		"<longcat_", "<", "</longcat_", "</")
)

// inRounds are arguments of Gemma in round brackets.
var inRounds = pattern.New(`(?s)(<tool_call>\s*call:[\w.:-]+)\((.*?)\)(\s*<)`)

// bars are those around the name of DeepSeek's tags, as servers and models spell them.
var bars = pattern.New(`[｜|‖]+DSML[｜|‖]+`)

// plain gives a block in the spelling of its tags that most models use.
func plain(block string) string {
	block = bars.ReplaceAllString(block, "｜DSML｜")
	if !variants.MatchString(block) {
		return block
	}
	return inRounds.ReplaceAllString(variantTag.ReplaceAllString(odd.Replace(block), "<${1}tool_call>"), "$1{$2}$3")
}

// markerStarts are what markers begin with.
const markerStarts = "<[f✿"

// SplitText separates what a model wrote as text: the words for a person, and the tool calls in one
// of the textual dialects. Thoughts in tags are dropped, also when a template has swallowed the
// opening tag. A dialect's tags count outside of code and quotations only, and not in the middle of a
// sentence; calls without tags are those of offered tools that a message consists of or, in a code
// fence, ends with. Calls given have no id. Without calls, or when no tool is offered, the text comes
// back as it is, apart from thoughts.
func SplitText(text string, names Names) (words string, calls []akitad.Call) {
	text = message(withoutMarks(text))
	if len(names) == 0 {
		return text, nil
	}
	text = named(withoutEnds(text), names)
	if calls = wholeCalls(strings.TrimSuffix(text, "</tool_call>"), names); len(calls) > 0 { // a template may have swallowed its beginning
		return "", calls
	}
	if calls = pythonCalls(text, names); len(calls) > 0 {
		return "", calls
	}
	for _, read := range []func(string, Names) (string, []akitad.Call){listAtEnd, xmlCalls, codeCalls} {
		if words, calls = read(text, names); len(calls) > 0 {
			return words, calls
		}
	}
	if words, calls, ok := reactCall(text, names); ok {
		return words, calls
	}
	if at := markerAt(text); at >= 0 {
		calls = parseCalls(plain(text[at:]), names)
		if len(calls) > 0 || names.in(text[at:]) || onlyTags.MatchString(text[at:]) || onlyTokens.MatchString(text[at:]) && sentenceEnds(text[:at]) {
			return reactWords(text[:at]), calls
		}
	}
	if words, calls, ok := fencedCalls(text, names); ok {
		return reactWords(strings.TrimSuffix(words, actionLine)), calls
	}
	return reactAnswer(text), nil
}

// onlyTags is a block of which a server has taken everything but its tags.
var onlyTags = pattern.New(`^<[｜|‖]+DSML[｜|‖]+[^<>]*(?:>\s*(?:</?[｜|‖]+DSML[｜|‖]+[^<>]*>?\s*)*)?$`)

// onlyTokens is the same of the tokens of DeepSeek and Kimi, of which people may talk at the end of a sentence.
var onlyTokens = pattern.New(`^(?:<[｜|]tool[▁_ ]calls?[▁_ ](?:section[▁_ ])?(?:begin|end)[｜|]>\s*)+$`)

// endTags are the ends of calls whose beginning a server has taken out of a text.
var endTags = pattern.New(`(?:\s*</(?:[｜|‖]+DSML[｜|‖]+)?(?:parameter|function|invoke|tool_call|tool_calls|function_calls|arg_value)>)+\s*$`)

// withoutEnds drops such ends from the end of a text.
func withoutEnds(text string) string {
	at := endTags.FindStringIndex(text)
	if at == nil || openTags.MatchString(text) {
		return text
	}
	var p place
	if p.move(text, at[0]+strings.IndexByte(text[at[0]:], '<')); p.shown(text) {
		return text
	}
	return text[:at[0]]
}

var openTags = pattern.New(`(?i)<(?:[\w:｜|‖]*[:｜|‖])?(?:parameter|function|invoke|tool_?calls?|function_calls?|arg_key)[ =>\n]`)

// endStarts are what such ends begin with.
var endStarts = []string{
	"</parameter>", "</function>", "</invoke>", "</tool_call>", "</tool_calls>", "</function_calls>", "</arg_value>", "</｜DSML｜", "</｜｜DSML｜｜", "</|DSML|", "</‖DSML‖",
}

// markerAt gives where the first marker that is meant stands, or -1.
func markerAt(text string) int {
	var p place
	for at := range candidates(text, markerStarts) {
		if at < p.at || !hasMarker(text[at:]) {
			continue
		}
		if p.move(text, at); p.shown(text) {
			continue
		}
		end := sentenceAround(text[p.start:at], text[at:])
		if end < 0 {
			return at
		}
		p.move(text, at+end)
	}
	return -1
}

func hasMarker(text string) bool {
	return slices.ContainsFunc(markers, func(m string) bool { return strings.HasPrefix(text, m) })
}

// inSentence are tags that people talk about.
var inSentence = []tags{
	{"<tool_call>", "</tool_call>"},
	{"<function=", "</function>"},
	{"<function_calls>", "</function_calls>"},
	{"<function_call>", "</function_call>"},
	{"<tool_use>", "</tool_use>"},
	{"<invoke name=", "</invoke>"},
	{"<TOOL_CALL>", "</TOOL_CALL>"},
	{"<TOOLCALL>", "</TOOLCALL>"},
	{"<toolcall>", "</toolcall>"},
	{"<ToolCall>", "</ToolCall>"},
	{"<tool-call>", "</tool-call>"},
	{"[TOOL_CALL]", "[/TOOL_CALL]"},
	{"[TOOL_REQUEST]", "[END_TOOL_REQUEST]"},
}

// maxSentence bounds how long tags are that stand in a sentence, in bytes.
const maxSentence = 4 << 10

// sentenceAround gives where the tags end that a text begins with, if they stand in the middle of a
// sentence: the words before them on their line have not ended, and more come behind; else -1.
func sentenceAround(before, text string) int {
	if sentenceEnds(before) {
		return -1
	}
	text = text[:min(len(text), maxSentence)]
	for _, t := range inSentence {
		inner, after, ok := strings.Cut(text, t.close)
		if !ok || !strings.HasPrefix(text, t.open) || strings.Contains(inner, "\n") {
			continue
		}
		line, _, _ := strings.Cut(after, "\n")
		if line = strings.TrimSpace(line); line != "" && line[0] != '<' {
			return len(inner) + len(t.close)
		}
	}
	return -1
}

// sentenceEnds reports whether a sentence has ended where a text does, or none has begun.
func sentenceEnds(text string) bool {
	text = strings.TrimRight(text, blanks)
	return text == "" || strings.ContainsAny(".!?。！？…", lastRune(text))
}

func lastRune(text string) string {
	r, _ := utf8.DecodeLastRuneInString(text)
	return string(r)
}

// in reports whether a text names a tool.
func (n Names) in(text string) bool {
	for wire := range n {
		if strings.Contains(text, wire) {
			return true
		}
	}
	return false
}

// fencedCalls reads the calls that a message ends with in a code fence. A fence of JSON may be an
// example: then the words before it say so, or are many.
func fencedCalls(text string, names Names) (words string, calls []akitad.Call, ok bool) {
	inner, closed := strings.CutSuffix(strings.TrimRight(text, blanks), fence)
	at := strings.LastIndex(inner, fence)
	var p place
	if p.move(inner, max(at, 0)); !closed || at < 0 || p.shown(inner) || !p.fresh(inner) {
		return "", nil, false
	}
	info, body, _ := strings.Cut(inner[at+len(fence):], "\n")
	words = strings.TrimSpace(inner[:at])
	info = strings.ToLower(strings.TrimSpace(info))
	if !slices.Contains(callFences, info) || info == "json" && isExample(words) || info == "" && words != "" {
		return "", nil, false
	}
	if calls = wholeCalls(body, names); len(calls) == 0 && (slices.Contains(pythonFences, info) || info == "python" && strings.Contains(body, "default_api.")) {
		calls = taggedCallsOf(body, names)
	}
	return words, calls, len(calls) > 0
}

// callFences are what models write behind the fence that opens a call.
var callFences = []string{"json", "python", "", "tool_call", "tool_calls", "tool_use", "tool_code", "tool", "function_call", "function"}

// pythonFences are those of them in which a call may have the form of Python.
var pythonFences = []string{"tool_call", "tool_calls", "tool_use", "tool_code", "tool", "function_call"}

var exampleWords = pattern.New(`(?i)\b(?:examples?|e\.g\.|for instance|formats?|formatted|syntax|schema|samples?|looks? like|would|could)\b|例如|比如|示例|样例|格式|语法`)

func isExample(words string) bool {
	return len(words) > 300 || strings.Contains(words, fence) || exampleWords.MatchString(words)
}
