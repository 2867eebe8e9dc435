package redact

import (
	"regexp"
	"slices"
	"strings"
)

// How passwords are called, and how they stand in settings without quotes.
const (
	passwordName = `(?:(?i:passw(?:or)?[dt]|passphrase|passcode|\bpwd|[_-]pass)|密[\s\x{3000}]{0,4}码|口令|密钥)`
	plainValue   = `[^\s"'\\,;<>(){}\[\]$%*` + "`" + `\x{80}-\x{10ffff}][^\s"'\\,;<>(){}\[\]` + "`" + `\x{80}-\x{10ffff}]{5,}`
)

var headGates = []string{"assw", "ASSW", "pwd", "PWD", "Pwd", "密", "口令", "ecret", "ECRET", "api", "API", "ccess"}

var passwordGates = []string{"assw", "ASSW", "assphrase", "ASSPHRASE", "asscode", "ASSCODE", "_pass", "_PASS", "-pass", "pwd", "PWD", "Pwd", "密", "口令"}

// said reports whether a password stands where it is told, and not a word about passwords: no letters alone, or
// the end of what is said. The password is base64 encoded; the password is hunter22.
func said(_, value, after string) bool {
	return notWords(value) || !goesOn.MatchString(after)
}

var goesOn = regexp.MustCompile(`^ +[a-z]`)

// notThePasswd reports whether the name is none of a file in which a system keeps its users, and no passwords.
func notThePasswd(before, _, _ string) bool { return !strings.HasSuffix(before, "etc/") }

// opens reports whether a token is what opens something: no place in a list, no name of a file, and no name in code.
func opens(before, value, after string) bool {
	return !ofPlace.MatchString(before[max(0, len(before)-16):]) && noCode(before, value, after)
}

// noCode reports whether a value is no name in code: one that is called, or that says once more what it is the name of.
func noCode(_, value, after string) bool {
	called := strings.HasPrefix(after, "(") || strings.HasPrefix(after, "{")
	return !(called && name.MatchString(value)) && !secretName.MatchString(value)
}

var (
	name       = regexp.MustCompile(`^[A-Za-z_]\w*(?:\.\w+)*$`)
	secretName = regexp.MustCompile(`^[A-Za-z_]\w*(?:\.\w+)*\.\w*(?i:token|secret|key)$`)
)

var ofPlace = regexp.MustCompile(`(?i)(?:idempotency|page|next|previous|prev|continuation|continue|cursor|sync|delta|skip|resume|start|file|folder|node|obj|object|doc|document|wiki|sheet|base|media|parent|space)[_-]?$`)

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// columns takes the secrets out of a table, with bars, commas or tabs, whose head names their column.
func columns(s string) string {
	lines := strings.SplitAfter(s, "\n")
	var head []string // of the table that the line is in
	sep := ""
	for i, line := range lines {
		if sep != "" && strings.Count(line, sep) == len(head)-1 {
			lines[i] = strings.Join(hideCells(strings.Split(line, sep), head), sep)
			continue
		}
		if sep = separator(line); sep != "" {
			head = strings.Split(line, sep)
		}
	}
	return strings.Join(lines, "")
}

// separator gives what parts the cells of a line that is the head of a table with secrets, "" if it is none.
func separator(line string) string {
	if !slices.ContainsFunc(headGates, func(gate string) bool { return strings.Contains(line, gate) }) {
		return ""
	}
	for _, sep := range []string{"|", ",", "\t"} {
		cells := strings.Split(line, sep)
		switch {
		case len(cells) < 2, sep != "|" && slices.ContainsFunc(cells, blank): // as in a list in code, an item a line
		case slices.ContainsFunc(cells, secretHead.MatchString):
			return sep
		}
	}
	return ""
}

func blank(cell string) bool { return strings.TrimSpace(cell) == "" }

var secretHead = regexp.MustCompile(`^\W*(?:(?i:(?:[a-z]+[ _-])?(?:passw(?:or)?d|secret|(?:api|secret|access)[ _-](?:access[ _-])?key|access[ _-]token)|pwd)|.{0,12}(?:密码|口令|密钥))[\s"*` + "`" + `]*$`)

func hideCells(cells, head []string) []string {
	for i, cell := range cells {
		value := strings.Trim(cell, " \t\r\n\"'`*")
		if secretHead.MatchString(head[i]) && len(value) >= MinLength && !strings.ContainsAny(value, " \t") && password(value) {
			cells[i] = strings.Replace(cell, value, Mark, 1)
		}
	}
	return cells
}

// manifests takes the data out of what Kubernetes keeps as a Secret, in YAML and JSON.
func manifests(s string) string {
	docs := strings.SplitAfter(s, "\n---")
	for i, doc := range docs {
		if ofSecret.MatchString(doc) {
			docs[i] = secretData.ReplaceAllStringFunc(doc, func(data string) string {
				return secretValue.ReplaceAllString(data, "${1}"+Mark)
			})
		}
	}
	return strings.Join(docs, "")
}

var (
	ofSecret    = regexp.MustCompile(`\bkind["']?:\s*["']?Secret["']?\s*(?:[,}\n]|$)`)
	secretData  = regexp.MustCompile(`(?:^|\n)(?:stringData|data):[ \t]*\r?\n(?:[ \t]+[^\n]*(?:\n|$))+|"(?:stringData|data)":\s*\{[^{}]*\}`)
	secretValue = regexp.MustCompile(`([\w.-]+["']?:[ \t]*["']?)[^\s"'{\[|>][^\s"']*`)
)
