package commands_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
)

// In a group nobody else ends what an owner asked for, be it running or waiting.
func TestMembersDoNotEndAnOwnersTask(t *testing.T) {
	held := llmtest.NewHold()
	c := newChat(t, llmtest.New(t).On(llmtest.Begins("ask"), llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Which?"}))).
		Always(llmtest.Any, llmtest.Text("one").Held(held)))
	member, owner := group(false), group(true)
	first := c.says("7", "first job", owner)
	<-held.Arrived()
	for _, words := range []string{"/stop", "/stop " + string(first)} {
		if got := c.runAs(words, member); got != text.En.NotYourTask() {
			t.Errorf("%s of a member gives %q", words, got)
		}
	}
	if got := c.runAs("/stop", owner); got != text.En.Stopping(string(first), "first job", 0) {
		t.Errorf("/stop of an owner gives %q", got)
	}
	c.until(first, (*journal.Task).Final)
	asking := c.says("7", "ask me first", owner)
	c.until(asking, waits)
	if got := c.runAs("/new", member); got != text.En.NewSession()+"\n"+text.En.GoesOn("ask me first", 0) {
		t.Errorf("/new of a member gives %q", got)
	}
	if got := c.until(asking, (*journal.Task).Exists); got.Final() {
		t.Errorf("/new of a member ended the owner's task: %s", got.State)
	}
	c.runAs("/new", owner)
	if got := c.until(asking, (*journal.Task).Final); got.State != akitad.WasCancelled {
		t.Errorf("the task that asked is %s", got.State)
	}
}

// A group's language is its owner's choice; a member is answered as they write.
func TestTheLanguageOfAGroup(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	if got := c.runAs("/lang zh", group(false)); got != text.En.OwnerOnly("/lang") {
		t.Errorf("/lang of a member gives %q", got)
	}
	if got := c.runAs("/lang", group(false)); got != text.En.LangIs("") {
		t.Errorf("/lang shows %q", got)
	}
	if got := c.runAs("/lang en", group(true)); got != text.En.LangIs(text.En) {
		t.Errorf("/lang of an owner gives %q", got)
	}
	if got := c.runAs("/状态", group(false)); !strings.HasPrefix(got, text.Zh.Idle()) {
		t.Errorf("a member who writes Chinese reads %q", got)
	}
	if got := c.runAs("/状态", group(true)); !strings.HasPrefix(got, text.En.Idle()) {
		t.Errorf("the owner reads %q", got)
	}
}

// What happens to a plan that nobody answers is told as it is.
func TestStatusOfAPlanThatWaits(t *testing.T) {
	c := planned(t)
	id := c.says("7", "/plan", func(m *akitad.Message) { m.PlanAsk, m.Text = true, "tidy up everything here" })
	until := c.until(id, waits).Until
	if got := c.run("7", "/status"); !strings.Contains(got, text.En.WaitsUntil(akitad.ReasonApproval, true, until.Local())) || strings.Contains(got, "goes on without") {
		t.Errorf("/status of a plan gives %q", got)
	}
	c.want("7", "/approve maybe", text.En.DecisionUnfit("maybe", []string{"approve", "stop"}))
	if got := c.until(id, (*journal.Task).Exists); !waits(got) || got.Plans != 1 {
		t.Errorf("after a decision that is none the task is %s with %d plans", got.State, got.Plans)
	}
}

// The beginning of an id is enough where only one task begins so, and a task without words goes by its file.
func TestTasksByTheBeginningOfTheirID(t *testing.T) {
	c := newChat(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("an answer")))
	hash, err := c.Bus.PutArtifact(t.Context(), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	id := c.says("7", "", func(m *akitad.Message) { m.Files = []akitad.File{{Name: "a.csv", Artifact: hash, Size: 1}} })
	c.until(id, (*journal.Task).Final)
	c.listed(id)
	begin := string(id)[:8]
	if got := c.run("7", "/task "+begin); !strings.Contains(got, string(id)) || strings.Count(got, "Rounds") != 1 || strings.Contains(got, "Queued") {
		t.Errorf("/task %s shows %q", begin, got)
	}
	if got := c.run("7", "/task"); !strings.Contains(got, "a.csv") {
		t.Errorf("/task shows %q", got)
	}
	c.want("7", "/stop "+begin, text.En.EndedAlready(string(id), "completed"))
	c.want("7", "/rate 4 "+begin, text.En.Rated(string(id), "a.csv", 4, 0))
	c.want("7", "/stop t_", text.En.EndedAlready(string(id), "completed"))
	c.want("7", "/stop t_nothing", text.En.TaskNotFound("t_nothing"))
}
