package app_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// gate lets requests of the model wait until a test opens it.
type gate struct {
	arrived chan llm.Request
	open    chan struct{}
	once    sync.Once
}

func newGate(t *testing.T) *gate {
	g := &gate{arrived: make(chan llm.Request, 100), open: make(chan struct{})}
	t.Cleanup(g.release)
	return g
}

func (g *gate) release() { g.once.Do(func() { close(g.open) }) }

// pass holds a request until the gate is open.
func (g *gate) pass(req llm.Request) {
	g.arrived <- req
	<-g.open
}

// next gives the next request that arrived at the gate.
func (g *gate) next(t *testing.T) llm.Request {
	t.Helper()
	select {
	case req := <-g.arrived:
		return req
	case <-time.After(patience):
		t.Fatal("no request came")
		return llm.Request{}
	}
}

// modelOf serves a model to processes.
func modelOf(t *testing.T, reply func(llm.Request) (llm.Reply, error)) *llmtest.Server {
	return llmtest.NewServer(t, llmtest.New(t).Always(llmtest.Any, llmtest.Do(reply)), llmtest.Options{})
}

// begin starts a process that is ended with the test.
func begin(t *testing.T, role string, env ...string) *process {
	t.Helper()
	p := newProcess(t, role, env...)
	t.Cleanup(p.discard)
	p.start()
	return p
}

// crashTTL is how long a claim lives here: long enough for a loaded machine to renew it in time.
const crashTTL = 4 * time.Second

// controlIn runs the orchestrator in this process, on the NATS server at url.
func controlIn(t *testing.T, url string) *app.App {
	t.Helper()
	return startParts(t, t.TempDir(), drillModel{}, app.Parts{Orchestrate: true}, func(c *config.Config) {
		c.NATS.URL, c.Claim.TTL, c.Claim.Renew = url, crashTTL, crashTTL/3
	})
}

// A worker process is stopped past its claim's time, and another one takes its task over and ends it.
// When the first goes on, nothing of it reaches the journal, and of the calls that it was to make none
// is begun any more, not even those of the round that was under way.
func TestAStoppedWorkerWritesNothing(t *testing.T) {
	for _, when := range []string{"it thinks", "it acts"} {
		t.Run(when, func(t *testing.T) {
			held := newGate(t)
			var one sync.Once
			m := modelOf(t, func(req llm.Request) (llm.Reply, error) {
				switch {
				case len(req.Messages) > 1:
					return llm.Reply{Text: "looked", Finish: llm.FinishStop}, nil
				case when == "it thinks":
					mine := false
					if one.Do(func() { mine = true }); mine {
						held.pass(req)
					}
				}
				return llm.Reply{Finish: llm.FinishCalls, Calls: []akitad.Call{
					drillCall(0, 0, "run_shell", map[string]any{"command": "echo one >> log; sleep 4"}),
					drillCall(0, 1, "write_file", map[string]any{"path": "log", "append": true, "content": "two\n"}),
				}}, nil
			})
			nats := bustest.Server(t)
			at := []string{drillLLM + "=" + m.URL(), drillNATS + "=" + nats, drillTTLs + "=" + crashTTL.String()}
			a := controlIn(t, nats)
			workers := []*process{begin(t, worker, at...), begin(t, worker, at...)}
			id := submit(t, a, akitad.TaskRequest{Text: "do it"})
			first, second := claimant(t, a, id, workers)
			if when == "it thinks" {
				held.next(t)
			} else {
				first.awaitLog(t)
			}
			first.signal(syscall.SIGSTOP)
			got := ended(t, a, id)
			if got.Claim.Node != second.node || got.State != akitad.Completed {
				t.Fatalf("%s by %s: %+v", got.State, got.Claim.Node, got.Error)
			}
			held.release()
			first.signal(syscall.SIGCONT)
			first.end(syscall.SIGTERM)
			nothingBy(t, a, id, first.node)
			if log := first.log(); strings.Contains(log, "two") || when == "it thinks" && log != "" {
				t.Errorf("the worker whose claim is gone wrote %q", log)
			}
		})
	}
}

// claimant waits until one of two workers has the task.
func claimant(t *testing.T, a *app.App, id akitad.TaskID, of []*process) (first, second *process) {
	t.Helper()
	got := until(t, a, id, func(t *journal.Task) bool {
		return t.State == akitad.Running && (t.Claim.Node == of[0].node || t.Claim.Node == of[1].node)
	})
	if got.Claim.Node == of[0].node {
		return of[0], of[1]
	}
	return of[1], of[0]
}

// log is what the worker's tasks wrote into the file of that name.
func (p *process) log() string {
	files, _ := filepath.Glob(filepath.Join(config.Layout(p.home()).Files, "*", "log"))
	var all strings.Builder
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			p.t.Fatal(err)
		}
		all.Write(body)
	}
	return all.String()
}

func (p *process) awaitLog(t *testing.T) {
	t.Helper()
	for began := time.Now(); p.log() == ""; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatal("the worker does not act")
		}
	}
}

