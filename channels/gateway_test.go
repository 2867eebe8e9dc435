package channels_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

func placed(t *journal.Task) bool { return t.Placeholder != "" }

func TestAnswerReplacesThePlaceholder(t *testing.T) {
	r := newRig(t)
	r.start()
	m := r.say(anna, "count the errors", 100)
	r.until(m.id, placed)
	r.append(m.id, journal.Claimed, journal.ClaimedData{Node: "n"})
	r.append(m.id, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1", Tool: "grep"}}})
	working := text.En.Working(1, "grep")
	if _, err := r.srv.WaitChat(r.ctx(), anna, func(all []telegramtest.Message) bool {
		return slices.ContainsFunc(all, func(m telegramtest.Message) bool { return m.Text == working })
	}); err != nil {
		t.Fatalf("no progress: %v%s", err, r.chats())
	}
	if err := r.srv.Wait(r.ctx(), func() bool { return r.srv.Typing(anna) > 0 }); err != nil {
		t.Error("nobody was seen typing")
	}
	r.complete(m.id, "There are **2** errors.")
	r.delivered(m.id)
	r.want(anna, "There are 2 errors.")
	got := r.srv.FromBot(anna)[0]
	if !got.Silent || got.ReplyTo != m.message || got.Edits[0].Text != text.En.Received() {
		t.Errorf("the placeholder was silent=%v, reply to %d, %q first", got.Silent, got.ReplyTo, got.Edits)
	}
	if err := r.srv.Wait(r.ctx(), func() bool { return r.srv.Chat(anna)[0].Reaction != "" }); err != nil {
		t.Error("no receipt")
	}
}

// Whoever waits is told that an endpoint is silent, and what is done about it.
func TestSilenceIsShown(t *testing.T) {
	r := newRig(t)
	r.start()
	m := r.say(anna, "count the errors", 100)
	r.until(m.id, placed)
	for _, next := range []string{"near", "far"} {
		r.append(m.id, journal.Stalled, journal.StalledData{Endpoint: "near", Next: next, Try: 1})
		want := text.En.Stalled("near", next)
		if _, err := r.srv.WaitChat(r.ctx(), anna, func(all []telegramtest.Message) bool {
			return slices.ContainsFunc(all, func(m telegramtest.Message) bool { return m.Text == want })
		}); err != nil {
			t.Fatalf("%q was not shown: %v%s", want, err, r.chats())
		}
	}
	r.complete(m.id, "42")
	r.delivered(m.id)
	r.want(anna, "42")
}

// What a task ends with, and what the person reads.
func TestEveryEndHasWords(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind akitad.EventKind
		end  journal.EndData
		want string
	}{
		{"answer", journal.Completed, journal.EndData{Result: &akitad.Result{Text: "42"}}, "42"},
		{"no words", journal.Completed, journal.EndData{Result: &akitad.Result{}}, text.En.NoAnswer(0)},
		{"not taken", journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.Overloaded, Message: "too many wait"}}, text.En.Crowded()},
		{"failure", journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.Timeout, Message: "internal detail"}}, text.En.Failed(akitad.Failure{Kind: akitad.Timeout})},
		{
			"failure after a part", journal.Failed,
			journal.EndData{Error: &akitad.Failure{Kind: akitad.Timeout}, Result: &akitad.Result{Text: "so far"}},
			"so far\n\n" + text.En.Failed(akitad.Failure{Kind: akitad.Timeout}),
		},
		{"stopped", journal.Cancelled, journal.EndData{Error: &akitad.Failure{Kind: akitad.Cancelled}}, text.En.Cancelled()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.start()
			m := r.say(anna, "go", 100)
			r.append(m.id, tt.kind, tt.end)
			r.delivered(m.id)
			r.want(anna, tt.want)
		})
	}
}

