package plan

import (
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// Needs gives the ids of the steps that s comes after: those it names, in its order, then those
// whose output it uses.
func Needs(s akitad.Step) []string {
	out := slices.Clone(s.Needs)
	for _, r := range stepRefs(s) {
		if r.root == "steps" && !slices.Contains(out, r.name) {
			out = append(out, r.name)
		}
	}
	return out
}

// stepRefs gives all references in s that can be read.
func stepRefs(s akitad.Step) []ref {
	var out []ref
	for _, f := range fields(s) {
		out = append(out, f.refs...)
	}
	return out
}

// field is a place in a step where expressions may stand.
type field struct {
	key  string
	refs []ref
	err  error
	item bool // item and index mean something here, if the step has a for_each
}

func fields(s akitad.Step) []field {
	var out []field
	add := func(key string, v any) {
		refs, err := refsIn(v)
		if len(refs) > 0 || err != nil {
			out = append(out, field{key, refs, err, true})
		}
	}
	if s.With != nil {
		add("with", s.With)
	}
	add("prompt", s.Prompt)
	add("goal", s.Goal)
	add("idempotency_key", s.IdempotencyKey)
	for _, f := range s.Files {
		add("files", f)
	}
	if s.Verify != nil {
		add("verify", s.Verify.Command)
	}
	if s.When != "" {
		e, err := parseWhen(s.When)
		f := field{key: "when", err: err}
		if err == nil {
			f.refs = e.refs()
		}
		out = append(out, f)
	}
	if s.ForEach != "" {
		refs, err := eachRefs(s.ForEach)
		out = append(out, field{key: "for_each", refs: refs, err: err})
	}
	return out
}

// graph is a plan's steps with what each comes after, direct or not.
type graph struct {
	p     akitad.Plan
	index map[string]int
	needs [][]int  // direct, in order; unknown ids left out
	above [][]bool // above[i][j]: step i comes after step j
	order []int    // plan order, save that what a step needs stands before it
	cycle []int    // steps that need each other; left out of order
}

func newGraph(p akitad.Plan) *graph {
	g := &graph{p: p, index: make(map[string]int, len(p.Steps)), needs: make([][]int, len(p.Steps)), above: make([][]bool, len(p.Steps))}
	for i, s := range p.Steps {
		if _, twice := g.index[s.ID]; !twice {
			g.index[s.ID] = i
		}
	}
	for i, s := range p.Steps {
		for _, id := range Needs(s) {
			if j, ok := g.index[id]; ok {
				g.needs[i] = append(g.needs[i], j)
			}
		}
	}
	g.sort()
	return g
}

// sort fills order and above: again and again the first step in the plan whose needs are met.
func (g *graph) sort() {
	placed := make([]bool, len(g.p.Steps))
	for {
		i := g.firstFree(placed)
		if i < 0 {
			break
		}
		placed[i] = true
		g.order = append(g.order, i)
		g.above[i] = make([]bool, len(g.p.Steps))
		for _, j := range g.needs[i] {
			g.above[i][j] = true
			for k, up := range g.above[j] {
				g.above[i][k] = g.above[i][k] || up
			}
		}
	}
	for i := range placed {
		if !placed[i] {
			g.cycle = append(g.cycle, i)
		}
	}
}

// firstFree gives the first step in the plan that is not placed and whose needs all are; -1 if none.
func (g *graph) firstFree(placed []bool) int {
	for i := range placed {
		if !placed[i] && !slices.ContainsFunc(g.needs[i], func(j int) bool { return !placed[j] }) {
			return i
		}
	}
	return -1
}

// related reports whether one of the two steps comes after the other.
func (g *graph) related(i, j int) bool { return g.above[i][j] || g.above[j][i] }

// loop gives one cycle as "a -> b -> a"; "" if there is none.
func (g *graph) loop() (path string, at int) {
	if len(g.cycle) == 0 {
		return "", 0
	}
	inCycle := func(j int) bool { return slices.Contains(g.cycle, j) }
	// Every step left over needs another one left over: walking on must come back.
	var seen []int
	i := g.cycle[0]
	for !slices.Contains(seen, i) {
		seen = append(seen, i)
		i = g.needs[i][slices.IndexFunc(g.needs[i], inCycle)]
	}
	seen = append(seen[slices.Index(seen, i):], i)
	ids := make([]string, len(seen))
	for k, j := range seen {
		ids[k] = g.p.Steps[j].ID
	}
	return strings.Join(ids, " -> "), i
}
