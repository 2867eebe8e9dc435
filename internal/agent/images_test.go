package agent_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// Images that came with the task are in the first message of every request, up to a bound; other files
// are named only.
func TestImagesComeWithTheWords(t *testing.T) {
	png := []byte("\x89PNG\r\n\x1a\n and so on")
	files := map[string][]byte{
		"notes.txt": []byte("png"), "fake.png": []byte("no image"), "large.png": append(bytes.Clone(png), make([]byte, 5<<20)...),
		"photo": []byte("\xff\xd8\xff\xe0 and so on"), "a.gif": []byte("GIF89a and so on"),
	}
	order := []string{"notes.txt", "gone.png", "fake.png", "large.png", "photo", "a.gif"}
	for i := range 5 {
		name := fmt.Sprintf("%d.png", i)
		files[name], order = png, append(order, name)
	}
	script := llmtest.New(t, llmtest.Calls(llmtest.Call("look", map[string]any{"n": 1})), llmtest.Text("A cat."))
	r := newRig(t, script, saying("look", "nothing", readonly))
	sub := journal.SubmittedData{Text: "what is it?"}
	for _, name := range order {
		if body := files[name]; body != nil {
			if err := r.turn.Dir.Place(name, body); err != nil {
				t.Fatal(err)
			}
		}
		sub.Files = append(sub.Files, akitad.File{Name: name, Mode: "ro"})
	}
	r.run(t, newBook(t, sub))
	for i, req := range script.Requests() {
		var got []string
		for _, p := range req.Messages[0].Parts {
			got = append(got, p.Name+" "+p.MIME)
		}
		want := []string{"photo image/jpeg", "a.gif image/gif", "0.png image/png", "1.png image/png", "2.png image/png"}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("request %d shows %q, want %q", i, got, want)
		}
		for _, m := range req.Messages[1:] {
			if len(m.Parts) > 0 {
				t.Errorf("request %d shows images again", i)
			}
		}
	}
}

func TestAStepShowsTheImagesThatItNames(t *testing.T) {
	script := llmtest.New(t, llmtest.Text("A dog."))
	r := newRig(t, script)
	for _, name := range []string{"a.png", "b.png"} {
		if err := r.turn.Dir.Place(name, []byte("\x89PNG\r\n\x1a\n")); err != nil {
			t.Fatal(err)
		}
	}
	r.run(t, newBook(t, journal.SubmittedData{Text: "look", Step: &akitad.Step{ID: "s", Agent: "assistant", Files: []string{"b.png"}}}))
	if parts := script.Requests()[0].Messages[0].Parts; len(parts) != 1 || parts[0].Name != "b.png" {
		t.Errorf("%d images", len(parts))
	}
}

func TestAProfileWantsItsEndpoints(t *testing.T) {
	script := llmtest.New(t, llmtest.Text("done"))
	r := newRig(t, script)
	r.turn.Profile.Tags = []string{"code"}
	r.run(t, newBook(t, journal.SubmittedData{Text: "fix it"}))
	if got := script.Requests()[0].Tags; !reflect.DeepEqual(got, []string{"code"}) {
		t.Errorf("wants %q", got)
	}
}

// A file that came with the message and could not be fetched is named, so that nobody guesses what was in it.
func TestAFileThatCouldNotBeHad(t *testing.T) {
	script := llmtest.New(t, llmtest.Text("done"))
	r := newRig(t, script)
	if err := r.turn.Dir.Place("here.txt", []byte("x")); err != nil {
		t.Fatal(err)
	}
	r.run(t, newBook(t, journal.SubmittedData{Text: "compare them", Files: []akitad.File{{Name: "here.txt", Artifact: "a", Mode: "ro"}, {Name: "gone.pdf"}}}))
	all := fmt.Sprint(script.Requests()[0].Messages)
	if want := `the file gone.pdf came with this message but could not be fetched`; !strings.Contains(all, want) || strings.Contains(all, "here.txt came") {
		t.Errorf("%q is missing in %s", want, all)
	}
}
