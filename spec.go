package akitad

import "time"

// TaskType says what sort of work a spec asks for.
type TaskType string

// The task types of the contract.
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

// Spec is what the prompt compiler makes of a message: what is wanted, from what, under which
// constraints. It never holds a solution.
type Spec struct {
	TaskType           TaskType `json:"task_type" yaml:"task_type"`
	Goal               string   `json:"goal" yaml:"goal"`
	Inputs             Inputs   `json:"inputs" yaml:"inputs"`
	Constraints        []string `json:"constraints" yaml:"constraints"`
	OutputRequirements []string `json:"output_requirements" yaml:"output_requirements"`
	Risks              []string `json:"risks_or_ambiguities" yaml:"risks_or_ambiguities"`
}

// Inputs are what a task starts from, and what it lacks.
type Inputs struct {
	Given   []string `json:"given" yaml:"given"`
	Missing []string `json:"missing" yaml:"missing"`
}

// Plan is a DAG of steps. A planner model writes it, or a person does (then it is a flow).
type Plan struct {
	Goal   string         `json:"goal,omitempty" yaml:"goal,omitempty"`
	Params map[string]any `json:"params,omitempty" yaml:"params,omitempty"` // name -> JSON Schema, or a default value
	Steps  []Step         `json:"steps" yaml:"steps"`
}

// Step is one node of a plan. Exactly one of Tool, Model and Agent is set; each step runs as a
// delegated task.
type Step struct {
	ID   string         `json:"id" yaml:"id"`
	Tool string         `json:"tool,omitempty" yaml:"tool,omitempty"` // with With
	With map[string]any `json:"with,omitempty" yaml:"with,omitempty"`

	Model  string   `json:"model,omitempty" yaml:"model,omitempty"` // a role or an endpoint; with Prompt: one call; with Agent: what serves it
	Tags   []string `json:"tags,omitempty" yaml:"tags,omitempty"`   // only endpoints with all of them
	Prompt string   `json:"prompt,omitempty" yaml:"prompt,omitempty"`

	Agent string `json:"agent,omitempty" yaml:"agent,omitempty"` // a profile, with Goal: a ReAct loop
	Goal  string `json:"goal,omitempty" yaml:"goal,omitempty"`

	Needs          []string       `json:"needs,omitempty" yaml:"needs,omitempty"`
	When           string         `json:"when,omitempty" yaml:"when,omitempty"`
	ForEach        string         `json:"for_each,omitempty" yaml:"for_each,omitempty"`
	MaxParallel    int            `json:"max_parallel,omitempty" yaml:"max_parallel,omitempty"` // default 8
	Parallel       bool           `json:"parallel,omitempty" yaml:"parallel,omitempty"`
	Output         map[string]any `json:"output,omitempty" yaml:"output,omitempty"`   // JSON Schema of the step's output
	Context        string         `json:"context,omitempty" yaml:"context,omitempty"` // isolated (default) or shared
	Verify         *Verify        `json:"verify,omitempty" yaml:"verify,omitempty"`
	Retry          int            `json:"retry,omitempty" yaml:"retry,omitempty"`     // further attempts after a failure; with verify at most 9, which is its default
	Timeout        string         `json:"timeout,omitempty" yaml:"timeout,omitempty"` // Go duration
	IdempotencyKey string         `json:"idempotency_key,omitempty" yaml:"idempotency_key,omitempty"`
	OnError        string         `json:"on_error,omitempty" yaml:"on_error,omitempty"` // fail (default), skip, ask
	Files          []string       `json:"files,omitempty" yaml:"files,omitempty"`       // the given files this step looks at
}

// Kind gives "tool", "model" or "agent".
func (s Step) Kind() string {
	switch {
	case s.Tool != "":
		return "tool"
	case s.Model != "" && s.Agent == "":
		return "model"
	}
	return "agent"
}

// Verify checks a step once it has ended: a command line for sh, run in the session's folder inside
// the sandbox, that must exit 0 within 60 s, or a JSON Schema that the step's output must satisfy.
type Verify struct {
	Command string         `json:"command,omitempty" yaml:"command,omitempty"`
	Schema  map[string]any `json:"schema,omitempty" yaml:"schema,omitempty"`
}

// Profile says what kind of agent serves a task: a Markdown file whose front matter is these
// fields and whose body is the system prompt.
type Profile struct {
	Name        string         `json:"name" yaml:"name"`
	Description string         `json:"description" yaml:"description"`
	Tools       []string       `json:"tools,omitempty" yaml:"tools,omitempty"` // names or categories; empty means all enabled
	Core        []string       `json:"core,omitempty" yaml:"core,omitempty"`   // of these, what is to stand in the prompt with its schema, as far as there is room
	Model       string         `json:"model,omitempty" yaml:"model,omitempty"` // a role or an endpoint, default the role main
	Tags        []string       `json:"tags,omitempty" yaml:"tags,omitempty"`   // only endpoints with all of them
	Fallback    []string       `json:"fallback,omitempty" yaml:"fallback,omitempty"`
	Output      map[string]any `json:"output,omitempty" yaml:"output,omitempty"`
	Rounds      int            `json:"rounds,omitempty" yaml:"rounds,omitempty"`
	Context     ProfileContext `json:"context,omitzero" yaml:"context,omitempty"`
	Prompt      string         `json:"-" yaml:"-"`
	Hash        string         `json:"hash,omitempty" yaml:"-"` // of the whole file
	Builtin     bool           `json:"builtin,omitempty" yaml:"-"`
}

// ProfileContext is how the window of a profile's agents is kept small. Empty means as configured.
type ProfileContext struct {
	Strategy string `json:"strategy,omitempty" yaml:"strategy,omitempty"` // hybrid, mask, summary, window, off
}

// Call is one tool call of an assistant message. ID is unique within its task.
type Call struct {
	ID   string  `json:"id"`
	Tool string  `json:"tool"`
	Args RawJSON `json:"args"`
	Via  string  `json:"via,omitempty"` // the tool through which the model called this one: call_tool, or none
}

// Observation is a tool result as the model sees it. Exactly one answers each call.
type Observation struct {
	Call      string   `json:"call"`
	Tool      string   `json:"tool,omitempty"`
	Text      string   `json:"text"`
	Error     *Failure `json:"error,omitempty"`
	Artifact  string   `json:"artifact,omitempty"` // hash of the whole output, if Text is not all of it
	Bytes     int      `json:"bytes,omitempty"`    // size of the whole output
	Untrusted bool     `json:"untrusted,omitempty"`
}

// EventKind names what an event of the journal records.
type EventKind string

// Event is one entry of a task's journal. Data is the payload of the kind; Ref names the artifact
// that holds it when it is larger than 16 KiB.
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

	// Jump is how far the writer's clock was set, or its machine slept, since its last event of the task; negative:
	// back. Under a minute is none.
	Jump time.Duration `json:"jump,omitempty"`

	Task TaskID `json:"-"` // from the subject
	Seq  uint64 `json:"-"` // stream sequence
}
