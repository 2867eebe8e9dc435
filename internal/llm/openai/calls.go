package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
	"github.com/akitad/akitad/internal/sorting"
)

// find gives which call a piece belongs to, and begins a new one if it belongs to none. Servers
// leave index or id out, count every call as 0, or repeat the name, so the rules are, in order: the
// id decides if it is known; a new id with a name begins a call; a name after complete arguments
// begins a call, whatever the id; else the index decides, else the newest call goes on. What has no
// name never begins a call beside others.
func (a *answer) find(c callPart) int {
	if i := a.byID(c); i >= 0 && !a.begins(i, c) {
		return i
	}
	if i := a.sameID(c); i >= 0 && c.Function.Name == "" {
		return i
	}
	at := a.byIndex(c)
	if at < 0 && c.Function.Name == "" && c.ID == "" && len(a.Calls) > 0 {
		return len(a.Calls) - 1
	}
	if at < 0 || a.begins(at, c) {
		return a.open(c)
	}
	return at
}

// sameID gives the newest call with the piece's id, however the server counts it; -1 if there is none.
func (a *answer) sameID(c callPart) int {
	for i := len(a.Calls) - 1; i >= 0 && c.ID != ""; i-- {
		if a.Calls[i].ID == string(c.ID) {
			return i
		}
	}
	return -1
}

// byID gives the newest call with the piece's id, -1 if there is none.
func (a *answer) byID(c callPart) int {
	for i := len(a.Calls) - 1; i >= 0 && c.ID != ""; i-- {
		if a.Calls[i].ID == string(c.ID) && sameIndex(a.index[i], c.at()) {
			return i
		}
	}
	return -1
}

// repeats reports whether the piece is a whole call that has come already, or all its arguments: some servers sum
// up at the end. What has a name but no id may be a call of its own.
func (a *answer) repeats(c callPart) bool {
	i, name := a.sameID(c), string(c.Function.Name)
	if c.ID == "" && name == "" {
		i = a.byIndex(c)
	}
	piece, _ := c.arguments()
	return i >= 0 && len(piece) > len(nothing) && piece[0] == '{' && (name == "" || name == a.Calls[i].Function.Name) &&
		piece == a.args[i].String() && json.Valid([]byte(piece))
}

// order puts the calls in the order in which the server counts them, if it counts each.
func (a *answer) order() {
	seen := map[int]bool{}
	for _, i := range a.index {
		if i == nil || seen[*i] {
			return
		}
		seen[*i] = true
	}
	at := make([]int, len(a.Calls))
	for i := range at {
		at[i] = i
	}
	sorting.By(at, func(x, y int) int { return *a.index[x] - *a.index[y] })
	calls, args := slices.Clone(a.Calls), slices.Clone(a.args)
	for to, from := range at {
		a.Calls[to], a.args[to] = calls[from], args[from]
	}
}

func sameIndex(a, b *int) bool { return a == nil || b == nil || *a == *b }

// byIndex gives the newest call with the piece's index, or the newest of all if it has none.
func (a *answer) byIndex(c callPart) int {
	index := c.at()
	for i := len(a.Calls) - 1; i >= 0; i-- {
		if index == nil || a.index[i] != nil && *a.index[i] == *index {
			return i
		}
	}
	return -1
}

// begins reports whether the piece is not of the call at its place but the beginning of another.
func (a *answer) begins(at int, c callPart) bool {
	if c.Function.Name == "" {
		return false
	}
	known := a.Calls[at].ID
	piece, _ := c.arguments()
	if c.ID != "" && known != "" && string(c.ID) != known {
		return !a.goesOn(at, c, piece)
	}
	if a.args[at].String() == nothing && known != "" && string(c.ID) == known && string(c.Function.Name) == a.Calls[at].Function.Name {
		return false
	}
	return piece != "" && json.Valid([]byte(a.args[at].String()))
}

// goesOn reports whether a piece is of an unfinished call though its id is another: some servers make a new one for each
// piece. A server that has several calls under way at once counts them; one that begins another sends nothing or all of it.
func (a *answer) goesOn(at int, c callPart, piece string) bool {
	args := a.args[at].String()
	return string(c.Function.Name) == a.Calls[at].Function.Name && args != "" && !json.Valid([]byte(args)) && piece != "" && !strings.HasPrefix(piece, "{") &&
		a.index[at] != nil && c.at() != nil && *a.index[at] == *c.at()
}

func (a *answer) open(c callPart) int {
	a.Calls = append(a.Calls, toolCall{ID: string(c.ID), Type: "function"})
	a.args = append(a.args, &strings.Builder{})
	a.halves = append(a.halves, "")
	a.index = append(a.index, c.at())
	return len(a.Calls) - 1
}

// nameless reports whether there is a call of no tool.
func (a *answer) nameless() bool {
	return slices.ContainsFunc(a.Calls, func(c toolCall) bool { return strings.TrimSpace(c.Function.Name) == "" })
}

// spread makes several calls of one that holds them: models of OpenAI write such a call, though no request
// offers its tool.
func (a *answer) spread() {
	var calls []toolCall
	for _, c := range a.Calls {
		var held struct {
			Uses []struct {
				Name string          `json:"recipient_name"`
				Args json.RawMessage `json:"parameters"`
			} `json:"tool_uses"`
		}
		if !strings.HasPrefix(c.Function.Name, "multi_tool_use") || json.Unmarshal([]byte(c.Function.Arguments), &held) != nil || len(held.Uses) == 0 {
			calls = append(calls, c)
			continue
		}
		a.changed = true
		for _, u := range held.Uses {
			calls = append(calls, toolCall{Type: "function", Function: function{llm.WireName(a.names.Original(u.Name)), wire.ArgumentsOut(akitad.RawJSON(u.Args))}})
		}
	}
	a.Calls = calls
}

// nothing are the arguments that some servers send first, or the first half of it, whatever comes.
const nothing = "{}"

// extend adds the piece to the call.
func (a *answer) extend(at int, c callPart) {
	call := &a.Calls[at]
	if call.ID == "" {
		call.ID = string(c.ID)
	}
	if len(c.Extra) > 0 && string(c.Extra) != "null" {
		call.Extra = wire.Canonical(c.Extra)
	}
	call.Function.Name = a.name(call.Function.Name, string(c.Function.Name))
	c.Function.Arguments = a.halves[at].Join(c.Function.Arguments)
	piece, whole := c.arguments()
	if whole || strings.HasPrefix(nothing, a.args[at].String()) && strings.HasPrefix(piece, "{") {
		a.args[at].Reset()
	}
	a.args[at].WriteString(piece)
}

// name joins what was sent of a tool's name. Some servers send it with every piece, some in pieces,
// a few what they have so far.
func (a *answer) name(have, more string) string {
	switch {
	case have == "" || more == "":
		return have + more
	case have == more || a.names.Known(have):
		return have
	case strings.HasPrefix(more, have):
		return more
	}
	return have + more
}
