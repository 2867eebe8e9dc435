package offline

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Calls of extract on one file that are wanted in the same round become one call, which reads the file once.
// Its answer is taken apart again, so that a script gets the answer to each.

const extractTool = "extract"

// partsAtOnce is how many questions one call asks.
const partsAtOnce = 12

// manyArgs are the arguments of a call that asks several questions.
type manyArgs struct {
	extract
	More []extract `json:"more,omitempty"`
}

// oneReading gives the calls of a round, those that read the same as one.
func (s *session) oneReading() []akitad.Call {
	var out []akitad.Call
	merged := map[string]*manyArgs{} // by what is read
	place := map[string]int{}
	for _, made := range s.want {
		c := llm.Meant(made)
		var a extract
		if c.Tool != extractTool || json.Unmarshal(c.Args, &a) != nil {
			out = append(out, made)
			continue
		}
		key := strings.Join([]string{a.Path, a.Format, a.Pattern}, "\x00")
		m, ok := merged[key]
		if !ok || len(m.More) >= partsAtOnce-1 {
			merged[key], place[key] = &manyArgs{extract: a}, len(out)
			out = append(out, made)
			continue
		}
		a.Path, a.Format, a.Pattern = "", "", ""
		m.More = append(m.More, a)
		if raw, err := encode(m); err == nil {
			out[place[key]] = llm.AsMade(akitad.Call{ID: callID(extractTool, canonical(raw)), Tool: extractTool, Args: raw, Via: c.Via})
		}
	}
	return out
}

// apart notes the answers to the questions of one call.
func (s *session) apart(c akitad.Call, r akitad.Observation) {
	var m manyArgs
	if c.Tool != extractTool || json.Unmarshal(c.Args, &m) != nil || len(m.More) == 0 {
		return
	}
	rest := r.Text
	for i := range len(m.More) + 1 {
		one := m.extract
		if i > 0 {
			one = m.More[i-1]
			one.Path, one.Format, one.Pattern = m.Path, m.Format, m.Pattern
		}
		obs := r
		obs.Text, rest, _ = strings.Cut(rest, fmt.Sprintf("\n# part %d\n", i+2))
		if why, failed := strings.CutPrefix(obs.Text, "# error: "); failed && obs.Error == nil {
			obs.Error = &akitad.Failure{Kind: akitad.InvalidRequest, Message: why}
		}
		if raw, err := encode(one); err == nil {
			s.byArgs[extractTool+" "+canonical(raw)] = obs
		}
	}
}
