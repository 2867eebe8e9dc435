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

// toolset has the tools that an agent may call in a turn, and what its model is told about them.
type toolset struct {
	block  []llm.Tool // tools with their schemas; the same in every round of a session
	beside []string   // names of tools that are not in block but may be called
	guests string     // description of the tools of servers, for the task's first message
	infos  []tool.Info
	byName map[string]tool.Tool
}

// shown is a cache of what models are told about a set of tools. The zero value is empty.
type shown struct {
	mu    sync.Mutex
	known map[string]telling
}

type telling struct {
	block  []llm.Tool
	guests string
}

// mostShown is the number of sets of tools above which the cache is emptied.
const mostShown = 50

// disclose returns the toolset of a profile whose task may call the given tools.
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

// allOf is the key of a list of tools: everything that models can be told about them.
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

// tell writes what a model is told about the tools with schemas (block) and about the other ones (rest).
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

// toolBlock returns the tools for a request. The description of call_tool also lists the tools in beside.
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

// unknown is the error for a call of a tool that does not exist or that the profile does not have.
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
