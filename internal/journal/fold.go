package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// Task is the state of one task, computed from its events by Apply (a fold). It is not safe for
// concurrent use; each reader loads its own.
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
	WaitCause  string        // what it waits for before a retry
	KeyHolder  akitad.TaskID // the task that holds the idempotency key that it waits for
	SaidCall   string        // open call of the last note that the person was told
	Asked      Asked         // message with buttons that showed that note, if any
	noteCall   string        // open call of the last note
	WaitSeq    uint64        // sequence of the last wait
	SaidSeq    uint64        // sequence of the last wait whose note the person was told
	Until      *time.Time
	WakeOnAny  bool
	Activation uint64 // sequence of the ready event that made it pending
	Epoch      uint64 // sequence of the current claim's event; 0 if nobody holds a claim
	Claim      ClaimedData
	Claims     int
	Nodes      []string // nodes whose workers ran it or a joined child of it; its files are there

	Compiled *CompiledData
	Planned  *PlannedData
	Plans    int      // how often it was planned; a person may ask for changes before it runs
	Replans  int      // how often a rewrite of the unfinished steps was tried
	Causes   []string // the causes of those rewrites, see ReplannedData
	Handed   bool     // planning, or the plan, is finished: an agent of Profile has the task
	Profile  string   // the profile that serves it now
	Failover int      // how many agents have handed it on
	Attempts int      // how often it was begun again, by another agent or a retry
	Retries  int      // those of Attempts that were retries after its end
	Took     int      // number of rounds when the current agent took over
	Holds    int      // how often it waited for endpoints to recover
	Turns    int      // how often it waited for another one that does the same step
	Broke    []Broke  // failures after which the current agent continued

	Rounds   []RoundState
	Reduced  []ReducedData // reductions of the window, oldest first
	Open     []OpenCall    // open calls, in call order
	Answers  []Answer      // answers to questions that were not asked by a call of a round
	Children []Child
	Skipped  []StepNote
	Files    []akitad.File // files that its rounds and its children changed
	Tainted  bool
	Silent   *StalledData // the last stall of an endpoint, until the round's reply is recorded

	Retried    time.Time       // when it was last reopened
	Restoring  bool            // before the next round, the folder must be restored to Files
	Undone     []string        // files that only dropped rounds changed
	Cut        []akitad.TaskID // children that retries dropped
	RanOn      []string        // Nodes when it was last reopened
	RolledBack bool            // the files that it wrote were undone after its end

	RolledBackAt time.Time // zero unless RolledBack
	changes      []fileChange
	unanswered   []OpenCall // open calls when it ended

	Steers      []SteeredData
	SteersSeen  int // how many of Steers the model has seen
	AskedCancel bool
	IsPaused    bool
	Rating      int
	Placeholder string
	Parts       int // parts of the answer whose sending was begun
	Delivered   bool
	Sent        []string

	Result   *akitad.Result
	found    *akitad.Result // the recorded result, without what soFar adds
	Error    *akitad.Failure
	Strategy string
	Instance string // the instance that ended it
	Reused   bool
	Degraded []akitad.Degradation

	Unverified bool          // it failed because its result did not pass the step's check
	Common     akitad.Kind   // the kind with which all endpoints failed, if it was the same
	Usage      akitad.Usage  // its own and that of its joined children
	Ledger     []DayBill     // its own part of Usage, by day
	Active     time.Duration // working time, its joined children's included
	held       time.Duration // its own part of Active; negative until a clock that is behind has caught up
	Below      int           // number of tasks that its joined children delegated

	wrote moment // the last append of this copy's holder; not part of the fold
}

// RoundState is one round: the thought and, once Done, the result of each of its calls.
type RoundState struct {
	Thought ThoughtData
	Epoch   uint64 // the claim under which the thought was recorded
	Done    bool
	Results []akitad.Observation // in call order; the text of an open call is empty until it is answered
	Redone  bool                 // the results were recorded under a later claim than the thought: some calls may have begun before

	Begun []string             // calls that have begun, as often as that is on record
	Known []akitad.Observation // results that are on record while the round is open, as their calls ended

	Stopped []string // calls that a stop has cut off, as often as it did: they do not end their process
}

// Broke is a failure after which the same agent continued, and the number of rounds before it.
type Broke struct {
	akitad.Failure
	Rounds int
}

