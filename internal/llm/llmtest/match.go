package llmtest

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Match says whether a rule is meant for a request.
type Match func(llm.Request) bool

// Any matches every request.
func Any(llm.Request) bool { return true }

// Role matches requests of the role.
func Role(role llm.Role) Match { return func(r llm.Request) bool { return r.Role == role } }

// Task matches requests of the task.
func Task(id akitad.TaskID) Match { return func(r llm.Request) bool { return r.Task == id } }

// Says matches requests of which a user message contains the text.
func Says(text string) Match {
	return func(r llm.Request) bool {
		for _, m := range r.Messages {
			if m.Speaker == llm.User && strings.Contains(m.Text, text) {
				return true
			}
		}
		return false
	}
}

// Begins matches requests of which the first user message, the task's words, contains the text.
func Begins(text string) Match {
	return func(r llm.Request) bool {
		for _, m := range r.Messages {
			if m.Speaker == llm.User {
				return strings.Contains(m.Text, text)
			}
		}
		return false
	}
}

// System matches requests whose system prompt contains the text.
func System(text string) Match {
	return func(r llm.Request) bool { return strings.Contains(r.System, text) }
}

// Offers matches requests in which the tool is offered.
func Offers(tool string) Match {
	return func(r llm.Request) bool {
		for _, t := range r.Tools {
			if t.Name == tool {
				return true
			}
		}
		return false
	}
}

// All matches what every one of the matches does.
func All(ms ...Match) Match {
	return func(r llm.Request) bool {
		for _, m := range ms {
			if !m(r) {
				return false
			}
		}
		return true
	}
}

// Not matches what m does not.
func Not(m Match) Match { return func(r llm.Request) bool { return !m(r) } }

// round is how many answers of the model the request holds.
func round(req llm.Request) (n int) {
	for _, m := range req.Messages {
		if m.Speaker == llm.Assistant {
			n++
		}
	}
	return n
}
