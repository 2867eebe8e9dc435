package app

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/controls"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/internal/egress"
	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/offline"
	"github.com/akitad/akitad/internal/llm/openai"
	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/builtin"
	"github.com/akitad/akitad/internal/tool/data"
	"github.com/akitad/akitad/internal/tool/extract"
	"github.com/akitad/akitad/internal/tool/knowtool"
	"github.com/akitad/akitad/internal/tool/memtool"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/memory"
)

func (a *App) workspaceRoot() string { return filepath.Dir(a.Config.Path.Files) }

func (a *App) projectionPath() string { return filepath.Join(a.Config.Path.Data, "tasks.db") }

// room is what the home's disk must have for new work.
func (a *App) room() disk.Room {
	return disk.Room{Path: a.Config.Path.Data, Reserve: int64(a.Config.Disk.Reserve)}
}

// secrets lists what must never leave the process in clear.
func secrets(cfg config.Config) []string {
	out := cfg.Secrets()
	if token, err := os.ReadFile(cfg.Path.Token); err == nil {
		out = append(out, strings.TrimSpace(string(token)))
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// spanSink puts spans on the bus.
type spanSink struct{ bus *bus.Bus }

func (s spanSink) Span(ctx context.Context, span akitad.Span) error {
	body, err := json.Marshal(span)
	if err != nil {
		return err
	}
	return s.bus.PublishSpan(ctx, span.TraceID, body)
}

// memorySource offers what is remembered to the window.
type memorySource struct {
	memory *memory.Memory
	top    int
}

func (s memorySource) Find(ctx context.Context, q window.Query) ([]akitad.Snippet, error) {
	return s.memory.Recall(ctx, memory.Query{Text: q.Text, Person: q.Origin.Keeper(), Also: q.Origin.Hears(), Session: q.Session, Limit: s.top})
}

func (a *App) memoryOptions() memory.Options {
	c := a.Config.Memory
	return memory.Options{Gate: c.Gate, HalfLife: c.HalfLife, Core: int(c.Core), Redactor: a.Redact, Log: a.log.Named("memory")}
}

// core gives what memory holds for every task from there, an entry a line.
func (a *App) core(from akitad.Origin) []string {
	var out []string
	for line := range strings.Lines(a.Memory.Core(memory.Query{Person: from.Keeper(), Also: from.Hears()})) {
		out = append(out, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "- "))
	}
	return out
}

// openModels makes the router that agents, compiler and planner ask: over the configured endpoints,
// or over the one model given.
func (a *App) openModels(ctx context.Context, opts Options) error {
	kv, err := a.Bus.KV(ctx, "health")
	if err != nil {
		return err
	}
	if a.Egress, err = egress.New(egress.Options{Allow: a.Config.Outgoing(), Connect: a.Config.Patience()}); err != nil {
		return err
	}
	endpoints, roles, err := a.endpoints(opts.Model)
	if err != nil {
		return err
	}
	a.health = fallback.NewLedger(healthStore{kv}, fallback.Rules(a.Config.LLM.Health))
	a.Router, err = llm.NewRouter(endpoints, roles, llm.RouterOptions{
		Health: a.health, Offline: a.Config.Offline, Tracer: a.Tracer, Log: a.log.Named("llm"), Owner: a.tellOwner,
		Policy: fallback.Policy(a.Config.LLM.Retry), Ceiling: a.Config.LLM.Timeouts.Longest,
	})
	if err == nil {
		a.onRun("controls", func(ctx context.Context) error { return a.Controls.Follow(ctx, a.switched) })
	}
	return err
}

// switched takes over the strategy that is forced for all nodes. One that names an endpoint which this
// node does not have cannot be followed: the node chooses by itself.
func (a *App) switched(s controls.State) {
	if err := a.Router.SetStrategy(cmp.Or(s.Strategy, llm.StrategyAuto)); err != nil {
		a.log.Warn("the forced strategy cannot be followed here", zap.String("strategy", s.Strategy), zap.Error(err))
		_ = a.Router.SetStrategy(llm.StrategyAuto) // is always known
	}
}

// endpoints gives what serves which role.
func (a *App) endpoints(given llm.Provider) (out []llm.Endpoint, roles map[llm.Role][]string, err error) {
	if given != nil {
		one := []string{"given"}
		return []llm.Endpoint{{Name: "given", Protocol: "given", Model: "given", Provider: given}}, map[llm.Role][]string{
			llm.RoleMain: one, llm.RoleCompiler: one, llm.RolePlanner: one, llm.RoleSummarizer: one, llm.RoleJudge: one,
		}, nil
	}
	for _, e := range a.Config.Endpoints {
		ep, err := a.endpoint(e)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, ep)
		if ep.Offline {
			out = append(out, offline.Recollection(), offline.Consultation(a.consult))
		}
	}
	r := a.Config.Roles
	return out, map[llm.Role][]string{
		llm.RoleMain: r.Main, llm.RoleCompiler: r.Compiler, llm.RolePlanner: r.Planner, llm.RoleSummarizer: r.Summarizer, llm.RoleJudge: r.Judge,
	}, nil
}

