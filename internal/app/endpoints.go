package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	"github.com/akitad/akitad/internal/egress"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/offline"
	"github.com/akitad/akitad/internal/llm/openai"
)

// openModels makes the router for all model calls, on the configured endpoints or on the model in opts.
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
		Health: a.health, Offline: a.Config.Offline, Tracer: a.Tracer, Log: a.log.Named("llm"), Owner: a.keyRefused,
		Policy: fallback.Policy(a.Config.LLM.Retry), Ceiling: a.Config.LLM.Timeouts.Longest,
	})
	if err == nil {
		a.onRun("controls", func(ctx context.Context) error { return a.Controls.Follow(ctx, a.switched) })
	}
	return err
}

// switched applies the strategy that is forced for all nodes. If it names an endpoint that this node does not
// have, the node uses the automatic strategy.
func (a *App) switched(s controls.State) {
	if err := a.Router.SetStrategy(cmp.Or(s.Strategy, llm.StrategyAuto)); err != nil {
		a.log.Warn("the forced strategy cannot be followed here", zap.String("strategy", s.Strategy), zap.Error(err))
		_ = a.Router.SetStrategy(llm.StrategyAuto) // this one always exists
	}
}

// endpoints returns the endpoints, and which of them serve each role.
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

// consult returns passages of the indexed documents that answer a question.
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

// endpoint makes an endpoint from its configuration.
func (a *App) endpoint(e config.Endpoint) (llm.Endpoint, error) {
	ep := llm.Endpoint{
		Name: e.Name, Protocol: e.Protocol, Model: e.Model, Window: e.Window, MaxOutput: e.MaxOutput, MaxInflight: e.MaxInflight,
		Price: llm.Price{Input: e.Price.Input, Cached: e.Price.Cached, Output: e.Price.Output}, Tags: e.Tags, FirstByte: e.FirstByte,
	}
	times := llm.Timeouts{Connect: e.Connect, FirstByte: e.FirstByte, Idle: e.Idle, Whole: e.Whole}
	// The limit of the TLS handshake is longer, so that the endpoint's own limit ends it, with the right kind of failure.
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

// thinkingOf returns the thinking settings of a Gemini endpoint.
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

// healthStore stores the health of endpoints and profiles where every node sees it.
type healthStore struct{ kv *bus.KV }

func (s healthStore) Load(ctx context.Context, name string) ([]byte, uint64, error) {
	return s.kv.Get(ctx, name)
}

func (s healthStore) Save(ctx context.Context, name string, body []byte, rev uint64) error {
	_, err := s.kv.Update(ctx, name, body, rev)
	if errors.Is(err, bus.ErrConflict) {
		return fmt.Errorf("%w: %w", fallback.ErrConflict, err)
	}
	return err
}
