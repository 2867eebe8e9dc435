package config

import (
	"slices"

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
	return akitad.Errorf(akitad.NotFound, "no channel is called %q", name).WithHint("known: telegram, feishu")
}

func (c namedChannel) ready() error {
	missing := func(what, hint string) error {
		return &akitad.Error{Kind: akitad.InvalidRequest, Op: "start channel " + c.name, Err: akitad.Errorf(akitad.InvalidRequest, "%s", what), Hint: hint}
	}
	upper := map[string]string{"telegram": "TELEGRAM", "feishu": "FEISHU"}[c.name]
	key := "channels." + c.name
	switch {
	case c.name == "telegram" && !c.Token.Set():
		return missing("the bot token is empty", "set TELEGRAM_BOT_TOKEN or "+key+".token")
	case c.name == "feishu" && (c.AppID == "" || !c.AppSecret.Set()):
		return missing("app id or app secret is empty", "set FEISHU_APP_ID and FEISHU_APP_SECRET, or "+key+".app_id and .app_secret")
	case len(c.Allow) == 0:
		return missing("nobody is allowed to talk to the bot",
			"set "+upper+"_ALLOW or "+key+`.allow to the ids of people, comma-separated; the first is the owner; "*" allows anyone and makes nobody owner`)
	case c.Mode == "webhook" && c.name == "telegram" && !c.WebhookSecret.Set():
		return missing("webhook mode has no secret, so anyone could forge messages", "set "+key+".webhook_secret")
	case c.Mode == "webhook" && c.name == "feishu" && (!c.EncryptKey.Set() || !c.VerifyToken.Set()):
		return missing("webhook mode has no encrypt key or verification token, so anyone could forge messages", "set "+key+".encrypt_key and .verify_token")
	}
	return nil
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
