package gemini

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/llm/wire"
)

// node is one schema of a JSON Schema document as its author wrote it. What is not of the kind that
// the standard asks for counts as not written.
type node map[string]json.RawMessage

func (n node) text(key string) (s string) {
	_ = json.Unmarshal(n[key], &s)
	return s
}

func (n node) list(key string) (l []json.RawMessage) {
	_ = json.Unmarshal(n[key], &l)
	return l
}

// types gives the types that a node names, but null, and whether null is among them. Names are those
// of JSON Schema; anything else is text.
func (n node) types() (types []string, null bool) {
	names := n.list("type")
	if one := n.text("type"); one != "" {
		names = []json.RawMessage{n["type"]}
	}
	for _, raw := range names {
		var name string
		_ = json.Unmarshal(raw, &name)
		switch name = strings.ToLower(name); name {
		case "null":
			null = true
			continue
		case "object", "array", "string", "integer", "number", "boolean":
		default:
			name = "string"
		}
		if !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	return types, null || string(n["nullable"]) == "true"
}

// member is one name and value of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members gives what an object holds, in order; nothing if it is no object. Of a name that is there
// twice the last value counts.
func members(raw json.RawMessage) (out []member) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		text, ok := name.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return out
		}
		out = put(out, member{text, value}, second)
	}
	return out
}

// put adds a member; both says what becomes of two values of one name.
func put(all []member, m member, both func(first, second json.RawMessage) json.RawMessage) []member {
	at := slices.IndexFunc(all, func(have member) bool { return have.name == m.name })
	if at < 0 {
		return append(all, m)
	}
	all[at].value = both(all[at].value, m.value)
	return all
}

func second(_, s json.RawMessage) json.RawMessage { return s }

// alternatives gives the schema of what either allows.
func alternatives(a, b json.RawMessage) json.RawMessage {
	return wire.Marshal(map[string][]json.RawMessage{"anyOf": {a, b}})
}

// merged gives one node that says what both say. Where they say different things of the same, over
// has the word, but for properties and what is required, which add up; both says what becomes of two
// properties of one name.
func merged(under, over node, both func(first, second json.RawMessage) json.RawMessage) node {
	out := maps.Clone(under)
	for key, value := range over {
		switch have, twice := out[key]; {
		case twice && key == "properties":
			out[key] = joined(have, value, both)
		case twice && key == "required":
			out[key] = wire.Marshal(slices.Concat(node{key: have}.list(key), node{key: value}.list(key)))
		default:
			out[key] = value
		}
	}
	return out
}

// joined gives one object of the members of two.
func joined(a, b json.RawMessage, both func(first, second json.RawMessage) json.RawMessage) json.RawMessage {
	all := members(a)
	for _, m := range members(b) {
		all = put(all, m, both)
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(wire.Text(m.name) + ":" + string(m.value))
	}
	out.WriteByte('}')
	return out.Bytes()
}

// at gives the schema that a reference within the document leads to; nil if it leads nowhere.
func at(root json.RawMessage, ref string) json.RawMessage {
	if ref == "#" {
		return root
	}
	way, inside := strings.CutPrefix(ref, "#/")
	if !inside {
		return nil
	}
	for step := range strings.SplitSeq(way, "/") {
		if plain, err := url.PathUnescape(step); err == nil {
			step = plain
		}
		root = child(root, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return root
}

func child(raw json.RawMessage, name string) json.RawMessage {
	var l []json.RawMessage
	if i, err := strconv.Atoi(name); err == nil && json.Unmarshal(raw, &l) == nil {
		if i >= 0 && i < len(l) {
			return l[i]
		}
		return nil
	}
	var n node
	_ = json.Unmarshal(raw, &n)
	return n[name]
}
