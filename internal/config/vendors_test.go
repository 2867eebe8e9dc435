package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
)

func TestEndpointsFromVendorVariables(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  []string
		want string
	}{
		{"none", nil, "offline"},
		{"one", []string{"ANTHROPIC_API_KEY=k"}, "anthropic=https://api.anthropic.com|claude-sonnet-4-5|k offline"},
		{
			"order",
			[]string{"GEMINI_API_KEY=g", "ANTHROPIC_API_KEY=a", "OPENAI_API_KEY=o", "OPENAI_BASE_URL=http://127.0.0.1:9/v1", "OPENAI_MODEL=x", "GEMINI_MODEL=y"},
			"openai=http://127.0.0.1:9/v1|x|o anthropic=https://api.anthropic.com|claude-sonnet-4-5|a gemini=https://generativelanguage.googleapis.com|y|g offline",
		},
		{"empty is unset", []string{"OPENAI_API_KEY=", "GEMINI_API_KEY= "}, "offline"},
		{"a model without a key is nothing", []string{"OPENAI_MODEL=x", "OPENAI_BASE_URL=http://h"}, "offline"},
		{"last of two wins", []string{"OPENAI_API_KEY=a", "OPENAI_API_KEY=b", "OPENAI_MODEL=m"}, "openai=https://api.openai.com/v1|m|b offline"},
		{"a list of one's own wins", []string{"OPENAI_API_KEY=o", `AKITA_ENDPOINTS=[{"name":"mine","protocol":"openai","base_url":"http://h/v1","model":"z"}]`}, "mine=http://h/v1|z| offline"},
	} {
		cfg := load(t, t.TempDir(), tt.env...)
		var got, names []string
		for _, e := range cfg.Endpoints {
			names = append(names, e.Name)
			if e.Protocol == "offline" {
				got = append(got, e.Name)
				continue
			}
			got = append(got, e.Name+"="+e.BaseURL+"|"+e.Model+"|"+e.APIKey.Reveal())
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, s, tt.want)
		}
		for role, list := range cfg.Roles.Map() {
			if fmt.Sprint(list) != fmt.Sprint(names) {
				t.Errorf("%s: role %s = %v, want %v", tt.name, role, list, names)
			}
		}
	}
}

func TestOfflineIsAlwaysLast(t *testing.T) {
	text := "endpoints:\n- {name: rules, protocol: offline}\n- {name: a, protocol: openai, base_url: 'http://h', model: m}\nroles: {main: [rules, a], judge: [a]}\n"
	cfg := load(t, homeWith(t, text))
	if got := fmt.Sprint(len(cfg.Endpoints), cfg.Roles.Main, cfg.Roles.Judge, cfg.Roles.Planner); got != "2 [a rules] [a rules] [a rules]" {
		t.Error(got)
	}
}

func TestChannelsFromVariables(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		env        []string
		on         bool
		missing    string // in the error of Ready
		owner      string
	}{
		{"nothing", "", nil, false, "TELEGRAM_BOT_TOKEN", ""},
		{"token alone", "", []string{"TELEGRAM_BOT_TOKEN=1:x"}, true, "TELEGRAM_ALLOW", ""},
		{"token and people", "", []string{"TELEGRAM_BOT_TOKEN=1:x", "TELEGRAM_ALLOW= 42 ,43,"}, true, "", "42"},
		{"anyone has no owner", "", []string{"TELEGRAM_BOT_TOKEN=1:x", "TELEGRAM_ALLOW=42,*"}, true, "", ""},
		{"only commas allow nobody", "", []string{"TELEGRAM_BOT_TOKEN=1:x", "TELEGRAM_ALLOW=,,"}, true, "TELEGRAM_ALLOW", ""},
		{"switched off", "channels: {telegram: {enabled: false}}", []string{"TELEGRAM_BOT_TOKEN=1:x", "TELEGRAM_ALLOW=42"}, false, "", "42"},
		{"switched on without a token", "channels: {telegram: {enabled: true, allow: [42]}}", nil, true, "TELEGRAM_BOT_TOKEN", "42"},
		{"the file wins", "channels: {telegram: {allow: [7]}}", []string{"TELEGRAM_BOT_TOKEN=1:x", "TELEGRAM_ALLOW=42"}, true, "", "7"},
		{"webhook needs a secret", "channels: {telegram: {mode: webhook}}", []string{"TELEGRAM_BOT_TOKEN=1:x", "TELEGRAM_ALLOW=42"}, true, "webhook_secret", "42"},
	} {
		cfg := load(t, homeWith(t, tt.file), tt.env...)
		c := cfg.Channels.Telegram
		err := cfg.Channels.Ready("telegram")
		e, _ := err.(*akitad.Error)
		if c.Enabled != tt.on || c.Owner() != tt.owner || (err == nil) != (tt.missing == "") || e != nil && !strings.Contains(e.Hint, tt.missing) {
			t.Errorf("%s: on %v, owner %q, %v (%+v)", tt.name, c.Enabled, c.Owner(), err, e)
		}
	}
	cfg := load(t, t.TempDir(), "FEISHU_APP_ID=cli_1", "FEISHU_APP_SECRET=s", "FEISHU_BASE_URL=http://127.0.0.1:1", "FEISHU_ALLOW=ou_1", "FEISHU_ALLOW_GROUPS=oc_1,oc_2")
	if f := cfg.Channels.Feishu; !f.Enabled || f.BaseURL != "http://127.0.0.1:1" || f.Owner() != "ou_1" || len(f.AllowGroups) != 2 || cfg.Channels.Ready("feishu") != nil {
		t.Errorf("feishu = %+v, %v", f, cfg.Channels.Ready("feishu"))
	}
	if err := cfg.Channels.Ready("slack"); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("unknown channel: %v", err)
	}
	half := load(t, t.TempDir(), "FEISHU_APP_ID=cli_1")
	if err := half.Channels.Ready("feishu"); !half.Channels.Feishu.Enabled || err == nil {
		t.Errorf("an id without its secret: on %v, %v", half.Channels.Feishu.Enabled, err)
	}
}

// Every key can be set by its variable: Explain lists the keys, Variable names them.
func TestEveryKeyHasAVariable(t *testing.T) {
	seen := map[string]string{}
	for _, l := range config.Explain(load(t, t.TempDir())) {
		if strings.Contains(l.Key, "[") {
			continue
		}
		name := config.Variable(l.Key)
		if other := seen[name]; other != "" {
			t.Errorf("%s and %s share %s", l.Key, other, name)
		}
		seen[name] = l.Key
		_, err := config.Load(t.TempDir(), []string{name + "=\x00"})
		if err != nil && strings.Contains(err.Error(), "no such key") {
			t.Errorf("%s is not known: %v", name, err)
		}
	}
	for key, want := range map[string]string{
		"pool.max": "AKITA_POOL_MAX", "claim.ttl": "AKITA_CLAIM_TTL", "nats.url": "AKITA_NATS_URL", "mcpServers": "AKITA_MCP_SERVERS",
		"pool.per_profile": "AKITA_POOL_PER_PROFILE", "channels.telegram.allow_groups": "AKITA_CHANNELS_TELEGRAM_ALLOW_GROUPS", "admin.tls_cert": "AKITA_ADMIN_TLS_CERT",
	} {
		if got := config.Variable(key); got != want || seen[got] == "" {
			t.Errorf("Variable(%s) = %s (known: %q), want %s", key, got, seen[got], want)
		}
	}
}
