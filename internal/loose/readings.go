package loose

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
)

// reader knows which keys are wanted: those of the document (top) and those anywhere in it.
type reader struct {
	top      []string
	known    map[string]bool
	brackets *bracketed
}

var (
	ascii    = pattern.New(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	fence    = pattern.New("^[ \t>]*(```+|~~~+)[ \t]*([A-Za-z]*)")
	wrapper  = pattern.New("^(?:</?[A-Za-z_]+>|```+|~~~+)$")
	sentence = pattern.New(`[.!?:。！？：…)）]\s*$`)
	setsOff  = pattern.New(`^\s*(?:#{1,6}\s.*)?$`) // an empty line, or the heading of what follows
	thinkTag = pattern.New(`(?i)</?(?:think|thinking|thought|reasoning|reflection|scratchpad|analysis)(?:\s[^>\n]*)?>`)
)

// sanitise drops what is in no valid YAML: marks of byte order, control characters, bytes that are
// no UTF-8. Line ends become \n.
func sanitise(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\ufeff", "").Replace(text)
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, text)
}

// readings gives groups of texts that the YAML may be, the most literal first: the whole, the
// whole without thinking, each fenced block, what is left without the prose around it.
func (r reader) readings(text string) [][]string {
	groups := [][]string{{text}}
	spoken := withoutThinking(r.unnumbered(unquotedLines(tagBeside.ReplaceAllString(text, "$1$2"))))
	if spoken != text {
		groups = append(groups, []string{spoken})
	}
	if blocks := fenced(spoken); len(blocks) > 0 {
		groups = append(groups, blocks)
	}
	var bare []string
	if t, ok := r.withoutProse(spoken); ok {
		bare = append(bare, t)
	} else if t, ok := braces(spoken); ok {
		bare = append(bare, t)
	}
	if len(bare) > 0 {
		groups = append(groups, bare)
	}
	return groups
}

// onLines gives a text that was sent as a text of JSON holds it, with \n for its line ends: it has none of its own, and a
// wanted key stands behind one of those, not within quotes.
func (r reader) onLines(text string) string {
	one := strings.TrimSpace(text)
	if inner, whole := strings.CutPrefix(one, `"`); whole {
		one = strings.TrimSuffix(inner, `"`)
	}
	lines := strings.Split(one, `\n`)
	if strings.Contains(one, "\n") || len(r.top) == 0 || !r.opensKey(lines[0]) || !r.opensLater(lines) {
		return text
	}
	var plain string
	if json.Unmarshal([]byte(`"`+one+`"`), &plain) != nil {
		plain = strings.Join(lines, "\n")
	}
	return plain
}

// opensLater reports whether one of the lines behind the first begins with a wanted key, where no value in quotes is open.
func (r reader) opensLater(lines []string) bool {
	quotes := strings.Count(lines[0], `"`)
	for _, line := range lines[1:] {
		if quotes%2 == 0 && r.opensKey(line) {
			return true
		}
		quotes += strings.Count(line, `"`)
	}
	return false
}

// unquotedLines takes off the > that every line begins with, as in a letter's or Markdown's quotation.
func unquotedLines(text string) string {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if !strings.HasPrefix(line, ">") {
			return text
		}
	}
	return quoteMark.ReplaceAllString(text, "")
}

// unnumbered takes off the numbers before wanted keys, as a list of Markdown has them.
func (r reader) unnumbered(text string) string {
	return numbered.ReplaceAllStringFunc(text, func(mark string) string {
		key := strings.TrimSuffix(strings.TrimSpace(mark[strings.IndexAny(mark, ".)")+1:]), ":")
		if !slices.Contains(r.top, bareKey(key)) {
			return mark
		}
		return key + ":"
	})
}

var numbered = pattern.New(`(?m)^\d{1,2}[.)][ \t]+[\w"\x60*]+:`)

// tagBeside is a tag on the line of a fence that it encloses.
var tagBeside = pattern.New("(?m)^[ \t]*<[A-Za-z_]+>[ \t]*(```.*)$|^([ \t]*```)[ \t]*</[A-Za-z_]+>[ \t]*$")

var quoteMark = pattern.New(`(?m)^> ?`)

// blank gives the line ends of s alone, so that the lines after it keep their number.
func blank(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }

// otherTags gives the tags of some models the form of all others.
var otherTags = strings.NewReplacer("◁think▷", "<think>", "◁/think▷", "</think>", "[THINK]", "<think>", "[/THINK]", "</think>",
	"<seed:think>", "<think>", "</seed:think>", "</think>", "<|START_THINKING|>", "<think>", "<|END_THINKING|>", "</think>")

// withoutThinking blanks what stands in thinking tags. A closing tag without an opening one ends
// thinking that began before the text did; an opening one that is never closed is dropped alone,
// and the prose after it is left to withoutProse.
func withoutThinking(text string) string {
	text = otherTags.Replace(text)
	var out strings.Builder
	open, from := -1, 0
	for _, at := range thinkTag.FindAllStringIndex(text, -1) {
		closing := text[at[0]+1] == '/'
		switch {
		case closing && open < 0: // orphan: all before it was thinking
			all := out.String() + text[from:at[0]]
			out.Reset()
			out.WriteString(blank(all))
			from = at[1]
		case closing:
			out.WriteString(blank(text[open:at[0]]))
			open, from = -1, at[1]
		case open < 0:
			out.WriteString(text[from:at[0]])
			open, from = at[0], at[1]
		}
	}
	out.WriteString(text[from:])
	return out.String()
}

// maxBlocks is how many code blocks are looked at: an answer has one or two.
const maxBlocks = 8

