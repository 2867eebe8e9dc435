package feishu_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// inLimits checks every card and post that left: its size on the wire and its tables.
func (r *rig) inLimits() {
	r.t.Helper()
	for _, c := range r.Calls("") {
		if c.Code == 230025 || c.Code == 230099 {
			r.t.Errorf("%s was refused with %d, at %d bytes", c.Method, c.Code, c.Size)
		}
		if strings.Contains(c.Body, `interactive`) && c.Size > 30_000 {
			r.t.Errorf("%s has %d bytes", c.Method, c.Size)
		}
	}
}

// Tables over what one card takes go into the next; all of their data arrives.
func TestManyTables(t *testing.T) {
	var md strings.Builder
	for i := range 12 {
		fmt.Fprintf(&md, "| a | b |\n|---|---|\n| row %d of all | x |\n\n", i)
	}
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		ids := r.final(reply(to, r.placeholder(to), md.String()))
		if len(ids) < 3 {
			t.Errorf("12 tables in %d cards", len(ids))
		}
		for i := range 12 {
			if text := fmt.Sprintf("row %d of all", i); !strings.Contains(r.shown(to.Chat), text) {
				t.Errorf("%q is missing", text)
			}
		}
		r.inLimits()
	})
}

// The limit counts bytes of the request as it leaves.
func TestSizes(t *testing.T) {
	for name, tt := range map[string]struct {
		unit  string
		count int
		parts int // at least
	}{
		"three bytes a letter":    {"汉", 30000, 3},
		"letters that HTML names": {"<", 6000, 1},
		"quotes":                  {`"`, 20000, 2},
		"backslashes":             {`\x`, 20000, 2},
		"one line":                {"x", 90000, 3},
		"control letters":         {"\x01x", 9000, 1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, feishutest.Options{}, func(r *rig) {
				r.run()
				to := r.meet()
				ids := r.final(reply(to, r.placeholder(to), strings.Repeat(tt.unit, tt.count)))
				letter := tt.unit[len(tt.unit)-len(strings.TrimLeft(tt.unit, "\x01")):]
				if got := strings.Count(r.shown(to.Chat), letter); got < tt.count || len(ids) < tt.parts {
					t.Errorf("%d of %d letters in %d parts, want at least %d", got, tt.count, len(ids), tt.parts)
				}
				r.inLimits()
			})
		})
	}
}

// A partial text that grows past one card: what is shown stays, the rest comes in further messages.
func TestStreamOverflows(t *testing.T) {
	bubble(t, feishutest.Options{Rates: true}, func(r *rig) {
		r.run()
		to := r.meet()
		id := r.placeholder(to)
		whole := ""
		for i := range 2000 {
			whole += fmt.Sprintf("word %d of the answer.\n", i)
			if i%20 == 0 {
				time.Sleep(200 * time.Millisecond)
				if err := r.f.Progress(r.t.Context(), to, id, whole); err != nil {
					t.Fatal(err)
				}
			}
		}
		ids := r.final(reply(to, id, whole))
		if ids[0] != id || len(ids) < 2 {
			t.Errorf("parts %q for placeholder %q", ids, id)
		}
		shown := ""
		for _, e := range append(r.message(to.Chat, id).Edits, feishutest.Edit{Text: r.message(to.Chat, id).Text}) {
			if shown != "" && !strings.HasPrefix(e.Text, strings.TrimRight(shown, "\n ")) && e.Text != "thinking" {
				t.Fatalf("what was shown is gone: %.60q after %.60q", e.Text, shown)
			}
			if e.Text != "thinking" {
				shown = e.Text
			}
		}
		if !strings.Contains(r.shown(to.Chat), "word 1999 of") {
			t.Error("the end is missing")
		}
		if n := len(r.Calls("patch")); n < 20 || n > 120 {
			t.Errorf("%d edits in 20 s", n)
		}
		for _, c := range r.Calls("") {
			if c.Code != 0 {
				t.Errorf("%s was refused: %d", c.Method, c.Code)
			}
		}
	})
}

