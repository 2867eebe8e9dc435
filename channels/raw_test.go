package channels_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// A slow download holds up its own conversation, in order, and no other, and nothing is acknowledged late
// because of it.
func TestSlowDownloadHoldsUpNobodyElse(t *testing.T) {
	r, s := puppetRig(t)
	release := make(chan struct{})
	s.fetch = func(ctx context.Context, _ akitad.File) (string, error) {
		select {
		case <-release:
			return "slow bytes", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	r.start()
	first := s.say(anna, 1, withFiles("look at this", file("a.txt")))
	second := s.say(anna, 2, nil)
	other := s.say(boris, 3, nil)
	r.until(other, (*journal.Task).Exists)
	s.wait(r, "the acknowledgement", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.taken == 3 })
	if n := len(r.came()); n != 1 {
		t.Errorf("%d messages came while the file is on its way", n)
	}
	close(release)
	r.until(second, (*journal.Task).Exists)
	if all := r.came(); len(all) != 3 || all[1].Task != first || all[2].Task != second || r.bytes(all[1].Files[0].Artifact) != "slow bytes" {
		t.Errorf("came %+v", all)
	}
}

// A file that cannot be had is named, its sender is told why, and the task runs.
func TestFilesThatCannotBeHad(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fails []error
		told  string
		tries int
	}{
		{"at once", nil, "", 1},
		{"at the third try", []error{akitad.Errorf(akitad.Overloaded, "busy"), errors.New("cut")}, "", 3},
		{"never", []error{errors.New("1"), errors.New("2"), errors.New("3"), errors.New("4")}, text.En.FileMissing("a.txt", akitad.Unknown) + text.En.WithoutIt(), 3},
		{"too large", []error{akitad.Errorf(akitad.InvalidRequest, "large")}, text.En.FileMissing("a.txt", akitad.InvalidRequest) + text.En.WithoutIt(), 1},
		{"gone", []error{akitad.Errorf(akitad.NotFound, "gone")}, text.En.FileMissing("a.txt", akitad.NotFound) + text.En.WithoutIt(), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, s := puppetRig(t)
			left := tt.fails
			s.fetch = func(context.Context, akitad.File) (string, error) {
				if len(left) == 0 {
					return "body", nil
				}
				err := left[0]
				left = left[1:]
				return "", err
			}
			r.start()
			sub := r.until(s.say(anna, 1, withFiles("look", file("a.txt"))), (*journal.Task).Exists).Sub
			if sub.Notice != tt.told || s.fetched["remote-a.txt"] != tt.tries || len(sub.Files) != 1 || sub.Files[0].Name != "a.txt" {
				t.Errorf("told %q after %d tries, files %+v", sub.Notice, s.fetched["remote-a.txt"], sub.Files)
			}
			if f := sub.Files[0]; (f.Artifact == "") != (tt.told != "") || f.Remote != "" || f.Artifact != "" && (r.bytes(f.Artifact) != "body" || f.Mode != "ro" || f.Size != 4) {
				t.Errorf("the file is %+v", f)
			}
		})
	}
}

// The gateway is stopped while a file is on its way, and one that went all the way comes again: nothing is
// lost and nothing is there twice.
func TestStopBetweenTheStages(t *testing.T) {
	r, s := puppetRig(t)
	arrived := make(chan struct{}, 9)
	s.fetch = func(ctx context.Context, _ akitad.File) (string, error) {
		arrived <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}
	r.opts.Grace = 1
	r.start()
	first := s.say(anna, 1, withFiles("look", file("a.txt")))
	second := s.say(anna, 2, nil)
	<-arrived
	s.wait(r, "the acknowledgement", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.taken == 2 })
	r.stop()
	if n := len(r.came()); n != 0 {
		t.Fatalf("%d messages came before the stop", n)
	}
	s.fetch = func(context.Context, akitad.File) (string, error) { return "body", nil }
	r.start()
	r.until(second, (*journal.Task).Exists)
	again, err := r.bus.GetArtifact(t.Context(), r.until(first, (*journal.Task).Exists).Sub.Files[0].Artifact)
	if err != nil || string(again) != "body" {
		t.Errorf("the file holds %q (%v)", again, err)
	}
	s.say(anna, 1, withFiles("look", file("a.txt"))) // the service hands it over once more
	r.until(s.say(anna, 3, nil), (*journal.Task).Exists)
	if all := r.came(); len(all) != 3 || all[0].Task != first || all[1].Task != second {
		t.Errorf("came %+v", all)
	}
}

