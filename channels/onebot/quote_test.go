package onebot_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/channels/onebot/onebottest"
)

// What a message answers comes with it, as far as it is not the bot's own, and is to the bot.
func TestWhatIsAnsweredComesAlong(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	own, err := r.answer(r.meet("99"), "", "mine")
	if err != nil {
		t.Fatal(err)
	}
	heard := func(group string, segments ...onebottest.Segment) string {
		id := r.p.Say("8", group, segments...)
		r.next()
		return id
	}
	plan := heard("99", onebottest.Text("the plan:\n1. a"))
	picture := heard("99", onebottest.Text("look"), r.p.Image("cat.png"))
	private := heard("", onebottest.Text("my own words"))
	me := onebottest.At(r.p.Self)
	for _, tt := range []struct {
		name, group string
		segments    []onebottest.Segment
		want, files string
	}{
		{"somebody's words", "99", []onebottest.Segment{onebottest.Reply(plan), me, onebottest.Text(" sum it up")}, "sum it up\n\n[in reply to nick8]\n> the plan:\n> 1. a", ""},
		{"in Chinese", "99", []onebottest.Segment{onebottest.Reply(plan), me, onebottest.Text(" 这是什么意思")}, "这是什么意思\n\n[回复 nick8]\n> the plan:\n> 1. a", ""},
		{"without words", "99", []onebottest.Segment{onebottest.Reply(plan), me}, "[in reply to nick8]\n> the plan:\n> 1. a", ""},
		{"a picture", "99", []onebottest.Segment{onebottest.Reply(picture), me, onebottest.Text(" what is it")}, "what is it\n\n[in reply to nick8]\n> look", "cat.png"},
		{"in private", "", []onebottest.Segment{onebottest.Reply(private), onebottest.Text("and?")}, "and?\n\n[in reply to nick8]\n> my own words", ""},
		{"the bot", "99", []onebottest.Segment{onebottest.Reply(own[0]), onebottest.Text("go on")}, "go on", ""},
		{"a command", "99", []onebottest.Segment{onebottest.Reply(plan), me, onebottest.Text(" /status")}, "/status", ""},
		{"not to the bot", "99", []onebottest.Segment{onebottest.Reply(plan), onebottest.Text("I see")}, "I see", ""},
		{"what is not there", "99", []onebottest.Segment{onebottest.Reply("404404"), me, onebottest.Text(" and that")}, "and that", ""},
	} {
		r.p.Say("7", tt.group, tt.segments...)
		m := r.next()
		var files []string
		for _, f := range m.Files {
			files = append(files, f.Name)
		}
		if m.Text != tt.want || strings.Join(files, " ") != tt.files {
			t.Errorf("%s: %q, files %q\nwant %q", tt.name, m.Text, files, tt.want)
		}
	}
}
