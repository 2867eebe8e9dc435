package catalogue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/akitad/akitad/internal/sorting"
	"github.com/akitad/akitad/internal/tool"
)

// Constants of BM25, and what a word counts by the place in which it stands.
const (
	saturation = 1.2 // BM25's k1, with its usual value
	lengthPart = 0.5 // BM25's b: the length of a description counts less than with the usual 0.75
	inName     = 4
	inGroup    = 2
	inArgument = 1
	inText     = 1
	asSynonym  = 0.6 // a word that means the same as the one asked for
)

// Find returns the tools that fit a query best, at most limit of them, the best first. It ranks by BM25
// over names, categories, descriptions and arguments; English words match in every form, Chinese ones
// by pairs of characters and by their English equivalents. Words that mean the same count a little less.
func Find(tools []tool.Info, query string, limit int) []tool.Info {
	ix := newIndex(tools)
	type hit struct {
		at    int
		score float64
	}
	var hits []hit
	concepts := conceptsOf(query)
	for at := range tools {
		score := 0.0
		for _, c := range concepts {
			score += ix.best(c, at)
		}
		if score > 0 {
			hits = append(hits, hit{at, score})
		}
	}
	sorting.By(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	var out []tool.Info
	for _, h := range hits[:min(len(hits), limit)] {
		out = append(out, tools[h.at])
	}
	return out
}

// index knows how much each word counts in each tool.
type index struct {
	weights []map[string]float64
	lengths []float64
	mean    float64
	holding map[string]int // in how many tools a word stands
}

func newIndex(tools []tool.Info) *index {
	ix := &index{holding: map[string]int{}}
	for _, t := range tools {
		w := weigh(t)
		length := 0.0
		for word, n := range w {
			ix.holding[word]++
			length += n
		}
		ix.weights, ix.lengths = append(ix.weights, w), append(ix.lengths, length)
		ix.mean += length / float64(len(tools))
	}
	return ix
}

// weigh returns how much each word counts in a tool: the sum over its places.
func weigh(t tool.Info) map[string]float64 {
	w := map[string]float64{}
	add := func(text string, count float64) {
		for _, word := range wordsOf(text) {
			w[word] += count
		}
	}
	add(t.Name, inName)
	add(t.Category+" "+t.Server, inGroup)
	add(t.Description, inText)
	var s struct {
		Properties map[string]struct {
			Description string `json:"description"`
		} `json:"properties"`
	}
	if json.Unmarshal(t.Schema, &s) == nil {
		for name, p := range s.Properties {
			add(name+" "+p.Description, inArgument)
		}
	}
	return w
}

// best returns what a concept counts in a tool: the word itself, or the best of those that mean the same.
func (ix *index) best(c concept, at int) float64 {
	score := ix.score(c.word, at)
	for _, same := range c.same {
		score = max(score, asSynonym*ix.score(same, at))
	}
	return score
}

// score is the BM25 score of one word in the tool at index at.
func (ix *index) score(word string, at int) float64 {
	n := ix.weights[at][word]
	if n == 0 {
		return 0
	}
	all, holding := float64(len(ix.weights)), float64(ix.holding[word])
	rare := math.Log(1 + (all-holding+0.5)/(holding+0.5))
	return rare * n * (saturation + 1) / (n + saturation*(1-lengthPart+lengthPart*ix.lengths[at]/ix.mean))
}

// Found returns a line on a tool that was looked for: its name, all its arguments, its category or server, and the first
// sentence of its description. It has no line end.
func Found(t tool.Info) string {
	return fmt.Sprintf("- %s%s [%s]: %s", t.Name, long(t), home(t), sentence(t.Description, 2*mostLine))
}

// Describe returns all that a model may know of a tool before it calls it: category or server, risk, the whole description
// and the JSON Schema of its arguments.
func Describe(t tool.Info) string {
	traits := []string{"risk: " + cmp.Or(string(t.Risk), "unknown")}
	if t.Readonly {
		traits = append(traits, "changes nothing")
	}
	if t.Idempotent && !t.Readonly {
		traits = append(traits, "may be repeated")
	}
	return fmt.Sprintf("%s [%s; %s]\n\n%s\n\narguments (JSON Schema): %s", t.Name, home(t),
		strings.Join(traits, "; "), strings.TrimSpace(t.Description), cmp.Or(string(t.Schema), "{}"))
}
