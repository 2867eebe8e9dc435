package config

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// validate checks what a single key's type cannot say.
func (l *loader) validate(cfg Config) {
	l.choices(cfg)
	l.numbers(cfg)
	l.addresses(cfg)
	l.models(cfg.LLM)
	l.waits("tools", map[string]time.Duration{"timeout": cfg.Tools.Timeout}, time.Hour)
	l.endpoints(cfg)
	l.roles(cfg)
	for _, c := range cfg.Channels.all() {
		l.people(c)
	}
	l.rules(cfg.Policy)
	l.servers(cfg.MCPServers)
}

// bad reports a problem with a key at the place where it was set.
func (l *loader) bad(key, fix, what string, args ...any) {
	l.problem(l.at(key), key, fix, what, args...)
}

// oneOf reports a value that is none of the known ones.
func (l *loader) oneOf(key, value string, known ...string) {
	if !slices.Contains(known, value) {
		l.bad(key, "write one of: "+strings.Join(slices.DeleteFunc(slices.Clone(known), func(s string) bool { return s == "" }), ", "), "%q is not known", clip(value))
	}
}

// choices checks the keys that have a fixed set of values.
func (l *loader) choices(cfg Config) {
	l.oneOf("durability", cfg.Durability, "process", "power")
	l.oneOf("queue", cfg.Queue, "followup", "steer")
	l.oneOf("compiler", cfg.Compiler, "auto", "always", "twin")
	l.oneOf("plan", cfg.Plan, "auto", "ask", "off")
	l.oneOf("supervision", cfg.Supervise, "on", "off")
	l.oneOf("context.filter", cfg.Context.Filter, "on", "off")
	l.oneOf("offline", cfg.Offline, "answer", "hold")
	l.oneOf("context.strategy", cfg.Context.Strategy, "hybrid", "mask", "summary", "window", "off")
	l.oneOf("sandbox.backend", cfg.Sandbox.Backend, "auto", "bubblewrap", "namespaces", "landlock")
	l.oneOf("log.level", cfg.Log.Level, "debug", "info", "warn", "error")
	for i, p := range cfg.Sandbox.Passthrough {
		l.oneOf(fmt.Sprintf("sandbox.passthrough[%d]", i), p, "gh", "aws", "gcloud", "kubectl", "docker")
	}
	l.oneOf("channels.telegram.mode", cfg.Channels.Telegram.Mode, "", "poll", "webhook")
	l.oneOf("channels.feishu.mode", cfg.Channels.Feishu.Mode, "", "websocket", "webhook")
	l.oneOf("channels.onebot.mode", cfg.Channels.OneBot.Mode, "", "reverse", "forward")
	l.oneOf("channels.wecom.mode", cfg.Channels.WeCom.Mode, "", "webhook")
	l.oneOf("channels.dingtalk.mode", cfg.Channels.DingTalk.Mode, "", "webhook")
	if n := cfg.NATS.Replicas; n != 1 && n != 3 && n != 5 {
		l.bad("nats.replicas", "write 1, 3 or 5", "%d is not possible", n)
	}
}

// within reports a number that is not between low and high, both included.
func (l *loader) within(key string, value, low, high float64) {
	if value < low || value > high {
		l.bad(key, fmt.Sprintf("write a value from %g to %g", low, high), "%g is out of range", value)
	}
}

