package fallback_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
)

var start = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

func at(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }

func failedAt(seconds ...int) fallback.Health {
	var h fallback.Health
	for _, s := range seconds {
		h = h.Failed(at(s), akitad.Overloaded, "busy")
	}
	return h
}

func TestDegradedAfterThreeFailuresIn300Seconds(t *testing.T) {
	for _, tt := range []struct {
		name     string
		h        fallback.Health
		degraded bool
	}{
		{"new", fallback.Health{}, false},
		{"two", failedAt(0, 1), false},
		{"three", failedAt(0, 1, 2), true},
		{"three within the window", failedAt(0, 150, 299), true},
		{"the first is too old", failedAt(0, 150, 300), false},
		{"a success in between", failedAt(0, 1).Succeeded().Failed(at(2), akitad.Timeout, ""), false},
		{"stays degraded for long", failedAt(0, 1, 2, 5000), true},
		{"healed", failedAt(0, 1, 2).Succeeded(), false},
	} {
		if got := tt.h.Degraded(); got != tt.degraded {
			t.Errorf("%s: degraded %v, want %v", tt.name, got, tt.degraded)
		}
	}
}

func TestProbesComeAfter30s60s5min(t *testing.T) {
	h := failedAt(0, 0, 0)
	now := at(0)
	for i, wait := range []time.Duration{30 * time.Second, time.Minute, 5 * time.Minute, 5 * time.Minute} {
		now = now.Add(wait)
		if h.ProbeDue(now.Add(-time.Nanosecond)) {
			t.Errorf("probe %d is due before %v", i, wait)
		}
		if !h.ProbeDue(now) {
			t.Errorf("probe %d is not due after %v", i, wait)
		}
		if h = h.Probing(now); h.ProbeDue(now) {
			t.Errorf("probe %d can be taken twice", i)
		}
		if failed := h.Failed(now, akitad.Timeout, ""); !failed.Next.Equal(h.Next) || !failed.Degraded() {
			t.Errorf("probe %d failed: next %v, want %v", i, failed.Next, h.Next)
		}
	}
	if h.Succeeded().Degraded() {
		t.Error("a success does not heal")
	}
}

// Failures are told by several nodes, and may come in any order: an older one does not have the next probe come sooner,
// and of many only those are kept that count.
func TestAFailureThatIsToldLate(t *testing.T) {
	h := failedAt(0, 1, 100)
	if late := h.Failed(at(60), akitad.Timeout, ""); !late.Next.Equal(h.Next) {
		t.Errorf("the next probe is at %v, it was to be at %v", late.Next, h.Next)
	}
	for range 100 {
		h = h.Failed(at(101), akitad.Timeout, "")
	}
	if len(h.Failures) != fallback.Limit {
		t.Errorf("%d failures are kept", len(h.Failures))
	}
}

func TestHealthIsAValue(t *testing.T) {
	h := failedAt(0, 1)
	before, _ := json.Marshal(h)
	h.Failed(at(2), akitad.Timeout, "x")
	h.Probing(at(3))
	if after, _ := json.Marshal(h); string(after) != string(before) {
		t.Errorf("changed from %s to %s", before, after)
	}
}

func TestHealthSurvivesJSON(t *testing.T) {
	want := failedAt(0, 1, 2).Probing(at(40))
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got fallback.Health
	if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if clean, _ := json.Marshal(fallback.Health{}); string(clean) != "{}" {
		t.Errorf("clean health is stored as %s", clean)
	}
}

func TestLedgerGivesAProbeToOne(t *testing.T) {
	l := fallback.NewLedger(nil, fallback.Rules{})
	for range 3 {
		if _, err := l.Failed(t.Context(), "endpoint.a", start, akitad.Timeout, "slow"); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	taken := 0
	for range 8 {
		wg.Go(func() {
			ok, err := l.TakeProbe(t.Context(), "endpoint.a", at(31))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if ok {
				taken++
			}
		})
	}
	wg.Wait()
	if taken != 1 {
		t.Errorf("%d callers took the probe, want 1", taken)
	}
}

// What one ledger writes, another sees within a second, and every change is made to the newest record.
func TestLedgerIsSharedThroughTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := fallback.NewMemory()
		first, second := fallback.NewLedger(store, fallback.Rules{}), fallback.NewLedger(store, fallback.Rules{})
		for i, l := range []*fallback.Ledger{first, second, first} {
			h, err := l.Failed(t.Context(), "profile.writer", at(i), akitad.Loop, "again")
			if err != nil || h.Degraded() != (i == 2) {
				t.Errorf("failure %d: degraded %v, %v", i, h.Degraded(), err)
			}
		}
		time.Sleep(time.Second)
		h, err := second.Health(t.Context(), "profile.writer")
		if err != nil || !h.Degraded() || h.Kind != akitad.Loop || h.Reason != "again" {
			t.Errorf("the other ledger sees %+v, %v", h, err)
		}
		if err := second.Succeeded(t.Context(), "profile.writer"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if h, _ := first.Health(t.Context(), "profile.writer"); !h.Clean() {
			t.Errorf("a success leaves %+v", h)
		}
	})
}

