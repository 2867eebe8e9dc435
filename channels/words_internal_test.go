package channels

import (
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// A task that was never begun was refused for the crowd; one that has run failed, and is told so, in the language of its person.
func TestOverloadedBeforeAndAfterTheStart(t *testing.T) {
	for _, lang := range []text.Lang{text.En, text.Zh} {
		why := akitad.Failure{Kind: akitad.Overloaded, Message: "no room"}
		task := &journal.Task{State: akitad.Failed, Error: &why}
		if got := reply(task, lang).Text; got != lang.Crowded() {
			t.Errorf("never begun: %q", got)
		}
		task.Started = time.Unix(1e9, 0)
		if got := reply(task, lang).Text; got != lang.Failed(why) || got == lang.Crowded() {
			t.Errorf("begun: %q", got)
		}
	}
}

// Albums of two people of one conversation are two, though a service numbers both alike.
func TestAlbumsOfTwoPeople(t *testing.T) {
	m := func(sender string) akitad.Message {
		return akitad.Message{Session: "s", Album: "1", Origin: akitad.Origin{Sender: sender}}
	}
	if albumKey(m("7")) == albumKey(m("8")) || albumKey(akitad.Message{Session: "s"}) != "" {
		t.Errorf("%q, %q", albumKey(m("7")), albumKey(m("8")))
	}
}
