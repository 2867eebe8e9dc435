package feishu_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

const (
	anna  = "ou_anna"
	group = "oc_group"
)

// rig is a fake service, and a bot connected to it, in one bubble of virtual time.
type rig struct {
	*feishutest.Server
	t    *testing.T
	http *http.Client
	f    *feishu.Feishu
	got  chan akitad.Message
	logs *observer.ObservedLogs
	ran  chan error
	stop context.CancelFunc
}

// bubble runs do with a rig in virtual time.
func bubble(t *testing.T, opts feishutest.Options, do func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, client := feishutest.Direct(t, opts)
		r := &rig{Server: s, t: t, http: client, got: make(chan akitad.Message, 1000)}
		r.connect(feishu.Options{})
		t.Cleanup(func() { r.end(); r.secretsKept() })
		do(r)
	})
}

// connect makes the bot anew.
func (r *rig) connect(opts feishu.Options) {
	r.t.Helper()
	r.end()
	core, logs := observer.New(zapcore.DebugLevel)
	opts.URL, opts.HTTP, opts.Log = r.URL, r.http, zap.New(core)
	f, err := feishu.New(r.AppID, r.Secret, opts)
	if err != nil {
		r.t.Fatal(err)
	}
	r.f, r.logs = f, logs
}

func (r *rig) run() *rig {
	return r.runWith(func(_ context.Context, m akitad.Message) error { r.got <- m; return nil })
}

func (r *rig) runWith(receive feishu.Receive) *rig {
	ctx, cancel := context.WithCancel(r.t.Context())
	ran := make(chan error, 1)
	f := r.f
	go func() { ran <- f.Run(ctx, receive) }()
	r.ran = ran
	r.stop = func() {
		cancel()
		<-ran
	}
	return r
}

func (r *rig) end() {
	if r.stop != nil {
		r.stop()
		r.stop = nil
	}
}

func (r *rig) secretsKept() {
	for _, e := range r.logs.All() {
		line := fmt.Sprint(e.Message, e.ContextMap())
		for _, secret := range []string{r.Secret, "t-fake", "ticket-of-"} {
			if strings.Contains(line, secret) {
				r.t.Errorf("a log line shows a secret: %s", strings.ReplaceAll(line, secret, "SECRET"))
			}
		}
	}
}

// next gives the next message that is handed over.
func (r *rig) next() akitad.Message {
	r.t.Helper()
	select {
	case m := <-r.got:
		return m
	case <-time.After(48 * time.Hour):
		r.t.Fatal("no message came")
		return akitad.Message{}
	}
}

// none checks that nothing is handed over for a while.
func (r *rig) none(d time.Duration) {
	r.t.Helper()
	select {
	case m := <-r.got:
		r.t.Errorf("handed over: %+v", m)
	case <-time.After(d):
	}
}

// meet has anna write to the bot and gives where answers go.
func (r *rig) meet() akitad.Origin {
	r.t.Helper()
	r.Say(feishutest.Said{From: anna, Text: "hello"})
	return r.next().Origin
}

func (r *rig) placeholder(to akitad.Origin) string {
	r.t.Helper()
	id, err := r.f.Placeholder(r.t.Context(), to, "thinking", "")
	if err != nil {
		r.t.Fatal(err)
	}
	return id
}

func (r *rig) final(d akitad.Delivery) []string {
	r.t.Helper()
	ids, err := r.f.Final(r.t.Context(), d)
	if err != nil {
		r.t.Fatal(err)
	}
	return ids
}

// message gives a message as it stands.
func (r *rig) message(chat, id string) feishutest.Message {
	r.t.Helper()
	for _, m := range r.Chat(chat) {
		if m.ID == id {
			return m
		}
	}
	r.t.Fatalf("there is no message %q in %q", id, chat)
	return feishutest.Message{}
}

// shown gives what the bot has written into a chat.
func (r *rig) shown(chat string) string {
	var out []string
	for _, m := range r.FromBot(chat) {
		out = append(out, m.Text)
	}
	return strings.Join(out, "\n")
}

func reply(to akitad.Origin, placeholder, text string) akitad.Delivery {
	return akitad.Delivery{Message: placeholder, Reply: akitad.Reply{Task: "t_1", Origin: to, Text: text}}
}

// wireEvent is a message event as the service writes it.
func wireEvent(event, message string, fields map[string]any) string {
	m := map[string]any{
		"message_id": message, "chat_id": group, "chat_type": "group", "message_type": "text", "content": `{"text":"hi"}`, "create_time": "1700000000000",
	}
	sender := map[string]any{"sender_id": map[string]string{"open_id": anna}, "sender_type": "user"}
	for k, v := range fields {
		if k == "sender" {
			sender["sender_id"] = v
		} else {
			m[k] = v
		}
	}
	body, _ := json.Marshal(map[string]any{
		"schema": "2.0", "header": map[string]string{"event_id": event, "event_type": "im.message.receive_v1"},
		"event": map[string]any{"sender": sender, "message": m},
	})
	return string(body)
}

// mentions makes the mentions of an event: key, id, name, key, id, name ...
func mentions(list ...string) []any {
	out := []any{}
	for i := 0; i < len(list); i += 3 {
		out = append(out, map[string]any{"key": list[i], "id": map[string]string{"open_id": list[i+1]}, "name": list[i+2]})
	}
	return out
}