// A record that was just read or written is not read again.
func TestLedgerReadsOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &brokenStore{Store: fallback.NewMemory()}
		l := fallback.NewLedger(store, fallback.Rules{})
		for range 100 {
			if h, err := l.Health(t.Context(), "endpoint.a"); err != nil || !h.Clean() {
				t.Fatalf("%+v, %v", h, err)
			}
			if err := l.Succeeded(t.Context(), "endpoint.a"); err != nil {
				t.Fatal(err)
			}
		}
		if store.loads != 1 || store.saves != 0 {
			t.Errorf("%d loads and %d saves, want one load", store.loads, store.saves)
		}
		time.Sleep(time.Second)
		if _, err := l.Health(t.Context(), "endpoint.a"); err != nil || store.loads != 2 {
			t.Errorf("%d loads a second later, %v", store.loads, err)
		}
	})
}

// brokenStore fails, or counts what is saved.
type brokenStore struct {
	fallback.Store
	loadErr, saveErr error
	loads, saves     int
}

func (s *brokenStore) Load(ctx context.Context, name string) ([]byte, uint64, error) {
	s.loads++
	if s.loadErr != nil {
		return nil, 0, s.loadErr
	}
	return s.Store.Load(ctx, name)
}

func (s *brokenStore) Save(ctx context.Context, name string, data []byte, rev uint64) error {
	s.saves++
	if s.saveErr != nil {
		return s.saveErr
	}
	return s.Store.Save(ctx, name, data, rev)
}

func TestLedgerPassesStoreErrorsOn(t *testing.T) {
	gone := errors.New("store is gone")
	for _, s := range []*brokenStore{{loadErr: gone}, {saveErr: gone}} {
		s.Store = fallback.NewMemory()
		if _, err := fallback.NewLedger(s, fallback.Rules{}).Failed(t.Context(), "x", start, akitad.Timeout, ""); !errors.Is(err, gone) {
			t.Errorf("got %v, want %v", err, gone)
		}
	}
	s := &brokenStore{Store: fallback.NewMemory(), saveErr: fallback.ErrConflict}
	if _, err := fallback.NewLedger(s, fallback.Rules{}).Failed(t.Context(), "x", start, akitad.Timeout, ""); !errors.Is(err, fallback.ErrConflict) {
		t.Errorf("endless conflict gave %v", err)
	}
	if s.saves < 2 {
		t.Errorf("it gave up after %d attempts: another writer was faster once", s.saves)
	}
}

// A probe that could not be written down is nobody's: another ledger may take it too.
func TestLedgerTakesNoProbeThatIsNotKept(t *testing.T) {
	s := &brokenStore{Store: fallback.NewMemory()}
	l := fallback.NewLedger(s, fallback.Rules{Failures: 1})
	if _, err := l.Failed(t.Context(), "x", start, akitad.Timeout, ""); err != nil {
		t.Fatal(err)
	}
	s.saveErr = errors.New("store is gone")
	if taken, err := l.TakeProbe(t.Context(), "x", at(60)); taken || !errors.Is(err, s.saveErr) {
		t.Errorf("taken %v, %v", taken, err)
	}
}

func TestLedgerWritesNothingForACleanSuccess(t *testing.T) {
	s := &brokenStore{Store: fallback.NewMemory()}
	if err := fallback.NewLedger(s, fallback.Rules{}).Succeeded(t.Context(), "endpoint.a"); err != nil || s.saves != 0 {
		t.Errorf("%d saves, %v", s.saves, err)
	}
}

func TestLedgerMendsAnUnreadableRecord(t *testing.T) {
	store := fallback.NewMemory()
	if err := store.Save(t.Context(), "x", []byte("not json"), 0); err != nil {
		t.Fatal(err)
	}
	l := fallback.NewLedger(store, fallback.Rules{})
	if _, err := l.Failed(t.Context(), "x", start, akitad.Timeout, ""); err != nil {
		t.Fatal(err)
	}
	if h, err := l.Health(t.Context(), "x"); err != nil || len(h.Failures) != 1 {
		t.Errorf("got %+v, %v", h, err)
	}
}

// slowStore gives what its first Load reads only when it is let go.
type slowStore struct {
	fallback.Store
	began     atomic.Bool
	read, let chan struct{}
}

func (s *slowStore) Load(ctx context.Context, name string) ([]byte, uint64, error) {
	data, rev, err := s.Store.Load(ctx, name)
	if s.began.CompareAndSwap(false, true) {
		close(s.read)
		<-s.let
	}
	return data, rev, err
}

// A record that took long to read does not hide what was written meanwhile.
func TestLedgerKeepsTheLaterRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{Store: fallback.NewMemory(), read: make(chan struct{}), let: make(chan struct{})}
		l := fallback.NewLedger(store, fallback.Rules{})
		done := make(chan error)
		go func() {
			_, err := l.Health(t.Context(), "endpoint.a")
			done <- err
		}()
		<-store.read
		if _, err := l.Failed(t.Context(), "endpoint.a", at(0), akitad.Overloaded, "busy"); err != nil {
			t.Fatal(err)
		}
		close(store.let)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if h, err := l.Health(t.Context(), "endpoint.a"); err != nil || h.Clean() {
			t.Errorf("the failure is not seen: %+v, %v", h, err)
		}
	})
}

