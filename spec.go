package akitad

import "time"

// TaskType is the sort of work that a spec asks for.
type TaskType string

// The task types.
const (
	Question TaskType = "question"
	Action   TaskType = "action"
	Creation TaskType = "creation"
	Analysis TaskType = "analysis"
	Reminder TaskType = "reminder"
	Other    TaskType = "other"
)

// TaskTypes lists every task type.
var TaskTypes = []TaskType{Question, Action, Creation, Analysis, Reminder, Other}

// Spec is the result of the prompt compiler: what a message asks for, from which inputs, under which
// constraints. It never contains a solution.
type Spec struct {
	TaskType           TaskType `json:"task_type" yaml:"task_type"`
	Goal               string   `json:"goal" yaml:"goal"`
	Inputs             Inputs   `json:"inputs" yaml:"inputs"`
	Constraints        []string `json:"constraints" yaml:"constraints"`
	OutputRequirements []string `json:"output_requirements" yaml:"output_requirements"`
	Risks              []string `json:"risks_or_ambiguities" yaml:"risks_or_ambiguities"`
}

// Inputs lists what a task is given, and what it would need but is not given.
type Inputs struct {
	Given   []string `json:"given" yaml:"given"`
	Missing []string `json:"missing" yaml:"missing"`
}

// Plan is a DAG of steps, written by the planner model or by a person (then it is a flow).
type Plan struct {
	Goal   string         `json:"goal,omitempty" yaml:"goal,omitempty"`
	Params map[string]any `json:"params,omitempty" yaml:"params,omitempty"` // name -> JSON Schema, or a default value
	Steps  []Step         `json:"steps" yaml:"steps"`
}

// Step is one node of a plan. Exactly one of Tool, Model and Agent is set; each step runs as a
// delegated task.
type Step struct {
	ID   string         `json:"id" yaml:"id"`
	Tool string         `json:"tool,omitempty" yaml:"tool,omitempty"` // name of a tool; its arguments are in With
	With map[string]any `json:"with,omitempty" yaml:"with,omitempty"`

	Model  string   `json:"model,omitempty" yaml:"model,omitempty"` // role or endpoint; with Prompt: one model call; with Agent: what serves the agent
	Tags   []string `json:"tags,omitempty" yaml:"tags,omitempty"`   // only endpoints with all of them
	Prompt string   `json:"prompt,omitempty" yaml:"prompt,omitempty"`

	Agent string `json:"agent,omitempty" yaml:"agent,omitempty"` // name of a profile, which works on Goal in a ReAct loop
	Goal  string `json:"goal,omitempty" yaml:"goal,omitempty"`

	Needs          []string       `json:"needs,omitempty" yaml:"needs,omitempty"`
	When           string         `json:"when,omitempty" yaml:"when,omitempty"`
	ForEach        string         `json:"for_each,omitempty" yaml:"for_each,omitempty" loose:"list"`
	MaxParallel    int            `json:"max_parallel,omitempty" yaml:"max_parallel,omitempty"` // default 8
	Parallel       bool           `json:"parallel,omitempty" yaml:"parallel,omitempty"`
	Output         map[string]any `json:"output,omitempty" yaml:"output,omitempty"`   // JSON Schema of the step's output
	Context        string         `json:"context,omitempty" yaml:"context,omitempty"` // isolated (default) or shared
	Verify         *Verify        `json:"verify,omitempty" yaml:"verify,omitempty"`
	Retry          int            `json:"retry,omitempty" yaml:"retry,omitempty"`     // further attempts after a failure; with Verify at most 9, also the default there
	Timeout        string         `json:"timeout,omitempty" yaml:"timeout,omitempty"` // Go duration
	IdempotencyKey string         `json:"idempotency_key,omitempty" yaml:"idempotency_key,omitempty"`
	OnError        string         `json:"on_error,omitempty" yaml:"on_error,omitempty"` // fail (default), skip, ask
	Files          []string       `json:"files,omitempty" yaml:"files,omitempty"`       // the task's given files that the step reads
}

