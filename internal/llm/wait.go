package llm

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/pattern"
)

// maxRetryAfter keeps absurd values out of duration arithmetic.
const maxRetryAfter = 24 * time.Hour

// ParseRetryAfter reads the headers Retry-After-Ms, as Azure spells it too, and Retry-After (RFC 9110, 10.2.3: seconds, also
// with a fraction or a unit as some servers send, or a date, also in the forms of RFC 3339 and of Unix), else those that say when
// a limit is reset. A date in the past and a negative number give 0, anything above 24 h gives 24 h, and
// what cannot be read counts as absent.
func ParseRetryAfter(status int, h http.Header, now time.Time) time.Duration {
	for _, name := range []string{"Retry-After-Ms", "X-Ms-Retry-After-Ms"} {
		if wait, ok := parseWait(h.Get(name), time.Millisecond); ok {
			return wait
		}
	}
	for _, name := range []string{"Retry-After", "X-Retry-After"} {
		if wait, ok := parseRetry(h.Get(name), now); ok {
			return wait
		}
	}
	return untilReset(status, h, now)
}

// untilReset reads when a limit is reset, from any header that says so of a limit: each of requests, tokens and the like may
// have its own ("X-Ratelimit-Reset-Tokens", "Anthropic-Ratelimit-Tokens-Reset"). Many servers send them with every answer, so
// they count only if a limit is why it was refused. If nothing remains of some, all of those must be reset. Else, at status 429,
// nobody knows which one it was, and the one that is reset first may be it.
func untilReset(status int, h http.Header, now time.Time) time.Duration {
	var last, first time.Duration
	for name := range h {
		value := h.Get(name)
		if fields := draftReset.FindStringSubmatch(value); fields != nil && strings.EqualFold(name, "Ratelimit") {
			value = fields[1]
		} else if !strings.Contains(name, "Ratelimit-") || !strings.Contains(name, "-Reset") {
			continue
		}
		wait, ok := parseRetry(value, now)
		if !ok || wait == 0 {
			continue
		}
		left := strings.Replace(strings.Replace(name, "-Reset-After", "-Reset", 1), "-Reset", "-Remaining", 1)
		if strings.TrimSpace(h.Get(left)) == "0" {
			last = max(last, wait)
		}
		if first == 0 || wait < first {
			first = wait
		}
	}
	if last == 0 && status == http.StatusTooManyRequests {
		return first
	}
	return last
}

// draftReset is the time in the two forms of the header RateLimit, of the drafts that have it.
var draftReset = pattern.New(`(?:\breset|;\s*t)=(\d+)`)

// epoch is where numbers begin that are no seconds to wait but a moment, in seconds since 1970; those from
// a thousand times of it on are in milliseconds.
const epoch = 1e9

func parseRetry(value string, now time.Time) (time.Duration, bool) {
	value = strings.Trim(value, ` "`)
	until := func(date time.Time) (time.Duration, bool) { return min(max(date.Sub(now), 0), maxRetryAfter), true }
	switch n, err := strconv.ParseInt(value, 10, 64); {
	case err == nil && n >= 1000*epoch:
		return until(time.UnixMilli(n))
	case err == nil && n >= epoch:
		return until(time.Unix(n, 0))
	}
	if wait, ok := parseWait(value, time.Second); ok {
		return wait, true
	}
	if date, err := http.ParseTime(strings.Replace(value, " UTC", " GMT", 1)); err == nil {
		return until(date)
	}
	for _, form := range []string{time.RFC3339, time.RFC1123Z, time.DateTime} {
		if date, err := time.Parse(form, value); err == nil {
			return until(date)
		}
	}
	return ReadSpan(value)
}

func parseWait(value string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return maxRetryAfter, true
	case err != nil || n != n:
		return 0, false
	case n <= 0:
		return 0, true
	case n >= float64(maxRetryAfter/unit):
		return maxRetryAfter, true
	}
	return time.Duration(n * float64(unit)), true
}

// span is a number of a unit of time, behind which another may follow.
var span = pattern.New(`^\s*(\d+(?:\.\d+)?)\s*([A-Za-zµ]+|毫秒|秒|分钟?|个?小时|天)[\s,]*(?:and\s+)?`)

// maxSpan is how much of a text is looked at for such a time, in bytes.
const maxSpan = 100

var spanUnits = map[string]time.Duration{
	"ms": time.Millisecond, "msec": time.Millisecond, "millisecond": time.Millisecond, "毫秒": time.Millisecond,
	"s": time.Second, "sec": time.Second, "second": time.Second, "秒": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "分": time.Minute, "分钟": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hour": time.Hour, "小时": time.Hour, "个小时": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour, "天": 24 * time.Hour,
}

// ReadSpan reads the time with which a text begins, as programs and people write it: "1m30.5s", "6hr 29min",
// "20 seconds", "5 分钟". It is at most 24 h. ok is false if the text begins otherwise.
func ReadSpan(text string) (wait time.Duration, ok bool) {
	text = text[:min(len(text), maxSpan)]
	for {
		m := span.FindStringSubmatch(text)
		if m == nil {
			return wait, ok
		}
		name := strings.ToLower(m[2])
		unit := cmp.Or(spanUnits[name], spanUnits[strings.TrimSuffix(name, "s")])
		if unit == 0 {
			return wait, ok
		}
		more, _ := parseWait(m[1], unit)
		wait, ok = min(wait+more, maxRetryAfter), true
		text = text[len(m[0]):]
	}
}
