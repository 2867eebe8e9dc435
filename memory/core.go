package memory

import (
	"cmp"
	"context"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/sorting"
)

// Core gives the part of memory that belongs into every prompt of who asks (Person and Also of the query;
// nobody for tasks without a person): what binds the agent and what is so for good, global and their own, as Markdown list
// items, the most important first, at most Options.Core bytes. An entry that does not fit whole is left
// to Recall; none is ever cut. It is data about the person, to be placed as such. Files that cannot
// be read are logged and left out.
func (m *Memory) Core(who Query) string {
	q := Query{Person: who.Person, Also: who.Also, Now: time.Now()}
	c, err := m.corpus(context.Background(), q)
	if err != nil {
		m.opts.Log.Warn("memory file not read", zap.Error(err))
	}
	var core []*Entry
	for i, p := range c.pages {
		for at := range p.doc.items {
			if e := &p.doc.items[at].entry; c.live[i][at] && inCore(e) {
				core = append(core, e)
			}
		}
	}
	sorting.By(core, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(b.Type.importance(), a.Type.importance()), b.At.Compare(a.At), cmp.Compare(a.ID, b.ID))
	})
	return fit(core, m.opts.Core)
}

// inCore leaves out what passes: conversations, what is going on, what was tried.
func inCore(e *Entry) bool {
	switch e.Type {
	case Rule, Preference, Fact, Skill:
		return e.Scope.Session() == "" && e.Until.IsZero()
	}
	return false
}

func fit(core []*Entry, limit int) string {
	var b strings.Builder
	for _, e := range core {
		if b.Len()+len("- \n")+len(e.Text) > limit {
			continue
		}
		if line := "- " + quote(e.Text) + "\n"; b.Len()+len(line) <= limit {
			b.WriteString(line)
		}
	}
	return b.String()
}
