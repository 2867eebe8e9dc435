package commands_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/commands"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/memory"
)

// chat is a house without a chat service, and the commands on it.
type chat struct {
	*app.App
	t        *testing.T
	commands *commands.Commands
	typed    map[string]int // how often these words came
}

func newChat(t *testing.T, script *llmtest.Script) *chat {
	t.Helper()
	return newChatOn(t, script, func(*config.Config) {})
}

func newChatOn(t *testing.T, script *llmtest.Script, change func(*config.Config)) *chat {
	t.Helper()
	cfg, err := config.Load(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Compiler, cfg.Stop.Grace = "twin", time.Second
	change(&cfg)
	a, err := app.New(t.Context(), cfg, app.Options{Parts: app.Parts{Orchestrate: true, Work: true}, Model: script})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return &chat{a, t, commands.New(commands.Deps{Orchestrator: a.Orchestrator, Journal: a.Journal, Projection: a.Projection, Memory: a.Memory}), map[string]int{}}
}

// from gives a message of a person in the conversation that submit uses.
func from(sender, words string) akitad.Message {
	return akitad.Message{
		ID: "m-" + words, Text: words, Session: akitad.DeriveSessionKey("http", "s"), Task: akitad.DeriveTaskID(words),
		Origin: akitad.Origin{Channel: "telegram", Chat: "-5", Thread: "3", Sender: sender, Lang: "en"},
	}
}

// run serves a message of its own, also of words that came before.
func (c *chat) run(sender, words string) string {
	c.t.Helper()
	m := from(sender, words)
	if c.typed[words]++; c.typed[words] > 1 {
		m.ID = fmt.Sprint(m.ID, " ", c.typed[words])
		m.Task = akitad.DeriveTaskID(m.ID)
	}
	return c.serve(m)
}

// serve serves one message, which may have come before.
func (c *chat) serve(m akitad.Message) string {
	c.t.Helper()
	reply, handled, err := c.commands.Run(c.t.Context(), m)
	if err != nil || !handled {
		c.t.Fatalf("%s: handled %v, %v", m.Text, handled, err)
	}
	return reply
}

func (c *chat) want(sender, words, reply string) {
	c.t.Helper()
	if got := c.run(sender, words); got != reply {
		c.t.Errorf("%s gives %q, want %q", words, got, reply)
	}
}

func (c *chat) submit(words string) akitad.TaskID {
	c.t.Helper()
	id, err := c.Orchestrator.Submit(c.t.Context(), "http", akitad.TaskRequest{Text: words, Session: "s", Lang: "en"})
	if err != nil {
		c.t.Fatal(err)
	}
	return id
}

// patience is how long a test waits for what takes milliseconds.
const patience = time.Minute

func (c *chat) until(id akitad.TaskID, ok func(*journal.Task) bool) *journal.Task {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	task, err := c.Journal.Wait(ctx, id, ok)
	if err != nil {
		c.t.Fatal(err)
	}
	return task
}

// usage gives the line of a command as help has it.
func usage(lang text.Lang, name string) string {
	for _, i := range commands.List() {
		if i.Name == name {
			return i.Usage(lang)
		}
	}
	return ""
}

func TestWhatIsACommand(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	for words, handled := range map[string]bool{
		"/help": true, "/HELP": true, "/help me": true, "/start": true, "/status\n": true, "/nope": true, "/new\nnow": true,
		"help": false, "/": false, "//": false, "/var/log/a.log": false, "/etc/hosts what is this": false, "/12": false, " /help": false, "/help,": false,
		"/é": false, "/帮助": true, "／状态": true, "/评分5": true, "/纠正：只看北京": true, "/帮忙": true, "/今天北京的天气怎么样": false, "/任务书写好了吗": false, "": false, "/" + strings.Repeat("x", 40): false,
	} {
		if _, got, err := c.commands.Run(t.Context(), from("7", words)); got != handled || err != nil {
			t.Errorf("%q: handled %v (%v), want %v", words, got, err, handled)
		}
	}
	c.want("7", "/nope", text.En.UnknownCommand("/nope"))
	c.want("7", "/id", text.En.Identity("7", "-5", "3"))
}

// Help names each command that is served, and none that is not.
func TestHelpNamesWhatWorks(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	for _, lang := range text.Langs {
		m := from("7", "/help")
		m.Origin.Lang = string(lang)
		help, _, err := c.commands.Run(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(help, "\n")[1:]
		if len(lines) != len(commands.List()) {
			t.Errorf("help has %d commands: %s", len(lines), help)
		}
		for _, line := range lines {
			name := strings.Fields(line)[0]
			if got := c.run("7", name); strings.Contains(got, text.En.UnknownCommand(name)) || line == name {
				t.Errorf("%s is listed and gives %q", name, got)
			}
		}
	}
}

func TestStatusTaskAndStop(t *testing.T) {
	held := llmtest.NewHold()
	c := newChat(t, llmtest.New(t).On(llmtest.Begins("first"), llmtest.Text("never").Held(held)).On(llmtest.Any, llmtest.Text("answer second")))
	c.want("7", "/status", text.En.Idle())
	c.want("7", "/task", text.En.NoTasks())
	c.want("7", "/stop", text.En.NothingToStop())
	c.want("7", "/steer faster", text.En.NothingToSteer())
	first := c.submit("first job")
	<-held.Arrived()
	second := c.submit("second job")
	status := c.run("7", "/status")
	for _, part := range []string{string(first), "running", "first job", "Queued behind it: 1"} {
		if !strings.Contains(status, part) {
			t.Errorf("status lacks %q: %s", part, status)
		}
	}
	c.want("7", "/stop", text.En.Stopping(string(first), "first job", 1))
	if got := c.until(first, (*journal.Task).Final); got.State != akitad.WasCancelled {
		t.Errorf("the task is %s", got.State)
	}
	c.until(second, (*journal.Task).Final)
	if got := c.run("7", "/task "+string(second)); !strings.Contains(got, "answer second") || !strings.Contains(got, "done") {
		t.Errorf("the task shows as %q", got)
	}
	if got := c.run("7", "/task "+string(first)); !strings.Contains(got, text.En.Failed(akitad.Failure{Kind: akitad.Cancelled})) {
		t.Errorf("the stopped task shows as %q", got)
	}
	list := c.listed(second)
	if got := strings.Split(list, "\n"); len(got) != 2 || !strings.Contains(got[0], string(second)) || !strings.Contains(got[1], string(first)) {
		t.Errorf("the list is %q", got)
	}
}

// listed gives the list of tasks once it shows one as done; the read model lags behind the journal.
func (c *chat) listed(id akitad.TaskID) string {
	c.t.Helper()
	for began := time.Now(); time.Since(began) < patience; <-time.After(10 * time.Millisecond) {
		if got := c.run("7", "/task"); strings.Contains(got, string(id)+" (done)") {
			return got
		}
	}
	c.t.Fatalf("%s is not listed: %s", id, c.run("7", "/task"))
	return ""
}

// /plan makes its words a task whose plan waits for a word; also while another task asks something.
func TestPlan(t *testing.T) {
	c := newChat(t, llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []")).On(llmtest.Begins("do it"), llmtest.Text("done")))
	c.want("7", "/plan", usage(text.En, "plan"))
	for range 2 { // the second is the first, delivered again
		if reply := c.run("7", "/plan do it"); reply != "" {
			t.Errorf("the reply is %q", reply)
		}
	}
	id := from("7", "/plan do it").Task
	got := c.until(id, func(task *journal.Task) bool { return task.State == akitad.Waiting })
	if got.Sub.Text != "do it" || got.Reason != akitad.ReasonApproval || !strings.Contains(got.Question(), "nothing has run yet") {
		t.Errorf("%q is %s (%s): %s", got.Sub.Text, got.State, got.Reason, got.Question())
	}
	m := from("7", "go ahead")
	m.ReplyTo = got.Placeholder
	if err := c.Orchestrator.Accept(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := c.until(id, (*journal.Task).Final); got.State != akitad.Completed || got.Result.Text != "done" {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// A task shows to its own person and in its own conversation, and to nobody else.
func TestTasksOfOthersDoNotShow(t *testing.T) {
	c := newChat(t, llmtest.New(t).On(llmtest.Any, llmtest.Text("a private answer")))
	id := c.submit("private")
	c.until(id, (*journal.Task).Final)
	elsewhere := from("8", "/task "+string(id))
	elsewhere.Session = "s-other"
	got, _, err := c.commands.Run(t.Context(), elsewhere)
	if err != nil || got != text.En.TaskNotFound(string(id)) {
		t.Errorf("another conversation sees %q (%v)", got, err)
	}
	c.want("7", "/task t_nothing", text.En.TaskNotFound("t_nothing"))
	absent := string(akitad.DeriveTaskID("absent"))
	c.want("7", "/task "+absent, text.En.TaskNotFound(absent))
}

func TestMemory(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	ids := map[string]string{}
	for who, entry := range map[string]string{"telegram:7": "Anna likes tea", "telegram:8": "Boris likes coffee", "": "The office opens at nine"} {
		scope := memory.Global
		if who != "" {
			scope = memory.PersonScope(who)
		}
		out, err := c.Memory.Remember(t.Context(), memory.Entry{Text: entry, Scope: scope})
		if err != nil {
			t.Fatal(err)
		}
		ids[who] = out.ID
	}
	anna := c.run("7", "/memory")
	if !strings.Contains(anna, "Anna likes tea") || strings.Contains(anna, "Boris") || strings.Contains(anna, "office") {
		t.Errorf("Anna sees %q", anna)
	}
	c.want("9", "/memory", text.En.MemoryEmpty())
	c.want("7", "/memory forget "+ids["telegram:8"], text.En.MemoryNoSuch(ids["telegram:8"]))
	c.want("7", "/memory forget "+ids[""], text.En.MemoryNoSuch(ids[""]))
	c.want("7", "/memory forget "+ids["telegram:7"], text.En.MemoryForgotten("Anna likes tea"))
	c.want("7", "/memory", text.En.MemoryEmpty())
	c.want("8", "/memory forget all", text.En.MemoryForgetAll(1))
	if got := c.run("8", "/memory"); !strings.Contains(got, "coffee") {
		t.Errorf("forgotten without a confirmation: %q", got)
	}
	c.want("8", "/memory forget all yes", text.En.MemoryAllForgotten(1))
	c.want("8", "/memory", text.En.MemoryEmpty())
	c.want("8", "/memory what", usage(text.En, "memory"))
	all, err := c.Memory.List(t.Context(), memory.Query{Person: memory.Everyone})
	if err != nil || len(all) != 1 {
		t.Errorf("left: %+v (%v)", all, err)
	}
}

// An owner's own are also those that the home was told by command line or HTTP; nobody else's are, and in
// a group nobody's.
func TestMemoryOfTheHomeIsItsOwners(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	ids := map[string]string{}
	for _, who := range []string{akitad.Local, "telegram:7", "telegram:8"} {
		e, err := c.Memory.Remember(t.Context(), memory.Entry{Text: "The zebra of " + who + " sleeps", Scope: memory.PersonScope(who)})
		if err != nil {
			t.Fatal(err)
		}
		ids[who] = e.ID
	}
	run := func(o akitad.Origin, words string) string {
		m := from(o.Sender, words)
		m.Origin.Owner, m.Origin.Group = o.Owner, o.Group
		reply, _, err := c.commands.Run(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	anna, boris := akitad.Origin{Sender: "7", Owner: true}, akitad.Origin{Sender: "8"}
	inGroup := akitad.Origin{Sender: "7", Owner: true, Group: true}
	if got := run(anna, "/memory"); !strings.Contains(got, "of local") || !strings.Contains(got, "of telegram:7") || strings.Contains(got, "telegram:8") {
		t.Errorf("the owner sees %q", got)
	}
	if got := run(boris, "/memory"); strings.Contains(got, "local") {
		t.Errorf("another person sees %q", got)
	}
	forget := "/memory forget " + ids[akitad.Local]
	for _, other := range []akitad.Origin{boris, inGroup} {
		if got := run(other, forget); got != text.En.MemoryNoSuch(ids[akitad.Local]) {
			t.Errorf("%+v forgets: %q", other, got)
		}
	}
	if got := run(anna, "/memory forget all"); got != text.En.MemoryForgetAll(2) {
		t.Errorf("before all is forgotten: %q", got)
	}
	if got := run(anna, forget); got != text.En.MemoryForgotten("The zebra of local sleeps") {
		t.Errorf("the owner forgets: %q", got)
	}
	if got := run(anna, "/memory forget all yes"); got != text.En.MemoryAllForgotten(1) {
		t.Errorf("the owner forgets all: %q", got)
	}
}

func TestMemoryListIsBounded(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	words := strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey")
	for i, w := range words {
		_, err := c.Memory.Remember(t.Context(), memory.Entry{Text: fmt.Sprintf("Box %s holds %d screws", w, 100+i*7), Scope: memory.PersonScope("telegram:7")})
		if err != nil {
			t.Fatal(err)
		}
	}
	mine, err := c.Memory.List(t.Context(), memory.Query{Person: "telegram:7", Own: true})
	if err != nil || len(mine) <= 20 {
		t.Fatalf("%d entries (%v)", len(mine), err)
	}
	got := c.run("7", "/memory")
	if n := strings.Count(got, "\n"); n != 20 || !strings.HasSuffix(got, text.En.MemoryMore(len(mine)-20)) {
		t.Errorf("%d lines: %s", n+1, got)
	}
}
