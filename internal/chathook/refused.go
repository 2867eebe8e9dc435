package chathook

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"go.uber.org/zap"
)

// Refused is why a call is not one of the service's.
type Refused struct {
	Status int    // of the answer
	Why    string // one of few: they are counted
}

// Error says why.
func (r *Refused) Error() string { return r.Why }

// quiet is how long no refusal for the same reason is logged after one was: anybody can call.
const quiet = time.Minute

// Refusals answers calls that are refused, and logs of each kind at most one a minute, with how many there
// were. The zero Refusals logs nothing.
type Refusals struct {
	Log *zap.Logger

	mu    sync.Mutex
	kinds map[string]*tally
}

// tally counts the refusals of one kind.
type tally struct {
	logged time.Time
	since  int
}

// Answer answers a call if err is a *Refused, and reports whether it was one.
func (r *Refusals) Answer(w http.ResponseWriter, err error) bool {
	refused, ok := errors.AsType[*Refused](err)
	if ok {
		http.Error(w, http.StatusText(refused.Status), refused.Status)
		r.Note(refused.Why)
	}
	return ok
}

// Note logs and counts a refusal that was answered.
func (r *Refusals) Note(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kinds == nil {
		r.kinds = map[string]*tally{}
	}
	t := r.kinds[why]
	if t == nil {
		t = &tally{}
		r.kinds[why] = t
	}
	t.since++
	if r.Log == nil || time.Since(t.logged) < quiet {
		return
	}
	r.Log.Warn("calls refused", zap.String("why", why), zap.Int("calls", t.since))
	t.logged, t.since = time.Now(), 0
}
