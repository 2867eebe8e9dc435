package app_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// Every time that bounds a model call is the owner's to set, and what says that it is over names the key.
func TestTimesOfModelCallsAreFollowed(t *testing.T) {
	answers := func(f llmtest.Fault) string {
		s := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, llmtest.Text("one two three")), llmtest.Options{})
		s.Always(f)
		return s.URL()
	}
	mute, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and never says hello
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mute.Close() })
	for _, protocol := range []string{"openai", "anthropic", "gemini"} {
		for _, tt := range []struct{ url, set, problem, raise string }{
			{"https://" + mute.Addr().String() + "/v1", "connect: 300ms", "no connection within 300ms", "connect"},
			{answers(llmtest.Hang()), "first_byte: 300ms", "no answer within 300ms", "first_byte"},
			{answers(llmtest.HangAfter(1)), "idle: 300ms", "nothing within 300ms", "idle"},
			{answers(llmtest.Hang()), "whole: 300ms, stream: off", "no complete answer within 300ms", "whole"},
		} {
			url := strings.TrimSuffix(tt.url, "/v1")
			if protocol == "openai" {
				url += "/v1"
			}
			home := t.TempDir()
			text := "endpoints: [{name: a, protocol: " + protocol + ", model: m, api_key: sk-test-0123456789abcdef, base_url: '" + url + "', " + tt.set + "}]\n"
			if err := os.WriteFile(filepath.Join(home, config.FileName), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cfg, err := config.Load(home, nil)
			if err != nil {
				t.Fatal(err)
			}
			tried, err := app.TryModels(t.Context(), cfg)
			if err != nil || tried[0].Kind != akitad.Timeout || !strings.Contains(tried[0].Problem, tt.problem) || !strings.HasSuffix(tried[0].Hint, "raise "+tt.raise+" of this endpoint") {
				t.Errorf("%s, %s: %+v, %v", protocol, tt.set, tried[0].Probe, err)
			}
		}
	}
}
