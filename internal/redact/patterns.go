package redact

import (
	"regexp"
	"strings"
)

// A pattern finds texts with the form of a secret. Gates are literals of which one must occur, so
// that text without them costs a scan and no regular expression. Group 1, if there is one, is kept.
type pattern struct {
	gates []string
	long  bool // what it finds holds a run, see hasRun
	find  *regexp.Regexp
	with  string
	sure  func(match string) bool // nil means that the form alone is enough
}

// Forms are those that the vendors document for their keys, with a margin in length.
var patterns = []pattern{
	{ // private keys: from the first line to the last one, or to the end if it is cut off
		gates: []string{"PRIVATE KEY"},
		find:  regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)`),
		with:  Mark,
	},
	{ // OpenAI, Anthropic, OpenRouter, DeepSeek
		gates: []string{"sk-"},
		long:  true,
		find:  regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`),
		with:  Mark,
		sure:  hasDigit, // words joined by hyphens have none
	},
	{ // Google API keys
		gates: []string{"AIza"},
		long:  true,
		find:  regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{30,}`),
		with:  Mark,
	},
	{ // AWS key ids, long-lived and temporary
		gates: []string{"AKIA", "ASIA"},
		long:  true,
		find:  regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`),
		with:  Mark,
	},
	{ // Telegram bot tokens, alone
		gates: []string{":AA"},
		long:  true,
		find:  regexp.MustCompile(`\b[0-9]{6,12}:AA[A-Za-z0-9_-]{30,40}`),
		with:  Mark,
	},
	{ // and as part of a Bot API address
		gates: []string{"/bot"},
		find:  regexp.MustCompile(`(/bot)[0-9]{4,12}:[A-Za-z0-9_-]{8,}`),
		with:  "${1}" + Mark,
	},
	{ // GitHub, GitLab
		gates: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"},
		long:  true,
		find:  regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,}|glpat-[A-Za-z0-9_-]{18,})`),
		with:  Mark,
	},
	{ // Slack
		gates: []string{"xoxb-", "xoxp-", "xoxa-", "xoxs-", "xapp-"},
		long:  true,
		find:  regexp.MustCompile(`\b(?:xox[abps]|xapp)-[A-Za-z0-9-]{16,}`),
		with:  Mark,
	},
	{ // Hugging Face, npm, Groq, xAI, Perplexity, Tavily, Replicate, Notion, Linear, Shopify, DigitalOcean, Vault, PyPI, SendGrid, Google OAuth, age, Stripe
		gates: []string{"hf_", "npm_", "gsk_", "xai-", "pplx-", "tvly-", "r8_", "ntn_", "lin_api_", "shpat_", "dop_v1_", "hvs.", "pypi-", "SG.", "ya29.", "GOCSPX-", "AGE-SECRET-", "_live_", "whsec_"},
		long:  true,
		find: regexp.MustCompile(`\b(?:hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|tvly-[A-Za-z0-9-]{20,}|r8_[A-Za-z0-9]{30,}|ntn_[A-Za-z0-9]{40,}` +
			`|lin_api_[A-Za-z0-9]{32,}|shpat_[A-Fa-f0-9]{32}|dop_v1_[a-f0-9]{64}|hvs\.[A-Za-z0-9_-]{24,}|pypi-[A-Za-z0-9_-]{50,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|ya29\.[A-Za-z0-9._-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}` +
			`|AGE-SECRET-KEY-1[A-Z0-9]{50,}|[sr]k_live_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})`),
		with: Mark,
		sure: hasDigit,
	},
	{ // addresses that let anybody who has them write: Slack, Discord, Feishu, WeCom, DingTalk
		gates: []string{"hook", "robot/send?"},
		long:  true,
		find:  regexp.MustCompile(`(hooks\.slack\.com/\w+/|/api/webhooks/[0-9]{5,}/|/open-apis/bot/(?:v2/)?hook/|/webhook/send\?key=|/robot/send\?access_token=)[A-Za-z0-9/_-]{16,}`),
		with:  "${1}" + Mark,
	},
	{ // headers in which keys are sent, and keys of AWS and Azure by their names
		gates: []string{"pi-key", "pi-Key", "PI-KEY", "ivate-token", "IVATE-TOKEN", "ivate-Token", "ccess_key", "CCESS_KEY", "AccessKey", "AccountKey"},
		long:  true,
		find: regexp.MustCompile(`((?i:\b(?:x-)?(?:goog-)?api-key|\bprivate-token)["']?\s*[:=]\s*["']?)[A-Za-z0-9._~+/-]{16,}=*` +
			`|((?i:\b(?:aws_)?secret_access_key|SecretAccessKey)["']?\s*[:=]\s*["']?|(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9/+]{32,}=*`),
		with: "${1}${2}" + Mark,
	},
	{ // passwords in the connection strings of databases
		gates: []string{"assword=", "ASSWORD=", "wd=", "WD="},
		find:  regexp.MustCompile(`((?i:;\s*(?:password|pwd)=))[^;\s"'$<{\[][^;\s"']{2,127}`),
		with:  "${1}" + Mark,
	},
	{ // JSON web tokens: a header and a payload that begin like JSON objects
		gates: []string{"eyJ"},
		find:  regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`),
		with:  Mark,
	},
	{ // Authorization headers; a placeholder or a plain word is too short to be one
		gates: []string{"earer ", "EARER "},
		find:  regexp.MustCompile(`\b((?i:bearer) +)[A-Za-z0-9._~+/-]{16,}=*`),
		with:  "${1}" + Mark,
	},
	{
		gates: []string{"asic "},
		find:  regexp.MustCompile(`((?i:authorization["']?: *["']?basic) +)[A-Za-z0-9+/]{8,}=*`),
		with:  "${1}" + Mark,
	},
	{ // user:password@ in a URL
		gates: []string{"://"},
		find:  regexp.MustCompile(`\b([a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]{0,128}):[^\s/@"'<>\[]{3,256}@`),
		with:  "${1}:" + Mark + "@",
	},
}

// A run is as long as the shortest key whose vendor gives it a form.
const run = 16

// hasRun reports whether s holds so many letters, digits and signs of keys in a row: most text does not, and
// is spared the search for most patterns.
func hasRun(s string) bool {
	for end := run - 1; end < len(s); {
		at := end
		for at > end-run && ofKey[s[at]] {
			at--
		}
		if at == end-run {
			return true
		}
		end = at + run
	}
	return false
}

// ofKey are the bytes that keys are made of.
var ofKey = func() (is [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/") {
		is[c] = true
	}
	return is
}()

func (p *pattern) apply(s string) string {
	for _, gate := range p.gates {
		if strings.Contains(s, gate) {
			return p.replace(s)
		}
	}
	return s
}

func (p *pattern) replace(s string) string {
	if p.sure == nil {
		return p.find.ReplaceAllString(s, p.with)
	}
	return p.find.ReplaceAllStringFunc(s, func(match string) string {
		if p.sure(match) {
			return p.with
		}
		return match
	})
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
