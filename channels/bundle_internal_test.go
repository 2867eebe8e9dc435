package channels

import (
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

func TestBundles(t *testing.T) {
	files := func(kinds ...akitad.FileKind) (all []akitad.File) {
		for _, kind := range kinds {
			all = append(all, akitad.File{Name: "a", Kind: kind})
		}
		return all
	}
	const doc = akitad.FileKind("")
	type said struct {
		after time.Duration
		m     akitad.Message
		want  string
	}
	alone := akitad.Message{Session: "s", ID: "1", Files: files(doc)}
	words := akitad.Message{Session: "s", ID: "2", Text: "sum it up"}
	with := func(m akitad.Message, change func(*akitad.Message)) akitad.Message { change(&m); return m }
	for _, tt := range []struct {
		name string
		all  []said
	}{
		{"words alone", []said{{0, words, ""}}},
		{"words behind a file", []said{{0, alone, "1"}, {bundleWait / 2, words, "1"}, {0, with(words, func(m *akitad.Message) { m.ID = "3" }), ""}}},
		{"words before a file", []said{{0, words, ""}, {0, alone, "1"}}},
		{"words that come late", []said{{0, alone, "1"}, {bundleWait, words, ""}}},
		{"several files", []said{
			{0, alone, "1"},
			{bundleWait / 2, with(alone, func(m *akitad.Message) { m.ID = "4"; m.Files = files(akitad.FilePhoto) }), "1"},
			{bundleWait * 3 / 4, words, "1"},
		}},
		{"a file with words of its own", []said{{0, with(alone, func(m *akitad.Message) { m.Text = "look" }), ""}, {0, words, ""}}},
		{"a voice", []said{{0, with(alone, func(m *akitad.Message) { m.Files = files(akitad.FileVoice) }), ""}}},
		{"a file and a voice about it", []said{{0, alone, "1"}, {bundleWait / 2, with(alone, func(m *akitad.Message) { m.ID = "4"; m.Files = files(akitad.FileVoice) }), "1"}}},
		{"of another person", []said{{0, alone, "1"}, {0, with(words, func(m *akitad.Message) { m.Origin.Sender = "boris" }), ""}, {0, words, "1"}}},
		{"in another conversation", []said{{0, alone, "1"}, {0, with(words, func(m *akitad.Message) { m.Session = "t" }), ""}}},
		{"a command", []said{{0, alone, "1"}, {0, with(words, func(m *akitad.Message) { m.Text = "／new" }), ""}, {0, words, ""}}},
		{"an answer to something else", []said{{0, alone, "1"}, {0, with(words, func(m *akitad.Message) { m.ReplyTo = "om_9" }), ""}}},
		{"an album", []said{{0, with(alone, func(m *akitad.Message) { m.Album = "g" }), ""}}},
		{"a button", []said{{0, alone, "1"}, {0, akitad.Message{Session: "s", Press: &akitad.Press{}}, ""}}},
		{"in a group", []said{{0, with(alone, func(m *akitad.Message) { m.Origin.Group = true }), ""}}},
	} {
		b, now := newBundles(), time.Now()
		for i, s := range tt.all {
			now = now.Add(s.after)
			if got := b.of(s.m, now); got != s.want {
				t.Errorf("%s: message %d is of %q, want %q", tt.name, i, got, s.want)
			}
		}
	}
}

// A bundle is whole when words have come, or when none did for a while, and has the id of its first part.
func TestBundleIsWhole(t *testing.T) {
	part := func(id, text string) part {
		p := part{del: &bus.Delivery{}}
		p.Bundle, p.Message = "1", akitad.Message{ID: id, Task: akitad.TaskID("t" + id), Session: "s", Text: text}
		if text == "" {
			p.Message.Files = []akitad.File{{Name: id}}
		}
		return p
	}
	a, now := newAlbums(), time.Now()
	p, _ := a.add(part("1", ""), now)
	if left := a.left(p, now.Add(bundleWait/2)); left != bundleWait/2 {
		t.Errorf("a file waits %v more", left)
	}
	if _, isNew := a.add(part("2", "sum it up"), now.Add(bundleWait/2)); isNew {
		t.Error("the words are by themselves")
	}
	if left := a.left(p, now.Add(bundleWait/2)); left > 0 {
		t.Errorf("with words it waits %v more", left)
	}
	if r := join(p.all()); r.Message.ID != "1" || r.Message.Task != "t1" || r.Message.Text != "sum it up" || len(r.Message.Files) != 1 || len(r.parts) != 2 {
		t.Errorf("joined %+v", r)
	}
	late, isNew := a.add(part("3", "and this"), now.Add(bundleWait/2))
	if r := join(late.all()); !isNew || r.Message.ID != "3" || r.parts != nil || r.Message.Text != "and this" {
		t.Errorf("late words became %+v", r)
	}
}
