package wire

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// A refusal that tells what it used is billed so, whatever protocol its server speaks; one that does not, or
// tells nonsense, costs nothing.
func TestWhatARefusalUsed(t *testing.T) {
	for body, want := range map[string]akitad.Usage{
		`{"error":{"message":"filtered"},"usage":{"prompt_tokens":120,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":100}}}`:                     {Input: 120, Cached: 100, Output: 7},
		`{"type":"error","error":{"message":"busy"},"usage":{"input_tokens":20,"cache_read_input_tokens":80,"cache_creation_input_tokens":5,"output_tokens":3}}`: {Input: 105, Cached: 80, Output: 3},
		`{"error":{"message":"no"},"usageMetadata":{"promptTokenCount":50,"cachedContentTokenCount":10,"candidatesTokenCount":4,"thoughtsTokenCount":6}}`:        {Input: 50, Cached: 10, Output: 10},
		`{"error":{"message":"no"}}`: {}, `{"usage":{"prompt_tokens":-5,"completion_tokens":"x"}}`: {}, `{"usage":null}`: {}, `<html>`: {}, ``: {}, `[{"error":{}}]`: {},
		`{"usage":{"prompt_tokens":-5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":9}}}`: {Output: 2},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, body)
		}))
		reply, err := New("m", Options{BaseURL: srv.URL}).Ask(t.Context(), llm.Request{}, "chat", []byte("{}"), nil)
		if err == nil || reply.Usage != want {
			t.Errorf("%s: %+v, want %+v; %v", body, reply.Usage, want, err)
		}
		srv.Close()
	}
}
