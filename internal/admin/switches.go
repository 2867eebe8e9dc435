package admin

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/controls"
	"github.com/akitad/akitad/internal/llm"
)

type profileIn struct {
	Profile string `path:"profile" maxLength:"40" doc:"Name of a profile."`
}

type agentOut struct{ Body client.Agent }

type strategyIn struct {
	Body struct {
		Strategy string   `json:"strategy" doc:"auto, memory, knowledge, offline, hold, or the name of one endpoint."`
		Known    []string `json:"known,omitempty" doc:"Not read: what was shown may be sent back."`
	}
}

type strategyOut struct{ Body client.Strategy }

// switches are the routes for what holds on all nodes and across restarts.
func (s *Server) switches() {
	if s.Controls != nil {
		for name, turn := range map[string]func(context.Context, string) error{"pause": s.Controls.Pause, "resume": s.Controls.Resume} {
			route(s, huma.Operation{
				OperationID: name + "-agent", Method: http.MethodPost, Path: "/v1/agents/{profile}/" + name, Summary: "Action " + name + " on a profile, on all nodes",
			}, func(ctx context.Context, in *profileIn) (*agentOut, error) { return s.turnAgent(ctx, in.Profile, turn) })
		}
	}
	if s.Router == nil {
		return
	}
	route(s, huma.Operation{OperationID: "show-strategy", Method: http.MethodGet, Path: "/v1/strategy", Summary: "How models are chosen"},
		func(context.Context, *struct{}) (*strategyOut, error) { return s.strategy(), nil })
	route(s, huma.Operation{OperationID: "set-strategy", Method: http.MethodPut, Path: "/v1/strategy", Summary: "Force a strategy on all nodes, until it is set again"}, s.setStrategy)
}

// switched gives what is switched for all nodes.
func (s *Server) switched(ctx context.Context) (controls.State, error) {
	if s.Controls == nil {
		return controls.State{}, nil
	}
	return s.Controls.State(ctx)
}

// turnAgent pauses or resumes a profile that some node knows, or that is paused.
func (s *Server) turnAgent(ctx context.Context, profile string, turn func(context.Context, string) error) (*agentOut, error) {
	all, err := s.agents(ctx)
	if err != nil {
		return nil, problem(err)
	}
	is := func(a client.Agent) bool { return a.Profile == profile }
	switched, err := s.switched(ctx)
	if err != nil {
		return nil, problem(err)
	}
	if !slices.ContainsFunc(all, is) && !switched.IsPaused(profile) {
		if !akitad.ValidName(profile) {
			return nil, problem(unknownProfile(profile, all))
		}
		if _, here, err := s.Bus.AskHere(ctx, profile); err != nil || !here {
			return nil, problem(cmp.Or[error](err, unknownProfile(profile, all)))
		}
	}
	if err := turn(ctx, profile); err != nil {
		return nil, problem(err)
	}
	out := client.Agent{Profile: profile, Where: []string{}, Healthy: true}
	if i := slices.IndexFunc(all, is); i >= 0 {
		out = all[i]
	}
	if switched, err = s.switched(ctx); err != nil {
		return nil, problem(err)
	}
	out.Paused, out.PausedSince = false, nil
	if since, paused := switched.Paused[profile]; paused {
		out.Paused, out.PausedSince = true, &since
	}
	return &agentOut{out}, nil
}

func unknownProfile(profile string, all []client.Agent) error {
	var names []string
	for _, a := range all {
		names = append(names, a.Profile)
	}
	return akitad.Errorf(akitad.NotFound, "there is no profile %q", profile).WithHint("known profiles: " + strings.Join(names, ", "))
}

func (s *Server) strategy() *strategyOut {
	return &strategyOut{client.Strategy{Strategy: s.Router.Strategy(), Known: s.Router.Strategies()}}
}

// setStrategy keeps the strategy for all nodes. This one follows at once.
func (s *Server) setStrategy(ctx context.Context, in *strategyIn) (*strategyOut, error) {
	name, before := strings.TrimSpace(in.Body.Strategy), s.Router.Strategy()
	if err := s.Router.SetStrategy(name); err != nil {
		return nil, problem(err)
	}
	if s.Controls == nil {
		return s.strategy(), nil
	}
	forced := name
	if name == llm.StrategyAuto {
		forced = ""
	}
	if err := s.Controls.Force(ctx, forced); err != nil {
		_ = s.Router.SetStrategy(before) // was in force, so it is known
		return nil, problem(err)
	}
	return s.strategy(), nil
}
