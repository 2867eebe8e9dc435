package telegramtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"
)

// Fault is trouble ordered by a test: the requests it meets go wrong.
type Fault struct {
	Method string `json:"method,omitempty"` // "" is any but getUpdates
	Texts  bool   `json:"texts,omitempty"`  // only what brings texts: sendMessage and editMessageText
	Chat   int64  `json:"chat,omitempty"`   // 0 is any

	// When looks at what a text says, with its markup; nil meets them all.
	When func(text string) bool `json:"-"`

	Code        int           `json:"code,omitempty"` // of the answer in place of the right one
	Description string        `json:"description,omitempty"`
	RetryAfter  int           `json:"retry_after,omitempty"` // seconds, with 429
	MigrateTo   int64         `json:"migrate_to,omitempty"`  // with 400: the group has this id now
	Body        string        `json:"body,omitempty"`        // an answer that is no API answer, with Code
	Drop        bool          `json:"drop,omitempty"`        // the connection breaks in place of an answer
	Hang        bool          `json:"hang,omitempty"`        // no answer comes, ever
	Half        bool          `json:"half,omitempty"`        // the answer begins, and no more of it comes
	Reverse     bool          `json:"reverse,omitempty"`     // of getUpdates: the updates come in the wrong order
	Repeat      bool          `json:"repeat,omitempty"`      // of getUpdates: updates that were confirmed come again
	Apply       bool          `json:"apply,omitempty"`       // the method takes effect before it goes wrong
	Delay       time.Duration `json:"delay,omitempty"`       // the answer comes later; with Code 0 it is the right one
	Times       int           `json:"times,omitempty"`       // how many requests; 0 is one, -1 all
}

// Fail orders trouble; several faults are met in the order in which they were ordered.
func (s *Server) Fail(f Fault) { s.faults.Order(f, f.Times) }

// Heal takes back all faults.
func (s *Server) Heal() { s.faults.Heal() }

// meets reports whether a request goes wrong by this fault.
func (f Fault) meets(method string, p params) bool {
	texts := method == "sendMessage" || method == "editMessageText"
	switch {
	case f.Texts && !texts, f.Method == "" && method == "getUpdates", f.Method != "" && f.Method != method:
		return false
	case f.When != nil && !(texts && f.When(p.values["text"])):
		return false
	}
	return f.Chat == 0 || f.Chat == p.int("chat_id")
}

// apiError is an answer with ok false.
type apiError struct {
	code        int
	description string
	retryAfter  int
	migrateTo   int64
}

func refuse(code int, format string, args ...any) *apiError {
	return &apiError{code: code, description: fmt.Sprintf(format, args...)}
}

// Handler serves the Bot API at /bot<token>/<method> and /file/bot<token>/<path>, and the control
// routes at /control/.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	s.control(mux)
	mux.HandleFunc("/file/", s.serveFile)
	mux.HandleFunc("/", s.serveMethod)
	return mux
}

func (s *Server) serveMethod(w http.ResponseWriter, r *http.Request) {
	method, err := s.authorise(r.URL.Path)
	if err != nil {
		s.answer(w, nil, err)
		return
	}
	p, perr := readParams(r)
	if perr != nil {
		s.answer(w, nil, refuse(400, "Bad Request: %v", perr))
		return
	}
	f, met := s.faults.Meet(func(f Fault) bool { return f.meets(method, p) })
	var result any
	if !met || f.Apply || (f.Code == 0 && !f.Drop && !f.Hang && !f.Half) {
		result, err = s.run(r, method, p)
	}
	if met {
		err = s.strike(w, r, f, err)
		result = s.disorder(f, result)
	}
	s.record(method, p, err)
	if f.Body != "" {
		w.WriteHeader(f.Code)
		_, _ = io.WriteString(w, f.Body)
		return
	}
	s.answer(w, result, err)
}

// strike lets a fault happen; it does not return if the connection is to break.
func (s *Server) strike(w http.ResponseWriter, r *http.Request, f Fault, err *apiError) *apiError {
	if f.Delay > 0 {
		timer := time.NewTimer(f.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		case <-s.done:
		}
	}
	if f.Half {
		_, _ = io.WriteString(w, `{"ok":tr`)
		_ = http.NewResponseController(w).Flush() // a recorder cannot
	}
	if f.Hang || f.Half {
		select {
		case <-r.Context().Done():
		case <-s.done:
		}
		panic(http.ErrAbortHandler)
	}
	if f.Drop {
		panic(http.ErrAbortHandler)
	}
	if f.Code == 0 {
		return err
	}
	return &apiError{f.Code, f.Description, f.RetryAfter, f.MigrateTo}
}

func (s *Server) authorise(urlPath string) (method string, err *apiError) {
	rest, ok := strings.CutPrefix(urlPath, "/bot")
	token, method, found := strings.Cut(rest, "/")
	switch {
	case !ok || !found:
		return "", refuse(404, "Not Found")
	case token != s.Token:
		return "", refuse(401, "Unauthorized")
	}
	return method, nil
}

func (s *Server) record(method string, p params, err *apiError) {
	code := 200
	if err != nil {
		code = err.code
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, Call{Method: method, Params: p.values, At: time.Now(), Code: code})
	s.Touch()
}

func (s *Server) answer(w http.ResponseWriter, result any, err *apiError) {
	w.Header().Set("Content-Type", "application/json")
	if err == nil {
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result})
		return
	}
	body := map[string]any{"ok": false, "error_code": err.code, "description": err.description}
	extra := map[string]any{}
	if err.retryAfter > 0 {
		extra["retry_after"] = err.retryAfter
	}
	if err.migrateTo != 0 {
		extra["migrate_to_chat_id"] = err.migrateTo
	}
	if len(extra) > 0 {
		body["parameters"] = extra
	}
	w.WriteHeader(err.code)
	_ = json.NewEncoder(w).Encode(body)
}

func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, "/file/bot"+s.Token+"/")
	s.mu.Lock()
	f, found := s.files[strings.TrimSuffix(path.Base(rest), path.Ext(rest))]
	s.mu.Unlock()
	if !ok || !found {
		s.answer(w, nil, refuse(404, "Not Found"))
		return
	}
	_, _ = w.Write(f.Bytes)
}
