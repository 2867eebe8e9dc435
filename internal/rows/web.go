package rows

import (
	"strings"
)

// accessForm reads the common and combined log formats of web servers, with the request's seconds
// at the end if they are there.
func accessForm(line string, r *Row) bool {
	open := strings.IndexByte(line, '[')
	if open < 5 || open > 200 {
		return false
	}
	shut := strings.IndexByte(line[open:], ']')
	if shut < 0 {
		return false
	}
	who := strings.Fields(line[:open])
	if len(who) < 3 || len(who) > 5 {
		return false
	}
	t, ok := ParseTime(line[open+1 : open+shut])
	if !ok {
		return false
	}
	parts, quoted := quotedFields(line[open+shut+1:])
	if len(parts) < 3 || !isStatus(parts[1]) || !(isAllDigits(parts[2]) || parts[2] == "-") {
		return false
	}
	r.setTime(t)
	addClient(who, r)
	addRequest(parts[0], r)
	r.add("status", parts[1])
	r.add("bytes", parts[2])
	addTail(parts[3:], quoted[3:], r)
	return true
}

func addClient(who []string, r *Row) {
	if n := len(who); n > 3 {
		r.add("host", who[0]) // a virtual host comes before the client
		who = who[n-3:]
	}
	r.add("client", who[0])
	if who[2] != "-" {
		r.add("user", who[2])
	}
}

func isStatus(s string) bool { return len(s) == 3 && isAllDigits(s) && s[0] >= '1' && s[0] <= '5' }

// addRequest splits "GET /path?query HTTP/1.1".
func addRequest(req string, r *Row) {
	method, rest, ok := strings.Cut(req, " ")
	if !ok {
		r.add("request", req)
		return
	}
	target, proto, _ := strings.Cut(rest, " ")
	where, query, _ := strings.Cut(target, "?")
	r.add("method", method)
	r.add("path", where)
	if query != "" {
		r.add("query", query)
	}
	if proto != "" {
		r.add("protocol", proto)
	}
}

// addTail reads referer, agent, which stand in quotes, and what custom formats put behind them or in
// their place: a bare number is no referer.
func addTail(parts []string, quoted []bool, r *Row) {
	names := []string{"referer", "agent"}
	for i, p := range parts {
		if f, ok := pairOf(p); ok {
			r.addNew(f.Name, f.Value)
			continue
		}
		switch {
		case !quoted[i] && isSeconds(p):
			r.addNew("request_time", p)
		case !quoted[i] && isAllDigits(p) && i < len(names):
			r.addNew("extra", p)
		case i < len(names):
			r.add(names[i], p)
		case isSeconds(p):
			r.addNew("request_time", p)
		case i == len(names) && p != "-":
			r.addNew("extra", p)
		}
	}
}

// isSeconds tells a number of seconds with a fraction, as $request_time is written.
func isSeconds(s string) bool {
	whole, frac, ok := strings.Cut(s, ".")
	return ok && isAllDigits(whole) && isAllDigits(frac)
}

// quotedFields splits at spaces; a quoted part is one field without its quotes, and told to be one.
func quotedFields(s string) (out []string, quoted []bool) {
	for _, w := range words(s) {
		f := s[w.from:w.to]
		if len(f) >= 2 && f[0] == '"' && f[len(f)-1] == '"' {
			f = f[1 : len(f)-1]
		}
		out, quoted = append(out, f), append(quoted, f != s[w.from:w.to])
	}
	return out, quoted
}

// nginxErrorForm reads 2026/11/30 10:12:01 [error] 7#7: *45 message, client: ..., request: "...".
func nginxErrorForm(line string, r *Row) bool {
	t, n, ok := prefixTime(line)
	if !ok || n+2 >= len(line) || line[n:n+2] != " [" {
		return false
	}
	shut := strings.IndexByte(line[n:], ']')
	if shut < 0 {
		return false
	}
	level := line[n+2 : n+shut]
	proc, msg, ok := strings.Cut(strings.TrimLeft(line[n+shut+1:], " "), ": ")
	if Severity(level) == 0 || !ok || !isProcess(proc) {
		return false
	}
	r.setTime(t)
	r.add(LevelField, strings.ToUpper(level))
	r.add("pid", proc)
	if strings.HasPrefix(msg, "*") {
		id, rest, _ := strings.Cut(msg, " ")
		r.add("connection", id[1:])
		msg = rest
	}
	addContext(msg, r)
	return true
}

// isProcess tells the pid#tid of an error log.
func isProcess(s string) bool {
	pid, tid, ok := strings.Cut(s, "#")
	return ok && isAllDigits(pid) && isAllDigits(tid)
}

// addContext splits the ", client: x, server: y" that follows a message.
func addContext(msg string, r *Row) {
	text, rest, ok := strings.Cut(msg, ", client: ")
	r.add(MessageField, text)
	if !ok {
		return
	}
	for _, part := range strings.Split("client: "+rest, ", ") {
		key, value, ok := strings.Cut(part, ": ")
		if !ok || !isKey(key) {
			continue
		}
		value = strings.Trim(value, `"`)
		if key == "request" {
			addRequest(value, r)
			continue
		}
		r.addNew(key, value)
	}
}

// apacheErrorForm reads [Mon Nov 30 10:12:01.5 2026] [core:error] [pid 7] [client 1.2.3.4:5] message.
func apacheErrorForm(line string, r *Row) bool {
	if !strings.HasPrefix(line, "[") {
		return false
	}
	parts, msg := brackets(line)
	if len(parts) < 2 {
		return false
	}
	t, ok := ParseTime(parts[0])
	module, level, has := strings.Cut(parts[1], ":")
	if !has {
		module, level = "", parts[1]
	}
	if !ok || Severity(level) == 0 || t.Precision < ToSecond {
		return false
	}
	r.setTime(t)
	r.add(LevelField, strings.ToUpper(level))
	r.addNew(fieldName("module"), module)
	for _, p := range parts[2:] {
		if key, value, ok := strings.Cut(p, " "); ok && isKey(key) {
			host, port, ok := strings.Cut(value, ":")
			if ok = ok && key == "client" && isAllDigits(port); ok {
				value = host
			}
			if r.addNew(key, value); ok {
				r.addNew("port", port)
			}
		} else {
			r.addNew("thread", p)
		}
	}
	addMessage(msg, r)
	return true
}

// brackets takes the bracketed parts that open a line.
func brackets(s string) (parts []string, rest string) {
	for strings.HasPrefix(s, "[") {
		shut := strings.IndexByte(s, ']')
		if shut < 0 {
			break
		}
		parts = append(parts, s[1:shut])
		s = strings.TrimLeft(s[shut+1:], " ")
	}
	return parts, s
}
