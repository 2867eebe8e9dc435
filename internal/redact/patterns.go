package redact

import (
	"regexp"
	"strings"
)

// A pattern finds texts with the form of a secret. Gates are literals of which one must occur, so
// that text without them costs a scan and no regular expression. Group 1, if there is one, is kept.
type pattern struct {
	gates []string
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
		find:  regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`),
		with:  Mark,
		sure:  hasDigit, // words joined by hyphens have none
	},
	{ // Google API keys
		gates: []string{"AIza"},
		find:  regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{30,}`),
		with:  Mark,
	},
	{ // AWS key ids, long-lived and temporary
		gates: []string{"AKIA", "ASIA"},
		find:  regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`),
		with:  Mark,
	},
	{ // Telegram bot tokens, alone
		gates: []string{":AA"},
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
		find:  regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,}|glpat-[A-Za-z0-9_-]{18,})`),
		with:  Mark,
	},
	{ // Slack
		gates: []string{"xoxb-", "xoxp-", "xoxa-", "xoxs-", "xapp-"},
		find:  regexp.MustCompile(`\b(?:xox[abps]|xapp)-[A-Za-z0-9-]{16,}`),
		with:  Mark,
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
		find:  regexp.MustCompile(`((?i:authorization: *basic) +)[A-Za-z0-9+/]{8,}=*`),
		with:  "${1}" + Mark,
	},
	{ // user:password@ in a URL
		gates: []string{"://"},
		find:  regexp.MustCompile(`\b([a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]{0,128}):[^\s/@"'<>\[]{3,256}@`),
		with:  "${1}:" + Mark + "@",
	},
}

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
