package app_test

import (
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	remembered "github.com/akitad/akitad/memory"
	"github.com/akitad/akitad/tracing"
)

// withServers makes a house whose endpoints are these servers in order, and then the offline engine.
func withServers(t *testing.T, offline string, urls ...string) *app.App {
	return startParts(t, t.TempDir(), nil, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
		c.Offline = offline
		c.Endpoints, c.Roles = nil, config.Roles{}
		var names []string
		for i, url := range urls {
			name := string(rune('a' + i))
			names = append(names, name)
			c.Endpoints = append(c.Endpoints, config.Endpoint{Name: name, Protocol: "openai", BaseURL: url, APIKey: config.NewSecret("sk-test-0123456789abcdef"), Model: "m"})
		}
		c.Endpoints = append(c.Endpoints, config.Endpoint{Name: "offline", Protocol: "offline"})
		names = append(names, "offline")
		c.Roles = config.Roles{Main: names, Compiler: names, Planner: names, Summarizer: names, Judge: names}
	})
}

func answering(t *testing.T, text string) *llmtest.Server {
	return llmtest.NewServer(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text(text)), llmtest.Options{})
}

// nobody gives an address where nothing listens.
func nobody(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/v1"
}

const countQuestion = "How many lines of a.log contain ERROR?"

var countFile = []akitad.InputFile{{Name: "a.log", Content: []byte("2026-11-30T10:00:00Z INFO a\n2026-11-30T10:00:01Z ERROR b\n2026-11-30T10:00:02Z ERROR c\n")}}

func TestFallbackAcrossEndpoints(t *testing.T) {
	for _, tt := range []struct {
		name     string
		urls     func(t *testing.T) []string
		text     string // the answer contains this
		last     string // and its last line this; "" means that it says nothing of a fallback
		degraded []string
		kind     akitad.Kind
	}{
		{name: "503 twice, then it works: not degraded", text: "from a", urls: func(t *testing.T) []string {
			return []string{answering(t, "from a").Next(llmtest.Status(503, "busy"), llmtest.Status(503, "busy")).URL()}
		}},
		{name: "503 for ever: the next endpoint", text: "from b", last: "b", degraded: []string{"a>b"}, kind: akitad.Overloaded, urls: func(t *testing.T) []string {
			return []string{answering(t, "from a").Always(llmtest.Status(503, "busy")).URL(), answering(t, "from b").URL()}
		}},
		{name: "401: no second try, the next endpoint", text: "from b", last: "b", degraded: []string{"a>b"}, kind: akitad.Auth, urls: func(t *testing.T) []string {
			return []string{answering(t, "from a").Always(llmtest.Status(401, "bad key")).URL(), answering(t, "from b").URL()}
		}},
		{name: "refused everywhere: the offline engine", text: "2", last: "offline", degraded: []string{"a>offline"}, kind: akitad.Transport, urls: func(t *testing.T) []string {
			return []string{nobody(t)}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := withServers(t, "answer", tt.urls(t)...)
			id := submit(t, a, akitad.TaskRequest{Text: countQuestion, Files: countFile})
			got := ended(t, a, id)
			if got.State != akitad.Completed || !strings.Contains(got.Result.Text, tt.text) {
				t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
			}
			var chain []string
			for _, d := range got.Result.Degraded {
				if step := d.From + ">" + d.To; !slices.Contains(chain, step) {
					chain = append(chain, step)
				}
				if d.Kind != tt.kind {
					t.Errorf("degraded by %s, want %s", d.Kind, tt.kind)
				}
			}
			if !slices.Equal(chain, tt.degraded) {
				t.Errorf("degraded %v, want %v", chain, tt.degraded)
			}
			lines := strings.Split(strings.TrimSpace(got.Result.Text), "\n")
			if tt.last != "" && (len(lines) < 2 || !strings.Contains(lines[len(lines)-1], tt.last)) {
				t.Errorf("the last line does not say what was done instead: %q", got.Result.Text)
			}
			errors := 0
			for _, s := range spansOf(t, a, id) {
				if s.Kind == akitad.SpanLLM && s.Status == tracing.StatusError {
					errors++
				}
			}
			if errors == 0 {
				t.Error("no LLM span has status ERROR")
			}
		})
	}
}