// One that has timed out rests for a minute; other failures, and being degraded, are no rest.
func TestResting(t *testing.T) {
	var clean fallback.Health
	at := time.Unix(1e9, 0)
	hung := clean.Failed(at, akitad.Timeout, "silent")
	for _, tt := range []struct {
		name  string
		h     fallback.Health
		after time.Duration
		want  bool
	}{
		{"clean", clean, 0, false},
		{"at once", hung, 0, true},
		{"nearly a minute", hung, time.Minute - 1, true},
		{"a minute", hung, time.Minute, false},
		{"something else since", hung.Failed(at, akitad.Auth, "no"), 0, false},
		{"degraded", hung.Failed(at, akitad.Timeout, "silent").Failed(at, akitad.Timeout, "silent"), 0, false},
		{"healed", hung.Succeeded(), 0, false},
	} {
		if got := tt.h.Resting(at.Add(tt.after)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// The owner may say how soon one is degraded, and how long it is left alone; what is not said is as usual.
func TestRules(t *testing.T) {
	for _, tt := range []struct {
		name     string
		rules    fallback.Rules
		failures []int // seconds
		degraded bool
		probes   []int // seconds at which a probe is due, each a second later than one that is not
	}{
		{"usual", fallback.Rules{}, []int{0, 1, 2}, true, []int{32, 92, 392, 692}},
		{"one is enough", fallback.Rules{Failures: 1}, []int{0}, true, []int{30, 90}},
		{"more are needed", fallback.Rules{Failures: 4}, []int{0, 1, 2}, false, nil},
		{"more than usual are kept", fallback.Rules{Failures: 5}, []int{0, 1, 2, 3, 4}, true, []int{34}},
		{"soon forgotten", fallback.Rules{Within: 2 * time.Second}, []int{0, 1, 2}, false, nil},
		{"long remembered", fallback.Rules{Within: time.Hour}, []int{0, 1000, 2000}, true, nil},
		{"probed soon", fallback.Rules{Probe: time.Second}, []int{0, 1, 2}, true, []int{3, 5, 15, 25}},
	} {
		l := fallback.NewLedger(nil, tt.rules)
		var h fallback.Health
		for _, s := range tt.failures {
			var err error
			if h, err = l.Failed(t.Context(), "x", at(s), akitad.Overloaded, "busy"); err != nil {
				t.Fatal(err)
			}
		}
		if h.Degraded() != tt.degraded {
			t.Errorf("%s: degraded %v", tt.name, h.Degraded())
		}
		for _, s := range tt.probes {
			early, err := l.TakeProbe(t.Context(), "x", at(s-1))
			due, err2 := l.TakeProbe(t.Context(), "x", at(s))
			if early || !due || err != nil || err2 != nil {
				t.Errorf("%s: probed at %d s: early %v, due %v, %v %v", tt.name, s, early, due, err, err2)
			}
		}
	}
}

// The clock is set by hours while something is degraded, or rests: what was noted before neither puts a probe
// off until the clock has caught up, nor counts for longer than it would have.
func TestAClockThatIsSet(t *testing.T) {
	const hour = 3600
	noted := 10 * hour // when it failed, by the clock as it was then
	degraded := failedAt(noted, noted, noted)
	rests := failedAt(noted-1).Failed(at(noted), akitad.Timeout, "silent")
	for _, tt := range []struct {
		name                 string
		now                  int
		due, resting, spoilt bool // is a probe due; does the other rest; does one more failure degrade it
	}{
		{"not set", noted + 1, false, true, true},
		{"back by a moment", noted - 30, false, true, true},
		{"back by hours", noted - 3*hour, true, false, false},
		{"back by a day", noted - 24*hour, true, false, false},
		{"forward by hours", noted + 3*hour, true, false, false},
	} {
		now := at(tt.now)
		if got := degraded.ProbeDue(now); got != tt.due {
			t.Errorf("%s: a probe is due: %v", tt.name, got)
		}
		if got := rests.Resting(now); got != tt.resting {
			t.Errorf("%s: it rests: %v", tt.name, got)
		}
		if got := rests.Failed(now, akitad.Overloaded, "busy").Degraded(); got != tt.spoilt {
			t.Errorf("%s: one more failure degrades it: %v", tt.name, got)
		}
		if !tt.due {
			continue
		}
		probing := degraded.Probing(now)
		if probing.ProbeDue(now) || !probing.ProbeDue(now.Add(time.Minute)) {
			t.Errorf("%s: a probe that is taken puts the next one off until %s, now it is %s", tt.name, probing.Next, now)
		}
		if failed := degraded.Failed(now, akitad.Overloaded, "busy"); !failed.Degraded() || !failed.ProbeDue(now.Add(time.Hour)) {
			t.Errorf("%s: a failure puts the next probe off until %s, now it is %s", tt.name, failed.Next, now)
		}
	}
}
