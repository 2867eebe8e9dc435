package rows

import (
	"slices"
	"strings"
)

// Names of the fields that every log format shares, whatever the text calls them.
const (
	TimeField     = "time"
	LevelField    = "level"
	MessageField  = "message"
	DurationField = "duration_ms" // milliseconds, derived from whatever the text holds

	ExceptionField = "exception" // the line of a stack trace that names it
)

// Field is one named value of a row.
type Field struct{ Name, Value string }

// Row is one record of a file. Text is the record's first line as it stands; Line is its 1-based
// number; More is what follows it in further lines, 4 KiB at most. Time is zero unless HasTime. A row handed to a callback is valid until the callback
// returns; Clone keeps it.
type Row struct {
	File    string
	Line    int
	Text    string
	More    string
	Time    Time
	HasTime bool
	Fields  []Field

	bracket string // what a bracketed name of its file is: a service or a thread
}

// Field gives the value of the named field, and whether the row has it.
func (r *Row) Field(name string) (string, bool) {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return r.Fields[i].Value, true
		}
	}
	return "", false
}

// Clone gives a row that outlives the callback it was handed to.
func (r *Row) Clone() *Row {
	c := *r
	c.Fields = slices.Clone(r.Fields)
	return &c
}

func (r *Row) add(name, value string) {
	r.Fields = append(r.Fields, Field{name, value})
}

// addNew adds a field unless the row has one of that name.
func (r *Row) addNew(name, value string) {
	if _, ok := r.Field(name); !ok && name != "" {
		r.add(name, value)
	}
}

func (r *Row) setTime(t Time) {
	r.Time, r.HasTime = t, true
	r.add(TimeField, t.String())
}

func (r *Row) reset(file string, line int, text string) {
	*r = Row{File: file, Line: line, Text: text, Fields: r.Fields[:0], bracket: r.bracket}
}

// fieldName makes a name that can be written in a filter: spaces become underscores.
func fieldName(s string) string {
	return strings.Join(strings.Fields(strings.TrimSpace(s)), "_")
}
