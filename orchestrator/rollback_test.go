package orchestrator_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func writes(files ...string) llmtest.Turn {
	var calls []akitad.Call
	for i := 0; i < len(files); i += 2 {
		calls = append(calls, llmtest.Call("write_file", map[string]any{"path": files[i], "content": files[i+1]}))
	}
	return llmtest.Calls(calls...)
}

func (h *house) rollback(id akitad.TaskID, restored, removed []string) {
	h.t.Helper()
	did, err := h.Orchestrator.Rollback(h.t.Context(), id)
	if err != nil || !slices.Equal(did.Restored, restored) || !slices.Equal(did.Removed, removed) {
		h.t.Errorf("restored %q, removed %q (%v), want %q and %q", did.Restored, did.Removed, err, restored, removed)
	}
}

// A rollback undoes what a task and its children wrote, and nothing of what others did before or since.
func TestRollbackUndoesOneTask(t *testing.T) {
	script := llmtest.New(t).
		On(opens("child"), writes("sub/child.txt", "child"), submitResult(map[string]any{"text": "ok"})).
		On(opens("first"), writes("a.txt", "first", "both.txt", "first"), llmtest.Text("ok")).
		On(opens("second"), writes("a.txt", "second", "b.txt", "second", "both.txt", "second"),
			llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "writer", "goal": "child"})), llmtest.Text("ok")).
		On(opens("third"), writes("c.txt", "third", "sub/third.txt", "third"), llmtest.Text("ok"))
	h := start(t, script)
	var ids []akitad.TaskID
	for _, words := range []string{"first", "second", "third"} {
		got := h.do(akitad.TaskRequest{Text: words, Session: "s", Files: given("given-"+words+".txt", words)})
		if got.State != akitad.Completed {
			t.Fatalf("%s: %s %+v", words, got.State, got.Error)
		}
		ids = append(ids, got.ID)
	}
	second := h.load(ids[1])
	h.rollback(second.ID, []string{"a.txt", "both.txt"}, []string{"b.txt", "sub/child.txt"})
	h.rollback(second.ID, []string{}, []string{})
	for name, want := range map[string]string{
		"a.txt": "first", "both.txt": "first", "b.txt": "-", "sub/child.txt": "-", "c.txt": "third", "sub/third.txt": "third",
		"given-first.txt": "first", "given-second.txt": "second", "given-third.txt": "third",
	} {
		if got := h.file(second, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !h.load(second.ID).RolledBack {
		t.Error("the journal does not say so")
	}
	wantConflict(t, "a child", func() error { _, err := h.Orchestrator.Rollback(t.Context(), second.Children[0].ID); return err }(), string(second.ID))
}

// Whatever tools a task's parts write with, and whether they make, change or remove files: it is one task.
func TestRollbackUndoesWhateverToolsWroteWith(t *testing.T) {
	const (
		table = `{id: table, tool: sql_exec, with: {path: new.db, statement: "CREATE TABLE a(x)"}}`
		shell = `{id: shell, tool: run_shell, with: {command: "rm old.csv; echo more >>kept.csv"}}`
		note  = `{id: note, tool: write_file, with: {path: note.txt, content: x}}`
	)
	for _, steps := range [][]string{{table, shell}, {shell, table}, {note, table, shell}} {
		h := start(t, llmtest.New(t))
		files := append(given("old.csv", "1,2"), given("kept.csv", "3,4")...)
		first := h.do(akitad.TaskRequest{Text: "before", Session: "s", Files: files, Plan: `
steps:
  - {id: mine, tool: run_shell, with: {command: "cp old.csv mine.csv"}}
`})
		got := h.do(akitad.TaskRequest{Text: "go", Session: "s", Plan: "steps:\n  - " + strings.Join(steps, "\n  - ") + "\n  - {id: last, tool: run_shell, with: {command: \"rm mine.csv\"}}\n"})
		if got.State != akitad.Completed || h.file(got, "mine.csv") != "-" {
			t.Fatalf("%s %+v, mine.csv %q", got.State, got.Error, h.file(got, "mine.csv"))
		}
		if _, err := h.Orchestrator.Rollback(t.Context(), got.ID); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{"mine.csv": "1,2", "old.csv": "1,2", "kept.csv": "3,4", "new.db": "-", "note.txt": "-"} {
			if have := h.file(first, name); have != want {
				t.Errorf("after %q: %s is %q, want %q", steps, name, have, want)
			}
		}
	}
}

// The note on a step's attempts is a file of the task like any other, and may be its only one.
func TestRollbackTakesTheProgressNoteBack(t *testing.T) {
	h := start(t, llmtest.New(t))
	got := h.do(akitad.TaskRequest{Text: "go", Files: given("seen.txt", "x"), Plan: "steps:\n  - {id: look, tool: read_file, retry: 1, verify: {schema: {type: object, required: [total]}}, with: {path: seen.txt}}\n"})
	if got.State != akitad.Failed || h.file(got, "progress/look.md") == "-" {
		t.Fatalf("%s %+v, progress/look.md %q", got.State, got.Error, h.file(got, "progress/look.md"))
	}
	h.rollback(got.ID, []string{}, []string{"progress/look.md"})
}

func TestRollbackNeedsAnEnd(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		On(opens("work"), writes("a.txt", "x"), llmtest.Text("ok").Held(held)).
		On(opens("say"), llmtest.Text("hello"))
	h := start(t, script)
	id := h.submit(akitad.TaskRequest{Text: "work"})
	<-held.Arrived()
	_, err := h.Orchestrator.Rollback(t.Context(), id)
	wantConflict(t, "running", err, "is running")
	if err := h.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
		t.Fatal(err)
	}
	h.ended(id)
	h.rollback(id, []string{}, []string{"a.txt"})
	h.rollback(h.do(akitad.TaskRequest{Text: "say hello"}).ID, []string{}, []string{}) // it wrote nothing
}

