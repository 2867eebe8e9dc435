package agent_test

import (
	"fmt"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/tool"
)

// BenchmarkResume is the last call of a task with so many rounds of 8 calls, as another process takes
// it up: all of its rounds are looked at anew.
func BenchmarkResume(b *testing.B) {
	for _, rounds := range []int{1, 60} {
		b.Run(fmt.Sprint(rounds, " rounds"), func(b *testing.B) {
			look := count("look", safe)
			reg, err := tool.NewRegistry(look)
			if err != nil {
				b.Fatal(err)
			}
			book := newBook(b, journal.SubmittedData{Text: "go"})
			for i := range rounds {
				var d journal.ThoughtData
				var done journal.RoundData
				for j := range 8 {
					id := fmt.Sprint(i, "-", j)
					d.Calls = append(d.Calls, call(id, "look", id))
					done.Results = append(done.Results, akitad.Observation{Call: id, Tool: "look", Text: "look " + id})
				}
				book.add(book.Snapshot().Epoch, journal.Thought, d)
				book.add(book.Snapshot().Epoch, journal.Round, done)
			}
			model := &circler{last: "done"}
			a := agent.New(agent.Options{Model: model, Tools: reg})
			turn := agent.Turn{Tools: []tool.Tool{look}, Rounds: rounds}
			for b.Loop() {
				model.asked = nil
				if out, err := a.Run(b.Context(), turn, book); err != nil || out.Result == nil {
					b.Fatal(err)
				}
			}
		})
	}
}
