package anthropic_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// inProcess carries requests to a handler without a network.
type inProcess func(*http.Request) *http.Response

func (f inProcess) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func answering(body io.Reader) inProcess {
	return func(*http.Request) *http.Response {
		return &http.Response{StatusCode: 200, Body: io.NopCloser(body), Header: http.Header{}}
	}
}

func served(h http.Handler) inProcess {
	return func(r *http.Request) *http.Response {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result() //nolint:bodyclose // the provider closes it
	}
}

func over(way inProcess) *anthropic.Provider {
	return anthropic.New("m", anthropic.Options{Key: key, HTTP: &http.Client{Transport: way}})
}

var goodID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// Whatever a server sends, and however it is cut: an error has a kind and makes no call; a reply is one
// that the journal keeps and that the strict server takes back.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		events(begin, words, say("hi"), stop, end),
		events(begin, call("0", "a", "read"), args("0", `{\"p\":1}`), call("1", "a", ""), args("1", `{`), calls, end),
		events(begin, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`, words, say("a"), stop),
		events(begin, words, say("<tool_call>{\\\"name\\\":\\\"read\\\",\\\"arguments\\\":{}}</tool_call>"), stop, end),
		events(`{"type":"content_block_start","content_block":{"type":"hologram","x":[1]}}`, stop),
		`{"content":[{"type":"tool_use","id":"","name":"read","input":[1]},{"type":"text","text":" "}],"stop_reason":"tool_use"}`,
		`{"type":"error","error":{"type":"overloaded_error"}}`,
		"event: ping\r\ndata:{}\r\r",
	} {
		f.Add(seed)
	}
	strict := over(served(llmtest.Handler(llmtest.New(nil).Always(llmtest.Any, llmtest.Text("ok")), llmtest.Options{Forget: true})))
	f.Fuzz(func(t *testing.T, sent string) {
		reply, err := over(answering(strings.NewReader(sent))).Generate(t.Context(), ask("x"))
		again, err2 := over(answering(iotest.OneByteReader(strings.NewReader(sent)))).Generate(t.Context(), ask("x"))
		if akitad.KindOf(err) != akitad.KindOf(err2) || reply.Text != again.Text || string(reply.Raw) != string(again.Raw) {
			t.Fatalf("byte by byte it is another answer: %+v (%v), %+v (%v)", reply, err, again, err2)
		}
		if err != nil {
			if len(reply.Calls) > 0 || akitad.KindOf(err) == "" {
				t.Fatalf("%+v with %v", reply, err)
			}
			return
		}
		check(t, reply)
		if _, err := strict.Generate(t.Context(), answered(ask("x"), reply)); err != nil {
			t.Fatalf("%v: the server does not take %s back", err, reply.Raw)
		}
	})
}

func check(t *testing.T, reply llm.Reply) {
	t.Helper()
	ids := map[string]bool{}
	for _, c := range reply.Calls {
		if ids[c.ID] || !goodID.MatchString(c.ID) || !json.Valid(c.Args) {
			t.Errorf("call %+v", c)
		}
		ids[c.ID] = true
	}
	kept, err := json.Marshal(reply)
	var back llm.Reply
	if err == nil {
		err = json.Unmarshal(kept, &back)
	}
	if err != nil || string(back.Raw) != string(reply.Raw) {
		t.Errorf("the journal keeps %s of %s (%v)", back.Raw, reply.Raw, err)
	}
}