// What the person is to be told with a task comes once, above its placeholder, over a restart too.
func TestANoticeComesOnce(t *testing.T) {
	r := newRig(t)
	who := strconv.FormatInt(anna, 10)
	id := akitad.DeriveTaskID("test", "noticed")
	msg := r.srv.Say(stranger, anna, "go", telegramtest.Said{})
	_, _, err := r.journal.Create(r.ctx(), id, journal.SubmittedData{
		Root: id, Session: akitad.DeriveSessionKey("telegram", who, ""), Text: "go", Profile: "assistant", Notice: "most of the day is used",
		Origin: akitad.Origin{Channel: "telegram", Chat: who, Sender: who, Message: strconv.Itoa(msg), Lang: "en"},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.start()
	r.until(id, func(t *journal.Task) bool { return t.Placeholder != "" })
	r.restart()
	r.complete(id, "the answer")
	r.delivered(id)
	r.want(anna, "most of the day is used", "the answer")
}

// A task may end before anything of the gateway exists, or between its runs.
func TestNothingIsMissedBeforeTheStart(t *testing.T) {
	r := newRig(t)
	early := r.submit(anna, 1, "first")
	r.complete(early, "answer first")
	r.start()
	r.delivered(early)
	r.stop()
	between := r.submit(anna, 2, "second")
	r.append(between, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "Which one?"})
	r.start()
	r.until(between, func(t *journal.Task) bool { return t.SaidSeq == t.WaitSeq && t.WaitSeq > 0 })
	r.complete(between, "answer second")
	r.delivered(between)
	r.want(anna, "answer first", "answer second", "Which one?", text.En.Done())
}

// The gateway stops and starts after every event of a task, at once or when all that is due was said.
// The chat ends the same.
func TestRestartBetweenEveryTwoEvents(t *testing.T) {
	now := time.Now()
	steps := []func(r *rig, id akitad.TaskID){
		func(r *rig, id akitad.TaskID) { r.until(id, (*journal.Task).Exists) },
		func(r *rig, id akitad.TaskID) { r.append(id, journal.Claimed, journal.ClaimedData{Node: "n"}) },
		func(r *rig, id akitad.TaskID) {
			r.append(id, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1", Tool: "ask_user"}}})
		},
		func(r *rig, id akitad.TaskID) {
			r.append(id, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "c1"}}, Open: []journal.OpenCall{{ID: "c1", Tool: "ask_user", Kind: "answer", Until: &now}}})
		},
		func(r *rig, id akitad.TaskID) {
			r.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "Which one?"})
			r.until(id, func(t *journal.Task) bool { return t.SaidSeq > 0 })
		},
		func(r *rig, id akitad.TaskID) { r.append(id, journal.Answered, journal.AnsweredData{Call: "c1"}) },
		func(r *rig, id akitad.TaskID) { r.append(id, journal.Claimed, journal.ClaimedData{Node: "n"}) },
		func(r *rig, id akitad.TaskID) { r.complete(id, "the answer") },
	}
	for k := range steps {
		for _, settled := range []bool{false, true} {
			t.Run(fmt.Sprintf("after %d settled %v", k, settled), func(t *testing.T) {
				r := newRig(t)
				r.start()
				m := r.say(anna, "go", 100)
				for i, step := range steps {
					step(r, m.id)
					if i != k {
						continue
					}
					if settled {
						r.until(m.id, func(t *journal.Task) bool { return placed(t) && (!t.Final() || t.Delivered) })
					}
					r.restart()
				}
				r.delivered(m.id)
				r.want(anna, "the answer", "Which one?", text.En.Done()) // the answer stands above what was said last
			})
		}
	}
}

