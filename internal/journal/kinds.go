package journal

import (
	"encoding/json"
	"time"

	"github.com/akitad/akitad"
)

// The kinds of event. What each means for the task's state is in Task.Apply; docs/ARCHITECTURE.md
// has the table.
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
)

// Route is the part of the subject that consumers filter by.
type Route string

// The routes.
const (
	RouteLog   Route = "log"
	RouteReady Route = "ready"
	RouteWait  Route = "wait"
	RouteEnd   Route = "end"
)

// SubmittedData opens a task's journal.
type SubmittedData struct {
	Root     akitad.TaskID     `json:"root"`
	Parent   akitad.TaskID     `json:"parent,omitempty"`
	Depth    int               `json:"depth"`
	Call     string            `json:"call,omitempty"` // the parent's call or step run that this task answers
	Step     *akitad.Step      `json:"step,omitempty"` // a plan step, if not a profile's loop
	Origin   akitad.Origin     `json:"origin"`
	Session  akitad.SessionKey `json:"session,omitempty"`
	Folder   string            `json:"folder"`            // name of the session's folder
	Follows  akitad.TaskID     `json:"follows,omitempty"` // the session's head task before this one
	Queued   bool              `json:"queued,omitempty"`  // the session is busy: wait for the turn
	Text     string            `json:"text"`              // a person's words, or a child's goal
	Inputs   string            `json:"inputs,omitempty"`  // what the parent hands on, as data
	Request  string            `json:"request,omitempty"` // the root's words, for a shared context
	Results  []NamedResult     `json:"results,omitempty"` // of the steps this one needs
	Path     []string          `json:"path,omitempty"`    // "profile: goal" from the root down, this task included
	Profile  string            `json:"profile"`
	Model    string            `json:"model,omitempty"` // a role or an endpoint, in place of the profile's
	Tags     []string          `json:"tags,omitempty"`  // of the endpoints that may serve it
	Flow     string            `json:"flow,omitempty"`
	FlowHash string            `json:"flow_hash,omitempty"` // of the flow's content, which is then in Plan
	Plan     string            `json:"plan,omitempty"`      // plan YAML to run as it stands
	PlanAsk  bool              `json:"plan_ask,omitempty"`  // a person approves the plan before anything runs
	Params   map[string]any    `json:"params,omitempty"`
	Schema   json.RawMessage   `json:"output_schema,omitempty"`
	Budget   *akitad.Budget    `json:"budget,omitempty"`
	Files    []akitad.File     `json:"files,omitempty"`
	Priority akitad.Priority   `json:"priority,omitempty"`
	Nexts    int               `json:"nexts,omitempty"` // how many follow-ups in a row led here
	Offline  bool              `json:"offline,omitempty"`
	Tainted  bool              `json:"tainted,omitempty"`
	Earlier  string            `json:"earlier,omitempty"` // hash of the artifact with the turns before, if its caller keeps them
	Chat     bool              `json:"chat,omitempty"`    // its rounds are those of a task from a chat
	Notice   string            `json:"notice,omitempty"`  // what the person is told once, beside the placeholder

	// Of a plan's step: the number of the attempt, from 1 (0 is 1), the key that its own id and those
	// of its follow-ups are derived from where that is not Call, and why the attempts before did not
	// hold, oldest first. MayReplan offers the tool replan.
	Attempt   int      `json:"attempt,omitempty"`
	Key       string   `json:"key,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
	MayReplan bool     `json:"may_replan,omitempty"`
	Try       int      `json:"try,omitempty"` // the parent's retry in which it was delegated
}

// MaxNext is how many follow-ups in a row a child may ask for.
const MaxNext = 3

// NamedResult is the result of a step or a child, by name.
type NamedResult struct {
	Name   string          `json:"name"`
	Text   string          `json:"text,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Failed string          `json:"failed,omitempty"`
}

// ClaimedData says who advances the task from here on; the event's sequence is the epoch.
type ClaimedData struct {
	Node        string `json:"node"`
	Incarnation string `json:"incarnation"`
	Activation  uint64 `json:"activation"` // sequence of the ready event that it serves
	Instance    string `json:"instance,omitempty"`
	Nonce       string `json:"nonce,omitempty"` // unique to the claim: a writer knows its own by it
}

// CompiledData is the prompt compiler's work.
type CompiledData struct {
	Spec       akitad.Spec  `json:"spec"`
	Source     string       `json:"source"` // model or twin
	Warnings   []string     `json:"warnings,omitempty"`
	Cached     bool         `json:"cached,omitempty"` // the model had made the spec for the same words before
	Complexity int          `json:"complexity"`
	Usage      akitad.Usage `json:"usage"`
	Bills      akitad.Bills `json:"bills,omitempty"` // of the same calls as Usage, here and below
}

