package admin

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/sorting"
	"github.com/akitad/akitad/pool"
)

// get registers a listing that takes nothing.
func get[T any](s *Server, id, path, summary string, list func(context.Context) ([]T, error)) {
	route(s, huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary},
		func(ctx context.Context, _ *struct{}) (*page[T], error) {
			items, err := list(ctx)
			if err != nil {
				return nil, problem(err)
			}
			if items == nil {
				items = []T{}
			}
			return &page[T]{client.Page[T]{Items: items}}, nil
		})
}

func (s *Server) others() {
	get(s, "list-agents", "/v1/agents", "What became of each profile's instances, over all nodes", s.agents)
	get(s, "list-flows", "/v1/flows", "The plans that people wrote", s.listFlows)
	get(s, "list-endpoints", "/v1/endpoints", "How the model endpoints stand", s.endpoints)
	s.usage()
	s.toolRoutes()
	s.switches()
	s.memories()
	s.knowledge()
}

// gather is how long the workers of all nodes have to say what they have.
const gather = 300 * time.Millisecond

// agents adds up what the workers of all nodes say about each profile.
func (s *Server) agents(ctx context.Context) ([]client.Agent, error) {
	answers, err := s.Bus.AskAll(ctx, gather)
	if err != nil {
		return nil, err
	}
	var out []client.Agent
	for _, p := range s.Profiles.Described() {
		out = append(out, client.Agent{Profile: p.Name, Description: p.Description, Where: []string{}})
	}
	for node, stats := range nodes(answers) {
		for _, st := range stats {
			out = add(out, node, st)
		}
	}
	switched, err := s.switched(ctx)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if since, paused := switched.Paused[out[i].Profile]; paused {
			out[i].Paused, out[i].PausedSince = true, &since
		}
		if err := s.health(ctx, &out[i]); err != nil {
			return nil, err
		}
	}
	sorting.By(out, func(a, b client.Agent) int { return cmp.Compare(a.Profile, b.Profile) })
	return out, nil
}

// health fills in how a profile's tasks ended lately.
func (s *Server) health(ctx context.Context, a *client.Agent) error {
	a.Healthy = true
	if s.Health == nil {
		return nil
	}
	h, err := s.Health.Health(ctx, pool.HealthName(a.Profile))
	if err != nil {
		return err
	}
	a.Healthy, a.Error = !h.Degraded(), h.Reason
	if !a.Healthy {
		a.Since, a.NextProbe = &h.Since, &h.Next
	}
	return nil
}

// presence is what a worker answers when somebody asks who is there.
type presence struct {
	Node   string       `json:"node"`
	Agents []pool.Stats `json:"agents"`
}

// nodes gives each node's counts once: a node answers for every profile that it serves.
func nodes(answers [][]byte) map[string][]pool.Stats {
	out := map[string][]pool.Stats{}
	for _, body := range answers {
		var p presence
		if json.Unmarshal(body, &p) == nil && p.Node != "" {
			out[p.Node] = p.Agents
		}
	}
	return out
}

func add(all []client.Agent, node string, st pool.Stats) []client.Agent {
	i := slices.IndexFunc(all, func(a client.Agent) bool { return a.Profile == st.Profile })
	if i < 0 {
		all = append(all, client.Agent{Profile: st.Profile})
		i = len(all) - 1
	}
	a := &all[i]
	a.Where = append(a.Where, node)
	a.Opened, a.Reused, a.Busy, a.Idle = a.Opened+st.Opened, a.Reused+st.Reused, a.Busy+st.Busy, a.Idle+st.Idle
	a.Done, a.Failed = a.Done+st.Done, a.Failed+st.Failed
	if n := a.Done + a.Failed; n > 0 {
		a.Success = float64(a.Done) / float64(n)
	}
	return all
}

func (s *Server) endpoints(ctx context.Context) ([]client.Endpoint, error) {
	if s.Router == nil {
		return nil, nil
	}
	all, err := s.Router.Status(ctx)
	if err != nil {
		return nil, err
	}
	var out []client.Endpoint
	for _, e := range all {
		out = append(out, endpoint(e))
	}
	return out, nil
}

func endpoint(e llm.Status) client.Endpoint {
	out := client.Endpoint{
		Name: e.Name, Protocol: e.Protocol, Model: e.Model, Offline: e.Offline, InFlight: e.InFlight,
		Healthy: !e.Health.Degraded(), Failures: len(e.Health.Failures), Error: e.Health.Reason,
		Calls: e.Tally.Calls, Failed: e.Tally.Failed, Input: e.Tally.Input, Cached: e.Tally.Cached, Output: e.Tally.Output, Cost: e.Tally.Cost,
	}
	if !out.Healthy {
		out.Since, out.NextProbe = &e.Health.Since, &e.Health.Next
	}
	if e.Health.Resting(time.Now()) {
		until := e.Health.Failures[len(e.Health.Failures)-1].Add(fallback.Rest)
		out.RestsUntil = &until
	}
	return out
}
