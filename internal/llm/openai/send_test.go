package openai_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/openai"
)

// serve starts a server and gives a provider whose base URL lies on it.
func serve(t *testing.T, path string, handler http.HandlerFunc) (*httptest.Server, *openai.Provider) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return server, openai.New("m", openai.Options{BaseURL: server.URL + path, Key: key, HTTP: &http.Client{Transport: transport}})
}

// A request goes on to another place of the same server as it is; to another server go neither the
// key nor the words.
func TestRedirects(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		to     string // "" is another server
		want   akitad.Kind
	}{
		{"the same server", 307, "/new/chat/completions", ""},
		{"the same server, as GET", 301, "/new/chat/completions", akitad.Unavailable},
		{"another server", 307, "", akitad.Unavailable},
		{"a circle", 308, "/v1/chat/completions", akitad.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other server was asked") }))
			defer other.Close()
			_, p := serve(t, "/v1", func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Method != http.MethodPost || !strings.Contains(string(body), "hello") || r.Header.Get("Authorization") != "Bearer "+key {
					t.Errorf("%s %s %v %s", r.Method, r.URL, r.Header, body)
				}
				if r.URL.Path == "/new/chat/completions" {
					_, _ = io.WriteString(w, events(say("ok"), closed))
					return
				}
				to := tt.to
				if to == "" {
					to = other.URL + "/v1/chat/completions"
				}
				http.Redirect(w, r, to, tt.status)
			})
			_, err := p.Generate(t.Context(), ask("hello"))
			if got := akitad.KindOf(err); got != tt.want {
				t.Errorf("kind %q, want %q (%v)", got, tt.want, err)
			}
			if err != nil && !strings.Contains(akitad.FailureOf(err).Hint, "base_url") {
				t.Errorf("the error says nothing about what to do: %v", err)
			}
		})
	}
}

// What a base URL says after a question mark, such as a version, stays where it belongs.
func TestBaseURLWithQuery(t *testing.T) {
	var asked string
	_, p := serve(t, "/deployments/d/?api-version=1", func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		_, _ = io.WriteString(w, events(say("ok"), closed))
	})
	if _, err := p.Generate(t.Context(), ask("x")); err != nil || asked != "/deployments/d/chat/completions?api-version=1" {
		t.Errorf("asked %s (%v)", asked, err)
	}
}

func TestBaseURLThatIsNone(t *testing.T) {
	_, err := openai.New("m", openai.Options{BaseURL: "http://[::1", Key: key}).Generate(t.Context(), ask("x"))
	if akitad.KindOf(err) != akitad.Transport || !strings.Contains(akitad.FailureOf(err).Hint, "base_url") {
		t.Errorf("got %v", err)
	}
}