// PlannedData is the decision how the task is done: by one agent of the profile, or by a plan.
type PlannedData struct {
	Plan     *akitad.Plan         `json:"plan,omitempty"` // nil: not split
	Profile  string               `json:"profile"`
	Reason   string               `json:"reason,omitempty"`
	Problem  string               `json:"problem,omitempty"` // why a change that the person asked for could not be made
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
	Usage    akitad.Usage         `json:"usage"`
	Bills    akitad.Bills         `json:"bills,omitempty"`
}

// ReplannedData is what came of the wish to rewrite the unfinished steps of a plan. A nil Plan means
// that the old one stands.
type ReplannedData struct {
	Plan     *akitad.Plan         `json:"plan,omitempty"`   // whole: the kept steps and the new ones
	Kept     []string             `json:"kept,omitempty"`   // steps whose tasks and results stay; those of all others no longer count
	Causes   []string             `json:"causes,omitempty"` // what it was asked for: ids of children, or "step:ID" of steps that had none
	Reason   string               `json:"reason"`
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
	Usage    akitad.Usage         `json:"usage"`
	Bills    akitad.Bills         `json:"bills,omitempty"`
}

// WokenData makes a task ready again. To hands it to a profile for good.
type WokenData struct {
	Reason   string              `json:"reason"`
	To       string              `json:"to,omitempty"`
	Degraded *akitad.Degradation `json:"degraded,omitempty"`

	// Broke is a failure that nobody could name, after which the same agent goes on once more.
	Broke *akitad.Failure `json:"broke,omitempty"`

	Bills akitad.Bills `json:"bills,omitempty"` // of calls that led nowhere, which no other event holds
}

// ThoughtData is one assistant message, journalled before any of its calls runs.
type ThoughtData struct {
	Round    int                  `json:"round"`            // 1 for the first
	Notes    []string             `json:"notes,omitempty"`  // what the window appended before it: volatile facts, steers, hints
	Steers   int                  `json:"steers,omitempty"` // how many steers the model has seen by now
	Raw      json.RawMessage      `json:"raw,omitempty"`
	RawBy    string               `json:"raw_by,omitempty"`
	Text     string               `json:"text,omitempty"`
	Calls    []akitad.Call        `json:"calls,omitempty"`
	Usage    akitad.Usage         `json:"usage"`
	Bills    akitad.Bills         `json:"bills,omitempty"`
	Cut      bool                 `json:"cut,omitempty"` // by the length limit: its calls may be incomplete
	Endpoint string               `json:"endpoint,omitempty"`
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
	Kept     []string             `json:"kept,omitempty"` // artifacts that its notes name: what they show in part
}

// RoundData closes a round: a result for each call, in call order; suspended calls are open.
type RoundData struct {
	Round   int                  `json:"round"`
	Results []akitad.Observation `json:"results"`
	Open    []OpenCall           `json:"open,omitempty"`
	Files   []akitad.File        `json:"files,omitempty"`   // changed by the round
	Tainted bool                 `json:"tainted,omitempty"` // it has read untrusted text
}

// OpenCall is a call that waits for somebody else.
type OpenCall struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool"`
	Kind    string          `json:"kind"` // children, answer, approval, retry
	Payload json.RawMessage `json:"payload,omitempty"`
	Until   *time.Time      `json:"until,omitempty"`
}

// DelegatedData names children before they are submitted. Their ids are derived, so that a crash
// in between submits the same ones.
type DelegatedData struct {
	Children []ChildRef `json:"children"`
	Skipped  []StepNote `json:"skipped,omitempty"` // plan steps that will not run, on record

	// Replaced is what the child used, wrote and read whose place a follow-up takes.
	Replaced *ChildDoneData `json:"replaced,omitempty"`
}

// ChildRef is one child and what it answers.
type ChildRef struct {
	ID      akitad.TaskID `json:"id"`
	Call    string        `json:"call,omitempty"` // an open call, or
	Run     string        `json:"run,omitempty"`  // a plan step's run: "step" or "step/3"
	Profile string        `json:"profile,omitempty"`
	Goal    string        `json:"goal,omitempty"`
	Attempt int           `json:"attempt,omitempty"` // of the step, from 1 (0 is 1)
	Single  bool          `json:"single,omitempty"`  // it makes one call of a tool or a model, and is no agent's task

	// Replaces names the child whose place this one takes: it asked for this one as its follow-up, or
	// was an attempt that did not hold.
	Replaces akitad.TaskID `json:"replaces,omitempty"`
}

// StepNote records why a plan step did not run.
type StepNote struct {
	Step   string      `json:"step"`
	State  string      `json:"state"` // skipped, blocked, or failed: it was refused, and Step may name one item of it
	Reason string      `json:"reason"`
	Kind   akitad.Kind `json:"kind,omitempty"` // of the failure
}

