package feishutest

import (
	_ "embed"
	"encoding/json"
)

//go:embed testdata/conversation.json
var conversation []byte

// Conversation is one that every client can have with the service, step by step, and what stands in the
// chat in the end: the vendor's own client has it too (the folder node), which shows that the Server is
// like the service.
type Conversation struct {
	Steps []Step   `json:"steps"`
	Chat  []string `json:"chat"` // "type: text [button]", of the bot's messages
}

// Step is one thing that somebody does. The client's are: "reply" to the last message with a card, "patch"
// that card, "image" as a reply, "ask" with a button. The others are the service's: Say, "press", "expire"
// the tokens, "drop" the connection.
type Step struct {
	Say      *Said  `json:"say,omitempty"`
	Fragment int    `json:"fragment,omitempty"` // bytes of an event in one frame, from here on
	Hears    string `json:"hears,omitempty"`    // what the client is told: the words, or the choice of a press
	Do       string `json:"do,omitempty"`
	Text     string `json:"text,omitempty"` // of the card; of a press, the words that the client shows
	Label    string `json:"label,omitempty"`
	Status   int    `json:"status,omitempty"`
}

// Talk returns the conversation.
func Talk() Conversation {
	var c Conversation
	if err := json.Unmarshal(conversation, &c); err != nil {
		panic(err) // the file is part of the program
	}
	return c
}
