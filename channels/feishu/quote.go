package feishu

import (
	"context"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// maxQuote is how many characters of a message are shown that another one answers.
const maxQuote = 2000

// quote adds to a message that is for the bot what it answers, each line marked, with its files: its writer may
// mean nothing else. The bot's own words it knows, and a command keeps its words alone. All that stands in a thread
// answers what the thread began with; that is shown once.
func (in *intake) quote(ctx context.Context, m *incoming, msg *akitad.Message) {
	parent, once := string(m.Parent), "quoted "+string(m.Thread)+" "+string(m.Parent)
	own, _ := in.own.get(parent)
	if shown, _ := in.seen.get(once); parent == "" || own || m.group() && !msg.Addressed || strings.HasPrefix(msg.Text, "/") || m.Thread != "" && shown {
		return
	}
	answered, within, own := in.answered(ctx, parent)
	if own || answered == nil && !m.group() { // what cannot be had may be the bot's, in private
		return
	}
	if m.Thread != "" {
		in.seen.put(once, true)
	}
	lang := text.En
	if msg.Text != "" { // it is the writer's, not that of what is answered
		lang = text.Detect(msg.Text)
		msg.Origin.Lang = string(lang)
	}
	words := lang.InReplyToUnread()
	if answered != nil {
		r := &reader{message: parent, mentions: answered.Mentions}
		said := named(r.read(answered.Type, []byte(answered.Body.Content)), answered.Mentions, "")
		if answered.Type == "merge_forward" {
			said = digested(within, parent)
		}
		words = lang.InReplyTo(answered.who(), said, maxQuote)
		msg.Files = append(msg.Files, r.files...)
	}
	msg.Text = strings.TrimSpace(msg.Text + "\n\n" + words)
}

// answered asks for a message, nil if it cannot be had, and what is within it. own: it is the bot's.
func (in *intake) answered(ctx context.Context, id string) (m *stored, within []stored, own bool) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	items, err := in.ask(ctx, id)
	if err != nil {
		in.log.Warn("feishu message that is answered not read", zapMessage(id), zapError(err))
		return nil, nil, false
	}
	at := slices.IndexFunc(items, func(m stored) bool { return m.ID == id && !m.Deleted })
	if at < 0 {
		return nil, nil, false
	}
	if own = in.wrote(items[at]); own {
		in.own.put(id, true)
	}
	return &items[at], items, own
}

// wrote reports whether a message is the bot's own.
func (in *intake) wrote(m stored) bool {
	return m.Sender.Type == "app" && (string(m.Sender.ID) == in.appID || string(m.Sender.ID) == in.me())
}
