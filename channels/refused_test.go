package channels_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/journal"
)

// Where a group forbids files, a long answer that would have been one is sent in words, and what comes after the
// files arrives too.
func TestLongAnswerWhereFilesAreForbidden(t *testing.T) {
	for name, fault := range map[string]telegramtest.Fault{
		"no right":       {Code: 400, Description: "Bad Request: not enough rights to send documents to the chat"},
		"of documents":   {Code: 400, Description: "Bad Request: CHAT_SEND_DOCS_FORBIDDEN"},
		"told as such":   {Code: 403, Description: "Forbidden: CHAT_SEND_DOCS_FORBIDDEN"},
		"a file refused": {Code: 400, Description: "Bad Request: wrong file"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.opts.LongAnswer = map[string]int{"telegram": 1000}
			r.opts.SlowAfter = time.Nanosecond
			r.start()
			fault.Method, fault.Times = "sendDocument", -1
			r.srv.Fail(fault)
			m := r.say(anna, "go", 100)
			r.until(m.id, placed)
			r.complete(m.id, "# Findings"+strings.Repeat("\n\nA line about the matter.", 200)+"\n\nThe last line.")
			r.delivered(m.id)
			all := r.texts(anna)
			if got := strings.Join(all[1:], "\n"); strings.Count(got, "A line about the matter.") != 200 || !strings.HasSuffix(got, "The last line.") {
				t.Errorf("the whole text did not come: %s", r.chats())
			}
		})
	}
}

// Photos that are refused together go one by one; one of them that fails does not bring the others again.
func TestPhotosOfARefusedAlbumComeOnce(t *testing.T) {
	r := newRig(t)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 20, 10))); err != nil {
		t.Fatal(err)
	}
	hash, err := r.bus.PutArtifact(t.Context(), picture.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	r.start()
	m := r.say(anna, "go", 100)
	r.until(m.id, placed)
	r.srv.Fail(telegramtest.Fault{Method: "sendMediaGroup", Code: 400, Description: "Bad Request: wrong type", Times: -1})
	r.srv.Fail(telegramtest.Fault{Method: "sendPhoto", Delay: time.Nanosecond}) // the first one passes
	r.srv.Fail(telegramtest.Fault{Method: "sendPhoto", Code: 502, Description: "Bad Gateway", Times: 3})
	var files []akitad.File
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		files = append(files, akitad.File{Name: name, Artifact: hash, Size: int64(picture.Len())})
	}
	text := akitad.File{Name: "r.txt", Artifact: hash, Size: int64(picture.Len())}
	r.append(m.id, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "here", Artifacts: append(files, text)}})
	if got := r.delivered(m.id); len(got.Sent) != 3 {
		t.Errorf("%d messages are on record, want the words, the text file and that something is missing", len(got.Sent))
	}
	all := r.srv.FromBot(anna)
	if len(all) != 4 || all[1].File == nil || all[1].File.Name != "a.png" || all[2].File == nil || all[2].File.Name != "r.txt" {
		t.Errorf("the chat: %s", r.chats())
	}
}

// pressable is a puppet with buttons.
type pressable struct {
	*puppet
	settle func(message string)
}

func (p pressable) Pressed(_ context.Context, _ akitad.Origin, press akitad.Press, _, _ string) error {
	p.settle(press.Message)
	return nil
}

// To take buttons away may wait for room in the chat: it comes after the next question, and after the answer is
// on record.
func TestButtonsAreTakenAwayLast(t *testing.T) {
	r, s := puppetRig(t)
	asks := &manyQuestions{}
	r.opts.Questions = asks
	type taken struct {
		said, message string
		delivered     bool
	}
	away := make(chan taken, 9)
	var id akitad.TaskID
	settle := func(message string) {
		task, err := r.journal.Load(context.Background(), id)
		if err != nil {
			t.Error(err)
			return
		}
		all := s.texts()
		away <- taken{all[len(all)-1], message, task.Delivered}
	}
	r.wrap = func(channels.Channel) channels.Channel { return pressable{s, settle} }
	s.final = func(d akitad.Delivery) error {
		if d.Reply.Text == "the answer" {
			asks.open("") // while it is sent
		}
		return nil
	}
	id = s.say(anna, 1, nil)
	next := func() (got taken) {
		select {
		case got = <-away:
		case <-r.ctx().Done():
			t.Error("no buttons were taken away")
		}
		return got
	}
	asked := func(q string) string {
		return r.until(id, func(t *journal.Task) bool { return t.Asked.Question == q && t.Asked.Message != "" }).Asked.Message
	}
	asks.open("Blue?")
	r.start()
	r.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "Blue?"})
	first := asked("Blue?")
	r.stop() // so that nothing finds the first question closed before the second one waits
	asks.open("Green?")
	r.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "Green?"})
	r.start()
	second := asked("Green?")
	if got := next(); got.said != "Green?" || got.message != first || got.delivered {
		t.Errorf("the first question was settled: %+v, want it after the second was said", got)
	}
	r.complete(id, "the answer")
	r.delivered(id)
	if got := next(); got.said != "the answer" || got.message != second || !got.delivered {
		t.Errorf("the second question was settled: %+v, want it after the answer was on record", got)
	}
}