func TestAlbumsBecomeOneMessage(t *testing.T) {
	r, s := puppetRig(t)
	r.start()
	album := func(nr int, words, name string) {
		s.say(anna, nr, func(m *akitad.Message) { m.Text, m.Album, m.Files = words, "g", []akitad.File{file(name)} })
	}
	album(2, "compare", "b.jpg") // parts may come in any order
	album(1, "", "a.jpg")
	after := s.say(anna, 3, nil)
	album(4, "", "a.jpg")
	r.until(after, (*journal.Task).Exists)
	all := r.came()
	if len(all) != 2 || all[0].Text != "compare" || names(all[0].Files) != "a.jpg ro 21 , b.jpg ro 21 , a-2.jpg ro 21 " || all[0].Origin.Message != "1" || all[1].Task != after {
		t.Fatalf("came %+v", all)
	}
	album(5, "too late", "c.jpg")
	r.until(s.say(anna, 6, nil), (*journal.Task).Exists)
	if n := len(r.came()); n != 3 || s.fetched["remote-c.jpg"] != 0 {
		t.Errorf("a late part: %d messages came, it was fetched %d times", n, s.fetched["remote-c.jpg"])
	}
	if late := text.En.AlbumLate(1); strings.Count(strings.Join(s.texts(), "\n"), late) != 1 {
		t.Errorf("the sender of a late part is told %q", s.texts())
	}
}

// In a group an album is to the bot if one of its parts is, and costs nothing if none is.
func TestAlbumsInAGroup(t *testing.T) {
	r, s := puppetRig(t)
	r.start()
	say := func(nr int, words, album string, addressed bool) {
		s.say(anna, nr, func(m *akitad.Message) {
			m.Text, m.Album, m.Files, m.Addressed = words, album, []akitad.File{file(fmt.Sprint(nr, ".jpg"))}, addressed
			m.Origin.Chat, m.Origin.Group = fmt.Sprint(group), true
		})
	}
	say(1, "", "talk", false)
	say(2, "among us", "talk", false)
	say(3, "", "asked", false)
	say(4, "what is this", "asked", true)
	r.until(s.say(anna, 5, func(m *akitad.Message) { m.Origin.Chat, m.Origin.Group = fmt.Sprint(group), true }), (*journal.Task).Exists)
	all := r.came()
	if len(all) != 2 || all[0].Text != "what is this" || len(all[0].Files) != 2 || s.fetched["remote-1.jpg"]+s.fetched["remote-2.jpg"] != 0 {
		t.Errorf("came %+v", all)
	}
}

// An album of a real client, over a restart of the gateway while its parts come.
func TestAlbumOverARestart(t *testing.T) {
	r := newRig(t)
	r.start()
	picture := func(words, body string, update int64) {
		r.srv.Say(anna, 0, words, telegramtest.Said{Album: "g", UpdateID: update, Photo: &telegramtest.Upload{Name: "x.jpg", Bytes: []byte(body)}})
	}
	picture("", "aa", 100)
	if err := r.srv.Wait(r.ctx(), func() bool { return r.srv.Confirmed() == 100 }); err != nil {
		t.Fatal(err)
	}
	r.restart()
	picture("compare", "bb", 101)
	m := r.say(anna, "after", 102)
	r.until(m.id, (*journal.Task).Exists)
	if all := r.came(); len(all) != 2 || all[0].Text != "compare" || len(all[0].Files) != 2 || r.bytes(all[0].Files[0].Artifact)+r.bytes(all[0].Files[1].Artifact) != "aabb" {
		t.Errorf("came %+v", all)
	}
}

