// Package builtin holds the tools that every agent has: files, shell, questions, delegation, flows, the
// result and the clock. Policy, time limits and the cutting of long outputs are not theirs.
package builtin

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/internal/tool"
)

// A Runner runs programs shut off from everything but one folder; *sandbox.Sandbox is one.
type Runner interface {
	Run(ctx context.Context, c sandbox.Command) (sandbox.Output, error)
}

// Deps is what the tools need beside a call's own scope. Zero fields work.
type Deps struct {
	Sandbox   Runner           // nil: run_shell is refused
	ShellTime time.Duration    // how long its command may run, whole seconds; default 60 s
	Network   bool             // its command reaches the network, by the sandbox's proxy
	Profiles  func() []string  // the profiles that delegate may name; nil: none
	Flows     flow.Shelf       // the flows that run_flow may run; zero: none
	Now       func() time.Time // default time.Now, in the zone of the machine
	Open      Opener           // what read_artifact reads; nil: nothing
	Filter    *filter.Filter   // by which it searches; default filter.New
	Stickers  string           // the folder of the stickers that send_sticker knows everywhere; "": none
}

// All gives every built-in tool. Their order never changes: it is part of the prompt.
func All(d Deps) []tool.Tool {
	if d.Profiles == nil {
		d.Profiles = func() []string { return nil }
	}
	if d.Filter == nil {
		d.Filter = filter.New(filter.Options{})
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	return []tool.Tool{
		newListDirectory(), newReadFile(), newWriteFile(), newGlob(), newGrep(), newRunShell(d),
		newAskUser(d.Now), newDelegate(d.Profiles), newSubmitResult(d.Profiles), newClock(d.Now),
		newListFlows(d.Flows), newRunFlow(d.Flows),
		newReplan(), newReadArtifact(d.Open, d.Filter), newSendSticker(d.Stickers), newCallTool(), newFindTool(), newToolInfo(),
	}
}

// described is the part of a tool that says what it is.
type described struct{ info tool.Info }

// describe adds to an info the schema of A, the struct of the tool's arguments. It panics if A has no schema, which the
// first test shows.
func describe[A any](info tool.Info) described {
	schema, err := tool.SchemaOf[A]()
	if err != nil {
		panic(err)
	}
	info.Schema = schema
	return described{info}
}

// Info describes the tool.
func (d described) Info() tool.Info { return d.info }

// args reads a call's arguments, which have been checked against the schema, into their struct.
func (d described) args(in tool.Input, to any) error {
	raw := in.Args
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return akitad.Errorf(akitad.InvalidRequest, "%s: %w", d.info.Name, err)
	}
	if in.Scope.Dir == nil && d.info.Category == files {
		return akitad.Errorf(akitad.Unavailable, "%s: the task has no folder", d.info.Name)
	}
	return nil
}

// The categories.
const (
	files   = "files"
	shell   = "shell"
	agents  = "agents"
	chat    = "chat"
	system  = "system"
	plans   = "plan"
	persona = "persona"
)

// reader fills in what is the same for all tools that look at files: they may find any amount.
func reader(name, description string) tool.Info {
	return tool.Info{
		Name: name, Category: files, Description: description,
		Readonly: true, Idempotent: true, ParallelSafe: true, Unbounded: true, Risk: tool.RiskRead,
	}
}

// fromChat reports whether a file's text came from a chat, where anybody may have written it.
func fromChat(s tool.Scope, name string) bool {
	if !s.Origin.Interactive() {
		return false
	}
	given, err := s.Dir.Given(name)
	return err == nil && given
}

// count words a number: "1 line", "3 lines".
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
