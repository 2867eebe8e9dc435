package filter_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/window"
)

func newFilter() *filter.Filter { return filter.New(filter.Options{Tokens: window.Tokens}) }

// score is what came of the questions to a part of the corpus.
type score struct{ asked, first, second, in, out int }

func (s score) kept() float64  { return 100 * (1 - float64(s.out)/float64(s.in)) }
func (s score) alone() float64 { return 100 * float64(s.first) / float64(s.asked) }
func (s score) found() float64 { return 100 * float64(s.first+s.second) / float64(s.asked) }

func (s *score) add(o score) {
	s.asked += o.asked
	s.first += o.first
	s.second += o.second
	s.in += o.in
	s.out += o.out
}

// ask puts the questions of a fixture; missed tells what was not answered at once.
func ask(f *filter.Filter, x fixture, missed func(q question, reply string, later bool)) (s score) {
	for _, q := range x.queries {
		re := regexp.MustCompile(q.want)
		reply := f.Reply(x.text, q.intent, "0123456789ab")
		s.add(score{asked: 1, in: len(x.text), out: len(reply)})
		if re.MatchString(reply) {
			s.first++
			continue
		}
		later := re.MatchString(f.Find(x.text, q.intent, "0123456789ab"))
		if later {
			s.second++
		}
		missed(q, reply, later)
	}
	return s
}

// askAll gives the scores of the fixtures that were tuned on, and of those held out.
func askAll(f *filter.Filter, each func(x fixture, s score), missed func(x fixture, q question, reply string, later bool)) (seen, held score) {
	for _, x := range corpus() {
		s := ask(f, x, func(q question, reply string, later bool) { missed(x, q, reply, later) })
		each(x, s)
		if x.held {
			held.add(s)
		} else {
			seen.add(s)
		}
	}
	return seen, held
}

func (s score) String() string {
	return fmt.Sprintf("%7d bytes, %5.1f %% kept out, %2d questions, %5.1f %% answered, %5.1f %% after one search", s.in/s.asked, s.kept(), s.asked, s.alone(), s.found())
}

func TestRecall(t *testing.T) {
	show := os.Getenv("SHOW")
	seen, held := askAll(newFilter(), func(x fixture, s score) { t.Logf("%-18s %v", x.name, s) }, func(x fixture, q question, reply string, later bool) {
		if show == "all" || show == x.name {
			t.Logf("%s: %q is not answered (later %v), want %s\n%s", x.name, q.intent, later, q.want, reply)
		}
	})
	t.Logf("tuned on           %v", seen)
	t.Logf("held out           %v", held)
	all := seen
	all.add(held)
	t.Logf("all                %v", all)
	for name, s := range map[string]score{"all": all, "held out": held} {
		if s.kept() < 95 || s.alone() < 93 {
			t.Errorf("%s: %v; want 95 %% kept out and 93 %% answered", name, s)
		}
	}
}

// session is what comes of a session that makes every output once and asks its first question.
func session(f *filter.Filter) (s score) {
	for _, x := range corpus() {
		x.queries = x.queries[:1]
		s.add(ask(f, x, func(question, string, bool) {}))
	}
	return s
}

// TestSession holds that a session with 315 KB of outputs or more keeps nearly all of it out of the context.
func TestSession(t *testing.T) {
	if s := session(newFilter()); s.in < 315_000 || s.kept() < 94 {
		t.Errorf("%d bytes, %.1f %% kept out", s.in, s.kept())
	} else {
		t.Logf("%d bytes of output, %d shown, %.1f %% kept out", s.in, s.out, s.kept())
	}
}
