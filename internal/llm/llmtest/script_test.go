package llmtest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// recorder stands in for a test that a script is expected to fail.
type recorder struct {
	testing.TB
	errors  []string
	cleanup []func()
}

func (r *recorder) Helper()           {}
func (r *recorder) Cleanup(f func())  { r.cleanup = append(r.cleanup, f) }
func (r *recorder) Error(args ...any) { r.errors = append(r.errors, args[0].(error).Error()) }

func user(task, text string) llm.Request {
	return llm.Request{Task: akitad.TaskID(task), Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: text}}}
}

func answered(req llm.Request, n int) llm.Request {
	for range n {
		req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Text: "x"})
	}
	return req
}

func TestScriptEndsLoudly(t *testing.T) {
	r := &recorder{}
	s := llmtest.New(r, llmtest.Text("one"))
	if reply, err := s.Generate(t.Context(), user("t_1", "a")); err != nil || reply.Text != "one" {
		t.Fatalf("%q, %v", reply.Text, err)
	}
	_, err := s.Generate(t.Context(), user("t_1", "where is the log?"))
	if err == nil || len(r.errors) != 1 || !strings.Contains(r.errors[0], `task "t_1", role "main", round 1, last message user "where is the log?"`) {
		t.Errorf("error %v, test told %q", err, r.errors)
	}
	for _, f := range r.cleanup {
		f()
	}
	if _, err := s.Generate(t.Context(), user("t_1", "late")); err == nil || len(r.errors) != 1 {
		t.Errorf("a test that has ended was told again: %q", r.errors)
	}
}

func TestRulesAndModes(t *testing.T) {
	s := llmtest.New(t).
		On(llmtest.Role(llm.RolePlanner), llmtest.Text("plan 1"), llmtest.Text("plan 2")).
		Each(llmtest.Says("each"), llmtest.Text("e1"), llmtest.Text("e2")).
		Rounds(llmtest.All(llmtest.Begins("rounds"), llmtest.Not(llmtest.System("other"))), llmtest.Text("r0"), llmtest.Text("r1")).
		Always(llmtest.Task("t_x"), llmtest.Text("x")).
		Always(llmtest.Offers("grep"), llmtest.Text("g"))
	planner := user("t_p", "p")
	planner.Role = llm.RolePlanner
	grep := user("t_g", "g")
	grep.Tools = []llm.Tool{{Name: "grep"}}
	for _, tt := range []struct {
		req  llm.Request
		want string
	}{
		{planner, "plan 1"},
		{planner, "plan 2"},
		{user("t_a", "each"), "e1"},
		{user("t_b", "each"), "e1"},
		{user("t_a", "each"), "e2"},
		{user("t_b", "each"), "e2"},
		{user("t_c", "rounds"), "r0"},
		{user("t_c", "rounds"), "r0"},
		{answered(user("t_c", "rounds"), 1), "r1"},
		{user("t_c", "rounds"), "r0"},
		{user("t_x", "?"), "x"},
		{user("t_x", "?"), "x"},
		{grep, "g"},
	} {
		reply, err := s.Generate(t.Context(), tt.req)
		if err != nil || reply.Text != tt.want {
			t.Errorf("%s %q: %q, %v; want %q", tt.req.Task, tt.req.Messages[0].Text, reply.Text, err, tt.want)
		}
	}
	if s.Left() != 0 || len(s.Requests()) != 13 {
		t.Errorf("%d turns left, %d requests", s.Left(), len(s.Requests()))
	}
}

func TestHoldKeepsRepliesUntilReleased(t *testing.T) {
	hold := llmtest.NewHold()
	s := llmtest.New(t).Always(llmtest.Says("slow"), llmtest.Text("late").Held(hold)).Always(llmtest.Any, llmtest.Text("now"))
	replies := make(chan string, 2)
	for _, task := range []string{"t_1", "t_2"} {
		go func() {
			reply, _ := s.Generate(t.Context(), user(task, "slow"))
			replies <- reply.Text
		}()
	}
	seen := map[akitad.TaskID]bool{(<-hold.Arrived()).Task: true}
	seen[(<-hold.Arrived()).Task] = true
	if reply, _ := s.Generate(t.Context(), user("t_3", "fast")); reply.Text != "now" || len(replies) != 0 || !seen["t_1"] || !seen["t_2"] {
		t.Errorf("%q, %d released, arrived %v", reply.Text, len(replies), seen)
	}
	hold.Release()
	if a, b := <-replies, <-replies; a != "late" || b != "late" {
		t.Errorf("%q, %q", a, b)
	}
}

func TestHeldRepliesEndWithTheContext(t *testing.T) {
	s := llmtest.New(t)
	hold := s.Hold(llmtest.Text("never"))
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error, 1)
	go func() { _, err := s.Generate(ctx, user("t_1", "a")); done <- err }()
	<-hold.Arrived()
	why := errors.New("enough")
	cancel(why)
	if err := <-done; !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

func TestTurns(t *testing.T) {
	call := llmtest.Call("read", map[string]any{"p": 1})
	s := llmtest.New(t, llmtest.Calls(call, call).Saying("look").Using(5, 2, 1), llmtest.FailKind(akitad.Timeout),
		llmtest.Do(func(r llm.Request) (llm.Reply, error) { return llm.Reply{Text: "to " + r.Messages[0].Text}, nil }),
		llmtest.Text("half").Ending(llm.FinishLength))
	var live string
	req := user("t_1", "me")
	req.OnText = func(s string) { live = s }
	reply, err := s.Generate(t.Context(), req)
	if err != nil || len(reply.Calls) != 2 || reply.Calls[0].ID == reply.Calls[1].ID || reply.Finish != llm.FinishCalls || live != "look" {
		t.Errorf("%+v, %v, live %q", reply, err, live)
	}
	if want := (akitad.Usage{Input: 5, Cached: 2, Output: 1, Calls: 1}); reply.Usage != want {
		t.Errorf("usage %+v", reply.Usage)
	}
	if _, err := s.Generate(t.Context(), req); akitad.KindOf(err) != akitad.Timeout {
		t.Errorf("got %v", err)
	}
	if reply, _ := s.Generate(t.Context(), req); reply.Text != "to me" || reply.Finish != llm.FinishStop {
		t.Errorf("%+v", reply)
	}
	if reply, _ := s.Generate(t.Context(), req); reply.Finish != llm.FinishLength {
		t.Errorf("%+v", reply)
	}
}

func TestManyTasksAtOnce(t *testing.T) {
	s := llmtest.New(t).Each(llmtest.Any, llmtest.Text("1"), llmtest.Text("2"), llmtest.Text("3"))
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for _, want := range []string{"1", "2", "3"} {
				if reply, err := s.Generate(t.Context(), user("t_"+string(rune('A'+i)), "go")); err != nil || reply.Text != want {
					t.Errorf("task %d: %q, %v; want %q", i, reply.Text, err, want)
				}
			}
		})
	}
	wg.Wait()
}