// consult gives what the documents of this home say to a question, word for word.
func (a *App) consult(ctx context.Context, question string) ([]akitad.Snippet, error) {
	found, err := a.Knowledge.Answer(ctx, question)
	var out []akitad.Snippet
	for _, f := range found {
		out = append(out, akitad.Snippet{Source: "knowledge", ID: strconv.Itoa(f.Line), Title: strings.Join(nonEmpty(filepath.Base(f.Name), f.Title), ", "), Text: f.Text})
	}
	return out, err
}

func nonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(s string) bool { return s == "" })
}

// endpoint makes a configured endpoint callable.
func (a *App) endpoint(e config.Endpoint) (llm.Endpoint, error) {
	ep := llm.Endpoint{
		Name: e.Name, Protocol: e.Protocol, Model: e.Model, Window: e.Window, MaxOutput: e.MaxOutput, MaxInflight: e.MaxInflight,
		Price: llm.Price{Input: e.Price.Input, Cached: e.Price.Cached, Output: e.Price.Output}, Tags: e.Tags, FirstByte: e.FirstByte,
	}
	times := llm.Timeouts{Connect: e.Connect, FirstByte: e.FirstByte, Idle: e.Idle, Whole: e.Whole}
	// The handshake's own time is longer: what ends it first knows the kind of failure.
	client, whole := a.Egress.Client(egress.Timeouts{TLS: 2 * e.Connect, FirstByte: -1}), e.Stream == "off"
	switch e.Protocol {
	case "offline":
		engine := offline.New(offline.Options{})
		ep.Provider, ep.Serves, ep.Offline = engine, engine.Serves, true
	case "openai":
		ep.Provider = openai.New(e.Model, openai.Options{
			BaseURL: e.BaseURL, Key: e.APIKey.Reveal(), Redact: a.Redact, Timeouts: times, HTTP: client, NoStream: whole,
			Vendor: e.Vendor, Strict: e.Strict, TextTools: e.TextTools, Learned: a.learned(e.Name),
		})
	case anthropic.Protocol:
		ep.Provider = anthropic.New(e.Model, anthropic.Options{
			BaseURL: e.BaseURL, Key: e.APIKey.Reveal(), Redact: a.Redact, Timeouts: times, HTTP: client, NoStream: whole,
			Thinking: e.ThinkingTokens(), Adaptive: e.Thinking == config.ThinkAdaptive,
		})
	case gemini.Protocol:
		ep.Provider = gemini.New(e.Model, gemini.Options{
			BaseURL: e.BaseURL, Key: e.APIKey.Reveal(), Redact: a.Redact, Timeouts: times, HTTP: client, NoStream: whole,
			Thinking: thinkingOf(e),
		})
	default:
		return ep, akitad.Errorf(akitad.InvalidRequest, "endpoint %s: the protocol %s is not served by this version", e.Name, e.Protocol).
			WithHint("use an address of the vendor that speaks openai, anthropic or gemini, with that protocol")
	}
	return ep, nil
}

