package channels

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// Questions is what tasks ask people, and how it is settled.
type Questions interface {
	// Of gives what a task asks at present, oldest first.
	Of(t *journal.Task) []Question
	// Find gives a question by its id, settled or not. An id that never named one is not_found.
	Find(ctx context.Context, id string) (Question, error)
	// Settle answers an open question by one of its choices, once; message is the id of the message that
	// did so. A question that is not open any more is left as it is, without an error.
	Settle(ctx context.Context, id, choice, message string) error
}

// Question is one that a task asks, or asked.
type Question struct {
	ID      string // names task and question, and none that is asked later; at most 60 bytes
	Task    *journal.Task
	Call    string   // the open call
	Text    string   // Markdown
	Choices []string // none: any words answer it
	Owner   bool     // an owner may answer
	Asker   bool     // the person of the task may answer

	Closed bool   // it is not open any more
	Answer string // what was answered, if a person answered
	By     string // the message that answered
}

// maxButtons is the most choices that are shown as buttons or by number, and maxLabel the longest label
// of a button, in characters.
const (
	maxButtons = 9
	maxLabel   = 60
)

// asked gives the question that a task's present note is about; false if it is none with choices.
func (d *desk) asked(t *journal.Task) (Question, bool) {
	if d.opts.Questions == nil {
		return Question{}, false
	}
	all := d.opts.Questions.Of(t)
	at := slices.IndexFunc(all, func(q Question) bool { return q.Text == t.WaitNote })
	if at < 0 || len(all[at].Choices) == 0 || len(all[at].Choices) > maxButtons {
		return Question{}, false
	}
	return all[at], true
}

// askWith is the delivery of a task's question, with buttons, or with numbered lines, and the question's id.
func (d *desk) askWith(t *journal.Task) (del akitad.Delivery, question string) {
	del = akitad.Delivery{Kind: akitad.DeliverQuestion, Reply: akitad.Reply{Task: t.ID, Origin: t.Sub.Origin, Text: t.WaitNote}}
	q, ok := d.asked(t)
	if !ok {
		return del, ""
	}
	if _, ok := As[Asker](d.ch); ok {
		del.Choices = buttons(q)
		return del, q.ID
	}
	lines := make([]string, 0, len(q.Choices)+1)
	for i, c := range q.Choices {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, c))
	}
	lines = append(lines, "", text.Lang(t.Sub.Origin.Lang).ByNumber())
	del.Reply.Text += "\n\n" + strings.Join(lines, "\n")
	return del, q.ID
}

// buttons gives a question's choices as buttons. What goes with each is the question's id and the choice's place: labels
// may be too long for that.
func buttons(q Question) []akitad.Choice {
	var out []akitad.Choice
	for i, c := range q.Choices {
		label := unmarked(c)
		if r := []rune(label); len(r) > maxLabel {
			label = string(r[:maxLabel-1]) + "…"
		}
		out = append(out, akitad.Choice{ID: q.ID + ":" + strconv.Itoa(i), Label: label, Style: style(c)})
	}
	return out
}

// unmarked gives a choice as one line without formats, which neither buttons nor what is shown for a moment have.
func unmarked(choice string) string {
	first, _ := utf8.DecodeRuneInString(choice)
	if strings.ContainsRune(">#+-=|~", first) {
		choice = `\` + choice // "> 5" is no quotation
	}
	return strings.Join(strings.Fields(markdown.Plain(choice)), " ")
}

// style colours the buttons that agree and those that stop something, where a service has colours.
func style(choice string) string {
	switch text.ReadChoice(choice) {
	case text.Approve:
		return "primary"
	case text.Stop:
		return "danger"
	}
	return ""
}

// numbered makes of a number the choice that it stands for, if the session's task asks by numbers.
func (d *desk) numbered(ctx context.Context, m akitad.Message) (akitad.Message, error) {
	n, err := strconv.Atoi(strings.Trim(strings.TrimSpace(m.Text), ".)。）"))
	if _, buttons := As[Asker](d.ch); buttons || err != nil || d.opts.Running == nil || len(m.Files) > 0 {
		return m, nil
	}
	id, running, err := d.opts.Running(ctx, m.Session)
	if err != nil || !running {
		return m, err
	}
	t, err := d.journal.Load(ctx, id)
	if err != nil {
		return m, err
	}
	if q, ok := d.asked(t); ok && !unsaid(t) && n >= 1 && n <= len(q.Choices) && mayAnswer(q, m.Origin) {
		m.Text, m.Steers, m.Answers = q.Choices[n-1], t.ID, q.Call
	}
	return m, nil
}

// mayAnswer reports whether it is a person's to choose.
func mayAnswer(q Question, who akitad.Origin) bool {
	of := q.Task.Sub.Origin
	return q.Owner && who.Owner || q.Asker && who.Channel == of.Channel && (of.Sender == "" || who.Sender == of.Sender)
}

// outcome tells what became of a question.
func outcome(q Question, m akitad.Message) (words, settled string) {
	lang := text.Lang(q.Task.Sub.Origin.Lang)
	switch {
	case q.By == m.ID:
		words = lang.PressTaken(unmarked(q.Answer))
	case q.Answer != "":
		words = lang.PressAnswered(unmarked(q.Answer))
	default:
		words = lang.PressOver()
	}
	if q.Answer == "" {
		return words, q.Text + "\n\n→ " + lang.PressOver()
	}
	return words, q.Text + "\n\n" + lang.Chosen(q.Answer)
}

// cutLast cuts s at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return s, "", false
}
