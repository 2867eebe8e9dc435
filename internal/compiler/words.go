package compiler

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// The words by which the twin tells what sort of work is asked for. English verbs stand where an
// order begins; Chinese ones anywhere in the first clause, since nothing separates words there.
var (
	// mention is the bot's own name, which stands before or behind all that is said; within it are those of others.
	mention    = pattern.New(`(?i)^(?:(?:hi|hello|hey|dear|你好|您好|嗨)[\s,，]*)?@[A-Za-z0-9_]{2,40}(?:[\s,，:：;!！]+|(\p{Han})|$)`)
	mentionEnd = pattern.New(`([\s，,.!?。！？])@[A-Za-z0-9_]{2,40}\s*[.!?。！？]*$`)
	// speaksOf stands behind the name of somebody who is spoken of, not to.
	speaksOf = pattern.New(`(?i)^(?:(?:and|or|said|says)\b|[和跟与]\s*@)`)
	// goesTo stands before the name of somebody to whom something goes, or of whom it is told.
	goesTo = pattern.New(`(?i)\b(?:to|for|with|by|from|of|and|or|via|as|is|are|cc|than|about|with` +
		`|ask|tell|ping|assign|notify|invite|remind|message|email|add|call|give|send|mention|thank|mute|remove|follow|check with)$|[给和跟与问叫找对向让由请是为喊]$|(?:通知|提醒|抄送|联系|告诉|回复|邀请|感谢|艾特|安排)$`)
	urlPattern = pattern.New(`https?://[^\s<>"'“”，。；）]+`)

	greeting = pattern.New(`(?i)^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|thanks|thank you|thx|ty|你好|您好|嗨|哈喽|早上好|下午好|晚上好|谢谢|多谢|大家好|在吗|在么|在不在|有人吗)(?:\s+(?:there|all|team|everyone|folks|guys|akita|akitad|again|so much|a lot|啊|呀))?\s*[,，!！.。~～:：?？]*\s*`)
	pleaseEN = pattern.New(`(?i)^(?:(?:so|well|now|ok|okay|also|then|and|but|next|finally|first|second|third|afterwards|afterward|now then|either|btw|fyi)\b[,，]?\s+` +
		`|(?:please|pls|plz|plss?)\b[,，]?\s*|(?:one|1) (?:more|last) thing\s*[:,]?\s*|quick (?:one|question|q)\s*[-–—:,]\s*|kindly\s+` +
		`|(?:can|could|would|will) (?:you|u)(?: please| kindly| also)?\s+(?:be so kind as to\s+)?|i(?:'d| would) (?:like|love) (?:you to|to have|to)\s+` +
		`|i (?:want|need) (?:you )?to\s+|help me (?:to )?|let(?:'s| us)\s+|you should\s+|go ahead and\s+` +
		`|(?:asap|urgent|quick question|todo|goal|task|idea|request|schedule|目标|任务|日程|定时)\s*[:：]\s*` +
		`|(?:step|part|phase)\s+(?:\d{1,2}|one|two|three|four|five)\s*[:.)]\s*|i was wondering if you could\s+)[,，]?\s*`)
	pleaseZH = pattern.New(`^(?:第(?:[一二三四五六七八九十]|\d{1,2})步(?:是|[:：,，])?\s*|请问|(?:请|麻烦)(?:你|您|你们)?|(?:能|可)(?:不能|否|以)?(?:请)?(?:你|您)?(?:帮我|帮忙|帮)|(?:你|您)(?:能|可以|能不能|可不可以|可否)(?:帮我|帮忙)?` +
		`|[替代]我|帮(?:我|忙|我们)(?:们)?(?:一下)?|劳驾|拜托(?:你|您)?|我?(?:想|想要|要|希望|需要)(?:请(?:你|您)|(?:你|您))(?:帮我|帮忙)?|然后|接着|再|另外|最后|首先|其次|还有|并且|同时|顺便|顺带|赶紧|赶快|尽快)[,，]?\s*`)

	verbsAnalysis = words(`double[-\s]check give\s+(?:me\s+)?(?:your\s+|some\s+|honest\s+)*feedback tl;?dr analy[sz]e summari[sz]e check\s+that compare contrast investigate diagnose correlate evaluate assess audit review examine count tally calculate compute aggregate rank sum total average add\s+up profile inspect debug troubleshoot extract classify categori[sz]e estimate measure find\s+(?:out|the\s+(?:cause|reason|root|most|top|largest|slowest|differences?|errors?)) figure\s+out work\s+out check\s+(?:the|these|this|whether|if|for|my|our|all|both|every|each|\S+\.\w+|\S+\s+(?:for|against)) grade score look\s+(?:at|into|through|over) go\s+(?:through|over) group\s+by list\s+(?:all\s+|the\s+)?(?:errors?|failures?|differences?) identify determine explain\s+(?:the|these|this)\s+(?:logs?|errors?|data|results?|files?)`)
	verbsCreation = words(`compile\s+an?\s+(?:\w+\s+)?(?:list|report|summary|table|overview) come\s+up\s+with think\s+up brainstorm put\s+together write reply respond draft compose create generate make design build implement code translate rewrite rephrase paraphrase produce prepare sketch draw outline invent craft program develop proofread plan`)
	verbsAction   = words(`run execute delete remove erase move copy rename send email post publish install uninstall deploy restart reboot stop start kill open close download upload fetch update upgrade set add fix convert book order buy pay commit push merge list show find search look\s+(?:up|for) get read save store remember forget note save turn switch enable disable configure change replace sort split clean archive back\s+up restore print display give tell call cancel pause resume schedule unpack unzip zip compress apply import export test try use index pull clone submit approve reject mute invite forward transfer tidy organi[sz]e arrange output report\s+(?:back|how|on|the|which) raise lower increase decrease reduce finish complete say repeat mail refactor handle process migrate rebuild rerun retry monitor watch sync drop resize crop rotate shrink encrypt decrypt append insert transpose flatten normali[sz]e filter pivot dedupe deduplicate log\s+in`)

	verbsQuestion = words(`recommend suggest explain describe define teach clarify elaborate tell\s+(?:me|us)\s+(?:the\s+(?:differences?|meaning|reasons?|point)|who|what|when|where|why|how|which|whether|if|about) give\s+me\s+(?:an?\s+)?(?:overview|explanation)`)
	needsThing    = pattern.New(`(?i)^(?:i(?:'d like| would like| need| want)|need|want|looking for) (?:a|an|some|the|my)\b|^我(?:需要|想要|要)一?(?:个|份|段|篇|张|封|首)`)
	makesThing    = pattern.New(`(?i)\b(?:script|program|plan|text|letter|email|poem|story|essay|function|code|app|website|page|logo|design|summary|report|template|list|table|chart|slides?|presentation|recipe|regex|query)\b|报告|方案|计划|脚本|文案|程序|代码|模板|邮件|文章|诗|故事|图|表格|清单|网站`)
	looksZH       = pattern.New(`^(?:查看|阅读|浏览|读|看)`)
	lookupZH      = pattern.New(`^(?:查一?下|查查|查一查|查询(?:一下)?|告诉我|看看|看一下|看下|想知道|想问(?:一下)?|问一?下)`)

	questionEN = pattern.New(`(?i)^(?:who|what|when|where|why|how|which|whose|whom|is|are|was|were|am|do|does|did|can|could|should|would|will|has|have|had|may|might|shall|isn't|aren't|don't|doesn't|didn't|won't|what's|who's|where's|how's|when's|any)\b`)
	questionZH = pattern.New(`什么|怎么|怎样|如何|为什么|为何|为啥|哪|谁|多少|(?:^|[^这那好十前后第面列想写找挑荐选做举讲买])几(?:个|点|次|天|号|岁|条|种|位|台|年|月)|多(?:久|长|大|远|高|快|重)|是否|是不是|有没有|能不能|可不可以|会不会|要不要|吗|呢[?？]?$|何时|何地|啥`)
	trivialAsk = pattern.New(`(?i)^(?:what (?:can|do) you\b|who are you|how are you|你(?:是谁|能做什么|会什么))`)

	prohibition = pattern.New(`(?i)^(?:(?:do not|don't|dont|never|avoid|no|without|excluding|except)\b|不包括|不含|除了|忽略|排除|必须|不要|别|请勿|勿|禁止|不得|不能|不许|不用|无需|务必|切勿)`)
)

