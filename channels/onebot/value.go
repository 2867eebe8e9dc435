package onebot

import (
	"encoding/json"
	"strconv"
	"strings"
)

// scalar is a value that some OneBot programs send as a number, some as a string and some as null:
// ids, sizes, times. Anything else is empty.
type scalar string

// UnmarshalJSON never fails: one odd field must not lose a message.
func (s *scalar) UnmarshalJSON(b []byte) error {
	*s = scalar(plain(b))
	return nil
}

// MarshalJSON gives a number where it is one: the protocol's ids are numbers.
func (s scalar) MarshalJSON() ([]byte, error) {
	if n, err := strconv.ParseInt(string(s), 10, 64); err == nil {
		return strconv.AppendInt(nil, n, 10), nil
	}
	return json.Marshal(string(s))
}

func (s scalar) int() int64 {
	n, err := strconv.ParseFloat(string(s), 64)
	if err != nil || n < -1<<53 || n > 1<<53 {
		return 0
	}
	return int64(n)
}

// plain gives a JSON value as text: a string without its quotes, null as nothing, a list or an
// object as its JSON.
func plain(b []byte) string {
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(b))
}
