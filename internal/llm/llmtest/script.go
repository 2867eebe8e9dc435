package llmtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Script is a Provider that replays turns. Rules are asked in the order in which they were added;
// the first that matches and has a turn left answers. A request that no rule answers fails the
// test. A Script is safe for use by many goroutines.
type Script struct {
	t testing.TB // nil outside of tests

	mu       sync.Mutex
	ended    bool
	rules    []*rule
	requests []llm.Request
	forget   bool // a server's: keep no requests
}

// How a rule goes through its turns.
type mode string

const (
	inOrder mode = "order" // one after the other, whoever asks
	perTask mode = "task"  // one after the other for each task
	byRound mode = "round" // by how many answers the request holds already; repeats for a repeated request
	forever mode = "always"
)

type rule struct {
	match Match
	mode  mode
	turns []Turn
	next  map[akitad.TaskID]int
}

// New makes a script whose turns answer any request, in order. t may be nil, when a script is used
// outside of a test.
func New(t testing.TB, turns ...Turn) *Script {
	s := &Script{t: t}
	if t != nil {
		t.Cleanup(s.end)
	}
	if len(turns) > 0 {
		s.add(Any, inOrder, turns)
	}
	return s
}

// On adds a rule that plays the turns in order, whoever asks.
func (s *Script) On(m Match, turns ...Turn) *Script { return s.add(m, inOrder, turns) }

// Each adds a rule that plays the turns in order for each task.
func (s *Script) Each(m Match, turns ...Turn) *Script { return s.add(m, perTask, turns) }

// Rounds adds a rule that picks the turn by the number of answers that the request holds already,
// so that a request made again after a crash gets the same turn again.
func (s *Script) Rounds(m Match, turns ...Turn) *Script { return s.add(m, byRound, turns) }

// Always adds a rule that gives the same turn every time.
func (s *Script) Always(m Match, turn Turn) *Script { return s.add(m, forever, []Turn{turn}) }

// Hold adds a turn to answer any request in order, held back until the handle is released.
func (s *Script) Hold(turn Turn) *Hold {
	h := NewHold()
	s.add(Any, inOrder, []Turn{turn.Held(h)})
	return h
}

func (s *Script) add(m Match, how mode, turns []Turn) *Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, &rule{match: m, mode: how, turns: turns, next: map[akitad.TaskID]int{}})
	return s
}

// Generate implements llm.Provider.
func (s *Script) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, context.Cause(ctx)
	}
	turn, err := s.take(req)
	if err != nil {
		return llm.Reply{}, err
	}
	reply, err := turn.play(ctx, req, round(req))
	if err == nil && req.OnText != nil && reply.Text != "" {
		req.OnText(reply.Text)
	}
	return reply, err
}

// take records the request and picks the turn for it.
func (s *Script) take(req llm.Request) (Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.forget {
		s.requests = append(s.requests, req)
	}
	for _, r := range s.rules {
		if turn, ok := r.take(req); ok {
			return turn, nil
		}
	}
	err := akitad.Errorf(akitad.InvalidRequest, "llmtest: the script has no turn for %s", describe(req))
	if s.t != nil && !s.ended {
		s.t.Error(err)
	}
	return Turn{}, err
}

func (r *rule) take(req llm.Request) (Turn, bool) {
	if !r.match(req) {
		return Turn{}, false
	}
	var key akitad.TaskID
	at := 0
	switch r.mode {
	case forever:
		return r.turns[0], true
	case byRound:
		at = round(req)
	case perTask:
		key = req.Task
		at = r.next[key]
	case inOrder:
		at = r.next[key]
	}
	if at >= len(r.turns) {
		return Turn{}, false
	}
	r.next[key]++
	return r.turns[at], true
}

func (s *Script) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

// Requests returns every request so far, in order of arrival.
func (s *Script) Requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Left returns how many turns of rules that play in order nobody has asked for.
func (s *Script) Left() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rules {
		if r.mode == inOrder {
			n += max(0, len(r.turns)-r.next[""])
		}
	}
	return n
}

func describe(req llm.Request) string {
	last := ""
	if n := len(req.Messages); n > 0 {
		m := req.Messages[n-1]
		last = m.Text
		for _, o := range m.Results {
			last += o.Text
		}
		last = fmt.Sprintf(", last message %s %.200q", m.Speaker, last)
	}
	return fmt.Sprintf("task %q, role %q, round %d%s", req.Task, req.Role, round(req)+1, last)
}
