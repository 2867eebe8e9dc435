package chathook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
)

// However many calls are refused, a minute has one line in the log for each reason, and none goes uncounted.
func TestRefusalsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, seen := observer.New(zap.WarnLevel)
		r := chathook.Refusals{Log: zap.New(core)}
		for range 1000 {
			r.Note("wrong signature")
		}
		r.Note("no time")
		time.Sleep(time.Minute)
		r.Note("wrong signature")
		var got []string
		for _, e := range seen.TakeAll() {
			got = append(got, fmt.Sprint(e.ContextMap()["why"], " ", e.ContextMap()["calls"]))
		}
		if want := "[wrong signature 1 no time 1 wrong signature 1000]"; fmt.Sprint(got) != want {
			t.Errorf("logged %v, want %s", got, want)
		}
	})
}

func TestServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d chathook.Door
		none := akitad.Message{}
		status := func(m akitad.Message, ok bool, err error) int {
			w := httptest.NewRecorder()
			d.Serve(w, func() (akitad.Message, bool, error) { return m, ok, err })
			return w.Code
		}
		if got := status(none, true, nil); got != http.StatusServiceUnavailable {
			t.Errorf("shut: %d", got)
		}
		outcome := error(nil)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx, func(context.Context, akitad.Message) error { return outcome }) }()
		synctest.Wait()
		for _, tt := range []struct {
			name string
			ok   bool
			err  error // of the reading
			take error
			want int
		}{
			{"taken", true, nil, nil, 200},
			{"nothing that a person said", false, nil, errors.New("must not be asked"), 200},
			{"forged", true, &chathook.Refused{Status: 403, Why: "forged"}, nil, 403},
			{"not taken", true, nil, errors.New("full"), 503},
			{"refused for good", true, nil, akitad.Errorf(akitad.InvalidRequest, "no"), 200},
		} {
			if outcome = tt.take; status(none, tt.ok, tt.err) != tt.want {
				t.Errorf("%s: want %d", tt.name, tt.want)
			}
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// What needs the token is done once more with a new one, and not for ever.
func TestTokenDo(t *testing.T) {
	n, stale, broken := 0, errors.New("stale"), errors.New("broken")
	token := chathook.NewToken(func(context.Context) (string, time.Duration, error) {
		if n++; n > 3 {
			return "", 0, broken
		}
		return fmt.Sprint("token ", n), time.Hour, nil
	})
	isStale := func(err error) bool { return errors.Is(err, stale) }
	for _, tt := range []struct {
		name    string
		answers []error
		want    error
		last    string
	}{
		{"good", []error{nil}, nil, "token 1"},
		{"another error", []error{broken}, broken, "token 1"},
		{"refused once", []error{stale, nil}, nil, "token 2"},
		{"refused twice", []error{stale, stale}, stale, "token 3"},
	} {
		i := 0
		err := token.Do(t.Context(), isStale, func(value string) error {
			i++
			return tt.answers[i-1]
		})
		if !errors.Is(err, tt.want) || i != len(tt.answers) || token.Last() != tt.last {
			t.Errorf("%s: %v after %d tries with %q", tt.name, err, i, token.Last())
		}
	}
	token.Drop("token 3")
	if _, ok := errors.AsType[*chathook.TokenError](token.Do(t.Context(), isStale, func(string) error { return nil })); !ok {
		t.Error("no token, and no such error")
	}
}