// Whatever goes wrong while the answer is sent, it is there once, whole and in order.
func TestAnswerArrivesOnceWhateverFails(t *testing.T) {
	long := strings.Repeat("first part ", 300) + "\n\n" + strings.Repeat("second part ", 300)
	for _, tt := range []struct {
		name  string
		fault telegramtest.Fault
		text  string
	}{
		{"three times refused", telegramtest.Fault{Method: "editMessageText", Code: 502, Times: 3}, "42"},
		{"lost after it took effect", telegramtest.Fault{Method: "editMessageText", Drop: true, Apply: true, Times: 3}, "42"},
		{"too fast", telegramtest.Fault{Method: "editMessageText", Code: 429, RetryAfter: 1, Times: 2}, "42"},
		{"not a word of the API", telegramtest.Fault{Method: "editMessageText", Code: 500, Body: "<html>oops"}, "42"},
		{"the placeholder could not be sent", telegramtest.Fault{Method: "sendMessage", Code: 500}, "42"},
		{"the second part is refused at first", telegramtest.Fault{Method: "sendMessage", Code: 429, RetryAfter: 1}, long},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.start()
			m := r.say(anna, "go", 100)
			if tt.fault.Method == "editMessageText" || tt.text == long {
				r.until(m.id, placed)
			}
			r.srv.Fail(tt.fault)
			r.complete(m.id, tt.text)
			r.delivered(m.id)
			got := strings.Join(r.texts(anna), "|")
			if tt.text == "42" && got != "42" {
				t.Errorf("the chat shows %q", got)
			}
			if tt.text == long && (strings.Count(got, "first part") != 300 || strings.Count(got, "second part") != 300 || strings.Index(got, "second") < strings.LastIndex(got, "first")) {
				t.Errorf("the chat shows %q", got)
			}
		})
	}
}

// A part that the service refuses for good does not take the others with it, is told, and is on record.
func TestRefusedPartIsPassedOver(t *testing.T) {
	r := newRig(t)
	hash, err := r.bus.PutArtifact(t.Context(), []byte("bytes"))
	if err != nil {
		t.Fatal(err)
	}
	r.start()
	m := r.say(anna, "go", 100)
	r.until(m.id, placed)
	r.srv.Fail(telegramtest.Fault{Method: "sendDocument", Code: 400, Description: "Bad Request: wrong file"})
	r.append(m.id, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "two files", Artifacts: []akitad.File{
		{Name: "a.txt", Artifact: hash, Size: 5}, {Name: "b.txt", Artifact: hash, Size: 5}, {Name: "never-stored.txt"},
	}}})
	if got := r.delivered(m.id); len(got.Sent) != 3 {
		t.Errorf("%d messages are on record, want 3", len(got.Sent))
	}
	all := r.srv.FromBot(anna)
	if len(all) != 3 || all[1].File == nil || all[1].File.Name != "b.txt" || !strings.Contains(all[2].Text, "Not all of this answer") {
		t.Errorf("the chat: %s", r.chats())
	}
}

// A person who has blocked the bot is given up once, and the next answer of the chat is tried.
func TestBlockedChatIsGivenUp(t *testing.T) {
	r := newRig(t)
	r.start()
	r.srv.Fail(telegramtest.Fault{Chat: anna, Code: 403, Description: "Forbidden: bot was blocked by the user", Times: -1})
	first := r.say(anna, "go", 100)
	r.complete(first.id, "lost")
	if got := r.delivered(first.id); len(got.Sent) != 0 {
		t.Errorf("%v were sent", got.Sent)
	}
	r.srv.Heal()
	second := r.say(anna, "again", 101)
	r.complete(second.id, "found")
	r.delivered(second.id)
	r.want(anna, "found")
}

// An end that comes again, after its answer was delivered, sends nothing.
func TestAnEndThatComesAgain(t *testing.T) {
	r := newRig(t)
	r.opts.SlowAfter = time.Nanosecond
	r.start()
	m := r.say(anna, "go", 100)
	r.complete(m.id, "42")
	r.delivered(m.id)
	r.complete(m.id, "43")
	next := r.say(anna, "again", 101)
	r.complete(next.id, "44") // behind it in the same lane
	r.delivered(next.id)
	r.want(anna, "42", text.En.Done(), "44", text.En.Done())
}

// late is a channel whose progress reaches the service late.
type late struct {
	channels.Channel
	entered chan struct{}
	release chan struct{}
}

func (l late) Progress(ctx context.Context, to akitad.Origin, message, words string) error {
	l.entered <- struct{}{}
	<-l.release
	return l.Channel.Progress(ctx, to, message, words)
}

// slowStart is a channel whose placeholders take their time.
type slowStart struct {
	channels.Channel
	entered chan struct{}
	release chan struct{}
}

func (s slowStart) Placeholder(ctx context.Context, to akitad.Origin, words, key string) (string, error) {
	s.entered <- struct{}{}
	<-s.release
	return s.Channel.Placeholder(ctx, to, words, key)
}

