package journal_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// house is a journal with tasks that keep things.
type house struct {
	*testing.T
	b *bus.Bus
	j *journal.Journal
}

func (h house) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// task submits a task that keeps a text as the output of a call, and gives the text's hash.
func (h house) task(name string, sub journal.SubmittedData, text string, tainted bool) (akitad.TaskID, string) {
	h.Helper()
	id := akitad.DeriveTaskID(name)
	if sub.Root == "" {
		sub.Root = id
	}
	t, _, err := h.j.Create(h.Context(), id, sub)
	h.must(err)
	hash, err := h.b.PutArtifact(h.Context(), []byte(text))
	h.must(err)
	h.must(h.j.Append(h.Context(), t, 0, journal.Claimed, journal.ClaimedData{Node: "n"}))
	h.must(h.j.Append(h.Context(), t, t.Epoch, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c", Tool: "look"}}}))
	h.must(h.j.Append(h.Context(), t, t.Epoch, journal.Round, journal.RoundData{Round: 1, Tainted: tainted, Results: []akitad.Observation{{Call: "c", Artifact: hash}}}))
	return id, hash
}

// A task reads what it keeps itself, what tasks of its tree keep, and what its session kept before; what
// others keep is not there for it.
func TestArtifactsOfATask(t *testing.T) {
	b := bustest.New(t)
	h := house{t, b, journal.New(b, "n")}
	before, old := h.task("before", journal.SubmittedData{}, "of an earlier task", false)
	root, top := h.task("root", journal.SubmittedData{Follows: before}, "of the root", false)
	child, low := h.task("child", journal.SubmittedData{Root: root, Parent: root}, "of a child", true)
	sibling, side := h.task("sibling", journal.SubmittedData{Root: root, Parent: root}, "of another child", false)
	grandchild, lowest := h.task("grandchild", journal.SubmittedData{Root: root, Parent: child}, "of a grandchild", false)
	_, foreign := h.task("stranger", journal.SubmittedData{}, "of a stranger", false)
	r, err := h.j.Load(t.Context(), root)
	h.must(err)
	h.must(h.j.Append(t.Context(), r, 0, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: child}, {ID: sibling}}}))
	c, err := h.j.Load(t.Context(), child)
	h.must(err)
	h.must(h.j.Append(t.Context(), c, 0, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: grandchild}}}))
	for _, tt := range []struct {
		name      string
		task      akitad.TaskID
		artifact  string
		body      string
		untrusted bool
		kind      akitad.Kind
	}{
		{"its own", root, top, "of the root", false, ""},
		{"its own by 12 digits", root, top[:12], "of the root", false, ""},
		{"in capitals, with space", root, " " + strings.ToUpper(top[:16]) + "\n", "of the root", false, ""},
		{"a child's", root, low, "of a child", true, ""},
		{"a grandchild's", root, lowest, "of a grandchild", false, ""},
		{"its own child's, below the root", child, lowest, "of a grandchild", false, ""},
		{"its nephew's", sibling, lowest, "of a grandchild", false, ""},
		{"its parent's", child, top, "of the root", false, ""},
		{"a sibling's", child, side[:8], "of another child", false, ""},
		{"the session's", sibling, old, "of an earlier task", false, ""},
		{"of a later task of the session", before, top, "", false, akitad.NotFound},
		{"a stranger's", root, foreign, "", false, akitad.NotFound},
		{"a stranger's, asked for by a child", child, foreign[:12], "", false, akitad.NotFound},
		{"nobody's", root, strings.Repeat("0", 64), "", false, akitad.NotFound},
		{"too short", root, top[:7], "", false, akitad.InvalidRequest},
		{"a path", root, "../../" + top, "", false, akitad.InvalidRequest},
		{"nothing", root, "", "", false, akitad.InvalidRequest},
	} {
		a, err := h.j.Artifact(t.Context(), tt.task, tt.artifact)
		if akitad.KindOf(err) != tt.kind || string(a.Body) != tt.body || a.Untrusted != tt.untrusted {
			t.Errorf("%s: %q, untrusted %v, %v", tt.name, a.Body, a.Untrusted, err)
		}
	}
}

// What a task keeps is found wherever its journal names it.
func TestKept(t *testing.T) {
	s := newStory(t)
	s.at(0, journal.Submitted, journal.SubmittedData{Root: s.task.ID, Files: []akitad.File{{Name: "given", Artifact: "f1"}}})
	s.at(1, journal.Claimed, journal.ClaimedData{})
	s.at(2, journal.Thought, journal.ThoughtData{Round: 1, Kept: []string{"k1"}, Calls: []akitad.Call{{ID: "a"}}})
	s.at(3, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "a", Artifact: "o1"}}, Files: []akitad.File{{Name: "new", Artifact: "f2"}}})
	s.at(3, journal.Reduced, journal.ReducedData{Rounds: 1, Dump: "d1", Masks: []journal.Mask{{Call: "a", Artifact: "m1"}}})
	s.at(4, journal.Completed, journal.EndData{Result: &akitad.Result{Whole: "w1", Artifacts: []akitad.File{{Name: "r", Artifact: "f3"}}}})
	got := strings.Join(s.task.Kept(), " ")
	for _, want := range []string{"f1", "k1", "o1", "f2", "d1", "m1", "w1", "f3"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

// What a task wrote is listed however it ended, also that of a child which came to no words.
func TestFilesOfATaskWithoutAResult(t *testing.T) {
	for _, kind := range []akitad.EventKind{journal.Failed, journal.Cancelled} {
		for _, parent := range []akitad.TaskID{"", akitad.DeriveTaskID("parent")} {
			s := newStory(t).add(journal.Submitted, journal.SubmittedData{Root: akitad.DeriveTaskID("root"), Parent: parent, Text: "go"}).claimed()
			s.add(journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "a"}}})
			s.add(journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "a"}}, Files: []akitad.File{{Name: "draft.md", Artifact: "f1"}}})
			if v := s.task.View(); v.Result != nil {
				t.Errorf("while it runs: %+v", v.Result)
			}
			s.add(kind, journal.EndData{Error: &akitad.Failure{Kind: akitad.Loop, Message: "no way on"}})
			v := s.task.View()
			if v.Result == nil || len(v.Result.Artifacts) != 1 || v.Result.Artifacts[0].Name != "draft.md" || !v.Result.Partial {
				t.Errorf("%s, child of %q: %+v", kind, parent, v.Result)
			}
		}
	}
}