// AnswerPrefix precedes a person's words in the observation that answers a question. OutcomeAnswered is
// the outcome of a question that a person answered.
const (
	AnswerPrefix    = "the person answers: "
	OutcomeAnswered = "answered"
)

// Asked is a question that was shown in a chat with buttons. The zero value is none.
type Asked struct {
	Question string // its id
	Message  string // the message's id in the chat
}

// Answer is the answer to a question that was not asked by a call of a round.
type Answer struct {
	Call     string // id of the open call that it closed
	Question string
	Text     string // the answer as the model sees it
	Words    string // the person's own words words
	Outcome  string // answered, assumed
}

// NewTask returns the fold of an empty journal.
func NewTask(id akitad.TaskID) *Task { return &Task{ID: id} }

// Exists reports whether the task was ever submitted.
func (t *Task) Exists() bool { return t.Sub.Root != "" }

// Final reports whether the task has ended.
func (t *Task) Final() bool { return t.State.Final() }

// IsRoot reports whether the task comes from a message.
func (t *Task) IsRoot() bool { return t.Sub.Parent == "" }

// Apply folds one event. An event whose prev is not the sequence of the event before it, or that
// carries the epoch of a claim that is gone, is void: it changes only t.Seq and the counts. Events at or
// below t.Seq are ignored. An error means that the event cannot be read.
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
	case e.Kind == Claimed: // it is not known how long a lost worker had worked, and its clock no longer matters
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

// on makes a fold function of one for the payload type T.
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
	Reduced: on((*Task).reduced), Stalled: on((*Task).stalled), Begun: on((*Task).begun),
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

// ready makes the task pending. The event's sequence becomes the activation that its work item names.
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
	t.endedBy(e.At)
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

// stalled keeps the stall until the round's reply is recorded or the task becomes ready again.
func (t *Task) stalled(_ akitad.Event, d StalledData) { t.Silent = &d }

// thought opens a round. It is ignored while the round before it is not closed, or while calls are open.
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

// begun notes calls that have begun, and results, of the open round.
func (t *Task) begun(_ akitad.Event, d BegunData) {
	n := len(t.Rounds)
	if t.Final() || n == 0 || t.Rounds[n-1].Done {
		return
	}
	r := &t.Rounds[n-1]
	r.Begun, r.Known = append(slices.Clip(r.Begun), d.Calls...), append(slices.Clip(r.Known), d.Results...)
	r.Stopped = append(slices.Clip(r.Stopped), d.Stopped...)
	t.changed("", d.Files)
	t.Tainted = t.Tainted || d.Tainted
}

// MayHaveRun reports whether a call of the open round may have taken effect under an earlier claim than epoch,
// though it has no result.
func (r RoundState) MayHaveRun(call string, epoch uint64) bool {
	return r.Epoch != epoch && (!r.Thought.Begins || slices.Contains(r.Begun, call))
}

// MaxCut is how often a call that may be repeated is cut off by the end of its process until it is not made again:
// then it is likely what ends the process.
const MaxCut = 3

// Cut returns how often a call of the open round, which may be made again, was cut off before the claim of epoch by an
// end of its process that was no stop: once under the claim of the thought, and each time that it was made again.
func (r RoundState) Cut(call string, epoch uint64) (times int) {
	if r.Epoch == epoch {
		return 0
	}
	return 1 + count(r.Begun, call) - count(r.Stopped, call)
}

func count(calls []string, call string) (n int) {
	for _, c := range calls {
		if c == call {
			n++
		}
	}
	return n
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

// wakeIfDue makes a waiting task ready if the event at seq has closed its last open call.
func (t *Task) wakeIfDue(seq uint64) {
	if t.WillWake() {
		t.ready(seq)
	}
}

// WillWake reports whether the task waits for calls or children, and all of them have been answered. For
// a plan that waits for any of its children, one is enough.
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

// Delegated counts the agents' tasks that were delegated below this one. Those that a child has
// delegated count once the child has joined. A plan's single calls of a tool or a model do not count.
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
	case t.State == akitad.Waiting && t.Reason == akitad.ReasonPaused:
		t.ready(e.Seq) // who claims it computes again what it waits for, and until when
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
	if t.Final() { // else the task was reopened, and this was the answer of the attempt before
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
