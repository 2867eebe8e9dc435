package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/text"
)

// As many tasks are under way at every time as there are people.
const (
	drillClients = 80 // of the HTTP API
	drillChats   = 20

	// drillPatience is how long one task may take, kills and a slow machine included: there, claims end
	// before they are renewed, and much is done twice.
	drillPatience = 10 * time.Minute
)

// question is a request of a client, and the task that it became.
type question struct {
	key, words, session string
	id                  akitad.TaskID
	got                 akitad.Task
}

// job makes the words of a task. Every sixth delegates, every other of these three levels deep; every
// fourth lets programs write.
func (d *drill) job(rng *rand.Rand, name string) string {
	words := fmt.Sprintf("job %s rounds=%d", name, 5+rng.IntN(6))
	switch n := rng.IntN(12); {
	case n == 0:
		words = fmt.Sprintf("job %s rounds=2 split=1 depth=3", name)
	case n == 1:
		words = fmt.Sprintf("job %s rounds=2 split=3", name)
	case n < 5:
		words += fmt.Sprintf(" shell=3 mark=%d", d.mark)
	}
	return words
}

// client asks one thing after the other over HTTP until stop is closed, and waits for each answer. One
// in four has a session and asks three things in a row before it waits; some ask twice.
func (d *drill) client(i int, stop <-chan struct{}) {
	rng := d.rng(uint64(1000 + i))
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		session, burst := "", 1
		if i%4 == 0 {
			session, burst = fmt.Sprintf("s%d", i), 3
		}
		var asked []*question
		for b := range burst {
			name := fmt.Sprintf("h%d-%d-%d", i, n, b)
			q := &question{key: name, words: d.job(rng, name), session: session}
			asked = append(asked, q)
			d.ask(q, "")
		}
		for _, q := range asked {
			d.await(q)
		}
		if rng.IntN(5) == 0 {
			d.ask(asked[0], "")
		}
	}
}

// ask submits a request as often as it takes to have it accepted.
func (d *drill) ask(q *question, wait string) (done bool) {
	deadline := time.Now().Add(drillPatience)
	for time.Now().Before(deadline) {
		status, task := d.post(akitad.TaskRequest{Text: q.words, IdempotencyKey: q.key, Session: q.session, Wait: wait})
		if status != http.StatusOK && status != http.StatusAccepted {
			time.Sleep(20 * time.Millisecond) // the daemon is away
			continue
		}
		if q.id != "" && q.id != task.ID {
			d.t.Errorf("%s became %s and %s", q.key, q.id, task.ID)
		}
		if q.id == "" {
			q.id = task.ID
			d.accepted(q)
		}
		if status == http.StatusOK {
			q.got = task
		}
		return status == http.StatusOK
	}
	d.t.Errorf("%s: nobody took it for %s", q.key, drillPatience)
	return true
}

func (d *drill) accepted(q *question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asks[q.key] = q
	if q.session != "" {
		d.lined[q.session] = append(d.lined[q.session], q.id)
	}
}

// await waits for the task of a request to end.
func (d *drill) await(q *question) {
	for began := time.Now(); time.Since(began) < drillPatience; {
		if d.ask(q, "10s") {
			return
		}
	}
	d.t.Errorf("%s (%s, %q) hangs", q.key, q.id, q.words)
}

// post makes one request; 0 is no answer.
func (d *drill) post(req akitad.TaskRequest) (status int, task akitad.Task) {
	body, err := json.Marshal(req)
	if err != nil {
		d.t.Error(err)
		return 0, task
	}
	d.mu.Lock()
	url, token := d.front.url, d.front.token
	d.mu.Unlock()
	ctx, cancel := context.WithTimeout(d.t.Context(), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/tasks", bytes.NewReader(body))
	if err != nil {
		d.t.Error(err)
		return 0, task
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, task
	}
	defer func() { _ = res.Body.Close() }()
	if json.NewDecoder(res.Body).Decode(&task) != nil {
		return 0, task
	}
	return res.StatusCode, task
}

// chat writes one message after the other, often two at once, until stop is closed, and waits for the
// answers of each.
func (d *drill) chat(chat int64, stop <-chan struct{}) {
	rng := d.rng(uint64(2000 + chat))
	var want []string
	for n := 0; ; n++ {
		select {
		case <-stop:
			d.mu.Lock()
			d.want[chat] = want
			d.mu.Unlock()
			return
		default:
		}
		for b := range 1 + rng.IntN(2) {
			name := fmt.Sprintf("c%d-%d-%d", chat, n, b)
			want = append(want, "done "+name)
			d.srv.Say(chat, 0, d.job(rng, name), telegramtest.Said{})
		}
		ctx, cancel := context.WithTimeout(d.t.Context(), drillPatience)
		err := d.srv.Wait(ctx, func() bool { return len(d.answers(chat)) >= len(want) })
		cancel()
		if err != nil {
			d.t.Errorf("chat %d has the answers %q, want %q", chat, d.answers(chat), want)
			return
		}
	}
}

// answers are a chat's final answers in the order in which they stand.
func (d *drill) answers(chat int64) []string {
	var out []string
	for _, m := range d.srv.FromBot(chat) {
		if strings.Contains(m.Text, "done ") {
			out = append(out, m.Text)
		}
	}
	return out
}

// chats checks that each message of each chat has one answer, in order.
func (d *drill) chats() (messages int) {
	for chat, want := range d.want {
		if got := d.answers(chat); fmt.Sprint(got) != fmt.Sprint(want) {
			d.t.Errorf("chat %d has the answers %q, want %q", chat, got, want)
		}
		messages += len(want)
		for _, m := range d.srv.FromBot(chat) {
			if m.Text == text.En.Received() || m.Text == text.En.Restarted() {
				d.behind++
			}
		}
	}
	return messages
}
