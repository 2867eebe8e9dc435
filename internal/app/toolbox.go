package app

import (
	"context"
	"slices"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/builtin"
	"github.com/akitad/akitad/internal/tool/data"
	"github.com/akitad/akitad/internal/tool/extract"
	"github.com/akitad/akitad/internal/tool/knowtool"
	"github.com/akitad/akitad/internal/tool/memtool"
	"github.com/akitad/akitad/internal/window"
)

func (a *App) sandboxOptions() sandbox.Options {
	c := a.Config.Sandbox
	opts := sandbox.Options{
		Hidden: []string{a.Config.Path.Home}, Max: c.Max, Limits: sandbox.Limits{MemoryBytes: int64(c.Memory), OutputBytes: int(c.Output)}, Log: a.log.Named("sandbox"),
	}
	if c.Network {
		opts.Dial = a.Egress.Strict().DialContext
	}
	if c.Backend == sandbox.Bubblewrap || c.Backend == sandbox.Namespaces {
		opts.Rungs = []string{c.Backend}
	}
	return opts
}

// denied returns the tools that policy rules deny to every agent. A rule without a matching tool is an error,
// because it would protect nothing.
func (a *App) denied() ([]string, error) {
	words := a.Config.Policy.Denied()
	for _, w := range words {
		if _, err := a.known.Select([]string{w}); err != nil {
			return nil, akitad.Errorf(akitad.InvalidRequest, "policy.rules: the rule that denies %q protects nothing: %w", w, err)
		}
	}
	return words, nil
}

// filter makes the filter for long outputs of tools.
func (a *App) filter() *filter.Filter {
	return filter.New(filter.Options{Observation: a.Config.Context.Observation, Tokens: window.Tokens})
}

// artifact reads an artifact for the tool read_artifact.
func (a *App) artifact(ctx context.Context, task akitad.TaskID, name string) (builtin.Artifact, error) {
	found, err := a.Journal.Artifact(ctx, task, name)
	return builtin.Artifact(found), err
}

func (a *App) openTools(_ context.Context, _ Options) (err error) {
	a.Sandbox = sandbox.New(a.sandboxOptions())
	tools := builtin.All(builtin.Deps{Sandbox: a.Sandbox, ShellTime: a.Config.Sandbox.Timeout, Network: a.Config.Sandbox.Network, Profiles: a.Profiles.Names, Flows: flow.Shelf{Folder: a.Config.Path.Flows}, Open: a.artifact, Filter: a.filter(), Stickers: a.Config.Path.Stickers})
	ext, err := extract.New()
	if err != nil {
		return err
	}
	tools = append(tools, ext)
	rows, err := data.New(data.Options{})
	if err != nil {
		return err
	}
	tools = append(tools, rows...)
	tools = append(tools, memtool.New(a.Memory, memtool.Options{})...)
	read, err := knowtool.New(a.Knowledge)
	if err != nil {
		return err
	}
	tools = append(tools, read)
	for i, t := range tools {
		tools[i] = tool.Wrap(t, tool.Options{Log: a.log.Named("tool"), Tracer: a.Tracer, Timeout: a.Config.Tools.Timeout})
	}
	if a.known, err = tool.NewRegistry(tools...); err != nil {
		return err
	}
	denied, err := a.denied()
	if err != nil {
		return err
	}
	for _, word := range a.known.Nothing(a.Config.Tools.Disabled) {
		a.log.Warn("tools.disabled switches nothing off", zap.String("word", word))
	}
	a.Tools, err = a.known.Enabled(a.Config.Tools.Enabled, append(denied, a.Config.Tools.Disabled...))
	return err
}

// openAgent returns the tools of a profile's instance: those that the profile names, or all if it names none,
// together with the tools that find and call others, without those that are switched off. A profile with a
// tool of long outputs also gets read_artifact.
func (a *App) openAgent(_ context.Context, p akitad.Profile) ([]tool.Tool, func(context.Context) error, error) {
	if _, err := a.known.Select(p.Core); err != nil {
		return nil, nil, err
	}
	names := p.Tools
	if named, err := a.known.Select(names); err != nil {
		return nil, nil, err
	} else if len(names) > 0 && slices.ContainsFunc(named, func(t tool.Tool) bool { return t.Info().Unbounded }) {
		names = append(slices.Clone(names), builtin.ReadArtifact) // shortened outputs refer to it
	}
	mine, err := a.known.Enabled(names, nil)
	if err != nil {
		return nil, nil, err
	}
	return slices.DeleteFunc(mine.All(), func(t tool.Tool) bool {
		_, on := a.Tools.Get(t.Info().Name)
		return !on
	}), nil, nil
}
