package tool

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// fit changes a value in place, or gives another, to be what the schema wants, where that is no
// guess: 12.0 -> 12, "5" -> 5, 5 -> "5", "true" and 1 -> true, a list or object that was encoded twice, one element
// for a list of them, or the list of it, filePath -> file_path, READ -> read where those are the values, null or an empty text for
// something optional -> left out. Defaults are added. Text stays text where text is wanted.
func fit(v any, schema, root map[string]any) any {
	schema = choose(v, follow(schema, root), root)
	types := typesOf(schema)
	if len(types) > 0 && !accepts(schema, typeOf(v)) {
		v = instead(v, types, schema, root)
	}
	switch v := v.(type) {
	case map[string]any:
		fitObject(v, schema, root)
	case []any:
		if items, ok := schema["items"].(map[string]any); ok {
			for i := range v {
				v[i] = fit(v[i], items, root)
			}
		}
	case json.Number:
		return fitNumber(v, types)
	case string:
		return fitEnum(v, allowed(schema))
	}
	return v
}

// allowed gives the values that a schema limits its own to; none if it does not.
func allowed(schema map[string]any) []any {
	if one, ok := schema["const"]; ok {
		return []any{one}
	}
	list, _ := schema["enum"].([]any)
	return list
}

// instead gives what stands for a value whose type the schema does not take; the value itself if nothing does.
func instead(v any, types []string, schema, root map[string]any) any {
	text, is := v.(string)
	if is {
		v = fitText(text, types, schema, root)
	}
	if decoded := decodeText(strings.TrimSpace(text)); is && v == any(text) && decoded != nil {
		v = decoded
	}
	list, isList := v.([]any)
	switch {
	case isList && slices.Contains(types, "object") && !slices.Contains(types, "array"):
		v = fitObjectIn(list)
	case v != nil && slices.Contains(types, "array") && !accepts(schema, typeOf(v)):
		v = fitList(v, schema, root)
	case isList && !slices.Contains(types, "string"):
		v = fitOnly(list, schema, root)
	case v == any(json.Number("1")) || v == any(json.Number("0")):
		if slices.Contains(types, "boolean") && !slices.Contains(types, "string") {
			v = v == any(json.Number("1"))
		}
	}
	if is && !accepts(schema, typeOf(v)) {
		return text
	}
	return v
}

func fitObject(object, schema, root map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	rename(object, schema)
	for name, p := range properties {
		sub, ok := p.(map[string]any)
		if !ok {
			continue
		}
		v, given := object[name]
		if given && !slices.Contains(required, any(name)) && nothing(v, choose(v, follow(sub, root), root)) {
			delete(object, name)
			given = false
		}
		if given {
			object[name] = fit(v, sub, root)
		} else if d, ok := follow(sub, root)["default"]; ok {
			object[name] = d
		}
	}
	if schema["additionalProperties"] == false {
		for name, v := range object {
			if _, named := properties[name]; !named && v == nil {
				delete(object, name) // nothing is given under a name that there is not
			}
		}
	}
	if rest, ok := schema["additionalProperties"].(map[string]any); ok {
		for name, v := range object {
			if _, named := properties[name]; !named {
				object[name] = fit(v, rest, root)
			}
		}
	}
}

// fitText gives what a text stands for where no text is wanted; the text itself if that is unclear.
func fitText(text string, types []string, schema, root map[string]any) any {
	trimmed := strings.TrimSpace(text)
	for _, t := range types {
		switch t {
		case "integer", "number":
			if n, ok := numberIn(trimmed); ok && t == "integer" {
				return whole(n)
			} else if ok {
				return n
			}
		case "boolean":
			switch strings.ToLower(trimmed) {
			case "true":
				return true
			case "false":
				return false
			}
		case "array", "object":
			if v := decodeText(trimmed); kindOf(v) == t {
				return fit(v, schema, root)
			}
			if list := bareItems(trimmed, schema, root); t == "array" && list != nil {
				return list
			}
		case "null":
			if isNull(trimmed) {
				return nil
			}
		}
	}
	return text
}

