package akitad

import (
	"strings"
	"time"
	"unicode"
)

// Message is a message of a person as its channel received it, before it is compiled.
type Message struct {
	ID       string         `json:"id"`                // the channel's own event id, or an idempotency key
	Task     TaskID         `json:"task"`              // the root task that the message becomes; derived from Origin.Channel and ID when it is received
	Origin   Origin         `json:"origin"`            // where it came from and where the answer goes
	Session  SessionKey     `json:"session,omitempty"` // the conversation; empty for a one-off
	Text     string         `json:"text"`              // the person's words, byte for byte
	TextRef  string         `json:"text_ref,omitempty"`
	Files    []File         `json:"files,omitempty"`
	Steers   TaskID         `json:"steers,omitempty"`   // the running task this message corrects
	Answers  string         `json:"answers,omitempty"`  // the open call of task Steers that this message answers by a button
	Album    string         `json:"album,omitempty"`    // shared by the messages of one album, which become one message
	ReplyTo  string         `json:"reply_to,omitempty"` // the channel's id of the message that this one answers
	Profile  string         `json:"profile,omitempty"`
	Model    string         `json:"model,omitempty"` // role or endpoint for all agents of the task
	Tags     []string       `json:"tags,omitempty"`  // tags that an endpoint must have to serve them
	Flow     string         `json:"flow,omitempty"`
	FlowHash string         `json:"flow_hash,omitempty"` // hash of the flow's content, which is then in Plan
	Plan     string         `json:"plan,omitempty"`      // plan YAML to run as it stands
	PlanAsk  bool           `json:"plan_ask,omitempty"`  // show the plan and wait for approval before anything runs
	Params   map[string]any `json:"params,omitempty"`
	Schema   RawJSON        `json:"output_schema,omitempty"`
	Budget   *Budget        `json:"budget,omitempty"`
	Priority Priority       `json:"priority,omitempty"`
	Offline  bool           `json:"offline,omitempty"` // use the offline engine only
	Inputs   string         `json:"inputs,omitempty"`  // instructions of the calling program on how to answer
	Earlier  string         `json:"earlier,omitempty"` // artifact with the earlier turns as JSON, if the calling program keeps the conversation
	Chat     bool           `json:"chat,omitempty"`    // as many rounds as a message from a chat service may use
	Notice   string         `json:"notice,omitempty"`  // told to the person once, when the message becomes a task
	At       time.Time      `json:"at"`

	// The fields below are facts for the gateway, which decides how to handle the message. They are not stored.
	Addressed bool   `json:"-"` // addressed to the bot by a mention, a reply or a command with its name; "@all" does not count
	Press     *Press `json:"-"` // a button was pressed; Text is empty
	MovedFrom string `json:"-"` // the chat's id until now; Text is empty

	// Edited reports that the person has edited a message that was received before; Text is the new text.
	// All edits of one message have the same ID.
	Edited bool `json:"-"`

	// Aliases are other ids of the sender in the same service. Each of them may be listed in an allow list.
	Aliases []string `json:"-"`
}

// Press is the press of a button below a question.
type Press struct {
	Event   string // the channel's id of the press, with which the channel acknowledges it
	Message string // id of the message that has the button
	Choice  string // Choice.ID
}

// Origin says where a task came from and where its answer goes. It is fixed when the task is
// accepted and never changes.
type Origin struct {
	Channel string `json:"channel"`           // telegram, feishu, http, cli, schedule
	Chat    string `json:"chat,omitempty"`    // the channel's chat id
	Thread  string `json:"thread,omitempty"`  // topic or thread id within the chat
	Sender  string `json:"sender,omitempty"`  // the person's numeric or opaque id in the channel
	Message string `json:"message,omitempty"` // the id of the person's message, to reply to
	Lang    string `json:"lang,omitempty"`    // "en" or "zh", as the person wrote
	Group   bool   `json:"group,omitempty"`   // people other than the sender can read the chat
	Owner   bool   `json:"owner,omitempty"`   // the sender is an owner of the bot; set by the gateway
	Name    string `json:"name,omitempty"`    // display name of the sender; shown, never used to identify them
}

// Person returns the sender with their channel, "telegram:1001". It is empty if the channel does not
// identify its senders.
func (o Origin) Person() string {
	if o.Sender == "" {
		return ""
	}
	return o.Channel + ":" + o.Sender
}

// Blank reports whether text shows nothing: it is empty, or has only white space, control and format characters.
func Blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cf, unicode.Cc) })
}

// Local is the person who owns the home. Memories from the command line and the HTTP API belong to them.
const Local = "local"

// Keeper returns the person to whom memories from this origin belong: the sender, or Local if the origin
// is not a chat. It is empty for a chat that does not identify its senders.
func (o Origin) Keeper() string {
	if o.Sender == "" && !o.Interactive() {
		return Local
	}
	return o.Person()
}

// Hears returns a second person whose memories may be used in answers to this origin: Local, if the
// sender is an owner in a private chat. Otherwise it is empty.
func (o Origin) Hears() string {
	if o.Owner && !o.Group {
		return Local
	}
	return ""
}

// Interactive reports whether the origin is a chat, where a person can be asked a question later.
func (o Origin) Interactive() bool {
	switch o.Channel {
	case "http", "cli", "schedule", "":
		return false
	}
	return true
}

// Reply is a text for the origin of a task.
type Reply struct {
	Task     TaskID        `json:"task"`
	Origin   Origin        `json:"origin"`
	Text     string        `json:"text"` // Markdown
	Files    []File        `json:"files,omitempty"`
	Partial  bool          `json:"partial,omitempty"`
	Degraded []Degradation `json:"degraded,omitempty"`
}

// File is a file that belongs to a task: its name in the session's folder and, once stored, the
// artifact that holds its bytes.
type File struct {
	Name     string `json:"name"`           // slash-separated path below the session's folder
	Artifact string `json:"hash,omitempty"` // content hash, see Artifact
	Size     int64  `json:"size"`
	Mode     string `json:"mode,omitempty"` // "ro" for files given with a task

	Remote string   `json:"remote,omitempty"` // the channel's id of a file that is not downloaded yet; empty once it is stored
	Kind   FileKind `json:"kind,omitempty"`   // how it was sent in the chat, or is to be sent
}

// FileKind is the way in which a chat shows a file. Empty means as a document.
type FileKind string

// The kinds that chats do not show as documents.
const (
	FilePhoto   FileKind = "photo"
	FileVoice   FileKind = "voice" // speech, to be transcribed
	FileSticker FileKind = "sticker"
)

// Snippet is a passage that may help to answer a query, with its source.
type Snippet struct {
	Source string  `json:"source"` // "memory", "knowledge", "skill"
	ID     string  `json:"id"`
	Title  string  `json:"title,omitempty"`
	Text   string  `json:"text"`
	Score  float64 `json:"score"` // 0 to 1
}
