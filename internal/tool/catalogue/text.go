package catalogue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/sorting"
	"github.com/akitad/akitad/internal/tool"
)

// Limits of catalogues, in bytes.
const (
	MostHouse   = 2_000 // of the tools of the house, in the description of call_tool
	MostServers = 4_000 // of the tools of servers, in the first message of a task
	mostLine    = 90    // characters of what a line says of a tool
	mostGroups  = 30    // groups that are named
	mostArgs    = 12    // arguments that are named
)

// Text describes tools by category or server, in the order in which these come first: a line for each tool (Line) as long as
// that fits limit, in bytes; else the largest groups get only the names of their tools, and then only their number. Since
// numbers always stand there, for up to 30 groups, a text may be longer than a limit that is too small for them. Where
// names are left out, a last line points to find_tool.
func Text(tools []tool.Info, limit int) string {
	groups := grouped(tools)
	more := ""
	if len(groups) > mostGroups {
		more = fmt.Sprintf("and %d more groups\n", len(groups)-mostGroups)
		groups = groups[:mostGroups]
	}
	fill(groups, limit)
	if more != "" || slices.ContainsFunc(groups, func(g *group) bool { return g.as == counted }) {
		more += "find_tool finds those that are not named here.\n"
	}
	var b strings.Builder
	for _, g := range groups {
		b.WriteString(g.text())
	}
	return b.String() + more
}

// fill lets groups say as much as there is room for, the smallest first: all their names before any of them
// has lines. A group whose names do not fit gets none.
func fill(groups []*group, limit int) {
	small := slices.Clone(groups)
	sorting.By(small, func(a, b *group) int { return len(a.tools) - len(b.tools) })
	for _, as := range []form{names, lines} {
		for _, g := range small {
			if g.as != as-1 {
				continue
			}
			if g.as = as; size(groups) > limit {
				g.as = as - 1
			}
		}
	}
}

// Groups returns how many tools there are of each category or server, a line each.
func Groups(tools []tool.Info) string { return Text(tools, 0) }

// form is how much is said of a group.
type form int

const (
	counted form = iota // the number of its tools
	names               // their names
	lines               // a line for each
)

type group struct {
	name  string
	tools []tool.Info
	as    form
	texts [3]string // by form, once written
}

// grouped returns the groups in the order of their first tools.
func grouped(tools []tool.Info) (groups []*group) {
	byName := map[string]*group{}
	for _, t := range tools {
		name := home(t)
		if byName[name] == nil {
			byName[name] = &group{name: name}
			groups = append(groups, byName[name])
		}
		byName[name].tools = append(byName[name].tools, t)
	}
	return groups
}

// home is the group of a tool.
func home(t tool.Info) string { return cmp.Or(t.Server, t.Category, "other") }

func size(groups []*group) (n int) {
	for _, g := range groups {
		n += len(g.text())
	}
	return n
}

func (g *group) text() string {
	if g.texts[g.as] == "" {
		g.texts[g.as] = g.write()
	}
	return g.texts[g.as]
}

func (g *group) write() string {
	var b strings.Builder
	switch g.as {
	case counted:
		fmt.Fprintf(&b, "%s: %d tools\n", g.name, len(g.tools))
	case names:
		var all []string
		for _, t := range g.tools {
			all = append(all, t.Name)
		}
		fmt.Fprintf(&b, "%s: %s\n", g.name, strings.Join(all, ", "))
	case lines:
		b.WriteString(g.name + ":\n")
		for _, t := range g.tools {
			b.WriteString(Line(t) + "\n")
		}
	}
	return b.String()
}

// Line returns what a model must know of a tool to think of it: its name, the arguments that must be given and the first
// sentence of its description, in at most 90 characters: "- remember(text, ...): Keep one lasting fact". It has no line end.
func Line(t tool.Info) string {
	return "- " + t.Name + short(t) + ": " + sentence(t.Description, mostLine)
}

// arguments returns the names of a schema's properties: those that must be given in the schema's order, the others sorted.
func arguments(schema json.RawMessage) (must, may []string) {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil, nil
	}
	for name := range s.Properties {
		if !slices.Contains(s.Required, name) {
			may = append(may, name)
		}
	}
	slices.Sort(may)
	return s.Required, may
}

// short names the arguments that must be given; dots say that there are others.
func short(t tool.Info) string {
	must, may := arguments(t.Schema)
	must = must[:min(len(must), mostArgs)]
	if len(may) > 0 {
		must = append(slices.Clone(must), "...")
	}
	return "(" + strings.Join(must, ", ") + ")"
}

// long names all arguments; those with a question mark may be left out.
func long(t tool.Info) string {
	all, may := arguments(t.Schema)
	all = slices.Clone(all)
	for _, name := range may {
		all = append(all, name+"?")
	}
	if len(all) > mostArgs {
		all = append(all[:mostArgs], "...")
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// sentence returns the first sentence of a text's first line without its full stop, in at most most characters.
func sentence(text string, most int) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	for _, end := range []string{". ", "。"} {
		text, _, _ = strings.Cut(text, end)
	}
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	if runes := []rune(text); len(runes) > most {
		return strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return text
}
