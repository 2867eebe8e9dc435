package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// signless drops what names of one thing differ by: filePath, file-path and file_path.
var signless = strings.NewReplacer("_", "", "-", "", " ", "", ".", "", `"`, "", "'", "", "\t", "", "\n", "")

// alike gives a word without its case and its signs. Those of a number say which it is: -1, 1.5.
func alike(word string) string {
	if number.MatchString(word) {
		return strings.ToLower(word)
	}
	return strings.ToLower(signless.Replace(word))
}

var number = pattern.New(`(?:^|\s)[-+.]\d|\d\.\d`)

// rename gives what is there under a name that differs from one of the schema by case and signs alone the
// schema's name, if nothing else is there under it. Where the schema takes names of any kind, each is its own.
func rename(object, schema map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	if open(schema) || len(properties) == 0 {
		return
	}
	wanted := map[string][]string{} // names of the schema that are not there, by what they are alike to
	for name := range properties {
		if _, there := object[name]; !there {
			wanted[alike(name)] = append(wanted[alike(name)], name)
		}
	}
	found := map[string][]string{} // what stands for a name of the schema
	for given := range object {
		if _, known := properties[given]; known {
			continue
		}
		if names := wanted[alike(given)]; len(names) == 1 {
			found[names[0]] = append(found[names[0]], given)
		}
	}
	for name, given := range found {
		if len(given) == 1 {
			object[name] = object[given[0]]
			delete(object, given[0])
		}
	}
}

// open reports whether a schema says that names of any kind may stand beside its own.
func open(schema map[string]any) bool {
	more := schema["additionalProperties"]
	_, some := more.(map[string]any)
	return some || more == true
}

// Names under which models put all arguments into one, and the tool's name beside it.
var (
	wrappings = []string{"arguments", "parameters", "args", "params", "input", "kwargs"}
	toolNames = []string{"name", "tool", "tool_name", "function"}
)

// unwrapped gives the arguments that stand inside of one that the tool does not have.
func (a *Arguments) unwrapped(args map[string]any) map[string]any {
	properties, ok := a.schema["properties"].(map[string]any)
	if !ok || open(a.schema) {
		return args
	}
	var inner map[string]any
	for name, v := range args {
		_, known := properties[name]
		switch {
		case known:
			return args
		case inner == nil && slices.Contains(wrappings, name):
			if text, ok := v.(string); ok {
				v = decodeText(strings.TrimSpace(text))
			}
			if inner, ok = v.(map[string]any); !ok {
				return args
			}
		case !slices.Contains(toolNames, name) || v != any(a.info.Name):
			return args
		}
	}
	if inner == nil {
		return args
	}
	return inner
}

// fitEnum gives the one of the values that a schema allows which differs from a text by case and signs
// alone.
func fitEnum(text string, allowed []any) any {
	var found []any
	for _, one := range allowed {
		if one == any(text) {
			return text
		}
		if s, ok := one.(string); ok && alike(s) != "" && alike(s) == alike(text) {
			found = append(found, one)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return text
}

// fitList makes a list of the one element that stands in its place, where the schema wants a list and says of
// what. A text that may be several elements stays what it is.
func fitList(v any, schema, root map[string]any) any {
	items, ok := schema["items"].(map[string]any)
	if text, is := v.(string); !ok || is && (strings.TrimSpace(text) == "" || strings.ContainsAny(text, ",;[{\n、，；")) {
		return v
	}
	items = follow(items, root)
	one, types := fit(v, items, root), typesOf(items)
	if is := typeOf(one); slices.Contains(types, is) || is == "number" && slices.Contains(types, "integer") {
		return []any{one}
	}
	return v
}

// fitObjectIn gives the object that a list stands for where one is wanted: its only element, or, if it is
// empty, the empty object, which PHP writes like that.
func fitObjectIn(list []any) any {
	switch len(list) {
	case 0:
		return map[string]any{}
	case 1:
		if one, ok := list[0].(map[string]any); ok {
			return one
		}
	}
	return list
}

// fitNumber gives a number as a schema wants it: as a whole one, or as the text that was written.
func fitNumber(n json.Number, types []string) any {
	switch {
	case slices.Contains(types, "integer"):
		return whole(n)
	case slices.Contains(types, "string") && !slices.Contains(types, "number"):
		return n.String()
	}
	return n
}
