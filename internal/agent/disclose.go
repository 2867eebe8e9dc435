package agent

import (
	"strconv"
	"strings"
	"sync"

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

// shown keeps what models were told of tools, for the next task that may call the same ones. The zero value
// is empty and works.
type shown struct {
	mu    sync.Mutex
	known map[string]telling
}

type telling struct {
	block  []llm.Tool
	guests string
}

// mostShown is how many sets of tools are kept, before all are forgotten.
const mostShown = 50

// disclose makes the toolset of a profile whose tasks may call these tools.
func (k *shown) disclose(p akitad.Profile, tools []tool.Tool) toolset {
	s := toolset{byName: make(map[string]tool.Tool, len(tools))}
	for _, t := range tools {
		info := t.Info()
		s.byName[info.Name], s.infos = t, append(s.infos, info)
	}
	block, rest := catalogue.Split(p, tools)
	for _, t := range rest {
		s.beside = append(s.beside, t.Info().Name)
	}
	told := k.tell(block, rest)
	s.block, s.guests = told.block, told.guests
	return s
}

func (k *shown) tell(block, rest []tool.Tool) telling {
	key := allOf(block) + allOf(rest)
	k.mu.Lock()
	defer k.mu.Unlock()
	told, ok := k.known[key]
	if !ok {
		if k.known == nil || len(k.known) >= mostShown {
			k.known = map[string]telling{}
		}
		told = tell(block, rest)
		k.known[key] = told
	}
	return told
}

// allOf is all that models can be told of tools.
func allOf(tools []tool.Tool) string {
	var b strings.Builder
	for _, t := range tools {
		info := t.Info()
		for _, part := range []string{info.Name, info.Server, info.Category, info.Description, string(info.Schema)} {
			b.WriteString(strconv.Itoa(len(part)))
			b.WriteByte(' ')
			b.WriteString(part)
		}
	}
	return b.String() + "."
}

// tell writes what a model is told of the tools of the block, and of those beside it.
func tell(block, rest []tool.Tool) telling {
	var house, guests []tool.Info
	for _, t := range rest {
		if info := t.Info(); info.Server != "" {
			guests = append(guests, info)
		} else {
			house = append(house, info)
		}
	}
	return telling{
		block:  toolBlock(block, catalogue.Text(house, catalogue.MostHouse)),
		guests: strings.TrimSpace(catalogue.Text(guests, catalogue.MostServers)),
	}
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
