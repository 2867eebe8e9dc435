package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
)

// forms gives a secret as it is written in other places, in letters of its own.
func forms(s string) []string {
	return []string{
		s, inJSON(s), plain(inJSON(s)), strings.ReplaceAll(inJSON(s), "/", `\/`), strings.ReplaceAll(plain(inJSON(s)), "/", `\/`), html.EscapeString(s),
		url.QueryEscape(s), url.PathEscape(s), lowerEscapes(url.QueryEscape(s)), lowerEscapes(url.PathEscape(s)), url.QueryEscape(url.QueryEscape(s)),
	}
}

// codes gives a secret in hexadecimal and in base64: no letter of it is left, and what is there is a run.
func codes(s string) []string {
	if len(s) < minCoded {
		return nil
	}
	text := hex.EncodeToString([]byte(s))
	return append(inBase64(s), text, strings.ToUpper(text))
}

func inJSON(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(text[1 : len(text)-1])
}

// plain undoes what only Go escapes in JSON.
func plain(s string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(s)
}

var escaped = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerEscapes(s string) string { return escaped.ReplaceAllStringFunc(s, strings.ToLower) }

// minCoded is the length of a secret whose middle in base64 occurs by itself in no other text.
const minCoded = 10

// inBase64 gives what a secret looks like inside of base64, in both alphabets, behind one, two and no bytes
// of a group of three: without the letters at its ends that its neighbours share.
func inBase64(s string) (all []string) {
	for before, skip := range []int{0, 2, 3} {
		for _, code := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := code.EncodeToString([]byte("\x00\x00"[:before] + s))
			if (before+len(s))%3 != 0 {
				text = text[:len(text)-1]
			}
			all = append(all, text[skip:])
		}
	}
	return all
}
