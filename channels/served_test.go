package channels_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// counter serves every command and counts them by their words.
type counter struct {
	mu    sync.Mutex
	calls map[string]int
	fails error
}

func (c *counter) Run(_ context.Context, m akitad.Message) (string, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[m.Text]++
	return "did " + m.Text, true, c.fails
}

func (c *counter) count(words string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[words]
}

// A command that is handed over again is served once, be it at once or after a restart.
func TestCommandsAreServedOnce(t *testing.T) {
	r, s := puppetRig(t)
	c := &counter{calls: map[string]int{}}
	r.opts.Commands = c
	words := func(text string) func(*akitad.Message) { return func(m *akitad.Message) { m.Text = text } }
	r.start()
	for range 2 {
		s.say(anna, 1, words("/stop"))
		s.say(anna, 2, words("/memory forget all yes"))
	}
	s.say(anna, 3, words("/end"))
	s.wait(r, "the last command", s.said("did /end"))
	r.restart()
	s.say(anna, 1, words("/stop"))
	s.say(anna, 4, words("/stop"))
	s.say(anna, 2, words("/memory forget all yes"))
	s.say(anna, 5, words("/again"))
	s.wait(r, "the last command", s.said("did /again"))
	if stops, forgets := c.count("/stop"), c.count("/memory forget all yes"); stops != 2 || forgets != 1 {
		t.Errorf("%d stops, forgot %d times", stops, forgets)
	}
}

// However many messages are changed, a command that was served is remembered.
func TestEditsTakeNoPlaceOfCommands(t *testing.T) {
	r, s := puppetRig(t)
	c := &counter{calls: map[string]int{}}
	r.opts.Commands = c
	words := func(text string) func(*akitad.Message) { return func(m *akitad.Message) { m.Text = text } }
	r.start()
	s.say(anna, 1, words("/stop"))
	for i := range 256 {
		s.say(boris, 1000+i, func(m *akitad.Message) { m.Edited = true })
	}
	s.say(anna, 1, words("/stop"))
	s.say(anna, 2, words("/end"))
	s.wait(r, "the last command", s.said("did /end"))
	if stops := c.count("/stop"); stops != 1 {
		t.Errorf("%d stops", stops)
	}
}

// A command that always fails is given up, its sender is told, and what comes after it is served.
func TestCommandThatFailsHoldsUpNobody(t *testing.T) {
	r, s := puppetRig(t)
	c := &counter{calls: map[string]int{}, fails: errors.New("permission denied")}
	r.opts.Commands = c
	r.start()
	s.say(anna, 1, func(m *akitad.Message) { m.Text = "/flow" })
	r.until(s.say(anna, 2, nil), (*journal.Task).Exists)
	if want := text.En.Failed(akitad.Failure{Kind: akitad.Unknown}); !slices.Contains(s.texts(), want) || c.count("/flow") < 2 {
		t.Errorf("told %q after %d tries", s.texts(), c.count("/flow"))
	}
}

// filed keeps the message of a command.
type filed struct{ got chan akitad.Message }

func (f filed) Run(_ context.Context, m akitad.Message) (string, bool, error) {
	f.got <- m
	return "", true, nil
}

// A command has the files that were sent with it, and is told of those that could not be had.
func TestCommandsHaveTheirFiles(t *testing.T) {
	r, s := puppetRig(t)
	f := filed{make(chan akitad.Message, 1)}
	r.opts.Commands = f
	s.fetch = func(_ context.Context, f akitad.File) (string, error) {
		if f.Name == "b.txt" {
			return "", akitad.Errorf(akitad.NotFound, "gone")
		}
		return "body", nil
	}
	r.start()
	s.say(anna, 1, withFiles("/plan sum these up", file("a.txt"), file("b.txt")))
	m := <-f.got
	if len(m.Files) != 2 || m.Files[0].Remote != "" || r.bytes(m.Files[0].Artifact) != "body" || m.Notice != text.En.FileMissing("b.txt", akitad.NotFound)+text.En.WithoutIt() {
		t.Errorf("the command has %+v and %q", m.Files, m.Notice)
	}
}

// An album in a group that is not to the bot stops nothing, and has it say nothing, whatever its caption.
func TestAlbumsOfOthersStopNothing(t *testing.T) {
	r, s := puppetRig(t)
	c := &counter{calls: map[string]int{}}
	r.opts.Commands = c
	r.start()
	inGroup := func(m *akitad.Message) {
		m.Text, m.Album, m.Files, m.Addressed = "/stop", "al", []akitad.File{file("a.jpg")}, false
		m.Origin.Chat, m.Origin.Group = "-100", true
	}
	s.say(anna, 1, inGroup)
	r.until(s.say(anna, 2, nil), (*journal.Task).Exists)
	if c.count("/stop") != 0 || slices.Contains(s.texts(), "did /stop") {
		t.Errorf("told %q", s.texts())
	}
}
