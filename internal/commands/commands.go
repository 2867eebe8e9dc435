// Package commands serves what a person types with a leading slash in a chat. It steers what the
// orchestrator does and shows what journals and memory hold; it sends nothing itself.
package commands

import (
	"context"
	"regexp"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/memory"
	"github.com/akitad/akitad/orchestrator"
)

// Deps is what commands work with; all are required.
type Deps struct {
	Orchestrator *orchestrator.Orchestrator
	Journal      *journal.Journal
	Projection   *projection.Projection
	Memory       *memory.Memory
}

// Commands serves the chat commands.
type Commands struct {
	Deps
	table map[string]command
}

// command serves one command. args are the words behind its name, with the blanks around them cut.
type command func(ctx context.Context, m akitad.Message, args string) (reply string, err error)

// New gives the commands.
func New(d Deps) *Commands {
	c := &Commands{Deps: d}
	c.table = map[string]command{
		"help": c.help, "start": c.help, "new": c.fresh, "stop": c.stop, "status": c.status, "task": c.task,
		"steer": c.steer, "plan": c.plan, "memory": c.memory, "flow": c.flow, "id": c.identity,
	}
	return c
}

// form is what a command looks like; a path such as /var/log/a.log is none.
var form = regexp.MustCompile(`^/([A-Za-z][A-Za-z0-9_]{0,31})(?:\s+|$)`)

// Run serves a message that is a command; handled is false for other words. An unknown command is
// answered with a pointer to /help. An error means that the store could not be asked: the same message
// again does the same.
func (c *Commands) Run(ctx context.Context, m akitad.Message) (reply string, handled bool, err error) {
	found := form.FindStringSubmatch(m.Text)
	if found == nil {
		return "", false, nil
	}
	run, ok := c.table[strings.ToLower(found[1])]
	if !ok {
		return c.lang(m).UnknownCommand("/" + found[1]), true, nil
	}
	reply, err = run(ctx, m, strings.TrimSpace(m.Text[len(found[0]):]))
	return reply, true, err
}

// lang is the language of the words behind the command or, for a bare command, of the person's client.
func (c *Commands) lang(m akitad.Message) text.Lang { return text.Lang(m.Origin.Lang) }

func (c *Commands) help(_ context.Context, m akitad.Message, _ string) (string, error) {
	var lines []string
	for _, i := range List() {
		if c.table[i.Name] != nil {
			lines = append(lines, i.Usage(c.lang(m)))
		}
	}
	return c.lang(m).Help(lines), nil
}

func (c *Commands) identity(_ context.Context, m akitad.Message, _ string) (string, error) {
	return c.lang(m).Identity(m.Origin.Sender, m.Origin.Chat, m.Origin.Thread), nil
}
