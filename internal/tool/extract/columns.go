package extract

import (
	"strconv"

	"github.com/akitad/akitad/internal/rows"
)

// Columns that no text holds but every row has.
const (
	anyColumn  = "any"
	fileColumn = "file"
	lineColumn = "line"
)

// column gives a row's value under a name: a field, a unit of its time, or where it stands.
func column(r *rows.Row, name string) (string, bool) {
	if v, ok := r.Field(name); ok {
		return v, true
	}
	switch name {
	case fileColumn:
		return r.File, true
	case lineColumn:
		return strconv.Itoa(r.Line), true
	case anyColumn:
		return r.Text, true
	case rows.TimeField:
		if r.HasTime {
			return r.Time.String(), true
		}
	case rows.MessageField:
		return r.Field("text")
	case string(rows.Minute), string(rows.Hour), string(rows.Day), string(rows.Month), string(rows.Year):
		if r.HasTime {
			return r.Time.Bucket(rows.Unit(name)), true
		}
	default:
		return derived(r, name)
	}
	return "", false
}

func source(r *rows.Row) string { return r.File + ":" + strconv.Itoa(r.Line) }
