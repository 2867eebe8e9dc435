package config

import (
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// Ready says why a channel that is switched on must not start: a credential or the allow list is
// missing. It returns nil if the channel may start; whether it is switched on is Enabled.
func (c Channels) Ready(name string) error {
	for _, ch := range c.all() {
		if ch.name == name {
			return ch.ready()
		}
	}
	return akitad.Errorf(akitad.NotFound, "no channel is called %q", name).WithHint("known: telegram, feishu, onebot, wecom, dingtalk")
}

func (c namedChannel) ready() error {
	missing := func(what, hint string) error {
		return &akitad.Error{Kind: akitad.InvalidRequest, Op: "start channel " + c.name, Err: akitad.Errorf(akitad.InvalidRequest, "%s", what), Hint: hint}
	}
	upper, key := strings.ToUpper(c.name), "channels."+c.name
	if what, hint := c.credentials(upper, key); what != "" {
		return missing(what, hint)
	}
	if len(c.Allow) == 0 {
		return missing("nobody is allowed to talk to the bot",
			"set "+upper+"_ALLOW or "+key+`.allow to the ids of people, comma-separated; the first is the owner; "*" allows anyone and makes nobody owner; more people can be let in later with: akitad channel pair CODE`)
	}
	return nil
}

// credentials says what is missing of what the service wants; empty for nothing.
func (c namedChannel) credentials(upper, key string) (what, hint string) {
	app := c.AppID == "" || !c.AppSecret.Set()
	keys := !c.EncryptKey.Set() || !c.VerifyToken.Set()
	switch {
	case c.name == "telegram" && !c.Token.Set():
		return "the bot token is empty", "set TELEGRAM_BOT_TOKEN or " + key + ".token"
	case c.name == "telegram" && c.Mode == "webhook" && !c.WebhookSecret.Set():
		return "webhook mode has no secret, so anyone could forge messages", "set " + key + ".webhook_secret"
	case c.name == "telegram" && c.Mode == "webhook" && c.WebhookURL == "":
		return "webhook mode has no address at which Telegram reaches the bot", "set " + key + ".webhook_url to the https address that leads to /hooks/telegram"
	case (c.name == "feishu" || c.name == "dingtalk") && app:
		return "app id or app secret is empty", "set " + upper + "_APP_ID and " + upper + "_APP_SECRET, or " + key + ".app_id and .app_secret"
	case c.name == "feishu" && c.Mode == "webhook" && keys:
		return "webhook mode has no encrypt key or verification token, so anyone could forge messages", "set " + key + ".encrypt_key and .verify_token"
	case c.name == "wecom" && (app || c.AgentID == ""):
		return "app id, app secret or agent id is empty", "set " + upper + "_CORP_ID, " + upper + "_AGENT_ID and " + upper + "_SECRET, or " + key + ".app_id, .agent_id and .app_secret"
	case c.name == "wecom" && keys:
		return "there is no encoding key or token, so anyone could forge messages", "set " + upper + "_AES_KEY and " + upper + "_TOKEN, or " + key + ".encrypt_key and .verify_token"
	case c.name == "onebot" && !c.Token.Set():
		return "the access token is empty, so anyone could forge messages", "set ONEBOT_TOKEN or " + key + ".token, here and in the OneBot program"
	case c.name == "onebot" && c.Mode == "forward" && c.BaseURL == "":
		return "forward mode has no address of the OneBot program", "set ONEBOT_URL or " + key + ".base_url to something like ws://127.0.0.1:3001"
	}
	return "", ""
}

// Owner gives the id of the person who owns the bot: the first of the allow list. A list that lets
// anyone in makes nobody owner: "".
func (c Channel) Owner() string {
	if len(c.Allow) == 0 || slices.Contains(c.Allow, "*") {
		return ""
	}
	return c.Allow[0]
}

// Outgoing lists the URLs that the owner set for models, channels, tool servers and traces. These,
// and no other private addresses, may be reached.
func (c Config) Outgoing() []string {
	var out []string
	add := func(url string) {
		if url != "" && !slices.Contains(out, url) {
			out = append(out, url)
		}
	}
	for _, e := range c.Endpoints {
		add(e.BaseURL)
	}
	for _, ch := range c.Channels.all() {
		if ch.Enabled {
			add(ch.BaseURL)
		}
	}
	for _, s := range c.MCPServers {
		add(s.URL)
	}
	add(c.Tracing.OTLP)
	if c.Voice.Model != "" {
		add(c.Voice.BaseURL)
	}
	slices.Sort(out)
	return out
}

// Secrets lists every secret value, for the list of what is redacted.
func (c Config) Secrets() []string {
	var out []string
	for _, line := range flatten(c) {
		if s, ok := line.value.(Secret); ok && s.Set() {
			out = append(out, s.Reveal())
		}
	}
	return out
}
