// Package tool is the port to what an agent can do: the Tool interface, the registry that names
// tools, and the decorators (timeout, policy, breaker, trace) that wrap each call. Tools
// themselves live in builtin and mcp.
package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/policy"
	"github.com/akitad/akitad/workspace"
)

// Tool does one thing for an agent. Tools keep no state between calls; everything that belongs to
// one task arrives in the Input. An error becomes an observation: its kind, message and hint are
// what the model sees.
type Tool interface {
	Info() Info
	Call(ctx context.Context, in Input) (Result, error)
}

// Risk groups tools for policy.
type Risk string

// The risks, from harmless to outside of the sandbox.
const (
	RiskRead    Risk = "read"
	RiskWrite   Risk = "write"
	RiskExecute Risk = "execute"
	RiskNetwork Risk = "network"
)

// Info describes a tool to models, policy and the loop.
type Info struct {
	Name         string
	Category     string // files, shell, agents, memory, chat, system ...
	Description  string // Markdown, from the file beside the tool's code
	Schema       json.RawMessage
	Readonly     bool          // changes nothing anywhere
	Idempotent   bool          // running it twice is the same as once
	ParallelSafe bool          // may run beside other calls of its round
	Unbounded    bool          // its output may be of any length: a call may say by intent what of it matters
	Paged        bool          // it bounds its own output and says how to go on: without an intent that is shown as it is
	Timeout      time.Duration // 0 means 10 s
	Risk         Risk
	Server       string // the server that the tool comes from, and goes with; empty if it is built in
	Meta         bool   // it leads to other tools: of use to a model, and no step of a plan
	Waits        bool   // it waits for somebody else, which no step of a plan can
}

// ForPolicy gives what a decision about who may have the tool called is made from.
func (i Info) ForPolicy() policy.Tool { return policy.Tool{Name: i.Name, Risk: policy.Risk(i.Risk)} }

// Input is one call and the surroundings it runs in.
type Input struct {
	Call  akitad.Call
	Args  json.RawMessage // repaired, coerced and valid against the schema
	Scope Scope
}

// Scope is the task that a call belongs to.
type Scope struct {
	Task    akitad.TaskID
	Root    akitad.TaskID
	Depth   int
	Profile string
	Path    []string // "profile: normalised goal" from the root down to this task, for cycle checks
	Session akitad.SessionKey
	Origin  akitad.Origin
	Dir     *workspace.Dir  // the session's folder
	Schema  json.RawMessage // the output schema that submit_result must satisfy; nil if none
	Child   bool            // the task was delegated and ends by submit_result
	Tainted bool            // it has read untrusted text
	Tools   []Info          // all that the task may call, whether they stand in its tool block or not
}

// Keep takes the snapshot of the folder to which the whole of a person's task can be rolled back, unless
// it is there already: one for the root and everything below it. Every tool that writes calls it first.
// An error means that nothing may be written.
func (s Scope) Keep() error {
	id := cmp.Or(s.Root, s.Task)
	if !id.Valid() {
		return nil // a call outside of any task has nothing to roll back
	}
	if err := s.Dir.Snapshot(id); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	return nil
}

// Result is what a call gives back. Exactly one of Text and Suspend counts.
type Result struct {
	Text      string
	Whole     string          // Text without what a limit left out of it; empty if it left out nothing
	Summary   string          // what is shown in place of a Text that is too long to be; empty: what the filter makes of it
	Changed   []string        // paths in the session's folder that the call wrote
	Kind      akitad.FileKind // how a chat shows what Changed names
	Exit      int             // of a program that ran to its end: its exit code
	Untrusted bool            // Text comes from outside and is not to be obeyed
	Suspend   *Suspend        // the call waits for somebody else
	Final     *akitad.Result  // submit_result: the task ends with this
}

// SuspendKind says whom a suspended call waits for.
type SuspendKind string

// The kinds of suspension.
const (
	SuspendChildren SuspendKind = "children" // Payload: []ChildRequest
	SuspendAnswer   SuspendKind = "answer"   // Payload: Question
	SuspendApproval SuspendKind = "approval" // Payload: Question
)

// Suspend is returned by a tool whose answer comes later, from a child, a person or a clock. The
// agent gives its instance back meanwhile.
type Suspend struct {
	Kind    SuspendKind     `json:"kind"`
	Payload json.RawMessage `json:"payload,omitempty"`
	Until   *time.Time      `json:"until,omitempty"` // when to go on without an answer
}

// ChildRequest asks for one delegated task.
type ChildRequest struct {
	Profile string          `json:"profile"`
	Goal    string          `json:"goal"`
	Context string          `json:"context,omitempty"` // isolated (default) or shared
	Inputs  string          `json:"inputs,omitempty"`
	Schema  json.RawMessage `json:"output_schema,omitempty"`

	// A child that runs a flow has its name, its content as it was when the call was made, and the
	// parameters.
	Flow     string         `json:"flow,omitempty"`
	FlowHash string         `json:"flow_hash,omitempty"`
	Plan     string         `json:"plan,omitempty"`
	Params   map[string]any `json:"params,omitempty"`
}

// AnswerTime is how long a question to a person in a chat stays open. Then the task goes on with the
// assumption.
const AnswerTime = 24 * time.Hour

// Question is what a person is asked.
type Question struct {
	Text       string   `json:"text"`
	Options    []string `json:"options,omitempty"`
	Assumption string   `json:"assumption,omitempty"` // what holds if nobody answers
}
