package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// A wish to have something remembered stands before what is to be kept ("remember that …"), after it ("…, please
// keep that in mind") or around it (把……记下来), at any place of a message. What else the message asks stays.

const (
	// aside may stand before a sentence and says nothing.
	asideEN = `(?:(?:btw|by the way|fyi|oh|hey|hi|hello|ok|okay|also|and|so|well|now|then|but|p\.?s\.?|one (?:more|other|last) thing|another thing|while (?:i|we) (?:think of it|are at it)|just so you know|so you know|for (?:the|your|my) (?:record|info|information)|first(?: of all)?|thanks|thank you|please|pls|kindly|(?:hey )?@?akitad?|before i forget|listen|look)\b[ ,.:;!–—-]*)*`
	asideZH = `(?:(?:对了|顺便(?:说一?下|一提|提一下|说一声)?|另外|还有|哦|噢|嗯|喂|嗨|嘿|哎|你好|您好|好的?|那个?|补充一下|再说一下|说明一下|首先|差点忘了|谢谢)[，,、！!：:。\s]*)*`
	// wishing makes an order of what follows.
	wishingEN = `(?:(?:can|could|will|would) you (?:please |kindly |just |also |maybe )*|i(?: would|'d|’d)?(?: also)? (?:like|want|need) you to |(?:be|make) sure (?:to |that you |you )|i(?: would|'d|’d) (?:be (?:grateful|glad|happy|thankful)|appreciate it|like it) if you (?:could |would |can )?|it would be (?:nice|great|good) if you (?:could |would )?|you (?:should|must|need to|have to|may|might want to|can|better) |which you (?:should|must|need to|can|please) |do |always |please |pls |kindly |also |try to |just |let's )*`
	wishingZH = `(?:麻烦你?|劳烦你?|拜托你?|请你?|帮我|帮忙|给我|替我|需要你|希望你|我(?:想|要|希望|需要)你|能不能|能否|可不可以|可以|可否|一定要?|务必|千万|好好|以后|永远|都|先|也|要|得|你|您)*`
	// keepZH are the verbs; 记得 asks as often as it wishes.
	keepZH = `(?:记住|记(?:一|个)?下来?|记好|记着|记牢|牢记|铭记|备忘一?下|备注一?下|记录一?下(?:来)?|(?:记|存|保存|写|放)(?:到|进|入|在)(?:你的)?(?:记忆|心|脑子|备忘录)(?:里|中)?|别忘(?:了|记|掉)?|不要忘(?:了|记|掉)?|勿忘|不能忘(?:了|记)?)`
	// itEN and itZH point at what was said.
	itEN = `(?:all (?:of )?)?(?:it|this|that|them|these|those|everything|both|me|my name|(?:this|that|these|those|the) (?:facts?|things?|info(?:rmation)?|details?|numbers?|dates?|names?|one))`
	itZH = `(?:它们?|这个|这些|这点|这一点|这件事|这事|这句话|这条(?:信息)?|这几点|以上(?:内容|信息|几点)?|上面(?:的内容|这些|的信息)?|下面?(?:的内容|这些|这个)?|以下(?:内容|信息|几点)?|如下|我(?:说|讲)的(?:话|这些)?|内容|信息)`
	// forLater closes a wish.
	forLaterEN = `(?: (?:down|in mind|in (?:your )?memory|to (?:your )?memory|for (?:me|us|later|now|(?:the )?next time|the future|future reference|good)|please|pls|from now on|as well|too|always|forever|ok|okay|thanks|thank you|will you|would you|somewhere|well|when we talk|next time|later))*`
	forLaterZH = `(?:了吗|一下|哦|啊|吧|呀|啦|了|喔|噢|哈|嘛|好吗|好不好|好么|行吗|可以吗|谢谢|多谢)*`
)

