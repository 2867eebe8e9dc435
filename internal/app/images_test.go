package app_test

import (
	"bytes"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A person's image goes to the first endpoint that sees; where none does, the answer says so.
func TestImagesFindAModelThatSees(t *testing.T) {
	picture := []akitad.InputFile{{Name: "cat.png", Content: []byte("\x89PNG\r\n\x1a\n and so on")}}
	for _, tt := range []struct {
		name   string
		sees   bool
		shown  string
		answer string
	}{
		{"one sees", true, `{"type":"image_url","image_url":{"url":"data:image/png;base64,`, "A cat."},
		{"nobody sees", false, `cat.png (image/png, 18 bytes) is not shown: the model plain sees no images`, "A cat.\n\nNote: the model behind blind sees no images, so it worked without them."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, llmtest.Text("A cat.")), llmtest.Options{})
			blind := config.Endpoint{Name: "blind", Protocol: "openai", BaseURL: server.URL(), Model: "plain", Tags: []string{"code"}}
			eyes := config.Endpoint{Name: "eyes", Protocol: "openai", BaseURL: server.URL(), Model: "eyes", Tags: []string{"vision"}}
			endpoints, names := []config.Endpoint{blind}, []string{"blind"}
			if tt.sees {
				endpoints, names = append(endpoints, eyes), append(names, "eyes")
			}
			a := startParts(t, t.TempDir(), nil, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
				c.Endpoints, c.Roles = endpoints, config.Roles{Main: names, Compiler: names, Planner: names, Summarizer: names, Judge: names}
			})
			got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "what animal is this?", Files: picture}))
			if got.State != akitad.Completed || got.Result.Text != tt.answer || len(got.Result.Degraded) > 0 == tt.sees {
				t.Errorf("%s, %+v", got.State, got.Result)
			}
			seen := server.Seen()
			if last := seen[len(seen)-1].Body; !bytes.Contains(last, []byte(tt.shown)) {
				t.Errorf("no %s in %s", tt.shown, last)
			}
		})
	}
}
