package config

import "time"

// Addresses of the services as their vendors publish them.
const (
	openAIURL    = "https://api.openai.com/v1"
	anthropicURL = "https://api.anthropic.com"
	geminiURL    = "https://generativelanguage.googleapis.com"
	telegramURL  = "https://api.telegram.org"
	feishuURL    = "https://open.feishu.cn"
	wecomURL     = "https://qyapi.weixin.qq.com"
	dingtalkURL  = "https://api.dingtalk.com"
)

// Defaults of one endpoint.
const (
	endpointInflight = 64   // calls at a time
	endpointOutput   = 8192 // tokens of a reply
)

// MaxRounds is the highest cap on rounds that can be set.
const MaxRounds = 60

// defaults gives the configuration of an empty home, without the endpoints.
func defaults() Config {
	return Config{
		Admin:      Admin{Listen: "127.0.0.1:7717"},
		NATS:       NATS{Replicas: 1},
		Durability: "process",
		Pool:       Pool{Max: 256, PerProfile: 64, Idle: 30 * time.Minute},
		Claim:      Claim{Renew: 10 * time.Second, TTL: 30 * time.Second},
		Stop:       Stop{Grace: 10 * time.Second},
		Rounds:     Rounds{Chat: 15, Task: 30},
		Queue:      "followup",
		Compiler:   "auto",
		Plan:       "auto",
		Supervise:  "on",

		CompilerCache: 256,

		Offline: "answer",
		LLM: LLM{
			Timeouts: Timeouts{Connect: 10 * time.Second, FirstByte: 30 * time.Second, Idle: 60 * time.Second, Whole: 120 * time.Second, Longest: 10 * time.Minute},
			Retry:    Retry{Tries: 3, Base: time.Second, Cap: 30 * time.Second},
			Health:   Health{Failures: 3, Within: 5 * time.Minute, Probe: 30 * time.Second},
		},
		Tools: Tools{Timeout: 10 * time.Second},
		Channels: Channels{
			Telegram: channel(telegramURL, 25), Feishu: channel(feishuURL, 16), OneBot: channel("", 5),
			WeCom: channel(wecomURL, 15), DingTalk: channel(dingtalkURL, 15),
		},
		Voice: Transcription{BaseURL: openAIURL, Timeout: time.Minute},
		Context: Context{
			Strategy: "hybrid", MaxTokens: 160_000, Safety: 0.10, MaskAt: 0.70, SummarizeAt: 0.80, ForceAt: 0.92,
			MaskRounds: 10, KeepRounds: 6, Observation: 5000, Filter: "on",
		},
		Policy:  Policy{AskTime: 300 * time.Second},
		Budgets: Budgets{InputTokens: 1_000_000, Calls: 400, Active: 20 * time.Minute, Tasks: 64, Warn: 0.80},
		Sandbox: Sandbox{Backend: "auto", Max: 4, Timeout: time.Minute, Memory: 512 << 20, Output: 1 << 20},
		Memory:  Memory{Core: 4 << 10, Top: 5, Gate: 0.75, HalfLife: 30 * day, Extract: true},
		Tracing: Tracing{Keep: 7 * day},
		Log:     Log{Level: "info", MaxSize: 20_000_000, Keep: 5},
		Disk:    Disk{Reserve: 64 << 20},

		Retention: 30 * day,
	}
}

// longAnswer is the size, in bytes, from which on an answer is sent as a file: some 25 messages of
// Telegram, which take over a minute in a group.
const longAnswer = 100_000

// channel gives the defaults of a chat service: the URL of its API, and how many messages a second a bot may send.
func channel(url string, rate float64) Channel {
	return Channel{BaseURL: url, Rate: rate, Pairing: true, LongAnswer: longAnswer}
}

const day = 24 * time.Hour

// windowOf gives a context window, in tokens, that models of the protocol commonly have.
func windowOf(protocol string) int {
	switch protocol {
	case "anthropic":
		return 200_000
	case "gemini":
		return 1_000_000
	}
	return 128_000
}
