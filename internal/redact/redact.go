// Package redact is the one list of what must not leave the process: secrets that were configured,
// and texts that have the form of a key. It does not decide where bytes leave; callers apply it.
package redact

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Mark stands where a secret stood.
const Mark = "[redacted]"

// MinLength is the number of bytes below which a secret given to New or Add is ignored: shorter
// ones occur in ordinary text, and replacing them would shred it.
const MinLength = 6

// Redactor replaces secrets in text. Its zero value knows the patterns only. It is safe for use by
// many goroutines, also while secrets are added.
type Redactor struct {
	mu    sync.Mutex
	known []string
	coded []string // the same secrets in other codes, where they are long runs
	exact atomic.Pointer[strings.Replacer]
	runs  atomic.Pointer[strings.Replacer] // for coded
	lines atomic.Pointer[[]parted]
}

// New gives a Redactor that knows the secrets beside the patterns; see Add.
func New(secrets ...string) *Redactor {
	r := &Redactor{}
	r.Add(secrets...)
	return r
}

// Add makes more secrets known, each also as it looks inside of JSON, HTML and a URL, and in hexadecimal; long
// ones in base64 too. Blank ones and those under MinLength bytes are ignored.
func (r *Redactor) Add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range secrets {
		if s = strings.TrimSpace(s); len(s) < MinLength {
			continue
		}
		r.known = added(r.known, forms(s))
		r.coded = added(r.coded, codes(s))
		r.partable(s)
	}
	r.rebuild()
}

func added(list, more []string) []string {
	for _, form := range more {
		if !slices.Contains(list, form) {
			list = append(list, form)
		}
	}
	return list
}

// rebuild makes the replacers.
func (r *Redactor) rebuild() {
	if len(r.known) == 0 {
		return
	}
	r.exact.Store(replacer(r.known))
	r.runs.Store(replacer(r.coded))
}

// replacer orders the longest first: a secret that contains another must go as a whole.
func replacer(secrets []string) *strings.Replacer {
	slices.SortStableFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(secrets))
	for _, s := range secrets {
		pairs = append(pairs, s, Mark)
	}
	return strings.NewReplacer(pairs...)
}

// String gives s with every known secret and everything that has the form of one replaced by Mark.
// Text without any comes back unchanged, and applying it twice is the same as once. A nil Redactor
// gives s.
func (r *Redactor) String(s string) string {
	if r == nil || len(s) < MinLength {
		return s
	}
	if exact := r.exact.Load(); exact != nil {
		s = r.whole(exact.Replace(s))
	}
	long := hasRun(s)
	if coded := r.runs.Load(); long && coded != nil {
		s = coded.Replace(s)
	}
	of := pairsOf(s)
	for i := range patterns {
		if p := &patterns[i]; long || !p.long {
			s = p.apply(s, &of)
		}
	}
	if long {
		s = keys(s)
	}
	return s
}

// Bytes is String for bytes; the argument is not changed.
func (r *Redactor) Bytes(b []byte) []byte { return []byte(r.String(string(b))) }
