package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/pattern"
)

// word is one that a sentence must hold, in any of its forms.
type word struct{ forms []string }

// ask is a question as it is looked for.
type ask struct {
	text    string
	words   []word   // of languages with blanks
	runs    []string // of Han, without the words of asking
	wants   want
	counted []string // forms of what is counted, or what follows 多少
	how     bool     // asks how something is done
	why     bool
	denied  bool // holds a no
	open    bool // asks for something, not whether
}

// want is what a sentence must have to be an answer.
type want int

const (
	anything want = iota
	aNumber
	aTime
	aPlace
	aPerson
	aDefinition
	aPrice
)

// idle are words of asking: they say nothing of what is asked about.
const idle = ` a an the this that these those and or of in on at to for with by from into about as if than then there here what which who whom whose when where 
 why how is are was were be been being am do does did done has have had having can could may might must shall should will would need needs needed get gets got 
 i me we us our you your my mine it its they them their he him his she her please tell say know many much long often far old high tall deep wide big large heavy 
 any some all every each so such also just only still now currently exactly called named name use used uses using happen happens happened located kept 
 take takes took cost costs say says one ones thing things someone somebody anyone anybody people person day date time number not no don't doesn't isn't aren't `

// same holds words for one thing, as questions and documents differ in them most.
var same = [][]string{
	{"phone", "telephone", "tel"},
	{"mail", "email"},
	{"price", "fee", "charge", "rate"},
	{"start", "begin", "began", "begun", "commence"},
	{"end", "finish", "stop"},
	{"open", "opened"},
	{"buy", "bought", "purchase"},
	{"build", "built", "construct"},
	{"lead", "led", "head"},
	{"write", "wrote", "written"},
	{"hold", "held"},
	{"repair", "fix"},
	{"db", "database"},
	{"config", "configuration"},
	{"doc", "document"},
	{"permit", "allow"},
	{"lie", "lay"},
	{"run", "ran"},
	{"found", "founded", "establish"},
	{"pay", "paid"},
	{"keep", "kept"},
	{"give", "gave", "given"},
	{"leave", "left"},
	{"bring", "brought"},
	{"send", "sent"},
	{"sell", "sold"},
	{"choose", "chose", "chosen"},
	{"meet", "met", "meeting"},
	{"lose", "lost"},
	{"break", "broke", "broken"},
	{"speak", "spoke", "spoken"},
	{"teach", "taught"},
	{"win", "won"},
	{"catch", "caught"},
	{"feed", "fed"},
}

func read(question string) (a ask, ok bool) {
	text := strings.TrimSpace(question)
	low := strings.ToLower(text)
	a.text, a.denied = text, negated(low)
	a.wants, a.open = wantOf(low)
	a.how = asksHow.MatchString(low)
	a.why = asksWhy.MatchString(low)
	if m := countsEnglish.FindStringSubmatch(low); m != nil {
		a.counted = forms(stemOf(m[1]))
	} else if m := countsHan.FindStringSubmatch(low); m != nil {
		a.counted = countedHan(m[1], m[2])
	}
	if personal.MatchString(low) && !a.how {
		return a, false // what belongs to one person is for memory
	}
	a.words = wordsOf(low)
	a.runs = runsOf(text)
	n := len(a.words)
	for _, r := range a.runs {
		n += (utf8.RuneCountInString(r) + 1) / 2
	}
	if n == 1 && a.wants == anything {
		a.wants = aDefinition
	}
	return a, n > 0
}

