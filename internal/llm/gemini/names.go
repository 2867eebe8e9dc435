package gemini

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// wireName gives the name under which a tool is offered: as everywhere, but it may not begin with a
// digit or a hyphen here. One that would gets a letter in front, and a hash as its end, so that two
// tools never share a name.
func wireName(name string) string {
	out := llm.WireName(name)
	if c := out[0]; c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
		return out
	}
	hash := "_" + akitad.Digest(name)[:8]
	return "t_" + out[:min(len(out), llm.MaxToolName-len("t_")-len(hash))] + hash
}

// namesOf undoes wireName for the tools of a request, also for those beside the tool block.
func namesOf(req llm.Request) llm.Names {
	n := make(llm.Names, len(req.Tools)+len(req.Beside))
	for _, t := range req.Tools {
		n[wireName(t.Name)] = t.Name
	}
	for _, name := range req.Beside {
		n[wireName(name)] = name
	}
	return n
}

// original gives the name of the tool that a model has called. Models at times write the name as in
// the code that they were trained on: default_api.read.
func original(names llm.Names, called string) string {
	for _, sep := range []string{":", "."} {
		if bare, ok := strings.CutPrefix(strings.TrimSpace(called), "default_api"+sep); ok && names.Known(bare) {
			return names.Original(bare)
		}
	}
	return names.Original(called)
}
