package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

var (
	bom      = []byte("\xef\xbb\xbf")
	thinking = regexp.MustCompile(`(?is)^(\s*(<(think|thinking|reasoning|thought|seed:think)>.*?</(think|thinking|reasoning|thought|seed:think)>` +
		`|◁think▷.*?◁/think▷|\[THINK\].*?\[/THINK\]|<\|START_THINKING\|>.*?<\|END_THINKING\|>))+`)
	braceless   = regexp.MustCompile(`^\s*(?:"[\w-]+"|'[\w-]+')\s*:`) // an object without its first brace
	blanksIn    = regexp.MustCompile(`^(?:\s|\\[nrt])+`)
	onlyClosers = regexp.MustCompile(`^(?:\\[nrt]|\s)+[}\]](?:\\[nrt]|[\s}\]])*$`) // what is left of the arguments, its blanks escaped or not
	unfinished  = regexp.MustCompile(`(?i)^\s*(<(think|thinking|reasoning|thought|seed:think)>|◁think▷|\[THINK\]|<\|START_THINKING\|>)`)
	errNoJSON   = errors.New("the arguments are not a JSON object")
	errTwo      = errors.New("the arguments are more than one JSON value; make one call for each")
	errCutOff   = errors.New("the arguments end too early, in the middle of a value; nothing was run")
	errUnclear  = errors.New("the arguments are not valid JSON, and what was meant is not clear")
)

// parseObject reads arguments: strictly if possible, else repaired. Nothing at all is an empty
// object. The values of a tool that only reads may have been cut off, others not.
func parseObject(raw []byte, readonly bool) (args map[string]any, repaired bool, err error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(raw), bom))
	if len(text) == 0 || string(text) == "null" || string(text) == "[]" { // how PHP writes an empty object
		return map[string]any{}, false, nil
	}
	v, err := decode(text)
	if err == nil {
		return object(v, readonly)
	}
	v, err = repair(string(text), readonly)
	if err != nil {
		return nil, false, err
	}
	args, _, err = object(v, readonly)
	return args, true, err
}

// object gives v if it is an object, or the object that it is the text of.
func object(v any, readonly bool) (map[string]any, bool, error) {
	switch v := v.(type) {
	case map[string]any:
		return v, false, nil
	case []any:
		if one, ok := fitObjectIn(v).(map[string]any); ok {
			return one, false, nil
		}
	case string:
		if text := strings.TrimSpace(v); strings.HasPrefix(text, "{") || strings.HasPrefix(text, `"`) {
			return parseObject([]byte(text), readonly)
		}
	}
	return nil, false, errNoJSON
}

// repair makes a value of what a model wrote around and instead of JSON. It refuses rather than
// lose, add or merge anything.
func repair(text string, readonly bool) (any, error) {
	text = withoutThoughts(text)
	if braceless.MatchString(text) {
		text = "{" + text
	}
	from := strings.IndexByte(text, '{')
	if wide := strings.Index(text, brackets[0].sign); wide >= 0 && (from < 0 || strings.TrimSpace(text[:wide]) == "") {
		from = wide
	}
	if from < 0 || strings.HasPrefix(strings.TrimSpace(text[:from]), "[") {
		return nil, errNoJSON
	}
	if strings.HasPrefix(text[from:], "{{") {
		from++ // a template's braces: what is left of them at the end is an extra closer
	}
	s := scan(unescape(text[from:]))
	switch {
	case strings.ContainsAny(s.rest, "{[") && !s.open:
		return nil, errTwo
	case strings.Contains(s.rest, `"`), s.unclear:
		return nil, errUnclear
	case s.inText && !readonly, s.open && s.quotes && !readonly, s.open && s.inWord, s.empty && !readonly:
		return nil, errCutOff
	}
	v, err := decode([]byte(s.mended))
	if _, broken := errors.AsType[*json.SyntaxError](err); broken && len(s.source) <= maxRepair {
		return repairMore(s)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnclear, err)
	}
	return v, nil
}

// withoutThoughts drops what a model thought before it wrote, also when a template has swallowed the
// tag that opens it. Of a thought that does not end nothing is left.
func withoutThoughts(text string) string {
	text = thinking.ReplaceAllString(text, "")
	if unfinished.MatchString(text) {
		return ""
	}
	before, after, ok := strings.Cut(text, "</think>")
	if before = strings.TrimSpace(before); ok && before != "" && strings.IndexByte("{[\"", before[0]) < 0 {
		return after
	}
	return text
}

// lostSign is a name that has swallowed the sign behind it, as of {a='x'}.
var lostSign = regexp.MustCompile(`[{,]\s*"\w+=>?"\s*:`)

// maxRepair bounds what the library is given: its time grows with the square of the size.
const maxRepair = 32 << 10

// repairMore leaves to a library what is rarer: missing commas, bare texts, other quotes. What it
// gives must hold the same words in the same order, and every string that was JSON as it stood.
func repairMore(s scanned) (any, error) {
	fixed, err := jsonrepair.JSONRepair(s.source)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnclear, err)
	}
	v, err := decode([]byte(fixed))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnclear, err)
	}
	if lostSign.MatchString(fixed) || !sameWords(s.source, fixed) || !keepsQuotes(s.source, v) || cutsWords(s.source, v) || !s.quotes && !keepsTexts(s.source, v) {
		return nil, errUnclear
	}
	return v, nil
}

// unescape undoes one encoding of an object whose very first name has escaped quotes, as JSON or as
// HTML escapes them.
func unescape(text string) string {
	inner := blanksIn.ReplaceAllString(text[1:], "")
	if strings.HasPrefix(inner, "&quot;") && !strings.Contains(text, `"`) {
		return html.UnescapeString(text)
	}
	if !strings.HasPrefix(inner, `\"`) {
		return text
	}
	var plain string
	if err := json.Unmarshal([]byte(`"`+text+`"`), &plain); err != nil {
		return text
	}
	return plain
}
