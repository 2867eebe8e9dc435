package feishu

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// The events that are looked at; all others are passed over.
const (
	eventMessage = "im.message.receive_v1"
	eventPress   = "card.action.trigger"
)

// word is a JSON string, or a number or truth value in its place: the service's older events mix them.
type word string

// UnmarshalJSON takes any scalar; objects and lists count as empty.
func (w *word) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case len(b) > 0 && b[0] == '"':
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	case len(b) == 0 || b[0] == '{' || b[0] == '[' || bytes.Equal(b, []byte("null")):
	default:
		s = string(b)
	}
	*w = word(s)
	return nil
}

// lenient reads JSON whatever its fields hold: one that is not of the expected kind is left empty, as far
// as the rest can be read.
func lenient(body []byte, into any) bool {
	err := json.Unmarshal(body, into)
	_, odd := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || odd
}

// ids name one person or bot. In events they are an object, in messages that were asked for a word.
type ids struct {
	Open  word `json:"open_id"`
	Union word `json:"union_id"`
	User  word `json:"user_id"`
}

// UnmarshalJSON takes both forms.
func (p *ids) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		type plain ids
		return json.Unmarshal(b, (*plain)(p))
	}
	return p.Open.UnmarshalJSON(b)
}

// others gives the further ids of a person, each good in an allow list.
func (p ids) others() (out []string) {
	for _, id := range []word{p.Union, p.User} {
		if id != "" {
			out = append(out, string(id))
		}
	}
	return out
}

// mention is somebody named in a message; Key stands in the text in place of the name.
type mention struct {
	Key  word `json:"key"`
	ID   ids  `json:"id"`
	Name word `json:"name"`
}

// incoming is a message as its event has it.
type incoming struct {
	ID       word      `json:"message_id"`
	Root     word      `json:"root_id"`
	Parent   word      `json:"parent_id"`
	Thread   word      `json:"thread_id"`
	Chat     word      `json:"chat_id"`
	ChatType word      `json:"chat_type"`
	Type     word      `json:"message_type"`
	Content  word      `json:"content"`
	Created  word      `json:"create_time"` // milliseconds
	Mentions []mention `json:"mentions"`

	sender     ids
	senderType word
	addressed  bool // an event of version 1 says so itself
}

func (m incoming) group() bool { return m.ChatType != "p2p" && m.ChatType != "private" }

// at is when the message was written; zero if it does not say.
func (m incoming) at() time.Time {
	ms, err := strconv.ParseInt(string(m.Created), 10, 64)
	if err != nil || ms <= 0 {
		return time.Time{}
	}
	if ms < 1e11 { // the older events count seconds
		ms *= 1000
	}
	return time.UnixMilli(ms).UTC()
}

// pressed is a button that somebody pressed.
type pressed struct {
	event   string
	person  ids
	message string
	chat    string
	value   buttonValue
}

// event is one event in the form that this package uses.
type event struct {
	id, kind string
	message  *incoming
	press    *pressed
}

// envelope is what both versions of events come in.
type envelope struct {
	Header struct {
		ID   word `json:"event_id"`
		Type word `json:"event_type"`
	} `json:"header"`
	Event json.RawMessage `json:"event"`
	UUID  word            `json:"uuid"` // version 1
	Type  word            `json:"type"`
}

var errEvent = errors.New("the event cannot be read")

// decodeEvent reads an event. One of a kind that is not looked at has neither message nor press.
func decodeEvent(body []byte) (event, error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return event{}, errEvent
	}
	out := event{id: string(cmp.Or(e.Header.ID, e.UUID)), kind: string(e.Header.Type)}
	var err error
	switch {
	case out.kind == eventMessage:
		out.message, err = decodeMessage(e.Event)
	case out.kind == eventPress:
		out.press, err = decodePress(out.id, e.Event)
	case out.kind == "" && e.Type == "event_callback":
		out.kind = "event_callback"
		out.message, err = decodeOld(e.Event)
	case out.kind == "" && len(e.Event) == 0:
		out.press, err = decodeOldPress(body)
	}
	return out, err
}

func decodeMessage(body json.RawMessage) (*incoming, error) {
	var e struct {
		Sender struct {
			ID   ids  `json:"sender_id"`
			Type word `json:"sender_type"`
		} `json:"sender"`
		Message incoming `json:"message"`
	}
	if !lenient(body, &e) || e.Message.ID == "" || e.Message.Chat == "" {
		return nil, errEvent
	}
	e.Message.sender, e.Message.senderType = e.Sender.ID, e.Sender.Type
	return &e.Message, nil
}
