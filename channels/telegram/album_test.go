package telegram_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// pictures opens a picture for each name that is one's, and what is none for "bad".
func pictures(t *testing.T) func(context.Context, akitad.File) (io.ReadCloser, error) {
	bodies := map[string][]byte{"png": picture(t, "png", 20, 10), "jpg": picture(t, "jpg", 20, 10), "gif": picture(t, "moving", 20, 10)}
	return func(_ context.Context, f akitad.File) (io.ReadCloser, error) {
		body := bodies[f.Name[strings.LastIndex(f.Name, ".")+1:]]
		if strings.HasPrefix(f.Name, "bad") || body == nil {
			body = []byte("no picture")
		}
		return io.NopCloser(bytes.NewReader(body)), nil
	}
}

func filesOf(names string) (out []akitad.File) {
	for _, name := range strings.Fields(names) {
		out = append(out, akitad.File{Name: name, Size: 100})
	}
	return out
}

// shown tells what of a bot's messages are files: the kind of each, those of one album in brackets.
func shown(messages []telegramtest.Message) string {
	var out strings.Builder
	album := ""
	for _, m := range messages {
		if m.File == nil {
			continue
		}
		if m.Album != album && album != "" {
			out.WriteString("] ")
		}
		if m.Album != album && m.Album != "" {
			out.WriteString("[")
		}
		album = m.Album
		fmt.Fprintf(&out, "%s%s ", m.Kind, m.Text)
	}
	if album != "" {
		out.WriteString("]")
	}
	return strings.ReplaceAll(strings.TrimSpace(out.String()), " ]", "]")
}

// Photos that stand next to each other are one message that shows them together, and one part.
func TestPhotosGoAsAlbums(t *testing.T) {
	twelve := ""
	for i := range 12 {
		twelve += fmt.Sprintf("%d.png ", i)
	}
	refusedTogether := telegramtest.Fault{Method: "sendMediaGroup", Code: 400, Description: "Bad Request: wrong type of the web page content"}
	for _, tt := range []struct {
		name, files, want string
		parts             int
		fault             telegramtest.Fault
	}{
		{"one", "a.png", "photo", 1, telegramtest.Fault{}},
		{"two", "a.png b.jpg", "[photo photo]", 1, telegramtest.Fault{}},
		{"the same name twice", "x/a.png y/a.png", "[photo photo]", 1, telegramtest.Fault{}},
		{"an odd name", `1".png 报告/图.jpg`, "[photo photo]", 1, telegramtest.Fault{}},
		{"twelve", twelve, "[photo photo photo photo photo photo photo photo photo photo] [photo photo]", 2, telegramtest.Fault{}},
		{"eleven", strings.Join(strings.Fields(twelve)[:11], " "), "[photo photo photo photo photo photo photo photo photo photo] photo", 2, telegramtest.Fault{}},
		{"others between", "a.png b.png r.pdf c.png d.gif e.png f.png", "[photo photo] document photo animation [photo photo]", 5, telegramtest.Fault{}},
		{"one is no picture", "a.png bad.png c.png", "photo document photo", 1, telegramtest.Fault{}},
		{"refused together", "a.png b.png", "photo photo", 1, refusedTogether},
		{"too much together", "a.png b.png", "photo photo", 1, telegramtest.Fault{Method: "sendMediaGroup", Code: 413, Description: "Request Entity Too Large"}},
		{"asked to slow down", "a.png b.png", "[photo photo]", 1, telegramtest.Fault{Method: "sendMediaGroup", Code: 429, RetryAfter: 1, Description: "Too Many Requests"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, to := spoken(t, telegram.Options{Rate: -1, Open: pictures(t)})
			d := answer(to, "", "here")
			d.Reply.Files = filesOf(tt.files)
			if got := r.FileParts(d.Reply.Files); got != tt.parts {
				t.Errorf("%d parts, want %d", got, tt.parts)
			}
			var before []int
			d.Before = func(_ context.Context, part int) error { before = append(before, part); return nil }
			if tt.fault.Method != "" {
				r.api.Fail(tt.fault)
			}
			ids := must[[]string](t)(r.Final(soon(t), d))
			if got := shown(r.api.FromBot(7)); got != tt.want || len(ids) != 1+tt.parts || len(before) != 1+tt.parts {
				t.Errorf("the chat shows %s, want %s; ids %v, parts %v", got, tt.want, ids, before)
			}
		})
	}
}

// An album that may have arrived is sent again as a whole, marked; one that surely did not is not marked. What
// stands before it is not repeated.
func TestAlbumAfterACrash(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault telegramtest.Fault
		want  string
	}{
		{"it had arrived", telegramtest.Fault{Method: "sendMediaGroup", Drop: true, Apply: true}, "[photo photo] [photo🔁  photo]"},
		{"it had not", telegramtest.Fault{Method: "sendMediaGroup", Drop: true}, "[photo🔁  photo]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, to := spoken(t, telegram.Options{Rate: -1, Open: pictures(t)})
			d := answer(to, "", "here")
			d.Reply.Files = filesOf("a.png b.png")
			d.Before = func(_ context.Context, part int) error { d.From = part; return nil }
			r.api.Fail(tt.fault)
			if _, err := r.Final(soon(t), d); akitad.KindOf(err) != akitad.Transport {
				t.Fatalf("the first try: %v", err)
			}
			d.Repeat = true
			must[[]string](t)(r.Final(soon(t), d))
			got := r.api.FromBot(7)
			if shown(got) != tt.want || strings.Count(strings.Join(texts(got), " "), "here") != 1 {
				t.Errorf("the chat shows %s, %q", shown(got), texts(got))
			}
		})
	}
}

