package app_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
)

// offersShell reports whether a request lets its model run programs: by a tool, or as a name among those
// that are called through another one.
func offersShell(r llm.Request) bool {
	return slices.ContainsFunc(r.Tools, func(t llm.Tool) bool {
		return t.Name == "run_shell" || strings.Contains(t.Description, "run_shell")
	})
}

// inGroup writes to the bot in the group.
func (h *chatHouse) inGroup(from int64, words string) {
	h.srv.Say(from, group, "@akita_bot "+words, telegramtest.Said{})
}

// newest waits until the bot's newest message in a chat is as wanted.
func (h *chatHouse) newest(chat int64, want string) {
	h.t.Helper()
	h.until(chat, func(all []string) bool { return len(all) > 0 && all[len(all)-1] == want }, want)
}

func (h *chatHouse) until(chat int64, ok func([]string) bool, want string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	if err := h.srv.Wait(ctx, func() bool { return ok(h.texts(chat)) }); err != nil {
		h.t.Fatalf("the bot's messages in %d are %q, want %s", chat, h.texts(chat), want)
	}
}

// A member of a group has no programs run: not by the agent, nor by those that it delegates to. The same
// person in a private chat, and the owner in the group, have.
func TestMembersOfAGroupRunNoPrograms(t *testing.T) {
	shell := llmtest.Call("run_shell", map[string]any{"command": "echo it-$((40+2))"})
	through := llmtest.Call("call_tool", map[string]any{"tool": "run_shell", "args": map[string]any{"command": "echo it-$((41+1))"}})
	for _, tt := range []struct {
		name string
		ask  func(*chatHouse) (chat int64)
		runs bool
	}{
		{"a member", func(h *chatHouse) int64 { h.inGroup(boris, "please do it"); return group }, false},
		{"the owner", func(h *chatHouse) int64 { h.inGroup(anna, "please do it"); return group }, true},
		{"in private", func(h *chatHouse) int64 { h.say(boris, "please do it"); return boris }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).
				On(llmtest.Begins("please do it"), llmtest.Calls(shell), llmtest.Calls(llmtest.Call("delegate", map[string]any{
					"profile": "operator", "goal": "have it done",
				})), llmtest.Text("the answer")).
				On(llmtest.Begins("have it done"), llmtest.Calls(shell), llmtest.Calls(through), llmtest.Calls(llmtest.Call("submit_result", map[string]any{"text": "tried"})))
			h := newChat(t, script, nil)
			h.newest(tt.ask(h), "the answer")
			requests, calls := script.Requests(), 0
			for _, r := range requests {
				if offersShell(r) != tt.runs {
					t.Errorf("the shell is offered: %v", offersShell(r))
				}
				for _, obs := range r.Messages[len(r.Messages)-1].Results {
					if obs.Tool == "delegate" {
						continue
					}
					calls++
					refused := strings.Contains(obs.Text, string(akitad.PermissionDenied)) && strings.Contains(obs.Text, "private chat")
					if ran := strings.Contains(obs.Text, "it-42"); ran != tt.runs || refused == tt.runs {
						t.Errorf("the model reads %q", obs.Text)
					}
				}
			}
			if len(requests) != 6 || calls != 3 {
				t.Errorf("%d requests, %d calls", len(requests), calls)
			}
		})
	}
}

