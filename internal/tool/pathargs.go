package tool

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
)

// pathNames are the arguments that hold the name of a file or folder, beside those that end like one.
var pathNames = []string{"paths", "files", "cwd", "glob", "src", "dst", "dest", "destination"}

// pathEnds are how names of such arguments end, whatever comes before: read_file, outputDir.
var pathEnds = []string{"path", "file", "filename", "dir", "directory", "folder"}

// programNames are the arguments that hold a pattern or a line for a shell.
var programNames = []string{"command", "cmd", "script", "pattern", "regex", "regexp"}

// misread gives the name of an argument in which a backslash was taken for an escape; "" if there is
// none: C:\new is valid JSON for a line break in the middle of a name, \b for a backspace.
func misread(args map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		switch v := args[name]; {
		case isPathName(name) && has(v, unicode.IsControl), slices.Contains(programNames, strings.ToLower(name)) && has(v, isBackspace):
			return name
		default:
			if inner := misreadWithin(v); inner != "" {
				return name + "." + inner
			}
		}
	}
	return ""
}

// misreadWithin looks into an object, or a list of objects.
func misreadWithin(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return misread(v)
	case []any:
		for _, one := range v {
			if object, ok := one.(map[string]any); ok {
				if name := misread(object); name != "" {
					return name
				}
			}
		}
	}
	return ""
}

// PlainPaths spells the names of files in a call's arguments in one way: a.txt for ./a.txt, b/../a.txt and
// "a.txt "; and so it does with the blanks between the words of a command. What is no object, or has neither, comes
// back as it is.
func PlainPaths(raw json.RawMessage) json.RawMessage {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	changed := false
	for name, v := range args {
		var s string
		spell := spelling(name)
		if spell == nil || json.Unmarshal(v, &s) != nil {
			continue
		}
		if plain, err := json.Marshal(spell(s)); err == nil {
			args[name], changed = plain, true
		}
	}
	if !changed {
		return raw
	}
	out, err := json.Marshal(args)
	if err != nil {
		return raw
	}
	return out
}

// spelling gives how an argument of that name is spelled in one way, nil if each spelling means another thing.
func spelling(name string) func(string) string {
	switch {
	case isPathName(name):
		return plainPath
	case name == "command" || name == "cmd":
		return plainCommand
	}
	return nil
}

func plainPath(s string) string {
	if strings.Contains(s, "://") {
		return s
	}
	return path.Clean(strings.TrimSpace(s))
}

// plainCommand leaves one blank between two words, unless something in the line may keep more together.
func plainCommand(s string) string {
	if strings.ContainsAny(s, "'\"`\\$<#") {
		return s
	}
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

func isPathName(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(pathNames, name) ||
		slices.ContainsFunc(pathEnds, func(end string) bool { return strings.HasSuffix(name, end) })
}

// isBackspace is for what nobody means to send to a program: what \b and \f stand for.
func isBackspace(r rune) bool { return r == '\b' || r == '\f' }

// has reports whether a text, or one in a list, has such a character.
func has(v any, such func(rune) bool) bool {
	switch v := v.(type) {
	case string:
		return strings.ContainsFunc(v, such)
	case []any:
		return slices.ContainsFunc(v, func(one any) bool { return has(one, such) })
	}
	return false
}
