package extract

import (
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

// key is a value together with its reading as a number or a time, so that sorting reads each value only once.
type key struct {
	text   string
	number float64
	isNum  bool
	time   rows.Time
	isTime bool
}

func keyOf(v string) key {
	k := key{text: v}
	if k.number, k.isNum = rows.Number(v); !k.isNum {
		k.time, k.isTime = rows.ParseTime(v)
	}
	return k
}

// compare orders two values: numbers by value, times by time, else text; a number comes before
// what is none.
func (k key) compare(o key) int {
	switch {
	case k.isNum && o.isNum:
		return sign(k.number - o.number)
	case k.isNum:
		return -1
	case o.isNum:
		return 1
	case k.isTime && o.isTime:
		return k.time.Compare(o.time)
	}
	return strings.Compare(k.text, o.text)
}