// What is said becomes the message's words, is shown, and the recording stays with the task.
func TestVoice(t *testing.T) {
	hears := func(words string, err error) func(context.Context, string, []byte) (string, error) {
		return func(_ context.Context, name string, audio []byte) (string, error) {
			if name != "v.oga" || string(audio) != "bytes of remote-v.oga" {
				return "", fmt.Errorf("asked about %s: %q", name, audio)
			}
			return words, err
		}
	}
	for _, tt := range []struct {
		name   string
		hear   func(context.Context, string, []byte) (string, error)
		words  string
		files  []akitad.File
		want   string // empty: no task
		notice string
	}{
		{"alone", hears(" 你好，帮我看看 ", nil), "", []akitad.File{file("v.oga", voice)}, "你好，帮我看看", text.Zh.Heard("你好，帮我看看")},
		{"with words", hears("and this", nil), "look", []akitad.File{file("v.oga", voice)}, "look\n\nand this", text.En.Heard("and this")},
		{"silence", hears("  ", nil), "", []akitad.File{file("v.oga", voice)}, "", text.En.VoiceFailed(akitad.InvalidRequest)},
		{"a bad key", hears("", akitad.Errorf(akitad.Auth, "no")), "", []akitad.File{file("v.oga", voice)}, "", text.En.VoiceFailed(akitad.Auth)},
		{"failed, with words", hears("", akitad.Errorf(akitad.Timeout, "late")), "look", []akitad.File{file("v.oga", voice)}, "look", text.En.VoiceFailed(akitad.Timeout)},
		{"nobody listens", nil, "", []akitad.File{file("v.oga", voice)}, "", text.En.VoiceUnreadable()},
		{"nobody listens, with words", nil, "look", []akitad.File{file("v.oga", voice)}, "look", text.En.VoiceUnreadable()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, s := puppetRig(t)
			r.opts.Transcribe = tt.hear
			r.start()
			id := s.say(anna, 1, withFiles(tt.words, tt.files...))
			after := s.say(anna, 2, nil)
			r.until(after, (*journal.Task).Exists)
			all := r.came()
			if tt.want == "" {
				if len(all) != 1 || !s.said(tt.notice)() {
					t.Errorf("came %+v, told %q", all, s.texts())
				}
				return
			}
			if len(all) != 2 || all[0].Task != id || all[0].Text != tt.want || all[0].Notice != tt.notice || len(all[0].Files) != 1 || all[0].Files[0].Artifact == "" {
				t.Errorf("came %+v", all)
			}
		})
	}
}

// Where a task runs that the words may answer, what was understood is said at once.
func TestVoiceToARunningTask(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Transcribe = func(context.Context, string, []byte) (string, error) { return "yes", nil }
	r.opts.Running = func(context.Context, akitad.SessionKey) (akitad.TaskID, bool, error) { return "t_x", true, nil }
	r.start()
	r.until(s.say(anna, 1, withFiles("", file("v.oga", voice))), (*journal.Task).Exists)
	if all := r.came(); all[0].Notice != "" || s.texts()[0] != text.En.Heard("yes") {
		t.Errorf("came %+v, told %q", all, s.texts())
	}
}

// A text that is too long to travel is a command's and an agent's all the same.
func TestLongWordsInTheRawStage(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Commands = echo{}
	r.start()
	long := strings.Repeat("word ", 5000)
	s.say(anna, 1, func(m *akitad.Message) { m.Text = "/echo " + long })
	s.wait(r, "the echo", s.said(long))
}

// A stop is not held up by what the same person sent before.
func TestStopDoesNotWait(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Commands, r.opts.Grace = stopper{}, 1
	s.fetch = func(ctx context.Context, _ akitad.File) (string, error) { <-ctx.Done(); return "", ctx.Err() }
	r.start()
	s.say(anna, 1, withFiles("look", file("a.txt")))
	s.say(anna, 2, func(m *akitad.Message) { m.Text = "/stop" })
	s.wait(r, "the stop", s.said("stopped"))
}

// Whoever sends without end behind a file that never comes is refused, and nobody else is.
func TestCrowdOfOneConversation(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Grace, r.opts.Commands = 1, echo{}
	s.fetch = func(ctx context.Context, _ akitad.File) (string, error) { <-ctx.Done(); return "", ctx.Err() }
	r.start()
	s.say(anna, 1, withFiles("look", file("a.txt")))
	refused := s.said(text.En.Crowded())
	nr := 2
	for ; nr < 3000 && !refused(); nr++ {
		s.say(anna, nr, nil)
		s.wait(r, "the next message", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.taken >= nr })
	}
	if nr < 100 || nr >= 3000 {
		t.Errorf("refused after %d messages", nr)
	}
	s.say(anna, nr, func(m *akitad.Message) { m.Text = "/stop" }) // a command is kept all the same
	r.until(s.say(boris, nr+1, nil), (*journal.Task).Exists)
}

