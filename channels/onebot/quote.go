package onebot

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/text"
)

// maxQuote is how many characters of a message are shown that another one answers.
const maxQuote = 2000

// quote adds to a message that is for the bot what it answers, with its files. The bot's own words it knows, and a
// command keeps its words alone. What cannot be looked up is left out.
func (o *OneBot) quote(ctx context.Context, e event, m *akitad.Message) {
	if m.ReplyTo == "" || m.Origin.Group && !m.Addressed || strings.HasPrefix(m.Text, "/") {
		return
	}
	if mine, _ := o.mine.get(m.ReplyTo); mine {
		return
	}
	var got struct {
		Sender  sender          `json:"sender"`
		Message json.RawMessage `json:"message"`
	}
	ctx, cancel := context.WithTimeout(ctx, o.opts.Timeout/3)
	defer cancel()
	err := o.call(ctx, "get_msg", map[string]any{"message_id": scalar(m.ReplyTo)}, &got)
	if err != nil || got.Sender.User == e.Self || len(got.Message) == 0 {
		o.log.Debug("onebot message that is answered not shown", zap.String("message", m.ReplyTo), zap.Error(err))
		return
	}
	r := read(o.unfold(ctx, decodeSegments(got.Message)), "", string(e.Group))
	lang := text.En
	if m.Text != "" { // it is the writer's, not that of what is answered
		lang = text.Detect(m.Text)
		m.Origin.Lang = string(lang)
	}
	name := cmp.Or(string(got.Sender.Card), string(got.Sender.Nickname), string(got.Sender.User))
	m.Text = strings.TrimSpace(m.Text + "\n\n" + lang.InReplyTo(name, r.text(), maxQuote))
	m.Files = chatfile.Apart(append(m.Files, r.files...))
}
