package channels_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// A stranger costs nothing: no task, no file is fetched, no word is said, no receipt is shown.
func TestStrangersCostNothing(t *testing.T) {
	r := newRig(t)
	r.start()
	upload := &telegramtest.Upload{Name: "x.txt", Bytes: []byte("x")}
	r.srv.Say(stranger, 0, "let me in", telegramtest.Said{File: upload, UpdateID: 100})
	r.srv.Say(stranger, group, "@akita_bot let me in", telegramtest.Said{File: upload, UpdateID: 101})
	r.srv.Say(anna, -200, "@akita_bot another group", telegramtest.Said{UpdateID: 102})
	r.srv.Say(anna, group, "not to the bot", telegramtest.Said{UpdateID: 103})
	r.complete(r.say(anna, "hello", 104).id, "hi") // all before it have been looked at
	r.delivered(akitad.DeriveTaskID("telegram", "tg:104"))
	for update := 100; update < 104; update++ {
		if task, err := r.journal.Load(t.Context(), akitad.DeriveTaskID("telegram", fmt.Sprint("tg:", update))); err != nil || task.Exists() {
			t.Errorf("update %d became a task (%v)", update, err)
		}
	}
	for _, c := range r.srv.Calls("") {
		if id := c.Params["chat_id"]; c.Method == "getFile" || id != "" && id != fmt.Sprint(anna) {
			t.Errorf("the bot did %s in chat %s", c.Method, id)
		}
	}
}

// A stranger is told a code once, in his language, and that he was let in, and is heard after an owner used it, without a restart.
func TestPairingInAChat(t *testing.T) {
	r := newRig(t)
	r.access.Pairing = true
	r.start()
	r.srv.Say(stranger, 0, "让我进来", telegramtest.Said{UpdateID: 100})
	r.srv.Say(stranger, 0, "快点", telegramtest.Said{UpdateID: 101})
	if _, err := r.srv.WaitChat(r.ctx(), stranger, func([]telegramtest.Message) bool { return len(r.texts(stranger)) == 1 }); err != nil {
		t.Fatal(err)
	}
	if err := r.srv.Wait(r.ctx(), func() bool { return r.srv.Confirmed() == 101 }); err != nil { // else the second counts
		t.Fatal(err)
	}
	told := r.texts(stranger)[0]
	_, code, _ := strings.Cut(told, "akitad channel pair ")
	code, _, _ = strings.Cut(code, "\n")
	if told != text.Zh.Pairing(code) {
		t.Errorf("the stranger was told %q", told)
	}
	if _, err := r.opts.Access["telegram"].Pair(t.Context(), code, "cli"); err != nil {
		t.Fatal(err)
	}
	letIn := text.Zh.LetIn()
	if _, err := r.srv.WaitChat(r.ctx(), stranger, func([]telegramtest.Message) bool { return slices.Contains(r.texts(stranger), letIn) }); err != nil {
		t.Fatalf("who was let in is not told: %q", r.texts(stranger))
	}
	m := r.say(stranger, "and now?", 102)
	r.complete(m.id, "welcome")
	r.delivered(m.id)
	r.want(stranger, told, letIn, "welcome")
	if o := r.until(m.id, (*journal.Task).Exists).Sub.Origin; o.Owner || o.Name == "" {
		t.Errorf("origin %+v", o)
	}
}

func TestOwnerAndGroupAreOnRecord(t *testing.T) {
	r := newRig(t)
	r.start()
	r.say(anna, "one", 100)
	r.srv.Say(boris, group, "@akita_bot two", telegramtest.Said{UpdateID: 101})
	for update, want := range map[int][2]bool{100: {true, false}, 101: {false, true}} {
		o := r.until(akitad.DeriveTaskID("telegram", fmt.Sprint("tg:", update)), (*journal.Task).Exists).Sub.Origin
		if o.Owner != want[0] || o.Group != want[1] {
			t.Errorf("update %d: %+v", update, o)
		}
	}
}

// A group that got a new id goes on with its conversation, after a restart too.
func TestMovedGroupGoesOn(t *testing.T) {
	r := newRig(t)
	r.start()
	r.srv.Say(anna, group, "@akita_bot one", telegramtest.Said{UpdateID: 100})
	const moved = -1001557000001
	for range 2 {
		if _, err := r.srv.Push(fmt.Sprintf(`{"message":{"message_id":90,"from":{"id":7},"chat":{"id":%d,"type":"group"},"migrate_to_chat_id":%d}}`, group, moved)); err != nil {
			t.Fatal(err)
		}
	}
	r.srv.Say(anna, moved, "@akita_bot two", telegramtest.Said{UpdateID: 200})
	session := func(update int) akitad.SessionKey {
		return r.until(akitad.DeriveTaskID("telegram", fmt.Sprint("tg:", update)), (*journal.Task).Exists).Sub.Session
	}
	first, second := session(100), session(200)
	r.restart()
	r.srv.Say(anna, moved, "@akita_bot three", telegramtest.Said{UpdateID: 201})
	if all := []akitad.SessionKey{first, second, session(201)}; len(slices.Compact(all)) != 1 {
		t.Errorf("the conversation fell apart: %v", all)
	}
}

// Sessions of private chats are of one person each, and per-sender sessions are of groups only.
func TestPrivateSessions(t *testing.T) {
	for _, per := range []bool{false, true} {
		r := newRig(t)
		r.opts.PerSender = map[string]bool{"telegram": per}
		r.start()
		r.say(anna, "one", 100)
		r.say(boris, "two", 101)
		seen := map[int64]akitad.SessionKey{}
		for id, who := range map[int]int64{100: anna, 101: boris} {
			seen[who] = r.until(akitad.DeriveTaskID("telegram", fmt.Sprint("tg:", id)), (*journal.Task).Exists).Sub.Session
		}
		if seen[anna] == seen[boris] || seen[anna] != akitad.DeriveSessionKey("telegram", fmt.Sprint(anna), "") {
			t.Errorf("per sender %v: %v", per, seen)
		}
	}
}

// A channel that nobody wrote a list for lets nobody in.
func TestChannelWithoutAccess(t *testing.T) {
	r := newRig(t)
	r.opts.Access = map[string]*access.Door{"another": access.New(r.bus, "another", access.Options{Allow: []string{"*"}})}
	r.start()
	r.say(anna, "hello", 100)
	if err := r.srv.Wait(r.ctx(), func() bool { return r.srv.Confirmed() == 100 }); err != nil {
		t.Fatal(err)
	}
	if n := len(r.texts(anna)); n != 0 {
		t.Errorf("the bot said %q", r.texts(anna))
	}
}
