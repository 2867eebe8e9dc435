package onebot_test

import (
	"net/url"
	"path"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/channeltest"
	"github.com/akitad/akitad/channels/onebot"
	"github.com/akitad/akitad/channels/onebot/onebottest"
)

// stand is the fake program as the conformance suite drives it.
type stand struct {
	*onebottest.Program
	tb      testing.TB
	forward bool
	url     string
	stop    func()
}

func TestConformance(t *testing.T) {
	for name, start := range map[string]func(testing.TB) channeltest.Service{
		"reverse": func(tb testing.TB) channeltest.Service {
			return &stand{Program: onebottest.Start(tb, onebottest.Options{}), tb: tb}
		},
		"reverse, codes": func(tb testing.TB) channeltest.Service {
			return &stand{Program: onebottest.Start(tb, onebottest.Options{Codes: true, Old: true, Recall: true}), tb: tb}
		},
		"forward": func(tb testing.TB) channeltest.Service {
			return &stand{Program: onebottest.Start(tb, onebottest.Options{}), tb: tb, forward: true}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			channeltest.Run(t, channeltest.Setup{
				Start: start, People: [2]string{"7", "8"}, Group: "99", Secrets: []string{"onebot-test-token"},
				Names: true, Replies: true, FilesIn: true, FilesOut: true, Sockets: true, Announces: true,
			})
		})
	}
}

func (s *stand) Channel(tb testing.TB, open channeltest.Open) channels.Channel {
	tb.Helper()
	opts := onebot.Options{Rate: -1, Retry: 10 * time.Millisecond, Timeout: 30 * time.Second, Open: open}
	if s.forward {
		opts.URL = s.URL
	}
	ch, err := onebot.New(s.Token, opts)
	if err != nil {
		tb.Fatal(err)
	}
	if s.stop != nil {
		s.stop()
	}
	if err := s.Wait(soon(tb), func() bool { return s.Connections() == 0 }); err != nil {
		tb.Fatal("the channel before left a connection:", err)
	}
	if !s.forward {
		s.url = onebottest.Serve(tb, ch.Hook())
		s.stop = s.KeepConnected(tb, s.url, "Universal")
	}
	return ch
}

// connected waits until what is said is heard: there is nobody who would say it again.
func (s *stand) connected() {
	s.tb.Helper()
	err := s.Wait(soon(s.tb), func() bool { return s.ConnectedTo(s.url, "Universal") })
	if err != nil {
		s.tb.Fatal("not connected:", err)
	}
}

func (s *stand) Say(what channeltest.Said) (message string, again func()) {
	s.connected()
	var segments []onebottest.Segment
	if what.ReplyTo != "" {
		segments = append(segments, onebottest.Reply(what.ReplyTo))
	}
	if what.Mention {
		segments = append(segments, onebottest.At(s.Self), onebottest.Text(" "))
	}
	if what.MentionAll {
		segments = append(segments, onebottest.At("all"), onebottest.Text(" "))
	}
	if what.Text != "" {
		segments = append(segments, onebottest.Text(what.Text))
	}
	if what.Odd {
		segments = append(segments, onebottest.Segment{Type: "mystery", Data: map[string]any{"id": 1}})
	}
	for _, f := range what.Files {
		segments = append(segments, s.file(f))
	}
	from := what.From
	if what.Bot {
		from = "3889000001"
	}
	id := s.Program.Say(from, what.Chat, segments...)
	return id, func() { s.Again(id) }
}

func (s *stand) file(f channeltest.File) onebottest.Segment {
	s.Keep(f.Name, f.Bytes)
	switch f.Kind {
	case akitad.FilePhoto:
		return s.Image(f.Name)
	case akitad.FileVoice:
		return onebottest.Segment{Type: "record", Data: map[string]any{"file": f.Name}}
	}
	return onebottest.Segment{Type: "file", Data: map[string]any{"file": f.Name, "file_id": f.Name, "url": s.Files + url.PathEscape(f.Name), "file_size": len(f.Bytes)}}
}

func (s *stand) Press(string, string, string, string) {}

func (s *stand) Chat(chat string) (out []channeltest.Message) {
	for _, m := range s.Program.Chat(chat) {
		if m.Gone {
			continue
		}
		seen := channeltest.Message{ID: m.ID, Bot: m.Bot, Text: m.Text, ReplyTo: m.ReplyTo}
		for _, f := range m.Files {
			seen.File = &channeltest.File{Name: path.Base(f.Name), Bytes: f.Bytes}
			if m.Bot && f.Kind == "file" { // an upload has no number of its own
				seen.ID = "later:/file-" + m.ID
			}
		}
		out = append(out, seen)
	}
	return out
}

func (s *stand) Fail(f channeltest.Fault) bool {
	trouble := onebottest.Fault{Chat: f.Chat, Sends: true, Times: f.Times}
	switch f.Kind {
	case channeltest.Broken:
		trouble.Code = 1200
	case channeltest.Gone:
		trouble.Code = 102
	case channeltest.Cut:
		trouble.Cut, trouble.Apply = true, true
	case channeltest.Hanging:
		trouble.Hang = true
	case channeltest.Deaf:
		s.Deafen(time.Duration(f.Times) * 500 * time.Millisecond)
		return true
	default:
		return false
	}
	s.Program.Fail(trouble)
	return true
}