// A chat that has no room for taking buttons away holds up nothing of its session: neither what is asked next, nor the
// answer, nor the next task.
func TestButtonsThatStayHoldUpNothing(t *testing.T) {
	r, s := puppetRig(t)
	asks := &manyQuestions{}
	r.opts.Questions = asks
	full, tried := make(chan struct{}), make(chan struct{}, 9)
	defer close(full)
	r.wrap = func(channels.Channel) channels.Channel {
		return pressable{s, func(string) { tried <- struct{}{}; <-full }}
	}
	id := s.say(anna, 1, nil)
	asks.open("Blue?")
	r.start()
	for _, q := range []string{"Blue?", "Green?"} {
		asks.open(q)
		r.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: q})
		r.until(id, func(t *journal.Task) bool { return t.Asked.Question == q && t.Asked.Message != "" })
	}
	select {
	case <-tried:
	case <-r.ctx().Done():
		t.Fatal("no buttons were taken away")
	}
	r.complete(id, "the answer")
	r.delivered(id)
	next := s.say(anna, 2, nil)
	r.until(next, placed)
}

// What a service refuses without a reason that is known is on record with the task, and the person reads that
// something is missing, and where it is.
func TestWhatIsRefusedIsOnRecord(t *testing.T) {
	r := newRig(t)
	r.start()
	m := r.say(anna, "go", 100)
	r.until(m.id, placed)
	r.srv.Fail(telegramtest.Fault{Texts: true, Code: 400, Description: "Bad Request: TEXT_DISLIKED", Times: -1, When: func(text string) bool { return strings.Contains(text, "disliked") }})
	r.srv.Fail(telegramtest.Fault{Method: "sendDocument", Code: 400, Description: "Bad Request: FILE_DISLIKED", Times: -1})
	hash, err := r.bus.PutArtifact(t.Context(), []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	text := "The beginning." + strings.Repeat("\nA line.", 100) + "\nSomething disliked." + strings.Repeat("\nA line.", 100) + "\nThe end."
	r.append(m.id, journal.Completed, journal.EndData{Result: &akitad.Result{Text: text, Artifacts: []akitad.File{{Name: "a.txt", Artifact: hash, Size: 4}}}})
	task := r.delivered(m.id)
	var got journal.DeliveryData
	err = r.journal.Events(t.Context(), m.id, 0, func(e akitad.Event) error {
		if e.Kind == journal.Delivered {
			return json.Unmarshal(e.Data, &got)
		}
		return nil
	})
	if err != nil || len(task.Sent) != len(got.Messages) {
		t.Fatal(err, task.Sent, got.Messages)
	}
	all := r.texts(anna)
	shown := strings.Join(all, "\n")
	for _, want := range []string{"The beginning.", "The end.", "could not be shown", "Not all of this answer could be sent", "/task " + string(m.id)} {
		if strings.Count(shown, want) == 0 {
			t.Errorf("%q is not in the chat: %s", want, r.chats())
		}
	}
	var as []string
	for _, a := range got.Amended {
		as = append(as, string(a.As))
		if !strings.Contains(a.Why, "TEXT_DISLIKED") {
			t.Errorf("why: %q", a.Why)
		}
	}
	if want := "plain"; len(as) < 3 || as[0] != want || !slices.Contains(as, "pieces") || !slices.Contains(as, "notice") || !strings.Contains(got.Error, "FILE_DISLIKED") {
		t.Errorf("on record: %q, %q", as, got.Error)
	}
}
