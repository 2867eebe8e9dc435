package feishu_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// answering is a service that gives the same answers always.
type answering func(*http.Request) string

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a(r))), Request: r}, nil
}

const (
	hookKey   = "akita-test-key"
	hookToken = "akita-token"
)

// hooked runs a bot by webhook in virtual time and gives its handler.
func hooked(t *testing.T, receive feishu.Receive, do func(hook http.Handler)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		who := answering(func(*http.Request) string {
			return `{"code":0,"tenant_access_token":"t","expire":7200,"bot":{"open_id":"ou_bot"}}`
		})
		f, err := feishu.New("cli_1", "s", feishu.Options{
			URL: "http://feishu.test", Mode: feishu.ModeWebhook, EncryptKey: hookKey, VerifyToken: hookToken, HTTP: &http.Client{Transport: who},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- f.Run(ctx, receive) }()
		synctest.Wait()
		do(f.Hook())
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// posted makes a request with a body, signed at a time.
func posted(raw string, at time.Time) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/hooks/feishu", strings.NewReader(raw))
	stamp := strconv.FormatInt(at.Unix(), 10)
	r.Header.Set("X-Lark-Request-Timestamp", stamp)
	r.Header.Set("X-Lark-Request-Nonce", "n-1")
	r.Header.Set("X-Lark-Signature", feishutest.Sign(stamp, "n-1", hookKey, []byte(raw)))
	return r
}

func sealed(body string) string {
	raw, _ := json.Marshal(map[string]string{"encrypt": feishutest.Encrypt(hookKey, []byte(body))})
	return string(raw)
}

func call(hook http.Handler, r *http.Request) (code int, body string) {
	w := httptest.NewRecorder()
	hook.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

const hookEvent = `{"schema":"2.0","header":{"event_id":"e1","event_type":"im.message.receive_v1","token":"` + hookToken + `"},` +
	`"event":{"sender":{"sender_id":{"open_id":"ou_1"},"sender_type":"user"},"message":{"message_id":"om_1","chat_id":"oc_1","chat_type":"p2p","message_type":"text","content":"{\"text\":\"hi\"}"}}}`

// Only what the service has signed, with the right token, in its time, is an event.
func TestHookChecks(t *testing.T) {
	taken := 0
	hooked(t, func(context.Context, akitad.Message) error { taken++; return nil }, func(hook http.Handler) {
		now := time.Now()
		challenge := func(token string) string {
			return `{"challenge":"c-1","token":"` + token + `","type":"url_verification"}`
		}
		bare := func(raw string) *http.Request {
			return httptest.NewRequest(http.MethodPost, "/hooks/feishu", strings.NewReader(raw))
		}
		edit := func(r *http.Request, header, value string) *http.Request { r.Header.Set(header, value); return r }
		other := strings.ReplaceAll(hookEvent, hookToken, "other")
		for _, tt := range []struct {
			name  string
			r     *http.Request
			code  int
			taken int
			body  string
		}{
			{"encrypted", posted(sealed(hookEvent), now), 200, 1, "{}"},
			{"again", posted(sealed(hookEvent), now), 200, 0, "{}"},
			{"plain", posted(strings.ReplaceAll(hookEvent, "om_1", "om_2"), now), 200, 1, "{}"},
			{"59 minutes old", posted(sealed(strings.ReplaceAll(hookEvent, "om_1", "om_3")), now.Add(-59*time.Minute)), 200, 1, "{}"},
			{"61 minutes old", posted(sealed(hookEvent), now.Add(-61*time.Minute)), 401, 0, ""},
			{"61 minutes ahead", posted(sealed(hookEvent), now.Add(61*time.Minute)), 401, 0, ""},
			{"not signed", bare(sealed(hookEvent)), 401, 0, ""},
			{"plain and not signed", bare(hookEvent), 401, 0, ""},
			{"signed with another key", edit(posted(sealed(hookEvent), now), "X-Lark-Signature", feishutest.Sign("1", "n", "k", nil)), 401, 0, ""},
			{"an empty signature", edit(posted(sealed(hookEvent), now), "X-Lark-Signature", ""), 401, 0, ""},
			{"another nonce", edit(posted(sealed(hookEvent), now), "X-Lark-Request-Nonce", "n-2"), 401, 0, ""},
			{"no time", edit(posted(sealed(hookEvent), now), "X-Lark-Request-Timestamp", ""), 401, 0, ""},
			{"another token", posted(sealed(other), now), 403, 0, ""},
			{"another token, plain", posted(other, now), 403, 0, ""},
			{"no token", posted(strings.ReplaceAll(hookEvent, hookToken, ""), now), 403, 0, ""},
			{"challenge", bare(challenge(hookToken)), 200, 0, `{"challenge":"c-1"}`},
			{"encrypted challenge", bare(sealed(challenge(hookToken))), 200, 0, `{"challenge":"c-1"}`},
			{"challenge with another token", bare(challenge("other")), 403, 0, ""},
			{"encrypted challenge with another token", bare(sealed(challenge("other"))), 403, 0, ""},
			{"challenge without a token", bare(challenge("")), 403, 0, ""},
			{"encrypted with another key", posted(`{"encrypt":"`+feishutest.Encrypt("k", []byte(hookEvent))+`"}`, now), 401, 0, ""},
			{"no base64", posted(`{"encrypt":"?"}`, now), 401, 0, ""},
			{"too short", posted(`{"encrypt":"AAAA"}`, now), 401, 0, ""},
			{"no JSON", posted(`hello`, now), 400, 0, ""},
			{"too large", posted(`{"encrypt":"`+strings.Repeat("A", 2<<20)+`"}`, now), 413, 0, ""},
			{"not a POST", httptest.NewRequest(http.MethodGet, "/hooks/feishu", nil), 405, 0, ""},
		} {
			taken = 0
			code, body := call(hook, tt.r)
			if code != tt.code && !(tt.code == 401 && code == 403) || taken != tt.taken || (tt.code == 200 && body != tt.body) {
				t.Errorf("%s: answered %d %q, taken %d, want %d %q, %d", tt.name, code, body, taken, tt.code, tt.body, tt.taken)
			}
			if code != 200 && strings.Contains(body, "c-1") {
				t.Errorf("%s: the challenge is in the answer: %q", tt.name, body)
			}
		}
		for range 200 { // of sixteen that are encrypted with another key, one seems to be padded right
			raw := `{"encrypt":"` + feishutest.Encrypt("k", []byte(hookEvent)) + `"}`
			if code, _ := call(hook, posted(raw, now)); code != http.StatusUnauthorized {
				t.Errorf("encrypted with another key: answered %d", code)
				break
			}
		}
	})
}

// A challenge that was seen in the wild, with a token that is not ours.
func TestHookForeignChallenge(t *testing.T) {
	const raw = `{"encrypt":"MDEyMzQ1Njc4OWFiY2RlZlewAqB0fzEz9CT3hGVD62myRWdy5DgvtAQ6BNv3XCA3SKzIM7cVbUA3l9ibVhMZnqxp9zz4XmWxJRECAqXERrqoIhwserKAzSuuBXXu1lI8"}`
	hooked(t, nil, func(hook http.Handler) {
		code, body := call(hook, posted(raw, time.Now()))
		if code != 401 && code != 403 || strings.Contains(body, "challenge") {
			t.Errorf("answered %d %q", code, body)
		}
	})
	if got, want := feishutest.Sign("1700000000", "n-1", hookKey, []byte(raw)), "055d87542929440b1a0a4324dc585ef9b5244f4248137642cc9fc9c1c46b0664"; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}

// A message that cannot be stored in time is answered with an error, in time.
func TestHookInTime(t *testing.T) {
	hooked(t, func(ctx context.Context, _ akitad.Message) error {
		<-ctx.Done()
		return ctx.Err()
	}, func(hook http.Handler) {
		began := time.Now()
		code, _ := call(hook, posted(sealed(hookEvent), began))
		if took := time.Since(began); code < 500 || took > 3*time.Second {
			t.Errorf("answered %d after %v", code, took)
		}
	})
}

// A press by webhook is answered with what Pressed shows.
func TestHookPress(t *testing.T) {
	const press = `{"schema":"2.0","header":{"event_id":"e9","event_type":"card.action.trigger","token":"` + hookToken + `"},"event":{"operator":{"open_id":"ou_1"},` +
		`"action":{"value":{"choice":"y","chat":"oc_1"},"tag":"button"},"context":{"open_message_id":"om_1","open_chat_id":"oc_1"}}}`
	got := make(chan akitad.Message, 1)
	hooked(t, func(_ context.Context, m akitad.Message) error { got <- m; return nil }, func(hook http.Handler) {
		began := time.Now()
		code, body := call(hook, posted(sealed(press), began))
		if took := time.Since(began); code != 200 || body != "{}" || took > 3*time.Second {
			t.Errorf("answered %d %q after %v", code, body, took)
		}
		if m := <-got; m.Press == nil || m.Press.Choice != "y" {
			t.Errorf("came as %+v", m)
		}
	})
}

// Without Run nothing is taken, and by the long connection there is no webhook.
func TestHookIdle(t *testing.T) {
	f, err := feishu.New("cli_1", "s", feishu.Options{Mode: feishu.ModeWebhook, EncryptKey: hookKey, VerifyToken: hookToken})
	if err != nil {
		t.Fatal(err)
	}
	if code, _ := call(f.Hook(), posted(sealed(hookEvent), time.Now())); code != http.StatusServiceUnavailable {
		t.Errorf("answered %d", code)
	}
	if f, err = feishu.New("cli_1", "s", feishu.Options{}); err != nil {
		t.Fatal(err)
	}
	if code, _ := call(f.Hook(), httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(nil))); code != http.StatusNotFound {
		t.Errorf("answered %d", code)
	}
}
