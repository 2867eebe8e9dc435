package memory

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// admit is the gate of Remember: it says why an entry may not be kept, nil if it may.
func (m *Memory) admit(e Entry) error {
	switch {
	case e.Tainted:
		return akitad.Errorf(akitad.PermissionDenied, "the wish to remember this comes after text from outside was read").
			WithHint("Only what a person says is remembered. Ask the person, or let them say it in a new message.")
	case e.Text == "":
		return akitad.Errorf(akitad.InvalidRequest, "nothing to remember").WithHint("Give the fact as one sentence.")
	case len(e.Text) > m.opts.MaxEntry:
		return akitad.Errorf(akitad.InvalidRequest, "text has %d bytes, the limit of one entry is %d", len(e.Text), m.opts.MaxEntry).
			WithHint("Nothing was kept. Say it shorter, or as several entries.")
	case m.secret(e.Text):
		return akitad.Errorf(akitad.PermissionDenied, "text holds a secret").
			WithHint("Passwords, keys and card numbers are not kept in memory. Name where the secret is kept in place of it.")
	case oneOff(e.Text, e.Type):
		return akitad.Errorf(akitad.InvalidRequest, "this is a task for now, nothing to remember").
			WithHint("Memory is for what still holds in later conversations. Put it as a lasting fact, preference or rule.")
	}
	return e.check()
}

// check refuses an entry whose fields are not valid.
func (e Entry) check() error {
	if !e.Type.Valid() {
		return akitad.Errorf(akitad.InvalidRequest, "unknown type %.40q", e.Type).
			WithHint("Use fact, preference, skill, context, rule, error or experience.")
	}
	if e.Topic != "" && !akitad.ValidName(e.Topic) {
		return akitad.Errorf(akitad.InvalidRequest, "topic %.60q is no name", e.Topic).WithHint("Use a-z, 0-9 and -, at most 40 characters.")
	}
	return e.Scope.check()
}

var (
	saidSecret = pattern.New(`(?i)\b(?:password|passwd|passphrase|pass ?code|pin(?: code)?|(?:door|gate|alarm|entry|security|backup|recovery|2fa|otp)(?: backup| recovery)? codes?|api[ _-]?key|access[ _-]?token|secret(?:[ _-]key)?|cvv)\b(?:\s+(?:for|of|to)\s+[^:=]{1,40}?)?(?:\s*[:=]\s*|\s+(?:is|was)\s+)["'` + "`" + `]?(\S+)|(?:密码|口令|密钥|支付码|验证码)(?:是|为|[:：=])\s*(\S+)|\b(?i:pin)(?: code)? (\d{4,8})\b`)
	// What may follow "the password is" without being one.
	noSecret = pattern.New(`(?i)^(?:kept|stored|in|at|on|not|never|the|a|an|required|needed|wrong|expired|env:|file:|managed|reset|rotated|set|changed|unknown|optional|保存|存|在)\b|^[\p{Han}]*(?:保存|存放|管理)`)
	digits   = pattern.New(`\b\d(?:[ -]?\d){12,18}\b`)
)

// secret reports whether a text holds what must not be kept: the forms of keys that are redacted
// everywhere, a password that is said in words, the number of a payment card.
func (m *Memory) secret(s string) bool {
	if m.opts.Redactor.String(s) != s {
		return true
	}
	for _, found := range saidSecret.FindAllStringSubmatch(s, -1) {
		if !noSecret.MatchString(found[1] + found[2] + found[3]) {
			return true
		}
	}
	for _, number := range digits.FindAllString(s, -1) {
		if luhn(number) {
			return true
		}
	}
	return false
}

// luhn reports whether digits pass Luhn's check sum, which every number of a payment card does.
func luhn(s string) bool {
	sum, n := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		n++
	}
	return n >= 13 && sum%10 == 0 && strings.Trim(s, "0 -") != ""
}

var (
	lasting = pattern.New(`(?i)\b(?:always|never|every|each|whenever|by default|usually|generally|from now on|in general|prefers?|likes?)\b|总是|每次|每天|每周|每个|以后|今后|永远|一直|默认|从不|习惯|喜欢|始终|凡是`)
	asking  = pattern.New(`(?i)^(?:please |pls |kindly |hey |hi |can you |could you |would you |will you )+|^(?:the )?(?:user|he|she|they|i)(?: has| have)? (?:asked|asks|requested|wants|want|needs|need|would like|told)(?: me| us| you| the (?:assistant|agent))? (?:to|for) `)
	// Verbs that only a task begins with.
	task = pattern.New(`(?i)^(?:remind me|buy|summari[sz]e|translate|download|calculate|compute|convert|generate|fetch|proofread|rewrite|look up|google|find out|tell me|show me|give me|send me|help me|fix)\b`)
	// Verbs that begin a task if a thing follows; "order" and "book" are nouns too.
	taskOn = pattern.New(`(?i)^(?:remind|book|order|schedule|email|send|draft|write|create|make|find|search|list|read|open|review|explain|delete|remove|cancel|check|call|move|rename|plot|draw|print|play|run|build|deploy|install|update)\s+(?:(?:for\s+)?(?:me|us|him|her|it|this|that|these|those|the following)\b|(?:a|an)\s)`)
	// Words that tie a request to now.
	now     = pattern.New(`(?i)\b(?:now|right away|asap|today|tonight|tomorrow|this (?:file|page|text|message|image|document|link|time|one|morning|afternoon|evening)|the (?:following|attached|above)|in \d+ (?:minutes?|hours?)|at \d{1,2}(?::\d\d)?(?: ?[ap]m)?)\b|(?:这个|这段|这篇|这份|下面|以下|上面|附件|一下|现在|马上|立刻|今天|今晚|明天|明早)`)
	verb    = pattern.New(`(?i)^(?:remind|book|order|buy|schedule|email|send|draft|write|create|make|find|search|list|read|open|review|explain|delete|remove|cancel|check|call|move|rename|plot|draw|print|play|run|build|deploy|install|update|summari[sz]e|translate|download|calculate|convert|generate|fetch|get|tell|show|give|help|do|answer|fix|look|turn|switch|set|start|stop|restart)\b`)
	taskHan = pattern.New(`^(?:用户)?(?:请|请你|麻烦你?|帮我|帮忙|给我|替我|能不能|可不可以|可以|你|让我|让你|要求|要我|想要?我)*(?:提醒我|帮我|给我|替我|总结|翻译|发送|查一?下|查询|搜索|生成|创建|画|预订|预定|下载|计算|运行|修复|解释|告诉我|列出|删除|安排|写一)`)
)

// oneOff reports whether a text is a task or a question for this moment. What is said to be lasting
// never is, and rules, preferences, skills and lessons are only if they are tied to now: those are
// often put as orders.
func oneOff(s string, t Type) bool {
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || askedZH.MatchString(s) {
		return true
	}
	if lasting.MatchString(s) {
		return false
	}
	order := asking.ReplaceAllString(s, "")
	if t != Fact && t != Context {
		return now.MatchString(s) && (verb.MatchString(order) || taskHan.MatchString(s))
	}
	if callMe.MatchString(order) {
		return false
	}
	return order != s && verb.MatchString(order) || task.MatchString(order) || taskOn.MatchString(order) || taskHan.MatchString(s) ||
		now.MatchString(order) && verb.MatchString(order)
}

var askedZH = pattern.New(`(?:吗|呢|几点了?|多少)$`)

var callMe = pattern.New(`(?i)^call (?:me|him|her|them) `)
