package markdown

import (
	"strings"
	"unicode"
)

// dialect is one service's Markdown: which formats it knows, and how a letter that it would take for
// a sign is written. An empty sign means that the format is unknown there.
type dialect struct {
	bold, italic, strike string
	lineBreak            string // ends a line of a paragraph
	language             func(string) string
	escape               func(t *typist, r, next rune) string // empty: as it is
}

// common is CommonMark, with ~~ as in GFM.
var common = dialect{
	bold: "**", italic: "*", strike: "~~", lineBreak: "\n",
	language: asWritten, escape: backslashed,
}

// lark's Markdown is CommonMark but for HTML; letters that mean something are written as references.
var lark = dialect{
	bold: "**", italic: "*", strike: "~~", lineBreak: "\n",
	language: larkLanguage, escape: referenced,
}

// dingTalk's breaks lines only where two spaces say so.
var dingTalk = dialect{
	bold: "**", italic: "*", lineBreak: "  \n",
	language: asWritten, escape: untagged,
}

// weCom's knows bold words, links, code and quotes; it has no way to escape anything.
var weCom = dialect{
	bold: "**", lineBreak: "\n",
	language: asWritten, escape: disarmed,
}

func asWritten(language string) string { return language }

// larkLanguages are the names of languages that Lark knows by another name.
var larkLanguages = map[string]string{
	"c++": "cpp", "cxx": "cpp", "c#": "c_sharp", "cs": "c_sharp", "csharp": "c_sharp", "objective-c": "objective_c", "objc": "objective_c",
	"js": "javascript", "jsx": "javascript", "ts": "typescript", "tsx": "typescript", "py": "python", "python3": "python", "golang": "go",
	"sh": "bash", "zsh": "bash", "console": "bash", "yml": "yaml", "dockerfile": "docker_file", "rb": "ruby", "rs": "rust", "kt": "kotlin",
	"md": "markdown", "ps1": "powershell", "proto": "protobuf", "text": "plain_text", "txt": "plain_text", "plaintext": "plain_text", "vb": "visual_basic",
}

func larkLanguage(name string) string {
	if known, ok := larkLanguages[strings.ToLower(name)]; ok {
		return known
	}
	return name
}

// signs are the letters that begin something at the start of a line.
const signs = "#>+-=:|~"

// special reports whether a reader of CommonMark may take r, as it stands there, for a sign. The next
// letter is 0 where a format ends or begins behind r: a sign may follow, or a letter of the other stretch.
func special(t *typist, r, next rune) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '<', '~':
		return true
	case '_':
		return !isWord(t.before) || !isWord(next)
	case '#': // at the start, or where it would close a heading
		return t.atStart || ((next == 0 || unicode.IsSpace(next)) && (t.before == '#' || unicode.IsSpace(t.before)))
	case '!':
		return next == '[' || next == 0
	case '&':
		return next == '#' || next == 0 || unicode.IsLetter(next)
	case ':': // what is no link is not made one
		return (next == '/' && t.link == nil) || t.atStart
	case '$': // before a space it begins nothing, before a digit an amount of money
		return !unicode.IsSpace(next) && !isDigit(next)
	case '.', ')':
		return t.digits && (unicode.IsSpace(next) || next == 0)
	}
	return t.atStart && strings.ContainsRune(signs, r)
}

// backslashed writes no two brackets that could be taken for a formula's.
func backslashed(t *typist, r, next rune) string {
	switch {
	case r == '&' && special(t, r, next):
		return "&amp;"
	case r == ']' && t.link == nil:
		return ""
	case r == ']':
		return "&#93;"
	case special(t, r, next):
		return `\` + string(r)
	}
	return ""
}

// untagged is backslashed for those who read tags even behind a backslash.
func untagged(t *typist, r, next rune) string {
	if r == '<' {
		return "&lt;"
	}
	return backslashed(t, r, next)
}

var references = map[rune]string{
	'\\': "&#92;", '`': "&#96;", '*': "&#42;", '[': "&#91;", ']': "&#93;", '<': "&#60;", '>': "&#62;", '~': "&#126;", '_': "&#95;",
	'!': "&#33;", '&': "&#38;", '.': "&#46;", ')': "&#41;", '#': "&#35;", '+': "&#43;", '-': "&#45;", '=': "&#61;", ':': "&#58;",
	'|': "&#124;", '$': "&#36;",
}

// referenced writes signs as character references. A $ begins a formula for Lark, a colon with a
// word behind it an emoji.
func referenced(t *typist, r, next rune) string {
	if special(t, r, next) || r == '$' || r == '>' || (r == ':' && unicode.IsLetter(next)) {
		return references[r]
	}
	return ""
}

// disarmed keeps text from naming people and colours: what looks like a tag gets a space of no
// width, and so do stars side by side.
func disarmed(_ *typist, r, next rune) string {
	if (r == '<' && (next == '@' || next == '/' || unicode.IsLetter(next))) || (r == '*' && next == '*') {
		return string(r) + "\u200b"
	}
	return ""
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
