package client

import (
	"time"

	"github.com/akitad/akitad"
)

// Accepted is the answer to a new task.
type Accepted struct {
	ID    akitad.TaskID `json:"id"`
	State akitad.State  `json:"state"`
}

// Page is one page of a listing; Next is the cursor of the page after it, empty on the last.
type Page[T any] struct {
	Items []T    `json:"items" nullable:"false"`
	Next  string `json:"next,omitempty"`
}

// Summary is a task in a listing.
type Summary struct {
	ID      akitad.TaskID     `json:"id"`
	Root    akitad.TaskID     `json:"root"`
	Parent  akitad.TaskID     `json:"parent,omitempty"`
	Depth   int               `json:"depth"`
	State   akitad.State      `json:"state"`
	Reason  string            `json:"reason,omitempty"`
	Profile string            `json:"profile,omitempty"`
	Session akitad.SessionKey `json:"session,omitempty"`
	Channel string            `json:"channel"`
	Text    string            `json:"text"`
	Rounds  int               `json:"rounds"`
	Usage   akitad.Usage      `json:"usage"`
	Created time.Time         `json:"created"`
	Started *time.Time        `json:"started,omitempty"`
	Ended   *time.Time        `json:"ended,omitempty"`

	Attempts int `json:"attempts"` // by how many agents and retries it was begun
}

// Stats is what a task used and did.
type Stats struct {
	ID       akitad.TaskID `json:"id"`
	Usage    akitad.Usage  `json:"usage"`
	Rounds   int           `json:"rounds"`
	Calls    int           `json:"tool_calls"`
	Failed   int           `json:"tool_failures"`
	Produced int           `json:"tool_bytes"`  // produced by tools
	Shown    int           `json:"shown_bytes"` // of these, shown to the model
	Children int           `json:"children"`
	Claims   int           `json:"claims"`
	Events   int           `json:"events"`
	Budget   []Limit       `json:"budget"` // of the task's whole tree

	// What the task itself did, without its children; Usage has theirs, once they have joined.
	Own Share `json:"own"`
	// What the task and everything below it did, what still runs included.
	Tree Share `json:"tree"`
}

// Share is what some tasks used and moved.
type Share struct {
	Tasks      int          `json:"tasks"`
	Usage      akitad.Usage `json:"usage"`
	Bills      akitad.Bills `json:"bills" nullable:"false"` // by endpoint and role
	Calls      int          `json:"tool_calls"`
	Failed     int          `json:"tool_failures"`
	Produced   int          `json:"tool_bytes"`
	Shown      int          `json:"shown_bytes"`
	Masked     int          `json:"masked_tokens"`
	Summarised int          `json:"summarised_tokens"`
}

// Limit is how far one limit of a task's tree is used up. Without a limit there is nothing left or
// not left.
type Limit struct {
	Name  string `json:"name"` // input_tokens, calls, active_seconds, tasks
	Used  int    `json:"used"`
	Limit int    `json:"limit,omitempty"`
	Left  int    `json:"left,omitempty"`
}

// Event is one journal event as the event stream gives it.
type Event struct {
	Seq  uint64           `json:"seq"`
	Kind akitad.EventKind `json:"kind"`
	At   time.Time        `json:"at"`
	By   string           `json:"by"`
	Data akitad.RawJSON   `json:"data,omitempty"`
}

// Agent is what became of one profile's instances and tasks, over all nodes. Where lists the nodes
// that have used the profile since they started.
type Agent struct {
	Profile     string   `json:"profile"`
	Description string   `json:"description,omitempty"`
	Where       []string `json:"nodes" nullable:"false"`
	Opened      int      `json:"opened"`
	Reused      int      `json:"reused"`
	Busy        int      `json:"busy"`
	Idle        int      `json:"idle"`
	Done        int      `json:"done"`   // tasks ended well
	Failed      int      `json:"failed"` // in error, at a cap, or in a loop
	Success     float64  `json:"success_rate"`
	Paused      bool     `json:"paused"` // takes no work on any node

	PausedSince *time.Time `json:"paused_since,omitempty"`

	// How its tasks ended lately, on all nodes: one that is not healthy takes no new task while another
	// agent of its fallback chain may have it, but for one that tries again from NextProbe on.
	Healthy   bool       `json:"healthy"`
	Error     string     `json:"error,omitempty"` // of the newest failure that still counts
	Since     *time.Time `json:"degraded_since,omitempty"`
	NextProbe *time.Time `json:"next_probe,omitempty"`
}

// Rollback is a task that has ended, and what became of the files that it wrote.
type Rollback struct {
	ID       akitad.TaskID `json:"id"`
	State    akitad.State  `json:"state"`
	Restored []string      `json:"restored" nullable:"false" doc:"Files that are as they were before the task."`
	Removed  []string      `json:"removed" nullable:"false" doc:"Files that the task made, which are gone."`
}

// Endpoint is how one model endpoint stands.
type Endpoint struct {
	Name      string     `json:"name"`
	Protocol  string     `json:"protocol"`
	Model     string     `json:"model,omitempty"`
	Offline   bool       `json:"offline"`
	InFlight  int        `json:"in_flight"`
	Healthy   bool       `json:"healthy"`
	Failures  int        `json:"failures"`
	Since     *time.Time `json:"degraded_since,omitempty"`
	NextProbe *time.Time `json:"next_probe,omitempty"`
	Error     string     `json:"last_failure,omitempty"`

	RestsUntil *time.Time `json:"rests_until,omitempty"` // it timed out so lately that others are asked first

	// Since the daemon that answers began. Each try is a call.
	Calls  int     `json:"calls"`
	Failed int     `json:"failed_calls"`
	Input  int     `json:"input"`
	Cached int     `json:"cached"`
	Output int     `json:"output"`
	Cost   float64 `json:"cost"`
}

