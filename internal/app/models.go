package app

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/egress"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/redact"
)

// probesAtOnce bounds how many endpoints are tried beside each other.
const probesAtOnce = 8

// TriedModel is what became of one configured endpoint when it was tried.
type TriedModel struct {
	llm.Probe
	State       string   `json:"state"` // ok, warn, fail
	Roles       []string `json:"roles" nullable:"false"`
	Window      int      `json:"window"` // tokens
	WindowKnown bool     `json:"window_known"`
}

// TryModels tries every configured endpoint, beside each other and without a daemon. One that a role
// names and that cannot serve it has failed; whatever else is wrong is a warning.
func TryModels(ctx context.Context, cfg config.Config) ([]TriedModel, error) {
	a := &App{Config: cfg, Redact: redact.New(secrets(cfg)...)}
	var err error
	if a.Egress, err = egress.New(egress.Options{Allow: cfg.Outgoing(), Connect: cfg.Patience()}); err != nil {
		return nil, err
	}
	out := make([]TriedModel, len(cfg.Endpoints))
	var eg errgroup.Group
	eg.SetLimit(probesAtOnce)
	for i, e := range cfg.Endpoints {
		eg.Go(func() error {
			out[i] = a.tryModel(ctx, e)
			out[i].WindowKnown = e.Protocol == config.OfflineEndpoint || cfg.IsSet(fmt.Sprintf("endpoints[%d].window", i))
			return nil
		})
	}
	return out, eg.Wait()
}

func (a *App) tryModel(ctx context.Context, e config.Endpoint) TriedModel {
	t := TriedModel{Roles: a.rolesOf(e.Name), Window: e.Window}
	ep, err := a.endpoint(e)
	if err != nil {
		t.Probe = llm.Untried(ep, err)
	} else {
		t.Probe = llm.Try(ctx, ep)
	}
	t.Problem = a.Redact.String(t.Problem)
	t.State = stateOf(t)
	return t
}

// stateOf says how an endpoint stands. Tools are called in the role main alone.
func stateOf(t TriedModel) string {
	switch {
	case !t.OK(slices.Contains(t.Roles, string(llm.RoleMain))) && len(t.Roles) > 0:
		return "fail"
	case t.Problem != "", t.Streaming == llm.Broken, t.Usage == llm.Broken:
		return "warn"
	}
	return "ok"
}

// rolesOf returns the roles that name an endpoint.
func (a *App) rolesOf(name string) []string {
	out := []string{}
	for role, names := range a.Config.Roles.Map() {
		if slices.Contains(names, name) {
			out = append(out, role)
		}
	}
	slices.Sort(out)
	return out
}
