package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// Task is the fold of one journal: everything that its events say. It is not safe for concurrent
// use; each reader loads its own.
type Task struct {
	ID     akitad.TaskID
	Seq    uint64 // of the last stored event, void or not; 0 before any
	Events int
	Voided int
	bytes  int // payloads folded so far

	Sub        SubmittedData
	Created    time.Time
	Started    time.Time
	Updated    time.Time
	Ended      time.Time
	State      akitad.State
	Reason     string
	WaitNote   string
	WaitCause  string        // what it waits for, if it is to be tried again
	KeyHolder  akitad.TaskID // who holds the idempotency key that it waits for
	SaidCall   string        // the question of the last note that the person was told
	Asked      Asked         // the question of that note, if it was shown with buttons
	noteCall   string        // the question of the last note
	WaitSeq    uint64        // sequence of the last wait
	SaidSeq    uint64        // of the last one whose note the person was told
	Until      *time.Time
	WakeOnAny  bool
	Activation uint64 // sequence of the ready event that made it pending
	Epoch      uint64 // sequence of the present claim; 0 when nobody holds it
	Claim      ClaimedData
	Claims     int
	Nodes      []string // whose workers ran it, or a child of it that has joined: there its files are

	Compiled *CompiledData
	Planned  *PlannedData
	Plans    int      // how often it was planned: a person may ask for changes first
	Replans  int      // how often the unfinished steps were to be rewritten
	Causes   []string // what it was to be rewritten for, see ReplannedData
	Handed   bool     // the plan is done with: the profile has the task
	Profile  string   // who serves it now
	Failover int      // how many agents were passed over
	Attempts int      // how often it was begun anew, by another agent or a retry
	Retries  int      // of these, by a retry after its end
	Took     int      // rounds that were there when the present agent took over
	Holds    int      // how often it waited for endpoints to come back
	Turns    int      // how often it waited for another one that does the same step
	Broke    []Broke  // what broke off the present agent's work, after which it went on

	Rounds   []RoundState
	Reduced  []ReducedData // how the window was made smaller, oldest first
	Open     []OpenCall    // not yet answered, in call order
	Answers  []Answer      // to questions that no call of a round asked
	Children []Child
	Skipped  []StepNote
	Files    []akitad.File // changed by its rounds and by its children
	Tainted  bool
	Silent   *StalledData // the last endpoint that said nothing, while its round's answer is waited for

	Retried    time.Time       // when it was reopened last
	Restoring  bool            // the folder is to be what Files say before the next round
	Undone     []string        // files of rounds that were taken back
	Cut        []akitad.TaskID // children that retries took back
	RanOn      []string        // the Nodes when it was reopened last
	RolledBack bool            // what it wrote was undone after its end

	RolledBackAt time.Time // zero unless RolledBack
	changes      []fileChange
	unanswered   []OpenCall // when it ended

	Steers      []SteeredData
	SteersSeen  int // how many of them a thought has already shown the model
	AskedCancel bool
	IsPaused    bool
	Rating      int
	Placeholder string
	Parts       int // parts of the answer that were begun
	Delivered   bool
	Sent        []string

	Result   *akitad.Result
	found    *akitad.Result // what it ended with by its own word, without what soFar adds
	Error    *akitad.Failure
	Strategy string
	Instance string // that ended it
	Reused   bool
	Degraded []akitad.Degradation

	Unverified bool          // it failed since its result did not pass the step's check
	Common     akitad.Kind   // with which all endpoints failed, if it is one
	Usage      akitad.Usage  // of its children that have joined too
	Ledger     []DayBill     // of Usage, what the task itself used, by day
	Active     time.Duration // in somebody's hands, its joined children included
	held       time.Duration // of Active, its own; below zero until a clock that is behind has caught up
	Below      int           // tasks that its joined children had delegated

	wrote moment // in the hands of who writes, and no part of the fold
}

// RoundState is one round: the thought, and once Done the result of each of its calls.
type RoundState struct {
	Thought ThoughtData
	Epoch   uint64 // the claim under which it was thought
	Done    bool
	Results []akitad.Observation // in call order; open calls have an empty text until answered
	Redone  bool                 // recorded under another claim than the thought's: its calls had begun before
}

// Broke is a failure after which the same agent went on, and after how many rounds it came.
type Broke struct {
	akitad.Failure
	Rounds int
}

