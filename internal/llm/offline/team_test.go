package offline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
)

// TestTeams asks about several files, which are answered part by part and joined.
func TestTeams(t *testing.T) {
	for _, tt := range []struct {
		files string
		words string
		steps int
		want  []string
	}{
		{"relay.log pump.log", "How many errors are in each log?", 3, []string{"**8 rows** in all", "**2 rows** of pump.log", "**6 rows** of relay.log"}},
		{"relay.log pump.log", "When was the first error?", 3, []string{"The first of the 8 rows", "relay.log:5: 2026-05-04 10:02:15.450"}},
		{"relay.log pump.log access.log", "errors per minute", 4, []string{"2026-05-04 10:02: **3** [access.log 1, pump.log 1, relay.log 1]", "2026-05-04 10:10: **2**"}},
		{"relay.log pump.log", "Top 3 error messages", 3, []string{"`valve <n> stuck`: **2** [pump.log 2]", "(2 more groups)"}},
		{"relay.log pump.log sales.csv", "What is the total amount?", 4, []string{"**1333.75**", "(Nothing in pump.log and relay.log answers this.)"}},
		{"relay.log notes.md", "When are refunds paid?", 3, []string{"14 days", "notes.md:11"}},
		{"relay.log pump.log", "What is the slowest job?", 3, []string{"**4100**", "relay.log:11"}},
		{"sales.csv notes.md", "Summarise these files and write it to s.md", 3, []string{"sum 1333.75", "Opening hours", "The report is in s.md."}},
		{"relay.log pump.log", "Compare the two logs", 3, []string{"**Most errors: relay.log** (relay.log 6, pump.log 2)"}},
		{"relay.log pump.log", "哪个日志的错误更多？", 3, []string{"错误数最多：relay.log"}},
		{"relay.log pump.log", "每个日志各有多少条错误？", 3, []string{"合计 **8 行**"}},
		{"engine.log change.md", "Which services failed, and what changed before?", 3, []string{"**1 of 1 failed: engine", "65 errors", "batch size raised from 10 to 500 (change.md:3)", "4 min 10 s after the change"}},
		{"relay.log pump.log", "Which errors happened at the same minute in relay.log and pump.log?", 0, []string{"10:02", "10:08"}},
		{"relay.log pump.log", "Which errors in relay.log happened within 60 seconds after an error in pump.log?", 0, []string{"**1** of the 6 rows", "relay.log:7"}},
		{"relay.log pump.log", "How many ERROR lines are in relay.log and pump.log in total?", 3, []string{"**7 rows** in all"}},
		{"relay.log", "Which services failed?", 0, []string{"**1 of 1 failed: relay"}},
		{"old.csv new.csv", "Which ids are only in old.csv?", 0, []string{"- 2 (old.csv:3)"}},
		{"relay.log pump.log", "Write a poem about these logs", 0, []string{"I cannot do this"}},
		{"relay.log pump.log", "Which files are there?", 0, []string{"**2 files**"}},
		{"relay.log pump.log", "How many errors are in pump.log?", 0, []string{"**2 rows** of pump.log"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			k := newKit(t, only(strings.Fields(tt.files)...))
			if got := len(k.plan(tt.words).Steps); got != tt.steps {
				t.Errorf("the plan has %d steps, want %d", got, tt.steps)
			}
			has(t, k.team(tt.words).Text, tt.want...)
		})
	}
}

// TestManyFiles holds that a plan never has more than eight parts beside the one that joins, and
// leaves out no file.
func TestManyFiles(t *testing.T) {
	files := map[string]string{}
	for i := range 21 {
		files[fmt.Sprintf("n%02d/Ä %d.log", i, i)] = relayLog
	}
	k := newKit(t, files)
	p := k.plan("How many errors are there?")
	seen := map[string]int{}
	ids := map[string]bool{}
	for _, st := range p.Steps[:len(p.Steps)-1] {
		for _, f := range st.Files {
			seen[f]++
		}
		if ids[st.ID] || st.Agent != "analyst" || !st.Parallel || st.OnError != "skip" {
			t.Errorf("step %+v", st)
		}
		ids[st.ID] = true
	}
	join := p.Steps[len(p.Steps)-1]
	if len(p.Steps) != 9 || len(seen) != 21 || join.Agent != "writer" || len(join.Needs) != 8 {
		t.Errorf("%d steps, %d files, join %+v", len(p.Steps), len(seen), join)
	}
	has(t, k.team("How many errors are there?").Text, "**126 rows** in all, in 21 files")
}

// TestPartFails joins what is there when a part failed, and says what is missing and why.
func TestPartFails(t *testing.T) {
	k := newKit(t, only("relay.log", "pump.log"))
	words := "How many errors are there?"
	p := k.plan(words)
	one := k.run(p.Steps[0].Goal, k.brief(), true)
	b := llm.Brief{Request: words, Results: []llm.BriefResult{
		{Step: p.Steps[0].ID, Text: one.Text, Data: string(one.Data)},
		{Step: p.Steps[1].ID, Failed: "worker lost"},
	}}
	res := k.run(p.Steps[2].Goal, b, true)
	has(t, res.Text, "**2 rows** of pump.log", "Missing: the part relay gave no result (worker lost).")
	if len(res.Missing) != 1 || res.Missing[0] != "relay" {
		t.Errorf("missing %v", res.Missing)
	}
}

// TestForeignResults keeps what agents of another kind said, word for word.
func TestForeignResults(t *testing.T) {
	k := newKit(t, only("relay.log"))
	b := llm.Brief{Results: []llm.BriefResult{{Step: "a", Text: "Seven gears are worn."}, {Step: "b", Text: "None is loose."}}}
	has(t, k.run("Combine the findings into one answer and write it to all.md", b, false).Text, "Seven gears are worn.", "None is loose.", "all.md")
	has(t, k.read("all.md"), "Seven gears are worn.", "None is loose.")
}