// decodeText gives the list or object that a text is the JSON of, if need be repaired; nil if it is
// none.
func decodeText(text string) any {
	if inner, fenced := strings.CutPrefix(text, fence); fenced {
		_, inner, _ = strings.Cut(inner, "\n")
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), fence))
	}
	if v, err := decode([]byte(text)); err == nil {
		if inner, ok := v.(string); ok && len(inner) < len(text) {
			return decodeText(strings.TrimSpace(inner))
		}
		return v
	}
	if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "{") {
		return nil
	}
	const name = "v"
	v, err := repair(`{"`+name+`":`+text+`}`, false)
	if object, ok := v.(map[string]any); err == nil && ok && len(object) == 1 {
		return object[name]
	}
	return nil
}

// bareItems gives the elements of a list of texts that was written without quotes: [a b, c/d]; nil if it is something else.
func bareItems(text string, schema, root map[string]any) (list []any) {
	items, _ := schema["items"].(map[string]any)
	inner, begun := strings.CutPrefix(text, "[")
	inner, ended := strings.CutSuffix(inner, "]")
	if !begun || !ended || !slices.Contains(typesOf(follow(items, root)), "string") || strings.ContainsAny(inner, "\"'`[]{}\\\n") {
		return nil
	}
	for one := range strings.SplitSeq(inner, ",") {
		if one = strings.TrimSpace(one); one == "" {
			return nil
		}
		list = append(list, fit(one, items, root))
	}
	return list
}

// fence is what begins and ends code in Markdown, in which models write JSON.
const fence = "```"

func kindOf(v any) string {
	switch v.(type) {
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return ""
}

// numberIn reads a text that is a number in JSON, or a whole one as programs write it: +12, 1_000, 0x1F. What begins
// with a zero is none: a code, most likely.
func numberIn(text string) (json.Number, bool) {
	var n json.Number
	if text != "" && text[0] != '"' && text[0] != 'n' && json.Unmarshal([]byte(text), &n) == nil {
		return n, !huge(n)
	}
	digits := strings.TrimLeft(text, "+-")
	if len(digits) > 40 || len(digits) > 1 && digits[0] == '0' && (digits[1] <= '9' || digits[1] == '_') {
		return "", false
	}
	i, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return "", false
	}
	return json.Number(i.String()), true
}

// whole writes a number that is a whole one without point or exponent.
func whole(n json.Number) json.Number {
	text := n.String()
	if !strings.ContainsAny(text, ".eE") || huge(n) {
		return n
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || !r.IsInt() {
		return n
	}
	return json.Number(r.Num().String())
}

// typesOf gives the types that a schema names; none if it leaves them open.
func typesOf(schema map[string]any) (types []string) {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		for _, one := range t {
			if s, ok := one.(string); ok {
				types = append(types, s)
			}
		}
	}
	return types
}

// nothing reports whether a value says that an optional argument is not given: null, or a text
// without anything where no text is wanted.
func nothing(v any, schema map[string]any) bool {
	if text, ok := v.(string); ok {
		types := typesOf(schema)
		return len(types) > 0 && !slices.Contains(types, "string") && (text == "" || isNull(text) && !nullable(schema))
	}
	return v == nil && !nullable(schema)
}

func isNull(text string) bool { return text == "null" || text == "None" }

// nullable reports whether null may satisfy a schema.
func nullable(schema map[string]any) bool {
	types := typesOf(schema)
	return len(types) == 0 || slices.Contains(types, "null")
}

// follow gives the schema that a reference within the document leads to, in at most eight steps.
func follow(schema, root map[string]any) map[string]any {
	for range 8 {
		ref, ok := schema["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#/") {
			return schema
		}
		next := any(root)
		for part := range strings.SplitSeq(ref[2:], "/") {
			object, _ := next.(map[string]any)
			next = object[part]
		}
		if schema, ok = next.(map[string]any); !ok {
			return map[string]any{}
		}
	}
	return schema
}