// AnswerPrefix stands before a person's own words in the observation that answers a question, and
// OutcomeAnswered says that it was a person who answered.
const (
	AnswerPrefix    = "the person answers: "
	OutcomeAnswered = "answered"
)

// Asked is a question that stands in a chat with buttons; zero is none.
type Asked struct {
	Question string // its id
	Message  string // the message's id in the chat
}

// Answer is what was answered to a question that no call of a round asked.
type Answer struct {
	Call     string // id of the open call that it settled
	Question string
	Text     string // as a model reads it
	Words    string // the person's own
	Outcome  string // answered, assumed
}

// NewTask is the fold of an empty journal.
func NewTask(id akitad.TaskID) *Task { return &Task{ID: id} }

// Exists reports whether the task was ever submitted.
func (t *Task) Exists() bool { return t.Sub.Root != "" }

// Final reports whether the task has ended.
func (t *Task) Final() bool { return t.State.Final() }

// IsRoot reports whether the task comes from a message.
func (t *Task) IsRoot() bool { return t.Sub.Parent == "" }

// Apply folds one event. An event whose prev is not the sequence of the event before it, or that
// carries the epoch of a claim that is gone, is void: it changes nothing but the position. Events
// at or below the position were seen already.
func (t *Task) Apply(e akitad.Event) error {
	if e.Seq <= t.Seq {
		return nil
	}
	void := e.Prev != t.Seq || (e.Epoch != 0 && e.Epoch != t.Epoch) || (t.Events == 0) != (e.Kind == Submitted)
	t.Seq = e.Seq
	t.Events++
	t.bytes += len(e.Data)
	if void {
		t.Voided++
		return nil
	}
	fold, ok := folds[e.Kind]
	if !ok {
		return fmt.Errorf("task %s: event %d has the unknown kind %q", t.ID, e.Seq, e.Kind)
	}
	switch {
	case e.Kind == Claimed: // how long a worker that was lost had it, nobody knows, and its clock catches up no more
		t.held = max(0, t.held)
	case t.State == akitad.Running:
		before := max(0, t.held)
		t.held += e.At.Sub(t.Updated) - e.Jump
		t.Active += max(0, t.held) - before
	}
	t.Updated = e.At
	if err := fold(t, e); err != nil {
		return fmt.Errorf("task %s: event %d (%s): %w", t.ID, e.Seq, e.Kind, err)
	}
	return nil
}

// on adapts a typed fold of one payload.
func on[T any](f func(t *Task, e akitad.Event, d T)) func(*Task, akitad.Event) error {
	return func(t *Task, e akitad.Event) error {
		var d T
		if len(e.Data) > 0 {
			if err := json.Unmarshal(e.Data, &d); err != nil {
				return err
			}
		}
		f(t, e, d)
		return nil
	}
}

var folds = map[akitad.EventKind]func(*Task, akitad.Event) error{
	Submitted: on((*Task).submitted), Claimed: on((*Task).claimed), Compiled: on((*Task).compiled),
	Planned: on((*Task).planned), Woken: on((*Task).woken), Thought: on((*Task).thought),
	Round: on((*Task).round), Delegated: on((*Task).delegated), Waiting: on((*Task).waiting),
	Replanned: on((*Task).replanned), Answered: on((*Task).answered), ChildDone: on((*Task).childDone), Steered: on((*Task).steered),
	CancelAsk: on((*Task).cancelAsked), Paused: on((*Task).paused), Resumed: on((*Task).resumed),
	Rated: on((*Task).rated), Delivering: on((*Task).delivering), Delivered: on((*Task).delivered),
	Completed: on((*Task).ended), Failed: on((*Task).ended), Cancelled: on((*Task).ended),
	Retried: on((*Task).retried), RolledBack: on((*Task).rolledBack),
	Reduced: on((*Task).reduced), Stalled: on((*Task).stalled),
}

func (t *Task) submitted(e akitad.Event, d SubmittedData) {
	t.Sub, t.Created, t.Profile, t.Tainted = d, e.At, d.Profile, d.Tainted
	t.Handed = d.Parent != "" && d.Flow == ""
	if d.Queued {
		t.State, t.Reason = akitad.Waiting, akitad.ReasonQueued
		return
	}
	t.ready(e.Seq)
}