// A card that takes no more edits is left alone: the answer comes as a message of its own.
func TestDeadCard(t *testing.T) {
	for _, code := range []int{300309, 230031, 230110} {
		bubble(t, feishutest.Options{}, func(r *rig) {
			r.run()
			to := r.meet()
			id := r.placeholder(to)
			r.Fail(feishutest.Fault{Method: "patch", Code: code, Times: -1})
			for range 100 {
				_ = r.f.Progress(r.t.Context(), to, id, "step")
				time.Sleep(7 * time.Second)
			}
			ids := r.final(reply(to, id, "the answer"))
			if len(ids) != 1 || ids[0] == id || !strings.Contains(r.message(to.Chat, ids[0]).Text, "the answer") {
				t.Errorf("%d: parts %q: %s", code, ids, r.shown(to.Chat))
			}
			if n := len(r.Calls("patch")); n > 2 {
				t.Errorf("%d: a dead card was edited %d times", code, n)
			}
		})
	}
}

// Answers stay in the thread of the message that they answer, and name no other address than its chat.
func TestWhereAnswersGo(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		r.Say(feishutest.Said{From: anna, Chat: group, Thread: "omt_1", Text: "in a topic", Mention: true})
		to := r.next().Origin
		d := reply(to, r.placeholder(to), strings.Repeat("a long answer.\n", 4000))
		d.Notify = "done"
		r.final(d)
		for _, m := range r.FromBot(group) {
			if m.Thread != "omt_1" || m.Parent != to.Message {
				t.Errorf("%s is in thread %q and answers %q", m.ID, m.Thread, m.Parent)
			}
		}
		for _, c := range r.Calls("reply") {
			if !strings.Contains(c.Body, `"reply_in_thread":true`) || !strings.Contains(c.Path, to.Message) {
				t.Errorf("%s %.80s", c.Path, c.Body)
			}
		}
		r.final(reply(akitad.Origin{Chat: group}, "", "by schedule"))
		for _, c := range r.Calls("send") {
			if c.Query["receive_id_type"] != "chat_id" || !strings.Contains(c.Body, group) {
				t.Errorf("%v %.80s", c.Query, c.Body)
			}
		}
		if n := len(r.Calls("send")); n != 1 {
			t.Errorf("%d messages were not answers, want the one that had nothing to answer", n)
		}
	})
}

// The person took the question back, or its thread is closed: the answer arrives all the same.
func TestNothingToAnswer(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		id := r.placeholder(to)
		r.Recall(to.Message)
		r.Recall(id)
		ids := r.final(reply(to, id, "the answer"))
		if got := r.message(to.Chat, ids[0]); got.Parent != "" || !strings.Contains(got.Text, "the answer") {
			t.Errorf("got %+v", got)
		}
		r.Say(feishutest.Said{From: anna, Chat: group, Thread: "omt_1", Text: "in a topic", Mention: true})
		in := r.next().Origin
		r.Fail(feishutest.Fault{Method: "reply", Code: 230071})
		ids = r.final(reply(in, "", "the answer"))
		if got := r.message(group, ids[0]); got.Parent != in.Message {
			t.Errorf("got %+v", got)
		}
	})
}

// A card that is refused for what is in it arrives as plain text, once: as a card where it takes a card's
// place or has buttons, and if that is refused too, as a plain message.
func TestRefusedCards(t *testing.T) {
	choices := []akitad.Choice{{ID: "y", Label: "Yes"}}
	for _, code := range []int{230099, 11310, 230025} {
		for _, tt := range []struct {
			edit    bool
			choices []akitad.Choice
			times   int
			want    string
		}{
			{times: 1, want: "text"},
			{edit: true, times: 1, want: "interactive"},
			{edit: true, times: 2, want: "text"},
			{choices: choices, times: 1, want: "interactive"},
			{choices: choices, times: 2, want: "text"},
		} {
			bubble(t, feishutest.Options{}, func(r *rig) {
				r.run()
				to := r.meet()
				d := reply(to, "", "the **bold** one")
				d.Choices = tt.choices
				if tt.edit {
					d.Message = r.placeholder(to)
				}
				r.Fail(feishutest.Fault{Code: code, Times: tt.times})
				ids := r.final(d)
				got := r.message(to.Chat, ids[0])
				if got.Type != tt.want || strings.Contains(got.Content, "markdown") || strings.Count(r.shown(to.Chat), "bold") != 1 {
					t.Errorf("%d, %+v: came as %s: %s", code, tt, got.Type, got.Content)
				}
				if tt.choices != nil && !strings.Contains(got.Content, "Yes") {
					t.Errorf("%d, %+v: the choices are gone: %s", code, tt, got.Content)
				}
			})
		}
	}
}