// words makes a pattern for orders that begin with one of the verbs, which are separated by spaces.
func words(list string) *pattern.Pattern {
	return pattern.New(`(?i)^(?:quickly |carefully |briefly |just |simply |always |kindly )?(?:` + strings.Join(strings.Fields(list), "|") + `)\b`)
}

// verbs in the order in which they are asked; the first that is found decides.
var verbs = []verb{
	{akitad.Analysis, verbsAnalysis, zhAnalysis},
	{akitad.Question, verbsQuestion, zhQuestion},
	{akitad.Creation, verbsCreation, zhCreation},
	{akitad.Action, verbsAction, zhAction},
}

// verb is how one sort of work is ordered in each language.
type verb struct {
	is akitad.TaskType
	en *pattern.Pattern
	zh oneOf
}

// wants says what sort of work a sentence asks for; "" if it asks for nothing.
func wants(s string) akitad.TaskType {
	switch {
	case setting.MatchString(s):
		return ""
	case betterEN.MatchString(s), betterZH.MatchString(s), asksOther.MatchString(s), makesOther.MatchString(polite(s)):
		return akitad.Action
	case yesOrNo.MatchString(s):
		return akitad.Question
	}
	s = through.ReplaceAllString(quoted.ReplaceAllString(unnamed(polite(s)), ` "_" `), "")
	if reminds(s) && !asksAboutReminders.MatchString(s) {
		return akitad.Reminder
	}
	if later := laterEN.FindString(s); later != "" && !strings.HasSuffix(s, "?") && orderEN(polite(s[len(later):])) != "" {
		return akitad.Reminder
	}
	asked := asksLast(s) || asksWording.MatchString(s) || lookupZH.MatchString(s) && questionZH.MatchString(lookupZH.ReplaceAllString(s, ""))
	if t := orderEN(s); t != "" {
		return t
	}
	var c clauses // of a text with Han characters, which the rules for Chinese share
	if hasHan(s) {
		c = cutClauses(s)
	}
	at, zh, noun := firstZH(c)
	asks := strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
	switch {
	case asks && whatIf.MatchString(s):
		return akitad.Question
	case !asks && prohibition.MatchString(s):
		return cmp.Or(behindLimit(s), zh)
	case vague.MatchString(s) && !asks:
		return cmp.Or(zh, akitad.Action)
	case needsThing.MatchString(s) && makesThing.MatchString(s):
		return akitad.Creation
	case questionEN.MatchString(s), asked, asksZH(c) && (noun || !orderFirst(c.plain, at)):
		return akitad.Question
	}
	if zh != "" {
		return zh
	}
	switch {
	case handlesZH.MatchString(c.orders()):
		return akitad.Action
	case asks, asksZH(c):
		return akitad.Question
	case looksZH.MatchString(s), needsThing.MatchString(s):
		return akitad.Action
	}
	return cmp.Or(behindLimit(s), inClause(s))
}

