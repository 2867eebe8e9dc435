package anthropic

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/sorting"
)

// form is how the model's own messages are sent back.
type form bool

const (
	asItCame form = false // what came from here goes back byte for byte, thoughts and signatures too
	plain    form = true  // words and calls alone, whoever they are from
)

type role string

const (
	user      role = "user"
	assistant role = "assistant"
)

// turn is a message as the protocol has them: the two sides take turns, and what tools answer is on
// the person's side.
type turn struct {
	role   role
	blocks []block
}

// goOn is said where the protocol wants to hear the person and there is nothing to say.
const goOn = "Go on."

// talk writes a conversation.
type talk struct {
	p     *Provider
	how   form
	turns []turn
	used  map[string]bool     // the ids of calls, as sent
	open  map[string][]string // id -> the ids under which calls of the last answer were sent that no result has answered
}

// turns gives the conversation in the form that the service takes whatever is in it: it begins and ends
// with the person, no block is empty, and each call has its result right behind it. A call without a
// result is left out.
func (p *Provider) turns(messages []llm.Message, how form) []turn {
	t := &talk{p: p, how: how, used: map[string]bool{}}
	for i, m := range messages {
		switch m.Speaker {
		case llm.User:
			t.user(m)
		case llm.Assistant:
			t.assistant(m, resultsBehind(messages[i+1:]))
		case llm.ToolReply:
			t.results(m)
		}
	}
	if len(t.turns) == 0 || t.turns[len(t.turns)-1].role == assistant {
		t.add(user, textBlock(goOn))
	}
	if t.turns[0].role == assistant {
		t.turns = slices.Insert(t.turns, 0, turn{user, []block{textBlock(goOn)}})
	}
	return t.turns
}

// resultsBehind counts the results that the messages begin with, by the ids of their calls.
func resultsBehind(messages []llm.Message) map[string]int {
	ids := map[string]int{}
	for _, m := range messages {
		if m.Speaker != llm.ToolReply {
			break
		}
		for _, o := range m.Results {
			ids[o.Call]++
		}
	}
	return ids
}

func (t *talk) add(who role, blocks ...block) {
	if len(blocks) == 0 {
		return
	}
	if n := len(t.turns); n > 0 && t.turns[n-1].role == who {
		t.turns[n-1].blocks = append(t.turns[n-1].blocks, blocks...)
		return
	}
	t.turns = append(t.turns, turn{who, blocks})
}

func (t *talk) user(m llm.Message) {
	for _, p := range m.Parts {
		t.add(user, partBlock(p))
	}
	if !blank(m.Text) {
		t.add(user, textBlock(m.Text))
	}
}

// results adds what the tools answered. The id of a result is that under which its call was sent; one
// whose call was not is told as text, behind the others.
func (t *talk) results(m llm.Message) {
	for _, o := range m.Results {
		ids := t.open[o.Call]
		if len(ids) == 0 {
			t.add(user, textBlock("Result of "+o.Tool+":\n"+llm.ObservationText(o)))
			continue
		}
		t.open[o.Call] = ids[1:]
		t.add(user, resultBlock(ids[0], o))
	}
	if n := len(t.turns); len(m.Results) > 0 {
		sorting.By(t.turns[n-1].blocks, func(a, b block) int { return cmp.Compare(a.rank(), b.rank()) })
	}
}

// assistant adds an answer of the model: as it came, if it came from here, else from its fields.
func (t *talk) assistant(m llm.Message, answered map[string]int) {
	t.open = map[string][]string{}
	blocks, own := t.own(m, answered)
	if !own {
		blocks = t.rebuilt(m, answered)
	}
	// Thoughts that led to nothing which is left are no message.
	if !slices.ContainsFunc(blocks, func(b block) bool { return !b.thought() }) {
		return
	}
	t.add(assistant, blocks...)
}

func (t *talk) rebuilt(m llm.Message, answered map[string]int) (blocks []block) {
	if !blank(m.Text) {
		blocks = append(blocks, textBlock(m.Text))
	}
	for _, c := range m.Calls {
		if len(t.open[c.ID]) < answered[c.ID] {
			blocks = append(blocks, callBlock(t.id(c.ID), c.Tool, c.Args))
		}
	}
	return blocks
}

// own gives the blocks of a message that came from here, without calls that have no result. It is
// false if the message is another's, or not to be read.
func (t *talk) own(m llm.Message, answered map[string]int) (blocks []block, ok bool) {
	var raw struct{ Content []json.RawMessage }
	if t.how == plain || m.RawBy != t.p.rawBy || json.Unmarshal(m.Raw, &raw) != nil || !t.fresh(m.Calls) {
		return nil, false
	}
	for _, data := range raw.Content {
		var head struct{ Type, ID string }
		if json.Unmarshal(data, &head) != nil {
			return nil, false
		}
		if head.Type == kindCall {
			if answered[head.ID] == 0 {
				continue
			}
			t.id(head.ID)
		}
		blocks = append(blocks, block{head.Type, string(wire.Canonical(data))})
	}
	return blocks, true
}

var validID = pattern.New(`^[a-zA-Z0-9_-]+$`)

// fresh reports whether the service takes the ids of the calls as they are.
func (t *talk) fresh(calls []akitad.Call) bool {
	seen := map[string]bool{}
	for _, c := range calls {
		if seen[c.ID] || t.used[c.ID] || !validID.MatchString(c.ID) {
			return false
		}
		seen[c.ID] = true
	}
	return true
}

// id gives the id under which a call is sent: its own, unless the service does not take it or another
// call of the conversation has it already. It is the same in every request.
func (t *talk) id(own string) string {
	id := own
	for n := len(t.turns); !validID.MatchString(id) || t.used[id]; n++ {
		id = "call_" + akitad.Digest("call", own, string(wire.Marshal(n)))[:16]
	}
	t.used[id], t.open[own] = true, append(t.open[own], id)
	return id
}

// thoughtful reports whether the model may be asked to think: in the turn that is going on, every
// message of its own begins with thoughts.
func thoughtful(turns []turn) bool {
	for _, t := range slices.Backward(turns) {
		if t.role == assistant && !t.blocks[0].thought() {
			return false
		}
		if t.role == user && !slices.ContainsFunc(t.blocks, func(b block) bool { return b.kind == kindResult }) {
			return true
		}
	}
	return true
}
