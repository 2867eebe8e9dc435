package journal

import (
	"encoding/json"
	"time"

	"github.com/akitad/akitad"
)

// The kinds of event. Task.Apply has their effect on the state; docs/ARCHITECTURE.md has the table.
const (
	Submitted  akitad.EventKind = "submitted"
	Claimed    akitad.EventKind = "claimed"
	Compiled   akitad.EventKind = "compiled"
	Planned    akitad.EventKind = "planned"
	Replanned  akitad.EventKind = "replanned"
	Woken      akitad.EventKind = "woken"
	Thought    akitad.EventKind = "thought"
	Round      akitad.EventKind = "round"
	Delegated  akitad.EventKind = "delegated"
	Waiting    akitad.EventKind = "waiting"
	Answered   akitad.EventKind = "answered"
	ChildDone  akitad.EventKind = "child_done"
	Steered    akitad.EventKind = "steered"
	CancelAsk  akitad.EventKind = "cancel_requested"
	Paused     akitad.EventKind = "paused"
	Resumed    akitad.EventKind = "resumed"
	Rated      akitad.EventKind = "rated"
	Delivering akitad.EventKind = "delivering"
	Delivered  akitad.EventKind = "delivered"
	Completed  akitad.EventKind = "completed"
	Failed     akitad.EventKind = "failed"
	Cancelled  akitad.EventKind = "cancelled"
	Retried    akitad.EventKind = "retried"
	RolledBack akitad.EventKind = "rolled_back"
	Reduced    akitad.EventKind = "reduced"
	Stalled    akitad.EventKind = "stalled"
	Begun      akitad.EventKind = "begun"
)

// Route is the last token of an event's subject. Consumers filter by it.
type Route string

// The routes.
const (
	RouteLog   Route = "log"
	RouteReady Route = "ready"
	RouteWait  Route = "wait"
	RouteEnd   Route = "end"
)

// SubmittedData is the payload of submitted, the first event of a journal.
type SubmittedData struct {
	Root     akitad.TaskID     `json:"root"`
	Parent   akitad.TaskID     `json:"parent,omitempty"`
	Depth    int               `json:"depth"`
	Call     string            `json:"call,omitempty"` // the parent's call or step run that this task answers
	Step     *akitad.Step      `json:"step,omitempty"` // the plan step that it runs; nil for the loop of a profile
	Origin   akitad.Origin     `json:"origin"`
	Session  akitad.SessionKey `json:"session,omitempty"`
	Folder   string            `json:"folder"`            // name of the session's folder
	Follows  akitad.TaskID     `json:"follows,omitempty"` // the session's head task before this one
	Queued   bool              `json:"queued,omitempty"`  // the session is busy: the task waits for its turn
	Text     string            `json:"text"`              // a person's words, or a child's goal
	Inputs   string            `json:"inputs,omitempty"`  // data from the parent
	Request  string            `json:"request,omitempty"` // the root's text, for a step with a shared context
	Results  []NamedResult     `json:"results,omitempty"` // results of the steps that this one needs
	Path     []string          `json:"path,omitempty"`    // "profile: goal" from the root down, this task included
	Profile  string            `json:"profile"`
	Model    string            `json:"model,omitempty"` // a role or an endpoint, in place of the profile's
	Tags     []string          `json:"tags,omitempty"`  // tags that an endpoint must have
	Flow     string            `json:"flow,omitempty"`
	FlowHash string            `json:"flow_hash,omitempty"` // hash of the flow's content, which is then in Plan
	Plan     string            `json:"plan,omitempty"`      // plan YAML to run as it stands
	PlanAsk  bool              `json:"plan_ask,omitempty"`  // a person approves the plan before anything runs
	Params   map[string]any    `json:"params,omitempty"`
	Schema   json.RawMessage   `json:"output_schema,omitempty"`
	Budget   *akitad.Budget    `json:"budget,omitempty"`
	Files    []akitad.File     `json:"files,omitempty"`
	Priority akitad.Priority   `json:"priority,omitempty"`
	Nexts    int               `json:"nexts,omitempty"` // number of follow-ups in a row up to this task
	Offline  bool              `json:"offline,omitempty"`
	Tainted  bool              `json:"tainted,omitempty"`
	Earlier  string            `json:"earlier,omitempty"` // artifact with the earlier turns, if the caller keeps the conversation
	Chat     bool              `json:"chat,omitempty"`    // as many rounds as a task from a chat service may use
	Notice   string            `json:"notice,omitempty"`  // told to the person once, beside the placeholder

	// For a plan's step: the number of the attempt, from 1 (0 means 1); the key from which its id and those
	// of its follow-ups are derived, if that is not Call; why the earlier attempts failed, oldest first;
	// whether the agent is offered the tool replan; and the retry of the parent in which it was delegated.
	Attempt   int      `json:"attempt,omitempty"`
	Key       string   `json:"key,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
	MayReplan bool     `json:"may_replan,omitempty"`
	Try       int      `json:"try,omitempty"`
}

// MaxNext is the maximum number of follow-ups in a row.
const MaxNext = 3

// NamedResult is the result of a step or a child, by name.
type NamedResult struct {
	Name   string          `json:"name"`
	Text   string          `json:"text,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Failed string          `json:"failed,omitempty"`
}

