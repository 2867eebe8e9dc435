package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/orchestrator"
)

// Problem is client.Problem as an error that the framework knows how to answer.
type Problem client.Problem

// Error gives the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus gives the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType says that the body is a problem.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

var statuses = map[akitad.Kind]int{
	akitad.InvalidRequest: http.StatusUnprocessableEntity, akitad.NotFound: http.StatusNotFound,
	akitad.PermissionDenied: http.StatusForbidden, akitad.Overloaded: http.StatusServiceUnavailable,
	akitad.Unavailable: http.StatusServiceUnavailable, akitad.RateLimited: http.StatusTooManyRequests,
	akitad.Expired: http.StatusGone, akitad.Timeout: http.StatusGatewayTimeout, akitad.OverBudget: http.StatusPaymentRequired,
}

// problem makes the answer for an error. A joined error of one kind lists its parts.
func problem(err error) *Problem {
	kind := akitad.KindOf(err)
	status, ok := statuses[kind]
	if !ok {
		status = http.StatusInternalServerError
	}
	p := &Problem{Title: http.StatusText(status), Status: status, Code: string(kind), Detail: err.Error()}
	if e, ok := errors.AsType[*akitad.Error](err); ok {
		p.Hint = e.Hint
	}
	if _, ok := errors.AsType[*disk.Low](err); ok {
		p.Code = "disk_low"
	}
	if _, ok := errors.AsType[*orchestrator.Conflict](err); ok {
		p.Status, p.Title, p.Code = http.StatusConflict, http.StatusText(http.StatusConflict), "conflict"
	}
	if parts, ok := err.(interface{ Unwrap() []error }); ok && len(parts.Unwrap()) > 1 {
		for _, part := range parts.Unwrap() {
			p.Errors = append(p.Errors, part.Error())
		}
		p.Detail = strings.ReplaceAll(p.Detail, "\n", "; ")
	}
	return p
}

// httpCodes name what goes wrong before a handler is reached.
var httpCodes = map[int]string{
	http.StatusBadRequest: "invalid_request", http.StatusUnprocessableEntity: "invalid_request", http.StatusUnauthorized: "unauthorized",
	http.StatusForbidden: "permission_denied", http.StatusNotFound: "no_route", http.StatusMethodNotAllowed: "no_method",
	http.StatusRequestEntityTooLarge: "too_large", http.StatusUnsupportedMediaType: "invalid_request", http.StatusTooManyRequests: "rate_limited",
	http.StatusRequestTimeout: string(akitad.Timeout), http.StatusInternalServerError: string(akitad.Unknown),
}

// asProblem turns the framework's own errors (malformed JSON, a field of the wrong type) into ours.
func (s *Server) asProblem(ctx huma.Context, _ string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	p := &Problem{Title: m.Title, Status: m.Status, Code: httpCodes[m.Status], Detail: m.Detail, Hint: hintFor(m.Status)}
	for _, e := range m.Errors {
		p.Errors = append(p.Errors, strings.TrimSpace(e.Location+" "+e.Message+place(m.Status, e.Value)+s.nearName(ctx.Operation(), e.Location, e.Message)))
	}
	if len(p.Errors) > 0 {
		p.Detail = strings.Join(p.Errors[:min(len(p.Errors), 5)], "; ")
	}
	return p, nil
}

// place says where in a body that is no JSON the mistake is.
func place(status int, body any) string {
	text, ok := body.(string)
	if !ok || status != http.StatusBadRequest {
		return ""
	}
	var v any
	syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal([]byte(text), &v))
	if !ok {
		return ""
	}
	before := text[:min(int(syntax.Offset), len(text))]
	return fmt.Sprintf(" (line %d, byte %d of it)", 1+strings.Count(before, "\n"), len(before)-1-strings.LastIndex(before, "\n"))
}

func hintFor(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "send one JSON object"
	case http.StatusUnsupportedMediaType:
		return "send JSON, with Content-Type: application/json"
	case http.StatusRequestEntityTooLarge:
		return "put long material into files, and files that are on this machine in by path"
	}
	return "see /openapi.json for what each route takes"
}

// refuse answers a request that reached no handler.
func refuse(w http.ResponseWriter, r *http.Request, status int, code, detail, hint string) {
	p := &Problem{Title: http.StatusText(status), Status: status, Code: code, Detail: detail, Hint: hint}
	if openAI(r) {
		writeOpenAIError(w, p)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(p) // a client that is gone cannot be told
}
