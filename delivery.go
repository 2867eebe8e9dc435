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
	Message string   // id of the placeholder that part 0 replaces; empty: part 0 is a message of its own
	Notify  string   // if not empty, words of a last short message that notifies the person; a channel whose answers notify leaves them out
	From    int      // the first part to send; those before it are in the chat
	Choices []Choice // buttons below the last part of the text, in order; a channel without buttons is given none
	Repeat  bool     // part From may be in the chat already: if it has to be sent, it is marked as a repetition

	// Before is called before each part leaves, so that the caller can journal the intent. An error
	// ends the delivery there. Nil means no call.
	Before func(ctx context.Context, part int) error

	// Unshown are the words that stand where a part of the text was refused in every form; empty: the part is
	// refused then.
	Unshown string
	// Amended is called when a part was refused and goes in another form, or not at all. Nil means no call.
	Amended func(Amendment)
}

// Amendment says what became of a part that a chat service refused as it was.
type Amendment struct {
	Part int           `json:"part"`
	As   AmendmentForm `json:"as"`
	Why  string        `json:"why"` // the service's words
}

// AmendmentForm is the form in which a refused part goes.
type AmendmentForm string

// The forms, in the order in which they are tried.
const (
	AsPlain  AmendmentForm = "plain"   // without markup
	AsApart  AmendmentForm = "apart"   // without a button, or not at its place: no reply, no edit, no topic
	AsPieces AmendmentForm = "pieces"  // in halves
	AsNotice AmendmentForm = "notice"  // Unshown stands in its place
	AsNone   AmendmentForm = "nothing" // beside such a notice, or where not even that was taken
)

// Choice is a button below a question.
type Choice struct {
	ID    string // at most 64 bytes; comes back in Press.Choice
	Label string // what stands on it: a few words
	Style string // "primary", "danger" or empty
}

// MaxChoiceID is the most bytes of Choice.ID (Telegram, InlineKeyboardButton.callback_data: 1-64 bytes).
const MaxChoiceID = 64
