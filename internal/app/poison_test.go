package app_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

// drillPoison is the variable that names a tool which kills its process when its arguments have the word poison.
const drillPoison = "DRILL_POISON"

// poisonous is such a tool.
type poisonous struct{ tool.Tool }

func (p poisonous) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	if strings.Contains(string(in.Args), "poison") {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		<-ctx.Done() // it takes effect in a moment
	}
	return p.Tool.Call(ctx, in)
}

// poisonAsTold makes a tool of the node poisonous.
func poisonAsTold(a *app.App) error {
	name := os.Getenv(drillPoison)
	if name == "" {
		return nil
	}
	return a.Exchange(func(t tool.Tool) tool.Tool {
		if t.Info().Name == name {
			return poisonous{t}
		}
		return t
	})
}

// poisoned is a flow whose step kills its process.
const poisoned = `goal: what kills
steps:
- {id: look, tool: list_directory, with: {path: poison}, on_error: skip}
- {id: tell, needs: [look], agent: assistant, goal: job t rounds=1}
`

// A call that changes nothing kills the process that makes it. After three of them it has failed: the agent sees it
// and goes on, the plan goes on without its step, and the owner is told.
func TestACallThatKillsItsProcess(t *testing.T) {
	seen := make(chan string, 10)
	m := modelOf(t, func(req llm.Request) (llm.Reply, error) {
		words, _ := llm.SplitBrief(lastWords(req))
		last := req.Messages[len(req.Messages)-1]
		switch {
		case !strings.Contains(words, "job q"):
			return drillModel{}.Generate(t.Context(), req)
		case len(last.Results) == 0:
			return llm.Reply{Finish: llm.FinishCalls, Calls: []akitad.Call{
				drillCall(0, 0, "list_directory", map[string]any{"path": "."}),
				drillCall(0, 1, "list_directory", map[string]any{"path": "poison"}),
			}}, nil
		}
		for _, r := range last.Results {
			seen <- r.Text
		}
		return llm.Reply{Text: "done q", Finish: llm.FinishStop}, nil
	})
	srv := telegramtest.Start(t, telegramtest.Options{})
	d := &appendDrill{t: t, srv: srv, p: newProcess(t, house, drillLLM+"="+m.URL(), drillChat+"="+srv.URL+" "+srv.Token, drillTTLs+"=1h", drillPoison+"=list_directory", drillOwner+"="+fmt.Sprint(anna))}
	d.all, d.at = []*process{d.p}, journalAt{dir: d.p.home()}
	d.prepare(poisoned)
	crashes := 0
	for crashes < 10 && d.live("") {
		crashes++
	}
	if crashes != 2*journal.MaxCut {
		t.Errorf("%d processes were killed, want %d", crashes, 2*journal.MaxCut)
	}
	if len(seen) != 2 || strings.Contains(<-seen, "error") || !strings.Contains(<-seen, "not made again") {
		t.Error("the agent did not see the result of the one call and the failure of the other")
	}
	told := 0
	for _, words := range d.chat() {
		if strings.HasPrefix(words, text.En.CallEnds("list_directory", "")[:60]) {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the owner was told %d times: %q", told, d.chat())
	}
}
