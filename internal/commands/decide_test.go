package commands_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/orchestrator"
)

func TestRate(t *testing.T) {
	c := newChat(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("an answer")))
	c.want("7", "/rate 4", text.En.NothingToRate())
	first, last := c.says("7", "the first", nil), c.says("7", "the last", nil)
	c.until(first, (*journal.Task).Final)
	c.until(last, (*journal.Task).Final)
	for words, bad := range map[string]string{"/rate": "", "/rate 0": "0", "/rate 6": "6", "/rate -1": "-1", "/rate 4.5": "4.5", "/rate great": "great", "/rate ★★★★★★": "★★★★★★", "/rate 10": "10", "/rate 5 5": "5 5"} {
		c.want("7", words, text.En.RateHow(bad))
	}
	before := 0
	for words, stars := range map[string]int{"/rate 4": 4, "/rate ★★★": 3, "/rate ⭐⭐": 2, "/rate 5 stars": 5, "/rate 1 star": 1, "/rate three": 3, "/rate 4/5": 4, "/rate ★★★★☆": 4, "/rate ５": 5, "/rate 2!": 2} {
		c.want("7", words, text.En.Rated(string(last), "the last", stars, before))
		if got := c.until(last, func(t *journal.Task) bool { return t.Rating == stars }); got.Rating != stars {
			t.Errorf("%s is kept as %d", words, got.Rating)
		}
		before = stars
	}
	c.want("7", "/评分 五星", text.Zh.Rated(string(last), "the last", 5, before))
	c.want("7", "/评分3", text.Zh.Rated(string(last), "the last", 3, 5))
	c.want("7", "/rate 2 "+string(first), text.En.Rated(string(first), "the first", 2, 0))
	c.want("7", "/rate t_nothing 2", text.En.TaskNotFound("t_nothing"))
	if got := c.run("7", "/task "+string(first)); !strings.Contains(got, "Rating: ★★☆☆☆") {
		t.Errorf("the task shows as %q", got)
	}
	c.run("7", "/new")
	c.listed(last)
	c.want("7", "/rate 1", text.En.Rated(string(last), "the last", 1, 3)) // still the conversation's last answer
}

// A failed task has no answer: the one before is rated.
func TestRatePassesOverWhatHasNoAnswer(t *testing.T) {
	c := newChat(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("an answer")))
	good := c.says("7", "a good one", nil)
	c.until(good, (*journal.Task).Final)
	held := c.says("7", "/plan", func(m *akitad.Message) { m.PlanAsk = true })
	c.until(held, waits)
	c.want("7", "/rate 3 "+string(held), text.En.NotAnswered(string(held)))
	c.run("7", "/stop")
	c.until(held, (*journal.Task).Final)
	c.want("7", "/rate 3", text.En.Rated(string(good), "a good one", 3, 0))
}

func waits(t *journal.Task) bool { return t.State == akitad.Waiting && t.Question() != "" }

