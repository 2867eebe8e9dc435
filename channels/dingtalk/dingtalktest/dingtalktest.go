// Package dingtalktest is DingTalk as one robot sees it: the API by which it sends, and the calls by
// which it hears of people. It records every chat, goes wrong on request, and stores nothing. It needs
// no socket: Client reaches it in memory.
package dingtalktest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad/internal/faketest"
)

// URL is where Client finds the API.
const URL = "http://api.dingtalk.test"

// Server is the fake. Its methods may be called by many goroutines at once.
type Server struct {
	AppID  string
	Secret string
	Base   string // where the server is reached; URL if it is by Client

	faults faketest.Faults[Fault]

	mu      sync.Mutex
	token   string
	tokens  int
	next    int
	chats   map[string][]*Message
	media   map[string]File
	calls   []Call
	limited map[string]time.Time // chats that take nothing before
}

// Message is one message of a chat as it stands.
type Message struct {
	ID    string // msgId, or processQueryKey
	From  string // empty: the robot
	Title string
	Text  string
	File  *File
	Gone  bool // it was taken back
}

// File is a file in a chat.
type File struct {
	Name  string
	Bytes []byte
}

// Call is one request as it arrived.
type Call struct{ Path, Body string }

// Fault is trouble ordered by a test: the requests it meets go wrong.
type Fault struct {
	Path   string        // "" is sending
	Chat   string        // "" is any; only of sending
	Status int           // of the answer, with Code in it
	Code   string        // DingTalk's name for the error
	Old    int           // errcode of the old API
	Wait   time.Duration // with a limit: for so long nothing is taken for that chat
	Hang   bool          // no answer
	Cut    bool          // the connection breaks in place of an answer
	Apply  bool          // the request takes effect before it goes wrong
	Times  int           // how many requests; 0 is one, -1 all

	// When looks at the parameters of a message; nil meets them all.
	When func(param string) bool
}

// Throttled is the code by which DingTalk refuses for too many requests.
const Throttled = "Throttling.Api"

// New returns a service with a robot.
func New() *Server {
	return &Server{
		AppID: "dingapp0123456789", Secret: "dingtalk-test-secret", Base: URL,
		chats: map[string][]*Message{}, media: map[string]File{}, limited: map[string]time.Time{},
	}
}

// Client reaches the server in memory.
func (s *Server) Client() *http.Client { return faketest.Client(s) }

// ServeHTTP serves the API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, ok := strings.CutPrefix(r.URL.Path, "/files/"); ok {
		s.serveFile(w, name)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	f := s.fault(r.URL.Path, body)
	trouble := f.Status != 0 || f.Hang || f.Cut || f.Old != 0
	var out reply
	if !trouble || f.Apply {
		out = s.run(r, body)
	}
	switch {
	case f.Status != 0:
		out = failed(f.Status, f.Code)
	case f.Old != 0:
		out = reply{data: map[string]any{"errcode": f.Old, "errmsg": "no"}}
	}
	s.mu.Lock()
	s.calls = append(s.calls, Call{r.URL.Path, string(body)})
	s.mu.Unlock()
	if f.Hang || f.Cut {
		faketest.Break(r, f.Hang)
	}
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	if out.status != 0 {
		w.WriteHeader(out.status)
	}
	_ = json.NewEncoder(w).Encode(out.data)
}

func (s *Server) serveFile(w http.ResponseWriter, code string) {
	s.mu.Lock()
	f, ok := s.media[code]
	s.mu.Unlock()
	if !ok {
		w.WriteHeader(http.StatusForbidden) // as storage with signed addresses does
		return
	}
	_, _ = w.Write(f.Bytes)
}

// sends are the paths by which something comes into a chat.
var sends = []string{"/v1.0/robot/oToMessages/batchSend", "/v1.0/robot/groupMessages/send"}

// Fail orders trouble; several faults are met in the order in which they were ordered.
func (s *Server) Fail(f Fault) { s.faults.Order(f, f.Times) }

// meets reports whether a request goes wrong by this fault.
func (f Fault) meets(path string, sending bool, m sent) bool {
	switch {
	case f.Path == "" && !sending, f.Path != "" && f.Path != path:
		return false
	case f.When != nil && !(sending && f.When(m.Param)):
		return false
	}
	return f.Chat == "" || sending && f.Chat == m.chat()
}

func (s *Server) fault(path string, body []byte) Fault {
	var m sent
	sending := slices.Contains(sends, path)
	_ = json.Unmarshal(body, &m) // other requests have none of it
	s.mu.Lock()
	defer s.mu.Unlock()
	if sending && time.Now().Before(s.limited[m.chat()]) {
		return Fault{Status: 403, Code: Throttled}
	}
	f, _ := s.faults.Meet(func(f Fault) bool { return f.meets(path, sending, m) })
	if f.Wait > 0 {
		s.limited[m.chat()] = time.Now().Add(f.Wait)
	}
	return f
}

// Calls returns the requests for a path so far.
func (s *Server) Calls(path string) (out []Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.Path == path {
			out = append(out, c)
		}
	}
	return out
}

// Chat returns a chat, by the person's staff id or the group's conversation id, with what was taken back.
func (s *Server) Chat(id string) (out []Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.chats[id] {
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

// Keep stores a file that a person sends, and gives its download code.
func (s *Server) Keep(name string, data []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := "code-" + s.id()
	s.media[code] = File{name, data}
	return code
}

func (s *Server) id() string {
	s.next++
	return strconv.Itoa(1000 + s.next)
}

// Say has a person write into a group, or privately to the robot if that is empty. fields are of the
// event, in place of the usual ones. It gives the event and the message's id.
func (s *Server) Say(from, group, text string, fields map[string]any) (event []byte, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id = "msg" + s.id()
	e := map[string]any{
		"msgId": id, "msgtype": "text", "text": map[string]any{"content": text}, "createAt": time.Now().UnixMilli(), "conversationId": "cid-private-" + from,
		"conversationType": "1", "senderId": "$:LWCP_v1:$" + from, "senderStaffId": from, "senderNick": "Nick " + from, "chatbotUserId": "$:LWCP_v1:$robot",
		"robotCode": s.AppID, "isAdmin": false, "sessionWebhook": "https://evil.example/robot/sendBySession?session=x", "sessionWebhookExpiredTime": time.Now().Add(time.Hour).UnixMilli(),
	}
	chat := from
	if group != "" {
		chat = group
		e["conversationType"], e["conversationId"], e["conversationTitle"], e["isInAtList"] = "2", group, "a group", true
		e["text"] = map[string]any{"content": " " + text} // the mention was cut out
	}
	for k, v := range fields {
		e[k] = v
	}
	s.chats[chat] = append(s.chats[chat], &Message{ID: id, From: from, Text: text})
	event, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return event, id
}

// Call returns the request by which an event is told, signed now.
func (s *Server) Call(event []byte) *http.Request { return s.CallAt(event, time.Now()) }

// CallAt is Call with a time of its own.
func (s *Server) CallAt(event []byte, at time.Time) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/hooks/dingtalk", strings.NewReader(string(event)))
	timestamp := strconv.FormatInt(at.UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(s.Secret))
	fmt.Fprintf(mac, "%s\n%s", timestamp, s.Secret)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("timestamp", timestamp)
	r.Header.Set("sign", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return r
}
