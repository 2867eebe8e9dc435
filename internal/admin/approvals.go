package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad/internal/client"
)

type decideIn struct {
	ID   string `path:"id" maxLength:"128" doc:"Id of a question, as the list has it."`
	Body struct {
		Decision string `json:"decision" minLength:"1" maxLength:"10000" doc:"approve, deny, or words of its choices."`
	}
}

func (s *Server) approvals() {
	get(s, "list-approvals", "/v1/approvals", "What tasks ask people: approvals of plans, budgets, failed steps, and questions about the work", s.questions)
	route(s, huma.Operation{
		OperationID: "decide", Method: http.MethodPost, Path: "/v1/approvals/{id}", Summary: "Settle a question; 409 if it is closed",
	}, s.decide)
}

func (s *Server) questions(ctx context.Context) ([]client.Approval, error) {
	s.caughtUp(ctx)
	all, err := s.Orchestrator.AllQuestions(ctx)
	if err != nil {
		return nil, err
	}
	var out []client.Approval
	for _, q := range all {
		out = append(out, client.Approval{
			ID: q.ID, Task: q.Task.ID, Root: q.Task.Sub.Root, Kind: string(q.Kind), Text: q.Text, Choices: listed(q.Choices), Until: q.Until,
			Who: q.Who(), Asked: q.Task.Sub.Text,
		})
	}
	return out, nil
}

func (s *Server) decide(ctx context.Context, in *decideIn) (*taskOut, error) {
	q, err := s.Orchestrator.FindQuestion(ctx, in.ID)
	if err == nil {
		err = s.Orchestrator.Settle(ctx, q, in.Body.Decision, "")
	}
	if err != nil {
		return nil, problem(err)
	}
	return s.after(ctx, string(q.Task.ID), nil)
}
