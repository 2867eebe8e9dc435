package rows

import (
	"slices"
	"strings"
)

// Names of the fields that all log formats have in common, whatever they are called in the text.
const (
	TimeField     = "time"
	LevelField    = "level"
	MessageField  = "message"
	DurationField = "duration_ms" // in milliseconds, derived from a duration in the text

	ExceptionField = "exception" // the line of a stack trace that names the exception
)

// Field is one named value of a row.
type Field struct{ Name, Value string }

// Row is one record of a file. A row that is handed to a callback is valid until the callback returns; to keep it,
// Clone it.
type Row struct {
	File    string
	Line    int    // number of the record's first line, from 1
	Text    string // that line as it stands
	More    string // the record's further lines, cut at 4 KiB in a log
	Time    Time   // zero unless HasTime
	HasTime bool
	Fields  []Field

	bracket string // the field that a name in brackets fills in this file: service or thread
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

// fieldName turns a heading into a field's name that can be written in a filter: spaces become underscores.
func fieldName(s string) string {
	return strings.Join(strings.Fields(strings.TrimSpace(s)), "_")
}