// An album of which parts still come can be stopped: no part of it becomes a task.
func TestStopEndsAnAlbumThatComes(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Commands = stopper{}
	r.opts.Running = func(context.Context, akitad.SessionKey) (akitad.TaskID, bool, error) { return "", false, nil }
	r.start()
	part := func(nr int) {
		s.say(anna, nr, func(m *akitad.Message) { m.Text, m.Album, m.Files = "", "g", []akitad.File{file("a.jpg")} })
	}
	stopped := func() bool {
		return slices.ContainsFunc(s.texts(), func(words string) bool { return strings.HasPrefix(words, "Stopped: a.jpg") })
	}
	nr, answers := 1, 0
	for ; !stopped(); nr += 2 { // the first wishes may come before the album's first part is looked at
		part(nr)
		s.say(anna, nr+1, func(m *akitad.Message) { m.Text = "/stop" })
		s.wait(r, "an answer", func() bool { return len(s.texts()) > answers })
		answers = len(s.texts())
	}
	part(nr) // the last one comes late
	after := s.say(anna, nr+1, nil)
	r.until(after, (*journal.Task).Exists)
	if all := r.came(); len(all) != 1 || all[0].Task != after {
		t.Errorf("came %+v", all)
	}
}

// A stop ends what is still on its way and no task yet, be it a file or spoken words that are written down;
// what was sent after it goes on, and so does the task of who asked twice.
func TestStopEndsWhatIsOnItsWay(t *testing.T) {
	for _, kind := range []func(*akitad.File){func(*akitad.File) {}, voice} {
		r, s := puppetRig(t)
		arrived := make(chan struct{}, 1)
		hang := func(ctx context.Context) error {
			arrived <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		}
		f := file("a.txt", kind)
		if f.Kind == "" {
			s.fetch = func(ctx context.Context, _ akitad.File) (string, error) { return "", hang(ctx) }
		}
		r.opts.Transcribe = func(ctx context.Context, _ string, _ []byte) (string, error) { return "", hang(ctx) }
		r.opts.Commands = stopper{}
		r.opts.Running = func(context.Context, akitad.SessionKey) (akitad.TaskID, bool, error) { return "", false, nil }
		r.start()
		first := s.say(anna, 1, withFiles("", f))
		next := s.say(anna, 2, nil)
		<-arrived
		s.say(boris, 3, func(m *akitad.Message) { m.Text = "/stop" })
		s.wait(r, "the word that nothing runs there", s.said("stopped"))
		s.say(anna, 4, func(m *akitad.Message) { m.Text = "/stop" })
		s.wait(r, "the stop", s.said(text.En.Stopping(string(first), "a.txt", 0)))
		r.until(next, (*journal.Task).Exists)
		r.restart()
		r.until(s.say(anna, 5, nil), (*journal.Task).Exists)
		if all := r.came(); len(all) != 2 || all[0].Task != next {
			t.Errorf("came %+v", all)
		}
	}
}

// In a group only who sent it, or an owner, stops what is on its way.
func TestOthersStopNothingOnItsWay(t *testing.T) {
	r, s := puppetRig(t)
	arrived := make(chan struct{}, 1)
	s.fetch = func(ctx context.Context, _ akitad.File) (string, error) {
		arrived <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}
	r.access.Owners = []string{strconv.Itoa(anna)}
	r.opts.Commands = stopper{}
	r.opts.Running = func(context.Context, akitad.SessionKey) (akitad.TaskID, bool, error) { return "", false, nil }
	r.start()
	here := func(words string, files ...akitad.File) func(*akitad.Message) {
		return func(m *akitad.Message) {
			m.Origin.Group, m.Origin.Chat, m.Text, m.Files = true, strconv.Itoa(group), words, files
		}
	}
	first := s.say(anna, 1, here("look", file("a.txt")))
	<-arrived
	s.say(boris, 2, here("/stop"))
	s.wait(r, "the word that nothing runs there", s.said("stopped"))
	s.say(anna, 3, here("/stop"))
	s.wait(r, "the stop", s.said(text.En.Stopping(string(first), "look", 0)))
	second := s.say(boris, 4, here("see", file("b.txt")))
	<-arrived
	s.say(anna, 5, here("/stop"))
	s.wait(r, "the owner's stop", s.said(text.En.Stopping(string(second), "see", 0)))
}

