package channels_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/faketest"
)

// puppet is a chat service of which the test says everything. It fetches files, and has no buttons.
type puppet struct {
	faketest.Changes
	mu      sync.Mutex
	queue   []akitad.Message
	taken   int
	sent    []akitad.Delivery
	fetched map[string]int
	fetch   func(ctx context.Context, f akitad.File) (string, error)
	next    int
	final   func(akitad.Delivery) error // nil: all arrives, in one part
}

func newPuppet() *puppet {
	return &puppet{fetched: map[string]int{}, fetch: func(_ context.Context, f akitad.File) (string, error) {
		return "bytes of " + f.Remote, nil
	}}
}

func (s *puppet) Name() string { return "telegram" }

func (s *puppet) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	for ctx.Err() == nil {
		s.mu.Lock()
		changed, at := s.Changed(), s.taken
		var m *akitad.Message
		if at < len(s.queue) {
			m = &s.queue[at]
		}
		s.mu.Unlock()
		if m == nil {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		if receive(ctx, *m) == nil {
			s.mu.Lock()
			s.taken++
			s.Touch()
			s.mu.Unlock()
		}
	}
	return nil
}

// say has somebody write; the message's id is derived from nr.
func (s *puppet) say(from int64, nr int, change func(*akitad.Message)) akitad.TaskID {
	who := strconv.FormatInt(from, 10)
	m := akitad.Message{
		ID: "m" + strconv.Itoa(nr), At: time.Now().UTC(), Addressed: true, Text: "message " + strconv.Itoa(nr),
		Origin: akitad.Origin{Channel: "telegram", Chat: who, Sender: who, Message: strconv.Itoa(nr), Lang: "en"},
	}
	if change != nil {
		change(&m)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, m)
	s.Touch()
	return akitad.DeriveTaskID("telegram", m.ID)
}

func (s *puppet) Placeholder(_ context.Context, to akitad.Origin, words, _ string) (string, error) {
	ids, err := s.Final(context.Background(), akitad.Delivery{Reply: akitad.Reply{Origin: to, Text: words}})
	return ids[0], err
}

func (s *puppet) Progress(context.Context, akitad.Origin, string, string) error { return nil }

func (s *puppet) Final(_ context.Context, d akitad.Delivery) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	if s.final != nil {
		if err := s.final(d); err != nil {
			return nil, err
		}
	}
	s.sent = append(s.sent, d)
	s.Touch()
	return []string{strconv.Itoa(s.next)}, nil
}

func (s *puppet) Fetch(ctx context.Context, _ akitad.Origin, f akitad.File) (io.ReadCloser, error) {
	s.mu.Lock()
	s.fetched[f.Remote]++
	fetch := s.fetch
	s.Touch()
	s.mu.Unlock()
	body, err := fetch(ctx, f)
	return io.NopCloser(strings.NewReader(body)), err
}

// texts gives all that was sent, in order.
func (s *puppet) texts() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.sent {
		out = append(out, d.Reply.Text)
	}
	return out
}

// wait waits until ok says so.
func (s *puppet) wait(r *rig, what string, ok func() bool) {
	r.t.Helper()
	if s.Wait(r.ctx(), ok) != nil {
		r.t.Fatalf("%s never came; sent: %q", what, s.texts())
	}
}

func (s *puppet) said(words string) func() bool {
	return func() bool { return slices.Contains(s.texts(), words) }
}

// puppetRig is a gateway whose chat service is a puppet.
func puppetRig(t *testing.T) (*rig, *puppet) {
	t.Helper()
	r, s := newRig(t), newPuppet()
	r.wrap = func(channels.Channel) channels.Channel { return s }
	return r, s
}

func file(name string, change ...func(*akitad.File)) akitad.File {
	f := akitad.File{Name: name, Remote: "remote-" + name, Size: 9}
	for _, c := range change {
		c(&f)
	}
	return f
}

func voice(f *akitad.File) { f.Kind = akitad.FileVoice }

func withFiles(text string, files ...akitad.File) func(*akitad.Message) {
	return func(m *akitad.Message) { m.Text, m.Files = text, files }
}

func (r *rig) bytes(hash string) string {
	r.t.Helper()
	body, err := r.bus.GetArtifact(r.ctx(), hash)
	if err != nil {
		r.t.Error(err)
	}
	return string(body)
}

func names(files []akitad.File) string {
	var out []string
	for _, f := range files {
		out = append(out, fmt.Sprintf("%s %s %d %s", f.Name, f.Mode, f.Size, f.Kind))
	}
	return strings.Join(out, ", ")
}