// asksWording is how a question ends that asks how a thing is said, whatever order stands before: 翻译成法语怎么说.
var asksWording = pattern.New(`(?:怎么|如何)(?:说|写|念|读|讲|表达|称呼)[^，。；]{0,10}[?？]\s*$`)

// asksLast reports whether the last clause of a Chinese question asks by itself, whatever was told before it.
func asksLast(s string) bool {
	if !strings.HasSuffix(s, "？") && !strings.HasSuffix(s, "?") {
		return false
	}
	at := strings.LastIndex(s, "，")
	return at >= 0 && asksItself(s[at+len("，"):])
}

// unnamed gives s with short names in place of names of files in Han characters, which are no verbs: 总结.docx.
func unnamed(s string) string {
	return fileName.ReplaceAllStringFunc(s, func(name string) string {
		own := trimHan(name)
		if !hasHan(own) {
			return name
		}
		return strings.TrimSuffix(name, own) + "x" + own[strings.LastIndexByte(own, '.'):]
	})
}

// handlesZH is how a Chinese clause orders what is to be done with a thing, whatever the verb is.
var handlesZH = pattern.New(`(?:^|[，。,：:]\s*)(?:[^，。]{0,8}(?:[前后内天点日号]|周[一二三四五六]))?(?:先|再|都|统一|麻烦)?(?:把|将)[^，。？?]`)