// What asks to slow down is waited out: by that chat, or by the bot as a whole.
func TestRates(t *testing.T) {
	for _, tt := range []struct {
		fault feishutest.Fault
		wait  time.Duration
		all   bool
	}{
		{feishutest.Fault{Code: 230020}, time.Second, false},
		{feishutest.Fault{Code: 230020, Reset: 7}, 7 * time.Second, false},
		{feishutest.Fault{Code: 11233, Status: 200}, time.Second, false},
		{feishutest.Fault{Code: 99991400, Status: 429, Reset: 5}, 5 * time.Second, true},
		{feishutest.Fault{Code: 99991400, Status: 400}, time.Second, true},
		{feishutest.Fault{Code: 11232}, time.Second, true},
		{feishutest.Fault{Body: "slow down", Status: 429}, time.Second, true},
	} {
		bubble(t, feishutest.Options{}, func(r *rig) {
			r.run()
			to := r.meet()
			r.Say(feishutest.Said{From: "ou_boris", Text: "hello"})
			other := r.next().Origin
			time.Sleep(time.Minute)
			tt.fault.Chat = to.Chat
			r.Fail(tt.fault)
			began := time.Now()
			one, two := make(chan time.Duration, 1), make(chan time.Duration, 1)
			go func() { r.final(reply(to, "", "slow")); one <- time.Since(began) }()
			time.Sleep(100 * time.Millisecond)
			if err := r.f.Receipt(r.t.Context(), to); err != nil {
				t.Error(err)
			}
			go func() { r.final(reply(other, "", "quick")); two <- time.Since(began) }()
			first, second := <-one, <-two
			if first < tt.wait || first > tt.wait+time.Second || (second > 500*time.Millisecond) != tt.all {
				t.Errorf("%+v: after %v and, in the other chat, %v", tt.fault, first, second)
			}
			if n := len(r.Calls("react")); n != 0 {
				t.Errorf("%+v: a receipt went into a chat that is to be left alone", tt.fault)
			}
		})
	}
}

// With the bot's own budget the service has nothing to refuse, and answers need not wait for progress.
func TestBudgetKeepsTheLimits(t *testing.T) {
	for _, rate := range []float64{0, 5, 25, 45} {
		withinLimits(t, rate, 1)
		withinLimits(t, rate, 40)
	}
}

func withinLimits(t *testing.T, rate float64, chats int) {
	t.Helper()
	bubble(t, feishutest.Options{Rates: true}, func(r *rig) {
		r.connect(feishu.Options{Rate: rate})
		r.run()
		var to []akitad.Origin
		for i := range chats {
			r.Say(feishutest.Said{From: fmt.Sprintf("ou_%d", i), Text: "hello"})
		}
		for range chats {
			to = append(to, r.next().Origin)
		}
		done := make(chan struct{})
		for _, o := range to {
			go func() {
				id := r.placeholder(o)
				for range 20 {
					if err := r.f.Progress(r.t.Context(), o, id, "step"); err != nil {
						t.Error(err)
					}
					time.Sleep(100 * time.Millisecond)
				}
				r.final(reply(o, id, "the answer"))
				r.final(reply(o, "", "one more"))
				done <- struct{}{}
			}()
		}
		for range to {
			<-done
		}
		for _, c := range r.Calls("") {
			if c.Code != 0 {
				t.Fatalf("at %v a second %s was refused: %d", rate, c.Method, c.Code)
			}
		}
	})
}

