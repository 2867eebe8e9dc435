package rows

import (
	"strconv"
	"strings"
)

// priority reads the <34> that opens a syslog line.
func priority(line string) (level, rest string, ok bool) {
	if !strings.HasPrefix(line, "<") {
		return "", line, false
	}
	at := strings.IndexByte(line, '>')
	if at < 2 || at > 4 {
		return "", line, false
	}
	n, err := strconv.Atoi(line[1:at])
	if err != nil || n > 191 {
		return "", line, false
	}
	return syslogLevels[n&7], line[at+1:], true
}

// syslog5424Form reads <34>1 TIME HOST APP PROC MSGID DATA message.
func syslog5424Form(line string, r *Row) bool {
	level, rest, ok := priority(line)
	if !ok || !strings.HasPrefix(rest, "1 ") {
		return false
	}
	parts := strings.SplitN(rest, " ", 7)
	if len(parts) < 7 {
		return false
	}
	t, ok := ParseTime(parts[1])
	if !ok && parts[1] != "-" {
		return false
	}
	if ok {
		r.setTime(t)
	}
	r.add(LevelField, level)
	for i, name := range []string{"host", "app", "pid", "msgid"} {
		if v := parts[i+2]; v != "-" {
			r.add(name, v)
		}
	}
	addMessage(strings.TrimPrefix(structured(parts[6], r), "\uFEFF"), r)
	return true
}

// structured reads the [id key="value"] elements before the message.
func structured(s string, r *Row) (msg string) {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return strings.TrimLeft(rest, " ")
	}
	for strings.HasPrefix(s, "[") {
		end := elementEnd(s)
		if end < 0 {
			break
		}
		for _, w := range words(s[1:end]) {
			if f, ok := pairOf(s[1+w.from : 1+w.to]); ok {
				r.addNew(f.Name, f.Value)
			}
		}
		s = s[end+1:]
	}
	return strings.TrimLeft(s, " ")
}

// elementEnd finds the bracket that closes the element which opens s.
func elementEnd(s string) int {
	quoted := false
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ']' && !quoted:
			return i
		}
	}
	return -1
}

// syslogForm reads the older form, [<34>]Nov 30 10:12:01 host app[7]: message, and the same with
// an ISO time.
func syslogForm(line string, r *Row) bool {
	level, rest, hasPri := priority(line)
	t, n, ok := prefixTime(rest)
	if !ok || !t.Date || t.Precision < ToSecond || n >= len(rest) || rest[n] != ' ' {
		return false
	}
	host, body, ok := strings.Cut(rest[n+1:], " ")
	if !ok || host == "" || strings.ContainsAny(host, "[]=:|\"") || Severity(host) > 0 && t.Year {
		return false
	}
	tag, msg, ok := strings.Cut(body, ":")
	app, pid := splitTag(tag)
	if !ok || app == "" || t.Year && pid == "" && !hasPri && app != "kernel" {
		return false
	}
	r.setTime(t)
	if hasPri {
		r.add(LevelField, level)
	}
	r.add("host", host)
	r.add("app", app)
	if pid != "" {
		r.add("pid", pid)
	}
	addSyslogMessage(strings.TrimLeft(msg, " "), r)
	return true
}

// addSyslogMessage takes a level that opens the message out of it when the line told none.
func addSyslogMessage(msg string, r *Row) {
	if level, _, rest, ok := klogHead(msg); ok { // of a program of Kubernetes, as the journal of its machine has it
		r.addNew(LevelField, level)
		if _, behind, ok := strings.Cut(rest, "] "); ok {
			rest = behind
		}
		addMessage(unquoted(strings.TrimLeft(rest, " ")), r)
		return
	}
	tok, rest, _ := strings.Cut(msg, " ")
	if level, ok := levelToken(tok); ok && rest != "" {
		r.addNew(LevelField, level)
		msg = strings.TrimLeft(rest, " :-|")
	}
	addMessage(msg, r)
}

// splitTag reads app[7] and app.
func splitTag(tag string) (app, pid string) {
	app, pid, _ = strings.Cut(tag, "[")
	pid = strings.TrimSuffix(pid, "]")
	if strings.ContainsAny(app, " \t=\"") || len(app) > 48 {
		return "", ""
	}
	return app, pid
}

// klogForm reads I1130 10:12:01.123456   7 file.go:12] message.
func klogForm(line string, r *Row) bool {
	level, t, rest, ok := klogHead(line)
	if !ok {
		return false
	}
	head, msg, ok := strings.Cut(rest, "] ")
	if !ok {
		return false
	}
	r.setTime(t)
	r.add(LevelField, level)
	if f := strings.Fields(head); len(f) == 2 {
		r.add("pid", f[0])
		r.add("source", f[1])
	}
	addMessage(unquoted(msg), r)
	return true
}

// klogHead reads the level and the time that klog begins a line with, E1130 10:12:01.123456, and gives what follows.
func klogHead(line string) (level string, t Time, rest string, ok bool) {
	if len(line) < 20 || line[5] != ' ' || strings.IndexByte("IWEF", line[0]) < 0 || !isAllDigits(line[1:5]) {
		return "", t, "", false
	}
	p := &scanner{s: line, i: 1}
	var c civil
	c.mo, _ = p.fixed(2)
	c.d, _ = p.fixed(2)
	p.i++
	prec, ok := p.clock(&c)
	if !ok || prec != ToSecond || !c.valid() {
		return "", t, "", false
	}
	t, ok = p.finish(c, prec, false)
	return map[byte]string{'I': "INFO", 'W': "WARNING", 'E': "ERROR", 'F': "FATAL"}[line[0]], t, p.rest(), ok
}

// unquoted takes the quotes off the text that opens a message, which pairs may follow.
func unquoted(msg string) string {
	if end := strings.IndexByte(strings.TrimPrefix(msg, `"`), '"'); strings.HasPrefix(msg, `"`) && end >= 0 {
		return msg[1:end+1] + msg[end+2:]
	}
	return msg
}
