package wire

import (
	"bufio"
	"bytes"
	"io"
)

// maxLine bounds a line of a stream; a line that is longer ends it with an error.
const maxLine = 32 << 20

// Events reads a stream of server-sent events, of which only the data matters here. Lines may end in
// any of the three ways the standard allows; the last event of a stream that just ends counts too.
type Events struct {
	lines *bufio.Scanner
	data  []byte
	tail  []byte
	kind  string
}

// NewEvents reads the events that come from the reader.
func NewEvents(from io.Reader) *Events {
	e := &Events{lines: bufio.NewScanner(from)}
	e.lines.Buffer(nil, maxLine)
	e.lines.Split(new(lineEnds).split)
	return e
}

// Next gives the data of the next event, its lines joined by a line end, and false at the end; the
// bytes are good until the next call. Events without data, comments and other fields are passed over.
func (e *Events) Next() ([]byte, bool) {
	e.data, e.kind = e.data[:0], ""
	some := false
	for e.lines.Scan() {
		whole := e.lines.Bytes()
		line := bytes.TrimLeft(bytes.TrimPrefix(whole, mark), " \t\x00")
		switch {
		case len(line) == 0 && some:
			return e.data, true
		case len(line) == 0:
			e.kind = ""
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		if string(field) == Failed && len(value) > 0 { // of old servers of llama.cpp
			field, e.kind = dataField, Failed
		}
		if string(field) != "data" {
			e.field(field, value)
			e.outside(whole)
			continue
		}
		e.tail = e.tail[:0]
		if some {
			e.data = append(e.data, '\n')
		}
		e.data, some = append(e.data, bytes.TrimPrefix(value, []byte(" "))...), true
	}
	return e.data, some && e.lines.Err() == nil // of a stream that broke off, nobody knows the rest of it
}

// What may stand before a line, and the field that matters.
var (
	mark      = []byte("\ufeff")
	dataField = []byte("data")
)

// field takes a field that is not data.
func (e *Events) field(name, value []byte) {
	if string(name) == "event" {
		e.kind = string(bytes.TrimSpace(value))
	}
}

// Kind gives the name of the event that Next gave last; "" if it has none.
func (e *Events) Kind() string { return e.kind }

// Failed is the name under which some servers send the error that ends a stream.
const Failed = "error"

// maxOutside bounds what is kept of bytes that are no events.
const maxOutside = 64 << 10

// outside keeps lines that are no part of an event but of a JSON value.
func (e *Events) outside(line []byte) {
	begins := len(line) > 0 && (line[0] == '{' || line[0] == '[')
	if (begins || len(e.tail) > 0) && len(e.tail)+len(line) < maxOutside {
		e.tail = append(append(e.tail, line...), '\n')
	}
}

// Tail gives the JSON that stands bare behind the last event, for Google's servers put an error that
// ends a stream there; nothing if there is none.
func (e *Events) Tail() []byte { return e.tail }

// Err gives why the stream broke off; nil if it just ended.
func (e *Events) Err() error { return e.lines.Err() }

// lineEnds cuts lines at \n, \r\n and \r. A line is given out as soon as its \r is there: the \n that
// may follow is dropped when it comes, so that a slow stream does not wait for it.
type lineEnds struct{ after bool } // a \r: an \n that comes next belongs to it

func (l *lineEnds) split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	skip := 0
	if l.after && len(data) > 0 {
		l.after = false
		if data[0] == '\n' {
			skip = 1
		}
	}
	rest := data[skip:]
	if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
		l.after = rest[i] == '\r'
		return skip + i + 1, rest[:i], nil
	}
	if atEOF && len(rest) > 0 {
		return len(data), rest, nil
	}
	return skip, nil, nil
}
