package akitad

import "context"

// DeliveryKind says what sort of text goes into a chat. It decides who goes first when a chat
// service limits how much may be sent.
type DeliveryKind string

// The kinds, in the order in which they are sent when there is not room for all.
const (
	DeliverAnswer   DeliveryKind = "answer"   // what a task ended with; an empty kind counts as this
	DeliverQuestion DeliveryKind = "question" // a question or an approval that a task waits for
	DeliverNotice   DeliveryKind = "notice"   // a short word on the side: a place in the queue, a command's reply
)

// Delivery is one text on its way into a chat. A channel cuts it into parts, always the same way
// for the same Reply, so that a delivery which a crash interrupted goes on at the part it stood at.
type Delivery struct {
	Kind    DeliveryKind
	Reply   Reply
	Message string // id of the placeholder that part 0 replaces; empty: part 0 is a message of its own
	Notify  string // if not empty, words of a last short message that notifies the person
	From    int    // the first part to send; those before it are in the chat
	Repeat  bool   // part From may be in the chat already: if it has to be sent, it is marked as a repetition

	// Before is called before each part leaves, so that the caller can journal the intent. An error
	// ends the delivery there. Nil means no call.
	Before func(ctx context.Context, part int) error
}