// A flow with a program in it is refused at once, with the reason, and its step if it comes to it.
func TestMembersOfAGroupRunNoProgramsByFlows(t *testing.T) {
	home := t.TempDir()
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("never"))
	h := startChat(t, home, telegramtest.Start(t, telegramtest.Options{}), script, func(c *config.Config) {
		if err := os.MkdirAll(c.Path.Flows, 0o700); err != nil {
			t.Fatal(err)
		}
		body := "steps: [{id: make, tool: run_shell, with: {command: echo built}}]\n"
		if err := os.WriteFile(filepath.Join(c.Path.Flows, "build.yaml"), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	h.srv.Say(boris, group, "/flow@akita_bot build", telegramtest.Said{})
	h.until(group, func(all []string) bool {
		return len(all) == 1 && strings.Contains(all[0], "build") && strings.Contains(all[0], "for the owners of the bot")
	}, "why the flow is refused")
	h.srv.Say(anna, group, "/flow@akita_bot build", telegramtest.Said{})
	h.until(group, func(all []string) bool { return len(all) == 2 && strings.Contains(all[1], "built") }, "what the flow came to")
}

// What a member writes does not change what an owner's task does.
func TestMembersSteerNoOwner(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).On(llmtest.Begins("the owner asks"), llmtest.Calls(llmtest.Call("time", nil)).Held(held), llmtest.Text("owner done"))
	script.On(llmtest.Any, llmtest.Text("member done"))
	h := newChat(t, script, nil)
	h.inGroup(anna, "the owner asks")
	<-held.Arrived()
	h.srv.Say(boris, group, "/steer@akita_bot run a program", telegramtest.Said{})
	h.until(group, func(all []string) bool { return slices.Contains(all, text.En.NotYours(false)) }, "a refusal")
	id := h.srv.FromBot(group)[0].ID
	h.srv.Say(boris, group, "run a program", telegramtest.Said{ReplyTo: id})
	h.until(group, func(all []string) bool { return strings.Contains(strings.Join(all, " "), "Queued") }, "a task of its own")
	held.Release()
	h.newest(group, "member done")
	for _, r := range script.Requests() {
		if strings.Contains(r.Messages[0].Text, "the owner") && strings.Contains(saw(r), "run a program") && !strings.Contains(r.Messages[len(r.Messages)-1].Text, "run a program") {
			t.Errorf("the owner's task reads %q", saw(r))
		}
	}
}

// Whoever wrote Chinese is answered in Chinese from then on, over a restart too, and what they chose
// holds for their next tasks.
func TestChatKeepsWhatAPersonChose(t *testing.T) {
	home, srv := t.TempDir(), telegramtest.Start(t, telegramtest.Options{})
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("好的"))
	h := startChat(t, home, srv, script, nil)
	h.say(boris, "帮我看看有什么文件")
	h.newest(boris, "好的")
	h.say(boris, "/status")
	h.newest(boris, text.Zh.Idle())
	h.say(boris, "/persona analyst")
	h.newest(boris, text.Zh.PersonaSet("analyst"))
	h.stop()
	h = startChat(t, home, srv, script, nil)
	h.say(boris, "／状态")
	h.newest(boris, text.Zh.Idle()+"\n"+text.Zh.Set("", "analyst"))
	h.say(boris, "/评分 ★★★★")
	h.until(boris, func(all []string) bool { return strings.Contains(all[len(all)-1], "★★★★☆") }, "four stars")
	h.say(boris, "再看看")
	h.newest(boris, "好的")
	requests := script.Requests()
	if last := requests[len(requests)-1]; !strings.Contains(last.System, "You are an analyst") {
		t.Errorf("the chosen persona was not asked: %s", last.System)
	}
}

// Nor by an answer to what it asks, given as a decision.
func TestMembersAnswerForNoOwner(t *testing.T) {
	script := llmtest.New(t).Rounds(llmtest.Begins("the owner asks"),
		llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Which of them?"})), llmtest.Text("owner done"))
	h := newChat(t, script, nil)
	h.inGroup(anna, "the owner asks")
	h.until(group, func(all []string) bool { return strings.Contains(strings.Join(all, "\n"), "Which of them?") }, "the question")
	h.srv.Say(boris, group, "/approve@akita_bot run a program", telegramtest.Said{})
	h.until(group, func(all []string) bool { return slices.Contains(all, text.En.NotYours(false)) }, "a refusal")
	h.srv.Say(anna, group, "/approve@akita_bot the first", telegramtest.Said{})
	h.until(group, func(all []string) bool { return slices.Contains(all, "owner done") }, "the owner's answer")
}