// ClaimedData says which node advances the task from here on. The event's sequence is the epoch.
type ClaimedData struct {
	Node        string `json:"node"`
	Incarnation string `json:"incarnation"`
	Activation  uint64 `json:"activation"`      // sequence of the ready event that the claim serves
	Nonce       string `json:"nonce,omitempty"` // unique per claim, so that a writer recognises its own
}

// CompiledData is the result of the prompt compiler.
type CompiledData struct {
	Spec       akitad.Spec  `json:"spec"`
	Source     string       `json:"source"` // "model", or "twin": the rules that take its place
	Warnings   []string     `json:"warnings,omitempty"`
	Cached     bool         `json:"cached,omitempty"` // the model had compiled the same text before
	Complexity int          `json:"complexity"`
	Usage      akitad.Usage `json:"usage"`
	Bills      akitad.Bills `json:"bills,omitempty"` // the same calls as Usage, by endpoint and role; so in the other payloads
}

// PlannedData records how the task is done: by one agent of the profile, or by a plan.
type PlannedData struct {
	Plan     *akitad.Plan         `json:"plan,omitempty"` // nil: by one agent
	Profile  string               `json:"profile"`
	Reason   string               `json:"reason,omitempty"`
	Problem  string               `json:"problem,omitempty"` // why a change that the person wanted could not be made
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
	Usage    akitad.Usage         `json:"usage"`
	Bills    akitad.Bills         `json:"bills,omitempty"`
}

// ReplannedData is the outcome of a try to rewrite the unfinished steps of a plan. With a nil Plan, the old
// plan stays.
type ReplannedData struct {
	Plan     *akitad.Plan         `json:"plan,omitempty"`   // the whole plan: kept and new steps
	Kept     []string             `json:"kept,omitempty"`   // steps whose tasks and results still count; those of all others do not
	Causes   []string             `json:"causes,omitempty"` // what caused it: ids of children, or "step:ID" for steps without a child
	Reason   string               `json:"reason"`
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
	Usage    akitad.Usage         `json:"usage"`
	Bills    akitad.Bills         `json:"bills,omitempty"`
}

// WokenData makes a task ready again. To, if set, is the profile that has the task from then on.
type WokenData struct {
	Reason   string              `json:"reason"`
	To       string              `json:"to,omitempty"`
	Degraded *akitad.Degradation `json:"degraded,omitempty"`

	// Broke is a failure of unknown kind after which the same agent continues.
	Broke *akitad.Failure `json:"broke,omitempty"`

	Bills akitad.Bills `json:"bills,omitempty"` // of calls that led nowhere, which no other event holds
}

