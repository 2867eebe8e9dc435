package compiler

import (
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// pointsEN and pointsZH are what a message points at.
var (
	pointsEN = oneOf{
		pattern.New(`(?i)\b(?:the |this |that |these |those |my |an? )?(?:attached|enclosed|uploaded)(?:\s+(?:\w+\s)?(?:files?|logs?|documents?|images?|pictures?|photos?|screenshots?|reports?|spreadsheets?|contracts?|invoices?|letters?|slides|notes|minutes|csv|pdf|data|texts?|codes?))?`),
		pattern.New(`(?i)\b(?:in |see |the |my )+attachments?\b`),
		pattern.New(`(?i)\b(?:this|these)\s+(?:\w+\s)?(?:files?|logs?|documents?|images?|pictures?|photos?|screenshots?|articles?|texts?|paragraphs?|emails?|code|function|snippets?|spreadsheets?|csv|pdf|dataset|data|error message|stack trace|sentences?|letters?|essays?|poems?|contracts?|transcripts?|answers|reviews|comments|notes|minutes)\b`),
		pattern.New(`(?i)\b(?:the\s+(?:text|code|article|email|log|data|message|paragraph|sentence|list|thread|conversation|chat|transcript|notes|minutes|answers|reviews|comments)\s+(?:below|above)|the\s+following|as follows)\b`),
	}
	pointsZH = oneOf{
		pattern.New(`附件(?:[里中]?的?` + documentZH + `|[里中])?`),
		pattern.New(`(?:这|该|此)(?:两|三|几|些)?(?:个|份|篇|段|张|些|封|首|句|几个|几份)?\s*` + documentZH),
		pattern.New(`[这该此][两三几]?封信`),
		pattern.New(`(?:上面|下面|以下|下列|如下)(?:的|这)?(?:文件|日志|文档|文章|文字|代码|内容|邮件|数据|句子|段落|表格)`),
	}
)

// documentZH is what one can send and point at.
const documentZH = `(?:文件|日志|文档|图片|照片|截图|文章|文字|代码|函数|邮件|表格|数据|报告|合同|报错|句子|作文|话|段落|笔记|资料|材料|录音|简历|论文|稿子|文案|名单|视频|音频|发票|账单|PDF|pdf|csv|CSV)`

// nounNext is one more word behind what is attached, and the end of it: a mark, or a word that a noun stands before.
var nounNext = pattern.New(`(?i)^\s+([a-z]+)(?:\s*[.,;:!?)\n]|\s*$|\s+(?:and|or|to|into|in|on|for|as|with|from|by|of|before|after|against|at|is|are|was|has|have|so|please)\b)`)

// isSent stands before what is to be attached to something else: open a ticket with the log attached.
var isSent = pattern.New(`(?i)\bwith (?:[\w.-]+ ){1,3}$`)

// sentToo stands behind what goes along with something that is sent: 附件一起带上.
var sentToo = pattern.New(`^(?:一起|一并|也)`)

// namesLater is what one points with, of which the next word says at what.
var namesLater = pattern.New(`(?i)(?:ed|following)$`)

// withNoun gives the place of what is attached with the word that says what it is: the attached menu.
func withNoun(s string, at []int) []int {
	m := nounNext.FindStringSubmatchIndex(s[at[1]:])
	if m == nil || !namesLater.MatchString(s[at[0]:at[1]]) || !strings.Contains(s[at[0]:at[1]], " ") {
		return at
	}
	if word := s[at[1]+m[2] : at[1]+m[3]]; otherWords()[strings.ToLower(word)] {
		return at
	}
	return []int{at[0], at[1] + m[3]}
}

// What can be meant by a message alone, and when something is to be.
var (
	vague  = pattern.New(`(?i)^(?:do|fix|send|delete|move|finish|continue|repeat|try|undo|change|explain|translate|summari[sz]e)\s+(?:it|that|this|them|again|the same)\b|^(?:the )?same (?:again|as before|for)\b|^(?:继续|再来一次|重做|改一下|删了它|把它|把这个(?:[^月星礼周季]|$)|照旧|一样的)`)
	timeEN = pattern.New(`(?i)\b(?:at|in|on|every|each|tomorrow|tonight|today|next|daily|weekly|monthly|hourly|noon|midnight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|when|after|before|until|\d{1,2}(?::\d{2})?\s*(?:am|pm)|\d+\s*(?:min|minutes?|h|hours?|days?|weeks?))\b`)
	timeZH = pattern.New(`点|一会|待会|等下|稍后|分钟|小时|明天|后天|今天|今晚|今早|明早|早上|上午|中午|下午|晚上|每|周|星期|月|号|日|之后|以后|时候|天后|\d`)
)

// missing names what the message points at and nobody gave.
func (r *reading) missing(spec akitad.Spec) []string {
	var out []string
	if there := len(r.in.Files) + len(r.in.Earlier) + len(spec.Inputs.Given); there == 0 {
		for _, p := range []oneOf{pointsEN, pointsZH} {
			found := p.FindAllStringIndex(r.bare, -1)
			found = slices.DeleteFunc(found, func(at []int) bool { return isSent.MatchString(r.bare[:at[0]]) || sentToo.MatchString(r.bare[at[1]:]) })
			for i, at := range found {
				found[i] = withNoun(r.bare, at)
			}
			for _, s := range cutOut(r.bare, found) {
				out = append(out, r.say(s+" is not here", "没有收到："+s))
			}
		}
	}
	if spec.TaskType == akitad.Reminder && !timeEN.MatchString(r.bare) && !timeZH.MatchString(r.bare) {
		out = append(out, r.say("when to remind", "提醒的时间"))
	}
	return out
}

// body gives the text of its own that the message brings below its first line, if there is much.
func (r *reading) body() string {
	_, rest, _ := strings.Cut(strings.TrimSpace(r.bare), "\n")
	if rest = strings.TrimSpace(rest); Columns(rest) > 40 || Columns(rest) > 20 && strings.Contains(rest, "\n") {
		return rest
	}
	return ""
}

// announced is how the line ends that a text of its own stands below, which it is about.
var announced = pattern.New(`(?i)\b(?:this|these|following|below)\b[^\n]*:\s*\n|^[^\n]*(?:这|以下|下面)[^\n]*[：:]\s*\n`)

// announces reports whether the first line announces body, which is a text and no list of orders.
func (r *reading) announces(body string) bool {
	first := sentences(body)
	return announced.MatchString(r.bare) && len(first) > 0 && r.wants(first[0]) == ""
}

// What can go wrong, by the words that say so.
var riskRules = []struct {
	when   *pattern.Pattern
	en, zh string
}{
	{pattern.New(`(?i)\b(?:delete|remove|erase|drop|truncate|overwrite|wipe|purge|uninstall|format the|reset|rm -rf|kill)\b|删除|删掉|清空|覆盖|抹掉|卸载|格式化|重置`), "what is deleted or overwritten cannot be brought back", "删除或覆盖后无法恢复"},
	{pattern.New(`(?i)\b(?:send|email|post|publish|tweet|forward|share|reply to|message|invite|announce)\b.*\b(?:to|on|him|her|them|everyone|everybody|team|customers?|clients?|boss)\b|发送给|发给|转发|发布|群发|邀请|通知(?:大家|所有|客户|全体)`), "it reaches other people", "会影响到其他人"},
	{pattern.New(`(?i)\b(?:buy|pay|purchase|transfer|refund|invoice)\b|付款|支付|转账|购买|下单|退款`), "it moves money", "涉及钱款"},
	{pattern.New(`(?i)\b(?:latest|current|currently|today's|recent|right now|newest|up-to-date|breaking)\b|最新|目前|现在的|今天的|近期|实时|当前`), "it needs facts of today", "需要最新的信息"},
	{pattern.New(`(?i)\b(?:asap|soon|some time|somehow|a few|several|as needed|appropriate|etc|or something|or so)\b|尽快|一些|适当|合适的|差不多|等等|之类`), "parts of it are vague", "有些说法不够明确"},
	{pattern.New(`(?i)\b(?:deploy|restart|reboot|shut ?down|migrate|production|prod)\b|部署|重启|关机|上线|生产环境|迁移`), "it changes a running system", "会改变正在运行的系统"},
}

func (r *reading) risks(spec akitad.Spec) []string {
	var out []string
	ask := r.sentence()
	acts := spec.TaskType == akitad.Action || spec.TaskType == akitad.Reminder
	for i, rule := range riskRules {
		if changes := i < 3 || i == 5; changes && !acts {
			continue // talking about a deletion deletes nothing
		}
		if rule.when.MatchString(ask) {
			out = append(out, r.say(rule.en, rule.zh))
		}
	}
	if vague.MatchString(ask) && len(r.in.Earlier)+len(spec.Inputs.Given) == 0 {
		out = append(out, r.say("it is not said what is meant", "没有说明指的是什么"))
	}
	return out
}
