package channeltest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
)

// sends checks what comes into chats.
func sends(t *testing.T, s Setup) {
	each(t, s, []check{
		{"placeholder, progress, answer", true, straight},
		{"a placeholder by its key", s.Keys, byKey},
		{"an answer without a placeholder", true, fresh},
		{"a long answer in order and whole", true, long},
		{"an error before a part ends the delivery there", true, vetoed},
		{"an interrupted delivery goes on where it stood", true, continued},
		{"files", s.FilesOut, filesOut},
		{"a word that notifies", true, notifies},
		{"any text arrives", true, anyText},
		{"buttons", true, buttons},
		{"many at once", true, together},
	})
}

func holds(text, words string) bool { return strings.Contains(text, words) }

func straight(s *stage) {
	s.run()
	to := s.meet(s.anna)
	id := s.placeholder(to, "thinking")
	first := s.bot(to.Chat)
	if len(first) == 1 && (first[0].ID != id || !holds(first[0].Text, "thinking") || s.Silent && !first[0].Silent) || s.Edits && len(first) != 1 {
		s.t.Errorf("placeholder %q, the bot's messages: %s", id, show(first))
	}
	if err := s.note(s.ch.Progress(s.ctx(), to, id, "step 1 of 2")); err != nil {
		s.t.Errorf("progress: %v", err)
	}
	if got := s.bot(to.Chat); s.Edits && (len(got) != 1 || !holds(got[0].Text, "step 1 of 2")) {
		s.t.Errorf("after progress the bot's messages are %s", show(got))
	}
	ids := s.final(answer(to, id, "it is **true**"))
	all := s.bot(to.Chat)
	if len(ids) != 1 || len(all) == 0 {
		s.t.Fatalf("ids %q, the bot's messages: %s", ids, show(all))
	}
	last := all[len(all)-1]
	if last.ID != ids[0] || !holds(last.Text, "true") || s.Edits && (len(all) != 1 || ids[0] != id) {
		s.t.Errorf("answer %q for placeholder %q, the bot's messages: %s", ids, id, show(all))
	}
}

// byKey sends a placeholder again, as after a crash that left its id unknown, and once more for a task that begins
// anew.
func byKey(s *stage) {
	s.run()
	to := s.meet(s.anna)
	var ids []string
	for _, p := range []struct{ words, key string }{{"thinking", "task.0"}, {"thinking again", "task.0"}, {"anew", "task.1"}} {
		id, err := s.ch.Placeholder(s.ctx(), to, p.words, p.key)
		if s.note(err) != nil {
			s.t.Fatalf("placeholder: %v", err)
		}
		ids = append(ids, id)
	}
	if got := s.bot(to.Chat); len(got) != 2 || ids[0] != ids[1] || ids[1] == ids[2] || !holds(got[0].Text, "thinking") || !holds(got[1].Text, "anew") {
		s.t.Errorf("placeholders %q, the bot's messages: %s", ids, show(got))
	}
}

func fresh(s *stage) {
	s.run()
	to := s.meet(s.anna)
	ids := s.final(answer(to, "", "hello to you"))
	if all := s.bot(to.Chat); len(all) != 1 || len(ids) != 1 || all[0].ID != ids[0] || !holds(all[0].Text, "hello to you") {
		s.t.Errorf("answer %q, the bot's messages: %s", ids, show(all))
	}
	for range 2 { // it works when the channel does not run, too
		s.end()
		s.connect()
		if s.Sockets {
			s.run()
		}
		s.final(answer(to, "", "once more"))
	}
	if all := s.bot(to.Chat); len(all) != 3 {
		s.t.Errorf("after two more answers the bot's messages are %s", show(all))
	}
}

const longLines = 4000

