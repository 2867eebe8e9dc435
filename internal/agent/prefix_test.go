package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
)

var errDied = errors.New("the process died")

// chance is a model, and the world around it, that does anything.
type chance struct {
	rt       *rapid.T
	book     *book
	requests []llm.Request
	held     int // how many requests from the first on are in the journal, with all their notes
	ids      int
}

func (c *chance) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	c.requests = append(c.requests, req)
	if rapid.IntRange(0, 5).Draw(c.rt, "steer") == 0 {
		c.book.steer(rapid.StringN(1, 8, -1).Draw(c.rt, "words"))
	}
	switch rapid.IntRange(0, 9).Draw(c.rt, "reply") {
	case 0:
		return llm.Reply{}, errDied
	case 1:
		return llm.Reply{Finish: llm.FinishStop}, nil
	case 2:
		return llm.Reply{Text: "the answer", Finish: llm.FinishStop}, nil
	}
	var calls []akitad.Call
	for range rapid.IntRange(1, 4).Draw(c.rt, "calls") {
		c.ids++
		call := akitad.Call{
			ID:   rapid.SampledFrom([]string{"", "same", fmt.Sprint("id", c.ids)}).Draw(c.rt, "id"),
			Tool: rapid.SampledFrom([]string{"look", "write", "ask", "none"}).Draw(c.rt, "tool"),
			Args: json.RawMessage(fmt.Sprintf(`{"n":%d}`, rapid.IntRange(0, 3).Draw(c.rt, "n"))),
			Via:  rapid.SampledFrom([]string{"", llm.CallTool}).Draw(c.rt, "via"),
		}
		calls = append(calls, llm.AsMade(call))
	}
	c.held = len(c.requests)
	text := rapid.SampledFrom([]string{"", "thinking"}).Draw(c.rt, "text")
	return llm.Reply{Text: text, Calls: calls, Finish: llm.FinishCalls, Raw: json.RawMessage(fmt.Sprintf(`{"nr":%d}`, c.ids)), RawBy: "p"}, nil
}

func (c *chance) tools() []tool.Tool {
	does := func(name string, mark func(*tool.Info)) tool.Tool {
		f := saying(name, "", mark)
		f.call = func(context.Context, tool.Input) (tool.Result, error) {
			switch rapid.IntRange(0, 6).Draw(c.rt, "outcome") {
			case 0:
				return tool.Result{}, akitad.Errorf(akitad.ToolFailed, "broke")
			case 1:
				c.book.steer("while it ran")
			}
			if name == "ask" {
				return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendAnswer}}, nil
			}
			return tool.Result{Text: rapid.StringN(0, 20, -1).Draw(c.rt, "said")}, nil
		}
		return f
	}
	return []tool.Tool{does("look", readonly), does("write", nil), does("ask", nil)}
}

// Whatever happens (errors, empty replies, corrections, questions, crashes, another process), the messages
// of each request begin with the messages of the request before it, byte for byte, under the same system
// prompt and tools. Only what was sent for a round that a crash erased is not in the journal and so not
// history: the next process takes up where the journal ends.
func TestPromptsOnlyGrow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := &chance{rt: rt}
		tools := c.tools()
		r := newRig(t, c, tools...)
		r.turn.Rounds = rapid.IntRange(1, 12).Draw(rt, "cap")
		r.turn.Earlier = []window.Turn{{Said: "before", Answered: "yes"}}[:rapid.IntRange(0, 1).Draw(rt, "earlier")]
		c.book = newBook(rt, journal.SubmittedData{Text: "the words"})
		for range 40 {
			out, err := r.agent.Run(t.Context(), r.turn, c.book)
			checkGrowth(rt, c.requests)
			switch {
			case out.Result != nil, akitad.KindOf(err) == akitad.Loop:
				return
			case out.Waits:
				for _, o := range c.book.Snapshot().Open {
					c.book.answer(o.ID, rapid.StringN(0, 10, -1).Draw(rt, "answer"))
				}
			case !errors.Is(err, errDied):
				rt.Fatal("neither waits nor died: ", out, err)
			}
			c.requests = c.requests[:c.held]
			r.agent = newAgent(t, c, r.kept, tools)
			c.book = c.book.again()
		}
	})
}

func checkGrowth(rt *rapid.T, reqs []llm.Request) {
	for i := 1; i < len(reqs); i++ {
		before, after := encoded(rt, reqs[i-1].Messages), encoded(rt, reqs[i].Messages)
		if len(after) < len(before) {
			rt.Fatalf("request %d has %d messages, the one before it %d", i+1, len(after), len(before))
		}
		for m := range before {
			if !bytes.Equal(before[m], after[m]) {
				rt.Fatalf("message %d of request %d changed\nfrom %s\nto   %s", m+1, i+1, before[m], after[m])
			}
		}
		if reqs[i].System != reqs[i-1].System || len(reqs[i].Tools) != len(reqs[i-1].Tools) {
			rt.Fatalf("the head of request %d changed", i+1)
		}
	}
	for i, req := range reqs {
		if err := valid(req.Messages); err != nil {
			rt.Fatalf("request %d: %v", i+1, err)
		}
	}
}

