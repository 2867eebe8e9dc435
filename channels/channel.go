// Package channels brings people's messages in and carries the answers back: the port that every
// chat service fills, and the Gateway that keeps order. It knows no chat service itself.
package channels

import (
	"context"

	"github.com/akitad/akitad"
)

// Channel is one chat service. Run starts what the channel needs, hands every message of a person
// who may talk to receive, and returns when ctx ends (nil) or when going on is useless (why). A
// message counts as taken only when receive has returned nil; else it is handed over again, with
// the same id. The other methods may be called by many goroutines at once.
type Channel interface {
	// Name is the channel's name in origins and configuration.
	Name() string
	Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error
	// Placeholder puts a silent first message into the chat, as a reply to the person's, and gives
	// its id.
	Placeholder(ctx context.Context, to akitad.Origin, text string) (message string, err error)
	// Progress rewrites a placeholder. It never waits: with no room for it, it is dropped, and the
	// error is nil.
	Progress(ctx context.Context, to akitad.Origin, message, text string) error
	// Final delivers text and gives the ids of the messages that this call put in the chat, in order.
	// On an error these are the parts that did arrive; the last part announced by Before may or may
	// not have.
	Final(ctx context.Context, d akitad.Delivery) (messages []string, err error)
}

// Companion is a Channel that can show that the bot is at work: typing in the chat, for some
// seconds a call, and a receipt on the person's message.
type Companion interface {
	Typing(ctx context.Context, to akitad.Origin) error
	Receipt(ctx context.Context, to akitad.Origin) error
}

// Prober is a Channel that knows whether it receives at present. The error says what is wrong, in
// words for an operator.
type Prober interface {
	Health() error
}
