package markdown

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// FeishuLimit is the most that one card may take, in bytes of the request that carries it
// (messages of type interactive: 30 KB). The JSON of a card travels as a string inside of the
// request's JSON, so its quotes and backslashes count twice.
const FeishuLimit = 30_000

// FeishuEnvelope is what is left of FeishuLimit for what the sender puts around Card.Body or into a
// card beside it: schema, configuration, a header, buttons, the address and the uuid.
const FeishuEnvelope = 4_000

// MaxCardTables is the most table components that one card holds (card JSON 2.0, table component).
const MaxCardTables = 5

// MaxCardElements is the most elements of one card that come from here, so that the sender can add its
// own (card JSON 2.0: 200 in all).
const MaxCardElements = 100

// feishuRoom is what the JSON made here may take on the wire.
const feishuRoom = FeishuLimit - FeishuEnvelope

// asJSON encodes a value without references for <, > and &, which would take six bytes each.
func asJSON(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // strings, numbers and slices of them can be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// wireSize is what JSON takes as a string inside of JSON.
func wireSize(body []byte) int {
	return len(body) + bytes.Count(body, []byte{'"'}) + bytes.Count(body, []byte{'\\'})
}

// wireCost is what one rune takes at least.
func wireCost(r rune) int {
	switch {
	case strings.ContainsRune("\"\\", r):
		return 4
	case r < ' ', r == '\u2028', r == '\u2029':
		return 3
	}
	return utf8.RuneLen(r)
}