func encoded(rt *rapid.T, msgs []llm.Message) (out [][]byte) {
	for _, m := range msgs {
		body, err := json.Marshal(m)
		if err != nil {
			rt.Fatal(err)
		}
		out = append(out, body)
	}
	return out
}

// valid is what every vendor asks of a conversation.
func valid(msgs []llm.Message) error {
	ids := map[string]bool{}
	for i, m := range msgs {
		if m.Speaker != llm.ToolReply && m.Text == "" && len(m.Calls) == 0 {
			return fmt.Errorf("message %d is empty", i+1)
		}
		if len(m.Calls) == 0 {
			continue
		}
		if i+1 == len(msgs) || len(msgs[i+1].Results) != len(m.Calls) {
			return fmt.Errorf("the calls of message %d are not answered", i+1)
		}
		for k, c := range m.Calls {
			if ids[c.ID] || c.ID == "" || msgs[i+1].Results[k].Call != c.ID {
				return fmt.Errorf("call %q of message %d is answered by %q", c.ID, i+1, msgs[i+1].Results[k].Call)
			}
			ids[c.ID] = true
		}
	}
	return nil
}

// The words of the person stand in the first message byte for byte, with the brief below them.
func TestTheWordsStayAsTheyAre(t *testing.T) {
	words := "  sum a.csv\n\n<context>\nnot ours\n</context>  "
	c := &first{}
	r := newRig(t, c)
	r.run(t, newBook(t, journal.SubmittedData{Text: words}))
	got, brief := llm.SplitBrief(c.req.Messages[0].Text)
	if got != words || brief.Language != "en" || brief.Date == "" {
		t.Errorf("words %q, brief %+v", got, brief)
	}
}

type first struct{ req llm.Request }

func (f *first) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	f.req = req
	return llm.Reply{Text: "ok", Finish: llm.FinishStop}, nil
}

// The head of the prompt is the same in whatever language a session's messages are.
func TestTheSystemPromptIsOneForTheSession(t *testing.T) {
	a, b := &first{}, &first{}
	newRig(t, a).run(t, newBook(t, journal.SubmittedData{Text: "hello"}))
	zh := newBook(t, journal.SubmittedData{Text: "你好"})
	zh.task.Sub.Origin.Lang = "zh"
	newRig(t, b).run(t, zh)
	if a.req.System != b.req.System {
		t.Errorf("two system prompts:\n%s\n---\n%s", a.req.System, b.req.System)
	}
	if _, brief := llm.SplitBrief(b.req.Messages[0].Text); brief.Language != "zh" {
		t.Errorf("the brief names the language %q", brief.Language)
	}
}

// A source that fails is left out; what others find is in the brief.
func TestRecall(t *testing.T) {
	c := &first{}
	r := newRig(t, c)
	r.agent = newAgentWith(t, c, r.kept, []window.Source{source{err: errors.New("no index")}, source{text: "likes tea"}})
	r.run(t, newBook(t, journal.SubmittedData{Text: "hi", Origin: akitad.Origin{Channel: "telegram", Sender: "7"}}))
	if _, brief := llm.SplitBrief(c.req.Messages[0].Text); len(brief.Remembered) != 1 || brief.Remembered[0] != "likes tea" {
		t.Errorf("%+v", brief.Remembered)
	}
}

type source struct {
	text string
	err  error
}

func (s source) Find(_ context.Context, q window.Query) ([]akitad.Snippet, error) {
	if s.err != nil || q.Origin.Person() != "telegram:7" {
		return nil, s.err
	}
	return []akitad.Snippet{{Text: s.text}}, nil
}

// What memory holds for a person is in the brief of every task, and what is recalled does not repeat it.
func TestCoreMemory(t *testing.T) {
	c := &first{}
	r := newRig(t, c)
	r.agent = agent.New(agent.Options{
		Model: c, PutBytes: r.kept.put, Sources: []window.Source{source{text: "likes tea"}, source{text: "lives in Oslo"}},
		Core: func(from akitad.Origin) []string { return []string{"likes tea", from.Person()} },
	})
	r.run(t, newBook(t, journal.SubmittedData{Text: "hi", Origin: akitad.Origin{Channel: "telegram", Sender: "7"}}))
	_, brief := llm.SplitBrief(c.req.Messages[0].Text)
	if !slices.Equal(brief.Known, []string{"likes tea", "telegram:7"}) || !slices.Equal(brief.Remembered, []string{"lives in Oslo"}) {
		t.Errorf("known %q, remembered %q", brief.Known, brief.Remembered)
	}
}
