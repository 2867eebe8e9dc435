package extract

// kind is what a value can be ordered by.
type kind int

const (
	textKind kind = iota
	numberKind
	timeKind
	kinds
)

func (k key) kind() kind {
	switch {
	case k.isNum:
		return numberKind
	case k.isTime:
		return timeKind
	}
	return textKind
}

// tally counts what the values of a column are.
type tally struct {
	all    int
	blanks int // values that stand for none
	of     [kinds]int
}

func (t *tally) add(k key) {
	t.all++
	t.of[k.kind()]++
	if k.kind() == textKind && isBlank(k.text) {
		t.blanks++
	}
}

func (t *tally) join(o tally) {
	t.all += o.all
	t.blanks += o.blanks
	for i, n := range o.of {
		t.of[i] += n
	}
}

// main is the kind of more than half of the values, numbers or times, beside which a value of another
// kind has no place in an order; ok is false if there is none.
func (t *tally) main() (k kind, ok bool) {
	for _, k := range []kind{numberKind, timeKind} {
		if t.of[k]*2 > t.all-t.blanks {
			return k, true
		}
	}
	return 0, false
}

// noun says what a value of this kind is.
func (k kind) noun() string {
	if k == timeKind {
		return "time"
	}
	return "number"
}

// ends are the least and the greatest of some values.
type ends struct {
	n        int
	min, max key
}

func (e *ends) add(k key) {
	e.n++
	if e.n == 1 || k.compare(e.min) < 0 {
		e.min = k
	}
	if e.n == 1 || k.compare(e.max) > 0 {
		e.max = k
	}
}

// extremes are the ends of all values and of those of each kind: which of them count is known only
// when all values are.
type extremes struct {
	tally
	whole ends
	each  [kinds]ends
}

func (x *extremes) add(k key) {
	x.tally.add(k)
	x.whole.add(k)
	x.each[k.kind()].add(k)
}

// among gives the ends of the values that are of the column's main kind, of all if it has none.
func (x *extremes) among(t tally) *ends {
	if k, ok := t.main(); ok {
		return &x.each[k]
	}
	return &x.whole
}
