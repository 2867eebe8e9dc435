package window

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// lost is shown in place of a result that is not on record.
const lost = "[no result of this call is on record]"

// mend repairs rounds so that every vendor accepts them: each call gets an id of its own and exactly one result, in
// the order of the calls; arguments become valid JSON, and texts valid UTF-8. broken says what was wrong, a line
// for each repair.
func mend(rounds []journal.RoundState) (out []journal.RoundState, broken []string) {
	out = slices.Clone(rounds)
	m := mender{ids: map[string]bool{}}
	for i := range out {
		m.at = i + 1
		m.thought(&out[i].Thought)
		m.pair(&out[i], rounds[i].Thought.Calls)
	}
	return out, m.broken
}

type mender struct {
	at     int // the round, from 1
	ids    map[string]bool
	broken []string
}

func (m *mender) say(format string, args ...any) {
	m.broken = append(m.broken, fmt.Sprintf("round %d: ", m.at)+fmt.Sprintf(format, args...))
}

// thought mends a message of the model. If anything had to be mended, the provider's own form of the message is
// dropped, because it is as broken.
func (m *mender) thought(t *journal.ThoughtData) {
	before := len(m.broken)
	if !utf8.ValidString(t.Text) {
		t.Text = valid(t.Text)
		m.say("text is not UTF-8")
	}
	if len(t.Calls) == 0 && blank(t.Text) {
		m.say("an empty message")
	}
	t.Calls = slices.Clone(t.Calls)
	for i := range t.Calls {
		m.call(&t.Calls[i], i)
	}
	if len(t.Raw) > 0 && !sound(t.Raw) {
		m.say("the provider's own message cannot be read")
	}
	if len(m.broken) > before {
		t.Raw, t.RawBy = nil, ""
	}
}

// call gives a call an id of its own if it has none or shares it with another, and arguments that can be read.
func (m *mender) call(c *akitad.Call, i int) {
	if c.ID == "" || m.ids[c.ID] {
		m.say("call id %q is not its own", c.ID)
		for n := 1; c.ID == "" || m.ids[c.ID]; n++ {
			c.ID = fmt.Sprintf("call-%d-%d-%d", m.at, i+1, n)
		}
	}
	m.ids[c.ID] = true
	switch {
	case len(c.Args) == 0:
		c.Args = json.RawMessage("{}")
	case !sound(c.Args):
		c.Args = readable(c.Args)
		m.say("arguments of %s cannot be read", c.Tool)
	}
}

// pair gives every call exactly one result, in call order. known are the calls with the ids under which
// the results were recorded.
func (m *mender) pair(r *journal.RoundState, known []akitad.Call) {
	var out []akitad.Observation
	used := make([]bool, len(r.Results))
	for i, c := range r.Thought.Calls {
		at := find(r.Results, used, known[i].ID, i)
		if at < 0 {
			m.say("call %s has no result", c.ID)
			out = append(out, akitad.Observation{Call: c.ID, Tool: c.Tool, Text: lost})
			continue
		}
		used[at] = true
		o := r.Results[at]
		if !utf8.ValidString(o.Text) {
			o.Text = valid(o.Text)
			m.say("the result of %s is not UTF-8", c.ID)
		}
		o.Call = c.ID
		out = append(out, o)
	}
	for i, o := range r.Results {
		if !used[i] {
			m.say("a result of %q answers no call", o.Call)
		}
	}
	r.Results = out
}

// find gives the index of a call's result: at the call's own place, or else the first unused one with its id; -1 if
// there is none.
func find(results []akitad.Observation, used []bool, id string, place int) int {
	if place < len(results) && !used[place] && results[place].Call == id {
		return place
	}
	for i, o := range results {
		if !used[i] && o.Call == id {
			return i
		}
	}
	return -1
}

// sound reports whether JSON can be sent to anybody: it is valid, in UTF-8, and no escape in it is half
// of a character.
func sound(raw json.RawMessage) bool {
	return utf8.Valid(raw) && json.Valid(raw) && !halved(raw)
}

// halved reports whether JSON has an escape for one half of a surrogate pair without the other half beside it.
func halved(raw []byte) bool {
	if !bytes.Contains(raw, []byte(`\ud`)) && !bytes.Contains(raw, []byte(`\uD`)) {
		return false
	}
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		high, ok := escape(raw[i:])
		switch {
		case !ok:
			i++ // an escape of another sort
		case 0xdc00 <= high && high < 0xe000:
			return true
		case 0xd800 <= high && high < 0xdc00:
			if low, ok := escape(raw[i+6:]); !ok || low < 0xdc00 || low >= 0xe000 {
				return true
			}
			i += 11
		}
	}
	return false
}

// escape reads \uXXXX.
func escape(raw []byte) (uint64, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	return n, err == nil
}

// readable makes valid JSON of broken arguments: with invalid UTF-8 replaced, or if that is not enough as an object
// that has the whole text under "unreadable".
func readable(raw json.RawMessage) json.RawMessage {
	var value any
	dec := json.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(raw, []byte("\uFFFD"))))
	dec.UseNumber()
	if dec.Decode(&value) != nil || dec.More() {
		value = map[string]string{"unreadable": valid(string(raw))}
	}
	out, err := json.Marshal(value)
	if err != nil {
		return json.RawMessage("{}")
	}
	return out
}

// valid gives a text in UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
