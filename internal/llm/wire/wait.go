package wire

import (
	"strconv"
	"time"

	"github.com/akitad/akitad/internal/pattern"
)

// waits are the words in which servers say how long they want to be left alone, where no header does:
// "try again in 1m30.5s", "retry after 20 seconds", and the fields of Google and of some proxies.
var waits = pattern.New(`(?i)(?:(?:re)?try(?: again)?|wait)(?: in| after| for)? (?:(\d+)h)?(?:(\d+)m)?(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s\b|sec|minutes?)` +
	`|"retry_?(?:delay|after)"\s*:\s*"?(\d+(?:\.\d+)?)`)

// maxWait keeps absurd values out of duration arithmetic.
const maxWait = 24 * time.Hour

// waitIn gives how long a server asks to be left alone in the text of its refusal; 0 if it does not.
func waitIn(body []byte) time.Duration {
	m := waits.FindStringSubmatch(string(body))
	if m == nil {
		return 0
	}
	unit := time.Second
	switch {
	case m[5] != "":
		return limited(number(m[5]) * float64(time.Second))
	case m[4][0] == 'm' && (m[4] == "ms" || len(m[4]) > 3 && m[4][1] == 'i' && m[4][2] == 'l'):
		unit = time.Millisecond
	case m[4][0] == 'm':
		unit = time.Minute
	}
	return limited(number(m[1])*float64(time.Hour) + number(m[2])*float64(time.Minute) + number(m[3])*float64(unit))
}

func number(digits string) float64 {
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0 // none were there
	}
	return n
}

func limited(ns float64) time.Duration {
	if ns > float64(maxWait) {
		return maxWait
	}
	return time.Duration(ns)
}