var (
	// before stands at the beginning of a sentence whose rest is to be kept.
	wishBefore = pattern.New(`(?i)^\s*` + asideEN + wishingEN + `(?:remember|note|memori[sz]e|keep (?:` + itEN + ` )?in mind|bear (?:` + itEN + ` )?in mind|do(?: not|n't|n’t) (?:ever |please )?forget|never forget|(?:take|make) (?:a |yourself a )?(?:mental )?note|(?:write|jot|note|take|get) (?:this|that|it) down|(?:save|store|add|put|commit|record) (?:this|that|it|the following) (?:to|in) (?:your )?memory|(?:for (?:later|future reference|the future|next time)|note to self)\b[ ]*[,:]|(?:save|store|keep|record) (?:this|that|the following|it) (?:for (?:me|later|next time))?[ ]*:)(?:\s+(?:(?:this|that|it|the following|the fact)\b|for (?:me|us|later|now|(?:the )?next time|the future|future reference)\b|of (?:this|that|the following)\b|to self\b|down\b|please\b|from now on\b|as well\b|too\b|always\b))*[\s,:;–—-]*(?:\bthat\b[\s,:]*)?` +
		`|^\s*` + asideZH + wishingZH + `(?:` + keepZH + `|记得)(?:` + itZH + `|` + forLaterZH + `[，,：:\s—-]+|[，,：:\s—-])*`)
	// wishAfter stands after what is to be kept, or by itself.
	wishAfter = pattern.New(`(?i)(?:^\s*` + asideEN + `|[,;:–—(-]\s*(?:(?:and|so|but|also|then)\s+)*|\s(?:and|so|but)\s+(?:also\s+)?)` + wishingEN + `(?:(?:remember|memori[sz]e|note|do(?: not|n't|n’t) (?:ever |please )?forget|never forget|keep|kept|bear|save|store|write|jot|take|commit|put|record|(?:make|take) a (?:mental )?note of) ` + itEN + `|so (?:that )?you (?:can |will |'ll |should )?(?:remember|know)(?: (?:it|this|that))?|remember|take note|make a note)` + forLaterEN + `\s*($|[,.;!?)–—-]|\s(?:and|then|but)\s)` +
		`|(?:^\s*` + asideZH + `|[，,；;：:、（(\s—]|并且?|而且|所以|因此)` + wishingZH + `(?:(?:把|将)` + itZH + `(?:都|给我|帮我|也)*)?(?:` + keepZH + `|记得)` + itZH + `?` + forLaterZH + `\s*($|[，,。；;！!？?）)\s]|然后|并且?|再|接着|之后|同时|顺便)`)
	// wishAround is 把……记下来.
	wishAround = pattern.New(`^\s*` + asideZH + wishingZH + `(?:把|将)(.{2,200}?)(?:都|给我|帮我|也)*` + keepZH + forLaterZH + `\s*($|[，,。；;！!？?]|然后|并且?|再|接着)`)

	// noWish are words in which nothing is wished for: a no, a question, something that is told of remembering.
	noWish = pattern.New(`(?i)\b(?:no|not|never|without) (?:need|reason|have) to (?:remember|note|keep|memori)|\b(?:do|should|need|must|please|does|did|can|could|would|will)(?: not|n't|n’t) (?:need to |have to |ever |please )?(?:remember|memori[sz]e|note|keep (?:this|that|it) in mind|save|store)|\b(?:do|did|does) (?:you|we|i|anyone|anybody) (?:still |even |by chance |happen to )*(?:remember|recall)|\b(?:i|we|he|she|they|you|who|nobody|everyone|everybody) (?:still |also |always |never |do |did |only |just |vaguely |really |often |will |can |could |must )*remember(?:s|ed)?\b|\b(?:i|we|he|she|they|that|it|to|you) (?:cannot|can't|can’t|couldn't) remember|\bremember(?:s|ed|ing)\b|` +
		`(?:不用|不必|不要|不需要|无需|没必要|不准|不许|禁止|请勿|甭|别|不)(?:再|去|帮我|给我|把.{0,12}?)?(?:记|存)|(?:^|[，,。；;：:\s]|但|可|就)(?:我|他|她|他们|我们|大家)(?:还|都|也|总|会|不)*记(?:得|住|不)|还记得|记不记得|记得(?:吗|么|不)|没记|记不(?:住|得|清)|忘记录`)
	// asksFact begins, or in Chinese makes, a question out of what would be kept.
	asksFact = pattern.New(`(?i)^(?:what|which|who|whom|whose|when|where|why|how|if|whether)\b[^:]*$|^(?:to )?(?:answer|reply)\b.*\?$|什么|(?:^|[^一])谁|哪|多少|怎么|吗\s*[？?]?$|呢\s*[？?]?$|是不是|有没有`)
	// toFile goes on from a wish to write something down in a file.
	toFile = pattern.New(`(?i)^(?:in|into|to|as)\s+(?:a |the )?(?:file )?\S*\.[a-z]{2,4}\b`)
	// orders begins words that want something done: no statement.
	orders = pattern.New(`(?i)^\s*` + asideEN + wishingEN + `(?:` + askVerb + `|compare|correlate|read|open|look|check|search|make|create|write|save|draw|plot|translate|convert|export|sort|filter|explain|analy[sz]e|describe|remind|send|calculate|compute|sum|add|do|does|did|is|are|can|could|will|would|has|have)\b|^\s*` + asideZH + wishingZH + `(?:统计|列出|显示|告诉|总结|概括|比较|对比|查|搜|找|数|看|读|打开|分析|计算|算|写|生成|翻译|导出|提取|画|解释|说明|提醒)`)
	// goesOn begins what is asked after what is to be kept, in one sentence.
	goesOn     = pattern.New(`(?i)(?:[,;–—-]\s*|\s+)(?:and|then|and then|but)\s+(?:then |also |after that |please |now )*((?:can|could|would|will) you |tell (?:me|us)\b|show (?:me|us)\b|give (?:me|us)\b|let (?:me|us) know\b|answer\b|how (?:many|much|often|long)\b|what\b|which\b|when\b|where\b|who\b|count\b|list\b|summari[sz]e\b|find\b)|[，,；;]\s*((?:然后|接着|并且?|再|另外|顺便|同时|之后|还有)*(?:请|帮我|麻烦|给我)*(?:告诉|统计|列出|显示|数一?下|看一?下|看看|查|总结|概括|找出|算|写一|生成|回答|比较|提取|说说|问一?下)|(?:然后|接着|另外|顺便|还有)[^，,]*(?:多少|几|哪|谁|什么))`)
	wholeAside = pattern.New(`(?i)^\s*` + asideEN + `[\s,.!]*$|^\s*` + asideZH + `[\s，,。！]*$`)
	leadAside  = pattern.New(`(?i)^\s*` + asideEN + asideZH)
	// onlyIt is no fact, but points at one: "remember my name".
	onlyIt = pattern.New(`(?i)^(?:` + itEN + `|(?:my|our|his|her|their|the) [\p{L}-]+(?: [\p{L}-]+)?)?[\s.,!]*$|^(?:` + itZH + `|我的?\p{Han}{1,4})?[\s。，,！!]*$`)
	// saysSomething tells a name of a thing from something said of it.
	saysSomething = pattern.New(`(?i)\b(?:is|are|am|was|were|has|have|had|will|can|do|does|likes?|loves?|prefers?|hates?|lives?|works?|uses?|needs?|wants?|must|should|may|calls?|called|opens?|closes?|goes|starts?|ends?)\b|'s |’s |[:=：]|\d|[是在有叫为住用要爱喜姓会能过到]`)
	leansBack     = pattern.New(`(?i)^\s*(?:he|she|it|they|his|her|its|their|this|that|these|those|there|the same)\b|^\s*[他她它这那其]`)
)

