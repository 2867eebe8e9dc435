package app_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// manyKinds is a flow whose steps are of each kind, and of each that is begun again or only once.
const manyKinds = `goal: what crashes may cut off again and again
steps:
- {id: note, tool: run_shell, with: {command: "echo note >> effects-note.txt"}, on_error: skip}
- {id: once, tool: write_file, with: {path: effects-once.txt, append: true, content: "once\n"}, idempotency_key: once, on_error: skip}
- {id: say, model: main, prompt: job m rounds=0}
- {id: work, agent: assistant, goal: job w rounds=2 split=2}
- {id: each, needs: [note, once], for_each: "[a, b]", agent: assistant, goal: "job e-${{ item }} rounds=2 shell=2"}
- {id: checked, needs: [each], agent: assistant, goal: job c rounds=1, verify: "test -s effects-c.txt"}
- {id: tell, needs: [say, work, checked], agent: assistant, goal: job t rounds=1}
`

// askedFor counts what a model was asked: a job, after so many of its rounds.
type askedFor struct {
	mu    sync.Mutex
	times map[string]int
}

func (a *askedFor) count(req llm.Request) {
	words, _ := llm.SplitBrief(lastWords(req))
	n := 0
	for _, m := range req.Messages {
		if m.Speaker == llm.Assistant && len(m.Calls) > 0 {
			n++
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.times[fmt.Sprintf("%s after %d", strings.Fields(words + " job ?")[1], n)]++
}

// take gives what was counted and begins anew.
func (a *askedFor) take() map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	times := a.times
	a.times = map[string]int{}
	return times
}

// tasksOf counts the tasks of each job: attempts of a step are tasks of their own.
func (d *appendDrill) tasksOf() map[string]int {
	d.t.Helper()
	b := bustest.Open(d.t, bus.Options{Dir: dataOf(d.at.dir), URL: d.at.url, ClaimTTL: drillTTL})
	defer func() { _ = b.Close(d.t.Context()) }()
	n, j := map[string]int{}, journal.New(b, "judge")
	for _, id := range (&drill{t: d.t}).tasks(b) {
		task, err := j.Load(d.t.Context(), id)
		if err != nil {
			d.t.Fatal(err)
		}
		n[strings.Fields(task.Sub.Text + " job ?")[1]]++
	}
	return n
}

// noMoreThan checks that the model was asked nothing that it is not asked without a crash, and nothing oftener
// than each task of the job and each crash explain.
func (d *appendDrill) noMoreThan(usual, got map[string]int, crashes int, name string) {
	d.t.Helper()
	tasks := d.tasksOf()
	for what, n := range got {
		job, _, _ := strings.Cut(what, " ")
		if most := tasks[job] + crashes; usual[what] == 0 || n > most {
			d.t.Errorf("%s: the model was asked %q %d times, without a crash %d times, and %d are explained", name, what, n, usual[what], most)
		}
	}
}

// again gives when the processes after a crash are killed: at the same append once more, or just after it.
func again(rng *rand.Rand, first int) string {
	kill := fmt.Sprint(" ", int(syscall.SIGKILL), " ")
	switch n := rng.IntN(4); {
	case n == 0:
		return fmt.Sprint(1+rng.IntN(8), " ", []string{"before", "after"}[rng.IntN(2)], kill, everyAppend)
	case first%2 == 0 && n < 3: // the append has not come about yet
		return "1 before" + kill + sameAppend
	case n == 1:
		return "1 after" + kill + sameTask
	}
	return "1 before" + kill + pastClaim
}

// A house is killed at an append, and the next two processes when they come to it again, or just after it: what one
// crash leaves behind the next one finds, and must not take for what the task has come to. Few of these
// moments are drawn in a test run, all in a drill.
func TestDrillKilledThrice(t *testing.T) {
	asked := &askedFor{times: map[string]int{}}
	m := modelOf(t, func(req llm.Request) (llm.Reply, error) {
		asked.count(req)
		return askingModel(t.Context(), req)
	})
	whole := newAppendDrill(t, m.URL(), manyKinds)
	whole.live("")
	events := whole.judge("no crash")
	usual := asked.take()
	if t.Failed() {
		return
	}
	draws := min(envInt("AKITA_DRILL_KILLS", 3), 2*events)
	seed := envInt("SEED", int(time.Now().UnixNano()%1e6))
	t.Logf("%d events, %d times three kills, SEED=%d", events, draws, seed)
	for i := range draws {
		first := (seed + i*2*events/draws) % (2 * events)
		next := again(rand.New(rand.NewPCG(uint64(seed), uint64(first))), first)
		name := momentOf(first, syscall.SIGKILL) + ", then " + next
		d := newAppendDrill(t, m.URL(), manyKinds)
		crashes := 0
		for _, moment := range []string{momentOf(first, syscall.SIGKILL), next, next, ""} {
			if moment != "" && d.answered() {
				moment = "" // nothing is left to be killed at
			}
			if !d.live(moment) {
				break
			}
			crashes++
		}
		d.judge(name)
		d.saidOnce(name, crashes)
		d.noMoreThan(usual, asked.take(), crashes, fmt.Sprint(name, ", ", crashes, " crashes"))
	}
}