// A part that may be in the chat already is sent by the name that it had: the service knows it for an hour.
// After that it is marked.
func TestRepetition(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		d := reply(to, "", "the answer")
		first := r.final(d)
		r.connect(feishu.Options{})
		d.Repeat = true
		if again := r.final(d); again[0] != first[0] || len(r.FromBot(to.Chat)) != 1 {
			t.Errorf("the part stands there as %q and %q", first, again)
		}
		time.Sleep(61 * time.Minute)
		if again := r.final(d); again[0] == first[0] || !strings.HasPrefix(r.message(to.Chat, again[0]).Text, "🔁") {
			t.Errorf("after an hour: %q", r.shown(to.Chat))
		}
		names := map[string]bool{}
		for _, other := range []akitad.Delivery{
			{Kind: akitad.DeliverQuestion, Reply: d.Reply},
			{Reply: akitad.Reply{Task: "t_2", Origin: to, Text: "the answer"}},
			{Reply: akitad.Reply{Task: "t_1", Origin: to, Text: "another"}},
			{Reply: d.Reply, Choices: []akitad.Choice{{ID: "a", Label: "A"}}},
			{Reply: d.Reply, Choices: []akitad.Choice{{ID: "b", Label: "A"}}},
		} {
			ids := r.final(other)
			names[r.message(to.Chat, ids[0]).UUID] = true
		}
		if len(names) != 5 {
			t.Errorf("five deliveries have %d names", len(names))
		}
	})
}

var pictures = map[string][]byte{
	"cat.png": []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00"),
}

// Files go as what they are; what cannot go is said.
func TestFiles(t *testing.T) {
	files := map[string][]byte{
		"out/cat.png": pictures["cat.png"], "fake.png": []byte("no picture"), "talk.opus": []byte("opus"), "clip.mp4": []byte("mp4"), "报告.pdf": []byte("pdf"),
		"table.xlsx": []byte("x"), "slides.ppt": []byte("p"), "letter.docx": []byte("d"), "notes.txt": []byte("n"), "large.bin": make([]byte, 30<<20+1), "empty.txt": {},
		"most.bin": make([]byte, 30<<20), "large.png": append(bytes.Clone(pictures["cat.png"]), make([]byte, 10<<20)...),
	}
	for name, want := range map[string]string{
		"out/cat.png": "image image", "fake.png": "file stream", "talk.opus": "audio opus", "clip.mp4": "media mp4", "报告.pdf": "file pdf",
		"table.xlsx": "file xls", "slides.ppt": "file ppt", "letter.docx": "file doc", "notes.txt": "file stream", "most.bin": "file stream", "large.png": "file stream",
		"large.bin": "interactive", "empty.txt": "interactive",
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, feishutest.Options{}, func(r *rig) {
				r.connect(feishu.Options{Open: func(_ context.Context, f akitad.File) (io.ReadCloser, error) {
					return io.NopCloser(bytes.NewReader(files[f.Name])), nil
				}})
				r.run()
				to := r.meet()
				d := reply(to, "", "here")
				d.Reply.Files = []akitad.File{{Name: name, Artifact: "h"}}
				ids := r.final(d)
				got := r.message(to.Chat, ids[1])
				kind := got.Type
				if got.File != nil {
					kind += " " + got.File.Kind
					if !bytes.Equal(got.File.Bytes, files[name]) || got.File.Name != name[strings.LastIndex(name, "/")+1:] {
						t.Errorf("arrived as %q, %d bytes", got.File.Name, len(got.File.Bytes))
					}
				} else if !strings.Contains(got.Text, name) {
					t.Errorf("who waits for the file is told %q", got.Text)
				}
				if kind != want {
					t.Errorf("arrived as %q, want %q", kind, want)
				}
			})
		})
	}
}

// A picture that the service cannot show arrives as a file; trouble that passes is waited out.
func TestUploadsInTrouble(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.connect(feishu.Options{Open: func(context.Context, akitad.File) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(pictures["cat.png"])), nil
		}})
		r.run()
		to := r.meet()
		d := reply(to, "", "here")
		d.Reply.Files = []akitad.File{{Name: "cat.png", Artifact: "h"}}
		r.Fail(feishutest.Fault{Method: "image", Code: 234011})
		r.Fail(feishutest.Fault{Method: "file", Status: 502, Body: "<html>", Times: 2})
		ids := r.final(d)
		if got := r.message(to.Chat, ids[1]); got.Type != "file" || got.File.Name != "cat.png" {
			t.Errorf("arrived as %+v", got)
		}
		gone := errors.New("the bytes are gone")
		r.connect(feishu.Options{Open: func(context.Context, akitad.File) (io.ReadCloser, error) { return nil, gone }})
		d.Reply.Task = "t_2"
		if some, err := r.f.Final(r.t.Context(), d); len(some) != 1 || !errors.Is(err, gone) {
			t.Errorf("ids %q, error %v", some, err)
		}
	})
}

