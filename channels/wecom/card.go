package wecom

import (
	"cmp"
	"context"
	"crypto/rand"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
)

// maxButtons is how many a card has at most.
const maxButtons = 6

// cardText is the longest text that stands on a card itself, in bytes; a longer one goes before it.
const cardText = 500

// card is a message with buttons.
type card struct {
	Type    string   `json:"card_type"`
	TaskID  string   `json:"task_id,omitempty"`
	Title   title    `json:"main_title"`
	Text    string   `json:"sub_title_text,omitempty"`
	Buttons []button `json:"button_list"`
	Replace string   `json:"replace_text,omitempty"` // stands where the buttons were
}

type title struct {
	Title string `json:"title,omitempty"`
}

type button struct {
	Text  string `json:"text"`
	Style int    `json:"style"`
	Key   string `json:"key"`
}

// styles of buttons: 1 is filled, 2 plain, 3 red.
var styles = map[string]int{"primary": 1, "danger": 3, "": 2}

// cards returns the cards of a question, of so many buttons each as one has room for.
func cards(text string, choices []akitad.Choice) (out []card) {
	for len(choices) > 0 {
		n := min(maxButtons, len(choices))
		c := card{Type: "button_interaction", Title: title{"❓"}, Text: text}
		for _, choice := range choices[:n] {
			c.Buttons = append(c.Buttons, button{Text: choice.Label, Style: max(styles[choice.Style], 1), Key: choice.ID})
		}
		out, choices, text = append(out, c), choices[n:], "…"
	}
	return out
}

// plain is the card without buttons.
func (c card) plain() string {
	text := c.Text
	for _, b := range c.Buttons {
		text += "\n- " + b.Text
	}
	return text
}

// marked returns the card with a mark before its text and an id of its own: WeCom refuses one that it
// has seen.
func (c card) marked(mark string) (card, error) {
	c.TaskID = "akita-" + rand.Text()
	c.Text = mark + c.Text
	return c, nil
}

// Pressed answers a press on a button: the card's buttons become words, and its text what settled says.
// WeCom takes that once a press, and only for the person who pressed. A press with nothing settled stays
// as it is: WeCom has nothing that is shown for a moment.
func (w *WeCom) Pressed(ctx context.Context, to akitad.Origin, p akitad.Press, words, settled string) error {
	if settled == "" || p.Event == "" { // a card can be changed by who has pressed it
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, w.opts.Timeout)
	defer cancel()
	words = cmp.Or(strings.TrimSpace(words), "✓")
	c := card{
		Type: "button_interaction", TaskID: p.Message, Title: title{"✓"}, Text: clip(markdown.Plain(settled), markdown.WeComLimit),
		Buttons: []button{{Text: clip(words, 40), Style: 2, Key: "done"}}, Replace: clip(words, 40),
	}
	var out answer
	err := w.call(ctx, "/cgi-bin/message/update_template_card", nil, struct {
		Users    []string `json:"userids"`
		Agent    int64    `json:"agentid"`
		Response string   `json:"response_code"`
		Card     card     `json:"template_card"`
	}{[]string{to.Sender}, w.agent, p.Event, c}, &out)
	return fail("answer a press", err)
}

func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit-3], "") + "…"
}
