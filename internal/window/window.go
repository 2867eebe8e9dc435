// Package window is the context engine: it turns a task's journal into the request that a model sees,
// counts it, and makes it smaller before it is too large. It runs no tool, keeps no state of a task, and
// asks a model for nothing but a summary.
package window

import (
	"context"
	"slices"
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
	Origin  akitad.Origin // who asks, and where
	Session akitad.SessionKey
	Limit   int // default 5
}

// Turn is an earlier message of the session and its final answer.
type Turn struct{ Said, Answered string }

// Input is what one window is built from. Everything in it but Notes stands in journals, so that any
// node builds the same bytes.
type Input struct {
	System  string
	Tools   []llm.Tool
	Earlier []Turn     // oldest first
	Words   string     // the person's words, or a child's goal
	Parts   []llm.Part // images that came with the words
	Rounds  []journal.RoundState
	Reduced []journal.ReducedData // how the window was made smaller before
	Notes   []string              // for this round: the brief first, later hints and steers
	Last    bool                  // the capped call: tools stay in the prompt, calls are forbidden
	Budget  int                   // tokens; 0 means no limit
	Weights Weights               // how the model counts, as far as that is known
	Counter *Counter              // remembers what was counted; may be nil

	Constraints []string // of the spec: a reduction keeps them byte for byte
}

// Report says how large the window is, in estimated tokens, and what was done to the record for it.
type Report struct {
	Tokens   int  // of the request
	Whole    int  // of the same request if nothing were reduced
	Load     Load // of the request, by script
	Budget   int
	Stage    int      // the highest stage of reduction in it; 0: nothing was reduced
	Masked   int      // results that are masked
	Repaired []string // what of the record was broken and had to be mended
}

// Build gives the request's messages. The list for one more round has the list for this round as a
// prefix, and so has the list for the same round with more notes, as long as the same is reduced. A
// window over the budget is an error of kind context_overflow.
func Build(in Input) (llm.Request, Report, error) {
	v := look(in)
	req := request(in, v.messages(in))
	rep := Report{Load: in.Counter.Request(req), Budget: in.Budget, Stage: v.stage, Masked: v.masked, Repaired: v.repaired}
	rep.Tokens = in.Weights.Tokens(rep.Load)
	rep.Whole = rep.Tokens
	if v.stage > 0 {
		rep.Whole = max(rep.Tokens, in.Weights.Tokens(in.Counter.Request(request(in, v.whole().messages(in)))))
	}
	if in.Budget > 0 && rep.Tokens > in.Budget {
		err := akitad.Errorf(akitad.ContextOverflow, "the conversation needs about %d tokens, the budget is %d", rep.Tokens, in.Budget)
		return req, rep, err.WithHint("ask for less at once, or name a part of the data")
	}
	return req, rep, nil
}

func request(in Input, messages []llm.Message) llm.Request {
	req := llm.Request{System: in.System, Tools: in.Tools, Messages: messages}
	if in.Last {
		req.Choice = llm.ChoiceNone
	}
	return req
}

// messages gives the messages of the request. Empty ones, which no vendor accepts, are left out.
func (v view) messages(in Input) []llm.Message {
	var out []llm.Message
	if v.head != "" {
		out = append(out, llm.Message{Speaker: llm.User, Text: v.head})
	}
	for _, e := range v.turns {
		if !blank(e.Said) && !blank(e.Answered) {
			out = append(out, llm.Message{Speaker: llm.User, Text: valid(e.Said)},
				llm.Message{Speaker: llm.Assistant, Text: valid(e.Answered)})
		}
	}
	brief, opening, notes := v.opening(in.Notes)
	out = append(out, llm.Message{Speaker: llm.User, Text: valid(in.Words + brief), Parts: in.Parts})
	if v.note != "" {
		out = append(out, llm.Message{Speaker: llm.User, Text: v.note})
	}
	for i := v.from; i < len(v.rounds); i++ {
		told := v.rounds[i].Thought.Notes
		if i == 0 {
			told = opening
		}
		out = append(note(note(out, v.restated[i]), told), v.round(i)...)
	}
	out = note(note(out, v.restated[len(v.rounds)]), notes)
	return slices.DeleteFunc(out, empty)
}

// note appends notes to the messages. A note that begins with a line break, as a brief does, is added to the newest
// message if that is a person's. Any other note is a message of its own, so that a request with one more note
// begins with the bytes of the request without it.
func note(out []llm.Message, notes []string) []llm.Message {
	for _, n := range notes {
		n = valid(n)
		if last := &out[len(out)-1]; last.Speaker == llm.User && strings.HasPrefix(n, "\n") {
			last.Text += n
			continue
		}
		if n = strings.TrimLeft(n, "\n"); !blank(n) {
			out = append(out, llm.Message{Speaker: llm.User, Text: n})
		}
	}
	return out
}

// opening separates the brief, which stands below the person's words, from the notes of the first round. now are the
// notes of the round to come. first are the other notes of the first round, if that is on record already; rest are
// those of the round to come.
func (v view) opening(now []string) (brief string, first, rest []string) {
	if len(v.rounds) == 0 {
		brief, rest = cutBrief(now)
		return brief, nil, rest
	}
	brief, first = cutBrief(v.rounds[0].Thought.Notes)
	return brief, first, now
}

func cutBrief(notes []string) (string, []string) {
	if len(notes) > 0 && strings.HasPrefix(notes[0], "\n") {
		return notes[0], notes[1:]
	}
	return "", notes
}

// empty reports whether a message has neither words nor parts, calls or results.
func empty(m llm.Message) bool {
	return blank(m.Text) && len(m.Parts)+len(m.Calls)+len(m.Results) == 0
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
