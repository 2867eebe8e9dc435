package pool_test

import (
	"slices"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/pool"
)

// A task is told of the files that the tasks it follows were given or wrote, and of its own; those of a
// conversation that it does not follow lie in the same folder and are only counted.
func TestFilesOfTheConversation(t *testing.T) {
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("done"))
	h := newHouse(t, script).run(pool.WorkerOptions{})
	see := func(name string, sub journal.SubmittedData, files, sent []string, others int) akitad.TaskID {
		t.Helper()
		sub.Text = name
		got := h.do(name, sub)
		if got.State != akitad.Completed {
			t.Fatalf("%s: %s %+v", name, got.State, got.Error)
		}
		b := lastBrief(script.Requests())
		var names []string
		for _, f := range b.Files {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, files) || !slices.Equal(b.Sent, sent) || b.Others != others {
			t.Errorf("%s is told of %v, sent %v, others %d", name, names, b.Sent, b.Others)
		}
		return got.ID
	}
	first := see("first", journal.SubmittedData{Files: []akitad.File{h.artifact("sales.csv", "1", "ro")}}, []string{"sales.csv"}, []string{"sales.csv"}, 0)
	see("second", journal.SubmittedData{Follows: first, Files: []akitad.File{h.artifact("more.csv", "2", "ro")}}, []string{"more.csv", "sales.csv"}, []string{"more.csv"}, 0)
	anew := see("anew", journal.SubmittedData{Files: []akitad.File{h.artifact("many.csv", "3", "ro")}}, []string{"many.csv"}, []string{"many.csv"}, 2)
	see("goes on", journal.SubmittedData{Follows: anew}, []string{"many.csv"}, nil, 2)
	see("nothing yet", journal.SubmittedData{}, nil, nil, 3)
}

// lastBrief is the newest brief of the last request.
func lastBrief(reqs []llm.Request) llm.Brief {
	for _, m := range slices.Backward(reqs[len(reqs)-1].Messages) {
		if words, b := llm.SplitBrief(m.Text); words != m.Text {
			return b
		}
	}
	return llm.Brief{}
}