var (
	asksHow       = pattern.New(`^(?:how (?:do|does|can|could|should|would|to|is|are)\b)|怎么|怎样|如何`)
	asksWhy       = pattern.New(`^(?:why)\b|为什么|为何|为啥`)
	asksIf        = pattern.New(`^(?:is|are|was|were|do|does|did|can|may|must|has|have|will|should)\b`)
	asksWhether   = pattern.New(`吗|是否|是不是|有没有|能不能|可不可以`)
	countsEnglish = pattern.New(`\bhow many ([a-z][a-z-]+)`)
	countsHan     = pattern.New(`(?:多少|几)([个条台艘名位座层间次辆件家人只种项根口块道扇张页度岁]|公斤|千克|吨|米|公里|小时|分钟|天|年)?(\p{Han}*)`)
	personal      = pattern.New(`\b(?:my|mine)\b|我的|我自己`)
	negation      = pattern.New(`\b(?:not|no|never|without|cannot)\b|n't\b|不|没|无|未|禁止|勿`)
	digits        = pattern.New(`[0-9０-９]|[一二三四五六七八九十百千万两]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|once|twice|dozen|none)\b`)
	timeWords     = pattern.New(`[0-9]|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|daily|weekly|monthly|yearly|annually|every|noon|midnight|morning|evening|night|dawn|dusk|sunrise|sunset|spring|summer|autumn|fall|winter|before|after|during|until|as soon as|once|tide|when)\b|[年月日号点时周季]|星期|每|早|晚|午|[前后]|春|夏|秋|冬|夜|潮`)
	placeWords    = pattern.New(`\b(?:in|at|on|near|next to|behind|under|below|above|between|beside|inside|outside|opposite|along|off|from|to|by|north|south|east|west|room|floor|building|street|road|shelf|drawer|cabinet)\b|[在于位层楼室号处旁边里内外上下前后东西南北]|https?://|/`)
	priceWords    = pattern.New(`[0-9][^a-z]*(?:[€$£¥元]|eur|usd|gbp|cny|rmb|dollar|euro|pound|yuan|块|欧)|[€$£¥]\s*[0-9]|\bfree\b|免费|[0-9一二三四五六七八九十百千万]\s*(?:元|块|欧元|美元)`)
	reasons       = pattern.New(`\b(?:because|since|so that|due to|reason|therefore|as a result|in order to|otherwise|owing to|to (?:avoid|prevent|keep|protect|make|allow|reduce|stop))\b|因为|由于|因此|所以|以便|为了|以免|否则|原因|避免|防止`)
	properName    = pattern.New(`(?:^|[^.\s]\s+|[:;]\s*)[A-Z][\p{L}'-]+|@|\b(?:team|captain|master|manager|officer|engineer|office|department|owner|crew|staff|desk|operator|director|warden|clerk|visitors?|members?|anyone|everybody|everyone|nobody)\b`)
	hanPerson     = pattern.New(`\p{Han}`)
	definition    = pattern.New(`(?i)^[\s:：—–-]*(?:[（(][^）)]*[）)]\s*)?(?:is|are|was|were|means?|stands? for|refers? to|denotes?)\b|^\s*(?:[:：]|—|–| - |\()|^\s*(?:是|指|为|即|指的是|表示|意思是|代表|叫做|称为|，是|（)`)
)

// wantOf says what a question is for; open is false for those that a yes answers.
func wantOf(low string) (want, bool) {
	if asksIf.MatchString(low) {
		return anything, false
	}
	for _, w := range []struct {
		re   *pattern.Pattern
		want want
	}{
		{pricesAsked, aPrice}, {numbersAsked, aNumber}, {timesAsked, aTime}, {personsAsked, aPerson}, {placesAsked, aPlace},
	} {
		if w.re.MatchString(low) {
			return w.want, true
		}
	}
	return anything, !asksWhether.MatchString(low)
}

var (
	pricesAsked  = pattern.New(`\bhow much (?:does|do|is|are|did|will|would)\b|\bwhat does .* cost\b|\b(?:price|fee|cost)s?\b|多少钱|价格|费用|收费`)
	numbersAsked = pattern.New(`\bhow (?:many|much|long|old|far|high|tall|deep|wide|big|large|heavy|often|fast|hot|cold)\b|\b(?:port|version|number|percentage|height|length|depth|width|weight|speed|capacity|limit|size|temperature|distance)\b|多少|几(?:[^何率]|$)|多(?:大|高|长|深|宽|远|久|重|快)|端口|编号|号码|高度|长度|深度|宽度|重量|容量|上限|电话`)
	timesAsked   = pattern.New(`^(?:at |on |by |until |since |in |from )?(?:when|what (?:time|day|date|year|month)|which (?:day|year|month|date))\b|\b(?:and|,) when\b|什么时候|何时|几点|几号|哪天|哪年|哪一天|哪一年|哪个月|星期几|周几|多久|时间`)
	personsAsked = pattern.New(`\b(?:who|whom|whose)\b|谁|哪位|何人`)
	placesAsked  = pattern.New(`\bwhere\b|哪里|哪儿|在哪|何处|什么地方`)
)

// suits reports whether a sentence has what the question wants.
func (a ask) suits(u unit) bool {
	low := strings.ToLower(u.text)
	rest := a.without(u)
	if a.titled(u) {
		low, rest = strings.ToLower(u.body), strings.ToLower(u.body)
	}
	switch {
	case asking(u.text): // a question is no answer
		return false
	case a.why && !reasons.MatchString(low):
		return false
	case a.open && !a.denied && !a.how && !a.why && deniedNear(low, a):
		return false
	case a.denied && a.open && !negated(low):
		return false
	}
	switch a.wants {
	case aNumber:
		return digits.MatchString(rest) && (a.counted == nil || counts(low, a.counted) || u.row && columnCounts(low, a.counted))
	case aTime:
		return timeWords.MatchString(rest)
	case aPrice:
		return priceWords.MatchString(low) || u.row && digits.MatchString(rest)
	case aPlace:
		return placeWords.MatchString(low) && (a.size() > 1 || a.defines(u, true)) && a.lies(u)
	case aPerson:
		return (hasHan(u.text) && hanPerson.MatchString(rest) || properName.MatchString(u.text) || u.row) && a.personIn(u)
	case aDefinition:
		return a.defines(u, false) || a.headed(u)
	}
	return true
}

