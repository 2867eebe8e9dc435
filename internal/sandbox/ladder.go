package sandbox

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"go.uber.org/zap"
)

const (
	probeTime  = 10 * time.Second
	probeAgain = time.Minute // how long a refusal stands before the machine is looked at again
)

// rung is one way to isolate a program.
type rung struct {
	name  string
	start func(layout, Command, streams) (*process, error)
}

func rungs() []rung {
	return []rung{{Bubblewrap, startBubblewrap}, {Namespaces, startNamespaces}}
}

// Level says which rung is used and why it is not a better one: ("namespaces", "bubblewrap: ...").
// The first call tries the rungs. Refused means that every Run is refused.
func (s *Sandbox) Level() (name, why string) {
	r, _ := s.rung()
	s.mu.Lock()
	defer s.mu.Unlock()
	if r == nil {
		return Refused, s.why
	}
	return r.name, s.why
}

// rung returns the first rung that works on this machine.
func (s *Sandbox) rung() (*rung, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.chosen == nil && (s.tried.IsZero() || time.Since(s.tried) >= probeAgain) {
		s.choose()
	}
	if s.chosen == nil {
		return nil, &akitad.Error{
			Kind: akitad.Unavailable, Op: "sandbox", Err: fmt.Errorf("no program can be isolated on this machine: %s", s.why),
			Hint: "the owner can install bubblewrap or allow user namespaces; go on without running programs",
		}
	}
	return s.chosen, nil
}

// choose tries the rungs in order. The caller holds the lock.
func (s *Sandbox) choose() {
	var reasons []string
	for _, name := range s.opts.Rungs {
		r, err := s.probe(name)
		if err == nil {
			s.chosen = r
			break
		}
		reasons = append(reasons, name+": "+err.Error())
	}
	s.why, s.tried = strings.Join(reasons, "; "), time.Now()
	s.opts.Log.Info("sandbox chosen", zap.Bool("works", s.chosen != nil), zap.String("why", s.why))
}

// probe runs the smallest program on one rung.
func (s *Sandbox) probe(name string) (*rung, error) {
	all := rungs()
	at := slices.IndexFunc(all, func(r rung) bool { return r.name == name })
	if at < 0 {
		return nil, fmt.Errorf("no such rung")
	}
	dir, err := os.MkdirTemp("", "akita-probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	c := Command{Argv: []string{"/bin/sh", "-c", "echo ok"}, Dir: dir, Limits: defaults}
	out, err := s.run(ctx, &all[at], c)
	if err != nil {
		return nil, err
	}
	if string(out.Stdout) != "ok\n" {
		return nil, fmt.Errorf("a trial run ended with %d: %s", out.ExitCode, strings.TrimSpace(string(out.Stderr)))
	}
	return &all[at], nil
}
