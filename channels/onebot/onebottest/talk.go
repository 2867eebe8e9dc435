package onebottest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// conn is one connection to the bot.
type conn struct {
	ws   *websocket.Conn
	url  string // of the bot, in reverse mode
	role string
	mute chan struct{} // closed: neither pings nor actions are answered any more
	once sync.Once
}

func newConn(url, role string) *conn { return &conn{url: url, role: role, mute: make(chan struct{})} }

// pong says whether a ping is answered.
func (c *conn) pong(context.Context, []byte) bool {
	select {
	case <-c.mute:
		return false
	default:
		return true
	}
}

func (c *conn) silence() { c.once.Do(func() { close(c.mute) }) }

// Fault is trouble ordered by a test: the actions it meets go wrong.
type Fault struct {
	Action string // "" is any
	Sends  bool   // only those that put something into a chat
	Chat   string // "" is any: a group's number, or "user:" and a person's
	Code   int    // retcode of the answer, with status failed
	Words  string

	// When looks at the segments of what is sent; nil meets them all.
	When func(message string) bool

	Async bool          // status async, without data
	Hang  bool          // no answer at all
	Cut   bool          // the connection breaks in place of an answer
	Apply bool          // the action takes effect before it goes wrong
	Delay time.Duration // the answer comes later, and others may come before it
	Times int           // how many actions; 0 is one, -1 all
}

// Fail orders trouble; several faults are met in the order in which they were ordered.
func (p *Program) Fail(f Fault) { p.faults.Order(f, f.Times) }

// Heal takes back all faults.
func (p *Program) Heal() { p.faults.Heal() }

// meets reports whether an action goes wrong by this fault.
func (f Fault) meets(action string, params map[string]json.RawMessage) bool {
	sends := strings.HasPrefix(action, "send_") || strings.HasPrefix(action, "upload_")
	switch {
	case f.Action != "" && f.Action != action, f.Sends && !sends:
		return false
	case f.When != nil && !(sends && f.When(string(params["message"]))):
		return false
	}
	return f.Chat == "" || sends && f.Chat == chatOf(action, params)
}

// Silence makes the connections half open: they stand, but nothing is answered.
func (p *Program) Silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.silence()
	}
}

// talk serves a connection until it breaks; ready is closed once it counts.
func (p *Program) talk(c *conn, ready chan<- struct{}) {
	ws := c.ws
	ws.SetReadLimit(128 << 20)
	ctx, cancel := context.WithCancel(p.ctx)
	var wg sync.WaitGroup
	defer func() {
		cancel()
		_ = ws.CloseNow()
		wg.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, c)
		p.Touch()
	}()
	p.mu.Lock()
	p.conns[c] = true
	p.opened++
	p.Touch()
	p.mu.Unlock()
	close(ready)
	p.write(c, map[string]any{"post_type": "meta_event", "meta_event_type": "lifecycle", "sub_type": "connect", "self_id": p.number(p.Self), "time": 1_700_000_000})
	wg.Go(func() { p.beats(ctx, c) })
	for {
		_, body, err := ws.Read(ctx)
		if err != nil {
			return
		}
		if !c.pong(ctx, nil) {
			continue
		}
		wg.Go(func() { p.carryOut(ctx, c, body) })
	}
}

func (p *Program) beats(ctx context.Context, c *conn) {
	if p.opts.Beat <= 0 {
		return
	}
	tick := time.NewTicker(p.opts.Beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.mute:
			return
		case <-tick.C:
			p.write(c, p.Beat(true))
		}
	}
}

// Beat is a sign of life; Push sends it.
func (p *Program) Beat(online bool) map[string]any {
	return map[string]any{
		"post_type": "meta_event", "meta_event_type": "heartbeat", "self_id": p.number(p.Self), "time": 1_700_000_000,
		"interval": p.opts.Beat.Milliseconds(), "status": map[string]any{"online": online, "good": online},
	}
}

func (p *Program) write(c *conn, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	_ = c.ws.Write(ctx, websocket.MessageText, body)
}

// Push sends an event to all connections that carry events, as it stands.
func (p *Program) Push(event any) {
	p.mu.Lock()
	var to []*conn
	for c := range p.conns {
		if c.role != "API" {
			to = append(to, c)
		}
	}
	p.mu.Unlock()
	for _, c := range to {
		p.write(c, event)
	}
}

func (p *Program) carryOut(ctx context.Context, c *conn, body []byte) {
	var in struct {
		Action string                     `json:"action"`
		Params map[string]json.RawMessage `json:"params"`
		Echo   json.RawMessage            `json:"echo"`
	}
	if json.Unmarshal(body, &in) != nil {
		p.write(c, map[string]any{"status": "failed", "retcode": 1400})
		return
	}
	f, _ := p.faults.Meet(func(f Fault) bool { return f.meets(in.Action, in.Params) })
	trouble := f.Code != 0 || f.Async || f.Hang || f.Cut
	out := answer{Status: "ok"}
	if !trouble || f.Apply {
		out = p.run(in.Action, in.Params)
	}
	switch {
	case f.Code != 0:
		out = answer{Status: "failed", Code: f.Code, Words: f.Words}
	case f.Async:
		out = answer{Status: "async", Code: 1}
	}
	out.Echo = in.Echo
	p.record(in.Action, in.Params, out.Code, f.Hang || f.Cut)
	if f.Delay > 0 {
		select {
		case <-time.After(f.Delay):
		case <-ctx.Done():
		}
	}
	switch {
	case f.Cut:
		_ = c.ws.CloseNow()
	case !f.Hang:
		p.write(c, out)
	}
}

func (p *Program) record(action string, params map[string]json.RawMessage, code int, unanswered bool) {
	if unanswered {
		code = -1
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, Call{Action: action, Params: params, Code: code})
	p.Touch()
}
