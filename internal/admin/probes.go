package admin

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/journal"
)

// ok is what a part that works says in a probe's answer.
const ok = "ok"

type alive struct {
	Body struct {
		Status string `json:"status"`
	}
}

type readyOut struct {
	Status int
	Body   client.Ready
}

func (s *Server) probes() {
	none := []map[string][]string{}
	route(s, huma.Operation{
		OperationID: "healthz", Method: http.MethodGet, Path: "/healthz", Summary: "Whether the process lives", Security: none,
	}, func(context.Context, *struct{}) (*alive, error) {
		out := &alive{}
		out.Body.Status = ok
		return out, nil
	})
	route(s, huma.Operation{
		OperationID: "readyz", Method: http.MethodGet, Path: "/readyz", Summary: "Whether new tasks are taken and each channel works; 503 if not", Security: none,
	}, func(ctx context.Context, _ *struct{}) (*readyOut, error) { return s.ready(ctx), nil })
	also[client.Ready](s, s.api.OpenAPI().Paths["/readyz"].Get, http.StatusServiceUnavailable, "A part does not work, and which")
}

// ready asks every part each time, so that the answer is never older than the question.
func (s *Server) ready(ctx context.Context) *readyOut {
	out := &readyOut{Status: http.StatusOK, Body: client.Ready{Ready: true, Bus: ok, Intake: ok}}
	say := func(part *string, err error) {
		if err != nil {
			*part, out.Body.Ready, out.Status = err.Error(), false, http.StatusServiceUnavailable
		}
	}
	say(&out.Body.Bus, s.Bus.Healthy(ctx))
	say(&out.Body.Intake, s.intake(ctx))
	if s.Channels == nil {
		return out
	}
	for name, err := range s.Channels() {
		state := ok
		say(&state, err)
		if out.Body.Channels == nil {
			out.Body.Channels = map[string]string{}
		}
		out.Body.Channels[name] = state
	}
	return out
}

// intake says why no new task would be taken: an orchestrator answers as long as it takes messages.
func (s *Server) intake(ctx context.Context) error {
	if err := s.opts.Room.Check(); err != nil {
		return err
	}
	for range 2 { // a busy one may miss the time for an answer once
		_, found, err := s.Bus.AskHere(ctx, journal.OrchestratorProfile)
		if err != nil || found {
			return err
		}
	}
	return errors.New("no orchestrator answers")
}
