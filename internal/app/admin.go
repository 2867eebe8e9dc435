package app

import (
	"context"
	"encoding/json"
	"fmt"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/pool"
)

// openAdmin opens the HTTP API.
func (a *App) openAdmin(ctx context.Context, opts Options) error {
	if !opts.Parts.Serve && !opts.Parts.Read {
		return nil
	}
	cfg := a.Config
	token, err := config.AdminToken(cfg.Path.Token)
	if err != nil {
		return err
	}
	daemon := cfg.Path.Daemon
	if opts.Parts.Read {
		daemon = "" // a process that only reads must not be found as the daemon
		if err := a.Orchestrator.CatchUp(ctx); err != nil {
			return err
		}
	}
	a.Redact.Add(token.Reveal())
	var health func() map[string]error
	if a.Gateway != nil {
		health = a.channelHealth
	}
	hooks := a.hooks()
	if cfg.Hooks.Listen != "" {
		hooks = nil
	}
	a.Admin, err = admin.New(admin.Deps{
		Bus: a.Bus, Journal: a.Journal, Projection: a.Projection, Orchestrator: a.Orchestrator, Profiles: a.Profiles,
		Router: a.Router, Tools: admin.Toolbox{Of: a.toolsOf, Call: a.callByHand}, Memory: a.Memory, Knowledge: a.Knowledge, Controls: a.Controls, Health: a.health, Channels: health, Services: a.doors(), Log: a.log.Named("admin"),
	}, admin.Options{
		Listen: cfg.Admin.Listen, Token: token.Reveal(), TLSCert: cfg.Admin.TLSCert, TLSKey: cfg.Admin.TLSKey, Insecure: cfg.Admin.Insecure,
		DaemonFile: daemon, Room: a.room(), Version: opts.Version, Budget: a.budget(), Hooks: hooks,
	})
	if err != nil {
		return err
	}
	a.onClose("admin", a.Admin.Close)
	a.onRun("admin", a.Admin.Run)
	return nil
}

// Banner returns a line that says what runs: the home, the address, the node, the number of model endpoints.
func (a *App) Banner() string {
	home := a.Config.Path.Home
	switch {
	case a.Admin != nil:
		return fmt.Sprintf("akitad serves %s at %s (model endpoints: %d, node %s)", home, a.Admin.URL(), a.modelEndpoints(), a.Node)
	case a.Pool != nil:
		return fmt.Sprintf("akitad works for %s as node %s, home %s (model endpoints: %d)", a.Config.NATS.URL, a.Node, home, a.modelEndpoints())
	}
	return fmt.Sprintf("akitad runs in %s as node %s", home, a.Node)
}

// modelEndpoints counts the model endpoints, without the offline engine.
func (a *App) modelEndpoints() int {
	n := 0
	for _, e := range a.Config.Endpoints {
		if e.Protocol != config.OfflineEndpoint {
			n++
		}
	}
	return n
}

// Known returns the names that a plan may use in a home, without starting anything.
func Known(ctx context.Context, cfg config.Config) (plan.Known, error) {
	a, err := look(ctx, cfg)
	if err != nil {
		return plan.Known{}, err
	}
	k := plan.Known{Profiles: a.Profiles.Names(), ToolSchemas: map[string]json.RawMessage{}, Tags: []string{}}
	for _, role := range llm.Roles() {
		k.Roles = append(k.Roles, string(role))
	}
	for _, e := range cfg.Endpoints {
		k.Roles, k.Tags = append(k.Roles, e.Name), append(k.Tags, e.Tags...)
	}
	k.Waiting = a.Tools.Waiting()
	for _, info := range a.Tools.Steps() {
		k.Tools = append(k.Tools, info.Name)
		k.ToolSchemas[info.Name] = info.Schema
	}
	return k, nil
}

// DisablesNothing gives the words of tools.disabled that name no tool of this version.
func DisablesNothing(ctx context.Context, cfg config.Config) ([]string, error) {
	a, err := look(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return a.known.Nothing(cfg.Tools.Disabled), nil
}

// look loads the profiles and makes the tools, which is possible while a daemon runs. The tools must not be
// called.
func look(ctx context.Context, cfg config.Config) (*App, error) {
	a := &App{Config: cfg, log: zap.NewNop()}
	var err error
	if a.Profiles, err = pool.LoadProfiles(cfg.Path.Agents); a.Profiles == nil {
		return nil, err // one bad file must not prevent the use of the others
	}
	return a, a.openTools(ctx, Options{})
}
