package channeltest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
)

// receives checks what is handed over of what people write.
func receives(t *testing.T, s Setup) {
	each(t, s, []check{
		{"a message says all that is known", true, says},
		{"once", true, once},
		{"again until it is taken, in order", true, untilTaken},
		{"again after a restart, with the same id", s.Redelivers, afterRestart},
		{"the same event again is the same message", true, sameEvent},
		{"what bots write is left out", true, noBots},
		{"people and chats are told apart", true, apart},
		{"order of each chat", true, inOrder},
		{"a group", s.Group != "", inGroup},
		{"a topic", s.Thread != "", inThread},
		{"replies", s.Replies, replied},
		{"files are named and fetched when asked for", s.FilesIn, filesIn},
		{"what no program knows", true, odd},
	})
}

func says(s *stage) {
	s.run()
	const text = "What is **2 < 3** & \"why\"? 你好 👋\nsecond line"
	id, _ := s.svc.Say(Said{From: s.anna, Text: text})
	m := s.next()
	o := m.Origin
	if m.ID == "" || m.Text != text || m.Press != nil || len(m.Files) != 0 {
		s.t.Errorf("message = %+v", m)
	}
	if o.Channel != s.ch.Name() || o.Chat == "" || o.Sender != s.anna || o.Message != id || o.Group || o.Thread != "" {
		s.t.Errorf("origin = %+v, of message %q by %q", o, id, s.anna)
	}
	if s.Names && o.Name == "" {
		s.t.Error("the sender has no name")
	}
}

// once lets one message come again, once, with its id: the last one before a stop, which may cut off what
// acknowledges it.
func once(s *stage) {
	s.run()
	first, second := s.hears(Said{Text: "one"}), s.hears(Said{Text: "two"})
	s.end()
	s.nothingMore()
	s.connect()
	s.run()
	s.svc.Say(Said{From: s.anna, Text: "three"})
	third := s.next()
	again := third.ID == second.ID && third.Text == second.Text
	if again {
		third = s.next()
	}
	if third.Text != "three" || first.ID == second.ID || second.ID == third.ID || first.ID == third.ID {
		s.t.Errorf("handed over were %q as %q, %q as %q and %q as %q", first.Text, first.ID, second.Text, second.ID, third.Text, third.ID)
	}
	s.end()
	if len(s.got) > 0 && !again {
		if m := <-s.got; m.ID != second.ID {
			s.t.Errorf("handed over again: %+v", m)
		}
	}
	s.nothingMore()
}

// nothingMore says what was handed over besides. Run has ended.
func (s *stage) nothingMore() {
	s.t.Helper()
	for len(s.got) > 0 {
		s.t.Errorf("handed over again: %+v", <-s.got)
	}
}

var errNotNow = &akitad.Error{Kind: akitad.Unavailable, Op: "test", Err: errors.New("cannot be taken now")}

// untilTaken refuses the first message three times: the second one must not pass it.
func untilTaken(s *stage) {
	tries := 0
	s.runWith(func(_ context.Context, m akitad.Message) error {
		if tries++; tries <= 3 {
			s.got <- m
			return errNotNow
		}
		s.got <- m
		return nil
	})
	s.svc.Say(Said{From: s.anna, Text: "one"})
	first := s.next()
	s.svc.Say(Said{From: s.anna, Text: "two"})
	for range 3 {
		if m := s.next(); m.ID != first.ID || m.Text != "one" {
			s.t.Fatalf("%q (%s) was handed over before %q (%s) was taken", m.Text, m.ID, first.Text, first.ID)
		}
	}
	if m := s.next(); m.Text != "two" || m.ID == first.ID {
		s.t.Errorf("after it was taken came %q (%s)", m.Text, m.ID)
	}
}

func afterRestart(s *stage) {
	s.runWith(func(_ context.Context, m akitad.Message) error { s.got <- m; return errNotNow })
	s.svc.Say(Said{From: s.anna, Text: "hello"})
	first := s.next()
	s.end()
	for len(s.got) > 0 {
		<-s.got
	}
	s.connect()
	s.run()
	if again := s.next(); again.ID != first.ID || again.Text != first.Text || again.Origin != first.Origin {
		s.t.Errorf("before the restart %+v, after it %+v", first, again)
	}
}

func sameEvent(s *stage) {
	s.run()
	_, again := s.svc.Say(Said{From: s.anna, Text: "one"})
	first := s.next()
	if again != nil {
		again()
	}
	s.svc.Say(Said{From: s.anna, Text: "two"})
	for m := s.next(); m.Text != "two"; m = s.next() {
		if m.ID != first.ID {
			s.t.Errorf("the same event came as %q and as %q", first.ID, m.ID)
		}
	}
}

func noBots(s *stage) {
	s.run()
	s.svc.Say(Said{From: s.boris, Text: "beep", Bot: true})
	if s.Group != "" {
		s.svc.Say(Said{From: s.boris, Chat: s.Group, Text: "beep", Bot: true, Mention: true})
	}
	s.hears(Said{Text: "a person"})
}

func apart(s *stage) {
	s.run()
	a, b := s.hears(Said{From: s.anna, Text: "anna"}), s.hears(Said{From: s.boris, Text: "boris"})
	if a.Origin.Chat == b.Origin.Chat || a.Origin.Sender == b.Origin.Sender {
		s.t.Errorf("two people's private chats: %+v and %+v", a.Origin, b.Origin)
	}
	s.final(answer(a.Origin, "", "for anna alone"))
	if got := s.bot(b.Origin.Chat); len(got) != 0 {
		s.t.Errorf("what is for one stands in the other's chat: %s", show(got))
	}
}

