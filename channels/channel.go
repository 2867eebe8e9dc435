// Package channels brings people's messages in and carries the answers back: the port that every
// chat service fills, and the Gateway that keeps order. It knows no chat service itself.
package channels

import (
	"context"
	"io"
	"net/http"

	"github.com/akitad/akitad"
)

// Channel is one chat service. Run starts what the channel needs, hands every new message of a person
// to receive, and returns when ctx ends (nil) or when going on is useless (why). It decides nothing
// about who may talk: it says whether the chat is a group and whether the message is to the bot, and
// leaves out what bots write, itself included. A message counts as taken only when receive has
// returned nil, and only then is it acknowledged; else it is handed over again, with the same id. The
// other methods may be called by many goroutines at once, before Run and after it too.
type Channel interface {
	// Name is the channel's name in origins and configuration.
	Name() string
	Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error
	// Placeholder puts a silent first message into the chat, as a reply to the person's, and gives
	// its id. A key, of at most 50 bytes, is the same where it may be there already: a service that knows what
	// it has by keys does not show it twice.
	Placeholder(ctx context.Context, to akitad.Origin, text, key string) (message string, err error)
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

// Fetcher is a Channel whose messages name files that are not fetched yet (akitad.File.Remote).
type Fetcher interface {
	// Fetch reads the bytes of such a file; the caller closes them. An error of a temporary kind, or
	// unknown, is tried again; not_found and invalid_request (too large) are not.
	Fetch(ctx context.Context, from akitad.Origin, file akitad.File) (io.ReadCloser, error)
}

// Asker is a Channel that shows the choices of a question as buttons. What a person presses comes as a
// message with a Press.
type Asker interface {
	// Pressed answers a press. words are shown to who pressed, for a moment; settled, if not empty, is
	// Markdown that takes the place of the message that has the button, without buttons. A press without an
	// Event is nobody's: only the message is settled, if the service can do that then.
	Pressed(ctx context.Context, to akitad.Origin, p akitad.Press, words, settled string) error
}

// Hooked is a Channel that its service calls over HTTP. The handler itself checks who calls, reads at
// most what a call can have, and answers 200 only when what came was taken. It is served at /hooks/NAME
// from before Run until after it; while Run is not running it answers 503.
type Hooked interface {
	Hook() http.Handler
}

// Prober is a Channel that knows whether it receives at present. The error says what is wrong, in
// words for an operator.
type Prober interface {
	Health() error
}
