package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/tracing"
)

// reader asks for one page after the other, and sums up when it is asked to. It keeps what it was sent.
type reader struct {
	pages   int
	sent    []llm.Request
	summary func(context.Context) (llm.Reply, error)
	refuse  map[int]bool // requests, by number from 1, that are too large for its server
	asked   int          // summaries
}

func (m *reader) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if req.Role == llm.RoleSummarizer {
		m.asked++
		return m.summary(ctx)
	}
	m.sent = append(m.sent, req)
	if m.refuse[len(m.sent)] {
		return llm.Reply{}, akitad.Errorf(akitad.ContextOverflow, "too many tokens")
	}
	if n := len(m.sent); n > m.pages || req.Choice == llm.ChoiceNone {
		return llm.Reply{Text: "read", Finish: llm.FinishStop}, nil
	}
	call := akitad.Call{ID: fmt.Sprint("p", len(m.sent)), Tool: "page", Args: mustArgs(len(m.sent))}
	return llm.Reply{Calls: []akitad.Call{call}, Finish: llm.FinishCalls, Raw: json.RawMessage(fmt.Sprintf(`{"nr":%d}`, len(m.sent))), RawBy: "p", Endpoint: "e"}, nil
}

func mustArgs(n int) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"n":%d}`, n)) }

// pages is a tool whose results have so many tokens, and a fact each.
func pages(words int) tool.Tool {
	f := saying("page", "", safe)
	f.call = func(_ context.Context, in tool.Input) (tool.Result, error) {
		var a struct{ N int }
		if err := json.Unmarshal(in.Args, &a); err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Text: fmt.Sprintf("fact-%d is %d\n", a.N, a.N*37) + strings.Repeat("word ", words)}, nil
	}
	return f
}

// windowed is a rig whose models take so many tokens.
func windowed(t *testing.T, m llm.Provider, opts window.Options, tokens int, page tool.Tool) *rig {
	t.Helper()
	r := newRig(t, m, page)
	reg, err := tool.NewRegistry(page)
	if err != nil {
		t.Fatal(err)
	}
	r.opts = agent.Options{
		Model: m, Tools: reg, PutBytes: r.kept.put, Context: opts, MaxOutput: 100,
		Limits: func(llm.Request) llm.Limits { return llm.Limits{Window: tokens} },
	}
	r.agent = agent.New(r.opts)
	return r
}

func says(text string) func(context.Context) (llm.Reply, error) {
	return func(context.Context) (llm.Reply, error) {
		return llm.Reply{Text: text, Usage: akitad.Usage{Calls: 1, Input: 500}}, nil
	}
}

// A long task ends by itself under every strategy that reduces; its requests fit, and each begins with the
// one before it but where a reduction is on record.
func TestLongTasksEnd(t *testing.T) {
	for _, s := range []window.Strategy{window.Hybrid, window.Mask, window.Summary, window.Slide} {
		t.Run(string(s), func(t *testing.T) {
			opts := window.Defaults()
			opts.Strategy = s
			m := &reader{pages: 28, summary: says("progress: pages were read")}
			r := windowed(t, m, opts, 10_000, pages(500))
			b := newBook(t, journal.SubmittedData{Text: "read it all"})
			out := r.run(t, b)
			if out.Result == nil || out.Result.Text != "read" || len(b.Snapshot().Reduced) == 0 {
				t.Fatalf("%+v, %d reductions", out.Result, len(b.Snapshot().Reduced))
			}
			checkReductions(t, m, b, 8_900)
			if !tells(m.sent[len(m.sent)-1], "[told once more\ntask: "+string(taskID)+"\nagent: assistant\nlanguage: en") {
				t.Error("it is not told once more whose task it is")
			}
			if s != window.Hybrid && (s == window.Summary) != (m.asked > 0) {
				t.Errorf("%d summaries", m.asked)
			}
		})
	}
}

// tells reports whether a message of the person's side begins so.
func tells(req llm.Request, begin string) bool {
	return slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return m.Speaker == llm.User && strings.HasPrefix(m.Text, begin) })
}

func tokens(req llm.Request) int { return new(window.Counter).Request(req).Tokens() }

// checkReductions compares what was sent with what is on record.
func checkReductions(t *testing.T, m *reader, b *book, budget int) {
	t.Helper()
	at := map[int]bool{}
	for _, d := range b.Snapshot().Reduced {
		at[d.Rounds] = true
	}
	for i, req := range m.sent {
		if n := tokens(req); n > budget {
			t.Errorf("request %d has %d tokens", i+1, n)
		}
		if err := valid(req.Messages); err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
		if i > 0 && !at[i] && !begins(t, req.Messages, m.sent[i-1].Messages) {
			t.Errorf("request %d does not begin with the one before it, and nothing on record says why", i+1)
		}
	}
}

func begins(t *testing.T, list, head []llm.Message) bool {
	a, err := json.Marshal(list[:min(len(list), len(head))])
	b, berr := json.Marshal(head)
	if err != nil || berr != nil {
		t.Fatal(err, berr)
	}
	return string(a) == string(b)
}

// What was decided is on record before the request is made, so that another process, which decides nothing
// anew, sends the same bytes.
func TestAnotherNodeBuildsTheSameWindow(t *testing.T) {
	m := &reader{pages: 28, summary: says("progress: pages were read")}
	r := windowed(t, m, window.Defaults(), 10_000, pages(500))
	b := newBook(t, journal.SubmittedData{Text: "read it all"})
	b.fail = func(k akitad.EventKind) error {
		if k == journal.Thought && len(b.Snapshot().Reduced) == 2 {
			return errDied
		}
		return nil
	}
	if _, err := r.agent.Run(t.Context(), r.turn, b); err == nil {
		t.Fatal("it did not die")
	}
	last := m.sent[len(m.sent)-1]
	other := windowed(t, m, window.Defaults(), 10_000, pages(500))
	again := b.again()
	if _, err := other.agent.Run(t.Context(), r.turn, again); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(m.sent, func(q llm.Request) bool {
		return len(q.Messages) == len(last.Messages) && begins(t, q.Messages, last.Messages)
	})
	if at < 0 || at == len(m.sent)-1 {
		t.Errorf("the request was not made again byte for byte")
	}
}

// A server that refuses a request as too large gets a smaller one, once.
func TestOverflowShrinksOnce(t *testing.T) {
	for _, tt := range []struct {
		name   string
		refuse map[int]bool
		opts   func(*window.Options)
		sent   int
		kind   akitad.Kind
	}{
		{"once", map[int]bool{12: true}, nil, 14, ""},
		{"twice in a row", map[int]bool{12: true, 13: true}, nil, 13, akitad.ContextOverflow},
		{"nothing may be reduced", map[int]bool{12: true}, func(o *window.Options) { o.Strategy = window.Off }, 12, akitad.ContextOverflow},
		{"nothing is there to reduce", map[int]bool{1: true}, nil, 1, akitad.ContextOverflow},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opts := window.Defaults()
			if tt.opts != nil {
				tt.opts(&opts)
			}
			m := &reader{pages: 13, refuse: tt.refuse, summary: says("progress: pages were read")}
			r := windowed(t, m, opts, 0, pages(800))
			b := newBook(t, journal.SubmittedData{Text: "read it all"})
			_, err := r.agent.Run(t.Context(), r.turn, b)
			if akitad.KindOf(err) != tt.kind || len(m.sent) != tt.sent {
				t.Fatalf("%d requests, %v", len(m.sent), err)
			}
			reduced := b.Snapshot().Reduced
			if shrunk := tt.kind == "" || tt.sent == 13; shrunk != (len(reduced) == 1 && reduced[0].Cause == "overflow") {
				t.Fatalf("%+v", reduced)
			}
			if tt.kind == "" && tokens(m.sent[12]) > tokens(m.sent[11])*7/10 {
				t.Errorf("from %d to %d tokens", tokens(m.sent[11]), tokens(m.sent[12]))
			}
		})
	}
}

// A summariser that hangs is given up after 30 s, twice; then rules sum up.
func TestAHangingSummariser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := window.Defaults()
		opts.Strategy = window.Summary
		m := &reader{pages: 20, summary: func(ctx context.Context) (llm.Reply, error) {
			<-ctx.Done()
			return llm.Reply{}, context.Cause(ctx)
		}}
		r := windowed(t, m, opts, 10_000, pages(500))
		b := newBook(t, journal.SubmittedData{Text: "read it all"})
		if out := r.run(t, b); out.Result == nil {
			t.Fatal("no result")
		}
		reduced := b.Snapshot().Reduced
		if m.asked != 2*len(reduced) || len(reduced) == 0 || !strings.Contains(reduced[0].Note, `page {"n":1}`) {
			t.Errorf("asked %d times for %d reductions", m.asked, len(reduced))
		}
	})
}

// What a summary costs is on the task's account.
func TestSummariesArePaidFor(t *testing.T) {
	opts := window.Defaults()
	opts.Strategy = window.Summary
	m := &reader{pages: 20, summary: says("progress: pages were read")}
	b := newBook(t, journal.SubmittedData{Text: "read it all"})
	windowed(t, m, opts, 10_000, pages(500)).run(t, b)
	if u := b.Snapshot().Usage; m.asked == 0 || u.Calls != m.asked || u.Input != 500*m.asked {
		t.Errorf("%d summaries, usage %+v", m.asked, u)
	}
	bills := b.Snapshot().Bills()
	if at := slices.IndexFunc(bills, func(o akitad.Bill) bool { return o.Role == string(llm.RoleSummarizer) }); at < 0 || bills[at].Calls != m.asked {
		t.Errorf("%d summaries, bills %+v", m.asked, bills)
	}
}

// What cannot be put aside is not taken out of the window: the task is given back.
func TestNothingIsMaskedThatIsNotKept(t *testing.T) {
	m := &reader{pages: 28}
	r := windowed(t, m, window.Defaults(), 10_000, pages(500))
	r.kept.err = akitad.Errorf(akitad.Unavailable, "no store")
	b := newBook(t, journal.SubmittedData{Text: "read it all"})
	_, err := r.agent.Run(t.Context(), r.turn, b)
	if !isStore(err) || len(b.Snapshot().Reduced) != 0 {
		t.Errorf("%v, %d reductions", err, len(b.Snapshot().Reduced))
	}
}

func isStore(err error) bool { return errors.Is(err, agent.ErrStore) }

// The span of a window says what was done to it, and that the record was broken and had to be mended.
func TestTheWindowIsTraced(t *testing.T) {
	mem := &tracing.Memory{}
	tracer := tracing.New(mem, tracing.Options{})
	r := windowed(t, &reader{pages: 28, summary: says("progress: pages were read")}, window.Defaults(), 10_000, pages(500))
	r.opts.Tracer = tracer
	r.agent = agent.New(r.opts)
	b := newBook(t, journal.SubmittedData{Text: "read it all"})
	epoch := b.Snapshot().Epoch
	b.add(epoch, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "x", Tool: "page", Args: mustArgs(1)}}})
	b.add(epoch, journal.Round, journal.RoundData{}) // the result is lost
	if _, err := r.agent.Run(tracer.InTask(t.Context(), taskID, taskID), r.turn, b); err != nil {
		t.Fatal(err)
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	reduced, saved := 0, false
	for _, s := range mem.Find(akitad.SpanContext) {
		if err := tracing.Check(s); err != nil {
			t.Error(err)
		}
		has := func(key string) int { return number(t, s.Attributes[key]) }
		if s.Attributes["reduced"] == true {
			reduced++
		}
		saved = saved || has("masked") > 0 && has("stage") > 0 && has("tokens_before") > has("tokens_after")
		if has("tokens_after") > has("budget") || !strings.Contains(fmt.Sprint(s.Attributes["repaired"]), "call x has no result") {
			t.Errorf("%+v", s.Attributes)
		}
	}
	if reduced == 0 || reduced != len(b.Snapshot().Reduced) || !saved {
		t.Errorf("%d reductions on record, %d in the trace; room was made: %v", len(b.Snapshot().Reduced), reduced, saved)
	}
}

func number(t *testing.T, v any) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(fmt.Sprint(v), &n); err != nil {
		t.Fatalf("%v is no number", v)
	}
	return n
}
