package offline_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/akitad/akitad/examples/incident/incident"
)

func TestIncProbe(t *testing.T) {
	var seed uint64 = 1
	fmt.Sscan(os.Getenv("SEED"), &seed)
	inc, err := incident.Generate(incident.Config{Seed: seed, Format: incident.Format(os.Getenv("FMT"))})
	if err != nil { t.Fatal(err) }
	files := map[string]string{inc.Note.Name: string(inc.Note.Bytes())}
	for _, l := range inc.Logs { files[l.Name] = string(l.Bytes()) }
	k := newKit(t, files)
	w := os.Getenv("WORDS")
	if w == "" { w = "Which services failed, when, why, how often, and what changed before? Write the report to report.md." }
	p := k.plan(w)
	for _, s := range p.Steps { fmt.Printf("%s %s %q %v\n", s.ID, s.Agent, s.Goal, s.Needs) }
	r := k.team(w)
	fmt.Println(r.Text, "\ndata:", string(r.Data), r.Missing)
	fmt.Println("REPORT", len(k.read("report.md")))
}
