package channels_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/journal"
)

// handsOverAgain stores a message as a service does that hands it over once more when the stream has forgotten its id,
// two minutes after it came first (Feishu: after 5 min, 1 h and 6 h).
func handsOverAgain(r *rig, like akitad.Message, nr, text, bundle string, files ...akitad.File) {
	r.t.Helper()
	m := like
	m.ID, m.Text, m.Files = "m"+nr, text, files
	m.Task, m.Origin.Message = akitad.DeriveTaskID("telegram", m.ID), nr
	body, err := json.Marshal(map[string]any{"message": m, "addressed": true, "bundle": bundle})
	if err == nil {
		err = r.bus.PublishRaw(r.ctx(), "telegram", "again/"+m.ID, body)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

func bundleRig(t *testing.T) (*rig, *puppet, akitad.Message) {
	t.Helper()
	r, s := puppetRig(t)
	wrapped := r.wrap
	r.wrap = func(ch channels.Channel) channels.Channel { return apart{wrapped(ch)} }
	r.start()
	s.say(anna, 1, withFiles("", file("a.txt")))
	s.say(anna, 2, withFiles("", file("b.txt")))
	s.say(anna, 3, func(m *akitad.Message) { m.Text = "sum them up" })
	r.until(s.say(anna, 4, nil), (*journal.Task).Exists)
	all := r.came()
	if len(all) != 2 || len(all[0].Files) != 2 {
		t.Fatalf("came %+v", all)
	}
	return r, s, all[0]
}

// A file of a bundle that is not its first one comes again: ADR 79 says that it makes no task.
func TestALaterFileOfABundleComesAgain(t *testing.T) {
	r, s, was := bundleRig(t)
	handsOverAgain(r, was, "2", "", "m2", file("b.txt"))
	r.until(s.say(anna, 5, nil), (*journal.Task).Exists)
	if all := r.came(); len(all) != 3 {
		t.Errorf("%d messages came, the second file by itself among them: %+v", len(all), all[2])
	}
}

// The first file of a bundle comes again, and right then its sender writes something new.
func TestNewWordsBehindAFileThatComesAgain(t *testing.T) {
	r, s, was := bundleRig(t)
	handsOverAgain(r, was, "1", "", "m1", file("a.txt"))
	handsOverAgain(r, was, "5", "what is the weather like", "m1") // as bundles.of has it
	r.until(s.say(anna, 6, nil), (*journal.Task).Exists)
	for _, m := range r.came() {
		if strings.Contains(m.Text, "weather") {
			return
		}
	}
	t.Errorf("the new words are lost; the person is told %q", s.texts())
}
