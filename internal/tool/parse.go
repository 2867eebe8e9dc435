package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

var (
	bom        = []byte("\xef\xbb\xbf")
	thinking   = regexp.MustCompile(`(?is)^\s*<(think|thinking|reasoning|thought)>.*?</(think|thinking|reasoning|thought)>`)
	errNoJSON  = errors.New("the arguments are not a JSON object")
	errTwo     = errors.New("the arguments are more than one JSON value; make one call for each")
	errCutOff  = errors.New("the arguments end too early, in the middle of a value; nothing was run")
	errUnclear = errors.New("the arguments are not valid JSON, and what was meant is not clear")
)

// parseObject reads arguments: strictly if possible, else repaired. Nothing at all is an empty
// object. The values of a tool that only reads may have been cut off, others not.
func parseObject(raw []byte, readonly bool) (args map[string]any, repaired bool, err error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(raw), bom))
	if len(text) == 0 || string(text) == "null" {
		return map[string]any{}, false, nil
	}
	v, err := decode(text)
	if err == nil {
		return object(v, readonly)
	}
	fixed, rerr := repair(string(text), readonly)
	if rerr != nil {
		return nil, false, rerr
	}
	if v, err = decode([]byte(fixed)); err != nil {
		return nil, false, fmt.Errorf("%w: %w", errUnclear, err)
	}
	args, _, err = object(v, readonly)
	return args, true, err
}

// object gives v if it is an object, or the object that it is the text of.
func object(v any, readonly bool) (map[string]any, bool, error) {
	switch v := v.(type) {
	case map[string]any:
		return v, false, nil
	case string:
		if strings.HasPrefix(strings.TrimSpace(v), "{") {
			return parseObject([]byte(v), readonly)
		}
	}
	return nil, false, errNoJSON
}

// repair makes JSON of what a model wrote around and instead of it. It refuses a result that has
// lost, added or merged anything: whatever it gives holds the same words in the same order.
func repair(text string, readonly bool) (string, error) {
	text = thinking.ReplaceAllString(text, "")
	from := strings.IndexByte(text, '{')
	if from < 0 {
		return "", errNoJSON
	}
	if strings.HasPrefix(strings.TrimSpace(text[:from]), "[") {
		return "", errNoJSON
	}
	s := scan(unescape(text[from:]))
	switch {
	case strings.ContainsAny(s.rest, "{[") && !s.open:
		return "", errTwo
	case strings.Contains(s.rest, `"`):
		return "", errUnclear
	case s.inString && !readonly, s.open && s.innerQuotes && !readonly:
		return "", errCutOff
	case s.open && s.inWord:
		return "", errCutOff
	}
	fixed, err := jsonrepair.Repair(s.text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errUnclear, err)
	}
	if words(s.text) != words(fixed) {
		return "", errUnclear
	}
	return fixed, nil
}

// unescape undoes one encoding of an object whose very first name has escaped quotes.
func unescape(text string) string {
	if !strings.HasPrefix(strings.TrimLeft(text[1:], " \t\r\n"), `\"`) {
		return text
	}
	var plain string
	if err := json.Unmarshal([]byte(`"`+text+`"`), &plain); err != nil {
		return text
	}
	return plain
}