// ready makes the task pending; the event's sequence is the activation that a work item names.
func (t *Task) ready(seq uint64) {
	t.State, t.Reason, t.WaitNote, t.Until, t.WakeOnAny, t.Silent = akitad.Pending, "", "", nil, false, nil
	t.Activation, t.Epoch = seq, 0
}

func (t *Task) claimed(e akitad.Event, d ClaimedData) {
	if t.Final() {
		return
	}
	t.State, t.Reason, t.Epoch, t.Claim = akitad.Running, "", e.Seq, d
	t.WaitCause, t.KeyHolder = "", ""
	t.Claims++
	if t.Handed {
		t.ranOn(d.Node)
	}
	if t.Started.IsZero() {
		t.Started = e.At
	}
}

func (t *Task) compiled(e akitad.Event, d CompiledData) {
	t.Compiled = &d
	t.spend(e.At, d.Usage, d.Bills, "", "compiler")
}

func (t *Task) planned(e akitad.Event, d PlannedData) {
	t.Planned = &d
	t.Plans++
	t.spend(e.At, d.Usage, d.Bills, "", "planner")
	t.Degraded = append(t.Degraded, d.Degraded...)
}

func (t *Task) woken(e akitad.Event, d WokenData) {
	t.spend(e.At, d.Bills.Total(), d.Bills, "", "")
	if t.Final() {
		return
	}
	if d.To != "" {
		if t.Handed {
			t.Failover++
			t.Attempts++
			t.Took, t.Broke = len(t.Rounds), nil
			t.giveUpCalls()
		}
		t.Handed, t.Profile = true, d.To
	}
	if d.Degraded != nil {
		t.Degraded = append(t.Degraded, *d.Degraded)
	}
	if d.Broke != nil {
		t.Broke = append(slices.Clone(t.Broke), Broke{*d.Broke, len(t.Rounds)})
	}
	t.ready(e.Seq)
	if d.Reason == akitad.ReasonPaused {
		t.Reason = d.Reason
	}
}

// thought opens a round. One that comes before the round before it is closed, or while calls wait
// for their answers, is of no round.
// stalled keeps which endpoint is silent until a round's answer has come, or the task stands still.
func (t *Task) stalled(_ akitad.Event, d StalledData) { t.Silent = &d }

func (t *Task) thought(e akitad.Event, d ThoughtData) {
	if n := len(t.Rounds); t.Final() || len(t.Open) > 0 || n > 0 && !t.Rounds[n-1].Done {
		return
	}
	t.Silent = nil
	t.Rounds = append(t.Rounds, RoundState{Thought: d, Epoch: e.Epoch})
	t.spend(e.At, d.Usage, d.Bills, d.Endpoint, "main")
	t.Degraded = append(t.Degraded, d.Degraded...)
	t.SteersSeen = max(t.SteersSeen, d.Steers)
	t.Restoring, t.Undone = false, nil
}

func (t *Task) round(e akitad.Event, d RoundData) {
	if n := len(t.Rounds); n > 0 && !t.Rounds[n-1].Done {
		r := &t.Rounds[n-1]
		r.Done, r.Results, r.Redone = true, d.Results, e.Epoch != r.Epoch
	}
	t.Open = append(t.Open, d.Open...)
	t.changed("", d.Files)
	t.Tainted = t.Tainted || d.Tainted
}

func (t *Task) waiting(e akitad.Event, d WaitingData) {
	t.spend(e.At, d.Bills.Total(), d.Bills, "", "")
	if t.Final() {
		return
	}
	t.WaitSeq = e.Seq
	t.State, t.Reason, t.Until, t.WakeOnAny, t.WaitNote = akitad.Waiting, d.Reason, d.Until, d.Any, d.Note
	t.WaitCause, t.KeyHolder = d.Cause, d.Holder
	t.Epoch = 0
	if d.Any {
		t.placeRuns()
	}
	if d.Note != "" {
		t.noteCall = t.QuestionCall()
	}
	switch {
	case d.Reason != akitad.ReasonRetry:
	case !d.Any:
		t.Holds++
	case t.Sub.Step != nil: // else it is a plan, which waits for a step's next attempt
		t.Turns++
	}
}

func (t *Task) answered(e akitad.Event, d AnsweredData) {
	if t.settle(d.Call, d.Observation, d) {
		t.wakeIfDue(e.Seq)
	}
}

