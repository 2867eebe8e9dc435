package openai

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad/internal/llm/wire"
)

// find gives which call a piece belongs to, and begins a new one if it belongs to none. Servers
// leave index or id out, count every call as 0, or repeat the name, so the rules are, in order: the
// id decides if it is known; a new id with a name begins a call; a name after complete arguments
// begins a call; else the index decides, else the newest call goes on.
func (a *answer) find(c callPart) int {
	if c.ID != "" {
		for i := range a.Calls {
			if a.Calls[i].ID == c.ID && sameIndex(a.index[i], c.Index) {
				return i
			}
		}
	}
	at := a.byIndex(c)
	if at < 0 || a.begins(at, c) {
		return a.open(c)
	}
	return at
}

func sameIndex(a, b *int) bool { return a == nil || b == nil || *a == *b }

// byIndex gives the newest call with the piece's index, or the newest of all if it has none.
func (a *answer) byIndex(c callPart) int {
	for i := len(a.Calls) - 1; i >= 0; i-- {
		if c.Index == nil || a.index[i] != nil && *a.index[i] == *c.Index {
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
	if c.ID != "" && known != "" && c.ID != known {
		return true
	}
	piece, _ := c.arguments()
	return piece != "" && json.Valid([]byte(a.args[at].String()))
}

func (a *answer) open(c callPart) int {
	a.Calls = append(a.Calls, toolCall{ID: c.ID, Type: "function"})
	a.args = append(a.args, &strings.Builder{})
	a.index = append(a.index, c.Index)
	return len(a.Calls) - 1
}

// extend adds the piece to the call.
func (a *answer) extend(at int, c callPart) {
	call := &a.Calls[at]
	if call.ID == "" {
		call.ID = c.ID
	}
	if len(c.Extra) > 0 && string(c.Extra) != "null" {
		call.Extra = wire.Canonical(c.Extra)
	}
	call.Function.Name = a.name(call.Function.Name, c.Function.Name)
	piece, whole := c.arguments()
	if whole {
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
