package redact

import (
	"regexp"
	"strings"
)

// argument is a password as a word of a command.
const argument = `([^\s"'$|<>]{6,})`

// optionOf gives the pattern of a password that stands behind an option of a program, whose names hold the gates.
func optionOf(program, option string, gates ...string) pattern {
	return pattern{
		gates: gates,
		of:    regexp.MustCompile(`\b(?:` + program + `)`),
		find:  regexp.MustCompile(`(\s` + option + `["']?)` + argument),
		with:  "${1}" + Mark,
		sure:  password,
	}
}

// inCommands changes what stands between the name of a program and the end of its command. One expression for both
// would look from each name to the end of its line, which costs the square of a long line.
func inCommands(s string, program *regexp.Regexp, change func(string) string) string {
	var out strings.Builder
	for {
		name := program.FindStringIndex(s)
		if name == nil {
			out.WriteString(s)
			return out.String()
		}
		end := name[1] + commandEnd(s[name[1]:])
		out.WriteString(s[:name[1]])
		out.WriteString(change(s[name[1]:end]))
		s = s[end:]
	}
}

// commandEnd gives where a command ends: at a bar, at a semicolon behind which nothing else stands, or with its
// line, unless a backslash carries it on.
func commandEnd(s string) int {
	for i := range len(s) {
		switch {
		case s[i] == '|', s[i] == ';' && (i+1 == len(s) || strings.IndexByte(" \t\r\n", s[i+1]) >= 0):
			return i
		case s[i] == '\n' && !strings.HasSuffix(strings.TrimSuffix(s[:i], "\r"), `\`):
			return i
		}
	}
	return len(s)
}
