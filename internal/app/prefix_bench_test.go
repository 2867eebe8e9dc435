package app_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

const (
	prefixRounds = 50
	pageLines    = 240 // of a file, which a round reads: some 3,000 tokens, so that it is shown whole
)

// wireRequest is a request as a model's server sees it.
type wireRequest struct {
	Messages []json.RawMessage `json:"messages"`
	Tools    json.RawMessage   `json:"tools"`
}

// prefixes are what a server can say of the requests of long tasks.
type prefixes struct {
	rounds, kept, reduced, broken int // broken: the prefix changed and nothing on record says why
	bytes, again                  int // sent; of it what the request before began with
}

// BenchmarkPrefix runs tasks of 50 rounds, on a model with a window of 64,000 tokens, against a server that
// records every request: the share of rounds whose request begins with the one before it, of those where no
// reduction is on record; what a round sends; how often a window is reduced; and the share of bytes that a
// provider's cache holds already.
func BenchmarkPrefix(b *testing.B) {
	var sum prefixes
	tasks := 0
	for b.Loop() {
		sum = sum.plus(longTask(b, prefixRounds, 64_000))
		tasks++
	}
	free := sum.rounds - sum.reduced
	b.ReportMetric(100*float64(free-sum.broken)/float64(free), "%kept")
	b.ReportMetric(100*float64(sum.kept)/float64(sum.rounds), "%kept-of-all")
	b.ReportMetric(float64(sum.bytes)/1000/float64(sum.rounds), "KB/round")
	b.ReportMetric(float64(sum.reduced)/float64(tasks), "reductions")
	b.ReportMetric(100*float64(sum.again)/float64(sum.bytes), "%cached")
}

func (p prefixes) plus(q prefixes) prefixes {
	return prefixes{p.rounds + q.rounds, p.kept + q.kept, p.reduced + q.reduced, p.broken + q.broken, p.bytes + q.bytes, p.again + q.again}
}

// The prefix of a long task's prompt changes only where its journal says so, on the wire too.
func TestPrefixOnTheWire(t *testing.T) {
	got := longTask(t, 20, 40_000)
	if got.broken > 0 || got.reduced == 0 || got.kept != got.rounds-got.reduced {
		t.Errorf("of %d rounds %d keep the prefix, %d are reduced, %d changed for no reason on record", got.rounds, got.kept, got.reduced, got.broken)
	}
}

// longTask reads so many pages of a file, on models with a window of so many tokens, and compares what their
// server was sent.
func longTask(t testing.TB, rounds, tokens int) prefixes {
	t.Helper()
	script := llmtest.New(t).Always(llmtest.Role(llm.RoleSummarizer), llmtest.Text("progress: pages were read")).
		Always(llmtest.Any, llmtest.Do(reading(rounds)))
	server := llmtest.NewServer(t, script, llmtest.Options{})
	a := startParts(t, t.TempDir(), nil, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
		useModel(c, server.URL(), 4)
		c.Context.MaxTokens = tokens
		c.Budgets.InputTokens = 0 // none of what is sent is cached here
	})
	id := submit(t, a, akitad.TaskRequest{
		Text: "read the book", Budget: &akitad.Budget{Rounds: rounds + 1},
		Files: book(),
	})
	task := ended(t, a, id)
	if task.State != akitad.Completed || len(task.Rounds) != rounds {
		t.Fatalf("%s after %d rounds: %+v %+v", task.State, len(task.Rounds), task.Error, task.Result)
	}
	return compare(t, task, server.Seen())
}

// book is a file of as many pages as a long task has rounds.
func book() []akitad.InputFile {
	var b strings.Builder
	for i := range prefixRounds * pageLines {
		fmt.Fprintf(&b, "%05d a line of the book, about %d\n", i+1, i*7919%1000)
	}
	return []akitad.InputFile{{Name: "book.txt", Content: []byte(b.String())}}
}

// reading is a model that asks for one page after the other.
func reading(pages int) func(llm.Request) (llm.Reply, error) {
	return func(req llm.Request) (llm.Reply, error) {
		last := lastPage(req)
		if last == pages {
			return llm.Reply{Text: "read", Finish: llm.FinishStop}, nil
		}
		args := fmt.Sprintf(`{"path":"book.txt","offset":%d,"limit":%d}`, 1+last*pageLines, pageLines)
		call := akitad.Call{ID: fmt.Sprintf("page-%d", last+1), Tool: "read_file", Args: json.RawMessage(args)}
		return llm.Reply{Text: "The next page.", Calls: []akitad.Call{call}, Finish: llm.FinishCalls}, nil
	}
}

// lastPage gives the number of the newest call.
func lastPage(req llm.Request) (page int) {
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			if _, err := fmt.Sscanf(c.ID, "page-%d", &page); err != nil {
				return 0
			}
		}
	}
	return page
}

func compare(t testing.TB, task *journal.Task, seen []llmtest.Seen) (p prefixes) {
	t.Helper()
	reduced := map[int]bool{}
	for _, d := range task.Reduced {
		reduced[d.Rounds] = true
	}
	var before wireRequest
	for _, s := range slices.DeleteFunc(seen, func(s llmtest.Seen) bool { return s.Header.Get("X-Akita-Role") != string(llm.RoleMain) }) {
		var now wireRequest
		if err := json.Unmarshal(s.Body, &now); err != nil {
			t.Fatal(err)
		}
		same := common(before, now)
		p.bytes += len(s.Body)
		for _, m := range now.Messages[:same] {
			p.again += len(m)
		}
		switch {
		case before.Messages == nil:
		case same == len(before.Messages) && string(now.Tools) == string(before.Tools):
			p.rounds, p.kept, p.again = p.rounds+1, p.kept+1, p.again+len(now.Tools)
		case reduced[p.rounds+1]:
			p.rounds, p.reduced, p.again = p.rounds+1, p.reduced+1, p.again+len(now.Tools)
		default:
			p.rounds, p.broken = p.rounds+1, p.broken+1
		}
		before = now
	}
	return p
}

// common counts the messages that two requests begin with.
func common(a, b wireRequest) (n int) {
	for n < min(len(a.Messages), len(b.Messages)) && string(a.Messages[n]) == string(b.Messages[n]) {
		n++
	}
	return n
}
