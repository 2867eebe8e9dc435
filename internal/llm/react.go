package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// The lines of the form in which prompts had models think before there were tool calls; many have it from
// their training, and write it where nobody asked for it.
const (
	thoughtLine = "Thought:"
	actionLine  = "Action:"
	finalLine   = "Final Answer:"
)

var (
	actionInput  = pattern.New("^[ \\t]*[`\"'\\[]*([\\w.:-]+)[`\"'\\]]*[ \\t]*\\r?\\n+[ \\t]*Action Input:[ \\t]*\\n?")
	actionInline = pattern.New(`^[ \t]*([\w.:-]+)[ \t]+\{`)
	observation  = pattern.New(`(?m)^[ \t]*(?:Observation|Thought|Final Answer|Question):`)
)

// reactCall reads the call that a text makes in lines of Action and Action Input. What the model goes on to
// make up of its outcome is dropped. A text that shows the form, in code or as an example, makes none.
func reactCall(text string, names Names) (words string, calls []akitad.Call, ok bool) {
	plain, back := plainLabels(text)
	at := lineAt(plain, actionLine)
	if at < 0 {
		return "", nil, false
	}
	words = reactWords(text[:back(at)])
	if strings.TrimSpace(words) != "" && isExample(words) {
		return "", nil, false
	}
	body := plain[at+len(actionLine):]
	if end := observation.FindStringIndex(body); end != nil {
		body = body[:end[0]]
	}
	for one := range strings.SplitSeq(body, "\n"+actionLine) {
		found := actionCalls(one, names)
		if len(found) == 0 {
			return "", nil, false
		}
		calls = append(calls, found...)
	}
	return words, calls, true
}

// actionCalls reads what stands behind the label of an action; none if that is no call of an offered tool.
func actionCalls(body string, names Names) []akitad.Call {
	calls := pythonCalls(body, names)
	if len(calls) == 0 {
		calls = wholeCalls(unfenced(body), names)
	}
	m := actionInput.FindStringSubmatchIndex(body)
	switch {
	case len(calls) > 0:
		return calls
	case m == nil:
		return inlineCall(body, names)
	}
	tool := names.Original(body[m[2]:m[3]])
	args, rest := firstObject(unfenced(body[m[1]:]))
	if !names.Known(WireName(tool)) || strings.TrimSpace(rest) != "" {
		return nil
	}
	return []akitad.Call{{Tool: tool, Args: Arguments(args)}}
}

// boldLabels are the labels of the lines in bold, and with the number of the round.
var boldLabels = pattern.New(`(?m)^(?:\*\*)?(Thought|Action|Action Input|Observation)(?: \d{1,2})?(?::\*\*|\*\*:|:)`)

// plainLabels gives text with its labels neither in bold nor numbered, and back, which tells where a place in that
// stands in text.
func plainLabels(text string) (plain string, back func(at int) int) {
	type cut struct{ at, gone int } // behind a label, in plain, and how many bytes it has lost
	var cuts []cut
	var b strings.Builder
	last := 0
	for _, m := range boldLabels.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[last:m[0]] + text[m[2]:m[3]] + ":")
		last = m[1]
		cuts = append(cuts, cut{b.Len(), m[1] - m[0] - (m[3] - m[2]) - 1})
	}
	b.WriteString(text[last:])
	return b.String(), func(at int) int {
		place := at
		for _, c := range cuts {
			if c.at <= at {
				place += c.gone
			}
		}
		return place
	}
}

// finals are the label of the answer as it may be written. It has no number: what is numbered are several answers.
var finals = []string{finalLine, "**" + finalLine + "**", "**Final Answer**:"}

// unfenced gives a text without the code fence or backticks around it.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inner := strings.Trim(text, "`")
	if strings.HasPrefix(text, fence) {
		inner = strings.TrimPrefix(inner, "json")
	}
	return strings.TrimSpace(inner)
}

// firstObject splits a text behind the JSON object that it begins with; of another text, all is the first.
func firstObject(text string) (args, rest string) {
	var raw json.RawMessage
	dec := json.NewDecoder(strings.NewReader(text))
	if strings.HasPrefix(text, "{") && dec.Decode(&raw) == nil {
		return string(raw), text[dec.InputOffset():]
	}
	return text, ""
}

// lineAt gives where the first line stands that begins with a label and is meant, or -1.
func lineAt(text, label string) int {
	var p place
	for at := range candidates(text, label[:1]) {
		if !strings.HasPrefix(text[at:], label) {
			continue
		}
		if p.move(text, at); p.fresh(text) && !p.shown(text) {
			return at
		}
	}
	return -1
}

// reactWords gives what is for a person of the words before a call: not the thought.
func reactWords(words string) string {
	words = strings.TrimSpace(words)
	if strings.HasPrefix(boldLabels.ReplaceAllString(words, "$1:"), thoughtLine) {
		return ""
	}
	return words
}

// reactAnswer gives the answer of a text that is in this form: what stands behind its label, without the
// thoughts before it.
func reactAnswer(text string) string {
	start := strings.TrimLeft(text, blanks)
	thinks := strings.HasPrefix(boldLabels.ReplaceAllString(start, "$1:"), thoughtLine)
	for _, label := range finals {
		if at := lineAt(start, label); at == 0 || at > 0 && thinks {
			return strings.TrimSpace(start[at+len(label):])
		}
	}
	return text
}

// inlineCall reads a call whose arguments, an object, stand on the line of its action.
func inlineCall(body string, names Names) []akitad.Call {
	m := actionInline.FindStringSubmatch(body)
	if m == nil || !names.offers(m[1]) {
		return nil
	}
	args := strings.TrimSpace(body[len(m[0])-1:])
	if !json.Valid([]byte(args)) {
		return nil
	}
	return []akitad.Call{{Tool: names.Original(m[1]), Args: Arguments(args)}}
}

// rounds are the numbers of rounds in such labels.
var rounds = pattern.New(`^((?:\*\*)?(?:Thought|Action)) \d{0,2}(\*{0,2}(?::|$)|\*$)`)

// maxLabel is longer than any label with its number, in bytes: what stands behind it tells nothing.
const maxLabel = 64

// beginsLines judges whether what begins a line may be a call, an answer or a thought in this form; first
// says that nothing stands before it.
func beginsLines(text string, first bool) verdict {
	text = rounds.ReplaceAllString(text[:min(len(text), maxLabel)], "$1$2")
	labels := []string{actionLine, "**" + actionLine, "**Action**:"}
	if first {
		labels = append(labels, thoughtLine, "**"+thoughtLine, "**Thought**:", finalLine, "**"+finalLine, "**Final Answer**:")
	}
	if slices.ContainsFunc(labels, func(l string) bool { return strings.HasPrefix(text, l) }) {
		return yes
	}
	return begins(labels, text)
}

// maxBlank bounds how much blank space is waited through for what may stand behind it, in bytes: with each piece that
// comes all of it is looked at again.
const maxBlank = 1 << 10

// beginsPython judges whether a text may be calls in the form of Python.
func beginsPython(text string, names Names) verdict {
	inner := strings.TrimPrefix(text, "[")
	text = strings.TrimLeft(inner, blanks)
	switch {
	case text == "" && len(inner) < maxBlank:
		return open
	case text == "":
		return no
	}
	found := no
	for wire := range names {
		for _, call := range []string{wire + "(", "default_api." + wire + "(", "functions." + wire + "(", "tools." + wire + "("} {
			if strings.HasPrefix(text, call) {
				return yes
			}
			if strings.HasPrefix(call, text) {
				found = open
			}
		}
	}
	return found
}
