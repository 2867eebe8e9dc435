package commands_test

import (
	"context"
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
	"github.com/akitad/akitad/orchestrator"
)

// says hands a person's words in as a chat does, and gives the task that they become.
func (c *chat) says(sender, words string, change func(*akitad.Message)) akitad.TaskID {
	c.t.Helper()
	m := from(sender, words)
	m.Origin.Lang = string(text.Detect(words))
	if change != nil {
		change(&m)
	}
	if err := c.Orchestrator.Accept(c.t.Context(), m); err != nil {
		c.t.Fatal(err)
	}
	return m.Task
}

// runAs runs a command of a message that change has changed.
func (c *chat) runAs(words string, change func(*akitad.Message)) string {
	c.t.Helper()
	m := from("7", words)
	m.Origin.Lang = string(text.Detect(words))
	change(&m)
	reply, handled, err := c.commands.Run(c.t.Context(), m)
	if err != nil || !handled {
		c.t.Fatalf("%s: handled %v, %v", words, handled, err)
	}
	return reply
}

// Whoever has written Chinese is answered in Chinese, whatever a command's name looks like.
func TestTheLanguageOfCommands(t *testing.T) {
	c := newChat(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("好")))
	c.want("7", "/status", text.En.Idle())
	c.want("7", "/状态", text.Zh.Idle())
	c.until(c.says("7", "帮我看看有什么文件", nil), (*journal.Task).Final)
	c.want("7", "/status", text.Zh.Idle())
	c.want("7", "/memory forget m_nothing", text.Zh.MemoryNoSuch("m_nothing"))
	ok := c.says("7", "ok", nil) // says nothing of the language
	if got := c.until(ok, (*journal.Task).Final); got.Sub.Origin.Lang != "zh" {
		t.Errorf("the task speaks %q", got.Sub.Origin.Lang)
	}
	c.want("7", "/status", text.Zh.Idle())
	c.want("7", "/lang en", text.En.LangIs(text.En))
	c.want("7", "/status", text.En.Idle())
	if got := c.until(c.says("7", "再看一遍这些文件", nil), (*journal.Task).Final); got.Sub.Origin.Lang != "en" {
		t.Errorf("the task speaks %q though English is set", got.Sub.Origin.Lang)
	}
	c.want("7", "/new", text.En.NewSession())
	c.want("7", "/lang", text.En.LangIs(text.En))
	c.want("7", "/lang klingon", text.En.NoLang("klingon"))
	c.want("7", "/语言 自动", text.Zh.LangIs(""))
	c.want("7", "/status", text.Zh.Idle())
	c.until(c.says("7", "now tell me about the files", nil), (*journal.Task).Final)
	c.want("7", "/status", text.En.Idle())
	c.want("7", "/语言 中文", text.Zh.LangIs(text.Zh))
	c.want("7", "/help rate", info("rate").Usage(text.Zh))
}

func info(name string) commands.Info {
	for _, i := range commands.List() {
		if i.Name == name {
			return i
		}
	}
	return commands.Info{}
}

func TestNearNames(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	for words, near := range map[string]string{
		"/statsu": "/status", "/stat": "/status", "/hlep": "/help", "/models": "/model", "/状况": "/状态", "/记忆力": "/记忆", "/approved": "/approve", "/Persnoa": "/persona",
	} {
		lang := text.Detect(words)
		if got := c.run("7", words); got != lang.DidYouMean(words, near) {
			t.Errorf("%s gives %q", words, got)
		}
	}
	c.want("7", "/xyzzy", text.En.UnknownCommand("/xyzzy"))
	c.want("7", "/schedule every day", text.En.NoSchedules())
	c.want("7", "/日程", text.Zh.NoSchedules())
	c.want("7", "/skill", text.En.NoSkills())
	c.want("7", "/技能", text.Zh.NoSkills())
}

// A name, in either language, is one command's alone, and fits the menus of chat services.
func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, i := range commands.List() {
		for _, n := range append([]string{i.Name}, i.Also...) {
			if seen[n] {
				t.Errorf("two commands are called %s", n)
			}
			seen[n] = true
		}
		if len(i.Name) > 32 || strings.Trim(i.Name, "abcdefghijklmnopqrstuvwxyz") != "" || i.En == "" || i.Zh == "" || len(i.Also) == 0 {
			t.Errorf("%+v", i)
		}
	}
}

func group(owner bool) func(*akitad.Message) {
	return func(m *akitad.Message) { m.Origin.Group, m.Origin.Owner = true, owner }
}

