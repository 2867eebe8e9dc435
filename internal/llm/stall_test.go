package llm_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/llm"
)

// told gives a context that collects the stalls of requests.
func told(t *testing.T) (context.Context, *[]string) {
	var out []string
	return llm.OnStall(t.Context(), func(_ context.Context, s llm.Stall) {
		out = append(out, fmt.Sprintf("%s>%s try %d after %s", s.Endpoint, s.Next, s.Try, s.Waited))
	}), &out
}

// Where there is another endpoint, one that hangs costs one wait and not three, and the requests after it
// none until it has rested.
func TestAHangCostsOneWait(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		ctx, stalls := told(t)
		ledger := fallback.NewLedger(nil, fallback.Rules{})
		r := router(t, llm.RouterOptions{Ceiling: 30 * time.Second, Health: ledger}, endpoint("a", hanging{}), endpoint("b", kinds("")))
		ask := func(want time.Duration, health int) {
			t.Helper()
			start := time.Now()
			reply, err := r.Generate(ctx, main)
			took := time.Since(start)
			h, herr := ledger.Health(ctx, "endpoint.a")
			if err != nil || reply.Endpoint != "b" || degradedText(reply) != "endpoint a>b timeout" || took != want || herr != nil || len(h.Failures) != health {
				t.Errorf("%q by %s after %v, want %v; %d failures, %v %v", degradedText(reply), reply.Endpoint, took, want, len(h.Failures), err, herr)
			}
		}
		ask(30*time.Second, 1)
		ask(0, 1)
		time.Sleep(fallback.Rest - time.Second)
		ask(0, 1)
		time.Sleep(time.Second)
		ask(30*time.Second, 2)
		if got := strings.Join(*stalls, "; "); got != "a>b try 1 after 30s; a>b try 1 after 30s" {
			t.Errorf("told %q", got)
		}
	})
}

// The last endpoint is tried as often as any, and each time it is told.
func TestTheLastOneThatHangsIsTriedAgain(t *testing.T) {
	for _, tt := range []struct {
		name string
		more []llm.Endpoint
		want string
		err  akitad.Kind
	}{
		{"alone", nil, "a>a try 1 after 30s; a>a try 2 after 30s", akitad.AllFailed},
		{"then the offline engine", []llm.Endpoint{offline(true)}, "a>a try 1 after 30s; a>a try 2 after 30s; a>offline try 3 after 30s", ""},
		{"all hang", []llm.Endpoint{endpoint("b", hanging{})}, "a>b try 1 after 30s; b>b try 1 after 30s; b>b try 2 after 30s", akitad.AllFailed},
	} {
		inBubble(t, func(t *testing.T) {
			ctx, stalls := told(t)
			_, err := router(t, llm.RouterOptions{Ceiling: 30 * time.Second}, append([]llm.Endpoint{endpoint("a", hanging{})}, tt.more...)...).Generate(ctx, main)
			if got := strings.Join(*stalls, "; "); got != tt.want || akitad.KindOf(err) != tt.err {
				t.Errorf("%s: told %q, want %q; %v", tt.name, got, tt.want, err)
			}
		})
	}
}

// A server that says that it has timed out does not hang: it is asked again as before, and nothing is told.
func TestATimeoutThatAServerTellsOfIsNoHang(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		ctx, stalls := told(t)
		a := &failing{kinds: []akitad.Kind{akitad.Timeout}}
		reply, err := router(t, llm.RouterOptions{}, endpoint("a", a), endpoint("b", kinds(""))).Generate(ctx, main)
		if err != nil || reply.Endpoint != "b" || a.calls.Load() != 3 || len(*stalls) != 0 {
			t.Errorf("%s answered after %d calls of a, told %q, %v", reply.Endpoint, a.calls.Load(), *stalls, err)
		}
	})
}

// Where the offline engine can answer, an endpoint that hung is not asked again until it has rested; where
// it cannot, it is. Those that refuse at once are asked before it.
func TestTheOfflineEngineComesBeforeWhatHung(t *testing.T) {
	for _, tt := range []struct {
		name   string
		serves bool
		took   time.Duration
		refuse int64 // calls of the one that refuses, in both requests
		chain  string
	}{
		{"it can", true, 0, 2, "endpoint a>b timeout; strategy b>offline auth"},
		{"it cannot", false, 90 * time.Second, 2, ""},
	} {
		inBubble(t, func(t *testing.T) {
			b := &failing{kinds: []akitad.Kind{akitad.Auth, akitad.Auth}}
			r := router(t, llm.RouterOptions{Ceiling: 30 * time.Second}, endpoint("a", hanging{}), endpoint("b", b), offline(tt.serves))
			if _, err := r.Generate(t.Context(), main); (err == nil) != tt.serves {
				t.Fatalf("%s: at first %v", tt.name, err)
			}
			start := time.Now()
			reply, err := r.Generate(t.Context(), main)
			if took := time.Since(start); (err == nil) != tt.serves || took < tt.took || tt.serves && took > 0 || b.calls.Load() != tt.refuse {
				t.Errorf("%s: after %v, %d calls of b, %v", tt.name, took, b.calls.Load(), err)
			}
			if got := degradedText(reply); got != tt.chain {
				t.Errorf("%s: degraded %q", tt.name, got)
			}
			if tt.serves && (!reply.Degraded[0].Skipped || reply.Degraded[1].Skipped) {
				t.Errorf("%s: who was skipped: %+v", tt.name, reply.Degraded)
			}
		})
	}
}
