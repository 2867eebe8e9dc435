package tool

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// signless drops what names of one thing differ by: filePath, file-path and file_path.
var signless = strings.NewReplacer("_", "", ":", "", "[", "", "]", "", "-", "", " ", "", ".", "", `"`, "", "'", "", "\t", "", "\n", "")

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

// Names under which models put all arguments into one, whatever is in it, and the tool's name beside it.
var (
	wrappings = []string{"arguments", "parameters", "args", "params", "input", "kwargs"}
	toolNames = []string{"name", "tool", "tool_name", "function"}
	callNames = []string{"tool_input", "function", "function_call", "tool_call", "call"} // of what is put into one, too
	callMarks = []string{"id", "call_id", "tool_call_id", "type"}                        // of the call itself, where a model writes all of it
)

// maxWrappings bounds how often arguments may be wrapped.
const maxWrappings = 3

// unwrapped gives the arguments that stand inside of one that the tool does not have.
func (a *Arguments) unwrapped(args map[string]any) map[string]any {
	properties, ok := a.schema["properties"].(map[string]any)
	if !ok || open(a.schema) {
		return args
	}
	own := map[string]bool{}
	for name := range properties {
		own[alike(name)] = true
	}
	inner, name := args, ""
	for range maxWrappings {
		if inner, name = a.wrapped(inner, own); inner == nil || !a.wraps(name) {
			break
		}
		if slices.Contains(wrappings, name) || len(inner) > 0 && allOwn(inner, own) {
			args = inner
		}
	}
	return args
}

// wraps reports whether a name may be that of a wrapping. One that says something of its own, such as exclude, turns what
// is in it into something else: only a tool that reads is called without regard to it.
func (a *Arguments) wraps(name string) bool {
	return a.info.Readonly || slices.Contains(wrappings, name) || slices.Contains(callNames, name) || alike(name) == alike(a.info.Name)
}

// wrapped gives the only object among arguments beside which nothing stands but the tool's name and marks of the call, and
// its name; nil if there is none.
func (a *Arguments) wrapped(args map[string]any, own map[string]bool) (inner map[string]any, under string) {
	for name, v := range args {
		if text, ok := v.(string); ok && strings.Contains(text, "{") {
			v = decodeText(strings.TrimSpace(text))
		}
		if list, ok := v.([]any); ok {
			v = fitObjectIn(list)
		}
		object, is := v.(map[string]any)
		_, text := v.(string)
		switch {
		case own[alike(name)], is && inner != nil:
			return nil, ""
		case is:
			inner, under = object, name
		case text && slices.Contains(callMarks, name), slices.Contains(toolNames, name) && v == any(a.info.Name):
		default:
			return nil, ""
		}
	}
	return inner, under
}

// allOwn reports whether all members of an object are arguments of the tool.
func allOwn(object map[string]any, own map[string]bool) bool {
	for name := range object {
		if !own[alike(name)] {
			return false
		}
	}
	return true
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
	if list := byPlaces(v); list != nil {
		return list
	}
	if inner, ok := onlyItem(v, items); ok {
		return fit(inner, schema, root)
	}
	if list := onlyList(v); list != nil && !accepts(items, "object") {
		return list
	}
	one, values := fit(v, items, root), allowed(items)
	switch typeOf(one) {
	case "array", "object": // which are not compared
		values = nil
	}
	if slices.Contains(values, one) || len(values) == 0 && len(typesOf(items)) > 0 && accepts(items, typeOf(one)) {
		return []any{one}
	}
	return v
}

// byPlaces gives the list that an object is whose members are named by their places; nil if it is none.
func byPlaces(v any) []any {
	object, _ := v.(map[string]any)
	var list []any
	for i := range len(object) {
		one, ok := object[strconv.Itoa(i)]
		if !ok {
			return nil
		}
		list = append(list, one)
	}
	return list
}

// onlyItem gives what an object holds as its only member of the name that elements have where a list was XML: one of them,
// or a list of several. Of elements that have such a member themselves nobody knows which it is.
func onlyItem(v any, items map[string]any) (inner any, ok bool) {
	const name = "item"
	object, _ := v.(map[string]any)
	properties, _ := items["properties"].(map[string]any)
	_, own := properties[name]
	inner, ok = object[name]
	return inner, ok && !own && len(object) == 1
}

// onlyList gives the list that is the only member of an object, as what was XML has it; nil if there is none.
func onlyList(v any) []any {
	object, _ := v.(map[string]any)
	for _, only := range object {
		if list, ok := only.([]any); ok && len(object) == 1 {
			return list
		}
	}
	return nil
}

// fitOnly gives the only element of a list in whose place one is wanted, if that is what the schema takes. A text is not
// taken out of its list: the list may be the JSON that was to be the text.
func fitOnly(list []any, schema, root map[string]any) any {
	if len(list) == 1 {
		if one := fit(list[0], schema, root); accepts(schema, typeOf(one)) {
			return one
		}
	}
	return list
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
