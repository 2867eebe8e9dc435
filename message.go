package akitad

import "time"

// Message is what a person sent, through a channel, before anything was made of it.
type Message struct {
	ID       string         `json:"id"`                // the channel's own event id, or an idempotency key
	Task     TaskID         `json:"task"`              // the root task this message becomes; derived at the door
	Origin   Origin         `json:"origin"`            // where it came from and where the answer goes
	Session  SessionKey     `json:"session,omitempty"` // the conversation; empty for a one-off
	Text     string         `json:"text"`              // the person's words, byte for byte
	TextRef  string         `json:"text_ref,omitempty"`
	Files    []File         `json:"files,omitempty"`
	Steers   TaskID         `json:"steers,omitempty"`   // the running task this message corrects
	Answers  string         `json:"answers,omitempty"`  // the open call of Steers that this message answers, by a button
	Album    string         `json:"album,omitempty"`    // messages of one album share it: they become one
	ReplyTo  string         `json:"reply_to,omitempty"` // the channel's id of the message that this one answers
	Profile  string         `json:"profile,omitempty"`
	Model    string         `json:"model,omitempty"` // a role or an endpoint, for all agents of the task
	Tags     []string       `json:"tags,omitempty"`  // of the endpoints that may serve them
	Flow     string         `json:"flow,omitempty"`
	FlowHash string         `json:"flow_hash,omitempty"` // of the flow's content, which is then in Plan
	Plan     string         `json:"plan,omitempty"`      // plan YAML to run as it stands
	PlanAsk  bool           `json:"plan_ask,omitempty"`  // show the plan and wait for approval before anything runs
	Params   map[string]any `json:"params,omitempty"`
	Schema   RawJSON        `json:"output_schema,omitempty"`
	Budget   *Budget        `json:"budget,omitempty"`
	Priority Priority       `json:"priority,omitempty"`
	Offline  bool           `json:"offline,omitempty"` // serve by the offline engine alone
	Inputs   string         `json:"inputs,omitempty"`  // what the program between says of how to answer
	Earlier  string         `json:"earlier,omitempty"` // hash of the artifact with the turns before, if a program keeps them; JSON
	Chat     bool           `json:"chat,omitempty"`    // it has as many rounds as a message from a chat
	Notice   string         `json:"notice,omitempty"`  // what the person is told once, when it becomes a task
	At       time.Time      `json:"at"`

	// What a channel says of a message to whoever decides what becomes of it. None of it is stored.
	Addressed bool   `json:"-"` // it is to the bot: by a mention, a reply to the bot, or a command with its name; "@all" is not
	Press     *Press `json:"-"` // a button was pressed; there are no words
	MovedFrom string `json:"-"` // the chat had this id before; there are no words

	// Edited says that the person has changed a message that was handed over before, and Text is what it says
	// now. ID is the same for each change of that message.
	Edited bool `json:"-"`

	// Aliases are further ids that the service has for the sender, each good in an allow list.
	Aliases []string `json:"-"`
}

// Press is a button that a person pressed below a question.
type Press struct {
	Event   string // the channel's id of the press, by which it is answered
	Message string // the message that has the button
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
	Group   bool   `json:"group,omitempty"`   // others than the sender read the chat
	Owner   bool   `json:"owner,omitempty"`   // the sender owns the bot, as the gateway found at the door
	Name    string `json:"name,omitempty"`    // how the sender is called there; shown, never trusted
}

// Person gives the scope under which this sender's memory is kept: "telegram:1001". It is empty
// when the channel does not say who writes.
func (o Origin) Person() string {
	if o.Sender == "" {
		return ""
	}
	return o.Channel + ":" + o.Sender
}

// Local is who holds the home, as a person: what is told by command line and HTTP API is kept for them.
const Local = "local"

// Keeper gives the person for whom memory keeps what is said there: the sender, or Local where no chat
// is behind it. It is empty in a chat that does not say who writes.
func (o Origin) Keeper() string {
	if o.Sender == "" && !o.Interactive() {
		return Local
	}
	return o.Person()
}

// Hears gives a further person whose memory serves what is said there: to an owner, and nobody else
// reads along, what is kept for Local. Else it is empty.
func (o Origin) Hears() string {
	if o.Owner && !o.Group {
		return Local
	}
	return ""
}

// Interactive reports whether a person waits in a chat and can be asked a question later.
func (o Origin) Interactive() bool {
	switch o.Channel {
	case "http", "cli", "schedule", "":
		return false
	}
	return true
}

// Reply is an answer on its way back to where the task came from.
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

	Remote string   `json:"remote,omitempty"` // the channel's own id of bytes that are not fetched yet; empty once they are stored
	Kind   FileKind `json:"kind,omitempty"`   // what it was in the chat, or is to be there
}

// FileKind says how a chat shows a file; empty is a document.
type FileKind string

// The kinds that chats show in their own way.
const (
	FilePhoto   FileKind = "photo"
	FileVoice   FileKind = "voice" // spoken words, to be written down
	FileSticker FileKind = "sticker"
)

// Artifact names bytes kept outside of the context by their content hash (SHA-256, hex).
type Artifact struct {
	Hash string `json:"hash"`
	Name string `json:"name,omitempty"`
	Type string `json:"type,omitempty"` // media type
	Size int64  `json:"size"`
}

// Snippet is text from a source that may help to answer a query, with where it was found.
type Snippet struct {
	Source string  `json:"source"` // "memory", "knowledge", "skill"
	ID     string  `json:"id"`
	Title  string  `json:"title,omitempty"`
	Text   string  `json:"text"`
	Score  float64 `json:"score"` // 0 to 1
}