func TestReceipt(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		if err := r.f.Receipt(r.t.Context(), to); err != nil {
			t.Error(err)
		}
		if got := r.message(to.Chat, to.Message).Reactions; len(got) != 1 || got[0] != "OnIt" {
			t.Errorf("reactions %q", got)
		}
	})
}

// Refusals are told apart by their code, whatever the status of HTTP is.
func TestKinds(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		for _, tt := range []struct {
			code, status int
			want         akitad.Kind
		}{
			{230002, 400, akitad.PermissionDenied},
			{230002, 200, akitad.PermissionDenied},
			{99991672, 400, akitad.PermissionDenied},
			{230001, 400, akitad.InvalidRequest},
			{230028, 400, akitad.InvalidRequest},
			{99992361, 400, akitad.NotFound},
			{99991663, 400, akitad.Auth},
			{2200, 500, akitad.Overloaded},
			{230049, 400, akitad.Overloaded},
		} {
			for _, method := range []string{"reply", "send"} {
				r.Fail(feishutest.Fault{Method: method, Code: tt.code, Status: tt.status, Msg: "with " + r.Secret, Times: -1})
			}
			_, err := r.f.Final(r.t.Context(), reply(to, "", "x"))
			if akitad.KindOf(err) != tt.want || strings.Contains(fmt.Sprint(err), r.Secret) {
				t.Errorf("%d: %v (%s), want %s", tt.code, err, akitad.KindOf(err), tt.want)
			}
			r.Heal()
		}
	})
}

// A refusal for a reason that is not known costs the card or the reply, not the words.
func TestRefusedForReasonsThatNobodyKnows(t *testing.T) {
	for name, tt := range map[string]struct {
		faults map[string]int // how often a method is refused
		want   string
	}{
		"once":            {map[string]int{"patch": 1}, "the words"},
		"every edit":      {map[string]int{"patch": -1}, "thinking|the words"},
		"edit and reply":  {map[string]int{"patch": -1, "reply": -1}, "thinking|the words"},
		"a page, no code": {map[string]int{"html": 2}, "thinking|the words"},
	} {
		bubble(t, feishutest.Options{}, func(r *rig) {
			r.run()
			to := r.meet()
			id := r.placeholder(to)
			for method, times := range tt.faults {
				f := feishutest.Fault{Method: method, Code: 231999, Status: 400, Msg: "something new", Times: times}
				if method == "html" {
					f = feishutest.Fault{Method: "patch", Status: 413, Body: "<html>too large</html>", Times: times}
				}
				r.Fail(f)
			}
			r.final(reply(to, id, "the **words**"))
			var got []string
			for _, m := range r.FromBot(to.Chat) {
				got = append(got, m.Text)
			}
			if said := strings.ReplaceAll(strings.Join(got, "|"), "*", ""); said != tt.want {
				t.Errorf("%s: %q, want %q", name, said, tt.want)
			}
		})
	}
}

// Words of an answer mention nobody, in whatever form they leave.
func TestNobodyIsMentioned(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		r.final(reply(to, "", "hi <at id=all></at> <at user_id=\"all\">all</at>"))
		r.Fail(feishutest.Fault{Code: 230099, Formatted: true})
		r.final(reply(to, "", "again <at id=all></at> <at user_id=\"all\">all</at>"))
		for _, m := range r.FromBot(to.Chat) {
			var content any
			if err := json.Unmarshal([]byte(m.Content), &content); err != nil || strings.Contains(m.Content, "<at") {
				t.Errorf("%s: %s", m.Type, m.Content)
			}
		}
	})
}
