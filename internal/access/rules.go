package access

import (
	"maps"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// rules are what the configuration says.
type rules struct {
	allow, owners, groups ids
	pairing               bool
}

// ids is a list of ids, or all of them.
type ids struct {
	set map[string]bool
	any bool
}

func newRules(o Options) rules {
	r := rules{allow: newIDs(o.Allow), owners: newIDs(o.Owners), groups: newIDs(o.Groups), pairing: o.Pairing}
	r.owners.any = false
	if first := firstOf(o.Allow); first != "" && !r.allow.any {
		r.owners.set[first] = true
	}
	return r
}

func firstOf(list []string) string {
	for _, e := range list {
		if e = strings.TrimSpace(e); e != "" {
			return e
		}
	}
	return ""
}

func newIDs(list []string) ids {
	out := ids{set: map[string]bool{}}
	for _, e := range list {
		switch e = strings.TrimSpace(e); e {
		case "":
		case "*":
			out.any = true
		default:
			out.set[e] = true
		}
	}
	return out
}

func (l ids) has(id string) bool { return l.any || l.set[id] }

// list returns the ids in order, with "*" for all.
func (l ids) list() []string {
	out := slices.Sorted(maps.Keys(l.set))
	if l.any {
		out = append([]string{"*"}, out...)
	}
	return out
}

func (l ids) hasAny(all []string) bool { return slices.ContainsFunc(all, l.has) }

// senders returns every id that the service has for who wrote.
func senders(m akitad.Message) []string {
	out := make([]string, 0, 1+len(m.Aliases))
	for _, id := range append([]string{m.Origin.Sender}, m.Aliases...) {
		if id != "" && id != "*" {
			out = append(out, id)
		}
	}
	return out
}

// owner returns the id by which the configuration names the owner who wrote, empty if no owner did.
func (r rules) owner(m akitad.Message) string {
	for _, id := range senders(m) {
		if r.owners.has(id) {
			return id
		}
	}
	return ""
}

// onlyOwner reports whether the person is an owner, and every other one is shut out.
func (r rules) onlyOwner(rec record, id string) bool {
	for other := range r.owners.set {
		if other != id && !rec.denies([]string{other}) {
			return false
		}
	}
	return r.owners.set[id]
}

// judge is the rule, without codes.
func (r rules) judge(rec record, m akitad.Message) Verdict {
	v := Verdict{Chat: rec.first(m.Origin.Chat)}
	who := senders(m)
	switch {
	case len(who) == 0:
		v.Why = Nobody
	case m.Origin.Group && !r.group(rec, m.Origin.Chat):
		v.Why = OtherGroup
	case rec.denies(who):
		v.Why = Denied
	case r.owners.hasAny(who):
		v.Why, v.Owner = Listed, true
	case r.allow.hasAny(who):
		v.Why = Listed
	case rec.knows(who):
		v.Why = Paired
	default:
		v.Why = Stranger
	}
	if known := v.Why == Listed || v.Why == Paired; known && !toBot(m) {
		v.Why, v.Owner = NotToUs, false
	} else {
		v.Allowed = known
	}
	return v
}

// toBot reports whether a message counts as one to the bot. Of an album that shows only when all its parts
// are together.
func toBot(m akitad.Message) bool {
	return !m.Origin.Group || m.Addressed || m.Press != nil || m.Album != ""
}

// group reports whether a group is allowed, by any of the ids that it has had.
func (r rules) group(rec record, chat string) bool {
	return slices.ContainsFunc(rec.names(chat), r.groups.has)
}

func (r rules) mayPair(v Verdict, m akitad.Message) bool {
	return r.pairing && v.Why == Stranger && !m.Origin.Group && m.Press == nil
}