// numbers checks the bounds of numbers, times and sizes.
func (l *loader) numbers(cfg Config) {
	for key, n := range map[string]int{
		"rounds.chat": cfg.Rounds.Chat, "rounds.task": cfg.Rounds.Task,
	} {
		l.within(key, float64(n), 1, MaxRounds)
	}
	for key, n := range map[string]int{
		"pool.per_profile": cfg.Pool.PerProfile, "sandbox.max": cfg.Sandbox.Max, "context.max_tokens": cfg.Context.MaxTokens,
		"context.observation": cfg.Context.Observation, "memory.top": cfg.Memory.Top, "log.keep": cfg.Log.Keep,
	} {
		l.within(key, float64(n), 1, 1e9)
	}
	for key, n := range map[string]float64{
		"compiler_cache": float64(cfg.CompilerCache), "pool.max": float64(cfg.Pool.Max), "context.mask_rounds": float64(cfg.Context.MaskRounds), "context.keep_rounds": float64(cfg.Context.KeepRounds),
		"budgets.input_tokens": float64(cfg.Budgets.InputTokens), "budgets.calls": float64(cfg.Budgets.Calls), "budgets.tasks": float64(cfg.Budgets.Tasks),
		"budgets.person_tokens": float64(cfg.Budgets.PersonTokens), "budgets.person_money": cfg.Budgets.PersonMoney,
	} {
		l.within(key, n, 0, 1e9)
	}
	for _, c := range cfg.Channels.all() {
		l.within("channels."+c.name+".rate", c.Rate, 0, 1e9)
		l.within("channels."+c.name+".long_answer", float64(c.LongAnswer), 0, 1e9)
	}
	for key, n := range map[string]float64{
		"context.safety": cfg.Context.Safety, "context.mask_at": cfg.Context.MaskAt, "context.summarize_at": cfg.Context.SummarizeAt,
		"context.force_at": cfg.Context.ForceAt, "budgets.warn": cfg.Budgets.Warn, "memory.gate": cfg.Memory.Gate,
	} {
		l.within(key, n, 0, 1)
	}
	for key, d := range map[string]time.Duration{
		"pool.idle": cfg.Pool.Idle, "sandbox.timeout": cfg.Sandbox.Timeout,
		"memory.half_life": cfg.Memory.HalfLife, "tracing.keep": cfg.Tracing.Keep, "retention": cfg.Retention, "policy.ask_time": cfg.Policy.AskTime, "transcription.timeout": cfg.Voice.Timeout,
	} {
		if d <= 0 {
			l.bad(key, "write a time above 0, like 30m", "%s leaves no time", d)
		}
	}
	if d := cfg.Budgets.Active; d < 0 {
		l.bad("budgets.active", "write a time like 20m, or 0 for no limit", "%s is below 0", d)
	}
	l.together(cfg)
}

// together checks values that only make sense beside each other.
func (l *loader) together(cfg Config) {
	if cfg.Claim.Renew <= 0 || cfg.Claim.TTL < 2*cfg.Claim.Renew {
		l.bad("claim.ttl", "make claim.ttl at least twice claim.renew", "%s does not outlast two renewals of %s", cfg.Claim.TTL, cfg.Claim.Renew)
	}
	c := cfg.Context
	if c.MaskAt > c.SummarizeAt || c.SummarizeAt > c.ForceAt {
		l.bad("context.mask_at", "keep mask_at <= summarize_at <= force_at", "%g, %g, %g are not in order", c.MaskAt, c.SummarizeAt, c.ForceAt)
	}
	if (cfg.Admin.TLSCert == "") != (cfg.Admin.TLSKey == "") {
		l.bad("admin.tls_cert", "set both admin.tls_cert and admin.tls_key", "certificate and key belong together")
	}
}

