package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
)

// The main job, as make run does it: no key, no configuration. It is planned, delegated to at least
// three analysts and one writer, joined, and answered with sources; nothing degraded.
func TestIncidentFromEndToEnd(t *testing.T) {
	a := startParts(t, t.TempDir(), nil, app.Parts{Orchestrate: true, Work: true}, nil)
	files, err := filepath.Glob("../../examples/incident/logs/*")
	if err != nil || len(files) < 4 {
		t.Fatalf("the example has %d files (%v)", len(files), err)
	}
	req := akitad.TaskRequest{Text: "Which services failed, when, why, how often, and what changed before? Write the report to report.md."}
	for _, f := range files {
		abs, err := filepath.Abs(f)
		if err != nil {
			t.Fatal(err)
		}
		req.Files = append(req.Files, akitad.InputFile{Path: abs})
	}
	id := submit(t, a, req)
	got := ended(t, a, id)
	if got.State != akitad.Completed || got.Result.Partial || len(got.Result.Degraded) != 0 {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	profiles := map[string]int{}
	for _, c := range got.Children {
		profiles[c.Profile]++
	}
	if profiles["analyst"] < 3 || profiles["writer"] != 1 {
		t.Errorf("delegated to %v", profiles)
	}
	report, err := os.ReadFile(filepath.Join(a.Config.Path.Files, got.Sub.Folder, "report.md"))
	if err != nil || len(report) < 500 || !strings.Contains(string(report), ".log:") {
		t.Errorf("report.md: %d bytes (%v)", len(report), err)
	}
	if !strings.Contains(got.Result.Text, ".log:") {
		t.Errorf("the answer names no source:\n%s", got.Result.Text)
	}
	t.Logf("took %s\n%s", got.Ended.Sub(got.Created), got.Result.Text)
	t.Logf("report:\n%s", report)
}
