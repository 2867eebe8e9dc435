package app

import (
	"context"
	"fmt"

	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/config"
)

// openAdmin makes the HTTP API of a daemon.
func (a *App) openAdmin(_ context.Context, opts Options) error {
	if !opts.Parts.Serve {
		return nil
	}
	cfg := a.Config
	token, err := config.AdminToken(cfg.Path.Token)
	if err != nil {
		return err
	}
	a.Admin, err = admin.New(admin.Deps{
		Bus: a.Bus, Journal: a.Journal, Projection: a.Projection, Orchestrator: a.Orchestrator, Profiles: a.Profiles,
		Router: a.Router, Tools: a.Tools, Memory: a.Memory, Log: a.log.Named("admin"),
	}, admin.Options{
		Listen: cfg.Admin.Listen, Token: token.Reveal(), TLSCert: cfg.Admin.TLSCert, TLSKey: cfg.Admin.TLSKey, Insecure: cfg.Admin.Insecure,
		DaemonFile: cfg.Path.Daemon, Flows: cfg.Path.Flows, Data: cfg.Path.Data, Reserve: int64(cfg.Disk.Reserve),
	})
	if err != nil {
		return err
	}
	a.onClose("admin", a.Admin.Close)
	a.onRun("admin", a.Admin.Run)
	return nil
}

// Banner says in one line what runs: where it listens, for which home, on how many endpoints.
func (a *App) Banner() string {
	home := a.Config.Path.Home
	switch {
	case a.Admin != nil:
		return fmt.Sprintf("akitad serves %s at %s (%d model endpoints, node %s)", home, a.Admin.URL(), len(a.Config.Endpoints), a.Node)
	case a.Pool != nil:
		return fmt.Sprintf("akitad works for %s as node %s, home %s (%d model endpoints)", a.Config.NATS.URL, a.Node, home, len(a.Config.Endpoints))
	}
	return fmt.Sprintf("akitad runs in %s as node %s", home, a.Node)
}
