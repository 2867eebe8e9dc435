package rows

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxDepth is how many levels of a JSON object become fields with dotted names. Deeper objects stay JSON text.
const maxDepth = 3

// jsonForm reads a line that is one JSON object; nested objects become dotted names.
func jsonForm(line string, r *Row) bool {
	s := strings.TrimSpace(line)
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' || !json.Valid([]byte(s)) {
		return false
	}
	eachMember(s, func(name, value string) { addJSON(name, value, 1, r) })
	r.timeFromField()
	return true
}

// timeFromField sets the row's time, if no field's name has set it yet, to the first value that is a time.
func (r *Row) timeFromField() {
	for i := range r.Fields {
		if v := r.Fields[i].Value; !r.HasTime && len(v) >= len("2006-1-2") && len(v) < 40 && mayStartTime(v[0]) {
			r.Time, r.HasTime = cellTime(r.Fields[i].Name, v)
		}
	}
}

// eachMember walks the members of an object that is known to be valid, in their order.
func eachMember(s string, f func(name, value string)) {
	for i := 1; i < len(s); {
		i = skipTo(s, i)
		if s[i] == '}' {
			return
		}
		end := valueEnd(s, i)
		name := jsonText(s[i:end])
		i = skipTo(s, end)
		end = valueEnd(s, i)
		f(name, s[i:end])
		i = end
	}
}

// skipTo passes over space, commas and colons.
func skipTo(s string, i int) int {
	for i < len(s)-1 && strings.IndexByte(" \t\r\n,:", s[i]) >= 0 {
		i++
	}
	return i
}

// valueEnd gives the end of the value that begins at i.
func valueEnd(s string, i int) int {
	switch s[i] {
	case '"':
		return stringEnd(s, i)
	case '{', '[':
		return nestEnd(s, i)
	}
	for i < len(s) && strings.IndexByte(",}] \t", s[i]) < 0 {
		i++
	}
	return i
}

// stringEnd gives the index behind the string that begins at i.
func stringEnd(s string, i int) int {
	for i++; s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// nestEnd gives the index behind the object or array that begins at i.
func nestEnd(s string, i int) int {
	for depth := 0; ; i++ {
		switch s[i] {
		case '"':
			i = stringEnd(s, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// addJSON adds a member as a field, or the members of a nested object as fields with dotted names.
func addJSON(name, value string, depth int, r *Row) {
	if value[0] == '{' && depth < maxDepth {
		eachMember(value, func(sub, v string) { addJSON(name+"."+sub, v, depth+1, r) })
		return
	}
	addNamed(name, jsonText(value), r)
}

// jsonText gives a string's text, null as nothing, and other values as they are written, numbers
// without an exponent.
func jsonText(value string) string {
	switch {
	case value[0] == '"' && strings.IndexByte(value, '\\') < 0:
		return value[1 : len(value)-1]
	case value[0] == '"':
		var s string
		if json.Unmarshal([]byte(value), &s) == nil {
			return s
		}
	case value == "null":
		return ""
	case (isDigit(value[0]) || value[0] == '-') && strings.ContainsAny(value, "eE"):
		if f, err := strconv.ParseFloat(value, 64); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	return value
}
