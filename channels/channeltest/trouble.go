package channeltest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
)

// troubles checks what comes of a service that refuses, breaks off or hangs.
func troubles(t *testing.T, s Setup) {
	each(t, s, []check{
		{"refused markup arrives as plain text, once", s.Markup, plain},
		{"a limit is waited out", true, waitedOut},
		{"a limit holds up that chat only", true, thatChatOnly},
		{"progress is dropped and not queued", s.Edits, dropped},
		{"errors that pass", true, passing},
		{"a break after the text was taken", true, broken},
		{"a hang ends with the context", true, hang},
		{"a hang holds up that chat only", true, hangAlone},
		{"a hang is given up", s.Direct != nil, givenUp},
		{"a chat that is gone", true, gone},
	})
}

// texts returns what the bot's messages in a chat show.
func (s *stage) texts(chat string) (out []string) {
	for _, m := range s.bot(chat) {
		out = append(out, m.Text)
	}
	return out
}

func (s *stage) count(chat, words string) (n int) {
	for _, text := range s.texts(chat) {
		if holds(text, words) {
			n++
		}
	}
	return n
}

func plain(s *stage) {
	s.run()
	to := s.meet(s.anna)
	for _, message := range []string{"", s.placeholder(to, "thinking")} {
		if !s.svc.Fail(Fault{Kind: Refused, Times: 1}) {
			return
		}
		ids := s.final(answer(to, message, "the **bold** one"))
		if len(ids) != 1 || !holds(s.message(to.Chat, ids[0]).Text, "bold") {
			s.t.Errorf("ids %q, the bot's messages: %s", ids, show(s.bot(to.Chat)))
		}
	}
	if n := s.count(to.Chat, "bold"); n != 2 {
		s.t.Errorf("two answers stand in the chat %d times: %s", n, show(s.bot(to.Chat)))
	}
}

const limitWait = 2 * time.Second

func waitedOut(s *stage) {
	s.run()
	to := s.meet(s.anna)
	d := answer(to, s.placeholder(to, "thinking"), "the answer")
	if !s.svc.Fail(Fault{Kind: Limited, Chat: to.Chat, Times: 1, Wait: limitWait}) {
		return
	}
	began := time.Now()
	s.insist(d)
	took := time.Since(began)
	if s.Direct != nil && (took < limitWait || took > limitWait+2*time.Second) || took < limitWait/2 {
		s.t.Errorf("an answer that the service wants in %v came after %v", limitWait, took)
	}
	if n := s.count(to.Chat, "the answer"); n != 1 {
		s.t.Errorf("the answer stands in the chat %d times", n)
	}
}

// during has an answer to anna be under way in the trouble ordered, and what do in the meantime.
func (s *stage) during(to akitad.Origin, f Fault, do func()) {
	s.t.Helper()
	if f.Chat = to.Chat; !s.svc.Fail(f) {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := s.ch.Final(ctx, answer(to, "", "in trouble"))
		ended <- err
	}()
	wait(100 * time.Millisecond) // by then it is in trouble; in real time that is likely, and no test fails if it is not
	do()
	cancel()
	select {
	case err := <-ended:
		s.note(err)
	case <-time.After(patience):
		s.t.Errorf("an answer in trouble (%s) does not end with its context", f.Kind)
	}
}

func thatChatOnly(s *stage) {
	s.run()
	to, other := s.meet(s.anna), s.meet(s.boris)
	s.during(to, Fault{Kind: Limited, Times: -1, Wait: time.Hour}, func() {
		began := time.Now()
		for range 3 {
			s.final(answer(other, s.placeholder(other, "thinking"), "for boris"))
		}
		if took := time.Since(began); took > patience/2 {
			s.t.Errorf("another chat had to wait for %v", took)
		}
		if n := s.count(other.Chat, "for boris"); n != 3 {
			s.t.Errorf("three answers stand in the other chat %d times", n)
		}
	})
}

