package question

import (
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/sorting"
)

var fileName = pattern.New(`(?i)(?:\.{0,2}/)*[a-z0-9_][a-z0-9_./\-]*\.(?:log|csv|tsv|md|markdown|txt|jsonl|json|ndjson|out|err|text|access|error)\b(?:\.\d+)?`)

// hanFile is a name with Chinese characters behind words for writing or naming.
var hanFile = pattern.New(`(?i)(?:写入|写到|写进|写成|保存到|保存为|存到|存入|存为|存成|输出到|导出到|导出为|记录到|汇总到|名为|叫做?|命名为|生成|\b(?:to|into|as|called|named|in))\s*(?:文件|the file|a file|file)?\s*[“"'` + "`" + `]?([\p{Han}A-Za-z0-9_-]*\p{Han}[\p{Han}A-Za-z0-9_-]*\.(?:md|markdown|txt|csv|json))\b`)

// mention is a file name in a text.
type mention struct {
	name     string
	from, to int
	known    bool
}

// mentions finds the names of files in a text: those at hand, whole or without folder or ending,
// and whatever else looks like one.
func mentions(text string, known []string) []mention {
	var out []mention
	for _, name := range byLength(known) {
		for _, form := range []string{name, path.Base(name)} {
			out = addMentions(out, text, form, name)
		}
	}
	for _, at := range fileName.FindAllStringIndex(text, -1) {
		m := mention{strings.TrimPrefix(text[at[0]:at[1]], "./"), at[0], at[1], false}
		if !overlaps(out, m.from, m.to) {
			out = append(out, m)
		}
	}
	for _, at := range hanFile.FindAllStringSubmatchIndex(text, -1) {
		if !overlaps(out, at[2], at[3]) {
			out = append(out, mention{text[at[2]:at[3]], at[2], at[3], false})
		}
	}
	for _, name := range byLength(known) {
		stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
		out = addStem(out, text, stem, name)
	}
	sorting.By(out, func(a, b mention) int { return a.from - b.from })
	return out
}

func byLength(names []string) []string {
	names = slices.Clone(names)
	sorting.By(names, func(a, b string) int { return len(b) - len(a) })
	return names
}

func addMentions(out []mention, text, form, name string) []mention {
	low, f := strings.ToLower(text), strings.ToLower(form)
	for i := 0; f != ""; {
		at := strings.Index(low[i:], f)
		if at < 0 {
			break
		}
		from, to := i+at, i+at+len(f)
		if !overlaps(out, from, to) && edge(low, from, to) {
			out = append(out, mention{name, from, to, true})
		}
		i = to
	}
	return out
}

var stemAfter = pattern.New(`^(?i)[' ]*(?:s )?(?:log|csv|file|logs|table|sheet|note|notes|日志|文件|表)`)

// addStem takes a name without its ending only where "log", "file" and the like follow it.
func addStem(out []mention, text, stem, name string) []mention {
	low, f := strings.ToLower(text), strings.ToLower(stem)
	at := strings.Index(low, f)
	if len(f) < 3 || at < 0 || !edge(low, at, at+len(f)) || overlaps(out, at, at+len(f)) {
		return out
	}
	if loc := stemAfter.FindStringIndex(text[at+len(f):]); loc != nil {
		return append(out, mention{name, at, at + len(f) + loc[1], true})
	}
	return out
}

// edge tells that a name is not part of a longer one.
func edge(s string, from, to int) bool {
	isName := func(c byte) bool {
		return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-'
	}
	if from > 0 && (isName(s[from-1]) || s[from-1] == '/') {
		return false
	}
	return to >= len(s) || !isName(s[to]) && !(s[to] == '.' && to+1 < len(s) && isName(s[to+1]))
}

func overlaps(ms []mention, from, to int) bool {
	return slices.ContainsFunc(ms, func(m mention) bool { return from < m.to && to > m.from })
}

var (
	inFile        = pattern.New(`(?i)\b(?:in|into|to) (?:a |the )?(?:new )?(?:markdown |text )?file (?:called |named )?["“'` + "`" + `]?$|(?:放|存|写)[在到](?:名为|叫做?)?$`)
	intoFile      = pattern.New(`(?i)\binto\s+(?:a |the )?(?:new )?(?:file )?["“'` + "`" + `]?$|(?i)\b(?:extract|copy|dump|send|collect|append)\b[^?!。？！]*\bto\s+(?:a |the )?(?:file )?["“'` + "`" + `]?$`)
	writeBefore   = pattern.New(`(?i)(\b(?:write|save|put|store|export|output|produce|create|generate|make|record|dump)\b[^?!。？！]*?\b(?:to|in|into|as|called|named|file|at)?\s*(?:the\s+|a\s+)?(?:file\s+)?[` + "`" + `"'“]?|(?:写入|写到|写进|保存到|保存为|存到|存入|存为|存成|输出到|导出到|导出为|生成|记录到|放到|汇总到|写成|写)[^。？！]{0,20}?)$`)
	writeClose    = pattern.New(`(?i)(?:\b(?:to|into|as|called|named|in)\s+(?:the\s+|a\s+)?(?:file\s+)?|(?:入|到|进|为|成|出|生成|写)\s*(?:文件|到)?\s*)[` + "`" + `"'“]?$`)
	reportFile    = pattern.New(`(?i)\b(?:write|save|produce|create|generate)\b[^.?!]*\breport file\b|(?:写|生成|保存)[^。？！]{0,8}报告文件`)
	writeInChoice = pattern.New(`(?i)^\s*(?:here|above|below)`)
)

// reportOf finds the file that the answer is to be written to: a name that "write ... to" or the
// like stands before, and not one of the files at hand unless "to" stands right before it.
func reportOf(text string, ms []mention) (name string, at int) {
	for i, m := range slices.Backward(ms) {
		before := text[:m.from]
		if !m.known && (inFile.MatchString(before) || intoFile.MatchString(before)) {
			return m.name, i
		}
		if !writeBefore.MatchString(before) || writeInChoice.MatchString(text[m.to:]) {
			continue
		}
		if !m.known || writeClose.MatchString(before) && i > 0 || overwrites.MatchString(before) {
			return m.name, i
		}
	}
	if reportFile.MatchString(text) {
		return "report.md", -1
	}
	return "", -1
}
