package redact

import (
	"regexp"
	"strings"
)

// How passwords are called, and how they stand in settings without quotes.
const (
	passwordName = `(?:(?i:passw(?:or)?[dt]|passphrase|passcode|\bpwd|[_-]pass)|密[\s\x{3000}]{0,4}码|口令|密钥)`
	plainValue   = `[^\s"'\\,;<>(){}\[\]$%*` + "`" + `\x{80}-\x{10ffff}][^\s"'\\,;<>(){}\[\]` + "`" + `\x{80}-\x{10ffff}]{5,}`
	options      = `(?:[^\n|;]|\\\r?\n)*?` // of a command, up to its end
)

var passwordGates = []string{"assw", "ASSW", "assphrase", "ASSPHRASE", "asscode", "ASSCODE", "_pass", "_PASS", "-pass", "pwd", "PWD", "Pwd", "密", "口令"}

// said reports whether a password stands where it is told, and not a word about passwords: no letters alone, or
// the end of what is said. The password is base64 encoded; the password is hunter22.
func said(_, value, after string) bool {
	return notWords(value) || !goesOn.MatchString(after)
}

var goesOn = regexp.MustCompile(`^ +[a-z]`)

// noPlace reports whether a token is no place in a list and no name of a file: those open nothing.
func noPlace(before, _, _ string) bool { return !ofPlace.MatchString(before[max(0, len(before)-16):]) }

var ofPlace = regexp.MustCompile(`(?i)(?:page|next|previous|prev|continuation|continue|cursor|sync|delta|skip|resume|start|file|folder|node|obj|object|doc|document|wiki|sheet|base|media|parent|space)[_-]?$`)

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// columns takes the passwords out of a table, with bars, commas or tabs, whose head names their column.
func columns(s string) string {
	lines := strings.SplitAfter(s, "\n")
	var head []string // of the table that the line is in
	sep := ""
	for i, line := range lines {
		if cells := strings.Split(line, sep); sep != "" && len(cells) == len(head) {
			lines[i] = strings.Join(hideCells(cells, head), sep)
			continue
		}
		if sep = separator(line); sep != "" {
			head = strings.Split(line, sep)
		}
	}
	return strings.Join(lines, "")
}

// separator gives what parts the cells of a line that is the head of a table with passwords, "" if it is none.
func separator(line string) string {
	for _, sep := range []string{"|", ",", "\t"} {
		if cells := strings.Split(line, sep); len(cells) > 1 {
			for _, cell := range cells {
				if passwordHead.MatchString(cell) {
					return sep
				}
			}
		}
	}
	return ""
}

var passwordHead = regexp.MustCompile(`^\W*(?:(?i:(?:[a-z]+[ _-])?passw(?:or)?d|pwd)|.{0,12}(?:密码|口令|密钥))[\s"*` + "`" + `]*$`)

func hideCells(cells, head []string) []string {
	for i, cell := range cells {
		value := strings.Trim(cell, " \t\r\n\"'`*")
		if passwordHead.MatchString(head[i]) && len(value) >= MinLength && password(value) {
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