// Sum is what a group of model calls used; the fields that it was not grouped by are empty.
type Sum struct {
	Day      string        `json:"day,omitempty"`
	Person   string        `json:"person,omitempty"`
	Endpoint string        `json:"endpoint,omitempty"`
	Role     string        `json:"role,omitempty"`
	Profile  string        `json:"profile,omitempty"`
	Task     akitad.TaskID `json:"task,omitempty"`
	akitad.Usage
}

// Strategy is how models are chosen on all nodes: "auto", "memory", "knowledge", "offline", "hold", or the name of one endpoint.
type Strategy struct {
	Strategy string   `json:"strategy"`
	Known    []string `json:"known"`
}

// Tool is a tool that agents may use.
type Tool struct {
	Name        string         `json:"name"`
	Category    string         `json:"category"`
	Risk        string         `json:"risk"`
	Readonly    bool           `json:"readonly"`
	Description string         `json:"description"`
	Schema      akitad.RawJSON `json:"schema,omitempty"`

	Idempotent   bool   `json:"idempotent"`
	ParallelSafe bool   `json:"parallel_safe"`
	Server       string `json:"server,omitempty"` // that it comes from
	InBlock      bool   `json:"in_block"`         // it stands in the profile's prompts with its schema
}

// ToolResult is what a call outside of any task came to.
type ToolResult struct {
	Tool      string   `json:"tool"`
	Text      string   `json:"text"`
	Changed   []string `json:"changed"` // files of the session's folder that it wrote
	Exit      int      `json:"exit"`    // of a program: its exit code
	Untrusted bool     `json:"untrusted"`
}

// Flow is a plan that a person wrote. Error says why it cannot run.
type Flow struct {
	Name   string      `json:"name"`
	Goal   string      `json:"goal,omitempty"`
	Params []FlowParam `json:"params"`
	Steps  int         `json:"steps"`
	Hash   string      `json:"hash,omitempty" doc:"12 hex digits of the SHA-256 of the content; a task that ran it has them as flow_hash."`
	Error  string      `json:"error,omitempty"`
}

// FlowParam is a parameter of a flow.
type FlowParam struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty" doc:"As in JSON Schema; empty if any will do."`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required"`
	Default     any    `json:"default,omitempty"`
	Enum        []any  `json:"enum,omitempty"`
}

// Document asks to index a document: the file at Path on the daemon's machine, or Text or Content under a Name.
type Document struct {
	Path    string `json:"path,omitempty" doc:"The absolute path of a file on the daemon's machine."`
	Name    string `json:"name,omitempty" maxLength:"512" doc:"What a document that is no file is called; another one of this name is replaced."`
	Text    string `json:"text,omitempty"`
	Content []byte `json:"content,omitempty" doc:"In base64, in place of text."`
}

// Knowledge is a document of the knowledge base, or a part of one that was found.
type Knowledge struct {
	ID      string     `json:"id" doc:"Of the document, or of the part: the document's, a slash and its number."`
	Name    string     `json:"name" doc:"The path of a file, or the name that was given."`
	Kind    string     `json:"kind"`
	File    bool       `json:"file,omitempty" doc:"It was read from a file."`
	Bytes   int64      `json:"bytes,omitempty"`
	Chunks  int        `json:"chunks,omitempty"`
	Indexed *time.Time `json:"indexed,omitempty"`
	Changed bool       `json:"changed,omitempty" doc:"It was indexed by this request: nothing, or something else, was known of it."`

	Source string            `json:"source,omitempty" doc:"Of a part: knowledge."`
	Title  string            `json:"title,omitempty" doc:"What the part stands under: headings, a path, times."`
	Text   string            `json:"text,omitempty" doc:"The part around what was looked for."`
	Line   int               `json:"line,omitempty"`
	Score  float64           `json:"score,omitempty" doc:"0 to 1."`
	Read   map[string]string `json:"read,omitempty" doc:"Words that the document does not hold, and as what they were read."`
}

// Remember asks to keep an entry of memory.
type Remember struct {
	Text   string `json:"text" doc:"One fact, rule or wish, in a sentence." minLength:"1"`
	Type   string `json:"type,omitempty" enum:"fact,preference,skill,context,rule,error,experience" doc:"Default fact."`
	Person string `json:"person,omitempty" doc:"Whose entry it is, e.g. telegram:1001, or local for the owner of this home; empty for everybody who may ask."`
	Topic  string `json:"topic,omitempty" doc:"File below topics that keeps it, [a-z0-9-]."`
	Life   string `json:"life,omitempty" enum:"1d,3d,30d,permanent" doc:"Default by type."`
}

// Ready is how the daemon stands; each part is "ok" or what is wrong with it.
type Ready struct {
	Ready    bool              `json:"ready"`
	Bus      string            `json:"bus"`
	Intake   string            `json:"intake"` // whether new tasks are taken
	Channels map[string]string `json:"channels,omitempty"`
}

// Problem is an error as the API answers it (RFC 9457), with a code that never changes.
type Problem struct {
	Title  string   `json:"title"`
	Status int      `json:"status"`
	Code   string   `json:"code" doc:"Stable: an error kind, or conflict, unauthorized, foreign_host, foreign_origin, too_large, disk_low, no_route, no_method."`
	Detail string   `json:"detail,omitempty"`
	Hint   string   `json:"hint,omitempty" doc:"What to do about it."`
	Errors []string `json:"errors,omitempty" doc:"What is wrong, one by one, each with its place."`
}
