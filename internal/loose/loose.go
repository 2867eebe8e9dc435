package loose

import (
	"reflect"
)

// Decoded is what a text meant.
type Decoded[T any] struct {
	Value    T
	Lines    Lines // where each value stands in the text as it was given
	Repaired bool  // the text was not valid YAML of this shape as it stood
}

// Decode reads text into a T, a struct with yaml tags. String fields keep the characters that were
// written (no, 1.10, 0123); null counts as not written; lists want lists; numbers and booleans of
// map[string]any are kept as text when reading them would lose characters. check, which may be
// nil, judges the value: text that it refuses is read once more with repairs, and its error is
// returned as it is if nothing better is found. Other errors are of kind invalid_request, name the
// line and carry a hint.
func Decode[T any](text string, check func(T) error) (Decoded[T], error) {
	r := reader{top: fieldNames(reflect.TypeFor[T]()), known: map[string]bool{}, brackets: &bracketed{}}
	allNames(reflect.TypeFor[T](), r.known)
	got, f := search(text, r, func(n *node) (Decoded[T], *fault) {
		out := Decoded[T]{Lines: Lines{}}
		d := decoder{lines: out.Lines}
		if f := d.value(n, reflect.ValueOf(&out.Value).Elem(), ""); f != nil || check == nil {
			return out, f
		}
		if err := check(out.Value); err != nil {
			return out, &fault{rank: verdict, err: err}
		}
		return out, nil
	})
	if f != nil {
		return Decoded[T]{}, f.asError()
	}
	got.value.Repaired = got.text != text
	return got.value, nil
}

// accepted is a reading that will do.
type accepted[V any] struct {
	text  string
	root  *node
	value V
}

// search tries the readings of text from the most literal to the most repaired and gives the first
// that accept takes. Every reading has as many lines as text, so that faults and values name lines
// of what was given.
func search[V any](text string, r reader, accept func(*node) (V, *fault)) (accepted[V], *fault) {
	if len(text) > MaxBytes {
		return accepted[V]{}, faultf(bounds, 0, "larger than %d KiB", MaxBytes>>10).withHint("Give less text.")
	}
	var worst *fault
	groups := r.readings(r.onLines(sanitise(text)))
	for _, mend := range []func(string) string{asIs, r.indentation, r.mended} {
		for _, group := range groups {
			got, f := only(group, mend, accept)
			if f == nil {
				return got, nil
			}
			if worst = closer(worst, f); worst.rank == bounds {
				return got, worst
			}
		}
	}
	worst = r.brackets.blamed(worst)
	if worst.hint == "" {
		worst.hint = "Answer with one YAML document and nothing else."
	}
	return accepted[V]{}, worst
}

func asIs(text string) string { return text }

// only takes the one reading of the group that is accepted. Two that say different things are a
// conflict: nobody can tell which one was meant.
func only[V any](group []string, mend func(string) string, accept func(*node) (V, *fault)) (accepted[V], *fault) {
	var found accepted[V]
	var worst *fault
	for _, reading := range group {
		got, f := read(mend(reading), accept)
		switch {
		case f != nil:
			worst = closer(worst, f)
		case found.root == nil:
			found = got
		case !found.root.same(got.root):
			return found, faultf(conflict, got.root.line, "a second document with other content").withHint("Give exactly one YAML document.")
		}
	}
	if found.root == nil {
		return found, worst
	}
	return found, nil
}

func read[V any](text string, accept func(*node) (V, *fault)) (accepted[V], *fault) {
	n, f := parse(text)
	if f != nil {
		return accepted[V]{}, f
	}
	v, f := accept(n)
	return accepted[V]{text, n, v}, f
}