// wakeIfDue makes a waiting task ready when the event at seq closed its last open call.
func (t *Task) wakeIfDue(seq uint64) {
	if t.WillWake() {
		t.ready(seq)
	}
}

// WillWake reports whether the task waits for calls or children and none (or, for a plan, at least
// one) of them is left to wait for.
func (t *Task) WillWake() bool {
	if t.State != akitad.Waiting || t.IsPaused {
		return false
	}
	switch t.Reason {
	case akitad.ReasonChildren, akitad.ReasonAnswer, akitad.ReasonApproval:
		return t.WakeOnAny || (len(t.Open) == 0 && t.OpenRuns() == 0)
	}
	return false
}

// Delegated counts the agents' tasks that were delegated below this one, as far as it knows: those of a
// child that has not joined are not among them. A plan's single calls are none.
func (t *Task) Delegated() int {
	n := t.Below
	for _, c := range t.Children {
		if !c.Single {
			n++
		}
	}
	return n
}

// OpenRuns counts the plan steps that were delegated and have not ended.
func (t *Task) OpenRuns() int {
	n := 0
	for _, c := range t.Children {
		if c.Run != "" && !c.Done {
			n++
		}
	}
	return n
}

func (t *Task) steered(_ akitad.Event, d SteeredData) { t.Steers = append(t.Steers, d) }

func (t *Task) cancelAsked(akitad.Event, AskData) { t.AskedCancel = true }

func (t *Task) paused(akitad.Event, AskData) {
	if t.Final() {
		return
	}
	t.IsPaused = true
	if t.State == akitad.Pending {
		t.State, t.Reason = akitad.Waiting, akitad.ReasonPaused
	}
}

func (t *Task) resumed(e akitad.Event, _ AskData) {
	if t.Final() || !t.IsPaused {
		return
	}
	t.IsPaused = false
	switch {
	case t.State == akitad.Waiting && t.Reason == akitad.ReasonPaused && (len(t.Open) == 0 || !t.Handed):
		t.ready(e.Seq) // an orchestrator finds out anew what it waits for, and until when
	case t.State == akitad.Waiting && t.Reason == akitad.ReasonPaused:
		t.Reason = akitad.ReasonChildren
	case t.WillWake():
		t.ready(e.Seq)
	}
}

func (t *Task) rated(_ akitad.Event, d RatedData) { t.Rating = d.Stars }

func (t *Task) delivering(_ akitad.Event, d DeliveryData) {
	switch {
	case d.Placeholder != "":
		t.Placeholder = d.Placeholder
	case d.Said != 0:
		t.SaidSeq, t.SaidCall, t.Asked = d.Said, t.noteCall, Asked{Question: d.Question}
		if len(d.Messages) > 0 {
			t.Asked.Message = d.Messages[0]
		}
	default:
		t.Parts = d.Part
	}
}

func (t *Task) delivered(_ akitad.Event, d DeliveryData) {
	if t.Final() { // not the answer of an attempt that was reopened meanwhile
		t.Delivered, t.Sent = true, d.Messages
	}
}

func (t *Task) ended(e akitad.Event, d EndData) {
	if t.Final() {
		return
	}
	switch e.Kind {
	case Completed:
		t.State = akitad.Completed
	case Failed:
		t.State = akitad.Failed
	default:
		t.State = akitad.WasCancelled
	}
	t.unanswered = t.Open
	t.Reason, t.Until, t.Open, t.Epoch, t.Ended = "", nil, nil, 0, e.At
	t.Result, t.Error, t.Strategy, t.Instance, t.Reused = d.Result, d.Error, d.Strategy, d.Instance, d.Reused
	t.spend(e.At, d.Usage, d.Bills, "", "main")
	t.Unverified, t.Common, t.Files = d.Unverified, d.Common, mergeFiles(t.Files, d.Files)
	t.Tainted = t.Tainted || d.Tainted
	t.found = d.Result
	t.soFar()
}

func mergeFiles(have, more []akitad.File) []akitad.File {
	for _, f := range more {
		at := slices.IndexFunc(have, func(h akitad.File) bool { return h.Name == f.Name })
		if at < 0 {
			have = append(have, f)
		} else {
			have = slices.Clone(have)
			have[at] = f
		}
	}
	return have
}
