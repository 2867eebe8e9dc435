package plan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// The states of a step in an envelope, as in akitad.StepView.
const (
	StepPending   = "pending"
	StepRunning   = "running"
	StepCompleted = "completed"
	StepFailed    = "failed"
	StepBlocked   = "blocked"
	StepSkipped   = "skipped"
)

// Result is what one step gave, or why it gave nothing.
type Result struct {
	Step    string
	State   string          // one of the states above
	Text    string          // of a for_each: of all its items, in order
	Data    json.RawMessage // of a for_each: the list of its items' outputs; nil if the step gave text alone
	Reason  string          // why there is nothing, or for which items
	Failure *akitad.Failure
	Files   []akitad.File // artifacts
	Partial bool          // what there is, is not all
}

// Envelope joins what the steps gave, one result a step, in plan order whatever the order in
// which they ended. Nothing is left out: a step that gave nothing is there with its reason.
func Envelope(p akitad.Plan, done map[string]Outcome, env Env) []Result {
	r := fold(p, done, env, nil)
	out := make([]Result, len(p.Steps))
	for i, st := range r.at {
		out[i] = st.joined(p.Steps[i].ID)
	}
	return out
}

// Missing names the steps that gave nothing or not all, each with its reason.
func Missing(results []Result) []string {
	var out []string
	for _, r := range results {
		if r.State != StepCompleted || r.Partial {
			out = append(out, strings.TrimSuffix(r.Step+": "+r.Reason, ": "))
		}
	}
	return out
}

// all gives the results that the step is made of: its own, or those of its items.
func (st status) all() []akitad.Result {
	if st.result != nil {
		return []akitad.Result{*st.result}
	}
	return st.parts
}

// text joins what the step's results say.
func (st status) text() string {
	var texts []string
	for _, r := range st.all() {
		if r.Text != "" {
			texts = append(texts, r.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

func (st status) joined(id string) Result {
	out := Result{Step: id, State: st.state(), Text: st.text(), Reason: st.reason, Failure: st.fail}
	switch {
	case st.result != nil:
		out.Data = st.result.Data
	case st.stage == doneOK:
		out.Data = st.output
	}
	var reasons []string
	for _, r := range st.all() {
		out.Files = AddFiles(out.Files, r.Artifacts)
		out.Partial = out.Partial || r.Partial
		reasons = append(reasons, r.Missing...)
	}
	for _, n := range st.notes {
		out.Partial = true
		reasons = append(reasons, n.ID+": "+n.Reason)
	}
	if out.Reason == "" {
		out.Reason = strings.Join(reasons, "; ")
	}
	return out
}

// AddFiles adds later to files, each name once: steps share a folder, so what a later step wrote has taken the place of
// the earlier file.
func AddFiles(files, later []akitad.File) []akitad.File {
	for _, f := range later {
		at := slices.IndexFunc(files, func(have akitad.File) bool { return have.Name == f.Name })
		if at < 0 {
			files = append(files, f)
			continue
		}
		files[at] = f
	}
	return files
}

func (st status) state() string {
	switch st.stage {
	case running, asking:
		return StepRunning
	case doneOK:
		return StepCompleted
	case doneNull, skipped:
		return StepSkipped
	case blocked:
		return StepBlocked
	case failed:
		return StepFailed
	}
	return StepPending
}
