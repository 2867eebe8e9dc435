package app_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// document waits until the bot has sent a file of that name to anna.
func (h *chatHouse) document(name string) *telegramtest.Upload {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	var found *telegramtest.Upload
	if err := h.srv.Wait(ctx, func() bool {
		for _, m := range h.srv.FromBot(anna) {
			if m.File != nil && m.File.Name == name {
				found = m.File
			}
		}
		return found != nil
	}); err != nil {
		h.t.Fatalf("no %s comes; the bot says %q", name, h.texts(anna))
	}
	return found
}

// A file that a task wrote comes with its answer, also when it is the offline engine that wrote it.
func TestAWrittenFileComesAsADocument(t *testing.T) {
	h := newChat(t, nil, func(c *config.Config) {
		c.Endpoints = []config.Endpoint{{Name: "offline", Protocol: "offline"}}
		names := []string{"offline"}
		c.Roles = config.Roles{Main: names, Compiler: names, Planner: names, Summarizer: names, Judge: names}
	})
	h.srv.Say(anna, 0, "count the rows in sales.csv and write the result to report.md", telegramtest.Said{
		File: &telegramtest.Upload{Name: "sales.csv", Bytes: []byte("day,sum\n1,10\n2,20\n3,30\n")},
	})
	if got := string(h.document("report.md").Bytes); !strings.Contains(got, "3") {
		t.Errorf("the document holds %q", got)
	}
	for _, m := range h.srv.FromBot(anna) {
		if m.File != nil && m.File.Name == "sales.csv" {
			t.Error("the person's own file comes back")
		}
	}
}

// So does one that a child wrote which the task delegated to.
func TestAFileOfAChildComesAsADocument(t *testing.T) {
	const body = "# Report\n\nthree rows\n"
	script := llmtest.New(t).
		On(llmtest.Role(llm.RolePlanner), llmtest.Text("")).
		Rounds(llmtest.Begins("write"), llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": "report.md", "content": body})), llmtest.Text("written")).
		Rounds(llmtest.Begins("please report"), llmtest.Calls(delegate("assistant", "write it")), llmtest.Text("The report is in report.md."))
	h := newChat(t, script, nil)
	h.say(anna, "please report")
	if got := string(h.document("report.md").Bytes); got != body {
		t.Errorf("the document holds %q", got)
	}
}

// A file that is not kept any more is told of, and does not keep those after it from coming.
func TestAFileThatIsGoneTakesNoOtherWithIt(t *testing.T) {
	var h *chatHouse
	write := func(name string) akitad.Call {
		return llmtest.Call("write_file", map[string]any{"path": name, "content": "body of " + name})
	}
	script := llmtest.New(t).
		On(llmtest.Role(llm.RolePlanner), llmtest.Text("")).
		Rounds(llmtest.Begins("please report"), llmtest.Calls(write("a.txt"), write("b.txt")), llmtest.Do(func(llm.Request) (llm.Reply, error) {
			sum := sha256.Sum256([]byte("body of a.txt"))
			err := h.Bus.Artifacts(context.Background(), func(a bus.StoredArtifact) error {
				if a.Hash != hex.EncodeToString(sum[:]) {
					return nil
				}
				_, err := h.Bus.DropArtifact(context.Background(), a)
				return err
			})
			return llm.Reply{Text: "See a.txt and b.txt.", Finish: llm.FinishStop}, err
		}))
	h = newChat(t, script, nil)
	h.say(anna, "please report")
	if got := string(h.document("b.txt").Bytes); got != "body of b.txt" {
		t.Errorf("the document holds %q", got)
	}
}