// asksZH reports whether a text asks in Chinese, other than by telling of a question, or in what it forbids: 什么都别动.
func asksZH(c clauses) bool {
	return questionZH.MatchString(c.plain) && questionZH.MatchString(c.orders())
}

// setting is a line of a configuration that looks like an order: "debug: yes".
var setting = pattern.New(`(?i)^[\w-]+:\s*(?:yes|no|true|false|on|off|null|\d+)?$`)

// whatIf is how a sentence begins that asks what would be.
var whatIf = pattern.New(`(?i)^(?:如果|要是|假如|假设|若|万一|if\b|suppose\b|assuming\b)`)

// aside is what may stand before an order: when, after what, under which condition.
var aside = pattern.New(`(?i)^(?:before|after|when|once|if|unless|since|while|because|as soon as|given|for|from|in|on|with|without|based on|using|no|at)\b`)

// orderEN says what sort of work an English order begins with; "" if it begins with none.
func orderEN(s string) akitad.TaskType {
	for _, v := range verbs {
		if v.en.MatchString(s) {
			return v.is
		}
	}
	if imperative(s) {
		return akitad.Action
	}
	return ""
}

// inClause says what the first clause of s asks for that asks for anything: "It is slow, so please check it".
func inClause(s string) akitad.TaskType {
	c := cutClauses(s)
	for _, one := range c.list {
		if one.mood != open {
			continue
		}
		if t := orderEN(strings.TrimSpace(c.text[one.start:one.to])); t != "" {
			return t
		}
	}
	return ""
}

// behindLimit says what a sentence asks for behind a limit that it begins with: "In two lines: explain X".
func behindLimit(s string) akitad.TaskType {
	for _, pause := range pauseAfter.FindAllStringIndex(s, 3) {
		if t := behind(s, pause[0]); t != "" {
			return t
		}
	}
	return ""
}

// behind says what the words from at on ask for, if those before are a limit.
func behind(s string, at int) akitad.TaskType {
	_, width := utf8.DecodeRuneInString(s[at:])
	rest := polite(s[at+width:])
	switch {
	case !limits(s[:at]) && !aside.MatchString(s):
		return ""
	case prohibition.MatchString(rest) && aside.MatchString(s) && !prohibition.MatchString(s):
		return akitad.Action // of which this is the condition
	case prohibition.MatchString(rest):
		return ""
	case questionEN.MatchString(rest):
		return akitad.Question
	}
	if t := orderEN(rest); t != "" || !needsThing.MatchString(rest) {
		return t
	}
	return akitad.Action
}

var pauseAfter = pattern.New(`[,:](?:\s|$)|[，：]`)

var asksAboutReminders = pattern.New(`(?i)^(?:what|which|how many|do i have|list|show|有(?:什么|哪些|几个)|(?:我)?(?:现在)?有哪些|列出|删除|取消)`)

// orderFirst reports whether the Chinese verb of an order, which stands at a byte of s, stands before the
// word that makes a question, and near the beginning of its clause: "统计有多少个错误" is an order.
func orderFirst(s string, at int) bool {
	q := questionZH.FindStringIndex(s)
	if q == nil || strings.HasSuffix(s[:q[0]], "了") && strings.HasPrefix(s[q[0]:], "吗") { // whether it was done
		return false
	}
	return at >= 0 && at < q[0] && at-strings.LastIndex(s[:at], "，") <= 24+len("，")
}

// moreEN is what a thing is to be in comparison.
const moreEN = `(?:(?:more|less) \w+|(?:short|long|small|larg|bigg|simpl|clear|nic|clean|bright|dark|warm|wid|narrow|light|strict|loud|quiet|friendli|prettier|neat)e?r)`

