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
	sure  func(match string) bool   // judges group 2, or all if there is none; nil means that the form alone is enough
	by    func(match string) string // what makes the text without the secret, in place of with
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
		sure:  random, // and not words joined by hyphens
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
		gates: []string{":AA", "%3AAA", "%3aAA"},
		long:  true,
		find:  regexp.MustCompile(`\b[0-9]{6,12}(?::|%3[Aa])AA[A-Za-z0-9_-]{30,}`),
		with:  Mark,
	},
	{ // and as part of a Bot API address
		gates: []string{"/bot"},
		find:  regexp.MustCompile(`(/bot)[0-9]{4,12}(?::|%3[Aa])[A-Za-z0-9_-]{8,}`),
		with:  "${1}" + Mark,
	},
	{ // GitHub, GitLab
		gates: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-"},
		long:  true,
		find:  regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,}|gl(?:pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{18,})`),
		with:  Mark,
	},
	{ // Slack
		gates: []string{"xox", "xapp-"},
		long:  true,
		find:  regexp.MustCompile(`\b(?:xoxe\.)?(?:xox[abceprs]|xapp)-[A-Za-z0-9-]{16,}`),
		with:  Mark,
	},
	{ // Alibaba, Tencent, Mailgun, Databricks, LangSmith, Atlassian, Docker, Tailscale, Fly, Fireworks
		gates: []string{"LTAI", "AKID", "key-", "dapi", "lsv2_", "ATATT3", "dckr_pat_", "tskey-", "fm2_", "fw_"},
		long:  true,
		find: regexp.MustCompile(`\b(?:LTAI[A-Za-z0-9]{16,26}\b|AKID[A-Za-z0-9]{32,}|key-[0-9a-f]{32}\b|dapi[0-9a-f]{32}|lsv2_[ps][tk]_[0-9a-f]{32}(?:_[0-9a-f]+)?|ATATT3[A-Za-z0-9_=-]{50,}` +
			`|dckr_pat_[A-Za-z0-9_-]{20,}|tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{20,}|fm2_[A-Za-z0-9+/_-]{40,}=*|fw_[A-Za-z0-9]{22,}\b)`),
		with: Mark,
		sure: hasDigit,
	},
	{ // Hugging Face, npm, Groq, xAI, Perplexity, Tavily, Replicate, Notion, Linear, Shopify, DigitalOcean, Vault, PyPI, SendGrid, Google OAuth, age, Stripe
		gates: []string{"hf_", "npm_", "gsk_", "xai-", "pplx-", "tvly-", "r8_", "ntn_", "lin_api_", "shp", "dop_v1_", "hvs.", "pypi-", "SG.", "ya29.", "GOCSPX-", "AGE-SECRET-", "_live_", "_test_", "whsec_"},
		long:  true,
		find: regexp.MustCompile(`\b(?:hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|tvly-[A-Za-z0-9-]{20,}|r8_[A-Za-z0-9]{30,}|ntn_[A-Za-z0-9]{40,}` +
			`|lin_api_[A-Za-z0-9]{32,}|shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{32}|dop_v1_[a-f0-9]{64}|hvs\.[A-Za-z0-9_-]{24,}|pypi-[A-Za-z0-9_-]{50,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|ya29\.[A-Za-z0-9._-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}` +
			`|AGE-SECRET-KEY-1[A-Z0-9]{50,}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})`),
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
	{ // JSON web tokens, signed (a header and a payload that begin like JSON objects) or encrypted
		gates: []string{"eyJ"},
		find:  regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.(?:eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}|[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{12,})`),
		with:  Mark,
	},
	{ // Authorization headers; a placeholder or a plain word is too short to be one
		gates: []string{"earer ", "EARER "},
		find:  regexp.MustCompile(`\b((?i:bearer) +)([A-Za-z0-9._~+/-]{16,}=*)`),
		with:  "${1}" + Mark,
		sure:  notWords,
	},
	{
		gates: []string{"asic "},
		find:  regexp.MustCompile(`((?i:authorization\\?["']?: *\\?["']?basic) +)[A-Za-z0-9+/]{8,}=*`),
		with:  "${1}" + Mark,
	},
	{
		gates: []string{"uthorization", "UTHORIZATION"},
		find:  regexp.MustCompile(`((?i:authorization\\?["']?\s*[:=]\s*\\?["']?(?:[a-z0-9-]+ +)?))([A-Za-z0-9._~+/:-]{16,}=*)`),
		with:  "${1}" + Mark,
		sure:  random,
	},
	{ // cookies that are no settings
		gates: []string{"ookie:", "ookie\": ", "OOKIE:"},
		long:  true,
		find:  regexp.MustCompile(`(?i)\bcookie["']?\s*:[^\r\n]+`),
		by:    cookies,
	},
	{ // user:password@ in a URL, where a password may hold an @ too
		gates: []string{"://"},
		find:  regexp.MustCompile(`\b([a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]{0,128}):([^\s/"'<>\[]{3,256})@`),
		with:  "${1}:" + Mark + "@",
		sure:  filledIn,
	},
	{ // token@ in a URL
		gates: []string{"://"},
		long:  true,
		find:  regexp.MustCompile(`\b([a-z][a-z0-9+.-]{1,20}://)([A-Za-z0-9_.~%+-]{16,256})@`),
		with:  "${1}" + Mark + "@",
		sure:  random,
	},
	{ // what signs an address, or is the key to it
		gates: []string{"ignature=", "sig=", "key=", "code="},
		long:  true,
		find:  regexp.MustCompile(`([?&](?:(?i:x-(?:amz|goog)-signature|signature)|sig|key|code)=)([A-Za-z0-9%+/_.~-]{16,}=*)`),
		with:  "${1}" + Mark,
		sure:  func(s string) bool { return random(s) && !strings.ContainsAny(s, "/.") }, // and no path of a file
	},
	{ // keys of PuTTY
		gates: []string{"Private-Lines:"},
		find:  regexp.MustCompile(`(?s)(Private-Lines: \d+\s+)\S.*?(?:Private-MAC: \w+|\z)`),
		with:  "${1}" + Mark,
	},
	{ // passwords in an address
		gates: []string{"assword=", "asswd=", "wd="},
		find:  regexp.MustCompile(`([?&]\w*(?i:password|passwd|pwd)=)([^&#\s"'<>\[]{6,})`),
		with:  "${1}" + Mark,
		sure:  password,
	},
	{ // passwords by their names, in settings of any form
		gates: []string{"ass", "ASS", "pwd", "PWD", "Pwd", "密码", "口令", "密钥"},
		find:  regexp.MustCompile(`((?:(?i:passw(?:or)?d|passphrase|\bpwd)\\?["']?\s*[:=]|(?:密码|口令|密钥)["'”]?\s*(?:[:=：]|是|为))\s*\\?["'“]?)([^\s"'\\,;<>(){}\[\]$%*` + "`" + `\x{80}-\x{10ffff}]{6,})`),
		with:  "${1}" + Mark,
		sure:  password,
	},
	{ // and as programs of the command line are given them
		gates: []string{"login ", " -u", "--user"},
		find:  regexp.MustCompile(`(\blogin\s+\S+\s+password\s+|\s(?:-u|--user)[ =]?["']?[^\s:"'$]{1,64}:)([^\s"'$]{6,})`),
		with:  "${1}" + Mark,
		sure:  password,
	},
	{ // tokens, secrets and keys by their names
		gates: []string{"ecret", "ECRET", "oken", "OKEN", "_key", "_KEY", "iKey", "sKey", "sKeyId", "auth\"", "essi", "ESSI"},
		long:  true,
		find: regexp.MustCompile(`((?i:secret|token|(?:api|access|secret|auth|private|signing|encryption)[_-]?key|sess(?:ion)?[_-]?id|["']auth)\\?["']?\s*[:=]\s*\\?["']?(?:bearer +)?)` +
			`([A-Za-z0-9/+_.~%-]{16,}=*)`),
		with: "${1}" + Mark,
		sure: random,
	},
}

// cookies takes the values out of a header that are as long as a key.
func cookies(header string) string {
	return cookie.ReplaceAllStringFunc(header, func(pair string) string {
		if name, value, _ := strings.Cut(pair, "="); random(value) {
			return name + "=" + Mark
		}
		return pair
	})
}

var cookie = regexp.MustCompile(`[\w.-]+=[A-Za-z0-9%/+_.~:-]{16,}=*`)

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
	switch {
	case p.by != nil:
		return p.find.ReplaceAllStringFunc(s, p.by)
	case p.sure == nil:
		return p.find.ReplaceAllString(s, p.with)
	}
	var out []byte
	last := 0
	for _, at := range p.find.FindAllStringSubmatchIndex(s, -1) {
		judged := s[at[0]:at[1]]
		if len(at) > 4 && at[4] >= 0 {
			judged = s[at[4]:at[5]]
		}
		if p.sure(judged) {
			out = p.find.ExpandString(append(out, s[last:at[0]]...), p.with, s, at)
			last = at[1]
		}
	}
	if last == 0 {
		return s
	}
	return string(append(out, s[last:]...))
}
