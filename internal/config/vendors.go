package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// OfflineEndpoint is the name of the built-in engine, the last of every role.
const OfflineEndpoint = "offline"

// vendor is a model service that is switched on by its own variable.
type vendor struct{ name, prefix, url, model string }

// vendors are tried in this order. The models are small, current ones of each vendor; NAME_MODEL
// overrides.
func vendors() []vendor {
	return []vendor{
		{"openai", "OPENAI", openAIURL, "gpt-5-mini"},
		{"anthropic", "ANTHROPIC", anthropicURL, "claude-sonnet-4-5"},
		{"gemini", "GEMINI", geminiURL, "gemini-2.5-flash"},
	}
}

// vendors fills what neither file nor AKITA_ variables set from the variables that people have
// anyway. Endpoints that were set are the whole list.
func (l *loader) vendors(cfg *Config) {
	if !l.set("endpoints") {
		for _, v := range vendors() {
			l.vendorEndpoint(v, cfg)
		}
	}
	l.channelFromEnv("telegram", &cfg.Channels.Telegram, map[string]string{
		"token": "TELEGRAM_BOT_TOKEN", "base_url": "TELEGRAM_API_URL", "allow": "TELEGRAM_ALLOW", "allow_groups": "TELEGRAM_ALLOW_GROUPS",
	})
	l.channelFromEnv("feishu", &cfg.Channels.Feishu, map[string]string{
		"app_id": "FEISHU_APP_ID", "app_secret": "FEISHU_APP_SECRET", "base_url": "FEISHU_BASE_URL", "allow": "FEISHU_ALLOW", "allow_groups": "FEISHU_ALLOW_GROUPS",
	})
	l.channelFromEnv("onebot", &cfg.Channels.OneBot, map[string]string{
		"token": "ONEBOT_TOKEN", "base_url": "ONEBOT_URL", "allow": "ONEBOT_ALLOW", "allow_groups": "ONEBOT_ALLOW_GROUPS",
	})
	l.channelFromEnv("wecom", &cfg.Channels.WeCom, map[string]string{
		"app_id": "WECOM_CORP_ID", "app_secret": "WECOM_SECRET", "agent_id": "WECOM_AGENT_ID", "encrypt_key": "WECOM_AES_KEY",
		"verify_token": "WECOM_TOKEN", "base_url": "WECOM_BASE_URL", "allow": "WECOM_ALLOW",
	})
	l.channelFromEnv("dingtalk", &cfg.Channels.DingTalk, map[string]string{
		"app_id": "DINGTALK_APP_ID", "app_secret": "DINGTALK_APP_SECRET", "base_url": "DINGTALK_BASE_URL",
		"allow": "DINGTALK_ALLOW", "allow_groups": "DINGTALK_ALLOW_GROUPS",
	})
}

func (l *loader) vendorEndpoint(v vendor, cfg *Config) {
	key := strings.TrimSpace(l.env[v.prefix+"_API_KEY"])
	if key == "" {
		return
	}
	at := fmt.Sprintf("endpoints[%d].", len(cfg.Endpoints))
	note := func(field, variable string) {
		if l.env[variable] != "" {
			l.sources[at+field] = "env " + variable
		}
	}
	for _, field := range []string{"name", "protocol", "api_key"} {
		note(field, v.prefix+"_API_KEY")
	}
	note("base_url", v.prefix+"_BASE_URL")
	note("model", v.prefix+"_MODEL")
	cfg.Endpoints = append(cfg.Endpoints, Endpoint{
		Name: v.name, Protocol: v.name, APIKey: Secret{key},
		BaseURL: cmp.Or(strings.TrimSpace(l.env[v.prefix+"_BASE_URL"]), v.url),
		Model:   cmp.Or(strings.TrimSpace(l.env[v.prefix+"_MODEL"]), v.model),
	})
}

