// Package plan reads and checks Plan YAML, resolves the values that flow between its steps, and
// says, from what has ended so far, what may run next. Everything in it is a pure function: it
// starts no task, calls no tool and asks no model.
package plan
