package feishu_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// What a message of each type says, and which files it has.
func TestWords(t *testing.T) {
	for _, tt := range []struct {
		name, kind, content string
		mentions            any
		want                string
		files               string // kinds and names
		addressed           bool
	}{
		{name: "plain", content: `{"text":"a <b> & \"c\""}`, want: `a <b> & "c"`},
		{
			name: "keys that begin alike", content: `{"text":"@_user_1 @_user_10 hi"}`,
			mentions: mentions("@_user_1", "ou_a", "Ann", "@_user_10", "ou_t", "Tom"), want: "@Ann @Tom hi",
		},
		{
			name: "the longer key first in the list", content: `{"text":"@_user_10 @_user_1 hi"}`,
			mentions: mentions("@_user_10", "ou_t", "Tom", "@_user_1", "ou_a", "Ann"), want: "@Tom @Ann hi",
		},
		{name: "a key without its mention", content: `{"text":"@_user_12 and @_user_1"}`, mentions: mentions("@_user_1", "ou_a", "Ann"), want: "@_user_12 and @Ann"},
		{name: "a name that looks like a key", content: `{"text":"@_user_1 @_user_2"}`, mentions: mentions("@_user_1", "ou_a", "_user_2", "@_user_2", "ou_b", "Bo"), want: "@_user_2 @Bo"},
		{name: "all", content: `{"text":"@_all 开会"}`, mentions: []any{}, want: "@all 开会"},
		{name: "all, with an entry", content: `{"text":"@_all 开会"}`, mentions: mentions("@_all", "ou_bot", "所有人"), want: "@all 开会"},
		{name: "the bot first", content: `{"text":"@_user_1, what is this?"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "what is this?", addressed: true},
		{name: "the bot in the middle", content: `{"text":"hey @_user_1 what\nnow"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "hey what\nnow", addressed: true},
		{name: "the bot before a comma", content: `{"text":"hey @_user_1, what now"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "hey, what now", addressed: true},
		{name: "the bot before a Chinese stop", content: `{"text":"谢谢 @_user_1。再来"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "谢谢。再来", addressed: true},
		{name: "the bot at the end", content: `{"text":"what now @_user_1"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "what now", addressed: true},
		{name: "the bot and a command", content: `{"text":"@_user_1 /status"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "/status", addressed: true},
		{name: "the bot and a comma of Chinese", content: `{"text":"@_user_1，你好"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "你好", addressed: true},
		{name: "the bot and a wide space", content: `{"text":"@_user_1\u3000你好"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "你好", addressed: true},
		{name: "the bot and a space that does not break", content: `{"text":"@_user_1\u00a0/status"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "/status", addressed: true},
		{
			name: "a post that begins with the bot below its title", kind: "post", want: "周报\n请看", addressed: true, mentions: mentions("@_user_1", "ou_bot", "Akita"),
			content: `{"title":"周报","content":[[{"tag":"at","user_id":"@_user_1"},{"tag":"text","text":" 请看"}]]}`,
		},
		{name: "the bot at the beginning of a line", content: `{"text":"hey\n@_user_1 look"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "hey\nlook", addressed: true},
		{name: "the bot twice", content: `{"text":"@_user_1 @_user_1 /help"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "/help", addressed: true},
		{name: "the bot and a command below", content: `{"text":"@_user_1\n/status"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "/status", addressed: true},
		{name: "the bot and all", content: `{"text":"@_all @_user_1 开会"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "@all 开会", addressed: true},
		{name: "the bot after a letter", content: `{"text":"问@_user_1好"}`, mentions: mentions("@_user_1", "ou_bot", "Akita"), want: "问好", addressed: true},
		{
			name: "post with all and the bot", kind: "post", want: "@all\n开会", addressed: true, mentions: mentions("@_user_1", "ou_bot", "Akita"),
			content: `{"content":[[{"tag":"at","user_id":"@_all"},{"tag":"at","user_id":"@_user_1"}],[{"tag":"text","text":"开会"}]]}`,
		},
		{
			name: "post with a fence in its code", kind: "post", want: "````go\n```\nx\n```\n````",
			content: `{"content":[[{"tag":"code_block","language":"GO","text":"` + "```\\nx\\n```" + `"}]]}`,
		},
		{
			name: "post with an address of odd letters", kind: "post", want: "[a [b](https://e.test/a_(b))",
			content: `{"content":[[{"tag":"a","text":"a [b","href":"https://e.test/a_(b)"}]]}`,
		},
		{name: "somebody else", content: `{"text":"@_user_1 hi"}`, mentions: mentions("@_user_1", "ou_a", "Ann"), want: "@Ann hi"},
		{name: "an address", content: `{"text":"mail a@b.c @"}`, want: "mail a@b.c @"},
		{
			name: "post, flat", kind: "post", want: "- 买牛奶\n- 寄快递",
			content: `{"title":"","content":[[{"tag":"text","text":"- 买牛奶"}],[{"tag":"text","text":"- 寄快递"}]]}`,
		},
		{name: "post by language", kind: "post", content: `{"en_us":{"title":"T","content":[[{"tag":"text","text":"b"}]]}}`, want: "T\nb"},
		{name: "post, wrapped", kind: "post", content: `{"post":{"ja_jp":{"content":[[{"tag":"text","text":"b"}]]}}}`, want: "b"},
		{
			name: "post with a mention and a picture", kind: "post", want: "看图", files: "photo? image-1.jpg", addressed: true,
			content:  `{"title":"","content":[[{"tag":"at","user_id":"@_user_1"},{"tag":"text","text":" 看图"}],[{"tag":"img","image_key":"img_v3_1"}]]}`,
			mentions: mentions("@_user_1", "ou_bot", "Akita"),
		},
		{
			name: "post with all elements", kind: "post", mentions: mentions("@_user_2", "ou_a", "Ann"),
			content: `{"content":[[{"tag":"a","text":"docs","href":"http://e.test"},{"tag":"text","text":" "},{"tag":"at","user_id":"@_user_2"},{"tag":"emotion","emoji_type":"SMILE"}],` +
				`[{"tag":"hr"}],[{"tag":"md","text":"**hi**"}],[{"tag":"code_block","language":"GO","text":"x := 1\n"}],[{"tag":"hologram","text":"still here"}],` +
				`[{"tag":"media","file_key":"f1","file_name":"v.mp4"}],[{"tag":"at","user_id":"all"}]]}`,
			want: "[docs](http://e.test) @Ann[SMILE]\n---\n**hi**\n```go\nx := 1\n```\nstill here\n\n@all", files: "v.mp4",
		},
		{
			name: "post with files beside its lines", kind: "post", want: "看看", files: "a.pdf, b.txt",
			content: `{"title":"","content":[[{"tag":"text","text":"看看"},{"tag":"file","file_key":"f1","file_name":"a.pdf"}]],"files":[{"file_key":"f1","file_name":"a.pdf"},{"file_key":"f2","file_name":"b.txt"},3]}`,
		},
		{name: "post of files alone", kind: "post", files: "b.txt", content: `{"files":[{"file_key":"f2","file_name":"b.txt"}]}`},
		{
			name: "post with odd fields", kind: "post", want: "a1true\nword\nlone\n3",
			content: `{"content":[[{"tag":"text","text":"a","style":"bold"},{"tag":"text","text":1,"style":{"bold":true}},{"tag":["x"],"text":true}],["word",null,[],{}],{"tag":"text","text":"lone","style":7},3]}`,
		},
		{name: "mentions that are no list", content: `{"text":"@_all hi"}`, mentions: map[string]any{}, want: "@all hi"},
		{name: "mentions of odd kinds", content: `{"text":"@_user_1 @_user_2 hi"}`, mentions: []any{"x", nil, map[string]any{"key": "@_user_1", "id": []any{}}, map[string]any{"key": "@_user_2", "id": "ou_b"}}, want: "@_user_1 @ou_b hi"},
		{name: "a text with an odd field", content: `{"text":"hi","options":{}}`, want: "hi"},
		{name: "post with a list of a kind to come", kind: "post", content: `{"content":[[{"tag":"ul","items":[[{"tag":"text","text":"one"}],[{"tag":"text","text":"two"}]]}]]}`, want: "one\ntwo"},
		{
			name: "post with words within words", kind: "post", want: "deep [l](http://l)\nlast",
			content: `{"content":[[{"tag":"future","elements":[[{"tag":"text","text":"deep "},{"tag":"a","text":"l","href":"http://l"}]]}],[{"tag":"box","children":[{"tag":"plain_text","content":"last"}]}]]}`,
		},
		{name: "an empty post", kind: "post", content: `{"title":"","content":[]}`, want: ""},
		{name: "no post", kind: "post", content: `[1]`, want: "[post]"},
		{name: "image", kind: "image", content: `{"image_key":"img_1"}`, files: "photo image-1.jpg"},
		{name: "file", kind: "file", content: `{"file_key":"f","file_name":"../../etc/passwd"}`, files: "passwd"},
		{name: "file whose name turns around", kind: "file", content: `{"file_key":"f","file_name":"photo\u202egpj.exe"}`, files: "photogpj.exe"},
		{name: "file without a name", kind: "file", content: `{"file_key":"f","file_name":".."}`, files: "file-1"},
		{name: "voice", kind: "audio", content: `{"file_key":"f","duration":2000}`, files: "voice voice-1.opus"},
		{name: "video", kind: "media", content: `{"file_key":"f","image_key":"i","file_name":"a.mp4","duration":2}`, files: "a.mp4"},
		{name: "sticker", kind: "sticker", content: `{"file_key":"k"}`, want: "[sticker]"},
		{name: "shared chat", kind: "share_chat", content: `{"chat_id":"oc_9"}`, want: "[shared chat: oc_9]"},
		{name: "shared contact", kind: "share_user", content: `{"user_id":"ou_9"}`, want: "[shared contact: ou_9]"},
		{name: "location", kind: "location", content: `{"name":"Park","longitude":"1.5","latitude":2}`, want: "[location: Park, 2, 1.5]"},
		{
			name: "to-do", kind: "todo", want: "[to-do: buy milk, due 2023-11-14 22:13 UTC]",
			content: `{"task_id":"t","summary":{"title":"","content":[[{"tag":"text","text":"buy milk"}]]},"due_time":"1700000000000"}`,
		},
		{name: "calendar", kind: "share_calendar_event", content: `{"summary":"sync","start_time":"1700000000000","end_time":"1700003600000"}`, want: "[calendar entry: sync, from 2023-11-14 22:13 UTC to 2023-11-14 23:13 UTC]"},
		{name: "vote", kind: "vote", content: `{"topic":"lunch","options":["a","b"]}`, want: "[vote: lunch; a; b]"},
		{name: "folder", kind: "folder", content: `{"file_key":"f","file_name":"dir"}`, want: "[folder: dir]"},
		{name: "a type of tomorrow", kind: "hologram", content: `{"text":"boo"}`, want: "[hologram message: boo]"},
		{name: "a type of tomorrow, without words", kind: "hologram", content: `7`, want: "[hologram message]"},
		{
			name: "card as it was made", kind: "interactive", want: "Build\n**failed**\nRetry",
			content: `{"header":{"title":{"tag":"plain_text","content":"Build"}},"elements":[{"tag":"div","text":{"tag":"lark_md","content":"**failed**"}},{"tag":"action","actions":[{"tag":"button","text":{"tag":"plain_text","content":"Retry"}}]}]}`,
		},
		{name: "card 2.0", kind: "interactive", content: `{"schema":"2.0","body":{"elements":[{"tag":"markdown","content":"hi"},{"tag":"hr"}]}}`, want: "hi\n---"},
		{name: "card as it is handed on", kind: "interactive", content: `{"title":"Build","elements":[[{"tag":"text","text":"see "},{"tag":"a","text":"log","href":"http://l"}],[{"tag":"img","image_key":"i"}]]}`, want: "Build\nsee [log](http://l)"},
		{
			name: "card with names and a button in a line", kind: "interactive", want: "to @Ann and @ou_2: see [log](http://l)\nRetry\n@all",
			content: `{"elements":[[{"tag":"text","text":"to "},{"tag":"at","user_id":"ou_1","user_name":"Ann"},{"tag":"text","text":" and "},{"tag":"at","user_id":"ou_2"},{"tag":"text","text":": see "},{"tag":"a","text":"log","href":"http://l"},{"tag":"button","text":{"tag":"plain_text","content":"Retry"}},{"tag":"at","user_id":"all"}]]}`,
		},
		{
			name: "card with a table", kind: "interactive", want: "Item | Amount | Note\nbolts | 2.5 | urgent new\nnuts",
			content: `{"schema":"2.0","body":{"elements":[{"tag":"table","columns":[{"name":"i","display_name":"Item"},{"name":"Amount"},{"name":"o","display_name":"Note"},7],` +
				`"rows":[{"i":"bolts","Amount":2.5,"o":[{"text":"urgent"},{"text":"new"}]},{"i":{"content":"nuts"}},null]}]}}`,
		},
		{name: "card in several languages", kind: "interactive", content: `{"header":{"title":{"tag":"plain_text","i18n":{"en_us":"Title","ja_jp":"題"}}},"i18n_elements":{"en_us":[{"tag":"markdown","content":"hello"}],"zh_cn":[{"tag":"markdown","content":"你好"}]}}`, want: "Title\n你好"},
		{name: "card with buttons that lead somewhere", kind: "interactive", content: `{"elements":[{"tag":"action","actions":[{"tag":"button","text":{"tag":"plain_text","content":"Open"},"url":"https://e.test/a"},{"tag":"button","text":{"content":"More"},"behaviors":[{"type":"callback"},{"type":"open_url","default_url":"https://e.test/b"}]},{"tag":"button","text":{"content":"Retry"}}]}]}`, want: "[Open](https://e.test/a)\n[More](https://e.test/b)\nRetry"},
		{name: "post with code beside words", kind: "post", content: `{"content":[[{"tag":"text","text":"see"},{"tag":"code_block","language":"GO","text":"x"},{"tag":"img"},{"tag":"text","text":"and"},{"tag":"hr"}]]}`, want: "see\n```go\nx\n```\nand\n---"},
		{name: "card without words", kind: "interactive", content: `{"elements":[]}`, want: "[card]"},
		{name: "broken content", content: `{"text":`, want: `{"text":`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, feishutest.Options{}, func(r *rig) {
				r.run()
				fields := map[string]any{"content": tt.content}
				if tt.kind != "" {
					fields["message_type"] = tt.kind
				}
				if tt.mentions != nil {
					fields["mentions"] = tt.mentions
				}
				r.Push(wireEvent("e1", "om_x", fields))
				m := r.next()
				var files []string
				for _, f := range m.Files {
					files = append(files, strings.TrimSpace(string(f.Kind)+" "+f.Name))
					if !strings.HasPrefix(f.Remote, "om_x/") {
						t.Errorf("the file's name at the service is %q", f.Remote)
					}
				}
				if want := strings.ReplaceAll(tt.files, "photo? ", ""); m.Text != tt.want || strings.Join(files, ", ") != want || m.Addressed != tt.addressed {
					t.Errorf("got %q, files %q, addressed %v\nwant %q, %q, %v", m.Text, files, m.Addressed, tt.want, want, tt.addressed)
				}
			})
		})
	}
}

// The session hangs on chat and thread: a quotation opens none of its own.
func TestOrigin(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		for i, tt := range []struct {
			fields map[string]any
			want   akitad.Origin
		}{
			{map[string]any{"thread_id": "omt_1", "root_id": "om_a"}, akitad.Origin{Chat: group, Thread: "omt_1", Group: true}},
			{map[string]any{"root_id": "om_b", "parent_id": "om_b"}, akitad.Origin{Chat: group, Group: true}},
			{map[string]any{}, akitad.Origin{Chat: group, Group: true}},
			{map[string]any{"chat_id": "oc_2", "chat_type": "p2p"}, akitad.Origin{Chat: "oc_2"}},
		} {
			id := "om_" + string(rune('p'+i))
			r.Push(wireEvent("e"+id, id, tt.fields))
			tt.want.Channel, tt.want.Sender, tt.want.Message = "feishu", anna, id
			m := r.next()
			if m.Origin != tt.want || m.ID != "fs:"+id || !m.At.Equal(time.UnixMilli(1700000000000)) {
				t.Errorf("got %+v (%s, %s), want %+v", m.Origin, m.ID, m.At, tt.want)
			}
		}
	})
}

// A person has several ids; each is good in an allow list, and the sender is always that of this app.
func TestIdsOfAPerson(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		r.Push(wireEvent("e1", "om_1", map[string]any{"sender": map[string]string{"open_id": "ou_b", "user_id": "a8ff", "union_id": "on_1"}}))
		if m := r.next(); m.Origin.Sender != "ou_b" || !slices.Equal(m.Aliases, []string{"on_1", "a8ff"}) {
			t.Errorf("sender %q, further ids %q", m.Origin.Sender, m.Aliases)
		}
	})
}

// One message comes by several events, hours apart and after a restart: it is one task.
func TestOneMessageIsOneTask(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		tasks, handed := map[akitad.TaskID]bool{}, 0
		what := feishutest.Said{From: anna, Text: "once"}
		id := r.Say(what)
		began := time.Now()
		for i, at := range []time.Duration{0, 15, 315, 3915, 25515} {
			time.Sleep(time.Until(began.Add(at * time.Second)))
			if at == 25515 {
				r.connect(feishu.Options{})
				r.run()
				time.Sleep(time.Second) // so that the service has seen that the connection before is gone
			}
			if i > 0 {
				r.Again(id, what)
			}
			time.Sleep(10 * time.Second)
			for len(r.got) > 0 {
				handed++
				m := <-r.got
				tasks[akitad.DeriveTaskID(m.Origin.Channel, m.ID)] = true
			}
		}
		if len(tasks) != 1 || handed != 2 {
			t.Errorf("%d tasks of %d messages, want one of two: before and after the restart", len(tasks), handed)
		}
	})
}

// The service waits 3 s for an answer: it gets one in time whatever becomes of the message, and a good one
// only when it is stored.
func TestAcknowledgement(t *testing.T) {
	for _, tt := range []struct {
		name    string
		takes   time.Duration
		codes   []int
		handed  int
		atMost  time.Duration
		restart bool
	}{
		{name: "stored at once", codes: []int{200}, handed: 1, atMost: time.Second},
		{name: "stored after a minute", takes: time.Minute, codes: []int{500, 500, 200}, handed: 1, atMost: 3 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, feishutest.Options{Ladder: []time.Duration{15 * time.Second, 5 * time.Minute}}, func(r *rig) {
				handed := 0
				r.runWith(func(context.Context, akitad.Message) error {
					handed++
					time.Sleep(tt.takes)
					return nil
				})
				r.Say(feishutest.Said{From: anna, Text: "hello"})
				time.Sleep(time.Hour)
				var codes []int
				for _, a := range r.Acks() {
					codes = append(codes, a.Code)
					if a.Late || a.After > tt.atMost {
						t.Errorf("answered after %v", a.After)
					}
				}
				if !slices.Equal(codes, tt.codes) || handed != tt.handed {
					t.Errorf("answers %v, handed over %d times, want %v and %d", codes, handed, tt.codes, tt.handed)
				}
				if bad := len(r.Calls("bad ack")) + len(r.Calls("bad frame")); bad > 0 {
					t.Errorf("%d answers were not as the service wants them", bad)
				}
			})
		})
	}
}

// What cannot be stored for now is handed over again; health says so meanwhile.
func TestNotTaken(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		full := errors.New("the disk is full")
		until := time.Now().Add(10 * time.Second)
		r.runWith(func(_ context.Context, m akitad.Message) error {
			if time.Now().Before(until) {
				return full
			}
			r.got <- m
			return nil
		})
		r.Say(feishutest.Said{From: anna, Text: "one"})
		r.Say(feishutest.Said{From: anna, Text: "two"})
		time.Sleep(5 * time.Second)
		if err := r.f.Health(); !errors.Is(err, full) {
			t.Errorf("health = %v", err)
		}
		if a, b := r.next(), r.next(); a.Text != "one" || b.Text != "two" {
			t.Errorf("handed over %q before %q", a.Text, b.Text)
		}
		time.Sleep(time.Minute)
		if err := r.f.Health(); err != nil {
			t.Errorf("health = %v", err)
		}
		r.none(24 * time.Hour) // the service has sent both again meanwhile
	})
}

// A message that can never be stored is passed over; the next one is not held up.
func TestRefusedForGood(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.runWith(func(_ context.Context, m akitad.Message) error {
			if m.Text == "bad" {
				return akitad.Errorf(akitad.InvalidRequest, "never")
			}
			r.got <- m
			return nil
		})
		r.Say(feishutest.Said{From: anna, Text: "bad"})
		r.Say(feishutest.Said{From: anna, Text: "good"})
		if m := r.next(); m.Text != "good" {
			t.Errorf("got %q", m.Text)
		}
	})
}

// A slow chat holds up no other.
func TestChatsDoNotWaitForEachOther(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.runWith(func(ctx context.Context, m akitad.Message) error {
			if m.Text == "slow" {
				<-ctx.Done()
				return ctx.Err()
			}
			r.got <- m
			return nil
		})
		r.Say(feishutest.Said{From: "ou_slow", Text: "slow"})
		r.Say(feishutest.Said{From: anna, Text: "quick"})
		if m := r.next(); m.Text != "quick" {
			t.Errorf("got %q", m.Text)
		}
	})
}

func TestForward(t *testing.T) {
	parts := []feishutest.Said{{From: "ou_1", Text: "A"}, {From: "ou_2", Text: "B", Bot: true}, {From: "ou_1", Type: "image", Raw: `{"image_key":"i"}`}}
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		r.Say(feishutest.Said{From: anna, Parts: parts})
		want := "Forwarded messages:\nou_1: A\nbot: B\nou_1: [image-1.jpg]"
		if m := r.next(); m.Text != want || len(m.Files) != 0 {
			t.Errorf("got %q, want %q", m.Text, want)
		}
		many := slices.Repeat(parts[:1], 70)
		r.Say(feishutest.Said{From: anna, Parts: many})
		if m := r.next(); strings.Count(m.Text, "ou_1: A") != 50 || !strings.HasSuffix(m.Text, "[20 more are left out]") {
			t.Errorf("of 70 messages came %q", m.Text)
		}
		r.Say(feishutest.Said{From: anna, Parts: []feishutest.Said{{From: "ou_1", Text: strings.Repeat("汉", 9000)}}})
		if m := r.next(); len(m.Text) > 13<<10 || !strings.HasSuffix(m.Text, "汉…") {
			t.Errorf("of a long message came %d bytes", len(m.Text))
		}
	})
}

// A forward that cannot be had in time is named, and can be fetched later; the acknowledgement is in time.
func TestForwardLater(t *testing.T) {
	for name, fault := range map[string]feishutest.Fault{"refused": {Method: "get", Code: 230002}, "hanging": {Method: "get", Hang: true}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, feishutest.Options{}, func(r *rig) {
				r.run()
				r.Fail(fault)
				r.Say(feishutest.Said{From: anna, Parts: []feishutest.Said{{From: "ou_1", Text: "A"}}})
				m := r.next()
				if !strings.Contains(m.Text, "could not be read") || len(m.Files) != 1 {
					t.Fatalf("got %+v", m)
				}
				if got := r.read(m.Origin, m.Files[0]); got != "Forwarded messages:\nou_1: A" {
					t.Errorf("fetched %q", got)
				}
				time.Sleep(time.Minute)
				if a := r.Acks(); len(a) != 1 || a[0].Late || a[0].Code != http.StatusOK {
					t.Errorf("answers: %+v", a)
				}
			})
		})
	}
}

// An answer to what the bot wrote is to the bot, after a restart too; one to somebody else is not.
func TestRepliesToTheBot(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		other := r.Say(feishutest.Said{From: anna, Chat: group, Text: "hi all"})
		to := r.next().Origin
		mine := r.placeholder(to)
		for _, restart := range []bool{false, true} {
			if restart {
				r.connect(feishu.Options{})
				r.run()
			}
			for id, want := range map[string]bool{mine: true, other: false} {
				for range 2 {
					r.Say(feishutest.Said{From: anna, Chat: group, Text: "re", ReplyTo: id})
					if m := r.next(); m.Addressed != want || m.ReplyTo != id {
						t.Errorf("restart %v: an answer to %s is addressed %v, want %v", restart, m.ReplyTo, m.Addressed, want)
					}
				}
			}
		}
		if n := len(r.Calls("get")); n != 3 { // other before the restart, both after it
			t.Errorf("the service was asked %d times, want 3", n)
		}
	})
}

// Events of version 1, and of no interest, and none at all.
func TestOtherEvents(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		for _, raw := range []string{
			`{`, `[]`, `{"schema":"2.0","header":{"event_type":"im.message.receive_v1"},"event":{"message":7}}`,
			`{"schema":"2.0","header":{"event_type":"im.message.receive_v1"}}`,
			`{"schema":"2.0","header":{"event_type":"im.chat.updated_v1"},"event":{}}`,
			`{"uuid":"u","type":"event_callback","event":{"type":"add_bot"}}`,
			wireEvent("e", "om_s", map[string]any{"message_type": "system", "content": `{"template":"x"}`}),
			wireEvent("e", "om_n", map[string]any{"sender": map[string]string{}}),
			`{"schema":"2.0","header":{"event_type":"im.message.receive_v1"},"event":{"sender":{"sender_id":{"open_id":"ou_other"},"sender_type":"bot"},"message":{"message_id":"om_b","chat_id":"oc_1","message_type":"text","content":"{\"text\":\"hi\"}"}}}`,
			wireEvent("e", "om_me", map[string]any{"sender": map[string]string{"open_id": "ou_bot"}}),
		} {
			r.Push(raw)
		}
		r.Push(`{"uuid":"u1","token":"t","ts":"1","type":"event_callback","event":{"type":"message","open_message_id":"om_1","open_chat_id":"oc_1","chat_type":"group",` +
			`"msg_type":"text","text":"@bot hi","text_without_at_bot":" hi","is_mention":true,"open_id":"ou_1","parent_id":""}}`)
		if m := r.next(); m.Text != "hi" || !m.Addressed || m.Origin.Sender != "ou_1" || m.ID != "fs:om_1" || !m.Origin.Group {
			t.Errorf("got %+v", m)
		}
		time.Sleep(time.Minute)
		for _, a := range r.Acks() {
			if a.Code != http.StatusOK {
				t.Errorf("what is passed over is answered %d", a.Code)
			}
		}
	})
}
