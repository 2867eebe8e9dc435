package rows

import (
	"strings"
)

// dropLogger takes what frameworks put between level and message: a process id, ---, a bracketed
// thread, a dotted logger name.
func dropLogger(s string, r *Row) string {
	for range 5 {
		s = strings.TrimLeft(s, " \t|-:")
		tok, rest := nextToken(s)
		switch {
		case tok == "" || rest == "":
			return s
		case strings.HasPrefix(tok, "["):
			r.addNew(r.bracketed(tok), strings.Trim(tok, "[] "))
		case isAllDigits(tok) && strings.HasPrefix(strings.TrimLeft(rest, " "), "---"):
			r.addNew("pid", tok)
		case isLogger(tok, rest):
			r.addNew("logger", strings.Trim(tok, ":"))
			return strings.TrimLeft(rest, " \t|-:")
		default:
			return s
		}
		s = rest
	}
	return strings.TrimLeft(s, " \t")
}

func isAllDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isLogger tells a dotted name, or any name that a lone dash, bar or colon sets apart.
func isLogger(tok, rest string) bool {
	if strings.ContainsAny(tok, "=/\"'(") || tok[0] >= '0' && tok[0] <= '9' {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	if strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, ": ") || strings.HasPrefix(rest, "| ") {
		return true
	}
	name := strings.TrimSuffix(tok, ":")
	return strings.Contains(strings.Trim(name, "."), ".") && name == strings.Trim(name, ".")
}

// addMessage splits a message from the key=value pairs at its end.
func addMessage(s string, r *Row) {
	msg, pairs := splitPairs(s)
	if msg == "" && len(pairs) > 0 {
		for _, f := range pairs {
			addNamed(f.Name, f.Value, r)
		}
		return
	}
	msg = takeComponent(msg, r)
	r.addNew(MessageField, msg)
	for _, f := range pairs {
		r.addNew(f.Name, f.Value)
	}
	addInner(msg, r)
}

// addInner adds the key=value pairs that stand inside of a message, which keeps them. Names that
// all formats share are left alone.
func addInner(msg string, r *Row) {
	if !strings.Contains(msg, "=") {
		return
	}
	for _, w := range words(msg) {
		f, ok := pairOf(msg[w.from:w.to])
		if !ok || f.Value == "" || isTimeName(f.Name) || isLevelName(f.Name) || isMessageName(f.Name) {
			continue
		}
		r.addNew(fieldName(f.Name), f.Value)
	}
}

// takeComponent takes the "(name)" that opens a message for the service that wrote it.
func takeComponent(msg string, r *Row) string {
	if _, ok := r.Field(LevelField); !ok || !strings.HasPrefix(msg, "(") {
		return msg
	}
	if _, ok := r.Field("app"); ok {
		return msg // of syslog: (root) is the user of a job
	}
	at := strings.IndexByte(msg, ')')
	if at < 2 || at > 40 || at+2 >= len(msg) || msg[at+1] != ' ' || strings.ContainsAny(msg[1:at], " =()/:,") || isAllDigits(msg[1:at]) {
		return msg
	}
	r.addNew("service", msg[1:at])
	return strings.TrimLeft(msg[at+1:], " ")
}

// splitPairs cuts the run of key=value pairs off the end of a text.
func splitPairs(s string) (text string, pairs []Field) {
	ws := words(s)
	i := len(ws)
	for i > 0 {
		if _, ok := pairOf(s[ws[i-1].from:ws[i-1].to]); !ok {
			break
		}
		i--
	}
	if i == len(ws) {
		return strings.TrimRight(s, " \t"), nil
	}
	for _, w := range ws[i:] {
		f, _ := pairOf(s[w.from:w.to])
		pairs = append(pairs, f)
	}
	return strings.TrimRight(s[:ws[i].from], " \t,;|"), pairs
}

type span struct{ from, to int }

// words splits at spaces outside of double quotes.
func words(s string) []span {
	var out []span
	start, quoted := -1, false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"' && (i == 0 || s[i-1] != '\\'):
			quoted = !quoted
			if start < 0 {
				start = i
			}
		case (s[i] == ' ' || s[i] == '\t') && !quoted:
			if start >= 0 {
				out = append(out, span{start, i})
				start = -1
			}
		case start < 0:
			start = i
		}
	}
	if start >= 0 {
		out = append(out, span{start, len(s)})
	}
	return out
}

// pairOf reads key=value, the value perhaps quoted, perhaps with a comma behind it.
func pairOf(w string) (Field, bool) {
	key, value, ok := strings.Cut(w, "=")
	if !ok || !isKey(key) {
		return Field{}, false
	}
	value = strings.TrimRight(value, ",;:")
	if !strings.Contains(value, "(") {
		value = strings.TrimRight(value, "),;") // of "(used=20, max=20)"
	}
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		value = strings.ReplaceAll(value[1:len(value)-1], `\"`, `"`)
	}
	return Field{key, value}, true
}

func isKey(s string) bool {
	if s == "" || len(s) > 40 || isDigit(s[0]) {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isDigit(c) && !(c|0x20 >= 'a' && c|0x20 <= 'z') && strings.IndexByte("_.-@", c) < 0 {
			return false
		}
	}
	return true
}

// pairsForm reads a logfmt line: pairs from the first word on.
func pairsForm(line string, r *Row) bool {
	first, _, _ := strings.Cut(line, " ")
	if _, ok := pairOf(first); !ok || strings.Count(line, "=") < 2 {
		return false
	}
	n := 0
	for _, w := range words(line) {
		f, ok := pairOf(line[w.from:w.to])
		if !ok {
			continue
		}
		addNamed(f.Name, f.Value, r)
		n++
	}
	return n >= 2
}

// addNamed adds a field under the name that all formats share, if it has one.
func addNamed(name, value string, r *Row) {
	switch {
	case isTimeName(name) && !r.HasTime:
		if t, ok := ParseTime(value); ok {
			r.setTime(t)
			return
		}
	case isLevelName(name):
		if Severity(value) > 0 || numericLevels[value] != "" {
			r.addNew(LevelField, levelName(value))
			return
		}
	case isMessageName(name):
		if _, ok := r.Field(MessageField); !ok {
			r.add(MessageField, value)
			return
		}
	}
	r.addNew(fieldName(name), value)
}

func isTimeName(s string) bool {
	switch strings.ToLower(s) {
	case "time", "ts", "timestamp", "@timestamp", "t", "datetime", "date", "asctime", "eventtime", "event_time",
		"created", "created_at", "logged_at", "start_time", "时间", "日期", "时间戳":
		return true
	}
	return false
}

func isLevelName(s string) bool {
	switch strings.ToLower(s) {
	case "level", "lvl", "severity", "loglevel", "log_level", "log.level", "levelname", "@level", "priority", "级别", "日志级别":
		return true
	}
	return false
}

func isMessageName(s string) bool {
	switch strings.ToLower(s) {
	case "message", "msg", "@message", "log", "short_message", "消息", "信息":
		return true
	}
	return false
}
