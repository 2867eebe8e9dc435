package akitad

import (
	"encoding/json"
	"time"
)

// RawJSON is JSON kept as it was received.
type RawJSON = json.RawMessage

// State is where a task stands.
type State string

// The states of a task. Waiting and pending carry a reason.
const (
	Pending      State = "pending"
	Running      State = "running"
	Waiting      State = "waiting"
	Blocked      State = "blocked"
	Completed    State = "completed"
	Failed       State = "failed"
	WasCancelled State = "cancelled"
)

// Final reports whether a task in this state has ended for good.
func (s State) Final() bool { return s == Completed || s == Failed || s == WasCancelled }

// Reasons that pending and waiting tasks give.
const (
	ReasonNoWorker = "no worker"
	ReasonPoolFull = "pool full"
	ReasonChildren = "children"
	ReasonApproval = "approval"
	ReasonAnswer   = "answer"
	ReasonRetry    = "retry"
	ReasonQueued   = "queued"
	ReasonPaused   = "paused"
)

// Priority orders tasks that wait for the same profile.
type Priority string

// The priorities; empty counts as normal.
const (
	High   Priority = "high"
	Normal Priority = "normal"
	Low    Priority = "low"
)

// Valid reports whether p is one of the three priorities or empty.
func (p Priority) Valid() bool { return p == "" || p == High || p == Normal || p == Low }

// TaskRequest is what the HTTP API and the CLI accept. Text or Flow is required.
type TaskRequest struct {
	Text           string         `json:"text" doc:"What is wanted, in the person's own words; at most 1 MiB. Text, flow or plan is required." required:"false"`
	Session        string         `json:"session,omitempty" doc:"Name of a conversation to continue." maxLength:"200"`
	Profile        string         `json:"profile,omitempty" doc:"Profile that serves the root task."`
	Model          string         `json:"model,omitempty" doc:"Role or endpoint whose models serve the agents of the task, in place of those of their profiles." maxLength:"40"`
	Tags           []string       `json:"tags,omitempty" doc:"Only endpoints that have all of these tags serve them." maxItems:"10"`
	Flow           string         `json:"flow,omitempty" doc:"Name of a flow to run in place of planning."`
	Plan           string         `json:"plan,omitempty" doc:"Plan YAML to run as it stands, or the word ask: the plan is shown and waits for approval before anything runs."`
	Params         map[string]any `json:"params,omitempty" doc:"Parameters of the flow or plan."`
	Files          []InputFile    `json:"files,omitempty" doc:"Files placed read-only in the task's folder."`
	OutputSchema   RawJSON        `json:"output_schema,omitempty" doc:"JSON Schema that the result's data must satisfy."`
	Budget         *Budget        `json:"budget,omitempty"`
	Priority       Priority       `json:"priority,omitempty" enum:"high,normal,low"`
	IdempotencyKey string         `json:"idempotency_key,omitempty" doc:"The same key always means the same task; with a request that asks for something else it is refused." maxLength:"200"`
	Via            string         `json:"-"` // the channel of its origin, if that is not the one that takes it: cli, through the HTTP API
	Wait           string         `json:"wait,omitempty" doc:"How long to wait for the end, e.g. 30s (at most 10m)."`
	Offline        bool           `json:"offline,omitempty" doc:"Serve by the offline engine alone."`
	Chat           *Chat          `json:"-"`
	Lang           string         `json:"lang,omitempty" doc:"Language of messages to the person, en or zh; guessed from the text if empty."`
}

// Chat is what a program says with a request that continues a conversation which it keeps itself. Such a
// task has as many rounds as one from a chat.
type Chat struct {
	Sender  string // who speaks, by the program's own id for them; may be empty
	Inputs  string // what the program says of how to answer
	Earlier []Turn // oldest first
}

// Turn is an earlier message of a conversation and the answer to it.
type Turn struct {
	Said     string `json:"said"`
	Answered string `json:"answered"`
}

// InputFile is a file given with a request: by content, or by a path that the daemon can read and
// the caller may name (the CLI of the same machine).
type InputFile struct {
	Name    string `json:"name,omitempty"`
	Content []byte `json:"content,omitempty"` // base64 in JSON
	Path    string `json:"path,omitempty"`
}

// Budget caps what a task and everything it delegates may use. Zero means the default.
type Budget struct {
	InputTokens int           `json:"input_tokens,omitempty" minimum:"0"`
	Calls       int           `json:"calls,omitempty" minimum:"0"`
	Active      time.Duration `json:"active,omitempty" minimum:"0"` // nanoseconds
	Rounds      int           `json:"rounds,omitempty" minimum:"0"` // rounds of one agent, at most 60
}

