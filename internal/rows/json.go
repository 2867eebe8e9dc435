package rows

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxDepth is how deep a JSON object is opened into dotted fields; what lies deeper stays JSON.
const maxDepth = 3

// jsonForm reads a line that is one JSON object; nested objects become dotted names.
func jsonForm(line string, r *Row) bool {
	s := strings.TrimSpace(line)
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return false
	}
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	if !readObject(dec, "", 0, r) {
		return false
	}
	return !dec.More()
}

// readObject walks the members in their order; a decoder into a map would lose it.
func readObject(dec *json.Decoder, prefix string, depth int, r *Row) bool {
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return false
	}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return false
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return false
		}
		addJSON(prefix+name, raw, depth, r)
	}
	_, err := dec.Token()
	return err == nil
}

func addJSON(name string, raw json.RawMessage, depth int, r *Row) {
	if raw[0] == '{' && depth < maxDepth-1 {
		sub := json.NewDecoder(strings.NewReader(string(raw)))
		sub.UseNumber()
		readObject(sub, name+".", depth+1, r)
		return
	}
	addNamed(name, jsonText(raw), r)
}

// jsonText gives a string's text, null as nothing, and other values as they are written.
func jsonText(raw json.RawMessage) string {
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	}
	s := string(raw)
	if s == "null" {
		return ""
	}
	if strings.ContainsAny(s, "eE") && (isDigit(raw[0]) || raw[0] == '-') {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	return s
}
