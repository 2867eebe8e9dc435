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
	whole bool // what it finds may go over many lines
	find  *regexp.Regexp
	with  string
	sure  func(match string) bool   // judges group 2, or all if there is none; nil means that the form alone is enough
	by    func(match string) string // what makes the text without the secret, in place of with; of all if find is nil

	at func(before, match, after string) bool // judges it by what stands around it too
	of *regexp.Regexp                         // the program in whose commands alone it is a secret; nil: anywhere
}

// base64Line and lineEnd are of the body of a key, which may stand in a string or a quotation, or have numbered lines.
// privateKey ends its first and its last line: PEM has five strokes there, the SSH of RFC 4716 four and a blank.
const (
	base64Line = `[A-Za-z0-9+/]{16,}={0,2}`
	lineEnd    = `(?:[\s>]|\\[nr])+(?:[0-9]{1,6}[\t |:]\s*)?`
	privateKey = `[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?`
)

// Forms are those that the vendors document for their keys, with a margin in length.
var patterns = []pattern{
	{ // private keys: from the first line to the last one, or to the end if it is cut off
		gates: []string{"PRIVATE KEY"},
		whole: true,
		find:  regexp.MustCompile(`(?s)---- ?-?BEGIN ` + privateKey + `.*?(?:---- ?-?END ` + privateKey + `|\z)`),
		with:  Mark,
	},
	{ // and from their midst on, where the text begins with a later line
		gates: []string{"PRIVATE KEY"},
		whole: true,
		find:  regexp.MustCompile(`(?:` + base64Line + lineEnd + `)+(?:[A-Za-z0-9+/]{1,16}={0,2}` + lineEnd + `)?---- ?-?END ` + privateKey),
		with:  Mark,
	},
	{gates: []string{"."}, long: true, by: inHalves},
	{ // Telegram bot tokens, alone
		gates: []string{":AA", "%3AAA", "%3aAA"},
		long:  true,
		find:  regexp.MustCompile(`[0-9]{6,12}(?::|%3[Aa])AA(?:[A-Za-z0-9_-]{30,}|[A-Za-z0-9_-]{5,29}\r?\n[\t >]*[A-Za-z0-9_-]{5,30}\b)`), // over two lines at most
		with:  Mark,
	},
	{ // and as part of a Bot API address
		gates: []string{"/bot"},
		find:  regexp.MustCompile(`(/bot)[0-9]{4,12}(?::|%3[Aa])[A-Za-z0-9_-]{8,}`),
		with:  "${1}" + Mark,
	},
	{ // keys that do not begin with what tells them: Terraform, Mailchimp, and the token of a Twilio account behind its id
		gates: []string{".atlasv1.", "-us", "AC"},
		long:  true,
		find:  regexp.MustCompile(`(?:[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}|[0-9a-f]{32}-us[0-9]{1,2}\b)|(\bAC[0-9a-f]{32}["']?\s*[:,]\s*["']?)[0-9a-f]{32}\b`),
		with:  "${1}" + Mark,
	},
	{ // addresses that let anybody who has them write: Slack, Discord, Feishu, WeCom, DingTalk, Teams
		gates: []string{"hook", "robot/send?"},
		long:  true,
		find:  regexp.MustCompile(`(hooks\.slack\.com/\w+/|/api/webhooks/[0-9]{5,}/|/open-apis/bot/(?:v2/)?hook/|/webhook/send\?key=|/robot/send\?access_token=|/IncomingWebhook/)[A-Za-z0-9/_-]{16,}`),
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
	{ // what signs an address
		gates: []string{"ignature=", "sig="},
		long:  true,
		find:  regexp.MustCompile(`([?&](?:(?i:x-(?:amz|goog)-signature|signature)|sig)=)([A-Za-z0-9%+/_.~-]{16,}=*)`),
		with:  "${1}" + Mark,
		sure:  random,
	},
	{ // what is the key to it
		gates: []string{"key=", "code="},
		long:  true,
		find:  regexp.MustCompile(`([?&](?:key|code)=)([A-Za-z0-9%+/_.~-]{16,}=*)`),
		with:  "${1}" + Mark,
		sure:  func(s string) bool { return random(s) && !strings.ContainsAny(s, "/.") }, // and no path of a file
	},
	{ // keys of PuTTY
		gates: []string{"Private-Lines:"},
		whole: true,
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
		gates: passwordGates,
		at:    notThePasswd,
		find:  regexp.MustCompile(`(` + passwordName + `(?:>|\**\\?["'”]?\s*(?:[:=：]|是|为)[:：]?\**\s*(?:[|>][+-]?\s*\n\s*)?\\?["'“\x60]?))(` + plainValue + `)`),
		with:  "${1}" + Mark,
		sure:  password,
	},
	{ // the same between quotes, where any sign may stand
		gates: passwordGates,
		at:    notThePasswd,
		find:  regexp.MustCompile(`(` + passwordName + `\\?["']?\s*[:=]\s*\\?["'])([^\s"'\\\[]{6,128})(\\?["'])`),
		with:  "${1}" + Mark + "${3}",
		sure:  password,
	},
	{ // right behind the name on its line, as a second argument or in Chinese: only what is no word
		gates: passwordGates,
		find:  regexp.MustCompile(`(` + passwordName + `["']?[ \t]*[,(][ \t]*["']|(?:密码|口令)[\s\x{3000}]?)(` + plainValue + `)`),
		with:  "${1}" + Mark,
		sure:  random,
	},
	{ // names that mean other things too
		gates: []string{"pass", "auth"},
		find:  regexp.MustCompile(`((?:\b|_)(?:pass|auth)["']?\s*[:=]\s*["']?)(` + plainValue + `)`),
		with:  "${1}" + Mark,
		sure:  random,
		at:    noCode,
	},
	{ // passwords without a sign in between: in prose, in a server's settings, in SQL
		gates: []string{"assword is ", "assword was ", "requirepass ", "masterauth ", "dentified ", "DENTIFIED ", "assword '", "ASSWORD '"},
		find:  regexp.MustCompile(`((?i:\bpassword (?:is|was) |\b(?:requirepass|masterauth) |\bidentified (?:with \S{1,40} )?by |\bpassword ')["']?)(` + plainValue + `)`),
		with:  "${1}" + Mark,
		sure:  password,
		at:    said,
	},
	{ // a setting as a pair of a name and a value
		gates: []string{"alue"},
		find:  regexp.MustCompile(`((?i:\bname["']?\s*[:=]\s*["']?[\w.-]*(?:passw(?:or)?d|passphrase|secret|token|_pass|_key|_pwd)["']?,?\s*["']?\bvalue["']?\s*[:=]\s*["']?))(` + plainValue + `)`),
		with:  "${1}" + Mark,
		sure:  password,
	},
	{gates: headGates, whole: true, by: columns},
	{gates: []string{"Secret"}, whole: true, by: manifests},
	{ // passwords as the programs of the command line are given them
		gates: []string{"login ", "http", "pass:"},
		find:  regexp.MustCompile(`((?:\blogin\s+\S+\s+password\s+|\bhttps?\s+-a\s+[^\s:"'$]{1,64}:|\s-pass(?:in|out)?\s+pass:)["']?)` + argument),
		with:  "${1}" + Mark,
		sure:  password,
	},
	optionOf(`(?:curl|wget|httpie|xh)\b`, `-(?:u|a|U|-user|-auth|-proxy-user)[ =]?["']?[^\s:"'$]{1,64}:`, "curl", "wget", "httpie", "xh"),
	optionOf(`mysql|mariadb`, `-p`, "mysql", "mariadb"),
	optionOf(`sshpass`, `-p\s?`, "sshpass"),
	optionOf(`redis-cli`, `(?:-a|--pass)\s+`, "redis-cli"),
	optionOf(`mongo|(?:docker|podman|helm registry) login`, `-p\s+`, "mongo", " login"),
	optionOf(`ldap[a-z]`, `-w\s+`, "ldap"),
	optionOf(`lftp`, `-u\s+[^\s,]+,`, "lftp"),
	optionOf(`smbclient`, `-U\s+["']?[^\s%]+%`, "smbclient"),
	optionOf(`mosquitto_`, `-P\s+`, "mosquitto_"),
	{ // and as the drivers of databases are
		gates: []string{"@tcp(", "@unix("},
		find:  regexp.MustCompile(`([\w.-]{1,64}:)([^\s"'<>\[]{3,128})(@(?:tcp|unix)\()`),
		with:  "${1}" + Mark + "${3}",
		sure:  filledIn,
	},
	{ // without the name of a scheme
		gates: []string{"@"},
		find:  regexp.MustCompile(`([\w.-]{1,64}:)([^\s:@/"'<>\[]{6,128})(@[\w.-]+(?::[0-9]+)?/)`),
		with:  "${1}" + Mark + "${3}",
		sure:  random,
	},
	{
		gates: []string{":thin:"},
		find:  regexp.MustCompile(`(:thin:[\w.-]{1,64}/)([^\s"'@/\[]{3,128})(@)`),
		with:  "${1}" + Mark + "${3}",
		sure:  filledIn,
	},
	{ // a line of .pgpass
		gates: []string{":5432:", ":*:"},
		find:  regexp.MustCompile(`(?m)([\w.*-]+:(?:[0-9]{2,5}|\*):[\w.*-]+:[\w.*-]+:)([^\s:\[]{6,})$`),
		with:  "${1}" + Mark,
		sure:  password,
	},
	{ // tokens, secrets and keys by their names
		gates: []string{"ecret", "ECRET", "oken", "OKEN", "_key", "_KEY", "iKey", "sKey", "eKey", "dKey", "-Key", "-key", "auth\""},
		long:  true,
		find: regexp.MustCompile(`((?i:secret|token|(?:api|access|secret|auth|private|signing|encryption|subscription|functions|master|license|account|admin|preshared)[_-]?key|["']auth)\\?["']?\s*[:=]\s*\\?["']?(?:bearer +)?)` +
			`([A-Za-z0-9/+_.~%-]{16,}=*)`),
		with: "${1}" + Mark,
		sure: random,
		at:   opens,
	},
	{ // sessions by their names
		gates: []string{"essi", "ESSI"},
		long:  true,
		find:  regexp.MustCompile(`((?i:sess(?:ion)?[_-]?id)\\?["']?\s*[:=]\s*\\?["']?)([A-Za-z0-9/+_.~%-]{16,}=*)`),
		with:  "${1}" + Mark,
		sure:  func(s string) bool { return random(s) && !uuid.MatchString(s) }, // which names one, and opens nothing
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

// apply takes what the pattern finds out of s.
func (p *pattern) apply(s string, of *pairs) string {
	gates := of.in(s, p.gates)
	if len(gates) == 0 {
		return s
	}
	var out []byte
	last := 0
	for from := 0; from < len(s); {
		start, end := near(s, gates, from)
		if start < end && p.whole {
			start, end = 0, len(s)
		}
		if clean := p.replace(s[start:end]); clean != s[start:end] {
			out = append(append(out, s[last:start]...), clean...)
			last = end
		}
		from = end
	}
	if last == 0 {
		return s
	}
	return string(append(out, s[last:]...))
}

// replace takes what the pattern finds out of a stretch of text, or out of the commands in it.
func (p *pattern) replace(s string) string {
	if p.of == nil {
		return p.replaceAll(s)
	}
	return inCommands(s, p.of, p.replaceAll)
}

func (p *pattern) replaceAll(s string) string {
	switch {
	case p.find == nil:
		return p.by(s)
	case p.by != nil:
		return p.find.ReplaceAllStringFunc(s, p.by)
	case p.sure == nil:
		return p.find.ReplaceAllString(s, p.with)
	}
	var out []byte
	last := 0
	for _, at := range p.find.FindAllStringSubmatchIndex(s, -1) {
		from, to := at[0], at[1]
		if len(at) > 4 && at[4] >= 0 {
			from, to = at[4], at[5]
		}
		if p.sure(s[from:to]) && (p.at == nil || p.at(s[:at[0]], s[from:to], s[to:])) {
			out = p.find.ExpandString(append(out, s[last:at[0]]...), p.with, s, at)
			last = at[1]
		}
	}
	if last == 0 {
		return s
	}
	return string(append(out, s[last:]...))
}