// keeps takes out of a message what is to be remembered, and gives what else it asks; wished tells that something is
// to be remembered, even if it is not said what.
func keeps(words string) (facts []string, rest string, wished bool) {
	if !mayWish.MatchString(words) {
		return nil, words, false
	}
	var said, asked []string // said may be what a later wish points at
	open := false            // the last sentence began what is to be kept
	for _, s := range sentencesOf(words) {
		fact, after, how := wishIn(s, len(said) > 0 || len(facts) > 0)
		switch {
		case how == wishPoints && fact == "":
			facts, wished, open = append(facts, joinLeaning(said)...), true, false
			said = nil
		case how != noWishAt:
			if how == wishPoints {
				fact = strings.Join(append(joinLeaning(said), fact), "\n")
				said = nil
			}
			facts, wished, open = append(facts, strings.Split(fact, "\n")...), true, how == wishAhead && after == ""
		case isStatement(s) && open:
			if at := len(facts) - 1; leansBack.MatchString(s) || strings.TrimSpace(facts[at]) == "" {
				facts[at] = strings.TrimSpace(strings.TrimRight(facts[at], "。. ") + " " + s)
			} else {
				facts = append(facts, s)
			}
		case isStatement(s):
			said = append(said, s)
		default:
			asked, open = append(asked, s), false
		}
		if after != "" {
			asked = append(asked, after)
		}
	}
	return tidyFacts(facts), strings.Join(asked, "\n"), wished
}

// mayWish saves the rest of the work for words that hold no verb of it.
var mayWish = pattern.New(`(?i)\bremember\b|\bnote\b|\bmemori[sz]e\b|\bin mind\b|\bforget\b|\bdown\b|\bmemory\b|\bfor (?:later|future|the future|next time)\b|记|忘|备注|记忆`)

// how a sentence holds a wish.
type wishKind int

const (
	noWishAt   wishKind = iota
	wishAhead           // of what is to be kept
	wishBehind          // it
	wishPoints          // at what was said before
)