// What the agent does while the placeholder is on its way is shown once that has arrived, also when the
// task is tried again.
func TestProgressThatIsFasterThanThePlaceholder(t *testing.T) {
	r := newRig(t)
	slow := slowStart{entered: make(chan struct{}), release: make(chan struct{})}
	r.wrap = func(ch channels.Channel) channels.Channel { slow.Channel = ch; return slow }
	r.start()
	m := r.say(anna, "go", 100)
	meanwhile := func(round int, tool string) {
		<-slow.entered
		r.append(m.id, journal.Claimed, journal.ClaimedData{Node: "n"})
		r.append(m.id, journal.Thought, journal.ThoughtData{Round: round, Calls: []akitad.Call{{ID: "c1", Tool: tool}}})
		slow.release <- struct{}{}
		if _, err := r.srv.WaitChat(r.ctx(), anna, func([]telegramtest.Message) bool {
			return slices.Contains(r.texts(anna), text.En.Working(round, tool))
		}); err != nil {
			t.Fatalf("no progress: %s", r.chats())
		}
	}
	meanwhile(1, "grep")
	r.append(m.id, journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.Timeout}})
	r.delivered(m.id)
	r.append(m.id, journal.Retried, journal.RetriedData{})
	meanwhile(2, "glob")
}

// A line of progress that is on its way when the task ends does not overwrite the answer.
func TestLateProgressDoesNotHideTheAnswer(t *testing.T) {
	r := newRig(t)
	slow := late{entered: make(chan struct{}, 9), release: make(chan struct{})}
	r.wrap = func(ch channels.Channel) channels.Channel { slow.Channel = ch; return slow }
	r.start()
	m := r.say(anna, "go", 100)
	r.until(m.id, placed)
	r.append(m.id, journal.Claimed, journal.ClaimedData{Node: "n"})
	r.append(m.id, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1", Tool: "grep"}}})
	<-slow.entered
	r.complete(m.id, "the answer")
	// The answer must wait for the line: give it every chance not to.
	short, cancel := context.WithTimeout(r.ctx(), 300*time.Millisecond)
	defer cancel()
	if task, err := r.journal.Wait(short, m.id, func(t *journal.Task) bool { return t.Delivered }); err == nil {
		t.Errorf("delivered (%v) while progress is on its way", task.Sent)
	}
	close(slow.release)
	r.delivered(m.id)
	r.want(anna, "the answer")
}

// Twenty messages of one chat end at the same moment: placeholders and answers stand in order.
func TestOrderInAChat(t *testing.T) {
	r := newRig(t)
	r.start()
	var ids []akitad.TaskID
	var want []string
	for i := range 20 {
		ids = append(ids, r.submit(anna, i, fmt.Sprintf("question %d", i)))
		want = append(want, fmt.Sprintf("answer %d", i))
	}
	for i, id := range ids {
		r.complete(id, want[i])
	}
	for _, id := range ids {
		r.delivered(id)
	}
	r.want(anna, want...)
}

// A server that was killed brings events again in any order, and a chat service may refuse one message and
// take the next: in the chat what belongs to the earlier of two messages of a session stands first all the
// same, and is said first.
func TestOrderInAChatWhoseEventsComeInDisorder(t *testing.T) {
	r := newRig(t)
	r.srv.Fail(telegramtest.Fault{Method: "sendMessage", Chat: anna, Code: http.StatusBadRequest, Description: "Bad Request: not now", Times: 1})
	first := r.submit(anna, 0, "question 0")
	second := r.follow(anna, 1, "question 1", first)
	r.complete(second, "answer 1")
	r.complete(first, "answer 0")
	r.start()
	if one, two := r.delivered(first), r.delivered(second); !one.Updated.Before(two.Updated) {
		t.Errorf("the first was answered at %s, the second at %s", one.Updated, two.Updated)
	}
	r.want(anna, "answer 0", "answer 1")
}

func TestSlowAnswerNotifies(t *testing.T) {
	for _, tt := range []struct {
		slow time.Duration
		end  func(*rig, akitad.TaskID)
		want []string
	}{
		{time.Nanosecond, func(r *rig, id akitad.TaskID) { r.complete(id, "42") }, []string{"42", text.En.Done()}},
		{time.Hour, func(r *rig, id akitad.TaskID) { r.complete(id, "42") }, []string{"42"}},
		{time.Nanosecond, func(r *rig, id akitad.TaskID) {
			r.append(id, journal.Cancelled, journal.EndData{Error: &akitad.Failure{Kind: akitad.Cancelled}})
		}, []string{text.En.Cancelled()}},
		{time.Nanosecond, func(r *rig, id akitad.TaskID) {
			r.append(id, journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.Timeout}, Result: &akitad.Result{Text: "so far"}})
		}, []string{"so far\n\n" + text.En.Failed(akitad.Failure{Kind: akitad.Timeout})}},
	} {
		r := newRig(t)
		r.opts.SlowAfter = tt.slow
		r.start()
		m := r.say(anna, "go", 100)
		tt.end(r, m.id)
		r.delivered(m.id)
		r.want(anna, tt.want...)
		last := r.srv.FromBot(anna)[len(tt.want)-1]
		if len(tt.want) == 2 && (last.Silent || last.ReplyTo != m.message) {
			t.Errorf("the notifying message is silent=%v and replies to %d", last.Silent, last.ReplyTo)
		}
	}
}

