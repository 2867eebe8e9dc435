package client_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// home makes a home whose daemon is the handler.
func home(t *testing.T, h http.Handler) (config.Paths, *httptest.Server) {
	t.Helper()
	path := config.Layout(t.TempDir())
	if err := config.EnsureHome(path.Home); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	listen(t, path, s.URL)
	return path, s
}

// listen writes where the daemon is.
func listen(t *testing.T, path config.Paths, url string) {
	t.Helper()
	body, err := json.Marshal(client.Daemon{PID: 1, URL: url})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path.Daemon, body, 0o600); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, path config.Paths) *client.Client {
	t.Helper()
	c, err := client.ForHome(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestNoDaemon(t *testing.T) {
	path, server := home(t, http.NotFoundHandler())
	c := open(t, path)
	server.Close()
	_, gone := c.Submit(t.Context(), akitad.TaskRequest{Text: "x"})
	if err := os.WriteFile(path.Daemon, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, broken := client.ForHome(path)
	_, none := client.ForHome(config.Layout(filepath.Join(t.TempDir(), "nosuch")))
	for name, err := range map[string]error{"stopped": gone, "broken file": broken, "no file": none} {
		e, ok := errors.AsType[*akitad.Error](err)
		if !ok || e.Kind != akitad.Unavailable || !errors.Is(err, client.ErrNoDaemon) || !strings.Contains(e.Hint, "akitad serve") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProblemsBecomeErrors(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		kind   akitad.Kind
		text   string
		hint   string
	}{
		{422, `{"code":"invalid_request","detail":"the text is empty","hint":"say it"}`, akitad.InvalidRequest, "the text is empty", "say it"},
		{422, `{"code":"invalid_request","detail":"a; b","errors":["a","b"]}`, akitad.InvalidRequest, "a; b", ""},
		{422, `{"code":"invalid_request","detail":"several","errors":["a","b"]}`, akitad.InvalidRequest, "several: a; b", ""},
		{401, `{"code":"unauthorized","detail":"no"}`, akitad.PermissionDenied, "no", ""},
		{413, `{"code":"too_large","detail":"big"}`, akitad.InvalidRequest, "big", ""},
		{503, `{"code":"disk_low","detail":"full"}`, akitad.Overloaded, "full", ""},
		{404, `{"code":"no_route","detail":"none"}`, akitad.NotFound, "none", ""},
		{418, `{"code":"teapot","detail":"short"}`, akitad.Unknown, "short", ""},
		{502, `<html>`, akitad.Unknown, "502", ""},
	} {
		path, _ := home(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(tt.status)
			fmt.Fprint(w, tt.body)
		}))
		_, err := open(t, path).Task(t.Context(), "t_aaaaaaaaaaaaaaaaaaaaaaaa")
		e, ok := errors.AsType[*akitad.Error](err)
		if !ok || e.Kind != tt.kind || !strings.Contains(err.Error(), tt.text) || e.Hint != tt.hint {
			t.Errorf("%d %s: %v (%s)", tt.status, tt.body, err, akitad.KindOf(err))
		}
	}
}

// The token goes to the daemon and nowhere else, also if that sends the client away.
func TestTokenStaysHere(t *testing.T) {
	var leaked atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { leaked.Store(true) }))
	defer elsewhere.Close()
	var given string
	path, _ := home(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given = r.Header.Get("Authorization")
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	c := open(t, path)
	_, err := c.Submit(t.Context(), akitad.TaskRequest{Text: "x"})
	token, terr := config.AdminToken(path.Token)
	if terr != nil || err == nil || given != "Bearer "+token.Reveal() || leaked.Load() {
		t.Errorf("given %q, leaked %v (%v, %v)", given, leaked.Load(), err, terr)
	}
}

// events is a daemon whose event stream breaks off after each event.
func events(kinds []string, asked *[]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last := r.Header.Get("Last-Event-ID")
		*asked = append(*asked, last)
		var seq int
		if last != "" {
			if _, err := fmt.Sscan(last, &seq); err != nil {
				panic(err)
			}
		}
		if seq >= len(kinds) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, ": a comment\n\nevent: live\ndata: {\"text\":\"…\"}\n\nid: %d\nevent: %s\ndata: {\"seq\":%d,\"kind\":%q}\n\n", seq+1, kinds[seq], seq+1, kinds[seq])
	})
}

