package llmtest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const script = `
rules:
  - role: planner
    turns:
      - text: "steps: []"
  - begins: count
    turns:
      - calls: [{tool: grep, args: {pattern: ERROR, limit: 3}}, {tool: time}]
      - text: "3 errors"
  - mode: always
    turns:
      - {status: 503}
faults:
  - {status: 429, retry_after: "1", times: 1}
`

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// start runs the program and gives its base URL once it listens.
func start(t *testing.T, args ...string) string {
	t.Helper()
	addr := filepath.Join(t.TempDir(), "addr")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- serve(ctx, append([]string{"-addr-file", addr}, args...), io.Discard) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
		if url, err := os.ReadFile(addr); err == nil {
			tick.Stop()
			return string(url)
		}
		if len(done) > 0 {
			t.Fatal(<-done)
		}
	}
}

func ask(t *testing.T, url, role, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Akita-Role", role)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Status + " " + resp.Header.Get("Retry-After") + " " + string(got)
}

func TestServeByAScriptFile(t *testing.T) {
	url := start(t, "-script", write(t, script), "-latency", "1ms")
	count := `{"messages":[{"role":"user","content":"count the errors"}]}`
	later := `{"messages":[{"role":"user","content":"count the errors"},{"role":"assistant","content":"x"}]}`
	for _, tt := range []struct{ role, body, says string }{
		{"main", count, "429 Too Many Requests 1 "},
		{"planner", count, "steps: []"},
		{"main", count, `"arguments":"{\"limit\":3,\"pattern\":\"ERROR\"}"`},
		{"main", count, `"name":"time","arguments":"{}"`},
		{"main", later, "3 errors"},
		{"main", `{"messages":[]}`, "503"},
	} {
		if got := ask(t, url, tt.role, tt.body); !strings.Contains(got, tt.says) {
			t.Errorf("%s %s: %s, want %q", tt.role, tt.body, got, tt.says)
		}
	}
}

func TestServeWithoutScript(t *testing.T) {
	if got := ask(t, start(t), "main", `{"messages":[]}`); !strings.Contains(got, `"content":"ok"`) {
		t.Error(got)
	}
}

func TestServeMainRefuses(t *testing.T) {
	for name, args := range map[string][]string{
		"no file":        {},
		"unknown flag":   {"-addr-file", "x", "-nope"},
		"extra argument": {"-addr-file", "x", "y"},
	} {
		if err := serve(t.Context(), args, io.Discard); !errors.Is(err, errUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if code := ServeMain(nil); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	for name, text := range map[string]string{
		"unknown key":  "rules: [{nope: 1}]",
		"unknown mode": "rules: [{mode: never, turns: [{text: x}]}]",
		"no turns":     "rules: [{role: main}]",
		"bad wait":     "rules: [{turns: [{wait: soon}]}]",
	} {
		err := serve(t.Context(), []string{"-addr-file", filepath.Join(t.TempDir(), "a"), "-script", write(t, text)}, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "script ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
