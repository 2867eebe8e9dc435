package feishu_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// What a message answers comes with it, as far as it is not the bot's own, and what does not concern the bot asks
// the service nothing.
func TestWhatIsAnsweredComesAlong(t *testing.T) {
	const boris = "ou_boris"
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		heard := func(s feishutest.Said) (string, akitad.Message) {
			s.Chat = group
			id := r.Say(s)
			return id, r.next()
		}
		plan, _ := heard(feishutest.Said{From: boris, Text: "the plan:\n1. a < b"})
		chinese, _ := heard(feishutest.Said{From: boris, Text: "方案是先做甲再做乙"})
		picture, _ := heard(feishutest.Said{From: boris, Type: "image", Raw: `{"image_key":"img_1"}`})
		forward, _ := heard(feishutest.Said{From: boris, Parts: []feishutest.Said{{From: "ou_1", Text: "A"}, {From: "ou_2", Text: "B"}}})
		gone, _ := heard(feishutest.Said{From: boris, Text: "oops"})
		r.Recall(gone)
		long, _ := heard(feishutest.Said{From: boris, Text: strings.Repeat("汉", 3000)})
		_, m := heard(feishutest.Said{From: anna, Text: "hello", Mention: true})
		own := r.placeholder(m.Origin)
		asked := len(r.Calls("get"))
		for _, tt := range []struct {
			name string
			said feishutest.Said
			want string
			lang string
			file string
		}{
			{"nothing", feishutest.Said{Text: "sum it up", Mention: true}, "sum it up", "", ""},
			{"somebody's words", feishutest.Said{Text: "sum it up", Mention: true, ReplyTo: plan}, "sum it up\n\n[in reply to ou_boris]\n> the plan:\n> 1. a < b", "en", ""},
			{"in another language", feishutest.Said{Text: "translate this please", Mention: true, ReplyTo: chinese}, "translate this please\n\n[in reply to ou_boris]\n> 方案是先做甲再做乙", "en", ""},
			{"in Chinese", feishutest.Said{Text: "这是什么意思", Mention: true, ReplyTo: plan}, "这是什么意思\n\n[回复 ou_boris]\n> the plan:\n> 1. a < b", "zh", ""},
			{"without words", feishutest.Said{Mention: true, ReplyTo: plan}, "[in reply to ou_boris]\n> the plan:\n> 1. a < b", "", ""},
			{"a picture", feishutest.Said{Text: "what is this", Mention: true, ReplyTo: picture}, "what is this\n\n[in reply to ou_boris]", "en", "image-1.jpg"},
			{"a forward", feishutest.Said{Text: "who is right", Mention: true, ReplyTo: forward}, "who is right\n\n[in reply to ou_boris]\n> Forwarded messages:\n> ou_1: A\n> ou_2: B", "en", ""},
			{"what was recalled", feishutest.Said{Text: "and this", Mention: true, ReplyTo: gone}, "and this\n\n[in reply to a message that cannot be read]", "en", ""},
			{"a long one", feishutest.Said{Text: "sum it up", Mention: true, ReplyTo: long}, "sum it up\n\n[in reply to ou_boris]\n> " + strings.Repeat("汉", 1999) + "…", "en", ""},
			{"the bot", feishutest.Said{Text: "go on", ReplyTo: own}, "go on", "", ""},
			{"the bot, with its name", feishutest.Said{Text: "go on", Mention: true, ReplyTo: own}, "go on", "", ""},
			{"by a command", feishutest.Said{Text: "/status", Mention: true, ReplyTo: plan}, "/status", "", ""},
		} {
			tt.said.From = anna
			_, m := heard(tt.said)
			var files []string
			for _, f := range m.Files {
				files = append(files, f.Name)
			}
			if m.Text != tt.want || m.Origin.Lang != tt.lang || strings.Join(files, " ") != tt.file || !m.Addressed {
				t.Errorf("%s: %q, %q, files %q\nwant %q", tt.name, m.Text, m.Origin.Lang, files, tt.want)
			}
		}
		if n := len(r.Calls("get")) - asked; n != 8 {
			t.Errorf("the service was asked %d times, want 8: for what is somebody's, and is to the bot", n)
		}
	})
}

// A thread answers what it began with: that is shown once. Whether a message in private is the bot's own is asked
// for after a restart, and what cannot be had there may be the bot's.
func TestWhatIsAnsweredInThreadsAndInPrivate(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		root := r.Say(feishutest.Said{From: "ou_boris", Chat: group, Text: "the plan", Thread: "omt_1"})
		r.next()
		var got []string
		for range 2 {
			r.Say(feishutest.Said{From: anna, Chat: group, Text: "yes?", Mention: true, ReplyTo: root, Thread: "omt_1"})
			got = append(got, r.next().Text)
		}
		if want := []string{"yes?\n\n[in reply to ou_boris]\n> the plan", "yes?"}; !slices.Equal(got, want) {
			t.Errorf("in a thread: %q, want %q", got, want)
		}
		r.Say(feishutest.Said{From: anna, Text: "hi"})
		own := r.placeholder(r.next().Origin)
		r.connect(feishu.Options{})
		r.run()
		synctest.Wait()
		r.Fail(feishutest.Fault{Method: "get", Code: 230002, Times: 1})
		for range 2 {
			r.Say(feishutest.Said{From: anna, Text: "go on", ReplyTo: own})
			if m := r.next(); m.Text != "go on" {
				t.Errorf("in private: %q", m.Text)
			}
		}
	})
}