// longText is far longer than what any service takes in one message. Each line has its number.
func longText() string {
	var b strings.Builder
	for i := range longLines {
		fmt.Fprintf(&b, "line %d: some words\n", i)
		if i%10 == 9 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

var lineForm = regexp.MustCompile(`line (\d+): some words`)

// wantWhole checks that the lines of the long text stand in messages, in order, each once.
func (s *stage) wantWhole(messages []Message) {
	s.t.Helper()
	var texts []string
	for _, m := range messages {
		texts = append(texts, m.Text)
	}
	next := 0
	for _, m := range lineForm.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		if m[1] != fmt.Sprint(next) {
			s.t.Fatalf("line %s stands where line %d is next, in %d messages", m[1], next, len(messages))
		}
		next++
	}
	if next != longLines {
		s.t.Errorf("%d of %d lines stand in the chat, in %d messages", next, longLines, len(messages))
	}
}

func long(s *stage) {
	s.run()
	to := s.meet(s.anna)
	d := answer(to, s.placeholder(to, "thinking"), longText())
	var parts []int
	before := len(s.bot(to.Chat))
	d.Before = func(_ context.Context, part int) error {
		parts = append(parts, part)
		want := before + part
		if s.Edits {
			want = max(1, part)
		}
		if got := len(s.bot(to.Chat)); got != want && !(part == 0 && got == 0) {
			s.t.Errorf("when part %d was announced there were %d messages, want %d", part, got, want)
		}
		return nil
	}
	ids := s.final(d)
	for i, part := range parts {
		if part != i {
			s.t.Fatalf("announced were the parts %v", parts)
		}
	}
	all := s.bot(to.Chat)
	if len(ids) < 2 || len(ids) != len(parts) {
		s.t.Errorf("%d ids for %d parts", len(ids), len(parts))
	}
	answers := all[len(all)-len(ids):]
	for i, m := range answers {
		if m.ID != ids[i] {
			s.t.Errorf("message %d of the answer is %q, want %q", i, m.ID, ids[i])
		}
	}
	s.wantWhole(answers)
}

var errVeto = errors.New("the test says no")

func vetoed(s *stage) {
	s.run()
	to := s.meet(s.anna)
	d := answer(to, "", longText())
	d.Before = func(_ context.Context, part int) error {
		if part == 1 {
			return errVeto
		}
		return nil
	}
	ids, err := s.ch.Final(s.ctx(), d)
	if all := s.bot(to.Chat); !errors.Is(err, errVeto) || len(ids) != 1 || len(all) != 1 {
		s.t.Errorf("ids %q, error %v, the bot's messages: %s", ids, err, show(all))
	}
}

// continued breaks off after part 1 has arrived, and before part 2 has: a new channel goes on there, as
// if it did not know whether part 2 had.
func continued(s *stage) {
	s.run()
	to := s.meet(s.anna)
	d := answer(to, s.placeholder(to, "thinking"), longText())
	d.Before = func(_ context.Context, part int) error {
		if part == 2 {
			return errVeto
		}
		return nil
	}
	some, err := s.ch.Final(s.ctx(), d)
	if !errors.Is(err, errVeto) {
		s.t.Fatalf("ids %q, error %v", some, err)
	}
	s.connect()
	s.run()
	parts := 2
	d.From, d.Repeat = 2, true
	d.Before = func(_ context.Context, part int) error {
		if part != parts {
			s.t.Errorf("part %d was announced, want %d", part, parts)
		}
		parts++
		return nil
	}
	rest := s.final(d)
	all := s.bot(to.Chat)
	s.wantWhole(all[len(all)-len(some)-len(rest):])
}

func filesOut(s *stage) {
	s.run()
	to := s.meet(s.anna)
	d := answer(to, s.placeholder(to, "thinking"), "here they are")
	for name, body := range map[string][]byte{"out/table.csv": []byte("a,b\n1,2\n"), "cat.png": png} {
		s.files["hash of "+name] = body
		d.Reply.Files = append(d.Reply.Files, akitad.File{Name: name, Artifact: "hash of " + name, Size: int64(len(body))})
	}
	ids := s.final(d)
	var got []Message
	for _, m := range s.bot(to.Chat) {
		if m.File != nil {
			got = append(got, m)
		}
	}
	if len(got) != 2 || len(ids) != 3 || got[0].ID != ids[1] || got[1].ID != ids[2] {
		s.t.Fatalf("ids %q, the bot's messages: %s", ids, show(s.bot(to.Chat)))
	}
	for i, m := range got {
		if want := s.files[d.Reply.Files[i].Artifact]; string(m.File.Bytes) != string(want) {
			s.t.Errorf("%s arrived as %q", d.Reply.Files[i].Name, m.File.Bytes)
		}
	}
}

func notifies(s *stage) {
	s.run()
	to := s.meet(s.anna)
	d := answer(to, s.placeholder(to, "thinking"), "the answer")
	d.Notify = "it is done"
	ids := s.final(d)
	all := s.bot(to.Chat)
	last := all[len(all)-1]
	if !s.Edits && len(ids) == 1 && !last.Silent { // the answer itself is new, and notifies
		return
	}
	if len(ids) != 2 || last.ID != ids[1] || !holds(last.Text, "it is done") || last.Silent {
		s.t.Errorf("ids %q, the bot's messages: %s", ids, show(all))
	}
	if s.Replies && last.ReplyTo != to.Message {
		s.t.Errorf("what notifies answers %q, want the person's message %q", last.ReplyTo, to.Message)
	}
}

var oddTexts = []string{
	"**", "```", "```go\nunclosed", "<b>not closed & <script>", "a\x00b\x07c", "broken \xff\xfe bytes", "| a | b |\n|---|---|\n| 1 | 2 |",
	"[link](http://example.com/(x)?a=\"b\")", "\u202eright to left", "<at user_id=\"all\"></at> @all", "1. one\n\n   - two\n\n     > three", strings.Repeat("👩‍👩‍👧 ", 300),
	strings.Repeat("x", 20_000), strings.Repeat("汉", 12_000), strings.Repeat("* ", 3000), strings.Repeat("> ", 200) + "deep", "`" + strings.Repeat("a\n", 3000) + "`",
}

// anyText is what models write: each arrives somehow, and none is an error.
func anyText(s *stage) {
	s.run()
	to := s.meet(s.anna)
	for _, text := range oddTexts {
		before := len(s.bot(to.Chat))
		ids := s.final(answer(to, "", text))
		if now := len(s.bot(to.Chat)); len(ids) == 0 || now-before != len(ids) {
			s.t.Errorf("%.40q: %d ids, %d messages", text, len(ids), now-before)
		}
	}
}

func buttons(s *stage) {
	asker, ok := s.ch.(channels.Asker)
	if !ok {
		return
	}
	s.run()
	to := s.meet(s.anna)
	yes := akitad.Choice{ID: strings.Repeat("y", akitad.MaxChoiceID), Label: "Yes, do it", Style: "primary"}
	d := answer(to, "", "shall I?")
	d.Kind, d.Choices = akitad.DeliverQuestion, []akitad.Choice{yes, {ID: "n|1:2", Label: "不要", Style: "danger"}}
	ids := s.final(d)
	asked := s.message(to.Chat, ids[len(ids)-1])
	if !slices.Equal(asked.Buttons, []string{"Yes, do it", "不要"}) {
		s.t.Fatalf("the question has the buttons %q", asked.Buttons)
	}
	s.svc.Press(s.anna, to.Chat, asked.ID, "不要")
	m := s.next()
	if m.Press == nil || m.Press.Choice != "n|1:2" || m.Press.Message != asked.ID || m.ID == "" || m.Origin.Chat != to.Chat || m.Origin.Sender != s.anna {
		s.t.Fatalf("a press came as %+v, %+v", m, m.Press)
	}
	if err := s.note(asker.Pressed(s.ctx(), m.Origin, *m.Press, "noted", "shall I? **No.**")); err != nil {
		s.t.Errorf("pressed: %v", err)
	}
	if got := s.message(to.Chat, asked.ID); len(got.Buttons) != 0 || !holds(got.Text, "No.") {
		s.t.Errorf("the settled question shows %q with the buttons %q", got.Text, got.Buttons)
	}
	d.Reply.Task = nextTask()
	s.final(d)
	all := s.bot(to.Chat)
	s.svc.Press(s.anna, to.Chat, all[len(all)-1].ID, "Yes, do it")
	if m := s.next(); m.Press == nil || m.Press.Choice != yes.ID {
		s.t.Errorf("the second press came as %+v", m)
	}
	d.Reply.Task = nextTask()
	last := s.final(d)[0]
	if err := s.note(asker.Pressed(s.ctx(), to, akitad.Press{Message: last}, "", "shall I? **Never mind.**")); err != nil {
		s.t.Errorf("settled without a press: %v", err)
	}
	if got := s.message(to.Chat, last); s.Edits && (len(got.Buttons) != 0 || !holds(got.Text, "Never mind.")) {
		s.t.Errorf("a question settled without a press shows %q with the buttons %q", got.Text, got.Buttons)
	}
}

func together(s *stage) {
	s.run()
	to := []akitad.Origin{s.meet(s.anna), s.meet(s.boris)}
	const n = 20
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			text := fmt.Sprintf("answer number %d.", i)
			if _, err := s.ch.Final(s.ctx(), answer(to[i%2], "", text)); s.note(err) != nil {
				s.t.Errorf("final: %v", err)
			}
		})
	}
	wg.Wait()
	for i := range n {
		text := fmt.Sprintf("answer number %d.", i)
		for k, o := range to {
			got := len(slices.DeleteFunc(s.bot(o.Chat), func(m Message) bool { return !holds(m.Text, text) }))
			if want := map[bool]int{true: 1, false: 0}[i%2 == k]; got != want {
				s.t.Errorf("%q stands %d times in chat %s, want %d", text, got, o.Chat, want)
			}
		}
	}
}