// whoIs asks which person somebody is, and not who does something.
var whoIs = pattern.New(`\bwho(?:'s| is| was| are| were)\b|^(?:请问)?(?:谁|哪位)是|是(?:谁|哪位)\s*[?？]?\s*$`)

// personIn reports whether the person of a sentence is the one that is asked for: the one who is it, or who does it.
func (a ask) personIn(u unit) bool {
	switch {
	case u.row:
		return a.size() > 1
	case whoIs.MatchString(strings.ToLower(a.text)):
		return a.equates(u)
	case len(a.words) > 0 && a.passive(u) && !byWhom.MatchString(u.text):
		return false
	}
	return a.size() > 1
}

var (
	byWhom = pattern.New(`\bby\b`)
	beingA = pattern.New(`\b(?:is|are|was|were|be|been|being)\b`)
)

// passive reports whether the first word of the question is done to something in the sentence.
func (a ask) passive(u unit) bool {
	return a.beside(u, func(before, after []string) bool { return meetsAny(a.words[:1], after) })
}

// equates reports whether the sentence says of what is asked for who it is: with is on one of its sides.
func (a ask) equates(u unit) bool {
	for _, run := range a.runs {
		run = strings.Trim(run, "是的了")
		at := strings.Index(u.text, run)
		if at < 0 || run == "" {
			continue
		}
		after, before := u.text[at+len(run):], u.text[:at]
		for _, is := range []string{"是", "为", "：", ":", "由", "叫"} {
			if strings.HasPrefix(after, is) {
				return true
			}
		}
		for _, is := range []string{"是", "为", "担任", "任", "兼任", "出任"} {
			if strings.HasSuffix(before, is) {
				return true
			}
		}
	}
	return len(a.words) > 0 && a.beside(u, func(before, after []string) bool {
		return meetsAny(a.words, before[max(0, len(before)-1):]) || meetsAny(a.words, after)
	})
}

// beside tries each is of a sentence with the words on its sides: those before it, and the next three.
func (a ask) beside(u unit, try func(before, after []string) bool) bool {
	for _, at := range beingA.FindAllStringIndex(u.text, -1) {
		before, after := stems(u.text[:at[0]]), stems(u.text[at[1]:])
		if try(before, after[:min(3, len(after))]) {
			return true
		}
	}
	return false
}

func stems(text string) (out []string) {
	filter.EachWord(text, func(w []byte) { out = append(out, string(w)) })
	return out
}

func meetsAny(words []word, in []string) bool {
	for _, w := range words {
		for _, f := range w.forms {
			for _, s := range in {
				if f == s {
					return true
				}
			}
		}
	}
	return false
}

func (a ask) size() int {
	n := len(a.words)
	for _, r := range a.runs {
		n += (utf8.RuneCountInString(r) + 1) / 2
	}
	return n
}

