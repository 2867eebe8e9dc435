package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
)

type steerIn struct {
	ID   string `path:"id" doc:"A task id; it begins with t_." maxLength:"64"`
	Body struct {
		Text string `json:"text" minLength:"1" doc:"What should be different."`
	}
}

type rateIn struct {
	ID   string `path:"id" doc:"A task id; it begins with t_." maxLength:"64"`
	Body struct {
		Stars int `json:"stars" minimum:"1" maximum:"5"`
	}
}

type retryIn struct {
	ID   string `path:"id" doc:"A task id; it begins with t_." maxLength:"64"`
	Body *struct {
		From *int `json:"from,omitempty" minimum:"0" doc:"How many rounds are kept, with the files as they were then; all that are done if left out."`
	}
}

type rollbackOut struct{ Body client.Rollback }

func (s *Server) actions() {
	for name, act := range map[string]func(context.Context, akitad.TaskID) error{
		"cancel": func(ctx context.Context, id akitad.TaskID) error {
			return s.Orchestrator.Cancel(ctx, id, "asked for over HTTP")
		},
		"pause":    s.Orchestrator.Pause,
		"resume":   s.Orchestrator.Resume,
		"failover": s.Orchestrator.Failover,
	} {
		route(s, huma.Operation{
			OperationID: name + "-task", Method: http.MethodPost, Path: "/v1/tasks/{id}/" + name, Summary: "Action " + name + " on a task",
		}, func(ctx context.Context, in *taskID) (*taskOut, error) {
			return s.after(ctx, in.ID, act(ctx, akitad.TaskID(in.ID)))
		})
	}
	route(s, huma.Operation{OperationID: "steer-task", Method: http.MethodPost, Path: "/v1/tasks/{id}/steer", Summary: "Correct a running task, or answer its question"},
		func(ctx context.Context, in *steerIn) (*taskOut, error) {
			return s.after(ctx, in.ID, s.Orchestrator.Steer(ctx, akitad.TaskID(in.ID), in.Body.Text))
		})
	route(s, huma.Operation{OperationID: "retry-task", Method: http.MethodPost, Path: "/v1/tasks/{id}/retry", Summary: "Reopen a task that failed or was cancelled"},
		func(ctx context.Context, in *retryIn) (*taskOut, error) {
			var from *int
			if in.Body != nil {
				from = in.Body.From
			}
			return s.after(ctx, in.ID, s.Orchestrator.Retry(ctx, akitad.TaskID(in.ID), from))
		})
	route(s, huma.Operation{OperationID: "rollback-task", Method: http.MethodPost, Path: "/v1/tasks/{id}/rollback", Summary: "Undo what a task that has ended wrote into its folder"}, s.rollback)
	route(s, huma.Operation{OperationID: "rate-task", Method: http.MethodPost, Path: "/v1/tasks/{id}/rate", Summary: "Rate a result with 1 to 5 stars"},
		func(ctx context.Context, in *rateIn) (*taskOut, error) {
			return s.after(ctx, in.ID, s.Orchestrator.Rate(ctx, akitad.TaskID(in.ID), in.Body.Stars))
		})
}

// after answers an action with the task as it then is.
func (s *Server) after(ctx context.Context, id string, err error) (*taskOut, error) {
	if err != nil {
		return nil, problem(err)
	}
	t, err := s.load(ctx, id)
	if err != nil {
		return nil, problem(err)
	}
	return &taskOut{Status: http.StatusOK, Body: t.View()}, nil
}

func (s *Server) rollback(ctx context.Context, in *taskID) (*rollbackOut, error) {
	did, err := s.Orchestrator.Rollback(ctx, akitad.TaskID(in.ID))
	if err != nil {
		return nil, problem(err)
	}
	t, err := s.load(ctx, in.ID)
	if err != nil {
		return nil, problem(err)
	}
	return &rollbackOut{client.Rollback{ID: t.ID, State: t.State, Restored: did.Restored, Removed: did.Removed}}, nil
}