// What is chosen holds for the conversation's next tasks, across a restart and a new conversation.
func TestChoicesHold(t *testing.T) {
	home := t.TempDir()
	c, stop := newChatIn(t, home, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done")))
	before := c.says("7", "the first task", nil)
	c.until(before, (*journal.Task).Final)
	c.want("7", "/model nosuch", text.En.NoModel("nosuch", c.Router.Models()))
	c.want("7", "/persona nosuch", text.En.NoPersona("nosuch", c.Profiles.Names()))
	c.want("7", "/model PLANNER", text.En.ModelSet("planner"))
	c.want("7", "/persona analyst", text.En.PersonaSet("analyst"))
	if got := c.run("7", "/model"); !strings.Contains(got, "● the role planner") || !strings.Contains(got, "○ the role main") || !strings.Contains(got, "Chosen here: planner") {
		t.Errorf("/model shows %q", got)
	}
	if got := c.run("7", "/persona"); !strings.Contains(got, "● analyst: ") || !strings.Contains(got, "○ assistant: ") {
		t.Errorf("/persona shows %q", got)
	}
	if got := c.until(before, (*journal.Task).Final); got.Sub.Model != "" || got.Profile != "assistant" {
		t.Errorf("an earlier task has %q and %s", got.Sub.Model, got.Profile)
	}
	c.run("7", "/new")
	stop()
	c, stop = newChatIn(t, home, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done")))
	defer stop()
	if got := c.run("7", "/status"); got != text.En.Idle()+"\n"+text.En.Set("planner", "analyst") {
		t.Errorf("/status shows %q", got)
	}
	got := c.until(c.says("7", "the second task", nil), (*journal.Task).Final)
	if got.Sub.Model != "planner" || got.Profile != "analyst" || got.State != akitad.Completed {
		t.Errorf("the next task has %q and %s: %s", got.Sub.Model, got.Profile, got.State)
	}
	own := c.until(c.says("7", "with a choice of its own", func(m *akitad.Message) { m.Model, m.Profile = "main", "writer" }), (*journal.Task).Final)
	if own.Sub.Model != "main" || own.Profile != "writer" {
		t.Errorf("a message that chooses itself has %q and %s", own.Sub.Model, own.Profile)
	}
	c.want("7", "/model auto", text.En.ModelSet(""))
	c.want("7", "/persona 自动", text.Zh.PersonaSet(""))
	if got := c.until(c.says("7", "the third task", nil), (*journal.Task).Final); got.Sub.Model != "" || got.Profile != "assistant" {
		t.Errorf("after auto: %q and %s", got.Sub.Model, got.Profile)
	}
}

// What was chosen and exists no longer is passed over, and the person is told.
func TestAChoiceThatIsGone(t *testing.T) {
	c := newChat(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done")))
	key := akitad.DeriveSessionKey("http", "s")
	if err := c.Orchestrator.Prefer(t.Context(), key, func(p *orchestrator.Preferences) { p.Model, p.Profile = "gone", "left" }); err != nil {
		t.Fatal(err)
	}
	got := c.until(c.says("7", "do it all the same", nil), (*journal.Task).Final)
	if got.State != akitad.Completed || got.Sub.Model != "" || got.Sub.Notice != text.En.ModelGone("gone")+"\n"+text.En.PersonaGone("left") {
		t.Errorf("%s with %q: %q", got.State, got.Sub.Model, got.Sub.Notice)
	}
}

func TestOnlyOwnersChooseInGroups(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	for _, words := range []string{"/model main", "/persona analyst"} {
		name := strings.Fields(words)[0]
		if got := c.runAs(words, group(false)); got != text.En.OwnerOnly(name) {
			t.Errorf("%s of a member gives %q", words, got)
		}
		if got := c.runAs(name, group(false)); got == text.En.OwnerOnly(name) {
			t.Errorf("%s of a member does not show", name)
		}
		if got := c.runAs(words, group(true)); got != text.En.ModelSet("main") && got != text.En.PersonaSet("analyst") {
			t.Errorf("%s of an owner gives %q", words, got)
		}
	}
	if got := c.runAs("/memory", group(true)); got != text.En.MemoryPrivate() {
		t.Errorf("/memory in a group gives %q", got)
	}
}

func TestModelsAreShownAsTheyStand(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	c.commands = commands.New(commands.Deps{
		Orchestrator: c.Orchestrator, Journal: c.Journal, Projection: c.Projection, Memory: c.Memory,
		Endpoints: func(ctx context.Context) ([]llm.Status, error) {
			all, err := c.Router.Status(ctx)
			for i := range all {
				all[i].Model = "model-of-" + all[i].Name
			}
			return all, err
		},
	})
	name := c.Router.Models()[len(c.Router.Models())-1]
	if got := c.run("7", "/model"); !strings.Contains(got, "○ "+name+" (model-of-"+name+")") {
		t.Errorf("/model shows %q", got)
	}
}

// newChatIn is newChat in a home, with what ends it.
func newChatIn(t *testing.T, home string, script *llmtest.Script) (*chat, func()) {
	t.Helper()
	cfg, err := config.Load(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Compiler, cfg.Stop.Grace = "twin", time.Second
	a, err := app.New(t.Context(), cfg, app.Options{Parts: app.Parts{Orchestrate: true, Work: true}, Model: script})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	c := &chat{a, t, commands.New(commands.Deps{Orchestrator: a.Orchestrator, Journal: a.Journal, Projection: a.Projection, Memory: a.Memory}), map[string]int{}}
	return c, func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}
