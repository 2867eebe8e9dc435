// Package window is the context engine: it turns a task's journal into the request that a model
// sees, and counts it. It calls no model and runs no tool.
package window

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// A Source offers text that may help with a task.
type Source interface {
	Find(ctx context.Context, q Query) ([]akitad.Snippet, error)
}

// Query asks a source on behalf of a person.
type Query struct {
	Text    string
	Person  string // "telegram:1001"; empty where nobody is known
	Session akitad.SessionKey
	Limit   int // default 5
}

// Turn is an earlier message of the session and its final answer.
type Turn struct{ Said, Answered string }

// Input is what one window is built from. Everything in it but Notes stands in the journal, so that
// any node builds the same bytes.
type Input struct {
	System  string
	Tools   []llm.Tool
	Earlier []Turn     // oldest first
	Words   string     // the person's words, or a child's goal
	Parts   []llm.Part // images that came with the words
	Rounds  []journal.RoundState
	Notes   []string // for this round: the brief first, later hints and steers
	Last    bool     // the capped call: tools stay in the prompt, calls are forbidden
	Budget  int      // tokens; 0 means no limit
}

// Report says how large the window is, in estimated tokens.
type Report struct {
	Tokens int
	Budget int
	Stage  int // 0: nothing was reduced
}

// Build gives the request's messages. The list for one more round has the list for this round as a
// prefix, and so has the list for the same round with more notes. A window over the budget is an error
// of kind context_overflow.
func Build(in Input) (llm.Request, Report, error) {
	req := llm.Request{System: in.System, Tools: in.Tools, Messages: messages(in)}
	if in.Last {
		req.Choice = llm.ChoiceNone
	}
	r := Report{Tokens: Count(req), Budget: in.Budget}
	if in.Budget > 0 && r.Tokens > in.Budget {
		err := akitad.Errorf(akitad.ContextOverflow, "the conversation needs about %d tokens, the budget is %d", r.Tokens, in.Budget)
		return req, r, err.WithHint("ask for less at once, or name a part of the data")
	}
	return req, r, nil
}

func messages(in Input) []llm.Message {
	var out []llm.Message
	for _, e := range in.Earlier {
		if e.Said != "" && e.Answered != "" { // no vendor takes an empty message
			out = append(out, llm.Message{Speaker: llm.User, Text: e.Said},
				llm.Message{Speaker: llm.Assistant, Text: e.Answered})
		}
	}
	out = append(out, llm.Message{Speaker: llm.User, Text: in.Words, Parts: in.Parts})
	for _, r := range in.Rounds {
		out = note(out, r.Thought.Notes)
		out = append(out, thought(r.Thought))
		if len(r.Results) > 0 {
			out = append(out, llm.Message{Speaker: llm.ToolReply, Results: r.Results})
		}
	}
	return note(out, in.Notes)
}

// note appends notes. One that begins with a line break, as a brief does, goes on the newest message
// if that is a person's; any other is a message of its own, so that a request which is made again with
// one more note only grows.
func note(out []llm.Message, notes []string) []llm.Message {
	for _, n := range notes {
		if last := &out[len(out)-1]; last.Speaker == llm.User && strings.HasPrefix(n, "\n") {
			last.Text += n
			continue
		}
		if n = strings.TrimLeft(n, "\n"); n != "" {
			out = append(out, llm.Message{Speaker: llm.User, Text: n})
		}
	}
	return out
}

func thought(t journal.ThoughtData) llm.Message {
	return llm.Message{Speaker: llm.Assistant, Text: t.Text, Calls: t.Calls, Raw: t.Raw, RawBy: t.RawBy}
}