// fenced gives each code block alone; those of another language than YAML or JSON are left out if
// there is one that is not. A block that is never closed reaches to the end.
func fenced(text string) []string {
	lines := strings.Split(text, "\n")
	var data, other []string
	for i := 0; i < len(lines) && len(data)+len(other) < maxBlocks; i++ {
		m := fence.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		end := i + 1
		for end < len(lines) && !closes(lines[end], m[1], indent(lines[i])) {
			end++
		}
		if end == len(lines) {
			gluedFence(lines[i+1:], m[1])
		}
		block := strings.Repeat("\n", i+1) + strings.Join(lines[i+1:min(end, len(lines))], "\n") + blank(strings.Join(lines[min(end, len(lines)):], "\n"))
		switch strings.ToLower(m[2]) {
		case "yaml", "yml", "json", "":
			data = append(data, block)
		default:
			other = append(other, block)
		}
		i = end
	}
	if len(data) > 0 {
		return data
	}
	return other
}

// gluedFence takes mark off the end of the last line of a block that no line of its own closes.
func gluedFence(lines []string, mark string) {
	for i := len(lines) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(lines[i]); line != "" {
			if strings.HasSuffix(line, mark) {
				lines[i] = strings.TrimSuffix(strings.TrimRight(lines[i], " \t"), mark)
			}
			return
		}
	}
}

// closes reports whether line ends a block opened by mark; a fence that stands further in belongs
// to the block.
func closes(line, mark string, in int) bool {
	t := strings.TrimSpace(line)
	return len(t) >= len(mark) && strings.Trim(t, mark[:1]) == "" && indent(line) <= in
}

// indent gives how many bytes of space, or of marks that show nothing, line begins with.
func indent(line string) int {
	return len(line) - len(strings.TrimLeftFunc(line, func(c rune) bool { return unicode.IsSpace(c) || invisible(c) }))
}

func invisible(c rune) bool { return c == '\u200b' || c == '\u2060' || c == '\u200e' || c == '\u200f' }

// withoutProse keeps the lines from the first that begins with a wanted key to the last that can
// belong to it. Prose is only cut off where no wanted key follows it: nothing that was meant is
// dropped in silence.
func (r reader) withoutProse(text string) (string, bool) {
	lines := strings.Split(text, "\n")
	first := -1
	for i, line := range lines {
		if r.opensKey(line) {
			first = i
			break
		}
	}
	if first < 0 {
		return "", false
	}
	if before := strings.Join(lines[:first], ""); strings.Count(before, "{") > strings.Count(before, "}") {
		return "", false // in the midst of an object
	}
	base, last := indent(lines[first]), len(lines)
	for i := first - 1; i >= 0 && (indent(lines[i]) > base || r.belongs(lines[i])); i-- {
		if ownKey(lines[i]) {
			first = i // not prose: a key that is not known, to be complained about
		}
	}
	said := false // the last key has its value on its line
	for i := first; i < len(lines); i++ {
		if r.opensKey(lines[i]) {
			_, value, _ := cutColon(lines[i])
			said = strings.TrimSpace(value) != ""
		}
		stray := said && strings.HasPrefix(lines[i], "- ") && setsOff.MatchString(lines[i-1])
		if (indent(lines[i]) > base || r.belongs(lines[i])) && !stray {
			continue
		}
		if r.farewell(lines, i) {
			last = i
		}
		break
	}
	return strings.Repeat("\n", first) + strings.Join(lines[first:last], "\n"), true
}

// farewell reports whether all from line i on is prose: it has no key, and it is set off by an
// empty line or ends like a sentence. A bare word on the last line is a text cut short.
func (r reader) farewell(lines []string, i int) bool {
	if slices.ContainsFunc(lines[i:], func(l string) bool { return r.opensKey(l) || ownKey(l) }) {
		return false
	}
	before, line := strings.TrimSpace(lines[i-1]), strings.TrimSpace(lines[i])
	return setsOff.MatchString(before) || wrapper.MatchString(line) || strings.HasPrefix(before, "---") || sentence.MatchString(line)
}

// ownKey reports whether line begins with a key in the form that ours have.
func ownKey(line string) bool {
	name, ok := keyAt(strings.TrimSpace(line))
	return ok && ascii.MatchString(name) && strings.ToLower(name) == name
}

// opensKey reports whether line begins with a wanted top-level key.
func (r reader) opensKey(line string) bool {
	name, ok := keyAt(strings.TrimSpace(line))
	return ok && slices.Contains(r.top, name)
}

// keyAt gives the bare key that text begins with: what stands before its first colon.
func keyAt(text string) (string, bool) {
	name, _, ok := cutColon(text)
	return bareKey(name), ok
}

// bareKey gives a key without quotes, marks of bold type, and the backslashes of Markdown.
func bareKey(name string) string {
	return strings.ReplaceAll(strings.Trim(name, "\"'`*“”‘’ \t\u200b\u2060\u200e\u200f"), `\_`, "_")
}

// belongs reports whether a line at the outer level can be part of the YAML: a key of its form, a
// list item, a comment, nothing, or a closing bracket.
func (r reader) belongs(line string) bool {
	t := strings.TrimSpace(line)
	if t == "" || t == "-" || t == "..." || strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "#") || strings.HasPrefix(t, "---") || strings.HasPrefix(t, "}") || strings.HasPrefix(t, "]") {
		return true
	}
	return r.opensKey(line) || ownKey(line)
}

// braces gives what stands between the first { and the last }, if the text has both.
func braces(text string) (string, bool) {
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	if from < 0 || to < from {
		return "", false
	}
	return blank(text[:from]) + text[from:to+1], true
}
