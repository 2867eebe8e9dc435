package rows

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// unitOf is what a field's name says about durations: whether it names one, and the unit in
// milliseconds, 0 if it does not say.
type unitOf struct {
	duration bool
	unit     float64
}

// units remembers what names say; a file has the same few again and again.
type units map[string]unitOf

func (u units) of(name string) unitOf {
	k, ok := u[name]
	if !ok {
		k.duration, k.unit = durationName(strings.ToLower(name))
		if len(u) < 10_000 {
			u[name] = k
		}
	}
	return k
}

// durationOf finds how long the row's request took, in milliseconds: in a field whose name or
// value says the unit, or in words like "took 12ms".
func durationOf(r *Row, u units) (string, bool) {
	for i := range r.Fields {
		if k := u.of(r.Fields[i].Name); k.duration {
			if ms, ok := namedDuration(k.unit, r.Fields[i].Value); ok {
				return ms, true
			}
		}
	}
	if msg, ok := r.Field(MessageField); ok {
		return spokenDuration(msg)
	}
	return "", false
}

// namedDuration reads values such as elapsed_ms=12, request_time=0.012 and latency=12ms. A bare
// number under a name that tells no unit is not converted.
func namedDuration(unit float64, value string) (string, bool) {
	if value == "" {
		return "", false
	}
	if unit == 0 {
		return parseDuration(value)
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return parseDuration(value)
	}
	return millis(n * unit), true
}

// durationName tells whether a name is that of a duration, and its unit in milliseconds if it says.
func durationName(name string) (bool, float64) {
	name = strings.NewReplacer("-", "_", ".", "_").Replace(name)
	if name == "request_time" || name == "upstream_response_time" {
		return true, 1000 // seconds, as the web server that named it so writes them
	}
	for _, u := range []struct {
		end  string
		unit float64
	}{{"_ms", 1}, {"ms", 1}, {"_millis", 1}, {"millis", 1}, {"_milliseconds", 1}, {"_us", 1e-3}, {"_micros", 1e-3}, {"_ns", 1e-6}, {"_nanos", 1e-6}, {"_seconds", 1000}, {"_secs", 1000}, {"_sec", 1000}, {"_s", 1000}} {
		if stem, ok := strings.CutSuffix(name, u.end); ok && isDurationStem(stem) {
			return true, u.unit
		}
	}
	return isDurationStem(name), 0
}

func isDurationStem(s string) bool {
	for _, w := range []string{"duration", "elapsed", "latency", "took", "dur", "response_time", "responsetime", "time_taken", "timetaken", "rt", "request_time", "processing_time", "runtime", "cost", "耗时"} {
		if s == w || strings.HasSuffix(s, "_"+w) {
			return true
		}
	}
	return false
}

// parseDuration reads 12ms, 1.5s, 2m3s, 350µs and "12 ms".
func parseDuration(s string) (string, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	if s == "" || unicode.IsDigit(rune(s[len(s)-1])) {
		return "", false
	}
	for _, w := range [][2]string{{"milliseconds", "ms"}, {"seconds", "s"}, {"msec", "ms"}, {"secs", "s"}, {"sec", "s"}, {"毫秒", "ms"}, {"秒", "s"}} {
		if stem, ok := strings.CutSuffix(s, w[0]); ok {
			s = stem + w[1]
			break
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return "", false
	}
	return millis(float64(d) / 1e6), true
}

func millis(ms float64) string {
	return strconv.FormatFloat(float64(int64(ms*1e6+0.5))/1e6, 'f', -1, 64)
}

// spokenDuration reads "... in 12ms", "took 1.2 s" and 耗时 12 毫秒; "after 5s" is a limit, not a
// duration, and is left alone.
func spokenDuration(msg string) (string, bool) {
	if !strings.ContainsAny(msg, "0123456789") {
		return "", false
	}
	for _, cue := range []string{" in ", "took ", "elapsed ", "duration ", "duration: ", "elapsed: ", "took: ", "耗时", "用时"} {
		at := strings.Index(msg, cue)
		if at < 0 {
			continue
		}
		rest := strings.TrimLeft(msg[at+len(cue):], " :：")
		if ms, ok := parseDuration(durationPrefix(rest)); ok {
			return ms, true
		}
	}
	return "", false
}

// durationPrefix takes a number and the unit that follows it.
func durationPrefix(s string) string {
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '.') {
		i++
	}
	if i == 0 {
		return ""
	}
	j := i
	if j < len(s) && s[j] == ' ' {
		j++
	}
	for j < len(s) && s[j] != ' ' && s[j] != ',' && s[j] != ')' && s[j] != ';' && s[j] != ':' && s[j] != '.' {
		j++
	}
	return s[:j]
}
