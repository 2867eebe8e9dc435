package feishutest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Fault is trouble ordered by a test: the requests it meets go wrong.
type Fault struct {
	Method    string `json:"method,omitempty"` // "token", "endpoint", "connect", "info", "send", "reply", "patch", "put", "get", "image", "file", "resource", "react"; "" is send, reply and patch
	Chat      string `json:"chat,omitempty"`   // "" is any
	Formatted bool   `json:"formatted,omitempty"`

	// When looks at the body of what brings a text; nil meets them all.
	When func(body string) bool `json:"-"`

	Status int           `json:"status,omitempty"` // of HTTP; default 400
	Code   int           `json:"code,omitempty"`   // of the answer in place of the right one
	Msg    string        `json:"msg,omitempty"`
	Reset  int           `json:"reset,omitempty"` // seconds, of x-ogw-ratelimit-reset
	Body   string        `json:"body,omitempty"`  // an answer that is no API answer, with Status
	Drop   bool          `json:"drop,omitempty"`  // the connection breaks in place of an answer
	Hang   bool          `json:"hang,omitempty"`  // there is no answer
	Apply  bool          `json:"apply,omitempty"` // the request takes effect before it goes wrong
	Delay  time.Duration `json:"delay,omitempty"` // the answer comes later; with Code 0 it is the right one
	Times  int           `json:"times,omitempty"` // how many requests; 0 is one, -1 all
}

// Fail orders trouble; several faults are met in the order in which they were ordered.
func (s *Server) Fail(f Fault) {
	f.Status = cmp.Or(f.Status, http.StatusBadRequest)
	s.faults.Order(f, f.Times)
}

// Heal takes back all faults.
func (s *Server) Heal() { s.faults.Heal() }

// meets reports whether a request goes wrong by this fault.
func (f Fault) meets(method, chat, body string) bool {
	sends := method == "send" || method == "reply" || method == "patch"
	switch {
	case f.Method == "" && !sends, f.Method != "" && f.Method != method:
		return false
	case f.Formatted && !strings.Contains(body, `markdown`), f.When != nil && !(sends && f.When(body)):
		return false
	}
	return f.Chat == "" || f.Chat == chat
}

// refusal is an answer with a code.
type refusal struct {
	status, code int
	msg          string
	reset        int
}

func refuse(code int, format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, code: code, msg: fmt.Sprintf(format, args...)}
}

// Handler serves the API below /open-apis/, the long connection at /callback/ws/, and the control routes
// at /control/.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	s.control(mux)
	route := func(pattern, method string, open bool, do func(call) (any, *refusal)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, method, open, do) })
	}
	route("POST /open-apis/auth/v3/tenant_access_token/internal", "token", true, taking(s, s.token))
	route("POST /open-apis/auth/v3/app_access_token/internal", "token", true, taking(s, s.token))
	route("POST /callback/ws/endpoint", "endpoint", true, s.endpoint)
	mux.HandleFunc("GET /callback/ws", s.connect)
	route("GET /open-apis/bot/v3/info", "info", false, s.info)
	route("POST /open-apis/im/v1/messages", "send", false, taking(s, s.sendMessage))
	route("POST /open-apis/im/v1/messages/{id}/reply", "reply", false, about(s, s.reply))
	route("PATCH /open-apis/im/v1/messages/{id}", "patch", false, about(s, s.patch))
	route("PUT /open-apis/im/v1/messages/{id}", "put", false, about(s, s.put))
	route("GET /open-apis/im/v1/messages/{id}", "get", false, of(s, s.get))
	route("POST /open-apis/im/v1/messages/{id}/reactions", "react", false, about(s, s.react))
	route("POST /open-apis/im/v1/images", "image", false, s.image)
	route("POST /open-apis/im/v1/files", "file", false, s.file)
	route("GET /open-apis/im/v1/messages/{id}/resources/{key}", "resource", false, of(s, s.resource))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, nil, &refusal{status: 404, code: 404, msg: "404 page not found"})
	})
	return mux
}

// call is one request as the methods see it.
type call struct {
	r    *http.Request
	host string
	body []byte
}

// download is an answer that is a file.
type download struct{ Upload }

func (s *Server) serve(w http.ResponseWriter, r *http.Request, method string, open bool, do func(call) (any, *refusal)) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	c := call{r: r, host: r.Host, body: body}
	var result any
	bad := s.authorise(r, open)
	chat := s.chatOf(method, c)
	f, met := s.faults.Meet(func(f Fault) bool { return f.meets(method, chat, string(body)) })
	if bad == nil && (!met || f.Apply || (f.Code == 0 && f.Body == "" && !f.Drop && !f.Hang && f.Status == http.StatusBadRequest)) {
		result, bad = do(c)
	}
	if met {
		bad = f.strike(r, s.done, bad)
	}
	s.record(method, c, bad)
	if f.Body != "" {
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, f.Body)
		return
	}
	answer(w, result, bad)
}

// chatOf returns the chat that a request is about.
func (s *Server) chatOf(method string, c call) string {
	if method == "send" {
		var body struct {
			Chat string `json:"receive_id"`
		}
		_ = json.Unmarshal(c.body, &body)
		return body.Chat
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.byID[c.r.PathValue("id")]; m != nil {
		return m.Chat
	}
	return ""
}

// strike lets a fault happen; it does not return if the connection is to break.
func (f Fault) strike(r *http.Request, done chan struct{}, bad *refusal) *refusal {
	wait := f.Delay
	if f.Hang {
		wait = 1000 * time.Hour
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		case <-done:
		}
	}
	if f.Drop || f.Hang {
		panic(http.ErrAbortHandler)
	}
	if f.Code == 0 && f.Status == http.StatusBadRequest {
		return bad
	}
	return &refusal{f.Status, f.Code, f.Msg, f.Reset}
}

func (s *Server) authorise(r *http.Request, open bool) *refusal {
	if open {
		return nil
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !ok:
		return &refusal{s.expired, 99991661, "Missing access token for authorization", 0}
	case !s.tokens[token]:
		return &refusal{s.expired, 99991663, "Invalid access token for authorization. Please make a request with token attached.", 0}
	}
	return nil
}

func (s *Server) record(method string, c call, bad *refusal) {
	one := Call{Method: method, Path: c.r.URL.Path, Query: map[string]string{}, Size: len(c.body), At: time.Now()}
	for k := range c.r.URL.Query() {
		one.Query[k] = c.r.URL.Query().Get(k)
	}
	if method != "image" && method != "file" {
		one.Body = string(c.body)
	}
	if bad != nil {
		one.Code = bad.code
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, one)
	s.Touch()
}

// bare is an answer whose fields stand beside the code.
type bare map[string]any

func answer(w http.ResponseWriter, result any, bad *refusal) {
	if f, ok := result.(download); ok && bad == nil {
		w.Header().Set("Content-Type", "application/octet-stream")
		if strings.HasSuffix(f.Name, ".json") {
			w.Header().Set("Content-Type", "application/json")
		}
		w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(f.Name))
		_, _ = w.Write(f.Bytes)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	body := bare{"code": 0, "msg": "success"}
	switch v := result.(type) {
	case bare:
		for k, one := range v {
			body[k] = one
		}
	default:
		body["data"] = v
	}
	if bad != nil {
		body = bare{"code": bad.code, "msg": bad.msg}
		if bad.reset > 0 {
			w.Header().Set("X-Ogw-Ratelimit-Reset", strconv.Itoa(bad.reset))
		}
		if bad.status != 0 {
			w.WriteHeader(bad.status)
		}
	}
	_, _ = w.Write(encode(body))
}
