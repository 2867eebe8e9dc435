package akitad

import (
	"encoding/json"
	"time"
)

// RawJSON is JSON that is kept in the form in which it was received.
type RawJSON = json.RawMessage

// State is the state of a task.
type State string

// The states of a task. Pending and Waiting come with one of the reasons below.
const (
	Pending      State = "pending"
	Running      State = "running"
	Waiting      State = "waiting"
	Blocked      State = "blocked" // only of a plan's step: a step that it needs has failed
	Completed    State = "completed"
	Failed       State = "failed"
	WasCancelled State = "cancelled"
)

// Final reports whether a task in this state has ended.
func (s State) Final() bool { return s == Completed || s == Failed || s == WasCancelled }

// Reasons why a task is pending or waiting.
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

// Priority is the order among the tasks that wait for the same profile.
type Priority string

// The priorities. The empty priority means Normal.
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

// Chat accompanies a request of a program that keeps the conversation itself, such as a client of the
// OpenAI-compatible API. Such a task may use as many rounds as a task from a chat service.
type Chat struct {
	Sender  string // the program's own id of the person who speaks; may be empty
	Inputs  string // the program's instructions on how to answer
	Earlier []Turn // oldest first
}

// Turn is an earlier message of a conversation and the answer to it.
type Turn struct {
	Said     string `json:"said"`
	Answered string `json:"answered"`
}

// InputFile is a file that is given with a request, by content or by path. A path is accepted only from
// the command line of the same machine, and the daemon must be able to read it.
type InputFile struct {
	Name    string `json:"name,omitempty"`
	Content []byte `json:"content,omitempty"` // base64 in JSON
	Path    string `json:"path,omitempty"`
}

// Budget limits what a task may use together with all tasks that it delegates. Zero fields mean the default.
type Budget struct {
	InputTokens int           `json:"input_tokens,omitempty" minimum:"0"`
	Calls       int           `json:"calls,omitempty" minimum:"0"`
	Active      time.Duration `json:"active,omitempty" minimum:"0"`              // nanoseconds
	Rounds      int           `json:"rounds,omitempty" minimum:"0" maximum:"60"` // of one agent
}

// Task is the public view of a task, as the API and the command line show it.
type Task struct {
	ID       TaskID     `json:"id"`
	Root     TaskID     `json:"root"`
	Parent   TaskID     `json:"parent,omitempty"`
	Depth    int        `json:"depth"`
	State    State      `json:"state"`
	Reason   string     `json:"reason,omitempty"`
	WaitsFor string     `json:"waits_for,omitempty"` // of a task that waits for a retry: for what, and why
	Profile  string     `json:"profile,omitempty"`
	Session  SessionKey `json:"session,omitempty"`
	Origin   Origin     `json:"origin"`
	Text     string     `json:"text"`
	Spec     *Spec      `json:"spec,omitempty"`
	Plan     *Plan      `json:"plan,omitempty"`
	Flow     string     `json:"flow,omitempty"`      // name of the flow that it runs
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

	// RolledBack is when the files that the task wrote were undone; nil if they were not.
	RolledBack *time.Time `json:"rolled_back,omitempty"`
}

// StepView is the progress of one step of a task's plan.
type StepView struct {
	ID       string   `json:"id"`
	Task     TaskID   `json:"task,omitempty"` // the task of its latest attempt
	State    string   `json:"state"`          // pending running completed failed blocked skipped
	Profile  string   `json:"profile,omitempty"`
	Error    *Failure `json:"error,omitempty"`
	Attempts int      `json:"attempts,omitempty"` // 0 if there was only one
}

// Result is the result of a task that has ended. Text is Markdown for a person. If an output schema was
// given, Data satisfies it.
type Result struct {
	Text      string        `json:"text"`
	Data      RawJSON       `json:"data,omitempty"`
	Whole     string        `json:"whole,omitempty"` // artifact with the whole text, if Text is shortened
	Artifacts []File        `json:"artifacts,omitempty"`
	Partial   bool          `json:"partial,omitempty"`
	Missing   []string      `json:"missing,omitempty"` // what a partial result lacks
	Told      bool          `json:"told,omitempty"`    // its text says itself in how far it is partial: nothing was cut short
	Degraded  []Degradation `json:"degraded"`
	Next      *Next         `json:"next,omitempty"`
	Replan    string        `json:"replan,omitempty"` // reason of a step why the rest of its plan no longer fits
}

// Next is a follow-up that a child asks for: work that is needed before its parent can continue.
type Next struct {
	Goal    string  `json:"goal"`
	Inputs  RawJSON `json:"inputs,omitempty"`
	Profile string  `json:"profile,omitempty"`
}

// Degradation records that something other than the first choice was used, for example another endpoint.
type Degradation struct {
	Layer  string `json:"layer"` // endpoint, agent, strategy, input
	From   string `json:"from"`
	To     string `json:"to"`
	Kind   Kind   `json:"kind"`
	Reason string `json:"reason,omitempty"`

	Status  int  `json:"status,omitempty"`  // HTTP status of the refusal; 0 if there was no HTTP response
	Skipped bool `json:"skipped,omitempty"` // From was not asked this time: Kind and Reason are those of an earlier failure
	Forced  bool `json:"forced,omitempty"`  // From was not asked because a person has forced another strategy
}

// Usage is what model calls used: tokens, the number of calls, and their cost in the endpoint's currency.
type Usage struct {
	Input  int     `json:"input"`  // input tokens, cached ones included
	Cached int     `json:"cached"` // input tokens of Input that were read from the provider's cache
	Output int     `json:"output"`
	Calls  int     `json:"calls"`
	Cost   float64 `json:"cost"`
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Cached + v.Cached, u.Output + v.Output, u.Calls + v.Calls, u.Cost + v.Cost}
}
