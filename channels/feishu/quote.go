package feishu

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// maxQuote is how many characters of a message are shown that another one answers.
const maxQuote = 2000

// unreadable stands for a message that is answered and cannot be had: it was recalled, or the service says nothing.
const unreadable = "[in reply to a message that cannot be read]"

// quote adds to a message that is for the bot what it answers, each line marked, with its files: its writer may
// mean nothing else. The bot's own words it knows, and a command keeps its words alone. All that stands in a thread
// answers what the thread began with; that is shown once.
func (in *intake) quote(ctx context.Context, m *incoming, msg *akitad.Message) {
	parent, once := string(m.Parent), "quoted "+string(m.Thread)+" "+string(m.Parent)
	own, _ := in.own.get(parent)
	if shown, _ := in.seen.get(once); parent == "" || own || m.group() && !msg.Addressed || strings.HasPrefix(msg.Text, "/") || m.Thread != "" && shown {
		return
	}
	words, files, own := in.answered(ctx, parent)
	if own || words == unreadable && !m.group() { // in private it may be the bot's
		return
	}
	if m.Thread != "" {
		in.seen.put(once, true)
	}
	if msg.Text != "" {
		msg.Origin.Lang = string(text.Detect(msg.Text)) // it is the writer's, not that of what is answered
	}
	msg.Text = strings.TrimSpace(msg.Text + "\n\n" + words)
	msg.Files = append(msg.Files, files...)
}

// answered asks for a message: its words with who wrote it, and its files, or that it is the bot's own.
func (in *intake) answered(ctx context.Context, id string) (words string, files []akitad.File, own bool) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	items, err := in.ask(ctx, id)
	if err != nil {
		in.log.Warn("feishu message that is answered not read", zapMessage(id), zapError(err))
		return unreadable, nil, false
	}
	for _, m := range items {
		if m.ID != id || m.Deleted {
			continue
		}
		if own = in.wrote(m); own {
			in.own.put(id, true)
			return "", nil, true
		}
		r := &reader{message: id, mentions: m.Mentions}
		if words = named(r.read(m.Type, []byte(m.Body.Content)), m.Mentions, ""); m.Type == "merge_forward" {
			words = digested(items, id)
		}
		return "[in reply to " + m.who() + ":]" + marked(words), r.files, false
	}
	return unreadable, nil, false
}

// wrote reports whether a message is the bot's own.
func (in *intake) wrote(m stored) bool {
	return m.Sender.Type == "app" && (string(m.Sender.ID) == in.appID || string(m.Sender.ID) == in.me())
}

// marked gives words as a quotation, cut to what is shown of one.
func marked(words string) string {
	runes := []rune(strings.TrimSpace(words))
	if len(runes) == 0 {
		return ""
	}
	if len(runes) > maxQuote {
		runes = append(runes[:maxQuote-1], '…')
	}
	return "\n> " + strings.ReplaceAll(string(runes), "\n", "\n> ")
}
