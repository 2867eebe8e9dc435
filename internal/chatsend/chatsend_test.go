package chatsend_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/pace"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var errBroken = errors.New("broken")

// What is announced was ready, what is sent was announced, and only the first part may be a repetition.
func TestFinal(t *testing.T) {
	for _, tt := range []struct {
		name   string
		from   int
		repeat bool
		breaks string // the step that fails
		want   string
		sent   int
	}{
		{"whole", 0, false, "", "ready a, before 0, send a, ready b, before 1, send b, ready c, before 2, send c", 3},
		{"the rest, again", 1, true, "", "ready b, before 1, send b again, ready c, before 2, send c", 2},
		{"nothing left", 3, true, "", "", 0},
		{"from before the beginning", -1, false, "send a", "ready a, before 0, send a", 0},
		{"never ready", 0, false, "ready b", "ready a, before 0, send a, ready b", 1},
		{"not announced", 0, false, "before 1", "ready a, before 0, send a, ready b, before 1", 1},
		{"not sent", 0, false, "send b", "ready a, before 0, send a, ready b, before 1, send b", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var steps []string
			step := func(words string) error {
				if steps = append(steps, words); words == tt.breaks {
					return errBroken
				}
				return nil
			}
			out := chatsend.Outlet[string]{
				Ready: func(_ context.Context, p string) error { return step("ready " + p) },
				Send: func(_ context.Context, p string, repeat bool, _ chatsend.Note) (string, error) {
					return "id of " + p, step("send " + p + map[bool]string{true: " again"}[repeat])
				},
				Fail: func(op string, err error) error { return fmt.Errorf("%s: %w", op, err) },
			}
			ids, err := out.Final(t.Context(), akitad.Delivery{
				From: tt.from, Repeat: tt.repeat, Before: func(_ context.Context, i int) error { return step(fmt.Sprint("before ", i)) },
			}, []string{"a", "b", "c"})
			if got := strings.Join(steps, ", "); got != tt.want || len(ids) != tt.sent || errors.Is(err, errBroken) != (tt.breaks != "") {
				t.Errorf("%s; %q, %v", got, ids, err)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	d := akitad.Delivery{Reply: akitad.Reply{Files: []akitad.File{{Name: "a"}}}}
	open := func(context.Context, akitad.File) (io.ReadCloser, error) { return nil, nil }
	if got := chatsend.Files(d, open, zap.NewNop()); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if got := chatsend.Files(d, nil, zap.NewNop()); got != nil {
		t.Errorf("without Open: %v", got)
	}
}

func TestErrors(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: errBroken}
	for _, tt := range []struct {
		err   error
		never bool
		kind  akitad.Kind
	}{
		{errBroken, false, akitad.Transport},
		{dial, true, akitad.Transport},
		{&net.OpError{Op: "read", Err: errBroken}, false, akitad.Transport},
		{&net.OpError{Op: "proxyconnect", Err: errBroken}, true, akitad.Transport},
		{&url.Error{Op: "Post", Err: &tls.CertificateVerificationError{Err: errBroken}}, true, akitad.Transport},
		{&url.Error{Op: "Post", Err: http.ErrSchemeMismatch}, true, akitad.Transport},
		{&net.DNSError{IsTimeout: true}, false, akitad.Timeout},
		{context.DeadlineExceeded, false, akitad.Timeout},
		{context.Canceled, false, akitad.Cancelled},
		{fmt.Errorf("x: %w", &chatsend.NotSent{Err: errBroken}), true, akitad.Transport},
		{&chathook.TokenError{Err: context.Canceled}, true, akitad.Cancelled},
		{akitad.Errorf(akitad.NotFound, "gone"), false, akitad.NotFound},
	} {
		if never, kind := chatsend.NeverSent(tt.err), chatsend.KindOf(tt.err); never != tt.never || kind != tt.kind {
			t.Errorf("%v: never sent %v, kind %s", tt.err, never, kind)
		}
	}
	if err := chatsend.Fail("x", nil, akitad.Auth, ""); err != nil {
		t.Errorf("Fail made an error of nothing: %v", err)
	}
	named := chatsend.Fail("first", errBroken, akitad.Auth, "a hint")
	if again := chatsend.Fail("second", named, akitad.Transport, ""); !errors.Is(again, named) || akitad.KindOf(again) != akitad.Auth || strings.Contains(again.Error(), "second") {
		t.Errorf("%v", again)
	}
	if text := chatsend.Bare(&url.Error{Op: "Get", URL: "https://x/?token=secret", Err: errBroken}).Error(); strings.Contains(text, "secret") || !strings.Contains(text, "broken") {
		t.Error(text)
	}
	for address, want := range map[string]bool{"https://a.b/c": true, "http://a": true, "ftp://a": false, "a.b": false, "http://": false, "": false} {
		if chatsend.Web(address) != want {
			t.Errorf("Web(%q) = %v", address, !want)
		}
	}
}

func TestBetween(t *testing.T) {
	for status, want := range map[int]int{200: 502, 204: 502, 302: 502, 401: 502, 404: 502, 405: 502, 407: 502, 408: 502, 421: 502, 500: 500, 502: 502, 520: 520, 429: 429, 403: 403, 400: 400, 406: 406, 413: 413, 422: 422, 451: 451} {
		if got := chatsend.Between(status); got != want {
			t.Errorf("%d counts as %d, want %d", status, got, want)
		}
	}
}

func TestCourier(t *testing.T) {
	limit, passing, final := errors.New("limit"), errors.New("passing"), errors.New("final")
	kinds := map[error]akitad.Kind{limit: akitad.RateLimited, passing: akitad.Overloaded, final: akitad.InvalidRequest}
	for _, tt := range []struct {
		name    string
		answers []error
		untaken bool
		tries   int
		want    error
		least   time.Duration
	}{
		{"at once", []error{nil}, true, 1, nil, 0},
		{"limits are waited out, however many", []error{limit, limit, limit, limit, nil}, false, 5, nil, 80 * time.Second},
		{"what passes is tried again", []error{passing, passing, nil}, true, 3, nil, time.Second},
		{"not for ever", []error{passing, passing, passing, nil}, true, 3, passing, time.Second},
		{"what may have come is not", []error{passing, nil}, false, 1, passing, 0},
		{"what is refused is not", []error{final, nil}, true, 1, final, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := chatsend.Courier{
					Gate: pace.New(pace.Options{}), Retry: time.Second, Pause: 20 * time.Second, Log: zap.NewNop(),
					Kind: func(err error) akitad.Kind { return kinds[err] }, Untaken: func(error) bool { return tt.untaken },
				}
				began, left := time.Now(), slices.Clone(tt.answers)
				_, err := c.Send(t.Context(), "chat", pace.Answer, func(context.Context) (string, error) {
					answer := left[0]
					left = left[1:]
					return "id", answer
				})
				if tries := len(tt.answers) - len(left); tries != tt.tries || !errors.Is(err, tt.want) || time.Since(began) < tt.least {
					t.Errorf("%d tries in %v: %v", tries, time.Since(began), err)
				}
			})
		})
	}
}
