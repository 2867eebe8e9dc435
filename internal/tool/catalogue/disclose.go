// Package catalogue discloses tools to models in levels: which stand in a prompt with their schemas, a
// line for each of the others, how one is found and described. It calls no tool.
package catalogue

import (
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
)

// Most is how many tools a tool block holds at most, those that lead to the others included.
const Most = 10

// first are the tools that come first in a tool block, if the profile has them: those that end a task,
// and those that nearly every task needs.
func first() []string {
	return []string{"submit_result", "replan", "run_shell", "read_file", "write_file", "list_directory", "ask_user"}
}

// usual are the next ones for a profile that names none itself.
func usual() []string { return []string{"delegate"} }

// Split parts what a profile's tasks may call into the tool block and the rest, both in the order of
// the tools. The block depends on the profile and on the tools of the house alone: tools of servers,
// which come and go, are never in it, so that it stays the same for a whole session. Where there is no
// call_tool to reach a rest by, or no rest and none to come, all tools are in the block.
func Split(p akitad.Profile, tools []tool.Tool) (block, rest []tool.Tool) {
	own, leading := apart(tools)
	if !slices.ContainsFunc(leading, func(t tool.Tool) bool { return t.Info().Name == llm.CallTool }) {
		return tools, nil
	}
	house := slices.DeleteFunc(slices.Clone(own), foreign)
	if len(house) <= Most && len(house) == len(own) && !open(p.Tools) {
		return own, nil
	}
	chosen := choose(p, house, Most-len(leading))
	for _, t := range own {
		if slices.Contains(chosen, t.Info().Name) {
			block = append(block, t)
		} else {
			rest = append(rest, t)
		}
	}
	return append(block, leading...), rest
}

// apart tells tools from those that lead to others.
func apart(tools []tool.Tool) (own, leading []tool.Tool) {
	for _, t := range tools {
		if t.Info().Meta {
			leading = append(leading, t)
		} else {
			own = append(own, t)
		}
	}
	return own, leading
}

func foreign(t tool.Tool) bool { return t.Info().Server != "" }

// open reports whether a profile's words may come to mean tools that are not there yet.
func open(words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool {
		return w == MCP || strings.ContainsAny(w, "*?[") || strings.Contains(w, "__")
	})
}

// MCP is the category of the tools of servers.
const MCP = "mcp"

// choose returns the names of the tools for a block with that much room.
func choose(p akitad.Profile, house []tool.Tool, room int) (names []string) {
	core := p.Core
	if len(core) == 0 && len(p.Tools) == 0 {
		core = usual()
	}
	for _, name := range slices.Concat(first(), core, p.Tools) {
		known := slices.ContainsFunc(house, func(t tool.Tool) bool { return t.Info().Name == name })
		if known && len(names) < room && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
