package loose

import (
	"fmt"

	"github.com/akitad/akitad"
)

// rank orders faults by how close their candidate came to being the wanted text; of several
// candidates that fail, the closest one's fault is reported.
type rank int

const (
	notYAML  rank = iota // no mapping at all
	syntax               // a mapping that does not parse
	shape                // a mapping with the wrong keys or types
	conflict             // the right keys, but said twice
	verdict              // the right shape, refused by the caller's check
	bounds               // too large, deep or aliased: final
)

// fault is one reason to refuse a candidate.
type fault struct {
	rank rank
	line int
	text string
	hint string
	err  error // of the caller's check, passed on as it is
}

func faultf(r rank, line int, format string, args ...any) *fault {
	return &fault{rank: r, line: line, text: fmt.Sprintf(format, args...)}
}

func (f *fault) withHint(hint string) *fault {
	f.hint = hint
	return f
}

// Error gives the text alone; asError adds the line.
func (f *fault) Error() string { return f.text }

func (f *fault) asError() error {
	if f.err != nil {
		return f.err
	}
	text := f.text
	if f.line > 0 {
		text = fmt.Sprintf("line %d: %s", f.line, f.text)
	}
	e := akitad.Errorf(akitad.InvalidRequest, "%s", text)
	e.Hint = f.hint
	return e
}

// bracketed is the first value in brackets that could not be read and was taken for text.
type bracketed struct {
	line int // 0: there is none
	open bool
}

// blamed gives the fault that such a value is, if it may well be the cause of f.
func (b *bracketed) blamed(f *fault) *fault {
	if b.line == 0 || f.rank != shape && f.rank != verdict || f.line != b.line && !b.open {
		return f
	}
	what := "what stands in the brackets cannot be read"
	if b.open {
		what = "a bracket that is opened here is not closed"
	}
	return faultf(syntax, b.line, "%s", what).withHint("Close the brackets, or put the value in quotes.")
}

// closer gives the fault that says more about what was meant; ties keep the first.
func closer(a, b *fault) *fault {
	if a == nil || (b != nil && b.rank > a.rank) {
		return b
	}
	return a
}
