package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/redact"
)

const secret = "hunter2-orchid-plum"

// ask asks a server that answers as it is told, and gives the error.
func ask(t *testing.T, answer http.HandlerFunc, read func(*Answer) (llm.Reply, error)) error {
	t.Helper()
	there := httptest.NewServer(answer)
	t.Cleanup(there.Close)
	s := New("m", Options{BaseURL: there.URL, Secret: secret, Redact: redact.New(), Variable: "MODEL"})
	_, err := s.Ask(t.Context(), llm.Request{}, "/x", []byte("{}"), read)
	return err
}

func refuse(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// Servers repeat the key that they refuse, in their words and in their codes, and so do errors of the way to them.
func TestErrorsTellNoSecret(t *testing.T) {
	answers := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"a": 1}`) }
	failing := func(err error) func(*Answer) (llm.Reply, error) {
		return func(*Answer) (llm.Reply, error) { return llm.Reply{}, err }
	}
	for name, err := range map[string]error{
		"words":     ask(t, refuse(401, `{"error":{"message":"no such key: `+secret+`"}}`), nil),
		"code":      ask(t, refuse(401, `{"error":{"message":"no","code":"key_`+secret+`"}}`), nil),
		"plain":     ask(t, answers, failing(errors.New("read "+secret))),
		"of a kind": ask(t, answers, failing(akitad.Errorf(akitad.Transport, "read %s", secret))),
	} {
		e, ok := errors.AsType[*llm.ServerError](err)
		if err == nil || strings.Contains(err.Error(), secret) || ok && strings.Contains(e.Code+e.Message, secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of what a server says only the beginning is read, and less is kept.
func TestLongRefusals(t *testing.T) {
	err := ask(t, refuse(400, `{"error":{"message":"`+strings.Repeat("长", 1000)+`"}}`), nil)
	e, ok := errors.AsType[*llm.ServerError](err)
	if !ok || len(e.Message) > 510 || len(e.Message) < 490 || !strings.HasSuffix(e.Message, "长…") {
		t.Errorf("%d bytes: %v", len(e.Message), err)
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(500)
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, strings.Repeat("no ", 1000)); err != nil {
				return
			}
		}
	}
	if kind := akitad.KindOf(ask(t, endless, nil)); kind != akitad.Overloaded {
		t.Errorf("a refusal without an end: %s", kind)
	}
}

// How long a server wants to be left alone is told in its header, in fields or in words; the longest counts, and words
// only where asking again may help.
func TestWaitsOfRefusals(t *testing.T) {
	for _, tt := range []struct {
		status       int
		header, body string
		want         time.Duration
	}{
		{429, "", `{"error":{"message":"Rate limited, retry after 20 seconds"}}`, 20 * time.Second},
		{429, "7", `{"error":{"message":"Rate limited, retry after 20 seconds"}}`, 7 * time.Second},
		{429, "7", `{"error":{"message":"no","details":[{"retryDelay":"30s"}]}}`, 30 * time.Second},
		{429, "40", `{"error":{"message":"no","details":[{"retryDelay":"30s"}]}}`, 40 * time.Second},
		{401, "", `{"error":{"message":"a bad key: retry after 20 seconds"}}`, 0},
	} {
		err := ask(t, func(w http.ResponseWriter, _ *http.Request) {
			if tt.header != "" {
				w.Header().Set("Retry-After", tt.header)
			}
			w.WriteHeader(tt.status)
			fmt.Fprint(w, tt.body)
		}, nil)
		e, ok := errors.AsType[*llm.ServerError](err)
		if !ok || e.RetryAfter != tt.want {
			t.Errorf("%d, header %q, %s: %v, want %v", tt.status, tt.header, tt.body, e.RetryAfter, tt.want)
		}
	}
}

// What a person can do is said with the error: which setting names the model, and what made the wait end.
func TestHintsOfRefusals(t *testing.T) {
	var e *akitad.Error
	if err := ask(t, refuse(404, `{"error":{"message":"no such model"}}`), nil); !errors.As(err, &e) || !strings.Contains(e.Hint, "MODEL") {
		t.Errorf("%v, hint %q", err, e.Hint)
	}
	live, end := context.WithCancelCause(t.Context())
	end(akitad.Errorf(akitad.Timeout, "silent").WithHint("wait longer"))
	s := New("m", Options{Redact: redact.New()})
	if err := s.failed(t.Context(), live, context.Canceled); !errors.As(err, &e) || e.Kind != akitad.Timeout || e.Hint != "wait longer" {
		t.Errorf("%v, hint %q", err, e.Hint)
	}
}

// Who gave up is told that, and not what it did to the connection: nobody is to be blamed, and nothing tried again.
func TestWhoAsksGivesUp(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	err := New("m", Options{Redact: redact.New()}).failed(gone, gone, errors.New("connection reset"))
	if !errors.Is(err, context.Canceled) || akitad.KindOf(err) == akitad.Transport {
		t.Errorf("%v, kind %s", err, akitad.KindOf(err))
	}
}

// An end that is a failure leaves no answer, and calls that were cut off are not taken for whole ones.
func TestFinish(t *testing.T) {
	calls := []akitad.Call{{ID: "1", Tool: "look"}}
	for _, tt := range []struct {
		reason string
		calls  []akitad.Call
		want   llm.Finish
		kind   akitad.Kind
	}{
		{"stop", nil, llm.FinishStop, ""},
		{"stop", calls, llm.FinishCalls, ""},
		{"length", nil, llm.FinishLength, ""},
		{"max_tokens", calls, llm.FinishLength, ""},
		{"content_filter", calls, "", akitad.ContentFiltered},
		{"error", nil, "", akitad.Transport},
	} {
		got, err := Finish(llm.Reply{Text: "half", Calls: tt.calls, Usage: akitad.Usage{Input: 7}}, tt.reason)
		if got.Finish != tt.want || akitad.KindOf(err) != tt.kind || got.Usage.Input != 7 {
			t.Errorf("%s with %d calls: %+v, %v", tt.reason, len(tt.calls), got, err)
		}
		if err != nil && (got.Text != "" || len(got.Calls) > 0) {
			t.Errorf("%s leaves %+v", tt.reason, got)
		}
	}
}

// Two halves of a character become one; what only looks like a half stays.
func TestHalf(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{`"a\ud83d"`, `"\ude00b"`, `"a""\ud83d\ude00b"`},
		{`"a\\ud83d"`, `"b"`, `"a\\ud83d""b"`},
		{`"a\\\ud83d"`, `"\ude00"`, `"a\\""\ud83d\ude00"`},
		{`"a"`, `"b"`, `"a""b"`},
		{`null`, `"b"`, `null"b"`},
	} {
		var h Half
		if got := string(h.Join([]byte(tt.first))) + string(h.Join([]byte(tt.second))); got != tt.want {
			t.Errorf("%s and %s: %s, want %s", tt.first, tt.second, got, tt.want)
		}
	}
}