// wishIn finds the wish in a sentence; fact is what is to be kept of it, after what else it asks.
func wishIn(s string, before bool) (fact, after string, how wishKind) {
	plain := withoutQuoted(s)
	if noWish.MatchString(plain) {
		return "", "", noWishAt
	}
	if m := wishAround.FindStringSubmatchIndex(plain); m != nil {
		fact, after := strings.TrimSpace(s[m[2]:m[3]]), strings.TrimLeft(s[m[4]:], "，,。；; ")
		if onlyIt.MatchString(fact) {
			return "", after, wishPoints
		}
		return fact, after, wishBehind
	}
	if m := wishAfter.FindStringSubmatchIndex(plain); m != nil {
		end := max(m[2], m[4])
		fact, after = leadAside.ReplaceAllString(s[:m[0]], ""), strings.TrimSpace(strings.TrimLeft(s[end:], " ,.;!?)–—-，。；！？）"))
		switch {
		case strings.TrimSpace(fact) == "" && before:
			if after == "" || isAsk(after) {
				return "", after, wishPoints
			}
		case saysMuch(fact) && isStatement(fact):
			if wholeAside.MatchString(after) {
				after = ""
			}
			if after != "" && !isAsk(after) {
				fact, after = fact+", "+after, ""
			}
			return fact, after, wishBehind
		}
	}
	m := wishBefore.FindStringIndex(plain)
	if m == nil {
		return "", "", noWishAt
	}
	fact = s[m[1]:]
	if at := goesOn.FindStringSubmatchIndex(plain[m[1]:]); at != nil {
		fact, after = fact[:at[0]], fact[max(at[2], at[4]):]
	}
	switch fact = strings.TrimSpace(fact); {
	case onlyIt.MatchString(fact) && !saysSomething.MatchString(fact):
		if fact == "" && after == "" && strings.ContainsAny(s, ":：") {
			return "", "", wishAhead
		}
		return "", after, wishPoints
	case toFile.MatchString(fact), asksFact.MatchString(fact), strings.HasSuffix(s, "？") && after == "" && !strings.ContainsAny(s, "，,：:"):
		return "", "", noWishAt
	}
	return fact, after, wishAhead
}

// withoutQuoted blanks what is quoted, byte for byte: what is cited wishes for nothing.
func withoutQuoted(s string) string {
	return quotedText.ReplaceAllStringFunc(s, func(q string) string { return strings.Repeat("_", len(q)) })
}

// sentencesOf parts words at the ends of sentences, which stay, and at ends of lines.
func sentencesOf(words string) (out []string) {
	from := 0
	add := func(to int) {
		if s := strings.TrimSpace(words[from:to]); s != "" {
			out = append(out, s)
		}
		from = to
	}
	for _, at := range sentenceEnd.FindAllStringIndex(words, -1) {
		if c := words[at[0]]; c == '.' && isInitial(words[:at[0]]) || c == ';' {
			continue
		}
		add(at[1])
	}
	add(len(words))
	return out
}

// Sentences parts words at the ends of sentences and lines, which stay.
func Sentences(words string) []string { return sentencesOf(words) }

// Asks tells words that want an answer or something done.
func Asks(words string) bool { return isAsk(words) }

// Orders tells words that begin with what is to be done.
func Orders(words string) bool { return orders.MatchString(words) }

// isAsk tells words that want an answer.
func isAsk(s string) bool {
	return strings.ContainsAny(s, "?？") || orders.MatchString(s) || asking.MatchString(s) || hanAsks.MatchString(s) || intentOf(strings.ToLower(s)) != Unknown
}

// isStatement tells words that say something and ask for nothing.
func isStatement(s string) bool {
	return !strings.ContainsAny(s, "?？") && !orders.MatchString(s) && !wholeAside.MatchString(s) && !asking.MatchString(s)
}

// saysMuch tells more than the name of a thing.
func saysMuch(s string) bool {
	return len(strings.Fields(s)) > 2 || saysSomething.MatchString(s)
}

// joinLeaning puts sentences that speak of the one before into one with it.
func joinLeaning(said []string) (out []string) {
	for _, s := range said {
		s = strings.TrimSpace(leadAside.ReplaceAllString(s, ""))
		if n := len(out); n > 0 && leansBack.MatchString(s) {
			out[n-1] = strings.TrimRight(out[n-1], " ") + " " + s
		} else if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// tidyFacts leaves out what is empty.
func tidyFacts(facts []string) (out []string) {
	for _, f := range facts {
		if f = strings.TrimSpace(strings.Trim(strings.TrimSpace(f), ",，;；：:、–—?？")); f != "" && !wholeAside.MatchString(f) {
			out = append(out, f)
		}
	}
	return out
}

// keeping is a message that wants facts to be remembered, and then the rest.
func (a Asked) keeping(facts []string, rest string, known []string, one bool) Asked {
	if len(facts) == 0 {
		facts = []string{""}
	}
	for _, f := range facts[:min(len(facts), maxClauses)] {
		a.Questions = append(a.Questions, Question{Text: strings.ToLower(f), Original: f, Lang: a.Lang, Intent: Remember, Fact: f})
	}
	if strings.TrimSpace(rest) == "" || wholeAside.MatchString(rest) {
		return a
	}
	more := parse(rest, known, one)
	a.Questions, a.Unknown, a.Report, a.Dropped = append(a.Questions, more.Questions...), more.Unknown, more.Report, more.Dropped
	return a
}
