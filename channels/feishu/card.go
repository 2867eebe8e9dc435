package feishu

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
)

// card is one message's worth of text: the elements of a card (JSON 2.0), and the same without markup.
type card struct {
	elements json.RawMessage
	plain    string
}

// form is how a text is sent; the later ones are for when the earlier are refused.
type form int

const (
	formCard  form = iota
	formPlain      // a card of plain text
	formText       // a plain message: it cannot take a card's place
)

// content gives the message type and content of a card in a form.
func (c card) content(as form, buttons []button) (kind, content string) {
	if as == formText {
		text := c.plain
		for _, b := range buttons {
			text += "\n- " + b.label
		}
		return "text", string(encode(map[string]string{"text": escapeAt(text)}))
	}
	elements := c.elements
	if as == formPlain {
		elements = encode([]any{element{Tag: "div", Text: &words{Tag: "plain_text", Content: c.plain}}})
	}
	if row := buttonRow(buttons); row != nil {
		elements = append(append(elements[:len(elements)-1:len(elements)-1], ','), append(row, ']')...)
	}
	type cardBody struct {
		Elements json.RawMessage `json:"elements"`
	}
	return "interactive", string(encode(struct {
		Schema string `json:"schema"`
		Config struct {
			Multi bool `json:"update_multi"` // all see the same card, and it can be edited
		} `json:"config"`
		Body cardBody `json:"body"`
	}{Schema: "2.0", Config: struct {
		Multi bool `json:"update_multi"`
	}{true}, Body: cardBody{elements}}))
}

// escapeAt keeps a plain text from mentioning anybody: in such texts, and in no others, tags do.
func escapeAt(text string) string { return strings.ReplaceAll(text, "<at", "<\u200bat") }

// element is one part of a card.
type element struct {
	Tag       string     `json:"tag"`
	Content   string     `json:"content,omitempty"`
	Text      *words     `json:"text,omitempty"`
	Type      string     `json:"type,omitempty"`
	Behaviors []behavior `json:"behaviors,omitempty"`
}

type words struct {
	Tag     string `json:"tag"`
	Content string `json:"content"`
}

type behavior struct {
	Type  string      `json:"type"`
	Value buttonValue `json:"value"`
}

// button is a choice as it stands in a chat.
type button struct {
	label, style string
	value        buttonValue
}

func buttonsOf(choices []akitad.Choice, to place) []button {
	var out []button
	for _, c := range choices {
		out = append(out, button{c.Label, c.Style, buttonValue{Choice: c.ID, Chat: to.chat, Thread: to.thread, Group: to.group}})
	}
	return out
}

// buttonRow gives the buttons as elements, without the brackets of a list; nil for none.
func buttonRow(buttons []button) []byte {
	var out []byte
	for i, b := range buttons {
		style := "default"
		switch b.style {
		case "primary", "danger":
			style = b.style
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, encode(element{
			Tag: "button", Text: &words{Tag: "plain_text", Content: b.label}, Type: style, Behaviors: []behavior{{"callback", b.value}},
		})...)
	}
	return out
}

// fits reports whether a card with its buttons can be sent, in every form.
func (c card) fits(buttons []button) bool {
	for _, as := range []form{formCard, formPlain} {
		kind, content := c.content(as, buttons)
		if len(encode(outgoing{Chat: "", Kind: kind, Content: content})) > markdown.FeishuLimit-bodyRoom {
			return false
		}
	}
	return true
}

// bodyRoom is what a request has beside the content: ids and names of fields.
const bodyRoom = 512

// outgoing is the body of a request that sends or edits a message.
type outgoing struct {
	Chat     string `json:"receive_id,omitempty"`
	Kind     string `json:"msg_type,omitempty"`
	Content  string `json:"content"`
	InThread bool   `json:"reply_in_thread,omitempty"`
	UUID     string `json:"uuid,omitempty"`
}

// first gives what fits one message.
func first(text string) card {
	all := cards(text)
	if len(all) == 0 {
		return plainCard("…")
	}
	return all[0]
}

// plainCard is a card of words that have no markup.
func plainCard(text string) card {
	return card{elements: encode([]element{{Tag: "div", Text: &words{Tag: "plain_text", Content: text}}}), plain: text}
}

// cards cuts Markdown into messages, in order.
func cards(text string) []card {
	var out []card
	for _, c := range markdown.Cards(text) {
		out = append(out, card{elements: c.Body, plain: c.Plain})
	}
	return out
}

// marked puts a mark before the words.
func (c card) marked(mark string) card {
	first := encode(element{Tag: "div", Text: &words{Tag: "plain_text", Content: mark}})
	rest := c.elements[1:]
	return card{elements: append(append([]byte{'['}, append(first, ',')...), rest...), plain: mark + c.plain}
}