func inOrder(s *stage) {
	s.run()
	const n = 20
	for i := range n {
		s.svc.Say(Said{From: s.anna, Text: fmt.Sprintf("anna %d", i)})
		s.svc.Say(Said{From: s.boris, Text: fmt.Sprintf("boris %d", i)})
	}
	seen := map[string]int{}
	for range 2 * n {
		m := s.next()
		want := map[string]string{s.anna: "anna", s.boris: "boris"}[m.Origin.Sender]
		if want = fmt.Sprintf("%s %d", want, seen[m.Origin.Sender]); m.Text != want {
			s.t.Fatalf("%q was handed over where %q is next", m.Text, want)
		}
		seen[m.Origin.Sender]++
	}
}

// inGroup lets those messages that are not to the bot be missing: not every service delivers them.
func inGroup(s *stage) {
	s.run()
	s.svc.Say(Said{From: s.anna, Chat: s.Group, Text: "among us"})
	s.svc.Say(Said{From: s.anna, Chat: s.Group, Text: "everybody", MentionAll: true})
	s.svc.Say(Said{From: s.anna, Chat: s.Group, Text: "what do you think", Mention: true})
	m := s.next()
	for ; !m.Addressed; m = s.next() {
	}
	o := m.Origin
	if !holds(m.Text, "what do you think") || !o.Group || o.Chat != s.Group || o.Sender != s.anna {
		s.t.Errorf("what is to the bot came as %+v", m)
	}
	if !s.Replies {
		return
	}
	id := s.placeholder(o, "thinking")
	s.svc.Say(Said{From: s.boris, Chat: s.Group, Text: "go on", ReplyTo: id})
	if m := s.next(); !m.Addressed || m.Origin.Sender != s.boris || m.ReplyTo != id {
		s.t.Errorf("a reply to the bot's message %q came as %+v", id, m)
	}
}

func inThread(s *stage) {
	s.run()
	plain := s.hears(Said{Chat: s.Group, Text: "outside", Mention: true})
	m := s.hears(Said{Chat: s.Group, Text: "inside", Mention: true, Thread: s.Thread})
	if plain.Origin.Thread != "" || m.Origin.Thread == "" || m.Origin.Chat != plain.Origin.Chat {
		s.t.Errorf("origins outside and inside of a topic: %+v, %+v", plain.Origin, m.Origin)
	}
	id := s.placeholder(m.Origin, "thinking")
	s.final(answer(m.Origin, id, "the answer"))
	got := s.bot(s.Group)
	if last := got[len(got)-1]; last.Thread != s.Thread || !holds(last.Text, "the answer") {
		s.t.Errorf("the answer is not in the topic %q: %s", s.Thread, show(got))
	}
}

func replied(s *stage) {
	s.run()
	to := s.meet(s.anna)
	id := s.placeholder(to, "thinking")
	if got := s.message(to.Chat, id); got.ReplyTo != to.Message {
		s.t.Errorf("the placeholder answers %q, want the person's message %q", got.ReplyTo, to.Message)
	}
	if m := s.hears(Said{Text: "and this?", ReplyTo: id}); m.ReplyTo != id {
		s.t.Errorf("a reply to %q came as one to %q", id, m.ReplyTo)
	}
}

func filesIn(s *stage) {
	s.run()
	for _, f := range []File{
		{Name: "notes 1.txt", Bytes: []byte("remember the milk")},
		{Name: "cat.png", Bytes: png, Kind: akitad.FilePhoto},
	} {
		s.svc.Say(Said{From: s.anna, Files: []File{f}})
		m := s.next()
		if len(m.Files) != 1 || m.Files[0].Remote == "" || m.Files[0].Name == "" || m.Files[0].Artifact != "" {
			s.t.Fatalf("a file came as %+v", m)
		}
		if got := s.fetch(m); string(got) != string(f.Bytes) {
			s.t.Errorf("%s was fetched as %q", f.Name, got)
		}
		if m.Files[0].Kind != f.Kind {
			s.t.Errorf("%s is of kind %q, want %q", f.Name, m.Files[0].Kind, f.Kind)
		}
	}
}

func (s *stage) fetch(m akitad.Message) []byte {
	s.t.Helper()
	fetcher, ok := s.ch.(channels.Fetcher)
	if !ok {
		s.t.Fatal("a channel with files is no Fetcher")
	}
	body, err := fetcher.Fetch(s.ctx(), m.Origin, m.Files[0])
	if s.note(err) != nil {
		s.t.Fatalf("fetch: %v", err)
	}
	defer body.Close()
	out, err := io.ReadAll(body)
	if err != nil {
		s.t.Fatalf("fetch: %v", err)
	}
	return out
}

// odd lets what no program knows be handed over or left out; it must not stop what comes after it.
func odd(s *stage) {
	s.run()
	s.svc.Say(Said{From: s.anna, Odd: true})
	s.svc.Say(Said{From: s.anna, Text: "still there?"})
	for m := s.next(); m.Text != "still there?"; m = s.next() {
		if m.Origin.Sender != s.anna {
			s.t.Errorf("what is of no known kind came as %+v", m)
		}
	}
}

// png is a picture of one pixel.
var png = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc\xf8\x0f\x00\x01\x01\x01\x00\x1b\xb6\xeeV\x00\x00\x00\x00IEND\xaeB`\x82")
