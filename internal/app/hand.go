package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/redact"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/memory"
	"github.com/akitad/akitad/pool"
	"github.com/akitad/akitad/workspace"
)

// Tools lists the tools that tasks of a profile may call in a home, without starting anything.
func Tools(ctx context.Context, cfg config.Config, profile string) ([]client.Tool, error) {
	a, err := look(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p, tools, err := a.toolsOf(ctx, profile)
	return admin.Tools(p, tools), err
}

// CallTool calls a tool of a home that no daemon serves, outside of any task; see App.callByHand.
func CallTool(ctx context.Context, cfg config.Config, name string, args json.RawMessage, session string) (out client.ToolResult, err error) {
	if err := config.EnsureHome(cfg.Path.Home); err != nil {
		return out, err
	}
	unlock, err := lock(cfg.Path.Lock)
	if err != nil {
		return out, err
	}
	a := &App{Config: cfg, log: zap.NewNop(), Redact: redact.New(secrets(cfg)...)}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx)), unlock()) }()
	if err := a.openHand(ctx); err != nil {
		return out, err
	}
	r, err := a.callByHand(ctx, name, args, session)
	return admin.ToolResult(name, r), err
}

// toolsOf returns a profile and the tools that its tasks may call.
func (a *App) toolsOf(ctx context.Context, profile string) (akitad.Profile, []tool.Tool, error) {
	p, err := a.Profiles.Find(cmp.Or(profile, pool.DefaultProfile))
	if err != nil {
		return p, nil, err
	}
	tools, _, err := a.openAgent(ctx, p)
	return p, tools, err
}

// handFolder is the folder of calls by hand without a session.
const handFolder = "by-hand"

// callByHand makes one tool call for the holder of the admin token, in the folder of an HTTP session, outside of
// any task. Tools that wait or that end a task are refused, and nothing can be rolled back. For a tool that is
// switched off the error is permission_denied.
func (a *App) callByHand(ctx context.Context, name string, args json.RawMessage, session string) (tool.Result, error) {
	c := a.known.Meant(akitad.Call{Tool: name, Args: args})
	t, on := a.Tools.Get(c.Tool)
	if _, known := a.known.Get(c.Tool); known && !on {
		return tool.Result{}, akitad.Errorf(akitad.PermissionDenied, "the configuration keeps %s from being used", c.Tool).
			WithHint("see tools.enabled, tools.disabled and policy.rules in akitad config explain")
	}
	raw, err := a.Tools.Prepare(c.Tool, c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	scope := tool.Scope{Profile: pool.DefaultProfile, Origin: akitad.Origin{Channel: "http"}, Tools: a.Tools.Steps()}
	folder := handFolder
	if session != "" {
		scope.Session = akitad.DeriveSessionKey("http", session)
		folder = string(scope.Session)
	}
	if scope.Dir, err = a.Workspace.Dir(folder); err != nil {
		return tool.Result{}, err
	}
	r, err := t.Call(ctx, tool.Input{Call: c, Args: raw, Scope: scope})
	if err == nil && (r.Suspend != nil || r.Final != nil) {
		err = akitad.Errorf(akitad.InvalidRequest, "%s is of use within a task only", c.Tool).WithHint("submit a task instead: akitad run, or POST /v1/tasks")
	}
	return r, errors.Join(err, scope.Dir.Close())
}

// openHand opens what calls by hand need.
func (a *App) openHand(ctx context.Context) (err error) {
	if a.Workspace, err = workspace.Open(a.workspaceRoot()); err != nil {
		return err
	}
	if a.Memory, err = memory.Open(a.Config.Path.Memory, a.memoryOptions()); err != nil {
		return err
	}
	a.onClose("memory", func(context.Context) error { return a.Memory.Close() })
	a.openKnowledge()
	if a.Profiles, err = pool.LoadProfiles(a.Config.Path.Agents); a.Profiles == nil {
		return err // one bad file must not keep the others from use
	}
	return a.openTools(ctx, Options{})
}