// A message that shows no language is answered in the conversation's.
func TestNoticesSpeakTheConversationsLanguage(t *testing.T) {
	for _, tt := range []struct {
		set, spoke, words string
		want              text.Lang
	}{{"", "zh", "", text.Zh}, {"zh", "en", "", text.Zh}, {"", "", "", text.En}, {"", "zh", "look at this one", text.En}, {"zh", "", "look at this one", text.Zh}} {
		r, s := puppetRig(t)
		r.opts.Language = func(context.Context, akitad.SessionKey) (string, string, error) { return tt.set, tt.spoke, nil }
		r.start()
		id := s.say(anna, 1, withFiles(tt.words, file("v.oga", voice)))
		if tt.words == "" {
			s.wait(r, "the notice", s.said(tt.want.VoiceUnreadable()))
		} else if got := r.until(id, (*journal.Task).Exists); got.Sub.Notice != tt.want.VoiceUnreadable() {
			t.Errorf("%+v: told %q", tt, got.Sub.Notice)
		}
		s.say(anna, 2, withFiles(" "))
		empty := tt.want
		if tt.words != "" {
			empty = text.Lang(tt.set).Or(text.Lang(tt.spoke).Or(text.En))
		}
		s.wait(r, "the word about nothing", s.said(empty.EmptyMessage()))
	}
}

type stopper struct{}

func (stopper) Run(_ context.Context, m akitad.Message) (string, bool, error) {
	return "stopped", m.Text == "/stop", nil
}

// A disk without room refuses work, and neither commands nor presses.
func TestFullDisk(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Commands = echo{}
	low := &disk.Low{Room: disk.Room{Reserve: 2}, Free: 1}
	r.opts.Room = func() error { return low }
	r.start()
	s.say(anna, 1, nil)
	s.say(anna, 2, func(m *akitad.Message) { m.Text = "/echo still here" })
	s.say(anna, 3, func(m *akitad.Message) { m.Text = "/etc/hosts has what?" })
	refused := text.En.DiskLow(1, 2)
	s.wait(r, "the refusals and the echo", func() bool {
		n := 0
		for _, said := range s.texts() {
			if said == refused {
				n++
			}
		}
		return n == 2 && s.said("still here")()
	})
	if all := r.came(); len(all) != 0 {
		t.Errorf("came %+v", all)
	}
}

// apart is a service that sends files and words apart.
type apart struct{ channels.Channel }

func (a apart) SendsApart()              {}
func (a apart) Unwrap() channels.Channel { return a.Channel }

func TestFileAndItsWordsBecomeOneMessage(t *testing.T) {
	r, s := puppetRig(t)
	wrapped := r.wrap
	r.wrap = func(ch channels.Channel) channels.Channel { return apart{wrapped(ch)} }
	r.start()
	task := s.say(anna, 1, func(m *akitad.Message) { m.Text, m.Files = "", []akitad.File{file("a.txt")} })
	s.say(anna, 2, func(m *akitad.Message) { m.Text = "sum it up" })
	after := s.say(anna, 3, nil)
	r.until(after, (*journal.Task).Exists)
	all := r.came()
	if len(all) != 2 || all[0].Task != task || all[0].Text != "sum it up" || len(all[0].Files) != 1 || all[1].Task != after {
		t.Errorf("came %+v", all)
	}
	s.say(anna, 2, func(m *akitad.Message) { m.Text = "sum it up" }) // the service hands it over once more
	r.until(s.say(anna, 4, nil), (*journal.Task).Exists)
	if n := len(r.came()); n != 3 {
		t.Errorf("%d messages came", n)
	}
}