// nothingBy checks that a node's last word in a journal stands before the last claim.
func nothingBy(t *testing.T, a *app.App, id akitad.TaskID, node string) {
	t.Helper()
	var events []akitad.Event
	if err := a.Journal.Events(t.Context(), id, 0, func(e akitad.Event) error { events = append(events, e); return nil }); err != nil {
		t.Fatal(err)
	}
	for i, claims := len(events)-1, 0; i >= 0 && claims == 0; i-- {
		if events[i].By == node {
			t.Errorf("event %d (%s) is by the worker whose claim was gone", i, events[i].Kind)
		}
		if events[i].Kind == journal.Claimed {
			claims++
		}
	}
}

// A daemon is killed while a delegated task of it runs. Started again it takes its own claims over at
// once and not after their time, which is an hour here; the parent gets the child's result once,
// and the person one answer.
func TestKilledWhileAChildRuns(t *testing.T) {
	held := newGate(t)
	var mu sync.Mutex
	var last llm.Request // of the parent
	m := modelOf(t, func(req llm.Request) (llm.Reply, error) {
		words, _ := llm.SplitBrief(lastWords(req))
		if strings.HasPrefix(words, "job p-0") {
			held.pass(req)
		} else {
			mu.Lock()
			last = req
			mu.Unlock()
		}
		return drillModel{}.Generate(t.Context(), req)
	})
	chat := telegramtest.Start(t, telegramtest.Options{})
	h := begin(t, house, drillLLM+"="+m.URL(), drillChat+"="+chat.URL+" "+chat.Token, drillTTLs+"=1h")
	chat.Say(anna, 0, "job p rounds=2 split=1", telegramtest.Said{})
	held.next(t)
	killed := h.end(syscall.SIGKILL)
	h.start()
	held.next(t)
	t.Logf("%s from the kill to the child's next request", time.Since(killed).Round(time.Millisecond))
	held.release()
	answeredOnce(t, chat, "done p")
	mu.Lock()
	defer mu.Unlock()
	if n := results(last, "done p-0"); n != 1 {
		t.Errorf("the parent's model saw the child's result %d times", n)
	}
}

// results counts the results of calls that say text.
func results(req llm.Request, text string) (n int) {
	for _, m := range req.Messages {
		for _, r := range m.Results {
			if strings.Contains(r.Text, text) {
				n++
			}
		}
	}
	return n
}

// answeredOnce waits for an answer in anna's chat; it must be the only one.
func answeredOnce(t *testing.T, chat *telegramtest.Server, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	d := &drill{srv: chat}
	if err := chat.Wait(ctx, func() bool { return len(d.answers(anna)) > 0 }); err != nil {
		t.Fatalf("no answer: %v", err)
	}
	if got := fmt.Sprint(d.answers(anna)); got != "["+text+"]" {
		t.Errorf("the answers are %s, want %s alone", got, text)
	}
}

// A child ends while nobody is there to tell its parent: the daemon is gone. The result is in the
// journal, and is handed on once when the daemon is back, although the chat service fails three times.
func TestAResultThatNobodyCouldAnnounce(t *testing.T) {
	held := newGate(t)
	m := modelOf(t, func(req llm.Request) (llm.Reply, error) {
		if words, _ := llm.SplitBrief(lastWords(req)); strings.HasPrefix(words, "job p-0") {
			held.pass(req)
		}
		return drillModel{}.Generate(t.Context(), req)
	})
	chat := telegramtest.Start(t, telegramtest.Options{})
	nats := bustest.Server(t)
	at := []string{drillLLM + "=" + m.URL(), drillNATS + "=" + nats, drillTTLs + "=" + crashTTL.String()}
	c := begin(t, control, append(at, drillChat+"="+chat.URL+" "+chat.Token)...)
	begin(t, worker, at...)
	chat.Say(anna, 0, "job p rounds=2 split=1", telegramtest.Said{})
	child := held.next(t).Task
	c.end(syscall.SIGKILL)
	held.release()
	j := journal.New(bustest.Open(t, bus.Options{URL: nats, ClaimTTL: crashTTL}), "test")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	got, err := j.Wait(ctx, child, (*journal.Task).Final)
	if err != nil {
		t.Fatal(err)
	}
	parent, err := j.Load(t.Context(), got.Sub.Parent)
	if err != nil || parent.State != akitad.Waiting || parent.Children[0].Done {
		t.Fatalf("the parent is %s (%v)", parent.State, err)
	}
	chat.Fail(telegramtest.Fault{Method: "editMessageText", Code: http.StatusBadGateway, Times: 3})
	c.start()
	answeredOnce(t, chat, "done p")
	told := 0
	if err := j.Events(t.Context(), parent.ID, 0, func(e akitad.Event) error {
		if e.Kind == journal.ChildDone {
			told++
		}
		return nil
	}); err != nil || told != 1 {
		t.Errorf("the parent was told %d times (%v)", told, err)
	}
}
