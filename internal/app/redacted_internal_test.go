package app

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/redact"
)

const secret = "sk-very-secret-value"

// writer notes all that it is told to write.
type writer struct{ wrote []string }

func (w *writer) Name() string { return "writer" }
func (w *writer) Run(context.Context, func(context.Context, akitad.Message) error) error {
	return nil
}

func (w *writer) Placeholder(_ context.Context, _ akitad.Origin, text, _ string) (string, error) {
	w.wrote = append(w.wrote, text)
	return "", nil
}

func (w *writer) Progress(_ context.Context, _ akitad.Origin, _, text string) error {
	w.wrote = append(w.wrote, text)
	return nil
}

func (w *writer) Final(_ context.Context, d akitad.Delivery) ([]string, error) {
	w.wrote = append(w.wrote, d.Reply.Text, d.Notify)
	for _, f := range d.Reply.Files {
		w.wrote = append(w.wrote, f.Name)
	}
	for _, c := range d.Choices {
		w.wrote = append(w.wrote, c.Label)
	}
	return nil, nil
}

// able is a writer with all that a channel can besides.
type able struct{ writer }

func (a *able) Typing(context.Context, akitad.Origin) error  { return nil }
func (a *able) Receipt(context.Context, akitad.Origin) error { return nil }
func (a *able) Health() error                                { return nil }
func (a *able) Hook() http.Handler                           { return http.NotFoundHandler() }
func (a *able) Fetch(context.Context, akitad.Origin, akitad.File) (io.ReadCloser, error) {
	return nil, nil
}

func (a *able) Pressed(_ context.Context, _ akitad.Origin, _ akitad.Press, words, settled string) error {
	a.wrote = append(a.wrote, words, settled)
	return nil
}

// No secret goes out of any channel, in whatever it is told to write, and the delivery of the caller stays
// as it was.
func TestNothingSecretLeaves(t *testing.T) {
	by := redact.New()
	by.Add(secret)
	a := &able{}
	ch := redacted(a, by)
	says := "see " + secret + " here"
	d := akitad.Delivery{
		Notify: says, Reply: akitad.Reply{Text: says, Files: []akitad.File{{Name: secret + ".txt"}}},
		Choices: []akitad.Choice{{ID: "1", Label: says}, {ID: "2", Label: "fine"}},
	}
	asker, ok := channels.As[channels.Asker](ch)
	if !ok {
		t.Fatal("it has lost its buttons")
	}
	_, _ = ch.Placeholder(t.Context(), akitad.Origin{}, says, "")
	_ = ch.Progress(t.Context(), akitad.Origin{}, "1", says)
	_, _ = ch.Final(t.Context(), d)
	_ = asker.Pressed(t.Context(), akitad.Origin{}, akitad.Press{}, says, says)
	if all := strings.Join(a.wrote, "\n"); strings.Contains(all, secret) || !strings.Contains(all, "fine") || len(a.wrote) != 9 {
		t.Errorf("it wrote %d texts:\n%s", len(a.wrote), all)
	}
	if d.Reply.Files[0].Name != secret+".txt" || d.Choices[0].Label != says {
		t.Errorf("the delivery was changed: %+v", d)
	}
}

// What a channel can besides it can when it is wrapped, and nothing more.
func TestWrappedChannelsCanWhatTheyCould(t *testing.T) {
	can := func(ch channels.Channel) (out [5]bool) {
		_, out[0] = channels.As[channels.Companion](ch)
		_, out[1] = channels.As[channels.Asker](ch)
		_, out[2] = channels.As[channels.Fetcher](ch)
		_, out[3] = channels.As[channels.Hooked](ch)
		_, out[4] = channels.As[channels.Prober](ch)
		return out
	}
	if got := can(redacted(&able{}, redact.New())); got != [5]bool{true, true, true, true, true} {
		t.Errorf("all of it: %v", got)
	}
	if got := can(redacted(&writer{}, redact.New())); got != [5]bool{} {
		t.Errorf("none of it: %v", got)
	}
}

// Markdown is seen without its markup, which may stand in the middle of a secret.
func TestMarkupHidesNoSecret(t *testing.T) {
	const token = "8100:AAH_planted_Token-value"
	by := redact.New(token)
	for _, says := range []string{
		`it is 8100:AAH\_planted\_Token-value`, "it is 8100:AAH_**planted**_Token-value", "it is 8100:AAH&#95;planted&#95;Token&#45;value",
		"it is 8100:AAH_<b>planted</b>_Token-value", "it is 8100:AAH_`planted`_Token-value", "it is **8100:AAH**_planted_Token-value",
	} {
		a := &able{}
		ch := redacted(a, by)
		asker, _ := channels.As[channels.Asker](ch)
		_, _ = ch.Final(t.Context(), akitad.Delivery{Reply: akitad.Reply{Text: says}})
		_ = asker.Pressed(t.Context(), akitad.Origin{}, akitad.Press{}, "", says)
		for _, wrote := range []string{a.wrote[0], a.wrote[len(a.wrote)-1]} {
			if seen := markdown.Plain(wrote); strings.Contains(seen, token) {
				t.Errorf("%s: people read %q", says, seen)
			}
		}
	}
	a := &able{}
	fine := "a **bold** `word`, a [link](https://example.com) and 1\\_2"
	_, _ = redacted(a, by).Final(t.Context(), akitad.Delivery{Reply: akitad.Reply{Text: fine}})
	if a.wrote[0] != fine {
		t.Errorf("what holds no secret became %q", a.wrote[0])
	}
}

// No secret goes out in a text file, be it in an old encoding; what is no text goes as it is.
func TestNothingSecretLeavesInFiles(t *testing.T) {
	a := &App{Bus: bustest.New(t), Redact: redact.New(secret)}
	for body, want := range map[string]string{
		"key: " + secret:                 "key: " + redact.Mark,
		"cl\xe9: " + secret + "\xff":     "cl\xe9: " + redact.Mark + "\xff",
		"\x89PNG\x00\xff" + secret + "!": "\x89PNG\x00\xff" + secret + "!",
	} {
		hash, err := a.Bus.PutArtifact(t.Context(), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.openFile(t.Context(), akitad.File{Name: "f", Artifact: hash})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want {
			t.Errorf("%q goes out as %q (%v)", body, got, err)
		}
	}
}