// addresses checks the addresses that are listened on and the URLs that are called.
func (l *loader) addresses(cfg Config) {
	host := l.hostPort("admin.listen", cfg.Admin.Listen)
	if host != "" && !loopback(host) && cfg.Admin.TLSCert == "" && !cfg.Admin.Insecure {
		l.bad("admin.listen", "set admin.tls_cert and admin.tls_key, or admin.insecure: true if something else protects it", "%s is reachable from outside without TLS", cfg.Admin.Listen)
	}
	if cfg.NATS.Listen != "" {
		l.hostPort("nats.listen", cfg.NATS.Listen)
	}
	for one := range strings.SplitSeq(cfg.NATS.URL, ",") {
		l.url("nats.url", strings.TrimSpace(one), "nats", "tls", "ws", "wss")
	}
	if cfg.NATS.URL != "" && cfg.NATS.Listen != "" {
		l.bad("nats.listen", "remove one of the two", "nats.listen is of the embedded server, nats.url names another one")
	}
	l.url("tracing.otlp", cfg.Tracing.OTLP, "http", "https")
	for _, c := range cfg.Channels.all() {
		schemes := []string{"http", "https"}
		if c.name == "onebot" {
			schemes = []string{"ws", "wss"}
		}
		l.url("channels."+c.name+".base_url", c.BaseURL, schemes...)
		l.webhookURL("channels."+c.name+".webhook_url", c.WebhookURL, c.name == "telegram")
	}
	l.url("transcription.base_url", cfg.Voice.BaseURL, "http", "https")
	if cfg.Hooks.Listen != "" {
		l.hostPort("hooks.listen", cfg.Hooks.Listen)
	}
}

// hostPort checks a listen address and gives its host; "" after a problem.
func (l *loader) hostPort(key, text string) string {
	host, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		l.bad(key, "write it like 127.0.0.1:7717", "%q is not host:port", clip(text))
		return ""
	}
	if host == "" {
		return "0.0.0.0"
	}
	return host
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// webhookURL checks the address at which a chat service reaches the bot. Telegram calls https only; plain
// http to this machine serves tests.
func (l *loader) webhookURL(key, text string, secure bool) {
	u, err := url.Parse(text)
	if secure && err == nil && u.Scheme == "http" && !loopback(u.Hostname()) && u.Hostname() != "localhost" {
		l.bad(key, "write the https address", "%q is not https, and Telegram calls nothing else", clip(hidden(text)))
		return
	}
	l.url(key, text, "http", "https")
}

