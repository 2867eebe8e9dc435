package llm

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// MaxToolName is the length of the longest tool name that the vendors take.
const MaxToolName = 64

var unwireable = pattern.New(`[^a-zA-Z0-9_-]`)

// WireName gives the name under which a tool is offered to a model: the name itself if the vendors
// take it ([a-zA-Z0-9_-], 1 to 64 characters), else a readable one that ends in a hash of the whole
// name, so that two tools never share it. The same name always gives the same.
func WireName(name string) string {
	if wireable(name) {
		return name
	}
	hash := "_" + akitad.Digest(name)[:8]
	clean := unwireable.ReplaceAllString(name, "_")
	return clean[:min(len(clean), MaxToolName-len(hash))] + hash
}

func wireable(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return name != "" && len(name) <= MaxToolName
}

// Names undoes WireName for the tools of a request. A name that is not among them comes back as it
// is, unless what some models add to it is all that is wrong: the call then fails as a call of an
// unknown tool.
type Names map[string]string

// added is what models write around the name of a tool: quotes, the name space of their own format before it,
// the number of the call, a tag or brackets behind it.
var added = pattern.New("^[\"'`]*(?:(?:functions|tools|default_api)(?:[.:/]|__))?|(?::\\d+|<\\|.*|</?\\w+>.*|\\(\\)|[\"'`]+)$")

// NamesOf gives the names of the tools as models see them.
func NamesOf(tools []Tool) Names {
	n := make(Names, len(tools))
	for _, t := range tools {
		n[WireName(t.Name)] = t.Name
	}
	return n
}

// Names gives the names of all tools that the reply may call, also of those beside the tool block: a
// model that writes its calls as text has read of them too.
func (r Request) Names() Names {
	n := NamesOf(r.Tools)
	for _, name := range r.Beside {
		n[WireName(name)] = name
	}
	return n
}

// Original gives the name of the tool that a model has called.
func (n Names) Original(wire string) string {
	wire = strings.TrimSpace(wire)
	if name, ok := n[wire]; ok {
		return name
	}
	bare := added.ReplaceAllString(wire, "")
	if name, ok := n[bare]; ok {
		return name
	}
	if name := n.alike(bare); name != "" {
		return name
	}
	return wire
}

// alike gives the one tool whose name differs from this by case and signs alone; "" if there is none, or
// more than one.
func (n Names) alike(word string) (found string) {
	for wire, name := range n {
		if plainName(wire) != plainName(word) {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

func plainName(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s))
}

// Known reports whether a tool of this name was offered.
func (n Names) Known(wire string) bool { _, ok := n[wire]; return ok }

// ObservationText gives what a model is told about the outcome of a call. It is never empty: some
// servers refuse a tool message without content. What comes from outside stands between marks that nobody
// who wrote it can know; the same observation always gets the same.
func ObservationText(o akitad.Observation) string {
	text := outcomeText(o)
	if o.Untrusted {
		text = outside(o.Call, text)
	}
	return text
}

func outcomeText(o akitad.Observation) string {
	switch {
	case o.Text != "":
		return o.Text
	case o.Error != nil:
		text := "error (" + string(o.Error.Kind) + "): " + o.Error.Message
		if o.Error.Hint != "" {
			text += "\nhint: " + o.Error.Hint
		}
		return text
	}
	return "(no output)"
}