// What the person asked is answered from memory when no endpoint can, also where the offline engine may
// not answer, in their language and saying so; and when it is forced although one could.
func TestAnsweredFromMemory(t *testing.T) {
	for _, tt := range []struct{ name, offline, force, text, want, note string }{
		{"no endpoint", "answer", "", "Which desk is mine?", "12-B", "what I remember, without a model"},
		{"no endpoint and hold", "hold", "", "Can you tell me where my desk is?", "12-B", "what I remember, without a model"},
		{"Chinese", "hold", "", "我的生日是哪天？", "5月4日", "只凭记忆回答，没有用模型"},
		{"forced", "answer", llm.StrategyMemory, "Which desk is mine?", "12-B", "a was not asked, as is set, so this is what I remember, without a model"},
		{"forced in Chinese", "answer", llm.StrategyMemory, "我的生日是哪天？", "5月4日", "按设置没有使用"},
		{"forced, not known", "answer", llm.StrategyMemory, "Which train is mine?", "I remember nothing about this.", "what I remember, without a model"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url := nobody(t)
			if tt.force != "" {
				url = answering(t, "from a").URL()
			}
			a := withServers(t, tt.offline, url)
			for _, text := range []string{"My desk is number 12-B", "我的生日是5月4日"} {
				if _, err := a.Memory.Remember(t.Context(), remembered.Entry{Text: text}); err != nil {
					t.Fatal(err)
				}
			}
			if tt.force != "" {
				if err := a.Controls.Force(t.Context(), tt.force); err != nil {
					t.Fatal(err)
				}
				awaitStrategy(t, a, tt.force)
			}
			got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: tt.text}))
			if got.State != akitad.Completed || !strings.Contains(got.Result.Text, tt.want) {
				t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
			}
			if lines := strings.Split(strings.TrimSpace(got.Result.Text), "\n"); !strings.Contains(lines[len(lines)-1], tt.note) {
				t.Errorf("it does not say that this is from memory: %q", got.Result.Text)
			}
		})
	}
}

// awaitStrategy returns once the models of a house follow a strategy that is forced.
func awaitStrategy(t *testing.T, a *app.App, want string) {
	t.Helper()
	for began := time.Now(); a.Router.Strategy() != want; runtime.Gosched() {
		if time.Since(began) > patience {
			t.Fatalf("the strategy is %q", a.Router.Strategy())
		}
	}
}

// With nobody to answer and offline: hold, the task waits for its endpoints, says so once, and goes
// on when one is back.
func TestHoldUntilAnEndpointIsBack(t *testing.T) {
	server := answering(t, "back again").Always(llmtest.Status(503, "busy"))
	a := withServers(t, "hold", server.URL())
	id := submit(t, a, akitad.TaskRequest{Text: countQuestion, Files: countFile})
	held := until(t, a, id, func(t *journal.Task) bool { return t.State == akitad.Waiting || t.Final() })
	if held.Reason != akitad.ReasonRetry || held.Until == nil || held.WaitNote == "" {
		t.Fatalf("%s (%s), until %v, note %q, error %+v", held.State, held.Reason, held.Until, held.WaitNote, held.Error)
	}
	server.Always()
	// Rather than let the test wait for half a minute, wake the task as its timer would.
	if err := a.Journal.Decide(t.Context(), held, func(*journal.Task) *journal.Decision {
		return &journal.Decision{Kind: journal.Woken, Data: journal.WokenData{Reason: "test"}}
	}); err != nil {
		t.Fatal(err)
	}
	if got := ended(t, a, id); got.State != akitad.Completed || !strings.Contains(got.Result.Text, "back again") {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
}

// A Chinese question gets the last line in Chinese.
func TestFallbackSpeaksThePersonsLanguage(t *testing.T) {
	a := withServers(t, "answer", nobody(t))
	start := time.Now()
	got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "a.log 里有多少行包含 ERROR？", Files: countFile}))
	if got.Result == nil || !strings.Contains(got.Result.Text, "2") {
		t.Fatalf("%s %+v %+v after %s", got.State, got.Result, got.Error, time.Since(start))
	}
	lines := strings.Split(strings.TrimSpace(got.Result.Text), "\n")
	if !strings.ContainsAny(lines[len(lines)-1], "的未了改由离线") {
		t.Errorf("last line %q", lines[len(lines)-1])
	}
}
