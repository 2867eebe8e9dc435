// Package wecomtest is WeCom as one application sees it: the API by which it sends, and the calls by
// which it hears of people. It records every chat, goes wrong on request, and stores nothing. It needs
// no socket: Client reaches it in memory.
package wecomtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/akitad/akitad/channels/wecom"
	"github.com/akitad/akitad/internal/faketest"
)

// URL is where Client finds the API.
const URL = "http://qyapi.wecom.test"

// Server is the fake. Its methods may be called by many goroutines at once.
type Server struct {
	App wecom.App

	faults faketest.Faults[Fault]

	mu      sync.Mutex
	token   string
	tokens  int
	next    int
	clock   int64
	chats   map[string][]*Message
	media   map[string]File
	codes   map[string]*Message // response codes, of sent cards and of presses
	calls   []Call
	limited map[string]time.Time // chats that take nothing before
	ips     bool                 // the caller's address is not trusted
}

// Message is one message of a chat as it stands.
type Message struct {
	ID      string // msgid, or the task id of a card
	From    string // empty: the application
	Type    string
	Text    string
	Buttons []Button
	File    *File
	Gone    bool // it was taken back
}

// Button is one of a card.
type Button struct{ Text, Key string }

// File is a file in a chat.
type File struct {
	Name  string
	Bytes []byte
}

// Call is one request as it arrived.
type Call struct {
	Path string
	Body string
	Code int64 // errcode of the answer
}

// Fault is trouble ordered by a test: the requests it meets go wrong.
type Fault struct {
	Path   string        // "" is /cgi-bin/message/send
	To     string        // "" is any; only of message/send
	Code   int64         // errcode of the answer
	Status int           // of HTTP, in place of an answer
	Wait   time.Duration // with Code 45009: for so long nothing is taken for that person
	Hang   bool          // no answer
	Cut    bool          // the connection breaks in place of an answer
	Apply  bool          // the request takes effect before it goes wrong
	Times  int           // how many requests; 0 is one, -1 all

	// When looks at the body of a request; nil meets them all.
	When func(body string) bool
}

// New returns a service with an application.
func New() *Server {
	return &Server{
		App:   wecom.App{CorpID: "wwcorp0123456789", AgentID: "1000002", Secret: "wecom-test-secret", AESKey: "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG", Token: "wecom-callback-token"},
		chats: map[string][]*Message{}, media: map[string]File{}, codes: map[string]*Message{}, limited: map[string]time.Time{}, clock: time.Now().Unix(),
	}
}

// Client reaches the server in memory.
func (s *Server) Client() *http.Client { return faketest.Client(s) }

// ServeHTTP serves the API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	f := s.fault(r.URL.Path, body)
	trouble := f.Code != 0 || f.Status != 0 || f.Hang || f.Cut
	out := reply{}
	if !trouble || f.Apply {
		out = s.run(r, body)
	}
	if f.Code != 0 {
		out = failed(f.Code)
	}
	s.record(r.URL.Path, body, out.code)
	switch {
	case f.Hang, f.Cut:
		faketest.Break(r, f.Hang)
	case f.Status != 0:
		w.WriteHeader(f.Status)
	case out.file != nil:
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", out.file.Name))
		_, _ = w.Write(out.file.Bytes)
	default:
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		_ = json.NewEncoder(w).Encode(out.fields())
	}
}

// sends is the path by which something comes into a chat.
const sends = "/cgi-bin/message/send"

// Fail orders trouble; several faults are met in the order in which they were ordered.
func (s *Server) Fail(f Fault) {
	f.Path = cmp.Or(f.Path, sends)
	s.faults.Order(f, f.Times)
}

func (s *Server) fault(path string, body []byte) Fault {
	var to struct {
		User string `json:"touser"`
	}
	_ = json.Unmarshal(body, &to) // other requests have none
	s.mu.Lock()
	defer s.mu.Unlock()
	if path == sends && time.Now().Before(s.limited[to.User]) {
		return Fault{Code: 45009}
	}
	f, _ := s.faults.Meet(func(f Fault) bool {
		return f.Path == path && (f.To == "" || f.To == to.User) && (f.When == nil || f.When(string(body)))
	})
	if f.Wait > 0 {
		s.limited[to.User] = time.Now().Add(f.Wait)
	}
	return f
}

func (s *Server) record(path string, body []byte, code int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, Call{Path: path, Body: string(body), Code: code})
}

// Calls returns the requests for a path so far, or all for "".
func (s *Server) Calls(path string) (out []Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if path == "" || c.Path == path {
			out = append(out, c)
		}
	}
	return out
}

// Chat returns a person's chat, with what was taken back.
func (s *Server) Chat(person string) (out []Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.chats[person] {
		out = append(out, *m)
	}
	return out
}

// Expire makes the access token unknown.
func (s *Server) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = ""
}

// Tokens is how many access tokens were given.
func (s *Server) Tokens() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tokens
}

// Distrust refuses the caller's address from now on.
func (s *Server) Distrust() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ips = true
}