func asking(s string) bool { return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") }

func negated(low string) bool { return negation.MatchString(low) }

// deniedNear reports a no shortly before a word of the question: the sentence says of it that it is not so.
func deniedNear(low string, a ask) bool {
	for _, at := range negation.FindAllStringIndex(low, -1) {
		after := low[at[1]:min(len(low), at[1]+30)]
		if !utf8.ValidString(after) {
			after = strings.ToValidUTF8(after, "")
		}
		near := bag{}
		k := 0
		filter.EachWord(after, func(w []byte) {
			if k++; k <= 4 {
				near[string(w)] = true
			}
		})
		for _, w := range a.words {
			if near.has(w) {
				return true
			}
		}
		for _, r := range a.runs {
			if n := utf8.RuneCountInString(r); n > 1 {
				head := string([]rune(after)[:min(4, utf8.RuneCountInString(after))])
				for i := range n - 1 {
					if strings.Contains(head, string([]rune(r)[i:i+2])) {
						return true
					}
				}
			}
		}
	}
	return false
}

// without returns a sentence in lower case without the words of the question: a number that was asked with is no answer.
func (a ask) without(u unit) string {
	low := strings.ToLower(u.text)
	for _, w := range a.words {
		for _, f := range w.forms {
			if strings.ContainsAny(f, "0123456789") {
				low = strings.ReplaceAll(low, f, " ")
			}
		}
	}
	for _, r := range a.runs {
		low = strings.ReplaceAll(low, r, " ")
	}
	return low
}

// counts reports whether a number stands right before what is counted, or in a row of it.
func counts(low string, forms []string) bool {
	for _, at := range digits.FindAllStringIndex(low, -1) {
		after := low[at[1]:min(len(low), at[1]+40)]
		k := 0
		found := false
		filter.EachWord(strings.ToValidUTF8(after, ""), func(w []byte) {
			if k++; k <= 3 {
				for _, f := range forms {
					found = found || f == string(w)
				}
			}
		})
		if found || strings.Contains(after[:min(len(after), 12)], forms[0]) && hasHan(forms[0]) {
			return true
		}
	}
	return false
}

// columnCounts reports whether a number stands behind the name of what is counted.
func columnCounts(low string, forms []string) bool {
	for cell := range strings.SplitSeq(low, ";") {
		name, value, ok := strings.Cut(cell, ":")
		if ok && digits.MatchString(value) && (bagOf(name).has(word{forms}) || hasHan(forms[0]) && strings.Contains(name, forms[0])) {
			return true
		}
	}
	return false
}

// whereIs asks for the place of one thing.
var whereIs = pattern.New(`^where(?:'s| is| are| was| were) (?:the |a |an |our |your )?([a-z0-9' -]+?)\s*\??\s*$`)

// done ends the words of who asks where something is stored or kept.
var done = pattern.New(`(?:ed|kept|held|put|hidden|found)$`)

// lies reports whether it is the thing that is asked for of which the sentence says where it is.
func (a ask) lies(u unit) bool {
	m := whereIs.FindStringSubmatch(strings.ToLower(a.text))
	if m == nil || done.MatchString(m[1]) || u.row {
		return true
	}
	for _, low := range []string{strings.ToLower(u.text), strings.ToLower(u.before)} {
		for _, at := range findAll(low, m[1]) {
			if after := low[at+len(m[1]):]; definition.MatchString(after) || lying.MatchString(after) {
				return true
			}
		}
	}
	return false
}

func findAll(s, part string) (out []int) {
	for from := 0; ; {
		at := strings.Index(s[from:], part)
		if at < 0 {
			return out
		}
		out = append(out, from+at)
		from += at + len(part)
	}
}

// defines reports whether the sentence is about the one thing that is asked for: its name, then what it is.
func (a ask) defines(u unit, lies bool) bool {
	low := strings.ToLower(u.text)
	for _, name := range a.names() {
		for _, at := range findAll(low, name) {
			after := strings.TrimLeft(low[at+len(name):], "sS*_`\"'”》」")
			before := strings.Trim(low[:at], " *_`\"'“《「-•|")
			begins := before == "" || before == "the" || before == "a" || before == "an" || before == "our"
			if begins && (definition.MatchString(after) || lies && lying.MatchString(after)) {
				return true
			}
		}
	}
	return false
}

var lying = pattern.New(`^\s*(?:lies|lay|stands|sits|hangs|lives|can be found|starts|begins|ends|moors|runs|位于|在|放在|存放在|设在|停在)`)

// names are the ways in which the thing may be written.
func (a ask) names() (out []string) {
	out = append(out, a.runs...)
	for _, w := range a.words {
		out = append(out, w.forms...)
	}
	return out
}

// wordsOf returns the words that say what a question is about.
func wordsOf(low string) (out []word) {
	for _, w := range strings.FieldsFunc(low, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`,;:?!"()[]{}<>“”‘’…`, r) || hanOnly(r)
	}) {
		w = strings.TrimSuffix(strings.Trim(w, ".'`*"), "'s")
		if w == "" || strings.Contains(idle, " "+w+" ") {
			continue
		}
		filter.EachWord(w, func(part []byte) {
			p := string(part)
			if !hasHan(p) && !strings.ContainsAny(p, "._-:") {
				out = append(out, word{forms(p)})
			}
		})
	}
	return out
}

// forms returns a stem and those of the words that say the same.
func forms(stem string) []string {
	out := []string{stem}
	for _, group := range same {
		in := false
		for _, s := range group {
			in = in || stemOf(s) == stem
		}
		if !in {
			continue
		}
		for _, s := range group {
			if f := stemOf(s); f != stem {
				out = append(out, f)
			}
		}
	}
	return out
}

func stemOf(w string) string {
	out := w
	filter.EachWord(w, func(p []byte) { out = string(p) })
	return out
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