// thinkingOf gives what a Gemini model is told of its thinking.
func thinkingOf(e config.Endpoint) gemini.Thinking {
	switch e.Thinking {
	case config.ThinkAdaptive:
		return gemini.Thinking{Budget: -1}
	case config.ThinkLow, config.ThinkHigh:
		return gemini.Thinking{Level: e.Thinking}
	}
	return gemini.Thinking{Budget: e.ThinkingTokens()}
}

// compiler makes the prompt compiler.
func (a *App) compiler() *compiler.Compiler {
	return compiler.New(a.Router, compiler.Options{
		Mode: compiler.Mode(a.Config.Compiler), Log: a.log.Named("compiler"), Cache: a.Config.CompilerCache,
		First: func() llm.Endpoint { return a.Router.Leads(llm.Request{Role: llm.RoleCompiler}) },
	})
}

// healthStore keeps endpoint health where every node sees it.
type healthStore struct{ kv *bus.KV }

func (s healthStore) Load(ctx context.Context, name string) ([]byte, uint64, error) {
	return s.kv.Get(ctx, name)
}

func (s healthStore) Save(ctx context.Context, name string, body []byte, rev uint64) error {
	_, err := s.kv.Update(ctx, name, body, rev)
	return err
}

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

// context gives the options of every agent's window.
func (a *App) context() window.Options {
	c := a.Config.Context
	return window.Options{
		Strategy: window.Strategy(c.Strategy), MaxTokens: c.MaxTokens, Safety: c.Safety, MaskAt: c.MaskAt, SummarizeAt: c.SummarizeAt,
		ForceAt: c.ForceAt, MaskRounds: c.MaskRounds, KeepRounds: c.KeepRounds,
	}
}

// denied gives the tools that rules take from every agent. A rule that names no tool protects nothing,
// and its owner must hear of it.
func (a *App) denied() ([]string, error) {
	words := a.Config.Policy.Denied()
	for _, w := range words {
		if _, err := a.known.Select([]string{w}); err != nil {
			return nil, akitad.Errorf(akitad.InvalidRequest, "policy.rules: the rule that denies %q protects nothing: %w", w, err)
		}
	}
	return words, nil
}

// filter makes what shortens the outputs of tools.
func (a *App) filter() *filter.Filter {
	return filter.New(filter.Options{Observation: a.Config.Context.Observation, Tokens: window.Tokens})
}

// artifact gives a task what it keeps outside of its context.
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
	a.Tools, err = a.known.Enabled(a.Config.Tools.Enabled, append(denied, a.Config.Tools.Disabled...))
	return err
}

// openAgent gives an instance the tools that its profile names, all of them if it names none, and those
// that lead to others; of all these, the ones that are switched on. Who has a tool whose outputs may be
// long can read on in them.
func (a *App) openAgent(_ context.Context, p akitad.Profile) ([]tool.Tool, func(context.Context) error, error) {
	if _, err := a.known.Select(p.Core); err != nil {
		return nil, nil, err
	}
	names := p.Tools
	if named, err := a.known.Select(names); err != nil {
		return nil, nil, err
	} else if len(names) > 0 && slices.ContainsFunc(named, func(t tool.Tool) bool { return t.Info().Unbounded }) {
		names = append(slices.Clone(names), builtin.ReadArtifact) // what is shown in part says to read on by it
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

// live passes partial text on to whoever watches; it may be lost.
func (a *App) live(task akitad.TaskID, text string) {
	if err := a.Bus.Live(string(task), []byte(a.Redact.String(text))); err != nil {
		a.log.Debug("live text not sent", zap.Error(err))
	}
}
