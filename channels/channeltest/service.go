// Package channeltest is the conformance suite that every channel passes: what the port promises, by
// the port alone and with the gateway behind it. It holds a Fake that passes it, for tests of the
// gateway. It knows no chat service: each gives its own fake as a Service. It is not for production.
package channeltest

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
)

// Service is the fake of a chat service, as the suite drives it: people write into chats and look at
// them. Its methods may be called by many goroutines at once.
type Service interface {
	// Channel makes a channel of the service, anew as after a restart. It takes everybody and has no
	// limits of its own on what it sends. The suite runs one at a time; what the service has to deliver goes to
	// the one that runs. open reads the files of answers.
	Channel(tb testing.TB, open Open) channels.Channel
	// Say has somebody write and gives the id of the message. again hands the same event over once more,
	// as services do when they are not sure.
	Say(Said) (message string, again func())
	// Press has from press a button of a message.
	Press(from, chat, message, label string)
	// Chat returns what stands in a chat now, the oldest first. chat is what origins call it.
	Chat(chat string) []Message
	// Fail orders trouble; false is a service that cannot have it, and then nothing is ordered.
	Fail(Fault) bool
}

// Open reads a file that goes with an answer.
type Open = func(ctx context.Context, file akitad.File) (io.ReadCloser, error)

// Caller is a Service that calls its channel's hook.
type Caller interface {
	// Call returns the request by which the service would hand over what was said, and Forged what others
	// could make of it, by what is wrong with them; each time a new one.
	Call(Said) *http.Request
	Forged(Said) map[string]*http.Request
}

// Setup says what a service is and can.
type Setup struct {
	// Start gives a service for tests in real time, Direct one that needs no socket, for bubbles of virtual
	// time (testing/synctest). Without Direct all is done in real time.
	Start  func(tb testing.TB) Service
	Direct func(tb testing.TB) Service

	People  [2]string // two sender ids, each with a private chat of its own
	Group   string    // a group's chat id; empty: there are none
	Thread  string    // a topic of Group; empty: there are none
	Secrets []string  // what no error may show

	Redelivers bool // what was not acknowledged comes again, to the next Channel too
	Names      bool // messages say what people are called
	Replies    bool // messages say which one they answer, both ways
	Edits      bool // a message can be rewritten: the answer takes the placeholder's place
	Silent     bool // a message can be sent without a notification
	Keys       bool // a message that is sent twice by one key arrives once: nothing is ever repeated
	FilesIn    bool // people send files
	FilesOut   bool // answers have files
	Markup     bool // text is formatted, and the service refuses what it cannot read
	Sockets    bool // the service is reached by a WebSocket alone, while the channel runs, even if that comes in by the hook
	Announces  bool // Health fails before Run and when the service cannot be heard
}

// Said is what somebody writes.
type Said struct {
	From       string // sender id
	Chat       string // empty: the person's private chat
	Text       string
	Thread     string // topic
	ReplyTo    string // id of a message in that chat
	Mention    bool   // the bot is named
	MentionAll bool   // all are
	Bot        bool   // another bot writes it
	Odd        bool   // it is of a kind that no program knows: neither text nor file
	Files      []File
}

// File is a file in a chat.
type File struct {
	Name  string
	Bytes []byte
	Kind  akitad.FileKind // of one that a person sends
}

// Message is one message of a chat as it is seen.
type Message struct {
	ID      string
	Bot     bool   // the bot sent it
	Text    string // without markup
	File    *File
	Buttons []string // labels, in order
	ReplyTo string
	Thread  string
	Silent  bool
}

// FaultKind is what goes wrong.
type FaultKind string

// The kinds of trouble.
const (
	Limited FaultKind = "limited" // refused for sending too much, until Wait is over
	Broken  FaultKind = "broken"  // refused with an error that passes
	Cut     FaultKind = "cut"     // taken, but the connection breaks before the answer
	Hanging FaultKind = "hanging" // neither taken nor answered
	Refused FaultKind = "refused" // formatted text is refused; it is taken without markup
	Gone    FaultKind = "gone"    // the chat is not there any more, or closed to the bot
	Deaf    FaultKind = "deaf"    // nothing is delivered to the channel; heard again after Times tries
)

// Fault is trouble with the requests by which texts come into a chat (send or edit).
type Fault struct {
	Kind  FaultKind
	Chat  string        // empty is any
	Times int           // so many requests; -1 is all
	Wait  time.Duration // in whole seconds, of Limited
}
