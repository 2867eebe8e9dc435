package rows

import (
	"io"
	"slices"
	"strings"
	"time"
)

// logForm reads one form of log line into a row. It returns false if the line is not of that form.
type logForm func(line string, r *Row) bool

// logParser tries all forms on a line, and first the one that fitted the line before.
type logParser struct {
	forms []logForm
	last  int // index of the form that fitted last
}

func newLogParser() *logParser {
	return &logParser{forms: []logForm{jsonForm, accessForm, criForm, klogForm, syslog5424Form, syslogForm, nginxErrorForm, apacheErrorForm, pairsForm, appForm, bracketForm, prefixedForm}}
}

// parse reads a line by the first form that fits it.
func (p *logParser) parse(line string, r *Row) bool {
	if p.try(p.last, line, r) {
		return true
	}
	for i := range p.forms {
		if i != p.last && p.try(i, line, r) {
			p.last = i
			return true
		}
	}
	return false
}

// try reads a line by one form, and leaves no fields behind if it does not fit.
func (p *logParser) try(i int, line string, r *Row) bool {
	if p.forms[i](line, r) {
		return true
	}
	r.reset(r.File, r.Line, line)
	return false
}

// isContinuation reports whether a line looks as if it continues the record before it, as the lines of a stack trace
// do.
func isContinuation(line string) bool {
	if isDigit(line[0]) || line[0] == '{' {
		return false
	}
	if line[0] == ' ' || line[0] == '\t' {
		return true
	}
	for _, p := range []string{"Caused by", "Traceback", "at ", "}", "]", ")", "goroutine ", "...", "--- ", "During handling"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	first, _, _ := strings.Cut(line, ":")
	return strings.HasSuffix(first, "Error") || strings.HasSuffix(first, "Exception")
}

// readLog makes a row of each record: a line that fits a form, with the lines that continue it.
func (rd *reading) readLog() error {
	p := newLogParser()
	for {
		line, err := rd.nextFilled()
		if err != nil {
			return err
		}
		rd.start(line)
		if !p.parse(rd.dated(line), &rd.row) {
			rd.noRecord(line)
			continue
		}
		rd.row.Text = line
		if err := rd.goOn(p); err != nil {
			return err
		}
		finish(&rd.row, rd.units)
		if err := rd.emit(); err != nil {
			return err
		}
	}
}

// maxMore is how much of the lines that continue a record is kept, in bytes.
const maxMore = 4 << 10

// goOn reads the lines that continue the record, such as a stack trace. The line that names the exception becomes a
// field.
func (rd *reading) goOn(p *logParser) error {
	for {
		line, err := rd.nextFilled()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !isContinuation(line) || p.parse(line, &Row{}) {
			rd.lines.unread(line)
			return nil
		}
		rd.stats.Continued++
		if left := maxMore - len(rd.row.More); left > 0 {
			rd.row.More += line[:min(len(line), left)] + "\n"
		}
		if namesException(line) {
			rd.row.addNew(ExceptionField, line)
		}
	}
}

// namesException reports whether a line begins with the class of an exception, as the first or last line of a trace does.
func namesException(line string) bool {
	first, _, _ := strings.Cut(line, ":")
	return !strings.ContainsAny(first, " \t") && (strings.HasSuffix(first, "Error") || strings.HasSuffix(first, "Exception"))
}

// noRecord counts a line that fits no form: as continued if it looks like that, else as malformed.
func (rd *reading) noRecord(line string) {
	if rd.stats.Rows > 0 && isContinuation(line) { // the line before it was malformed
		rd.stats.Continued++
		return
	}
	rd.stats.malformed(rd.lines.n)
}

// finish adds the fields that are derived from others: a level that the message begins with, and a duration.
func finish(r *Row, u units) {
	if _, ok := r.Field(LevelField); !ok {
		if msg, ok := r.Field(MessageField); ok {
			if level := openingLevel(msg); level != "" {
				r.add(LevelField, level)
			}
		}
	}
	if _, ok := r.Field(DurationField); !ok {
		if ms, ok := durationOf(r, u); ok {
			r.add(DurationField, ms)
		}
	}
}

// openingLevel reads the level of messages like "error: ..." or "[WARN] ...".
func openingLevel(msg string) string {
	tok, rest, _ := strings.Cut(msg, " ")
	if level, ok := levelToken(tok); ok && rest != "" {
		return level
	}
	return ""
}

// appForm reads "TIME LEVEL message" with whatever stands between: a thread, a logger, bars,
// dashes; the level may also come first.
func appForm(line string, r *Row) bool {
	s := strings.TrimLeft(line, " ")
	level := ""
	t, n, ok := leadingTime(s)
	if !ok {
		tok, rest, _ := strings.Cut(s, " ")
		if level, ok = levelToken(tok); !ok {
			return false
		}
		s = strings.TrimLeft(rest, " :-|")
		if t, n, ok = leadingTime(s); !ok {
			return false
		}
	}
	r.setTime(t)
	rest := strings.TrimLeft(s[n:], " \t")
	if level == "" {
		level, rest = takeLevel(rest, r)
	} else {
		rest = dropLogger(rest, r)
	}
	if level != "" {
		r.add(LevelField, level)
	}
	addMessage(rest, r)
	return true
}

// bracketForm reads "[TIME: LEVEL/thread] message": all that comes before the message in one pair
// of brackets.
func bracketForm(line string, r *Row) bool {
	end := strings.IndexByte(line, ']')
	if end < 0 || end > 120 || line[0] != '[' {
		return false
	}
	t, n, ok := prefixTime(line[1:end])
	if !ok || t.Precision < ToSecond {
		return false
	}
	name, thread, _ := strings.Cut(strings.TrimLeft(line[1+n:end], " :,|-"), "/")
	level, ok := levelToken(strings.TrimSpace(name))
	if !ok {
		return false
	}
	r.setTime(t)
	r.add(LevelField, level)
	if thread != "" {
		r.add("thread", thread)
	}
	addMessage(dropLogger(line[end+1:], r), r)
	return true
}

// prefixedForm reads a line that its collector put the name of a container before: "web-1 | LINE".
func prefixedForm(line string, r *Row) bool {
	name, rest, ok := strings.Cut(line, "|")
	if name = strings.TrimSpace(name); !ok || !isKey(name) {
		return false
	}
	if !innerForm(strings.TrimLeft(rest, " "), line, r) {
		return false
	}
	r.addNew("service", name)
	return true
}

// criForm reads a line as a container runtime keeps it: "TIME stdout F LINE", where F is a full line and P a part of
// one. What the program wrote is read by its own form, but for the time: the runtime's has a year and a zone in every line.
func criForm(line string, r *Row) bool {
	t, n, ok := leadingTime(line)
	if !ok {
		return false
	}
	stream, tagged, _ := strings.Cut(strings.TrimLeft(line[n:], " "), " ")
	tag, inner, _ := strings.Cut(tagged, " ")
	if stream != "stdout" && stream != "stderr" || tag != "F" && tag != "P" || inner == "" {
		return false
	}
	if !innerForm(inner, line, r) {
		level, rest := takeLevel(inner, r)
		if level != "" {
			r.add(LevelField, level)
		}
		addMessage(rest, r)
	}
	r.Fields = slices.DeleteFunc(r.Fields, func(f Field) bool { return f.Name == TimeField })
	r.setTime(t)
	r.addNew("stream", stream)
	return true
}

// innerForm reads what follows the prefix of a line's collector by the first form that fits it.
func innerForm(inner, line string, r *Row) bool {
	for _, form := range []logForm{jsonForm, accessForm, klogForm, pairsForm, appForm, bracketForm} {
		if inner != "" && form(inner, r) {
			return true
		}
		r.reset(r.File, r.Line, line)
	}
	return false
}

// leadingTime reads the time that a line begins with, bare or in brackets, and gives its length in bytes. A time of
// day counts only with seconds, a date only with a time of day.
func leadingTime(s string) (Time, int, bool) {
	body, bracket := s, 0
	if strings.HasPrefix(s, "[") {
		body, bracket = s[1:], 1
	}
	t, n, ok := prefixTime(body)
	if !ok {
		if t, n, ok = leadingEpoch(body); !ok {
			return t, 0, false
		}
	}
	if t.Precision == ToDay || !t.Date && t.Precision < ToSecond {
		return t, 0, false
	}
	n += bracket
	if bracket == 1 {
		if n >= len(s) || s[n] != ']' {
			return t, 0, false
		}
		n++
	}
	return t, n, n == len(s) || strings.IndexByte(" \t|,;:[-", s[n]) >= 0
}

// leadingEpoch reads seconds or milliseconds since 1970 at the beginning of a line with further words.
func leadingEpoch(s string) (Time, int, bool) {
	tok, rest, _ := strings.Cut(s, " ")
	tok = strings.TrimSuffix(tok, "]")
	if t, ok := epoch(tok); ok && rest != "" && t.At.Year() < time.Unix(4e9, 0).Year() {
		return t, len(tok), true
	}
	return Time{}, 0, false
}

// takeLevel finds the level among the first six words and gives what follows it. The words before it become the
// thread or logger. If there is no level, the level is "" and all of s is the message.
func takeLevel(s string, r *Row) (level, rest string) {
	left := s
	for range 6 {
		left = strings.TrimLeft(left, " \t|-:")
		tok, more := nextToken(left)
		if tok == "" {
			break
		}
		if l, ok := levelToken(tok); ok {
			addBefore(s[:len(s)-len(left)], r)
			return l, dropLogger(more, r)
		}
		if l, ok := prefixedLevel(tok); ok {
			return l, dropLogger(more, r)
		}
		if channel, l, ok := dottedLevel(tok); ok {
			addBefore(s[:len(s)-len(left)]+channel, r)
			return l, dropLogger(more, r)
		}
		left = more
	}
	return "", strings.TrimLeft(s, "|- ")
}

// nextToken takes a word, or all of a bracketed one.
func nextToken(s string) (tok, rest string) {
	if strings.HasPrefix(s, "[") {
		if at := strings.IndexByte(s, ']'); at > 0 && at < 60 {
			return s[:at+1], s[at+1:]
		}
	}
	end := strings.IndexAny(s, " \t|")
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}

// prefixedLevel reads level=info and lvl=warn.
func prefixedLevel(tok string) (string, bool) {
	key, value, ok := strings.Cut(tok, "=")
	if ok && isLevelName(key) && Severity(strings.Trim(value, `"`)) > 0 {
		return levelName(strings.Trim(value, `"`)), true
	}
	return "", false
}

// dottedLevel reads production.ERROR: of Monolog, which Symfony and Laravel log with.
func dottedLevel(tok string) (channel, level string, ok bool) {
	at := strings.LastIndexByte(tok, '.')
	if at <= 0 || !strings.HasSuffix(tok, ":") || !isKey(tok[:at]) {
		return "", "", false
	}
	level = tok[at+1 : len(tok)-1]
	return tok[:at], level, Severity(level) > 0 && level == strings.ToUpper(level)
}

// addBefore keeps what stands between time and level as the logger or thread.
func addBefore(s string, r *Row) {
	s = strings.Trim(s, " \t|-:")
	if s == "" {
		return
	}
	if strings.HasPrefix(s, "[") && strings.IndexByte(s, ']') == len(s)-1 {
		r.addNew(r.bracketed(s), strings.Trim(s, "[]"))
		return
	}
	r.add("logger", s)
}