// Refused reports whether the step, or the item of it, was not handed out though it was its turn.
func (n StepNote) Refused() bool { return n.State == string(akitad.Failed) }

// WaitingData puts the task to sleep.
type WaitingData struct {
	Reason string     `json:"reason"`
	Until  *time.Time `json:"until,omitempty"`
	Any    bool       `json:"any,omitempty"`  // any child's end wakes it, not only the last
	Note   string     `json:"note,omitempty"` // told to the person once

	Bills akitad.Bills `json:"bills,omitempty"` // of calls that led nowhere, which no other event holds
	Cause string       `json:"cause,omitempty"` // of a wait to try again: what became of each endpoint, or who does the same step

	Holder akitad.TaskID `json:"holder,omitempty"` // of the idempotency key that a step waits for
}

// StalledData tells that an endpoint was silent for as long as it is given, and which is asked next: the
// same one, once more, or another.
type StalledData struct {
	Endpoint string        `json:"endpoint"`
	Next     string        `json:"next"`
	Try      int           `json:"try"` // of the attempt that was silent, from 1
	Waited   time.Duration `json:"waited"`
}

// AnsweredData settles an open call.
type AnsweredData struct {
	Call        string             `json:"call"`
	Observation akitad.Observation `json:"observation"`
	Outcome     string             `json:"outcome,omitempty"` // answered, assumed, approved, denied
	Message     string             `json:"message,omitempty"` // id of the message that answered
	Words       string             `json:"words,omitempty"`   // what a person said, byte for byte
}

// ChildDoneData is a child's end, as the parent keeps it.
type ChildDoneData struct {
	Child  akitad.TaskID   `json:"child"`
	Call   string          `json:"call,omitempty"`
	Run    string          `json:"run,omitempty"`
	State  akitad.State    `json:"state"`
	Result *akitad.Result  `json:"result,omitempty"`
	Error  *akitad.Failure `json:"error,omitempty"`
	Usage  akitad.Usage    `json:"usage"`
	Files  []akitad.File   `json:"files,omitempty"` // what the child and its children wrote
	Taint  bool            `json:"tainted,omitempty"`
	Nodes  []string        `json:"nodes,omitempty"` // where its files are
	Active time.Duration   `json:"active,omitempty"`
	Tasks  int             `json:"tasks,omitempty"` // that were delegated below it

	Unverified bool        `json:"unverified,omitempty"` // it failed since its result did not pass the step's check
	Common     akitad.Kind `json:"common,omitempty"`     // see EndData
}

// SteeredData is a correction from a person while the task runs.
type SteeredData struct {
	Text    string `json:"text"`
	Message string `json:"message,omitempty"`
	Told    bool   `json:"told,omitempty"` // its sender is told elsewhere that it was taken
}

// RatedData is a person's opinion of the result, 1 to 5 stars.
type RatedData struct {
	Stars int `json:"stars"`
}

// AskData is the body of cancel_requested, paused and resumed.
type AskData struct {
	Reason string `json:"reason,omitempty"`
}

// DeliveryData records messages to the person: the placeholder (part 0 before the answer) and each
// part of the answer.
type DeliveryData struct {
	Placeholder string   `json:"placeholder,omitempty"`
	Part        int      `json:"part,omitempty"`
	Said        uint64   `json:"said,omitempty"`     // sequence of the wait whose note was told to the person
	Question    string   `json:"question,omitempty"` // with Said: the id of the question whose buttons Messages has
	Messages    []string `json:"messages,omitempty"`
	Error       string   `json:"error,omitempty"`

	Amended []akitad.Amendment `json:"amended,omitempty"` // what was refused as it was to come, and what came
}

// EndData is the body of completed, failed and cancelled.
type EndData struct {
	Result   *akitad.Result  `json:"result,omitempty"`
	Error    *akitad.Failure `json:"error,omitempty"`
	Usage    akitad.Usage    `json:"usage"` // of calls that no earlier event holds
	Bills    akitad.Bills    `json:"bills,omitempty"`
	Strategy string          `json:"strategy,omitempty"`
	Instance string          `json:"instance,omitempty"`
	Reused   bool            `json:"reused,omitempty"` // the instance had served another task before

	Tainted    bool          `json:"tainted,omitempty"`    // the result was made by a task that had read untrusted text
	Unverified bool          `json:"unverified,omitempty"` // the result did not pass the step's check
	Common     akitad.Kind   `json:"common,omitempty"`     // of an all_failed: the kind with which all endpoints failed, if it is one
	Files      []akitad.File `json:"files,omitempty"`      // written by the end itself: the progress note, what the check changed
}