// echo serves /echo and fails at /fail as often as it is told to.
type echo struct{ fails chan struct{} }

func (e echo) Run(_ context.Context, m akitad.Message) (string, bool, error) {
	switch {
	case strings.HasPrefix(m.Text, "/fail"):
		select {
		case <-e.fails:
			return "", true, fmt.Errorf("the store is away")
		default:
			return "mended", true, nil
		}
	case strings.HasPrefix(m.Text, "/echo "):
		return m.Text[len("/echo "):], true, nil
	}
	return "", false, nil
}

func TestCommands(t *testing.T) {
	r := newRig(t)
	fails := make(chan struct{}, 1)
	fails <- struct{}{}
	r.opts.Commands = echo{fails}
	r.start()
	r.say(anna, "/fail", 100)
	r.say(anna, "/echo hello", 101)
	words := r.say(anna, "/etc/hosts has what?", 102)
	r.complete(words.id, "an answer")
	r.delivered(words.id)
	want := []string{"mended", "hello", "an answer"}
	if _, err := r.srv.WaitChat(r.ctx(), anna, func([]telegramtest.Message) bool { return len(r.texts(anna)) == 3 }); err != nil {
		t.Fatal(r.chats())
	}
	got := r.texts(anna)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the chat shows %q, want %q", got, want)
	}
}

// A chat that has to wait keeps nobody else waiting, neither with its answers nor with its commands.
func TestOneSlowChatDoesNotHoldTheOthers(t *testing.T) {
	r := newRig(t)
	r.opts.Commands = echo{}
	r.opts.Grace = time.Millisecond
	r.start()
	r.srv.Fail(telegramtest.Fault{Method: "sendMessage", Chat: anna, Code: 429, RetryAfter: 3600, Times: -1})
	r.say(anna, "/echo hello", 100)
	r.say(anna, "a question", 101)
	m := r.say(boris, "another", 102)
	r.complete(m.id, "42")
	r.delivered(m.id)
	r.want(boris, "42")
	r.want(anna)
}