// ThoughtData is one model reply with calls, journalled before any of the calls runs.
type ThoughtData struct {
	Round    int                  `json:"round"`            // 1 for the first
	Notes    []string             `json:"notes,omitempty"`  // notes that the window added before it: changing facts, steers, hints
	Steers   int                  `json:"steers,omitempty"` // number of steers that the model had seen
	Raw      json.RawMessage      `json:"raw,omitempty"`
	RawBy    string               `json:"raw_by,omitempty"`
	Text     string               `json:"text,omitempty"`
	Calls    []akitad.Call        `json:"calls,omitempty"`
	Usage    akitad.Usage         `json:"usage"`
	Bills    akitad.Bills         `json:"bills,omitempty"`
	Cut      bool                 `json:"cut,omitempty"` // the reply was cut at the length limit; its calls may be incomplete
	Endpoint string               `json:"endpoint,omitempty"`
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
	Kept     []string             `json:"kept,omitempty"`   // artifacts that the notes show in part
	Begins   bool                 `json:"begins,omitempty"` // each call that must not be made twice is on record, as begun, before it runs
}

// BegunData records that calls of the open round begin, with the results of earlier calls that are not on record
// yet. It is written before calls that must not be made twice, and before every call of a round that was cut off.
type BegunData struct {
	Round   int                  `json:"round"`
	Calls   []string             `json:"calls,omitempty"`
	Stopped []string             `json:"stopped,omitempty"` // calls that were cut off because the process was told to stop
	Results []akitad.Observation `json:"results,omitempty"`
	Files   []akitad.File        `json:"files,omitempty"`   // files that these results changed
	Tainted bool                 `json:"tainted,omitempty"` // they have read untrusted text
}

// RoundData closes a round with a result for each call, in call order. Open has the calls that wait.
type RoundData struct {
	Round   int                  `json:"round"`
	Results []akitad.Observation `json:"results"`
	Open    []OpenCall           `json:"open,omitempty"`
	Files   []akitad.File        `json:"files,omitempty"`   // files that the round changed
	Tainted bool                 `json:"tainted,omitempty"` // the round has read untrusted text
}

// OpenCall is a call that waits for a child, a person or a time.
type OpenCall struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool"`
	Kind    string          `json:"kind"` // children, answer, approval, retry
	Payload json.RawMessage `json:"payload,omitempty"`
	Until   *time.Time      `json:"until,omitempty"`
}

// DelegatedData names children before they are submitted. Since their ids are derived, the same children
// are submitted after a crash in between.
type DelegatedData struct {
	Children []ChildRef `json:"children"`
	Skipped  []StepNote `json:"skipped,omitempty"` // plan steps that will not run

	// Replaced is the end of the child whose place a follow-up takes: its usage, files and taint.
	Replaced *ChildDoneData `json:"replaced,omitempty"`
}

// ChildRef names one child and the call or step run that it answers.
type ChildRef struct {
	ID      akitad.TaskID `json:"id"`
	Call    string        `json:"call,omitempty"` // the open call that it answers, or
	Run     string        `json:"run,omitempty"`  // the run of a plan step: "step" or "step/3"
	Of      int           `json:"of,omitempty"`   // how many items a step has of which this is one
	Profile string        `json:"profile,omitempty"`
	Goal    string        `json:"goal,omitempty"`
	Attempt int           `json:"attempt,omitempty"` // of the step, from 1 (0 is 1)
	Single  bool          `json:"single,omitempty"`  // a single call of a tool or a model, not an agent's task

	// Replaces is the child whose place this one takes: one that asked for it as a follow-up, or a failed
	// attempt of the same step.
	Replaces akitad.TaskID `json:"replaces,omitempty"`
}

// StepNote records what became of a plan step that has no task: why it did not run, or that there was
// nothing to run for.
type StepNote struct {
	Step   string      `json:"step"`
	State  string      `json:"state"` // skipped, blocked, completed, or failed (Step may then name one item, "step/3")
	Reason string      `json:"reason"`
	Kind   akitad.Kind `json:"kind,omitempty"` // of the failure
}

// Refused reports whether the step, or one item of it, had its turn and failed without being delegated.
func (n StepNote) Refused() bool { return n.State == string(akitad.Failed) }

// WaitingData puts the task to sleep.
type WaitingData struct {
	Reason string     `json:"reason"`
	Until  *time.Time `json:"until,omitempty"`
	Any    bool       `json:"any,omitempty"`  // the end of any child wakes it, not only of the last
	Note   string     `json:"note,omitempty"` // told to the person once

	Bills akitad.Bills `json:"bills,omitempty"` // of calls that led nowhere, which no other event holds
	Cause string       `json:"cause,omitempty"` // of a wait to try again: what became of each endpoint, or who does the same step

	Holder akitad.TaskID `json:"holder,omitempty"` // of the idempotency key that a step waits for
}

