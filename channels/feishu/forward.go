package feishu

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

const (
	maxForwarded    = 50       // messages of a forward that are shown
	maxForwardText  = 12 << 10 // bytes of their words
	maxForwardDepth = 3        // forwards inside of forwards
	// askWithin bounds a question to the API while an event waits for its acknowledgement.
	askWithin = 1200 * time.Millisecond
)

// stored is a message as the API gives it when asked.
type stored struct {
	ID     string `json:"message_id"`
	Upper  string `json:"upper_message_id"` // the forward that it is part of
	Type   string `json:"msg_type"`
	Sender struct {
		ID   word `json:"id"`
		Type word `json:"sender_type"`
	} `json:"sender"`
	Body struct {
		Content word `json:"content"`
	} `json:"body"`
	Mentions []mention `json:"mentions"`
	Deleted  bool      `json:"deleted"`
}

// ask gets a message: one item, or a forward's with all that it holds.
func (f *Feishu) ask(ctx context.Context, id string) ([]stored, error) {
	out, err := f.wire.Call(ctx, request{method: http.MethodGet, path: "/open-apis/im/v1/messages/" + url.PathEscape(id), query: url.Values{"user_id_type": {"open_id"}}})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Items []stored `json:"items"`
	}
	if !lenient(out.data, &answer) {
		return nil, &apiError{status: http.StatusBadGateway, msg: "a message cannot be read"}
	}
	return answer.Items, nil
}

// forward gives the words of forwarded messages. If they cannot be had in time, they are named as a file
// that can be fetched later, and the words say so.
func (f *Feishu) forward(ctx context.Context, id string) (string, []akitad.File) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	text, err := f.forwarded(ctx, id)
	if err == nil {
		return text, nil
	}
	f.log.Warn("feishu forward not read", zapMessage(id), zapError(err))
	return "[forwarded messages: they could not be read]", []akitad.File{{Name: "forwarded-messages.txt", Remote: remote(id, "forward", "-")}}
}

func (f *Feishu) forwarded(ctx context.Context, id string) (string, error) {
	items, err := f.ask(ctx, id)
	if err != nil {
		return "", err
	}
	return digested(items, id), nil
}

func digested(items []stored, id string) string {
	d := digest{children: map[string][]stored{}}
	for _, m := range items {
		if m.ID != id {
			d.children[m.Upper] = append(d.children[m.Upper], m)
		}
	}
	d.write(id, 0)
	return d.text(len(items) - 1)
}

// digest writes forwarded messages down, each with who wrote it, as far as there is room.
type digest struct {
	children map[string][]stored
	out      strings.Builder
	shown    int
}

func (d *digest) write(upper string, depth int) {
	for _, m := range d.children[upper] {
		if d.shown >= maxForwarded || d.out.Len() >= maxForwardText {
			return
		}
		d.shown++
		indent := strings.Repeat("  ", depth)
		words := d.words(m)
		if room := maxForwardText - d.out.Len(); len(words) > room {
			words = strings.ToValidUTF8(words[:room], "") + "…"
		}
		fmt.Fprintf(&d.out, "\n%s%s: %s", indent, m.who(), strings.ReplaceAll(words, "\n", "\n"+indent+"  "))
		if m.Type == "merge_forward" && depth+1 < maxForwardDepth {
			d.write(m.ID, depth+1)
		}
	}
}

func (d *digest) words(m stored) string {
	if m.Type == "merge_forward" {
		return "[forwarded messages]"
	}
	r := reader{message: m.ID, mentions: m.Mentions}
	words := named(r.read(m.Type, []byte(m.Body.Content)), m.Mentions, "")
	for _, file := range r.files {
		words = strings.TrimSpace(words + " [" + file.Name + "]")
	}
	return words
}

// who says who wrote a message, as far as the service tells.
func (m stored) who() string {
	switch {
	case m.Sender.Type == "app":
		return "bot"
	case m.Sender.ID == "":
		return "somebody"
	}
	return string(m.Sender.ID)
}

func (d *digest) text(all int) string {
	if d.shown == 0 {
		return "[forwarded messages: none]"
	}
	text := "Forwarded messages:" + d.out.String()
	if left := all - d.shown; left > 0 {
		text += fmt.Sprintf("\n[%d more are left out]", left)
	}
	return text
}
