package commands

import (
	"context"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/memory"
)

// The words of /memory, in both languages.
var (
	listWords   = []string{"list", "ls", "show", "列表", "查看"}
	forgetWords = []string{"forget", "delete", "remove", "忘记", "删除"}
	allWords    = []string{"all", "everything", "全部", "所有"}
	sureWords   = []string{"yes", "sure", "confirm", "是", "是的", "确认"}
)

// memory lists what is remembered about the person who asks, or forgets it: one entry by its id, or
// all of them once that is confirmed. An owner's are also those that the home was told by command line or
// HTTP. Nobody sees or forgets another person's entries, and nobody's are shown to a group.
func (c *Commands) memory(ctx context.Context, r request) (string, error) {
	words := strings.Fields(strings.ToLower(r.args))
	is := func(n int, of []string) bool { return len(words) > n && slices.Contains(of, words[n]) }
	forget := is(0, forgetWords)
	switch {
	case r.Origin.Person() == "":
		return r.lang.MemoryEmpty(), nil
	case len(words) == 0, len(words) == 1 && is(0, listWords):
		return c.remembered(ctx, r)
	case forget && is(1, allWords) && len(words) <= 3:
		return c.forgetAll(ctx, r, is(2, sureWords))
	case forget && len(words) == 2:
		return c.forget(ctx, r, strings.Fields(r.args)[1])
	}
	return usage(r.lang, "memory"), nil
}

func (c *Commands) mine(ctx context.Context, from akitad.Origin) ([]memory.Entry, error) {
	return c.Memory.List(ctx, memory.Query{Person: from.Person(), Also: from.Hears(), Own: true})
}

// askers returns the people whose entries are the asker's own.
func askers(from akitad.Origin) []string {
	return slices.DeleteFunc([]string{from.Person(), from.Hears()}, func(p string) bool { return p == "" })
}

func (c *Commands) remembered(ctx context.Context, r request) (string, error) {
	if r.Origin.Group {
		return r.lang.MemoryPrivate(), nil
	}
	entries, err := c.mine(ctx, r.Origin)
	if err != nil {
		return "", err
	}
	if len(entries) == 0 {
		return r.lang.MemoryEmpty(), nil
	}
	var lines []string
	for _, e := range entries[:min(len(entries), maxListed)] {
		lines = append(lines, r.lang.MemoryLine(e.ID, string(e.Type), e.Text))
	}
	if more := len(entries) - len(lines); more > 0 {
		lines = append(lines, r.lang.MemoryMore(more))
	}
	return strings.Join(lines, "\n"), nil
}

// forgetAll forgets everything about the person, once they have confirmed it.
func (c *Commands) forgetAll(ctx context.Context, r request, sure bool) (string, error) {
	if sure {
		all := 0
		for _, person := range askers(r.Origin) {
			n, err := c.Memory.ForgetAll(ctx, person)
			if all += n; err != nil {
				return "", err
			}
		}
		return r.lang.MemoryAllForgotten(all), nil
	}
	mine, err := c.mine(ctx, r.Origin)
	if err == nil && len(mine) == 0 {
		return r.lang.MemoryEmpty(), nil
	}
	return r.lang.MemoryForgetAll(len(mine)), err
}

func (c *Commands) forget(ctx context.Context, r request, id string) (string, error) {
	entries, err := c.mine(ctx, r.Origin)
	if err != nil {
		return "", err
	}
	said := id
	for _, e := range entries {
		if e.ID == id {
			said = e.Text
		}
	}
	for _, person := range askers(r.Origin) {
		if err = c.Memory.Forget(ctx, id, person); akitad.KindOf(err) != akitad.NotFound {
			break
		}
	}
	if akitad.KindOf(err) == akitad.NotFound {
		return r.lang.MemoryNoSuch(id), nil
	}
	if r.Origin.Group {
		said = id
	}
	return r.lang.MemoryForgotten(said), err
}
