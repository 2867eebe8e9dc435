package faketest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad/internal/faketest"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c faketest.Changes
		c.Touch() // nobody waits
		var n atomic.Int32
		ended := make(chan error, 1)
		go func() { ended <- c.Wait(t.Context(), func() bool { return n.Load() == 2 }) }()
		for range 2 {
			synctest.Wait()
			if len(ended) != 0 {
				t.Error("it did not wait")
			}
			n.Add(1)
			c.Touch()
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Wait(ctx, func() bool { return false }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with an ended context: %v", err)
		}
	})
}

func TestClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c faketest.Changes
		mux := http.NewServeMux()
		mux.HandleFunc("/cut", func(_ http.ResponseWriter, r *http.Request) { faketest.Break(r, false) })
		mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { faketest.Break(r, true) })
		mux.HandleFunc("/twice", faketest.Route(func(n int) (any, error) {
			if n < 0 {
				return nil, errors.New("less than nothing")
			}
			return map[string]any{"<n>": 2 * n}, nil
		}))
		mux.HandleFunc("/await", c.Await(func(r *http.Request) bool { return r.FormValue("for") == "" }, func(*http.Request) any { return "there" }))
		client := faketest.Client(mux)
		for _, tt := range []struct {
			path, body string
			status     int
			want       string
			err        error
		}{
			{"/twice", "21", 200, `{"<n>":42}`, nil},
			{"/twice", "-1", 400, "less than nothing\n", nil},
			{"/twice", "x", 400, "", nil},
			{"/await", "", 200, `"there"`, nil},
			{"/await?for=ever&timeout=1s", "", 504, `"there"`, nil},
			{"/cut", "", 0, "", io.ErrUnexpectedEOF},
			{"/hang", "", 0, "", context.DeadlineExceeded},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://fake.test"+tt.path, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := client.Do(req)
			cancel()
			if !errors.Is(err, tt.err) {
				t.Errorf("%s: %v, want %v", tt.path, err, tt.err)
			}
			if err != nil {
				continue
			}
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != tt.status || (tt.want != "" && string(body) != tt.want) {
				t.Errorf("%s %s: %d %q", tt.path, tt.body, resp.StatusCode, body)
			}
		}
	})
}

func TestFaults(t *testing.T) {
	var f faketest.Faults[string]
	f.Order("once", 0)
	f.Order("other", 1)
	f.Order("twice", 2)
	f.Order("always", -1)
	var met []string
	for range 6 {
		fault, _ := f.Meet(func(s string) bool { return s != "other" })
		met = append(met, fault)
	}
	if got := strings.Join(met, " "); got != "once twice twice always always always" {
		t.Error(got)
	}
	if fault, ok := f.Meet(func(s string) bool { return s == "none" }); ok || fault != "" {
		t.Errorf("%q met a request that it is not for", fault)
	}
	f.Heal()
	if fault, ok := f.Meet(func(string) bool { return true }); ok {
		t.Errorf("%q is still there", fault)
	}
}
