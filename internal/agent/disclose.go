package agent

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/catalogue"
)

// toolset is what a turn's agent may call, and what its model is told of it.
type toolset struct {
	block  []llm.Tool // with their schemas: the same in every round of a session
	beside []string   // what may be called though it is not in the block
	guests string     // what there is to say of the tools of servers, in the task's first message
	infos  []tool.Info
	byName map[string]tool.Tool
}

// disclose makes the toolset of a profile whose tasks may call these tools.
func disclose(p akitad.Profile, tools []tool.Tool) toolset {
	s := toolset{byName: make(map[string]tool.Tool, len(tools))}
	for _, t := range tools {
		info := t.Info()
		s.byName[info.Name], s.infos = t, append(s.infos, info)
	}
	block, rest := catalogue.Split(p, tools)
	var house, guests []tool.Info
	for _, t := range rest {
		info := t.Info()
		if s.beside = append(s.beside, info.Name); info.Server != "" {
			guests = append(guests, info)
		} else {
			house = append(house, info)
		}
	}
	s.guests = strings.TrimSpace(catalogue.Text(guests, catalogue.MostServers))
	s.block = toolBlock(block, catalogue.Text(house, catalogue.MostHouse))
	return s
}

// toolBlock is what a model is told of tools; call_tool says which there are beside these.
func toolBlock(tools []tool.Tool, beside string) []llm.Tool {
	out := make([]llm.Tool, len(tools))
	for i, t := range tools {
		info := t.Info()
		out[i] = llm.Tool{Name: info.Name, Description: strings.TrimSpace(info.Description), Schema: info.Schema}
		if info.Name == llm.CallTool && beside != "" {
			out[i].Description += "\n\n" + strings.TrimSpace(beside)
		}
	}
	return out
}

// unknown refuses a call of a tool that there is none of, or that is not for this profile.
func (s toolset) unknown(name string) error {
	var known []string
	for _, info := range s.infos {
		known = append(known, info.Name)
	}
	hint := "use one of: " + strings.Join(known, ", ")
	switch near := tool.Nearest(name, known); {
	case len(near) > 0:
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	case s.byName["find_tool"] != nil:
		hint = "find_tool finds tools by what they do"
	}
	return akitad.Errorf(akitad.NotFound, "there is no tool %q", name).WithHint(hint)
}
