package agent_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/tool"
)

// What a model was told of tools is kept for tasks that may call the very same ones: of one that has changed, or
// has changed its place, the next task is told as if there had been none before.
func TestToolsThatChangedAreToldAnew(t *testing.T) {
	set := func(change func(*tool.Info)) []tool.Tool {
		var own []tool.Tool
		for i := range 12 {
			own = append(own, saying(fmt.Sprint("own", i), "", readonly))
		}
		own = append(own, saying("odd", "", change))
		return withCatalogue(own...)
	}
	told := &first{}
	r := newRig(t, told, set(nil)...)
	seen := map[string]string{}
	for _, tt := range []struct {
		name   string
		change func(*tool.Info)
	}{
		{"as it was", nil},
		{"another name", func(i *tool.Info) { i.Name = "odder" }},
		{"another description", func(i *tool.Info) { i.Description = "another" }},
		{"another schema", func(i *tool.Info) {
			i.Schema = json.RawMessage(`{"type":"object","properties":{"other":{"type":"string"}},"required":["other"]}`)
		}},
		{"another category", func(i *tool.Info) { i.Category = "weather" }},
		{"of a server", func(i *tool.Info) { i.Server = "forge" }},
		{"of a server, described", func(i *tool.Info) { i.Server, i.Description = "forge", "another" }},
		{"no sentence apart from the next", func(i *tool.Info) { i.Category, i.Description = "weath", "er" }},
	} {
		for _, again := range []bool{false, true} {
			r.turn.Tools = set(tt.change)
			r.run(t, newBook(t, journal.SubmittedData{Text: "hello"}))
			got := fmt.Sprint(told.req.Tools, told.req.Messages)
			fresh := &first{}
			newRig(t, fresh, set(tt.change)...).run(t, newBook(t, journal.SubmittedData{Text: "hello"}))
			if want := fmt.Sprint(fresh.req.Tools, fresh.req.Messages); got != want {
				t.Errorf("%s (again: %v): told\n%s\nwant\n%s", tt.name, again, got, want)
			}
			if before, known := seen[got]; known && before != tt.name {
				t.Errorf("%s is told like %s", tt.name, before)
			}
			seen[got] = tt.name
		}
	}
}