func planned(t *testing.T) *chat {
	t.Helper()
	return newChat(t, llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []")).Always(llmtest.Any, llmtest.Text("done")))
}

func TestApproveAPlan(t *testing.T) {
	c := planned(t)
	c.want("7", "/approve", text.En.NothingToApprove())
	c.want("7", "/approve yes", text.En.NothingToApprove())
	c.run("7", "/plan tidy up everything here")
	id := from("7", "/plan tidy up everything here").Task
	q := orchestrator.Questions(c.until(id, waits))[0]
	if got := c.run("7", "/approve"); !strings.Contains(got, q.ID) || !strings.Contains(got, "[approve / stop]") {
		t.Errorf("/approve shows %q", got)
	}
	c.want("8", "/approve yes", text.En.NotYours(false))
	c.want("7", "/approve yes", text.En.Decided("yes", q.Text))
	if got := c.until(id, (*journal.Task).Final); got.State != akitad.Completed || got.Result.Text != "done" {
		t.Errorf("%s %+v", got.State, got.Error)
	}
	c.want("7", "/approve "+q.ID, text.En.AlreadyDecided())
}

// Each way to say no drops the plan; an owner may say it too, of any task by its id.
func TestRefuseAPlan(t *testing.T) {
	c := planned(t)
	for i, words := range []string{"/approve no", "/approve 拒绝", "/批准 否", "/approve ID no"} {
		asked := "tidy up everything here" + strings.Repeat("!", i)
		c.run("7", "/plan "+asked)
		id := from("7", "/plan "+asked).Task
		c.until(id, waits)
		c.runAs(strings.ReplaceAll(words, "ID", string(id)), func(m *akitad.Message) {
			if i == 3 {
				m.Origin.Sender, m.Origin.Owner = "1", true
			}
		})
		if got := c.until(id, (*journal.Task).Final); got.State != akitad.WasCancelled {
			t.Errorf("%s leaves the task %s", words, got.State)
		}
	}
}

// A question about the work takes any words, and one that names its answers takes these.
func TestApproveAnswersQuestions(t *testing.T) {
	ask := func(args map[string]any) llmtest.Turn { return llmtest.Calls(llmtest.Call("ask_user", args)) }
	c := newChat(t, llmtest.New(t).
		On(llmtest.Any, ask(map[string]any{"question": "Red or blue?", "options": []string{"red", "blue"}}), llmtest.Text("painted"),
			ask(map[string]any{"question": "Really?"}), llmtest.Text("did it")))
	id := c.says("7", "which colour", nil)
	q := orchestrator.Questions(c.until(id, waits))[0]
	c.want("7", "/approve yes", text.En.DecisionUnfit("yes", []string{"red", "blue"}))
	c.want("7", "/approve 3", text.En.DecisionUnfit("3", []string{"red", "blue"}))
	c.want("7", "/approve 2", text.En.Decided("2", q.Text))
	got := c.until(id, (*journal.Task).Final)
	if obs := got.Rounds[0].Results[0].Text; !strings.HasSuffix(obs, "blue") {
		t.Errorf("the agent reads %q", obs)
	}
	id = c.says("7", "may you do it", nil)
	c.until(id, waits)
	c.run("7", "/approve yes")
	if obs := c.until(id, (*journal.Task).Final).Rounds[0].Results[0].Text; !strings.HasSuffix(obs, "yes") {
		t.Errorf("the agent reads %q", obs)
	}
}

func TestNewTellsWhatBecomesOfWork(t *testing.T) {
	held := llmtest.NewHold()
	c := newChat(t, llmtest.New(t).On(llmtest.Begins("ask"), llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Which?"})), llmtest.Text("never")).
		On(llmtest.Begins("first"), llmtest.Text("one").Held(held)).Always(llmtest.Any, llmtest.Text("two")))
	c.want("7", "/new", text.En.NewSession())
	first := c.says("7", "first job", nil)
	<-held.Arrived()
	second := c.says("7", "second job", nil)
	c.want("7", "/new", text.En.NewSession()+"\n"+text.En.GoesOn("first job", 1))
	status := c.run("7", "/status")
	if !strings.Contains(status, text.QueueLine(1, string(second), "second job")) {
		t.Errorf("/status shows %q", status)
	}
	c.want("7", "/stop "+string(second), text.En.Stopping(string(second), "second job", 0))
	held.Release()
	c.until(first, (*journal.Task).Final)
	c.until(second, (*journal.Task).Final)
	c.want("7", "/cancel "+string(first), text.En.EndedAlready(string(first), "completed"))
	asking := c.says("7", "ask me first", nil)
	c.until(asking, waits)
	c.want("7", "/new", text.En.NewSession()+"\n"+text.En.GivenUp("ask me first"))
	if got := c.until(asking, (*journal.Task).Final); got.State != akitad.WasCancelled {
		t.Errorf("the task that asked is %s", got.State)
	}
}

// /status shows each step of a plan as it stands, and /task the files that came of it.
func TestStatusOfAPlan(t *testing.T) {
	held := llmtest.NewHold()
	c := newChat(t, llmtest.New(t).On(llmtest.Begins("look"), llmtest.Text("looked").Held(held)).Always(llmtest.Any, llmtest.Text("done")))
	src := "steps:\n- {id: note, tool: write_file, with: {path: note.txt, content: hello}}\n- {id: look, needs: [note], agent: analyst, goal: look at the note}\n- {id: say, needs: [look], model: main, prompt: say it}\n"
	id := c.says("7", "go through the note", func(m *akitad.Message) { m.Plan = src })
	<-held.Arrived()
	status := c.run("7", "/status")
	for _, part := range []string{"\n✓ note: write_file\n", "\n▸ look: look at the note\n", "\n· say: say it", "Steps: 1 of 3"} {
		if !strings.Contains(status, part) {
			t.Errorf("/status lacks %q: %s", part, status)
		}
	}
	held.Release()
	c.until(id, (*journal.Task).Final)
	if got := c.run("7", "/task "+string(id)); !strings.Contains(got, "Files: note.txt (5 B)") || !strings.Contains(got, "✓ say: say it") || !strings.Contains(got, "done") {
		t.Errorf("/task shows %q", got)
	}
}
