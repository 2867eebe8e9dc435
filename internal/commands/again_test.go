package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/orchestrator"
)

// asking is a house in which "ask" waits for an answer and anything else is answered at once.
func asking(t *testing.T) *chat {
	t.Helper()
	ask := llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Which?"}))
	script := llmtest.New(t)
	for i := range 5 {
		script.On(llmtest.Begins(fmt.Sprint("ask ", i)), ask, ask, llmtest.Text("asked"))
	}
	return newChat(t, script.Always(llmtest.Any, llmtest.Text("done")))
}

func (c *chat) asks(nr int) *journal.Task {
	c.t.Helper()
	return c.until(c.says("7", fmt.Sprint("ask ", nr), nil), waits)
}

func (c *chat) load(id akitad.TaskID) *journal.Task {
	c.t.Helper()
	t, err := c.Journal.Load(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return t
}

// A chat service may hand a command over again, after a crash, when the session has gone on: it does no
// more than it did, above all not to what began since.
func TestACommandThatComesAgain(t *testing.T) {
	for _, words := range []string{"/stop", "/new", "/新对话", "/cancel"} {
		t.Run(words, func(t *testing.T) {
			c := asking(t)
			first, m := c.asks(0), from("7", words)
			c.serve(m)
			c.until(first.ID, (*journal.Task).Final)
			second := c.asks(1)
			c.serve(m)
			if got := c.load(second.ID); got.Final() || got.AskedCancel {
				t.Errorf("the next task is %s %+v", got.State, got.Error)
			}
		})
	}
	t.Run("/new TEXT", func(t *testing.T) {
		c := asking(t)
		m := from("7", "/new ask 2")
		c.serve(m)
		own := c.until(m.Task, waits)
		c.serve(m)
		if got := c.load(own.ID); got.Final() || got.AskedCancel {
			t.Errorf("its own task is %s %+v", got.State, got.Error)
		}
		c.run("7", "/stop")
		c.until(own.ID, (*journal.Task).Final)
		if next := c.load(c.says("7", "next", nil)); next.Sub.Follows != own.ID {
			t.Errorf("the next message follows %q, not the conversation that was begun", next.Sub.Follows)
		}
	})
	t.Run("/stop when nothing ran", func(t *testing.T) {
		c := asking(t)
		m := from("7", "/stop")
		c.serve(m)
		later := c.asks(0)
		c.serve(m)
		if got := c.load(later.ID); got.Final() || got.AskedCancel {
			t.Errorf("the task that came later is %s", got.State)
		}
	})
	t.Run("/approve", func(t *testing.T) {
		c := asking(t)
		task, m := c.asks(0), from("7", "/approve yes")
		one := orchestrator.Questions(task)[0].ID
		c.serve(m)
		c.until(task.ID, func(t *journal.Task) bool { return waits(t) && orchestrator.Questions(t)[0].ID != one })
		c.serve(m)
		if got := c.load(task.ID); !waits(got) {
			t.Errorf("the second question was answered by what answered the first: the task is %s", got.State)
		}
	})
	t.Run("/approve when nothing was asked", func(t *testing.T) {
		c := asking(t)
		m := from("7", "/approve yes")
		c.serve(m)
		later := c.asks(0)
		if c.serve(m); !waits(c.load(later.ID)) {
			t.Errorf("a question that came later was answered: the task is %s", c.load(later.ID).State)
		}
	})
	t.Run("/approve TASK", func(t *testing.T) {
		c := asking(t)
		task := c.asks(0)
		one, m := orchestrator.Questions(task)[0].ID, from("7", "/approve "+string(task.ID)+" yes")
		c.serve(m)
		c.until(task.ID, func(t *journal.Task) bool { return waits(t) && orchestrator.Questions(t)[0].ID != one })
		if c.serve(m); !waits(c.load(task.ID)) {
			t.Errorf("the second question was answered by what answered the first: the task is %s", c.load(task.ID).State)
		}
	})
	t.Run("/steer", func(t *testing.T) {
		c := asking(t)
		task, m := c.asks(0), from("7", "/steer only this one")
		c.serve(m) // answers the question
		c.until(task.ID, func(t *journal.Task) bool { return waits(t) && len(t.Rounds) == 2 })
		c.serve(m)
		if got := c.load(task.ID); len(got.Steers) > 0 || !waits(got) {
			t.Errorf("the second question: %s %+v", got.State, got.Steers)
		}
		c.run("7", "/stop")
		next := c.asks(1)
		c.serve(m)
		if got := c.load(next.ID); len(got.Steers) > 0 || !waits(got) {
			t.Errorf("the next task was steered: %s %+v", got.State, got.Steers)
		}
	})
	t.Run("/rate", func(t *testing.T) {
		c := asking(t)
		one := c.until(c.says("7", "one", nil), (*journal.Task).Final)
		m := from("7", "/rate 2")
		c.serve(m)
		two := c.until(c.says("7", "two", nil), (*journal.Task).Final)
		if reply := c.serve(m); c.load(two.ID).Rating != 0 || !strings.Contains(reply, string(one.ID)) {
			t.Errorf("the next answer has %d stars; %s", c.load(two.ID).Rating, reply)
		}
	})
}
