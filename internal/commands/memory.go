package commands

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/memory"
)

// memory lists what is remembered about the person who asks, or forgets it: one entry by its id, or
// all of them once that is confirmed. Nobody sees or forgets another person's entries.
func (c *Commands) memory(ctx context.Context, m akitad.Message, args string) (string, error) {
	lang, person := c.lang(m), m.Origin.Person()
	words := strings.Fields(args)
	verb := ""
	if len(words) > 0 {
		verb = strings.ToLower(words[0])
	}
	switch {
	case person == "":
		return lang.MemoryNone(), nil
	case len(words) == 0 || (len(words) == 1 && verb == "list"):
		return c.remembered(ctx, m)
	case verb == "forget" && len(words) == 2 && strings.EqualFold(words[1], "all"):
		mine, err := c.mine(ctx, person)
		return lang.MemoryForgetAll(len(mine)), err
	case verb == "forget" && len(words) == 3 && strings.EqualFold(words[1], "all") && strings.EqualFold(words[2], "yes"):
		n, err := c.Memory.ForgetAll(ctx, person)
		return lang.MemoryAllForgotten(n), err
	case verb == "forget" && len(words) == 2:
		return c.forget(ctx, m, words[1])
	}
	return usage(lang, "memory"), nil
}

func (c *Commands) mine(ctx context.Context, person string) ([]memory.Entry, error) {
	return c.Memory.List(ctx, memory.Query{Person: person, Own: true})
}

func (c *Commands) remembered(ctx context.Context, m akitad.Message) (string, error) {
	lang := c.lang(m)
	entries, err := c.mine(ctx, m.Origin.Person())
	if err != nil {
		return "", err
	}
	if len(entries) == 0 {
		return lang.MemoryNone(), nil
	}
	var lines []string
	for _, e := range entries[:min(len(entries), maxListed)] {
		lines = append(lines, lang.MemoryLine(e.ID, string(e.Type), e.Text))
	}
	if more := len(entries) - len(lines); more > 0 {
		lines = append(lines, lang.MemoryMore(more))
	}
	return strings.Join(lines, "\n"), nil
}

func (c *Commands) forget(ctx context.Context, m akitad.Message, id string) (string, error) {
	lang, person := c.lang(m), m.Origin.Person()
	entries, err := c.mine(ctx, person)
	if err != nil {
		return "", err
	}
	said := id
	for _, e := range entries {
		if e.ID == id {
			said = e.Text
		}
	}
	err = c.Memory.Forget(ctx, id, person)
	if akitad.KindOf(err) == akitad.NotFound {
		return lang.MemoryNoSuch(id), nil
	}
	return lang.MemoryForgotten(said), err
}
