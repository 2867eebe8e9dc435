package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

const (
	maxErrorBody = 64 << 10 // and of its words, if they stand in an answer, which may be longer
	maxErrorText = 500      // bytes of a server's words that are kept
)

// refused gives the error that a status of 400 and above stands for. The caller closes the body.
func (s *Server) refused(resp *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil && len(body) == 0 {
		body = nil // the status alone says enough
	}
	return s.refusal(resp.StatusCode, body, llm.ParseRetryAfter(resp.StatusCode, resp.Header, time.Now()))
}

// told is what a server says about an error, from whichever of the usual forms.
type told struct {
	code, message string
	wait          time.Duration // how long it asks to be left alone, if it says so in the body
	spent         bool          // the limit that was met does not pass by waiting
	soon          bool          // it does, for it is said when to come again
}

// readTold reads {"error": {message, code, type}}, {"error": "text"}, the same in a list, the error
// object alone, {"errors": [...]}, FastAPI's {"detail": ...} and MiniMax's {"base_resp": ...}. Anything else is taken as
// text.
func readTold(body []byte) told {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	body = Inner(body, "error")
	var outer struct {
		Error  json.RawMessage `json:"error"`
		Errors json.RawMessage `json:"errors"`
		Detail json.RawMessage `json:"detail"`
		Base   json.RawMessage `json:"base_resp"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return told{message: plainText(string(body))}
	}
	var base struct {
		Code    Word `json:"status_code"` // 0 is success
		Message Word `json:"status_msg"`
	}
	if json.Unmarshal(outer.Base, &base) == nil && base.Code != "" && base.Code != "0" {
		return told{code: "base_resp:" + string(base.Code), message: string(base.Message)}
	}
	var several List
	_ = several.UnmarshalJSON(outer.Errors) // refuses nothing
	for _, inner := range append([]json.RawMessage{outer.Error}, append(several, outer.Errors, outer.Detail, body)...) {
		if t, ok := readError(inner); ok {
			return t
		}
	}
	return told{message: plainText(string(body))}
}

func readError(raw json.RawMessage) (told, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		return told{message: text}, true
	}
	var obj struct {
		Message  spoken          `json:"message"`
		Msg      spoken          `json:"msg"`       // one-api and others
		Words    spoken          `json:"error_msg"` // Baidu
		Number   Word            `json:"error_code"`
		Code     Word            `json:"code"`
		Type     Word            `json:"type"`
		Class    Word            `json:"__type"` // AWS
		Status   Word            `json:"status"`
		Details  json.RawMessage `json:"details"`
		Metadata json.RawMessage `json:"metadata"`
		Inner    json.RawMessage `json:"innererror"`
	}
	if json.Unmarshal(raw, &obj) != nil {
		if len(raw) > 0 && raw[0] == '[' {
			return told{message: string(Canonical(raw))}, true
		}
		return told{}, false
	}
	var beside struct {
		Raw     Word            `json:"raw"`
		Code    Word            `json:"code"`
		Headers map[string]Word `json:"headers"`
	}
	_ = json.Unmarshal(obj.Metadata, &beside) // what has another form says nothing
	_ = json.Unmarshal(obj.Inner, &beside)
	t := told{wait: waitOf(beside.Headers)}
	for _, c := range []Word{obj.Code, obj.Number, obj.Type, obj.Class, obj.Status, beside.Code} {
		t.addCode(strings.TrimSuffix(string(c), ".0"))
	}
	t.addDetails(obj.Details)
	t.addWords(string(cmp.Or(obj.Message, obj.Msg, obj.Words)))
	t.addWords(string(beside.Raw))
	return t, t != told{}
}

func (t *told) addCode(code string) { t.code = strings.TrimSpace(t.code + " " + code) }

// addWords adds what a server says in words. Gateways and libraries put there the whole of what they were told
// themselves.
func (t *told) addWords(words string) {
	if trimmed := strings.TrimSpace(words); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[{") {
		if in := readTold([]byte(trimmed)); in.code != "" {
			t.addCode(in.code)
			words, t.wait, t.spent, t.soon = in.message, max(t.wait, in.wait), t.spent || in.spent, t.soon || in.soon
		}
	}
	t.message = strings.TrimSpace(t.message + " " + words)
}

// waitOf gives how long another server's headers, which a gateway passes on in the body, ask to be left alone.
func waitOf(headers map[string]Word) time.Duration {
	h := http.Header{}
	for name, value := range headers {
		h.Set(name, string(value))
	}
	return llm.ParseRetryAfter(http.StatusTooManyRequests, h, time.Now())
}

// spoken is what a server says in words, or, if it is an object or a list, the JSON of that.
type spoken string

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing.
func (s *spoken) UnmarshalJSON(data []byte) error {
	var w Word
	_ = w.UnmarshalJSON(data) // refuses nothing
	*s = spoken(w)
	if len(data) > 2 && (data[0] == '{' || data[0] == '[') {
		*s = spoken(Canonical(data))
	}
	return nil
}

// plainText cuts markup out of an error page.
func plainText(s string) string {
	if strings.HasPrefix(strings.TrimSpace(s), "<") {
		return "(a web page)"
	}
	return strings.TrimSpace(s)
}

// ErrorIn gives the error that a 200 holds, or nil if it holds none.
func (s *Server) ErrorIn(data []byte) error {
	t := readTold(data)
	if t == (told{}) || t.code == "" && t.message == plainText(string(data)) {
		return nil
	}
	return s.refusal(0, data, 0)
}

// ErrorOf gives the error that data stands for which are known to be one, whatever their form.
func (s *Server) ErrorOf(data []byte) error { return s.refusal(0, data, 0) }

// ErrorAmong gives the error that a piece of a stream is in place of an answer, or nil if it is none: a
// message with a code, or what calls itself an error. Much else may come between the pieces.
func (s *Server) ErrorAmong(data []byte) error {
	t := readTold(data)
	if t.code == "" || t.message == "" && !strings.Contains(t.code, "error") && statusIn(t.code) == 0 {
		return nil
	}
	return s.refusal(0, data, 0)
}

// refusal is the error for what a server said. status is 0 for an error inside of an answer.
func (s *Server) refusal(status int, body []byte, after time.Duration) error {
	t := readTold(body)
	t.message = t.message[:min(len(t.message), maxErrorBody)]
	kind := kindOf(status, t)
	if after = max(after, t.wait); after == 0 && kind.Temporary() {
		after = waitIn(body[:min(len(body), maxErrorBody)])
	}
	said := s.opts.Redact.String(t.message)
	if len(said) > maxErrorText {
		said = strings.ToValidUTF8(said[:maxErrorText], "") + "…"
	}
	hint := hints[kind]
	if kind == akitad.NotFound {
		hint = "set " + s.opts.Variable + ", or the endpoint's model, to a model that the server has; and see whether base_url is right"
	}
	return &akitad.Error{
		Kind: kind, Op: "ask " + s.model, Hint: hint,
		Err: &llm.ServerError{Status: status, Code: s.opts.Redact.String(t.code), Message: said, RetryAfter: after, Usage: usedBy(body)},
	}
}

var hints = map[akitad.Kind]string{
	akitad.Auth:            "check the endpoint's api_key",
	akitad.Quota:           "check the account's balance and limits",
	akitad.ContextOverflow: "the conversation is too long for this model",
}

// failed gives an error of the transport its kind, and takes secrets out of it.
func (s *Server) failed(caller, live context.Context, err error) error {
	if caller.Err() != nil {
		return fmt.Errorf("ask %s: %w", s.model, caller.Err())
	}
	if cause, ok := errors.AsType[*akitad.Error](context.Cause(live)); ok {
		return &akitad.Error{Kind: cause.Kind, Op: "ask " + s.model, Err: cause.Err, Hint: cause.Hint}
	}
	if e, ok := errors.AsType[*akitad.Error](err); ok {
		if e.Op == "" {
			return &akitad.Error{Kind: e.Kind, Op: "ask " + s.model, Err: s.clean(e.Err), Hint: e.Hint}
		}
		return e
	}
	return &akitad.Error{
		Kind: akitad.Transport, Op: "ask " + s.model, Err: s.clean(err),
		Hint: "check the network and the endpoint's base_url",
	}
}

// clean gives err itself if its text holds no secret, else the text without.
func (s *Server) clean(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if safe := s.opts.Redact.String(text); safe != text {
		return errors.New(safe)
	}
	return err
}

// Mentions reports whether a server's refusal names a field of the request.
func Mentions(err error, field string) bool {
	e, ok := errors.AsType[*llm.ServerError](err)
	return ok && strings.Contains(e.Message, field)
}

// Said gives the code and the words with which a server refused a request, and the status; ok is false
// for any other error.
func Said(err error) (words string, status int, ok bool) {
	e, ok := errors.AsType[*llm.ServerError](err)
	if !ok {
		return "", 0, false
	}
	return e.Code + " " + e.Message, e.Status, true
}