// channelFromEnv fills the fields of one channel, each from its variable, where not set already.
func (l *loader) channelFromEnv(name string, c *Channel, fields map[string]string) {
	for field, variable := range fields {
		key, text := "channels."+name+"."+field, strings.TrimSpace(l.env[variable])
		if text == "" || l.set(key) {
			continue
		}
		l.sources[key] = "env " + variable
		switch field {
		case "token":
			c.Token = Secret{text}
		case "app_id":
			c.AppID = text
		case "app_secret":
			c.AppSecret = Secret{text}
		case "agent_id":
			c.AgentID = text
		case "encrypt_key":
			c.EncryptKey = Secret{text}
		case "verify_token":
			c.VerifyToken = Secret{text}
		case "base_url":
			c.BaseURL = text
		case "allow":
			c.Allow = commaList(text)
		case "allow_groups":
			c.AllowGroups = commaList(text)
		}
	}
}

// finish derives what was left open: endpoint defaults, the offline engine at the end, roles,
// whether a channel is on.
func (l *loader) finish(cfg *Config) {
	for i := range cfg.Endpoints {
		cfg.Endpoints[i].fill(cfg.LLM.Timeouts)
	}
	if !slices.ContainsFunc(cfg.Endpoints, func(e Endpoint) bool { return e.Protocol == OfflineEndpoint }) {
		cfg.Endpoints = append(cfg.Endpoints, Endpoint{Name: OfflineEndpoint, Protocol: OfflineEndpoint, Model: OfflineEndpoint})
		cfg.Endpoints[len(cfg.Endpoints)-1].fill(cfg.LLM.Timeouts)
	}
	for _, r := range cfg.Roles.all() {
		*r.names = withOffline(*r.names, cfg.Endpoints)
	}
	for _, c := range cfg.Channels.all() {
		if key := "channels." + c.name; !l.set(key + ".enabled") {
			c.Enabled = c.Token.Set() || c.AppID != "" || c.AppSecret.Set()
			if from := cmp.Or(l.sources[key+".token"], l.sources[key+".app_id"], l.sources[key+".app_secret"]); from != "" {
				l.sources[key+".enabled"] = from
			}
		}
	}
}

// fill sets what the owner left out of an endpoint.
func (e *Endpoint) fill(t Timeouts) {
	e.Connect, e.FirstByte = cmp.Or(e.Connect, t.Connect), cmp.Or(e.FirstByte, t.FirstByte)
	e.Idle, e.Whole = cmp.Or(e.Idle, t.Idle), cmp.Or(e.Whole, t.Whole)
	e.Window = cmp.Or(e.Window, windowOf(e.Protocol))
	e.MaxOutput = cmp.Or(e.MaxOutput, min(endpointOutput, e.Window/4))
	e.MaxInflight = cmp.Or(e.MaxInflight, endpointInflight)
	for _, v := range vendors() {
		if v.name == e.Protocol {
			e.BaseURL = cmp.Or(e.BaseURL, v.url)
		}
	}
}

// withOffline gives the names with the offline engine as the last; no names means all endpoints.
func withOffline(names []string, endpoints []Endpoint) []string {
	var out, last []string
	if len(names) == 0 {
		for _, e := range endpoints {
			names = append(names, e.Name)
		}
	}
	offline := map[string]bool{}
	for _, e := range endpoints {
		if e.Protocol == OfflineEndpoint {
			offline[e.Name] = true
			last = []string{e.Name}
		}
	}
	for _, n := range names {
		if !offline[n] {
			out = append(out, n)
		}
	}
	return append(out, last...)
}

type namedRole struct {
	name  string
	names *[]string
}

func (r *Roles) all() []namedRole {
	return []namedRole{{"main", &r.Main}, {"compiler", &r.Compiler}, {"planner", &r.Planner}, {"summarizer", &r.Summarizer}, {"judge", &r.Judge}}
}

// Map gives the roles by name.
func (r Roles) Map() map[string][]string {
	out := map[string][]string{}
	for _, role := range r.all() {
		out[role.name] = slices.Clone(*role.names)
	}
	return out
}

type namedChannel struct {
	name string
	*Channel
}

func (c *Channels) all() []namedChannel {
	return []namedChannel{{"telegram", &c.Telegram}, {"feishu", &c.Feishu}, {"onebot", &c.OneBot}, {"wecom", &c.WeCom}, {"dingtalk", &c.DingTalk}}
}
