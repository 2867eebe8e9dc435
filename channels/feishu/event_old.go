package feishu

import (
	"cmp"
	"encoding/json"
	"strings"
)

// oldMessage is a message event of version 1, which is flat.
type oldMessage struct {
	Type      word `json:"type"`
	ID        word `json:"open_message_id"`
	Chat      word `json:"open_chat_id"`
	ChatType  word `json:"chat_type"`
	Kind      word `json:"msg_type"`
	Text      word `json:"text_without_at_bot"`
	Full      word `json:"text"`
	Addressed bool `json:"is_mention"`
	Parent    word `json:"parent_id"`
	Root      word `json:"root_id"`
	Image     word `json:"image_key"`
	File      word `json:"file_key"`
	FileName  word `json:"file_name"`
	Open      word `json:"open_id"`
	Union     word `json:"union_id"`
	User      word `json:"user_id"`
}

// decodeOld reads a message event of version 1; anything else of that version is passed over.
func decodeOld(body json.RawMessage) (*incoming, error) {
	var e oldMessage
	if !lenient(body, &e) {
		return nil, errEvent
	}
	if e.Type != "message" {
		return nil, nil
	}
	if e.ID == "" || e.Chat == "" {
		return nil, errEvent
	}
	if e.Addressed {
		e.Text = word(strings.TrimLeft(string(e.Text), " ")) // where the mention stood
	}
	content := encode(map[string]word{"text": cmp.Or(e.Text, e.Full), "image_key": e.Image, "file_key": e.File, "file_name": e.FileName})
	return &incoming{
		ID: e.ID, Root: e.Root, Parent: e.Parent, Chat: e.Chat, ChatType: e.ChatType, Type: cmp.Or(e.Kind, "text"), Content: word(content),
		sender: ids{Open: e.Open, Union: e.Union, User: e.User}, senderType: "user", addressed: e.Addressed,
	}, nil
}

// buttonValue is what goes with a button of ours. Chat says where it was put: a card that was forwarded
// still has its buttons, and in another chat they count for nothing.
type buttonValue struct {
	Choice string `json:"choice"`
	Chat   string `json:"chat"`
	Thread string `json:"thread,omitempty"`
	Group  bool   `json:"group,omitempty"`
}

func decodePress(id string, body json.RawMessage) (*pressed, error) {
	var e struct {
		Operator ids `json:"operator"`
		Action   struct {
			Value json.RawMessage `json:"value"`
		} `json:"action"`
		Context struct {
			Message word `json:"open_message_id"`
			Chat    word `json:"open_chat_id"`
		} `json:"context"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return nil, errEvent
	}
	p := &pressed{event: id, person: e.Operator, message: string(e.Context.Message), chat: string(e.Context.Chat)}
	_ = json.Unmarshal(e.Action.Value, &p.value) // not ours then: it has no choice
	return p, nil
}

// decodeOldPress reads the older form of a press, which has no envelope. Its token names it.
func decodeOldPress(body []byte) (*pressed, error) {
	var e struct {
		Open    word `json:"open_id"`
		Union   word `json:"union_id"`
		User    word `json:"user_id"`
		Message word `json:"open_message_id"`
		Chat    word `json:"open_chat_id"`
		Token   word `json:"token"`
		Action  struct {
			Value json.RawMessage `json:"value"`
		} `json:"action"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return nil, errEvent
	}
	if e.Message == "" || e.Action.Value == nil {
		return nil, nil
	}
	p := &pressed{event: string(e.Token), person: ids{Open: e.Open, Union: e.Union, User: e.User}, message: string(e.Message), chat: string(e.Chat)}
	_ = json.Unmarshal(e.Action.Value, &p.value)
	return p, nil
}
