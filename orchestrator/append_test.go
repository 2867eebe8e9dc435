package orchestrator_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/orchestrator"
)

// everything is a plan whose steps are of each kind.
const everything = `steps:
- {id: note, tool: write_file, with: {path: note.txt, content: "note\n", append: true}}
- {id: work, agent: assistant, goal: delegate it}
- {id: tell, needs: [note, work], agent: assistant, goal: write it}
`

// appendingModel does what a goal says; what it replies is a function of the request alone.
func appendingModel(t *testing.T) *llmtest.Script {
	write := func(name string) llmtest.Turn {
		return llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": name, "content": name + "\n", "append": true}))
	}
	end := submitResult(map[string]any{"text": "did it"})
	return llmtest.New(t).
		Rounds(llmtest.Begins("delegate it"), llmtest.Calls(
			llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "part one"}),
			llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "part two"})), end).
		Rounds(llmtest.Begins("part one"), write("one"), end).
		Rounds(llmtest.Begins("part two"), write("two"), end).
		Rounds(llmtest.Begins("write it"), write("tell"), end).
		Rounds(llmtest.Begins("ask me"), llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Which?"})), write("asked"), llmtest.Text("done")).
		Always(llmtest.Any, llmtest.Text("done"))
}

// overheard is a house that calls do at each append of a tree of tasks.
type overheard struct {
	*house
	by *house // to whom the person talks
	mu sync.Mutex
	do func(e akitad.Event, stored bool)
}

func startOverheard(t *testing.T, model llm.Provider, parts app.Parts) *overheard {
	t.Helper()
	return startOverheardAt(t, "", model, parts)
}

// startOverheardAt starts it on the NATS server at url, or on its own.
func startOverheardAt(t *testing.T, url string, model llm.Provider, parts app.Parts) *overheard {
	t.Helper()
	w := &overheard{}
	cfg, err := config.Load(t.TempDir(), nil)
	ok(t, err)
	cfg.NATS.URL = url
	cfg.Compiler, cfg.Queue, cfg.Stop.Grace = "twin", "steer", time.Second
	cfg.Claim.Renew, cfg.Claim.TTL = 3*patience, 10*patience
	a, err := app.New(t.Context(), cfg, app.Options{Parts: parts, Model: model})
	ok(t, err)
	a.Journal.Around = func(e akitad.Event, stored bool) {
		w.mu.Lock()
		do := w.do
		w.mu.Unlock()
		if do != nil {
			do(e, stored)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		ok(t, errors.Join(<-ran, a.Close(context.Background())))
	})
	w.house = &house{a, t, stop}
	w.by = w.house
	return w
}

// at has fn called once, at the n-th moment of the appends to come: twice the number of the append, and one
// less before it is stored. What fn appends itself is no such moment. It gives how many moments there were so far.
func (w *overheard) at(n int, fn func(e akitad.Event)) (seen func() int) {
	var mu sync.Mutex
	count, busy := 0, false
	w.mu.Lock()
	defer w.mu.Unlock()
	w.do = func(e akitad.Event, _ bool) {
		mu.Lock()
		if busy {
			mu.Unlock()
			return
		}
		count++
		mine := count == n
		busy = mine
		mu.Unlock()
		if mine {
			fn(e)
			mu.Lock()
			busy = false
			mu.Unlock()
		}
	}
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return count
	}
}

// tree gives a task and all below it.
func (w *overheard) tree(id akitad.TaskID) (all []*journal.Task) {
	t := w.load(id)
	all = append(all, t)
	for _, c := range t.Children {
		if below := w.load(c.ID); below.Exists() {
			all = append(all, w.tree(c.ID)...)
		}
	}
	return all
}

// settled checks that each task of a tree has one end, none of them open, and that nothing is written twice.
func (w *overheard) settled(name string, id akitad.TaskID) {
	w.t.Helper()
	for _, task := range w.tree(id) {
		task = w.ended(task.ID)
		ends := w.events(task.ID, journal.Completed) + w.events(task.ID, journal.Failed) + w.events(task.ID, journal.Cancelled)
		if ends != 1+task.Retries || task.Voided > 0 {
			w.t.Errorf("%s: %s (%s) has %d ends, %d void events", name, task.ID, task.Sub.Text, ends, task.Voided)
		}
	}
	for _, file := range []string{"note.txt", "one", "two", "tell", "asked"} {
		if got := w.file(w.load(id), file); strings.Count(got, "\n") > 1+w.load(id).Retries {
			w.t.Errorf("%s: %s was written more than once: %q", name, file, got)
		}
	}
}

