// Package commands serves what a person types with a leading slash in a chat. It steers what the
// orchestrator does and shows what journals and memory hold; it sends nothing itself.
package commands

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/memory"
	"github.com/akitad/akitad/orchestrator"
)

// Deps is what commands work with; all but Endpoints are required.
type Deps struct {
	Orchestrator *orchestrator.Orchestrator
	Journal      *journal.Journal
	Projection   *projection.Projection
	Memory       *memory.Memory

	// Endpoints tells how the model endpoints stand, for /model. Nil: names alone are shown.
	Endpoints func(context.Context) ([]llm.Status, error)
}

// Commands serves the chat commands.
type Commands struct {
	Deps
	table map[string]command
}

// request is one command as a person gave it.
type request struct {
	akitad.Message
	name string // as it was typed, with the slash
	args string // the words behind the name, with the blanks around them cut
	lang text.Lang
	set  orchestrator.Preferences // of the conversation
}

// command serves one command.
type command func(ctx context.Context, r request) (reply string, err error)

// New returns the commands.
func New(d Deps) *Commands {
	c := &Commands{Deps: d}
	c.table = map[string]command{
		"help": c.help, "new": c.fresh, "stop": c.stop, "status": c.status, "task": c.task, "steer": c.steer, "plan": c.plan,
		"memory": c.memory, "flow": c.flow, "model": c.model, "persona": c.persona, "approve": c.approve, "rate": c.rate,
		"lang": c.language, "id": c.identity,
	}
	return c
}

// Run serves a message that is a command; handled is false for other words. An unknown command is
// answered with the nearest one or a pointer to /help. An error means that the store could not be
// asked: the same message again does the same.
func (c *Commands) Run(ctx context.Context, m akitad.Message) (reply string, handled bool, err error) {
	name, args, ok := split(m.Text)
	if !ok {
		return "", false, nil
	}
	r := request{Message: m, name: "/" + name, args: args}
	if m.Session != "" {
		if r.set, err = c.Orchestrator.Preferences(ctx, m.Session); err != nil {
			return "", true, err
		}
	}
	r.lang = r.language()
	info, known := find(name)
	if !known {
		return r.unknown(name), true, nil
	}
	reply, err = c.table[info.Name](ctx, r)
	return reply, true, err
}

// help lists the commands, or tells one of them.
func (c *Commands) help(_ context.Context, r request) (string, error) {
	if name, _ := oneValue(r.args); name != "" && !strings.EqualFold(r.name, "/start") {
		if info, ok := find(strings.TrimLeft(name, slashes)); ok {
			return info.Usage(r.lang), nil
		}
	}
	var lines []string
	for _, i := range List() {
		lines = append(lines, i.Usage(r.lang))
	}
	return r.lang.Help(lines), nil
}

func (c *Commands) identity(_ context.Context, r request) (string, error) {
	return r.lang.Identity(r.Origin.Sender, r.Origin.Chat, r.Origin.Thread), nil
}