// A photo that is not kept any more costs its own place, and the others go as an album all the same.
func TestAlbumWithoutWhatIsGone(t *testing.T) {
	for _, tt := range []struct{ name, files, want string }{
		{"the first", "gone.png b.png c.png", "[photo photo]"},
		{"the last", "a.png b.png gone.jpg", "[photo photo]"},
		{"two of four", "a.png gone.png gone.jpg d.png", "[photo photo]"},
		{"all but one", "gone.png b.png", "photo"},
		{"and one is no picture", "gone.png bad.png c.png d.png", "document photo photo"},
		{"all", "gone.png gone.jpg", ""},
		{"others follow", "a.png gone.png c.png r.pdf", "[photo photo] document"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kept := pictures(t)
			r, to := spoken(t, telegram.Options{Rate: -1, Open: func(ctx context.Context, f akitad.File) (io.ReadCloser, error) {
				if strings.HasPrefix(f.Name, "gone") {
					return nil, akitad.Errorf(akitad.InvalidRequest, "it is not kept any more")
				}
				return kept(ctx, f)
			}})
			d := answer(to, "", "here")
			d.Reply.Files = filesOf(tt.files)
			at := 0
			d.Before = func(_ context.Context, part int) error { at = part; return nil }
			_, err := r.Final(soon(t), d)
			if akitad.KindOf(err) != akitad.InvalidRequest || at != 1 {
				t.Errorf("part %d: %v; want what is gone told of", at, err)
			}
			d.From = at + 1
			must[[]string](t)(r.Final(soon(t), d))
			if got := shown(r.api.FromBot(7)); got != tt.want {
				t.Errorf("the chat shows %s, want %s", got, tt.want)
			}
		})
	}
}

// Of an album that was refused, no photo that is in the chat comes again because of a later one; before any is
// there, the part can be sent again.
func TestPhotosOneByOne(t *testing.T) {
	pass := telegramtest.Fault{Method: "sendPhoto", Delay: time.Nanosecond}
	busy := telegramtest.Fault{Method: "sendPhoto", Code: 502, Description: "Bad Gateway"}
	no := telegramtest.Fault{Code: 400, Method: "sendPhoto", Description: "Bad Request: wrong file"}
	noFile := telegramtest.Fault{Code: 400, Method: "sendDocument", Description: "Bad Request: wrong file"}
	for _, tt := range []struct {
		name   string
		faults []telegramtest.Fault
		kind   akitad.Kind
		want   string
	}{
		{"the first fails", []telegramtest.Fault{busy}, akitad.Overloaded, ""},
		{"the second fails", []telegramtest.Fault{pass, busy}, akitad.InvalidRequest, "photo photo"},
		{"the last two fail", []telegramtest.Fault{pass, busy, busy}, akitad.InvalidRequest, "photo"},
		{"the first is refused", []telegramtest.Fault{no, noFile}, akitad.InvalidRequest, "photo photo"},
		{"one is refused, one fails", []telegramtest.Fault{no, noFile, busy}, akitad.Overloaded, ""},
		{"the connection breaks", []telegramtest.Fault{pass, {Method: "sendPhoto", Drop: true}}, akitad.InvalidRequest, "photo photo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, to := spoken(t, telegram.Options{Rate: -1, Open: pictures(t)})
			d := answer(to, "", "here")
			d.Reply.Files = filesOf("a.png b.png c.png")
			r.api.Fail(telegramtest.Fault{Method: "sendMediaGroup", Code: 400, Description: "Bad Request: wrong type"})
			for _, f := range tt.faults {
				r.api.Fail(f)
			}
			_, err := r.Final(soon(t), d)
			if got := shown(r.api.FromBot(7)); akitad.KindOf(err) != tt.kind || got != tt.want {
				t.Errorf("%v; the chat shows %q, want %s and %q", err, got, tt.kind, tt.want)
			}
		})
	}
}

// Each photo of an album counts: the limits hold.
func TestAlbumsKeepTheLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := virtual(t, telegramtest.Real(), telegram.Options{Rate: 25, Open: pictures(t)})
		d := answer(r.hear(7), "", "here")
		d.Reply.Files = filesOf("a.png b.png c.png d.png e.png f.png")
		began := time.Now()
		must[[]string](t)(r.Final(t.Context(), d))
		for _, c := range r.api.Calls("") {
			if c.Code != 200 {
				t.Errorf("%s was answered with %d", c.Method, c.Code)
			}
		}
		if took := time.Since(began); took < 4*time.Second || took > 8*time.Second {
			t.Errorf("seven messages took %v, want about 5 s", took)
		}
	})
}