// A person cancels, corrects, pauses, resumes or answers at each moment at which something is appended to
// any journal of a tree of tasks: nothing of it is lost, and each task settles once. A few moments are drawn
// unless AKITA_MOMENTS says how many.
func TestAWordAtEachAppend(t *testing.T) {
	w := startOverheard(t, appendingModel(t), whole)
	w.words("cancel", "steer", "pause", "cancel it all", "answer", "failover")
}

// So does a person who talks to another node on the same NATS server, who also tries again what was cancelled just now.
func TestAWordFromAnotherNode(t *testing.T) {
	url := bustest.Server(t)
	w := startOverheardAt(t, url, appendingModel(t), whole)
	w.by = startParts(t, t.TempDir(), llmtest.New(t), noWork, func(c *config.Config) { c.NATS.URL, c.Queue = url, "steer" })
	w.words("cancel", "steer", "pause", "cancel it all", "answer", "failover", "try again")
}

func (w *overheard) words(words ...string) {
	t := w.t
	t.Helper()
	draws := 6
	if n, err := strconv.Atoi(os.Getenv("AKITA_MOMENTS")); err == nil {
		draws = n
	}
	for _, word := range words {
		moments, _ := w.wordAt(word, 0) // nothing is said, to see how many there are
		t.Logf("%s: %d moments", word, moments)
		took, draws := 0, min(draws, moments)
		if word == "answer" { // few moments are for it
			draws = moments
		}
		try := func(moment int) {
			if _, was := w.wordAt(word, moment); was {
				took++
			}
		}
		for i := 0; i < draws && !t.Failed(); i++ {
			try(1 + i*moments/draws)
		}
		// Few of the moments that were drawn may be for it: then others are tried, until one is.
		for n := 1; n <= moments && took == 0 && !t.Failed(); n++ {
			try(n)
		}
		if t.Failed() {
			return
		}
		if t.Logf("%s: %d of %d took it", word, took, draws); took == 0 {
			t.Errorf("%s: no task took it", word)
		}
	}
}

// begin starts what the word is said to: a task of a chat that asks, or one with all kinds of steps.
func (w *overheard) begin(name, word string) akitad.TaskID {
	w.t.Helper()
	if word != "answer" {
		return w.submit(akitad.TaskRequest{Text: "do everything", Plan: everything, IdempotencyKey: name})
	}
	return w.say(0, "ask me", func(m *akitad.Message) {
		m.Task, m.Session = akitad.DeriveTaskID("http", name), akitad.DeriveSessionKey(name)
	})
}

// wordAt begins a task and says the word at that moment. It gives the number of moments, and whether the
// word was taken.
func (w *overheard) wordAt(word string, n int) (moments int, taken bool) {
	w.t.Helper()
	name := fmt.Sprint(word, " at ", n)
	id := akitad.DeriveTaskID("http", name)
	said, rests := make(chan akitad.TaskID, 1), make(chan akitad.TaskID, 1)
	ctx, over := context.WithTimeout(context.Background(), 2*patience)
	defer over()
	seen := w.at(n, func(e akitad.Event) {
		to := e.Task
		if word == "cancel it all" || word == "answer" || word == "try again" {
			to = id
		}
		if w.speak(name, word, to) {
			said <- to
			rests <- to
		}
	})
	if got := w.begin(name, word); got != id {
		w.t.Fatalf("%s became %s, not %s", name, got, id)
	}
	if word == "answer" {
		w.until(id, func(t *journal.Task) bool { return t.Final() || t.Question() != "" || len(t.Rounds) > 1 })
		w.speak(name, "answer", id)
	}
	if word == "pause" {
		go w.resume(ctx, rests)
	}
	got := w.ended(id)
	if word == "try again" && w.load(id).Retries == 0 && got.State == akitad.WasCancelled {
		got = w.tryAgain(name, id)
	}
	w.settled(name, id)
	select {
	case to := <-said:
		taken = true
		task := w.load(to)
		if word == "try again" && got.State != akitad.Completed {
			w.t.Errorf("%s: tried again it is %s %+v", name, got.State, got.Error)
		}
		if word == "steer" && len(task.Steers) != 1 {
			w.t.Errorf("%s: %s was steered %d times", name, to, len(task.Steers))
		}
		if word != "try again" && task.AskedCancel && task.State != akitad.WasCancelled {
			w.t.Errorf("%s: %s was asked to end, and is %s", name, to, task.State)
		}
		if n := w.events(to, journal.Answered); word == "answer" && n != 1 {
			w.t.Errorf("%s: %s was answered %d times", name, to, n)
		}
	default:
		if got.State != akitad.Completed && word != "pause" && word != "failover" && word != "try again" {
			w.t.Errorf("%s, which had no effect: %s %+v", name, got.State, got.Error)
		}
	}
	return seen(), taken
}

