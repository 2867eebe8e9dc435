package loose

import (
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/typo"
)

// Lines tells on which line of the text a value was written, by its path ("steps[2].needs[0]").
type Lines map[string]int

// At gives the line of path, or of the closest thing around it that was written; 0 if none was.
func (l Lines) At(path string) int {
	for path != "" {
		if n := l[path]; n > 0 {
			return n
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}

// fieldNames gives the YAML names of a struct's fields, in order.
func fieldNames(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		switch name {
		case "":
			name = strings.ToLower(t.Field(i).Name)
		case "-":
			name = ""
		}
		names[i] = name
	}
	return names
}

// allNames collects the YAML names of a type and of everything in it.
func allNames(t reflect.Type, into map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		allNames(t.Elem(), into)
	case reflect.Struct:
		for i, name := range fieldNames(t) {
			into[name] = true
			allNames(t.Field(i).Type, into)
		}
	}
}

// alike gives the only one of the names from which a key differs by case and signs alone, as forEach does from
// for_each; -1 if there is none.
func alike(names []string, key string) int {
	found := -1
	for i, name := range names {
		if name == "" || signless(name) != signless(key) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func capital(name string) bool { return name != "" && unicode.IsUpper([]rune(name)[0]) }

func signless(name string) string { return strings.ToLower(noSigns.Replace(name)) }

var noSigns = strings.NewReplacer("_", "", "-", "", " ", "")

// Nearest gives the name closest to word, or "" if none is close enough to be what was meant: at
// most a third of its letters differ, or one holds the other.
func Nearest(word string, names []string) string {
	best, least := "", max(1, len(word)/3)
	w := strings.ToLower(word)
	for _, name := range slices.Sorted(slices.Values(names)) {
		d := typo.Distance(w, strings.ToLower(name))
		if len(w) >= 3 && len(name) >= 3 && d > 1 && (strings.Contains(name, w) || strings.Contains(w, strings.ToLower(name))) {
			d = 1
		}
		if d <= least && (best == "" || d < least) {
			best, least = name, d
		}
	}
	return best
}
