package tool

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// pathNames are the arguments that hold the name of a file or folder.
var pathNames = []string{"path", "paths", "file", "files", "filename", "filepath", "dir", "directory", "folder", "cwd", "glob"}

// controlInPath gives the name of a path argument with a control character in it; "" if none has.
// C:\new is valid JSON for a line break in the middle of a name.
func controlInPath(args map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if isPathName(name) && hasControl(args[name]) {
			return name
		}
	}
	return ""
}

func isPathName(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(pathNames, name) || strings.HasSuffix(name, "_path") || strings.HasSuffix(name, "path") ||
		strings.HasSuffix(name, "_file") || strings.HasSuffix(name, "_dir")
}

func hasControl(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.ContainsFunc(v, unicode.IsControl)
	case []any:
		return slices.ContainsFunc(v, hasControl)
	}
	return false
}
