package llm

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// tags open and close a thought that a model writes into its text, because its server does not take
// it out: DeepSeek, Qwen, GLM and many others the first, Mistral, Kimi, Seed and Cohere theirs.
type tags struct{ open, close string }

var thoughtTags = []tags{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
	{"<seed:think>", "</seed:think>"},
	{"<|START_THINKING|>", "<|END_THINKING|>"},
	{"<|channel>thought", "<channel|>"}, // Gemma
}

const blanks = " \t\r\n"

// maxThoughts bounds how many thoughts one text may have; more of them are text.
const maxThoughts = 64

// withoutThoughts drops what stands in thinking tags outside of code, and what comes before a closing
// tag whose opening one the template has swallowed. A thought at the beginning may have been cut off;
// a later tag without an end is a word like others.
func withoutThoughts(text string) string {
	for range maxThoughts {
		rest, found := cutThought(text)
		if !found {
			break
		}
		text = rest
	}
	return text
}

func cutThought(text string) (rest string, found bool) {
	if t, ok := opens(strings.TrimLeft(text, blanks)); ok {
		_, after, closed := strings.Cut(text, t.close)
		if !closed {
			after = callAtEnd.FindString(text)
		}
		return strings.TrimLeft(after, blanks), true
	}
	var p place
	for at := range candidates(text, "<[◁") {
		t, ok := opens(text[at:])
		if !ok {
			continue
		}
		if p.move(text, at); p.shown(text) {
			continue
		}
		_, after, ok := strings.Cut(text[at:], t.close)
		if !ok {
			break // nor has a later one an end
		}
		return text[:at] + strings.TrimLeft(after, blanks), true
	}
	return cutSwallowed(text)
}

// callAtEnd is a whole call behind a thought that was never closed: some models go on from the one to the other. Its
// tokens are such as nobody writes who thinks about calls, but for the tag of Hermes, which must begin a line.
var callAtEnd = pattern.New(`(?s)(?:<\|tool_calls?_(?:section_)?begin\|>|<[｜|]tool[▁_]calls?[▁_]begin[｜|]>|\n<tool_call>).*(?:end[｜|]>|</tool_call>)\s*$`)

// cutSwallowed drops a thought whose opening tag is missing.
func cutSwallowed(text string) (rest string, found bool) {
	before, after, ok := strings.Cut(text, thoughtTags[0].close)
	var p place
	if p.move(before, len(before)); !ok || p.shown(before) || strings.Contains(before, thoughtTags[0].open) {
		return text, false
	}
	return strings.TrimLeft(after, blanks), true
}

// opens gives the tags that a text begins with the first of.
func opens(text string) (tags, bool) {
	for _, t := range thoughtTags {
		if strings.HasPrefix(text, t.open) {
			return t, true
		}
	}
	return tags{}, false
}