// Task is one piece of work with a goal, as people and scripts see it.
type Task struct {
	ID       TaskID     `json:"id"`
	Root     TaskID     `json:"root"`
	Parent   TaskID     `json:"parent,omitempty"`
	Depth    int        `json:"depth"`
	State    State      `json:"state"`
	Reason   string     `json:"reason,omitempty"`
	WaitsFor string     `json:"waits_for,omitempty"` // of one that waits to be tried again: for whom, and why
	Profile  string     `json:"profile,omitempty"`
	Session  SessionKey `json:"session,omitempty"`
	Origin   Origin     `json:"origin"`
	Text     string     `json:"text"`
	Spec     *Spec      `json:"spec,omitempty"`
	Plan     *Plan      `json:"plan,omitempty"`
	Flow     string     `json:"flow,omitempty"`      // the flow that it runs, and which version of it
	FlowHash string     `json:"flow_hash,omitempty"` // 12 hex digits of the SHA-256 of the flow's content
	Steps    []StepView `json:"steps,omitempty"`
	Children []TaskID   `json:"children,omitempty"`
	Strategy string     `json:"strategy,omitempty"`
	Priority Priority   `json:"priority,omitempty"`
	Result   *Result    `json:"result,omitempty"`
	Error    *Failure   `json:"error,omitempty"`
	Attempts int        `json:"attempts"`
	Rounds   int        `json:"rounds"`
	Rating   int        `json:"rating,omitempty"`
	Usage    Usage      `json:"usage"`
	Folder   string     `json:"folder,omitempty"` // name of the session's folder below workspace/files
	Question string     `json:"question,omitempty"`
	Created  time.Time  `json:"created"`
	Started  *time.Time `json:"started,omitempty"`
	Ended    *time.Time `json:"ended,omitempty"`

	// RolledBack is when what it wrote was undone, if it was.
	RolledBack *time.Time `json:"rolled_back,omitempty"`
}

// StepView is how far one step of a task's plan has come.
type StepView struct {
	ID       string   `json:"id"`
	Task     TaskID   `json:"task,omitempty"` // of its newest attempt
	State    string   `json:"state"`          // pending running completed failed blocked skipped
	Profile  string   `json:"profile,omitempty"`
	Error    *Failure `json:"error,omitempty"`
	Attempts int      `json:"attempts,omitempty"` // if it was tried more than once
}

// Result is what a task ended with. Text is Markdown for a person; Data satisfies the output
// schema if there was one.
type Result struct {
	Text      string        `json:"text"`
	Data      RawJSON       `json:"data,omitempty"`
	Whole     string        `json:"whole,omitempty"` // artifact of the whole text, if Text is not all of it
	Artifacts []File        `json:"artifacts,omitempty"`
	Partial   bool          `json:"partial,omitempty"`
	Missing   []string      `json:"missing,omitempty"` // what a partial result lacks
	Told      bool          `json:"told,omitempty"`    // its text says itself in how far it is partial: nothing was cut short
	Degraded  []Degradation `json:"degraded"`
	Next      *Next         `json:"next,omitempty"`
	Replan    string        `json:"replan,omitempty"` // a step's word why the rest of its plan no longer fits
}

// Next is a child's word that more work is needed before its parent can go on.
type Next struct {
	Goal    string  `json:"goal"`
	Inputs  RawJSON `json:"inputs,omitempty"`
	Profile string  `json:"profile,omitempty"`
}

// Degradation records that a weaker strategy than the first choice was used.
type Degradation struct {
	Layer  string `json:"layer"` // endpoint, agent, strategy, input
	From   string `json:"from"`
	To     string `json:"to"`
	Kind   Kind   `json:"kind"`
	Reason string `json:"reason,omitempty"`

	Status  int  `json:"status,omitempty"`  // of the HTTP answer that refused the request; 0 if there was none
	Skipped bool `json:"skipped,omitempty"` // From was not asked this time: Kind and Reason are of an earlier time
	Forced  bool `json:"forced,omitempty"`  // From was not asked since another strategy is forced
}

// Usage is what model calls cost: tokens, number of calls, and money in the endpoint's currency.
type Usage struct {
	Input  int     `json:"input"`  // input tokens, cached ones included
	Cached int     `json:"cached"` // of these, read from the provider's cache
	Output int     `json:"output"`
	Calls  int     `json:"calls"`
	Cost   float64 `json:"cost"`
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Cached + v.Cached, u.Output + v.Output, u.Calls + v.Calls, u.Cost + v.Cost}
}