// url checks an absolute URL; empty is fine.
func (l *loader) url(key, text string, schemes ...string) {
	if text == "" {
		return
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || !slices.Contains(schemes, u.Scheme) {
		l.bad(key, "write it like "+schemes[0]+"://host:port", "%q is not a URL with %s", clip(hidden(text)), strings.Join(schemes, ", "))
	}
}

// models checks how long models may take, and how often they are asked.
func (l *loader) models(c LLM) {
	t := c.Timeouts
	l.waits("llm.timeouts", map[string]time.Duration{"connect": t.Connect, "first_byte": t.FirstByte, "idle": t.Idle, "whole": t.Whole}, t.Longest)
	l.waits("llm.timeouts", map[string]time.Duration{"longest": t.Longest}, 24*time.Hour)
	l.waits("llm.retry", map[string]time.Duration{"base": c.Retry.Base, "cap": c.Retry.Cap}, time.Hour)
	l.waits("llm.health", map[string]time.Duration{"within": c.Health.Within, "probe": c.Health.Probe}, 24*time.Hour)
	l.within("llm.health.failures", float64(c.Health.Failures), 1, 100)
	l.within("llm.retry.tries", float64(c.Retry.Tries), 1, 20)
	if c.Retry.Base > c.Retry.Cap {
		l.bad("llm.retry.cap", "make it at least llm.retry.base", "%s is shorter than the first wait of %s", c.Retry.Cap, c.Retry.Base)
	}
}

// waits checks the times that are set below one key: each is above 0, and none outlasts what bounds them all.
func (l *loader) waits(at string, times map[string]time.Duration, most time.Duration) {
	for key, d := range times {
		if l.set(at+"."+key) && (d <= 0 || d > most) {
			l.bad(at+"."+key, fmt.Sprintf("write a time above 0 and up to %s, like 45s", most), "%s is out of range", d)
		}
	}
}

// endpoints checks the model endpoints, their names included.
func (l *loader) endpoints(cfg Config) {
	seen := map[string]bool{}
	for i, e := range cfg.Endpoints {
		at := fmt.Sprintf("endpoints[%d]", i)
		if !akitad.ValidName(e.Name) {
			l.bad(at+".name", "use 1 to 40 of a-z, 0-9 and -", "%q cannot be a name", clip(e.Name))
		}
		if seen[e.Name] {
			l.bad(at+".name", "give each endpoint a name of its own", "%q is used twice", clip(e.Name))
		}
		seen[e.Name] = true
		if slices.Contains([]string{"auto", "memory", "knowledge", "hold"}, e.Name) {
			l.bad(at+".name", "give it another name", "%q is the name of a strategy", e.Name)
		}
		l.oneOf(at+".protocol", e.Protocol, "openai", "anthropic", "gemini", OfflineEndpoint)
		if e.Model == "" && e.Protocol != OfflineEndpoint {
			l.bad(at+".model", "write the model's name as its vendor does", "is empty")
		}
		l.url(at+".base_url", e.BaseURL, "http", "https")
		l.key(at, e)
		l.within(at+".window", float64(e.Window), 1000, 1e8)
		l.within(at+".max_output", float64(e.MaxOutput), 1, float64(max(1, e.Window-1)))
		l.within(at+".max_inflight", float64(e.MaxInflight), 1, 1e6)
		l.thinking(at+".thinking", e)
		l.waits(at, map[string]time.Duration{"connect": e.Connect, "first_byte": e.FirstByte, "idle": e.Idle, "whole": e.Whole}, cfg.LLM.Timeouts.Longest)
		l.oneOf(at+".stream", cmp.Or(e.Stream, "on"), "on", "off")
		l.oneOf(at+".strict", cmp.Or(e.Strict, "auto"), "auto", "on", "off")
		if e.Vendor != "" {
			l.oneOf(at+".vendor", e.Vendor, ModelVendors()...)
		}
		for key, p := range map[string]float64{"input": e.Price.Input, "cached": e.Price.Cached, "output": e.Price.Output} {
			l.within(at+".price."+key, p, 0, 1e6)
		}
	}
}

// What the model may decide by itself about its thinking.
const (
	ThinkAdaptive = "adaptive"
	ThinkLow      = "low"
	ThinkHigh     = "high"
)

// ThinkingTokens gives Thinking as a number of tokens; 0 if it is none.
func (e Endpoint) ThinkingTokens() int {
	n, err := strconv.Atoi(e.Thinking)
	if err != nil {
		return 0
	}
	return n
}

// thinking checks an endpoint's setting for the model's thinking: that its protocol has it and would not refuse it.
func (l *loader) thinking(key string, e Endpoint) {
	_, err := strconv.Atoi(e.Thinking)
	least := map[string]float64{"anthropic": 1024, "gemini": 1}[e.Protocol]
	switch {
	case e.Thinking == "", e.Thinking == "0":
	case least == 0:
		l.bad(key, "leave it out, or use an endpoint with protocol: anthropic or gemini", "protocol %s has no such thing", clip(e.Protocol))
	case err == nil:
		l.within(key, float64(e.ThinkingTokens()), least, float64(max(1024, e.Window-1)))
	case e.Protocol == "gemini":
		l.oneOf(key, e.Thinking, ThinkAdaptive, ThinkLow, ThinkHigh)
	default:
		l.oneOf(key, e.Thinking, ThinkAdaptive)
	}
}

// key refuses an empty key for a vendor's own address; a server of the owner's may need none.
func (l *loader) key(at string, e Endpoint) {
	own := slices.ContainsFunc(vendors(), func(v vendor) bool { return v.url == strings.TrimSuffix(e.BaseURL, "/") })
	if own && !e.APIKey.Set() {
		l.bad(at+".api_key", "set it, for example to env:"+strings.ToUpper(e.Protocol)+"_API_KEY", "is empty, and %s needs one", e.BaseURL)
	}
}

// roles checks that roles name endpoints that exist.
func (l *loader) roles(cfg Config) {
	var names []string
	for _, e := range cfg.Endpoints {
		names = append(names, e.Name)
	}
	for _, r := range cfg.Roles.all() {
		for _, n := range *r.names {
			if !slices.Contains(names, n) {
				l.bad("roles."+r.name, didYouMean("", n, names), "no endpoint is called %q", clip(n))
			}
		}
	}
}

// idForm is what the ids of a chat service look like, with an example of each.
type idForm struct {
	person, group         *regexp.Regexp
	likePerson, likeGroup string
}

var idForms = map[string]idForm{
	"telegram": {regexp.MustCompile(`^[1-9][0-9]{0,19}$`), regexp.MustCompile(`^-[1-9][0-9]{0,19}$`), "123456789", "-1001234567890"},
	"feishu":   {regexp.MustCompile(`^o[un]_[A-Za-z0-9_-]+$`), regexp.MustCompile(`^oc_[A-Za-z0-9_-]+$`), "ou_...", "oc_..."},
	"onebot":   {regexp.MustCompile(`^[1-9][0-9]{0,19}$`), regexp.MustCompile(`^[1-9][0-9]{0,19}$`), "10001", "20001"},
	"wecom":    {regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$`), regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`), "zhangsan", "wrOgQhDgAA..."},
	"dingtalk": {regexp.MustCompile(`^[^\s,*]{1,128}$`), regexp.MustCompile(`^cid[A-Za-z0-9+/=]+$`), "manager4220", "cid...=="},
}