func TestFollowGoesOnWhereItStood(t *testing.T) {
	var asked, got []string
	kinds := []string{"submitted", "round", "completed"}
	path, _ := home(t, events(kinds, &asked))
	live := 0
	err := open(t, path).Watch(t.Context(), "t_aaaaaaaaaaaaaaaaaaaaaaaa", 0, func(e akitad.Event) bool {
		got = append(got, string(e.Kind))
		return true
	}, func(string) { live++ })
	if err != nil || !slices.Equal(got, kinds) || !slices.Equal(asked, []string{"", "1", "2"}) || live != 3 {
		t.Errorf("got %v, asked from %q, %d live (%v)", got, asked, live, err)
	}
}

func TestFollowEnds(t *testing.T) {
	var asked []string
	path, _ := home(t, events([]string{"submitted", "round"}, &asked))
	c := open(t, path)
	calls := 0
	if err := c.Follow(t.Context(), "t_aaaaaaaaaaaaaaaaaaaaaaaa", 0, func(akitad.Event) bool { calls++; return false }); err != nil || calls != 1 {
		t.Errorf("when the reader has enough: %d events (%v)", calls, err)
	}
	if err := c.Follow(t.Context(), "t_aaaaaaaaaaaaaaaaaaaaaaaa", 9, func(akitad.Event) bool { calls++; return true }); err != nil || calls != 1 {
		t.Errorf("after the end: %d events (%v)", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := c.Follow(ctx, "t_aaaaaaaaaaaaaaaaaaaaaaaa", 0, func(akitad.Event) bool { cancel(); return true })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("when the caller gives up: %v", err)
	}
}

func TestFollowTellsProblems(t *testing.T) {
	path, _ := home(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"code":"not_found","detail":"there is no task"}`)
	}))
	err := open(t, path).Follow(t.Context(), "t_aaaaaaaaaaaaaaaaaaaaaaaa", 0, func(akitad.Event) bool { return true })
	if akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("%v", err)
	}
}

// A daemon that was started again listens at another address; a reader is told that it is gone, and finds it there.
func TestFollowFindsTheNewAddress(t *testing.T) {
	var asked []string
	path, first := home(t, http.NotFoundHandler())
	c := open(t, path)
	first.Close()
	second := httptest.NewServer(events([]string{"completed"}, &asked))
	defer second.Close()
	lost := 0
	c.Lost = func(err error) {
		lost++
		listen(t, path, second.URL)
	}
	got := 0
	if err := c.Follow(t.Context(), "t_aaaaaaaaaaaaaaaaaaaaaaaa", 0, func(akitad.Event) bool { got++; return true }); err != nil || got != 1 || lost != 1 || c.URL() != second.URL {
		t.Errorf("%d events at %s, lost %d times (%v)", got, c.URL(), lost, err)
	}
}

func TestPinnedCertificate(t *testing.T) {
	path := config.Layout(t.TempDir())
	if err := config.EnsureHome(path.Home); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"ready":true}`) }))
	s.Config.ErrorLog = nil
	t.Cleanup(s.Close)
	for _, tt := range []struct {
		cert string
		want bool
	}{{pemOf(t, s.Certificate().Raw), true}, {pemOf(t, []byte("another")), false}} {
		body, err := json.Marshal(client.Daemon{URL: s.URL, Cert: tt.cert})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path.Daemon, body, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := open(t, path).Ready(t.Context()); (err == nil) != tt.want {
			t.Errorf("with %s: %v", tt.cert, err)
		}
	}
}

func pemOf(t *testing.T, raw []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cert.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