// StalledData records that an endpoint exceeded its time limit, and which endpoint is asked next: the same
// one again, or another.
type StalledData struct {
	Endpoint string        `json:"endpoint"`
	Next     string        `json:"next"`
	Try      int           `json:"try"` // number of the attempt that timed out, from 1
	Waited   time.Duration `json:"waited"`
}

// AnsweredData closes an open call with its answer.
type AnsweredData struct {
	Call        string             `json:"call"`
	Observation akitad.Observation `json:"observation"`
	Outcome     string             `json:"outcome,omitempty"` // answered, assumed, approved, denied
	Message     string             `json:"message,omitempty"` // id of the message that answered
	Words       string             `json:"words,omitempty"`   // what a person said, byte for byte
}

// ChildDoneData is the end of a child, as recorded in the parent's journal.
type ChildDoneData struct {
	Child  akitad.TaskID   `json:"child"`
	Call   string          `json:"call,omitempty"`
	Run    string          `json:"run,omitempty"`
	State  akitad.State    `json:"state"`
	Result *akitad.Result  `json:"result,omitempty"`
	Error  *akitad.Failure `json:"error,omitempty"`
	Usage  akitad.Usage    `json:"usage"`
	Files  []akitad.File   `json:"files,omitempty"` // files that the child and its children wrote
	Taint  bool            `json:"tainted,omitempty"`
	Nodes  []string        `json:"nodes,omitempty"` // nodes that have its files
	Active time.Duration   `json:"active,omitempty"`
	Tasks  int             `json:"tasks,omitempty"` // number of tasks that were delegated below it

	Unverified bool        `json:"unverified,omitempty"` // it failed since its result did not pass the step's check
	Common     akitad.Kind `json:"common,omitempty"`     // see EndData
}

// SteeredData is a correction from a person while the task runs.
type SteeredData struct {
	Text    string `json:"text"`
	Message string `json:"message,omitempty"`
	Told    bool   `json:"told,omitempty"` // the sender is told by other means that it was accepted
}

// RatedData is a person's opinion of the result, 1 to 5 stars.
type RatedData struct {
	Stars int `json:"stars"`
}

// AskData is the payload of cancel_requested, paused and resumed.
type AskData struct {
	Reason string `json:"reason,omitempty"`
}

// DeliveryData records messages to the person: the placeholder, notes of waits, and each part of the
// answer. It is the payload of delivering and delivered.
type DeliveryData struct {
	Placeholder string   `json:"placeholder,omitempty"`
	Part        int      `json:"part,omitempty"`
	Said        uint64   `json:"said,omitempty"`     // sequence of the wait whose note was sent
	Question    string   `json:"question,omitempty"` // with Said: id of the question whose buttons are in Messages
	Messages    []string `json:"messages,omitempty"`
	Error       string   `json:"error,omitempty"`

	Amended []akitad.Amendment `json:"amended,omitempty"` // parts that were refused, and in which form they were sent
}

// EndData is the payload of completed, failed and cancelled.
type EndData struct {
	Result   *akitad.Result  `json:"result,omitempty"`
	Error    *akitad.Failure `json:"error,omitempty"`
	Usage    akitad.Usage    `json:"usage"` // of model calls that no earlier event has
	Bills    akitad.Bills    `json:"bills,omitempty"`
	Strategy string          `json:"strategy,omitempty"`
	Instance string          `json:"instance,omitempty"`
	Reused   bool            `json:"reused,omitempty"` // the instance had served another task before

	Tainted    bool          `json:"tainted,omitempty"`    // the result was made by a task that had read untrusted text
	Unverified bool          `json:"unverified,omitempty"` // the result did not pass the step's check
	Common     akitad.Kind   `json:"common,omitempty"`     // for all_failed: the kind with which all endpoints failed, if it was the same
	Files      []akitad.File `json:"files,omitempty"`      // files written at the end: the progress note, and what the check changed
}
