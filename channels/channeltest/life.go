package channeltest

import (
	"context"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
)

// lives checks a channel from its start to its end.
func lives(t *testing.T, s Setup) {
	each(t, s, []check{
		{"it has a name", true, named},
		{"it ends with its context", true, ends},
		{"it ends while a message is being taken", true, endsBusy},
		{"health tells the truth", s.Announces, healthy},
		{"companions do no harm", true, companion},
	})
}

func named(s *stage) {
	if s.ch.Name() == "" {
		s.t.Error("a channel without a name")
	}
}

func ends(s *stage) {
	for range 3 {
		s.run()
		s.meet(s.anna)
		s.end()
		s.connect()
	}
	s.run() // and at once
}

func endsBusy(s *stage) {
	begun := make(chan struct{}, 10)
	s.runWith(func(ctx context.Context, _ akitad.Message) error {
		begun <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	s.svc.Say(Said{From: s.anna, Text: "hello"})
	select {
	case <-begun:
	case <-time.After(patience):
		s.t.Fatal("no message came")
	}
	s.end()
}

func healthy(s *stage) {
	p, ok := s.ch.(channels.Prober)
	if !ok {
		s.t.Fatal("a channel that is to tell of its health is no Prober")
	}
	if s.note(p.Health()) == nil {
		s.t.Error("it is healthy before it runs")
	}
	s.run()
	s.meet(s.anna)
	s.health(p, true)
	if s.svc.Fail(Fault{Kind: Deaf, Times: 2}) {
		s.health(p, false)
		s.health(p, true)
		s.hears(Said{From: s.boris, Text: "there again"})
	}
}

// health waits until the channel says that it is well, or that it is not.
func (s *stage) health(p channels.Prober, well bool) {
	s.t.Helper()
	var err error
	for began := time.Now(); time.Since(began) < patience; wait(time.Millisecond) {
		if err = s.note(p.Health()); (err == nil) == well {
			return
		}
	}
	s.t.Errorf("its health is %v, want healthy %v", err, well)
}

func companion(s *stage) {
	c, ok := s.ch.(channels.Companion)
	if !ok {
		return
	}
	s.run()
	to := s.meet(s.anna)
	for _, do := range []func(context.Context, akitad.Origin) error{c.Typing, c.Receipt} {
		if err := s.note(do(s.ctx(), to)); err != nil {
			s.t.Errorf("typing or receipt: %v", err)
		}
	}
	if got := s.bot(to.Chat); len(got) != 0 {
		s.t.Errorf("typing and a receipt are messages: %s", show(got))
	}
}
