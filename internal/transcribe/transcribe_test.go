package transcribe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/transcribe"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// service answers requests one after the other with what it is told, the last for ever.
type service struct {
	mu      sync.Mutex
	answers []func(http.ResponseWriter)
	got     []request
}

// request is what the service was asked.
type request struct {
	path, auth, model, file string
	audio                   []byte
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if err := r.ParseMultipartForm(64 << 20); err != nil {
		return nil, err
	}
	file, head, err := r.FormFile("file")
	if err != nil {
		return nil, err
	}
	audio, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, request{r.URL.Path, r.Header.Get("Authorization"), r.FormValue("model"), head.Filename, audio})
	w := httptest.NewRecorder()
	s.answers[min(len(s.got), len(s.answers))-1](w)
	return w.Result(), nil
}

func answer(code int, body string, header ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func client(t *testing.T, via http.RoundTripper) *transcribe.Client {
	t.Helper()
	c, err := transcribe.New(transcribe.Options{BaseURL: "http://voice.test/v1/", APIKey: "sk-secret", Model: "whisper-1", HTTP: &http.Client{Transport: via}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWords(t *testing.T) {
	s := &service{answers: []func(http.ResponseWriter){answer(200, `{"text":" 你好, world \n"}`)}}
	words, err := client(t, s).Words(t.Context(), "voice-5.oga", []byte("OggS..."))
	if err != nil || words != "你好, world" {
		t.Fatalf("Words = %q, %v", words, err)
	}
	want := request{"/v1/audio/transcriptions", "Bearer sk-secret", "whisper-1", "voice-5.ogg", []byte("OggS...")}
	if got := s.got[0]; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the service was asked %+v, want %+v", got, want)
	}
}

func TestFileNames(t *testing.T) {
	for _, tt := range []struct{ name, audio, want string }{
		{"a.oga", "x", "a.ogg"},
		{"a.OGA", "x", "a.ogg"},
		{"a.opus", "x", "a.ogg"},
		{"a.mp3", "OggS", "a.mp3"},
		{"dir/a.wav", "x", "a.wav"},
		{`c:\x\a.m4a`, "x", "a.m4a"},
		{"", "RIFF....", "voice.wav"},
		{"voice", "ID3", "voice.mp3"},
		{"a.aac", "x", "a.m4a"},
		{"a", "....ftypM4A", "a.m4a"},
		{"a", "?", "a.ogg"},
		{"a.amr", "#!AMR", "a.amr"},
		{".oga", "x", "voice.ogg"},
	} {
		s := &service{answers: []func(http.ResponseWriter){answer(200, `{"text":"x"}`)}}
		if _, err := client(t, s).Words(t.Context(), tt.name, []byte(tt.audio)); err != nil || s.got[0].file != tt.want {
			t.Errorf("%q was sent as %q (%v), want %q", tt.name, s.got[0].file, err, tt.want)
		}
	}
}

// What may pass is tried again, twice, and no sooner than the service asks; what does not pass is not.
func TestRefusals(t *testing.T) {
	const good = `{"text":"fine"}`
	for _, tt := range []struct {
		name    string
		answers []func(http.ResponseWriter)
		want    akitad.Kind
		tries   int
		took    time.Duration
	}{
		{"a bad key", []func(http.ResponseWriter){answer(401, `{"error":{"message":"no such key"}}`)}, akitad.Auth, 1, 0},
		{"no right", []func(http.ResponseWriter){answer(403, ``)}, akitad.Auth, 1, 0},
		{"a recording that it cannot read", []func(http.ResponseWriter){answer(400, `{"error":{"message":"bad format"}}`)}, akitad.InvalidRequest, 1, 0},
		{"too large", []func(http.ResponseWriter){answer(413, `<html>`)}, akitad.InvalidRequest, 1, 0},
		{"no such model", []func(http.ResponseWriter){answer(404, `{}`)}, akitad.NotFound, 1, 0},
		{"no money", []func(http.ResponseWriter){answer(429, `{"error":{"message":"x","code":"insufficient_quota"}}`)}, akitad.Quota, 1, 0},
		{"another page", []func(http.ResponseWriter){answer(200, `<html>welcome`)}, akitad.Unavailable, 1, 0},
		{"no text", []func(http.ResponseWriter){answer(200, `{}`)}, akitad.Unavailable, 1, 0},
		{"a redirect", []func(http.ResponseWriter){answer(304, ``)}, akitad.Unavailable, 1, 0},
		{"overloaded for good", []func(http.ResponseWriter){answer(503, ``)}, akitad.Overloaded, 3, 3 * time.Second},
		{"overloaded once", []func(http.ResponseWriter){answer(500, ``), answer(200, good)}, "", 2, time.Second},
		{"too fast", []func(http.ResponseWriter){answer(429, ``, "Retry-After", "7"), answer(200, good)}, "", 2, 7 * time.Second},
		{"too fast for long", []func(http.ResponseWriter){answer(429, ``, "Retry-After", "9000"), answer(200, good)}, "", 2, 30 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, begin := &service{answers: tt.answers}, time.Now()
			_, err := client(t, s).Words(t.Context(), "a.ogg", []byte("x"))
			if akitad.KindOf(err) != tt.want || len(s.got) != tt.tries || time.Since(begin) != tt.took {
				t.Errorf("%s: %v after %d tries and %s, want %s, %d, %s", tt.name, err, len(s.got), time.Since(begin), tt.want, tt.tries, tt.took)
			}
			if err != nil && strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("%s: %v shows the key", tt.name, err)
			}
		})
	}
}

// silent never answers.
type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// gone cannot be reached.
type gone struct{}

func (gone) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("no route") }

func TestServiceThatIsNotThere(t *testing.T) {
	for _, tt := range []struct {
		via  http.RoundTripper
		want akitad.Kind
		took time.Duration
	}{{silent{}, akitad.Timeout, 3*60*time.Second + 3*time.Second}, {gone{}, akitad.Transport, 3 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			_, err := client(t, tt.via).Words(t.Context(), "a.ogg", []byte("x"))
			if akitad.KindOf(err) != tt.want || time.Since(begin) != tt.took {
				t.Errorf("%T: %v after %s, want %s after %s", tt.via, err, time.Since(begin), tt.want, tt.took)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		begin := time.Now()
		if _, err := client(t, silent{}).Words(ctx, "a.ogg", []byte("x")); akitad.KindOf(err) != akitad.Cancelled || time.Since(begin) != time.Second {
			t.Errorf("ended: %v after %s", err, time.Since(begin))
		}
	})
}

func TestWhatIsNeverSent(t *testing.T) {
	s := &service{}
	for _, audio := range [][]byte{nil, bytes.Repeat([]byte("x"), transcribe.MaxAudio+1)} {
		if _, err := client(t, s).Words(t.Context(), "a.ogg", audio); akitad.KindOf(err) != akitad.InvalidRequest || len(s.got) != 0 {
			t.Errorf("%d bytes: %v, %d requests", len(audio), err, len(s.got))
		}
	}
	for _, o := range []transcribe.Options{{Model: "m"}, {BaseURL: "http://x"}, {BaseURL: "ftp://x", Model: "m"}, {BaseURL: "x", Model: "m"}} {
		_, err := transcribe.New(o)
		if e, ok := errors.AsType[*akitad.Error](err); !ok || e.Kind != akitad.InvalidRequest || e.Hint == "" {
			t.Errorf("New(%+v) = %v, want invalid_request with a hint", o, err)
		}
	}
}