func TestQueuedIsToldItsPlace(t *testing.T) {
	r := newRig(t)
	r.opts.Place = func(context.Context, akitad.SessionKey, akitad.TaskID) (int, error) { return 3, nil }
	r.start()
	id := akitad.DeriveTaskID("queued")
	r.srv.Say(stranger, anna, "x", telegramtest.Said{})
	_, _, err := r.journal.Create(t.Context(), id, journal.SubmittedData{
		Root: id, Queued: true, Session: "s-x", Profile: "assistant",
		Origin: akitad.Origin{Channel: "telegram", Chat: fmt.Sprint(anna), Sender: fmt.Sprint(anna), Lang: "zh"},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.until(id, placed)
	r.want(anna, text.Zh.Queued(3))
	r.append(id, journal.Woken, journal.WokenData{})
	if _, err := r.srv.WaitChat(r.ctx(), anna, func([]telegramtest.Message) bool { return slices.Equal(r.texts(anna), []string{text.Zh.Received()}) }); err != nil {
		t.Errorf("its turn is not shown: %s", r.chats())
	}
}

// Behind a task that waits for the person it is told that an answer is waited for.
func TestQueuedBehindAQuestion(t *testing.T) {
	r := newRig(t)
	r.opts.Place = func(context.Context, akitad.SessionKey, akitad.TaskID) (int, error) { return 2, nil }
	r.start()
	asking := r.say(anna, "which one", 100)
	r.opened(asking.id)
	r.stop()
	r.opts.Running = func(context.Context, akitad.SessionKey) (akitad.TaskID, bool, error) { return asking.id, true, nil }
	r.start()
	id := akitad.DeriveTaskID("queued")
	_, _, err := r.journal.Create(t.Context(), id, journal.SubmittedData{
		Root: id, Queued: true, Session: "s-x", Profile: "assistant",
		Origin: akitad.Origin{Channel: "telegram", Chat: fmt.Sprint(boris), Sender: fmt.Sprint(boris), Lang: "en"},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.srv.Say(stranger, boris, "x", telegramtest.Said{})
	r.until(id, placed)
	r.want(boris, text.En.QueuedBehindQuestion(2))
}

// opened has the task wait for an answer.
func (r *rig) opened(id akitad.TaskID) {
	r.append(id, journal.Round, journal.RoundData{Open: []journal.OpenCall{{ID: "c1", Kind: "answer", Payload: []byte(`{"text":"Which?"}`)}}})
	r.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "Which?"})
}

// Progress goes on after a restart, from where it stood.
func TestProgressGoesOnAfterARestart(t *testing.T) {
	r := newRig(t)
	var id akitad.TaskID
	r.opts.Open = func(context.Context, string) ([]akitad.TaskID, error) { return []akitad.TaskID{id}, nil }
	r.start()
	m := r.say(anna, "go", 100)
	r.until(m.id, placed)
	id = m.id
	r.restart()
	r.append(id, journal.Claimed, journal.ClaimedData{Node: "n"})
	r.append(id, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1", Tool: "glob"}}})
	if _, err := r.srv.WaitChat(r.ctx(), anna, func([]telegramtest.Message) bool {
		return slices.Equal(r.texts(anna), []string{text.En.Working(1, "glob")})
	}); err != nil {
		t.Error(r.chats())
	}
}

// cutOff sends a placeholder and does not live to tell its id.
type cutOff struct {
	channels.Channel
	sent chan struct{}
}

func (c cutOff) Placeholder(ctx context.Context, to akitad.Origin, words, key string) (string, error) {
	if _, err := c.Channel.Placeholder(ctx, to, words, key); err != nil {
		return "", err
	}
	close(c.sent)
	<-ctx.Done()
	return "", ctx.Err()
}

// A placeholder whose id nobody recorded can be edited by nobody: the next one says where the answer will
// be, and the answer is there once.
func TestAPlaceholderLeftBehind(t *testing.T) {
	r := newRig(t)
	sent := make(chan struct{})
	r.opts.Grace = time.Millisecond
	r.wrap = func(ch channels.Channel) channels.Channel { return cutOff{ch, sent} }
	r.start()
	m := r.say(anna, "go", 100)
	select {
	case <-sent:
	case <-r.ctx().Done():
		t.Fatal("no placeholder was sent")
	}
	r.stop()
	r.wrap = nil
	r.start()
	r.until(m.id, placed)
	r.want(anna, text.En.Received(), text.En.Restarted())
	r.complete(m.id, "the answer")
	r.delivered(m.id)
	r.want(anna, text.En.Received(), "the answer")
}

// keyed notes the keys of placeholders, and loses the ids of the first ones.
type keyed struct {
	channels.Channel
	keys chan string
	lose int
}

func (k *keyed) Placeholder(ctx context.Context, to akitad.Origin, words, key string) (string, error) {
	k.keys <- key
	if k.lose--; k.lose >= 0 {
		return "", akitad.Errorf(akitad.Transport, "it came, but nobody knows its id")
	}
	return k.Channel.Placeholder(ctx, to, words, key)
}

// A placeholder that may be in the chat is sent again by the same key, also after a restart; a task that begins anew
// has another, and so has another task.
func TestKeysOfPlaceholders(t *testing.T) {
	r := newRig(t)
	keys := make(chan string, 99)
	r.wrap = func(ch channels.Channel) channels.Channel { return &keyed{ch, keys, 1} }
	r.start()
	m := r.say(anna, "go", 100)
	next := func() (key string) {
		select {
		case key = <-keys:
		case <-r.ctx().Done():
			t.Error("no placeholder was sent")
		}
		return key
	}
	first := next()
	r.restart()
	r.append(m.id, journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.Timeout}})
	r.delivered(m.id)
	for len(keys) > 0 {
		if key := next(); key != first {
			t.Errorf("the same placeholder has the keys %q and %q", first, key)
		}
	}
	r.append(m.id, journal.Retried, journal.RetriedData{})
	second := next()
	r.say(boris, "go", 101)
	third := next()
	if first == second || second == third || first == third || len(first) > 50 {
		t.Errorf("three placeholders have the keys %q, %q, %q", first, second, third)
	}
}

// A channel whose token is refused says so, and still delivers what is owed.
func TestDeliversWhileNothingIsReceived(t *testing.T) {
	r := newRig(t)
	r.srv.Fail(telegramtest.Fault{Method: "getMe", Code: 401, Description: "Unauthorized", Times: -1})
	r.start()
	m := r.submit(anna, 1, "sent while nothing is received")
	r.complete(m, "42")
	r.delivered(m)
	r.want(anna, "42")
	for name, err := range r.gateway.Health() {
		if name != "telegram" || akitad.KindOf(err) != akitad.Auth {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// In a group all share a session, or each has one.
func TestSessionsInAGroup(t *testing.T) {
	for _, per := range []bool{false, true} {
		r := newRig(t)
		r.opts.PerSender = map[string]bool{"telegram": per}
		r.start()
		r.srv.Say(anna, group, "@akita_bot one", telegramtest.Said{UpdateID: 100})
		r.srv.Say(boris, group, "@akita_bot two", telegramtest.Said{UpdateID: 101})
		a := r.until(akitad.DeriveTaskID("telegram", "tg:100"), (*journal.Task).Exists).Sub
		b := r.until(akitad.DeriveTaskID("telegram", "tg:101"), (*journal.Task).Exists).Sub
		if (a.Session == b.Session) == per || a.Origin.Sender == b.Origin.Sender {
			t.Errorf("per sender %v: %s and %s", per, a.Session, b.Session)
		}
	}
}

// A text that is too long to travel with the message arrives whole.
func TestLongTextArrives(t *testing.T) {
	r := newRig(t)
	r.start()
	long := strings.Repeat("長い話。", 3000)
	m := r.say(anna, long, 100)
	got := r.until(m.id, (*journal.Task).Exists).Sub
	body, err := r.bus.GetArtifact(t.Context(), got.Text)
	if err != nil || string(body) != long {
		t.Errorf("%d of %d bytes arrived (%v)", len(body), len(long), err)
	}
}

// Who edits a message is told once that the change does not count, and no task comes of it.
func TestEditsAreAnsweredOnce(t *testing.T) {
	r := newRig(t)
	r.start()
	m := r.say(anna, "helo", 100)
	for i := range 3 {
		if _, err := r.srv.Push(fmt.Sprintf(`{"update_id":%d,"edited_message":{"message_id":1,"date":1700000000,"edit_date":1700000009,"from":{"id":%d},"chat":{"id":%d,"type":"private"},"text":"hello %d"}}`, 101+i, anna, anna, i)); err != nil {
			t.Fatal(err)
		}
	}
	r.complete(m.id, "hi")
	r.delivered(m.id)
	after := r.say(anna, "next", 110)
	r.complete(after.id, "done")
	r.delivered(after.id)
	told := 0
	for _, words := range r.texts(anna) {
		if words == text.En.EditNotSeen() {
			told++
		}
	}
	if told != 1 || len(r.came()) != 2 {
		t.Errorf("told %d times, %d messages came; the chat: %q", told, len(r.came()), r.texts(anna))
	}
}