// tryAgain has both nodes try a cancelled task again at once, while what its end sets going is under way: one of them does.
func (w *overheard) tryAgain(name string, id akitad.TaskID) *journal.Task {
	w.t.Helper()
	var errs [2]error
	var wg sync.WaitGroup
	for i, h := range []*house{w.house, w.by} {
		wg.Go(func() { errs[i] = h.Orchestrator.Retry(w.t.Context(), id, nil) })
	}
	wg.Wait()
	got := w.until(id, func(t *journal.Task) bool { return t.Retries > 0 && t.Final() })
	if (errs[0] == nil) == (errs[1] == nil) || got.Retries != 1 {
		w.t.Errorf("%s: tried again %d times: %v, %v", name, got.Retries, errs[0], errs[1])
	}
	return got
}

// resume lets a task go on that was paused, once it has come to rest.
func (w *overheard) resume(ctx context.Context, rests chan akitad.TaskID) {
	select {
	case to := <-rests:
		_, err := w.Journal.Wait(ctx, to, func(t *journal.Task) bool { return t.Final() || t.State == akitad.Waiting })
		if err == nil {
			err = w.by.Orchestrator.Resume(ctx, to)
		}
		if err != nil && ctx.Err() == nil && !isConflict(err) {
			w.t.Errorf("resume %s: %v", to, err)
		}
	case <-ctx.Done():
	}
}

func isConflict(err error) bool {
	_, ok := errors.AsType[*orchestrator.Conflict](err)
	return ok
}

// speak says the word to a task, and looks whether it is on record then; false if it is too early or too late
// for it.
func (w *overheard) speak(name, word string, to akitad.TaskID) bool {
	ctx, err, question := context.Background(), error(nil), ""
	switch word {
	case "failover":
		err = w.by.Orchestrator.Failover(ctx, to)
	case "cancel", "cancel it all", "try again":
		err = w.by.Orchestrator.Cancel(ctx, to, "test")
	case "steer":
		err = w.by.Orchestrator.Steer(ctx, to, "only Tuesdays")
	case "pause":
		err = w.by.Orchestrator.Pause(ctx, to)
	case "answer":
		asked, lerr := w.by.Journal.Load(ctx, to)
		all := orchestrator.Questions(asked)
		if lerr != nil || len(all) == 0 {
			return false
		}
		question = all[0].ID
		err = w.by.Orchestrator.Press(ctx, question, "red", "m1")
	}
	if err != nil && akitad.KindOf(err) != akitad.NotFound && !isConflict(err) {
		w.t.Errorf("%s to %s: %v", name, to, err)
	}
	if now, lerr := w.by.Journal.Load(ctx, to); err == nil && (lerr != nil || !heard(now, word, question)) {
		w.t.Errorf("%s to %s, which is %s: it was taken, and nothing of it is on record: %v", name, to, now.State, lerr)
	}
	return err == nil
}

// heard reports whether what was said to a task is on its record, or came too late for it.
func heard(t *journal.Task, word, question string) bool {
	switch {
	case t.Final(), t.Retries > 0: // it was cancelled, and is tried again already
		return true
	case word == "steer":
		return len(t.Steers) > 0
	case word == "failover":
		return t.Failover > 0
	case word == "pause":
		return t.IsPaused
	case word == "answer":
		return !slices.ContainsFunc(orchestrator.Questions(t), func(q orchestrator.Question) bool { return q.ID == question })
	}
	return t.AskedCancel
}
