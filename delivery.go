package akitad

import "context"

// DeliveryKind is the sort of text that is sent to a chat. When the chat service limits the rate of
// messages, it decides which delivery is sent first.
type DeliveryKind string

// The kinds, in the order in which they are sent when the service limits the rate.
const (
	DeliverAnswer   DeliveryKind = "answer"   // what a task ended with; an empty kind counts as this
	DeliverQuestion DeliveryKind = "question" // a question or an approval that a task waits for
	DeliverNotice   DeliveryKind = "notice"   // a short side message: a place in the queue, the reply to a command
)

// Delivery is one text to be sent to a chat. A channel splits it into parts, always in the same way
// for the same Reply, so that a delivery that was interrupted by a crash can continue at the part it had reached.
type Delivery struct {
	Kind    DeliveryKind
	Reply   Reply
	Message string   // id of the placeholder that part 0 replaces; empty: part 0 is a message of its own
	Notify  string   // text of a last short message that notifies the person; empty: none. Channels whose answers notify by themselves ignore it
	From    int      // index of the first part to send; the parts before it are in the chat already
	Choices []Choice // buttons below the last part of the text, in order; empty for a channel without buttons
	Repeat  bool     // part From may be in the chat already: if it is sent again, it is marked as a repetition

	// Before is called before each part is sent, so that the caller can journal the intent. An error
	// ends the delivery before that part. May be nil.
	Before func(ctx context.Context, part int) error

	// Unshown is sent in place of a part that the service refused in every form. If it is empty, the
	// refusal is returned as an error.
	Unshown string
	// Amended is called when a refused part is sent in another form, or not at all. May be nil.
	Amended func(Amendment)
}

// Amendment records in which form a part was sent after the chat service had refused it.
type Amendment struct {
	Part int           `json:"part"`
	As   AmendmentForm `json:"as"`
	Why  string        `json:"why"` // the service's reason for the refusal
}

// AmendmentForm is the form in which a refused part is sent.
type AmendmentForm string

// The forms, in the order in which they are tried.
const (
	AsPlain  AmendmentForm = "plain"   // without markup
	AsApart  AmendmentForm = "apart"   // without its buttons, or as a plain new message: no reply, no edit, no topic
	AsPieces AmendmentForm = "pieces"  // in halves
	AsNotice AmendmentForm = "notice"  // Unshown stands in its place
	AsNone   AmendmentForm = "nothing" // not at all: a notice stands for it already, or the notice was refused as well
)

// Choice is a button below a question.
type Choice struct {
	ID    string // at most 64 bytes; comes back in Press.Choice
	Label string // the text on the button: a few words
	Style string // "primary", "danger" or empty
}

// MaxChoiceID is the maximum length of Choice.ID in bytes (Telegram, InlineKeyboardButton.callback_data: 1-64 bytes).
const MaxChoiceID = 64