// Kind returns "tool", "model" or "agent".
func (s Step) Kind() string {
	switch {
	case s.Tool != "":
		return "tool"
	case s.Model != "" && s.Agent == "":
		return "model"
	}
	return "agent"
}

// Verify is a check of a step's result: a shell command line that runs in the session's folder inside
// the sandbox and must exit with 0 within 60 s, or a JSON Schema that the step's output must satisfy.
type Verify struct {
	Command string         `json:"command,omitempty" yaml:"command,omitempty"`
	Schema  map[string]any `json:"schema,omitempty" yaml:"schema,omitempty"`
}

// Profile describes a kind of agent: a Markdown file whose front matter has these fields and whose body
// is the system prompt.
type Profile struct {
	Name        string         `json:"name" yaml:"name"`
	Description string         `json:"description" yaml:"description"`
	Tools       []string       `json:"tools,omitempty" yaml:"tools,omitempty"` // names or categories; empty means all enabled
	Core        []string       `json:"core,omitempty" yaml:"core,omitempty"`   // those of Tools whose schema the prompt shows, as far as there is room
	Model       string         `json:"model,omitempty" yaml:"model,omitempty"` // a role or an endpoint, default the role main
	Tags        []string       `json:"tags,omitempty" yaml:"tags,omitempty"`   // only endpoints with all of them
	Fallback    []string       `json:"fallback,omitempty" yaml:"fallback,omitempty"`
	Output      map[string]any `json:"output,omitempty" yaml:"output,omitempty"`
	Rounds      int            `json:"rounds,omitempty" yaml:"rounds,omitempty"`
	Context     ProfileContext `json:"context,omitzero" yaml:"context,omitempty"`
	Prompt      string         `json:"-" yaml:"-"`
	Hash        string         `json:"hash,omitempty" yaml:"-"` // hash of the whole file
	Builtin     bool           `json:"builtin,omitempty" yaml:"-"`
}

// ProfileContext says how the context window of a profile's agents is kept small. Empty means as configured.
type ProfileContext struct {
	Strategy string `json:"strategy,omitempty" yaml:"strategy,omitempty"` // hybrid, mask, summary, window, off
}

// Call is one tool call of an assistant message. ID is unique within its task.
type Call struct {
	ID   string  `json:"id"`
	Tool string  `json:"tool"`
	Args RawJSON `json:"args"`
	Via  string  `json:"via,omitempty"` // the tool through which the model made the call: call_tool, or empty for a direct call
}

// Observation is the result of a tool call as the model sees it. Each call has exactly one.
type Observation struct {
	Call      string   `json:"call"`
	Tool      string   `json:"tool,omitempty"`
	Text      string   `json:"text"`
	Error     *Failure `json:"error,omitempty"`
	Artifact  string   `json:"artifact,omitempty"` // hash of the artifact with the whole output, if Text is shortened
	Bytes     int      `json:"bytes,omitempty"`    // size of the whole output
	Untrusted bool     `json:"untrusted,omitempty"`
}

// EventKind is the kind of an event in a journal; the kinds are in package journal.
type EventKind string

// Event is one entry of a task's journal. Data is the payload, whose type depends on Kind. A payload
// above 16 KiB is stored as an artifact and Ref is its hash.
type Event struct {
	V     int       `json:"v"`
	ID    string    `json:"id"`
	Prev  uint64    `json:"prev"`
	Kind  EventKind `json:"kind"`
	By    string    `json:"by"`
	Epoch uint64    `json:"epoch,omitempty"`
	At    time.Time `json:"at"`
	Data  RawJSON   `json:"data,omitempty"`
	Ref   string    `json:"ref,omitempty"`

	// Jump is by how much the writer's wall clock moved more than the time that really passed since its
	// last event of the task: the clock was set, or the machine slept. Negative: it was set back. Less than
	// a minute is recorded as 0.
	Jump time.Duration `json:"jump,omitempty"`

	Task TaskID `json:"-"` // from the subject
	Seq  uint64 `json:"-"` // stream sequence
}