// What was rolled back and is retried has its files again.
func TestRetryAfterARollback(t *testing.T) {
	script := llmtest.New(t).On(opens("work"), writes("a.txt", "x"), refused(), llmtest.Text("done"))
	h := start(t, script)
	id := h.submit(akitad.TaskRequest{Text: "work"})
	h.ended(id)
	h.rollback(id, []string{}, []string{"a.txt"})
	h.retry(id)
	if got := h.again(id, 1); got.State != akitad.Completed || h.file(got, "a.txt") != "x" || got.RolledBack {
		t.Errorf("%s %+v, a.txt %q", got.State, got.Error, h.file(got, "a.txt"))
	}
}

// Where two nodes have worked on a task both are rolled back; one that is away is named. The next task of
// the session, on whatever node, does not get the files again.
func TestRollbackReachesTheNodesThatHaveTheFolder(t *testing.T) {
	url := bustest.Server(t)
	shared := func(c *config.Config) { c.NATS.URL = url }
	held := llmtest.NewHold()
	script := llmtest.New(t).
		On(opens("before"), writes("a.txt", "before"), llmtest.Text("ok")).
		On(opens("work"), writes("a.txt", "one", "b.txt", "one"), llmtest.Text("never").Held(held), writes("a.txt", "two"), llmtest.Text("ok")).
		On(opens("after"), llmtest.Text("ok"))
	control := startParts(t, t.TempDir(), script, app.Parts{Orchestrate: true}, shared)
	homes := []string{t.TempDir(), t.TempDir()}
	first := startParts(t, homes[0], script, app.Parts{Work: true}, shared)
	control.do(akitad.TaskRequest{Text: "before", Session: "s"})
	id := control.submit(akitad.TaskRequest{Text: "work", Session: "s"})
	<-held.Arrived()
	first.stop()
	second := startParts(t, homes[1], script, app.Parts{Work: true}, shared)
	got := control.ended(id)
	if got.State != akitad.Completed || len(got.Nodes) != 2 {
		t.Fatalf("%s %+v on %q", got.State, got.Error, got.Nodes)
	}
	_, err := control.Orchestrator.Rollback(t.Context(), id)
	wantConflict(t, "a node is away", err, got.Nodes[0])
	startParts(t, homes[0], script, app.Parts{Work: true}, shared)
	control.until(id, func(*journal.Task) bool {
		_, err = control.Orchestrator.Rollback(t.Context(), id)
		return err == nil
	})
	second.stop()
	control.do(akitad.TaskRequest{Text: "after", Session: "s"})
	for _, home := range homes {
		for name, want := range map[string]string{"a.txt": "before", "b.txt": ""} {
			body, _ := os.ReadFile(filepath.Join(home, "workspace", "files", got.Sub.Folder, name))
			if string(body) != want {
				t.Errorf("%s in %s is %q, want %q", name, home, body, want)
			}
		}
	}
}