// PersonID refuses what cannot be the id of a person in that chat service, as an error of kind
// invalid_request. A service without a known form takes any id.
func PersonID(channel, id string) error {
	form, known := idForms[channel]
	if !known || form.person.MatchString(id) {
		return nil
	}
	return akitad.Errorf(akitad.InvalidRequest, "%q is not the id of a person in %s", clip(id), channel).
		WithHint("give the id that /id shows, like " + form.likePerson)
}

// people checks the ids of an allow list: names change hands, ids do not.
func (l *loader) people(c namedChannel) {
	form, key := idForms[c.name], "channels."+c.name
	for at, list := range map[string][]string{".allow": c.Allow, ".owners": c.Owners} {
		for _, id := range list {
			switch {
			case id == "*" && at == ".allow" || form.person.MatchString(id):
			case form.group.MatchString(id):
				l.bad(key+at, "move it to "+key+".allow_groups", "%q is a group, not a person", clip(id))
			default:
				l.bad(key+at, "write the person's id, like "+form.likePerson+`, or "*" in allow for anyone`, "%q is not the id of a person", clip(id))
			}
		}
	}
	for _, id := range c.AllowGroups {
		if !form.group.MatchString(id) && id != "*" {
			l.bad(key+".allow_groups", "write the group's id, like "+form.likeGroup, "%q is not the id of a group", clip(id))
		}
	}
}

func (l *loader) rules(p Policy) {
	for i, r := range p.Rules {
		at := fmt.Sprintf("policy.rules[%d]", i)
		l.oneOf(at+".action", r.Action, "allow", "ask", "deny")
		l.oneOf(at+".risk", r.Risk, "", "read", "write", "execute", "network")
		if r == (Rule{Action: r.Action}) {
			l.bad(at, "add tool, risk, path, domain, channel or sender", "fits everything")
		}
		if r.Action == "deny" && len(p.Denied()) < i+1 || r.Action == "ask" {
			l.bad(at, "deny by tool alone, and put such rules first; or switch tools off with tools.disabled", "this version cannot hold this rule, so it would protect nothing")
		}
	}
}

func (l *loader) servers(servers map[string]MCPServer) {
	for name, s := range servers {
		key := "mcpServers." + name
		if !akitad.ValidName(name) {
			l.bad(key, "use 1 to 40 of a-z, 0-9 and -", "%q cannot be a name", clip(name))
		}
		if (s.Command == "") == (s.URL == "") {
			l.bad(key, "set command for a local server, or url for a remote one", "needs exactly one of command and url")
		}
		l.url(key+".url", s.URL, "http", "https")
	}
}