// A wish may be put as a question whether a thing can be changed; of oneself one asks that for the answer's sake.
var (
	betterEN = pattern.New(`(?i)^(?:can|could|would) (?:the|this|that|these|those|my|our|it|they)\b[^,.;:?]*` +
		`\b(?:be|get|look|sound|read|become) (?:made )?(?:a (?:bit|little|lot) |much |slightly |somewhat )?` +
		`` + moreEN + `\s*(?:please)?[?]*$`)
	betterZH = pattern.New(`^[^，。我咱]{0,14}(?:能不能|能否|可不可以|可否|可以|能)(?:再)?[改换调缩弄搞做写排加减放压剪]` +
		`(?:[短长小大宽窄]|得?[^，。我]{0,6}(?:一?点儿?|一些|[短长小大]))(?:吗|么)?[?？]*$`)
	// makesOther orders that a thing that is there becomes another: make the page look nicer.
	makesOther = pattern.New(`(?i)^make (?:the|this|that|it|these|those|them|my|our|your|\w+'s)\b[^.,;:?]*?\s(?:(?:look|sound|feel|read) [a-z]|` + moreEN + `\b)`)
	// asksOther is an order to ask somebody, of which what is to be asked is no question to the agent.
	asksOther = pattern.New(`^(?:去)?问(?:一下|问|一问)?\s*(?:@|[他她您]们?|[小老阿]\p{Han}[^，。？]|同事|客户|房东|老板|老师|物业|财务|人事|运维)`)
)

// hasHan reports whether s has a character that is as wide as a Han character.
func hasHan(s string) bool { return Columns(s) != utf8.RuneCountInString(s) }

// firstZH gives where the first Chinese order verb stands, and which; -1 if there is none. At one place
// the first of verbs counts. If all are parts of nouns, it is the first of these.
func firstZH(c clauses) (first int, is akitad.TaskType, noun bool) {
	s, first := c.orders(), -1
	for _, nouns := range []bool{false, true} {
		for _, v := range verbs {
			if at := v.at(s, nouns); at >= 0 && (first < 0 || at < first) {
				first, is = at, v.is
			}
		}
		if first >= 0 {
			return first, is, nouns
		}
	}
	return first, is, false
}

// at gives where the first Chinese verb stands; -1 if there is none. A verb behind 的 is a noun: 下面的通知;
// before it, it only says which thing is meant: 导出的文件.
// It is a verb after all if nothing else is one: 把最大的删除.
func (v verb) at(s string, nouns bool) int {
	first := -1
	for _, p := range v.zh {
		for _, m := range p.FindAllStringIndex(s, -1) {
			if first >= 0 && m[0] >= first {
				break
			}
			before := s[:m[0]]
			if strings.HasPrefix(s[m[1]:], "的") && !nouns || namesThing(before, s[m[0]:m[1]], s[m[1]:]) {
				continue // 导出的文件
			}
			if !strings.HasSuffix(before, "的") || nouns && thingBefore.MatchString(before) {
				first = m[0]
				break
			}
		}
	}
	return first
}

// namesThing reports whether a verb is part of the name of what something is done with: 把季度总结ppt做完.
func namesThing(before, verb, after string) bool {
	return inObject.MatchString(before) && compound.MatchString(after) && !strings.HasSuffix(verb, "成") && !strings.HasSuffix(verb, "为")
}

var (
	inObject = pattern.New(`[把将][^，。；]{0,14}$`)
	compound = pattern.New(`^(?i:ppt|word|excel|pdf|报告|表|稿|书|文档|会|邮件|模板|记录)[^，。；]{0,4}\p{Han}`)
)

var thingBefore = pattern.New(`(?:把|将)[^，。；]{1,12}的$`)

// asksAbility tells a question about what one can do, of which no word is mere politeness.
var asksAbility = pattern.New(`^(?:请问)?(?:你|您)(?:能|会|可以|能够|可不可以|能不能)(?:帮我|帮忙|帮|为我|替我|给我)?(?:们)?(?:做|干|处理|回答|提供|完成)(?:些|点|一些)?(?:什么|啥|哪些|哪)`)

// polite takes greeting and politeness off the front of a sentence.
func polite(s string) string {
	for {
		before := s
		s = strings.TrimLeftFunc(s, blankOrPicture)
		s = greeting.ReplaceAllString(s, "")
		if !asksAbility.MatchString(s) && !wholeWord.MatchString(s) {
			s = pleaseZH.ReplaceAllString(pleaseEN.ReplaceAllString(s, ""), "")
		}
		if s == before {
			return s
		}
	}
}

// blankOrPicture reports whether a character is a blank, or a picture of which no word is part.
func blankOrPicture(c rune) bool {
	return unicode.IsSpace(c) || c > 0x2190 && unicode.Is(unicode.So, c) || unicode.Is(unicode.Variation_Selector, c) || c == 0x200D || c >= 0x1F3FB && c <= 0x1F3FF
}
