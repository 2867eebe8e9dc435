package wire

import (
	"bytes"
	"encoding/json"

	"github.com/akitad/akitad/internal/pattern"
)

// Half is the first half of a character, escaped, with which a piece of a text ended: servers that cut by
// UTF-16 send the second one with the next piece.
type Half string

var firstHalf = pattern.New(`\\u[dD][89abAB][0-9a-fA-F]{2}"$`)

// Join gives a piece of text, as JSON, behind what was kept of the one before, and keeps a half at its end.
func (h *Half) Join(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || raw[0] != '"' {
		return raw
	}
	if *h != "" {
		raw, *h = append(json.RawMessage(`"`+string(*h)), raw[1:]...), ""
	}
	at := len(raw) - len(`\ud83d"`)
	if at < 1 || raw[at] != '\\' || !firstHalf.MatchString(string(raw[at:])) || escapes(raw[:at]) {
		return raw
	}
	*h = Half(raw[at : len(raw)-1])
	return append(bytes.Clone(raw[:at]), '"')
}

// escapes reports whether the backslashes at the end escape what follows.
func escapes(raw []byte) bool {
	return (len(raw)-len(bytes.TrimRight(raw, `\`)))%2 == 1
}