func dropped(s *stage) {
	s.run()
	to := s.meet(s.anna)
	id := s.placeholder(to, "thinking")
	if !s.svc.Fail(Fault{Kind: Limited, Chat: to.Chat, Times: 1, Wait: limitWait}) {
		return
	}
	began := time.Now()
	for range 5 {
		if err := s.note(s.ch.Progress(s.ctx(), to, id, "step of the past")); err != nil {
			s.t.Errorf("progress under a limit: %v", err)
		}
	}
	if took := time.Since(began); s.Direct != nil && took >= limitWait {
		s.t.Errorf("progress waited for %v", took)
	}
	s.insist(answer(to, id, "the answer"))
	wait(limitWait)
	if got := s.message(to.Chat, id).Text; !holds(got, "the answer") || holds(strings.Join(s.texts(to.Chat), "\n"), "step of the past") {
		s.t.Errorf("after the answer the bot's messages are %s", show(s.bot(to.Chat)))
	}
}

func passing(s *stage) {
	s.run()
	to := s.meet(s.anna)
	d := answer(to, s.placeholder(to, "thinking"), longText())
	if !s.svc.Fail(Fault{Kind: Broken, Chat: to.Chat, Times: 2}) {
		return
	}
	ids := s.insist(d)
	all := s.bot(to.Chat)
	s.wantWhole(all[len(all)-len(ids):])
}

// broken lets a message of its own stand twice if it is marked, but not the edit of a placeholder.
func broken(s *stage) {
	s.run()
	to := s.meet(s.anna)
	d := answer(to, s.placeholder(to, "thinking"), "the first answer")
	if !s.svc.Fail(Fault{Kind: Cut, Chat: to.Chat, Times: 1}) {
		return
	}
	s.insist(d)
	if n := s.count(to.Chat, "the first answer"); n != 1 && (s.Edits || s.Keys) || n < 1 || n > 2 {
		s.t.Errorf("the edit of a placeholder stands %d times: %s", n, show(s.bot(to.Chat)))
	}
	s.svc.Fail(Fault{Kind: Cut, Chat: to.Chat, Times: 1})
	s.insist(answer(to, "", "the second answer"))
	var got []string
	for _, text := range s.texts(to.Chat) {
		if holds(text, "the second answer") {
			got = append(got, text)
		}
	}
	switch {
	case len(got) == 1:
	case len(got) != 2, s.Keys, got[0] == got[1]:
		s.t.Errorf("an answer that was taken, and broken off, stands there as %q", got)
	}
}

func hang(s *stage) {
	s.run()
	to := s.meet(s.anna)
	s.during(to, Fault{Kind: Hanging, Times: -1}, func() {})
}

func hangAlone(s *stage) {
	s.run()
	to, other := s.meet(s.anna), s.meet(s.boris)
	s.during(to, Fault{Kind: Hanging, Times: -1}, func() {
		s.final(answer(other, s.placeholder(other, "thinking"), "for boris"))
		s.hears(Said{From: s.boris, Text: "thank you"})
	})
}

// givenUp waits for the end of a request that is never answered: some minutes of virtual time.
func givenUp(s *stage) {
	s.run()
	to := s.meet(s.anna)
	id := s.placeholder(to, "thinking")
	if !s.svc.Fail(Fault{Kind: Hanging, Chat: to.Chat, Times: -1}) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	for what, do := range map[string]func() error{
		"placeholder": func() error { _, err := s.ch.Placeholder(ctx, to, "thinking", ""); return err },
		"answer":      func() error { _, err := s.ch.Final(ctx, answer(to, id, "the answer")); return err },
		"another":     func() error { _, err := s.ch.Final(ctx, answer(to, "", "the answer")); return err },
	} {
		began := time.Now()
		err := s.note(do())
		if took := time.Since(began); err == nil || took > 10*time.Minute || !akitad.KindOf(err).Temporary() {
			s.t.Errorf("%s that hangs ended after %v with %v (%s)", what, took, err, akitad.KindOf(err))
		}
	}
}

func gone(s *stage) {
	s.run()
	to := s.meet(s.anna)
	if !s.svc.Fail(Fault{Kind: Gone, Chat: to.Chat, Times: -1}) {
		return
	}
	_, err := s.ch.Final(s.ctx(), answer(to, "", "anybody there?"))
	switch s.note(err); akitad.KindOf(err) {
	case akitad.NotFound, akitad.PermissionDenied, akitad.InvalidRequest:
	default:
		s.t.Errorf("an answer to a chat that is gone ended with %v (%s)", err, akitad.KindOf(err))
	}
}
