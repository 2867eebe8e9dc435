package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// nameLines are the forms in which a line names the tool and its arguments follow: Functionary's two, and
// that of Qwen's own agents. GLM writes the name alone, which counts where there is nothing else.
var (
	nameLines = pattern.New(`(?:>>>|<\|recipient\|>|✿FUNCTION✿:[ \t]*)([\w.-]+)[ \t]*\r?\n\s*(?:<\|content\|>|✿ARGS✿:)?\s*(\{)`)
	nameAlone = pattern.New(`^\s*([\w.-]+)[ \t]*\r?\n\s*(\{)`)
)

// named gives a text in which lines name offered tools in the form that tags have.
func named(text string, names Names) string {
	if m := nameAlone.FindStringSubmatchIndex(text); m != nil && names.offers(text[m[2]:m[3]]) {
		if _, rest := firstObject(text[m[4]:]); strings.TrimSpace(rest) == "" || nameLines.MatchString(rest) {
			return functionTag(text[m[2]:m[3]]) + named(text[m[4]:], names)
		}
	}
	var out strings.Builder
	var p place
	at := 0
	for _, m := range nameLines.FindAllStringSubmatchIndex(text, -1) {
		if p.move(text, m[0]); p.shown(text) || !names.offers(text[m[2]:m[3]]) {
			continue
		}
		out.WriteString(text[at:m[0]] + functionTag(text[m[2]:m[3]]))
		at = m[4]
	}
	if at == 0 {
		return text
	}
	return strings.TrimPrefix(out.String(), "all\n") + text[at:]
}

// xmlCalls reads the calls that a text ends with in tags of the tool's own name, each argument in a tag of its own, as
// prompts of some editors have it. Behind words, tags without arguments alone may be any elements of XML.
func xmlCalls(text string, names Names) (words string, calls []akitad.Call) {
	words = text
	for range maxCalls {
		before, call, ok := xmlCall(words, names)
		if !ok {
			break
		}
		words, calls = before, append(calls, call)
	}
	told := words == "" || slices.ContainsFunc(calls, func(c akitad.Call) bool { return string(c.Args) != "{}" })
	if !told || isExample(words) || saysXML.MatchString(words) {
		return "", nil
	}
	slices.Reverse(calls)
	return words, calls
}

// saysXML matches words that present XML, as those before an answer that was asked for in it: they end with a colon, or
// say what it is written as. Words about XML that is to be read are none.
var saysXML = pattern.New(`(?i)\b(?:here|below|following|sure)\b[^\n]*[^\w.]xml\b[^\n.]*[:：]\s*$|\bas (?:an? )?xml\b|(?:下面|以下|这是)[^\n]*xml[^\n。]*[:：]\s*$|xml[^\n]*如下`)

// maxCalls bounds how many calls of this form one text may make: each is looked for in all that is before it.
const maxCalls = 32

// xmlCall reads the last of them.
func xmlCall(text string, names Names) (before string, call akitad.Call, ok bool) {
	end := max(strings.LastIndex(text, "</"), 0)
	m := endTagOnly.FindStringSubmatch(text[end:])
	if m == nil || !names.offers(m[1]) {
		return "", call, false
	}
	at := strings.LastIndex(text[:end], "<"+m[1]+">")
	var p place
	if p.move(text, max(at, 0)); at < 0 || !p.fresh(text) || p.shown(text) {
		return "", call, false
	}
	args, ok := childArgs(text[at+len(m[1])+2 : end])
	if !ok {
		return "", call, false
	}
	return strings.TrimSpace(text[:at]), akitad.Call{Tool: names.Original(m[1]), Args: args}, true
}

var endTagOnly = pattern.New(`^</([\w.-]+)>\s*$`)

func functionTag(name string) string { return "\n<function=" + name + ">" }

// offers reports whether a model's name for a tool is that of one that was offered.
func (n Names) offers(name string) bool { return n.Known(WireName(n.Original(name))) }

// beginsNamed judges whether a text may be a line or a tag that names an offered tool; first says that nothing
// stands before it.
func beginsNamed(text string, names Names, first bool) verdict {
	found := no
	for wire := range names {
		lines := []string{">>>" + wire + "\n", "<" + wire + ">"}
		if first {
			lines = append(lines, wire+"\n")
		}
		for _, line := range lines {
			if strings.HasPrefix(text, line) {
				return yes
			}
			if strings.HasPrefix(line, text) {
				found = open
			}
		}
	}
	return found
}

// keyedCall reads a call that is an object in another form: its only member is named like an offered tool,
// or the arguments stand beside the name.
func keyedCall(raw json.RawMessage, names Names) (c akitad.Call, ok bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return c, false
	}
	for key, args := range members {
		if len(members) == 1 && names.offers(key) && args[0] == '{' {
			return akitad.Call{Tool: names.Original(key), Args: Arguments(string(args))}, true
		}
	}
	var name string
	if json.Unmarshal(members["name"], &name) != nil || !names.offers(name) {
		return c, false
	}
	delete(members, "name")
	delete(members, "type")
	args, err := json.Marshal(members)
	return akitad.Call{Tool: names.Original(name), Args: args}, err == nil
}
