package compiler

import (
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
)

// moodOf reads one clause: what it does, and where in it what it does begins. asks says that its sentence
// ends with a question mark, and last what the clause before it does.
func moodOf(s string, asks bool, last mood) (m mood, start int) {
	own := polite(link.ReplaceAllString(strings.TrimLeft(s, " \t\n"), ""))
	start = len(s) - len(own)
	own = strings.TrimSpace(own)
	switch {
	case soThat.MatchString(strings.TrimSpace(s)) && last == open:
		return demand, start
	case last&(open|demand) != 0 && mannerOf(own):
		return demand, start
	case last == told && hangingEN.MatchString(own):
		return told, start
	case Columns(own) > utf8.RuneCountInString(own):
		m, skip := moodZH(own, asks, last)
		return m, start + skip
	}
	return moodEN(own, asks), start
}

// mannerOf reports whether a clause behind an order says how, when or for whom it is to be carried out. What
// says which form the result has is no such clause.
func mannerOf(s string) bool {
	if formEN.MatchString(s) || alsoEN.MatchString(s) {
		return false
	}
	return madeEN.MatchString(s) || howEN.MatchString(s) && !asideEN.MatchString(s)
}

// soThat is how a clause begins that says what the result must not do.
var soThat = pattern.New(`(?i)^so (?:that )?(?:it|they|this)\s+(?:doesn't|does not|don't|do not|never|can't|cannot|won't)\b`)

// hangingEN begins a clause that says when or why the one before holds.
var hangingEN = pattern.New(`(?i)^(?:unless|until|because)\b`)

func moodEN(s string, asks bool) mood {
	switch {
	case forbidsEN(s), mannerEN.MatchString(s), enoughEN.MatchString(s), eachEN.MatchString(s), wishEN.MatchString(s) && !guess.MatchString(s):
		return demand
	case contentEN.MatchString(s):
		return told
	case asks && questionEN.MatchString(s), whEN.MatchString(s):
		return asked
	case orderEN(s) != "", phraseEN.MatchString(s), setting.MatchString(s):
		return open
	case guess.MatchString(s):
		return told
	case !personEN.MatchString(s) && mustEN.MatchString(s):
		return demand
	case tellsEN(s) && needEN.MatchString(s):
		return needed
	case tellsEN(s):
		return told
	}
	return open
}

// How English clauses begin.
var (
	forbidHead = pattern.New(`(?i)^(?:(?:you|it|this|they) (?:don't|do not|doesn't|does not) (?:have|need) to|do not|don't|dont|never|avoid|must not|mustn't|should not|shouldn't|may not|cannot use|refrain from|leave out|excluding|exclude|ignoring|ignore|omit|omitting|skip|skipping|not (?:including|more|less|later|earlier|longer|before|after|until|in|on|at|to|with|for|from|by|via|the|a|an|any|my|too|just|as)|nothing|none|no)\s+\S|^(?:leave|leaving|keep|keeping)\s.*\s(?:alone|untouched|unchanged|out|as (?:is|it is|they are)|where (?:it is|they are))\b`)
	// doNone orders that nothing of a sort is done: "cite no laws".
	doNone = pattern.New(`(?i)^[a-z]+\s+no\s+[a-z]`)
	// idle are such beginnings that forbid nothing.
	idle = pattern.New(`(?i)^(?:do not|don't|dont)\s+(?:you|know|think|worry|get me wrong|understand|care|see why|mind|bother)\b|^never\s+(?:mind|had|seen|heard|been|got|knew)\b|^no\s+(?:problem|worries|idea|luck|rush|way|matter|doubt|one|thanks|hurry|wonder|clue|offense)\b|^(?:no|nothing|none of)\s.*\b(?:is|are|was|were|works?|worked|happen\w*|help\w*|changed)\b`)

	wishEN   = pattern.New(`(?i)^(?:i|we) (?:(?:really|just) )?(?:(?:don't|do not|dont) (?:want|need)|must)\b|^(?:i|we) (?:only|just) (?:need|want|care about)\b`)
	mustEN   = pattern.New(`(?i)\b(?:must|should|has to|have to|needs? to|may not|always)\s`)
	guess    = pattern.New(`(?i)\b(?:must|should|may) (?:not )?(?:have (?:\w+ed|been|had|gone|done|got)|be the \w+est|be (?:a |an |the )?(?:bug|mistake|reason|at least|around|about|over|under))\b`)
	needEN   = pattern.New(`(?i)\b(?:needs?|must|have to|has to)\b`)
	mannerEN = pattern.New(`(?i)^(?:very |quite |a bit |more |less |rather |and |but )*(?:formal|informal|friendly|casual|polite|professional|neutral|humorous|playful|concise|brief|short|simple)(?:\s+(?:and|but) \w+)?(?:\s+(?:tone|style|please))*$|^[a-z]+ (?:but|and|yet) not (?:too )?[a-z]+$`)
	// enoughEN says that less is enough, eachEN how much of one there is for each other.
	enoughEN = pattern.New(`(?i)^(?:an? |the |just )?[\w -]{1,40} (?:is|are|will do|would be|works) (?:just )?(?:fine|enough|ok|okay|sufficient|all i need)$|^[\w -]{1,30} will do$`)
	eachEN   = pattern.New(`(?i)^(?:about |around |roughly )?(?:a single|` + count + `) (?:\w+ )?(?:each|per \w+|(?:words?|sentences?|lines?|paragraphs?|pages?|bullets?|bullet points|characters?|slides?|minutes?)(?: each| long| or so| max| tops)?)$`)
	// madeEN is how the result of the order before is to be made: "sorted by name".
	madeEN = pattern.New(`(?i)^(?:\w+ed|written|split|set|drawn|grown) (?:by|alphabetically|in|as|into|to|for|on|from|with|like|after|before|at|per|out|down|up|\w+ly)\b`)
	// howEN begins what says how an order is to be carried out; asideEN looks like it.
	howEN     = pattern.New(`(?i)^(?:with|for|at|by|as|using|within|before|after|until|preferably|ideally|if possible|in the (?:style|tone|voice|form|spirit) of|in (?:a|an) [\w-]+ (?:tone|style|voice|way)|make (?:it|them|this)|keep|leave|use|stick to|limit|stay|remember to|double[- ]check)\b`)
	asideEN   = pattern.New(`(?i)^(?:for (?:example|instance|now|the record)|by the way|as (?:well|always|usual|i said|discussed|far|mentioned)|(?:after|before|with) (?:that|this|which)|at (?:all|the moment)|with (?:regards|thanks))\b`)
	contentEN = pattern.New(`(?i)^(?:saying|explaining|asking|telling|because|since|though)\b`)
	// ownEN is whom a question is about that asks how somebody here is to do something.
	ownEN  = pattern.New(`(?i)\b(?:i|we|you|to|one)\s`)
	whInEN = pattern.New(`(?i)\b(?:who|what|where|when|why|how|which|whether)\b`)
	whEN   = pattern.New(`(?i)^(?:who|what|where|why|how|which|whose|whom)\b`)
	// phraseEN begins a phrase of an order, or a limit.
	phraseEN = pattern.New(`(?i)^(?:if|when|once|unless|before|after|until|while|for|in|on|at|with|without|from|to|as|by|using|only|just|all|each|every|neither|either|both|max|maximum|exactly|except|but|please|you|make sure|ensure|be sure)\b|^i(?:'d| would| can| could)? (?:pay|spend)\b|^(?:the |my |our |your |total )*(?:budget|deadline|limit|maximum|minimum|length|tone|style|language|format|audience)\b`)
	// personEN begins what is told of somebody, thingEN what is told of something.
	personEN = pattern.New(`(?i)^(?:i|i'm|i've|i'll|i'd|we|we're|we've|he|he's|she|she's|they|they're|somebody|someone|everybody|everyone|nobody|no one|people|(?:my|our|his|her|their)\s+(?:[\w()'-]+\s+){1,3}?` + finite + `)\b`)
	thingEN  = pattern.New(`(?i)^(?:it's|that's|there's|(?:it|this|that) (?:(?:also|still|just|only|really|always|often|usually) )*[a-z]+(?:s|ed)|(?:[\w.'/()-]+\s+){1,4}?(?:(?:also|still|just|really|always|often|usually)\s+)*` + finite + `)\b`)
)

// finite are verbs that make a sentence of the words before them.
const finite = `(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|needs?|wants?|hates?|likes?|loves?|says?|said|never|keeps?|works?|worked|fails?|failed|crashed|crashes|stopped|started|(?:is|are|was|were|has|have|had|does|do|did|ca|could|wo|would)n't|cannot)`

func forbidsEN(s string) bool {
	return (forbidHead.MatchString(s) || doNone.MatchString(s) && !tellsEN(s)) && !idle.MatchString(s)
}

func tellsEN(s string) bool {
	return personEN.MatchString(s) || !phraseEN.MatchString(s) && orderEN(s) == "" && thingEN.MatchString(s)
}

// moodZH reads a clause with Han characters.
func moodZH(s string, asks bool, last mood) (m mood, start int) {
	at := forbidsZH(s)
	named := at == 0 && !markFirst.MatchString(s) // what it forbids stands before the word that forbids
	switch {
	case asks && asksItself(s):
		return asked, 0
	case ifZH.MatchString(s), whatIf.MatchString(s), strings.Contains(s, "的话"):
		return open, 0
	case wishZH.MatchString(s):
		return demand, 0
	case personZH.MatchString(s), tellsOfZH(s):
		if needZH.MatchString(s) {
			return needed, 0
		}
		return told, 0
	case contentZH.MatchString(s):
		return told, 0
	case asksFirst(s, at):
		return asked, 0
	case refrainsZH.MatchString(s) && (last == told || strings.HasSuffix(s, "了")), asks && named:
		return told, 0
	case at >= 0:
		return demand, at
	case last&(open|demand) != 0 && (staysZH.MatchString(s) || beforeZH.MatchString(s)):
		return demand, 0
	case softZH.MatchString(s), mannerZH.MatchString(s), limitsAll(s), (topicZH.MatchString(s) || degreeZH.MatchString(s) || howZH.MatchString(s) && !limitZH.MatchString(s)) && !ordersZH(s) && !formZH.MatchString(s):
		return demand, 0
	}
	return open, 0
}

// How Chinese clauses are made.
var (
	// forbidZH is how something is forbidden or left out; harmless are words in which the same characters do neither.
	markZH     = pattern.New(`不要|不用|不必|不需要|无需|无须|请勿|切勿|勿|禁止|不得|不许|不准|不可|不能|别|跳过|略过|避开|绕开|避免|除了|排除|忽略|不含|不包括|不计|不算|除外|不动|不改|不变|` + refrains)
	markFirst  = pattern.New(`^(?:不|别[^的人名]|勿|请勿|切勿|禁止|跳过|略过|避开|绕开|避免|除了|排除|忽略)`)
	refrainsZH = pattern.New(refrains)
	// beforeZH says, behind an order, what comes before it: 删之前列个清单.
	beforeZH = pattern.New(`^[^，。\d一二两三四五六七八九十几半天年月周日号点时分晚早午目当眼提空以之从先]{1,3}(?:之前|前)[^，。的面后往进任]`)
	// staysZH says of something how it is not to be, behind an order: 每天不重样.
	staysZH    = pattern.New(`^[^，。不]{1,6}不[^，。知会懂行够了对好是在同错见能想太得到用]\p{Han}{0,2}$`)
	harmlessZH = pattern.New(`不要紧|不得不|不得了|不能不|不可不|不可思议|不用谢|不用客气|不用说|别客气|别提了|别[的人名墅处致]|[特分区级个性识类告差辨判鉴]别|不(?:用|需要)[^，。]*了$|要不要|能不能|用不用|可不可`)
	// relativeZH is something forbidden that only says which thing is meant: 不用排队的地方.
	relativeZH = pattern.New(`^[^，。]{1,8}的[^，。]+$`)

	wishZH    = pattern.New(`^我们?(?:不想要?|不需要|只想要?|只要|只需要|就要)`)
	personZH  = pattern.New(`^(?:因为|由于|虽然)?(?:群里|那边|家里)?(?:我|他|她|它|咱|人家|对方|孩子|宝宝|娃|儿子|女儿|老公|老婆|朋友|老板|领导|同事|客户|公司|学校|大家|有人|爸爸?|妈妈?|老师|邻居|房东|后端|前端)(?:们|家|[爸妈])?(?:[^，。]{0,2})(?:说|问|让|叫|规定|觉得|认为|喜欢|爱|讨厌|不|没|也|都|会|能|已|是|有|在|刚|又|总|只|老|还|一直|经常|最多的|改|试了|别的)`)
	tellsZH   = pattern.New(`喜欢|讨厌|觉得|以为|(?:不?知道|不懂|不会|没)[^的]*$|习惯|^(?:昨|刚才|之前|以前|上次|去年|前天)|不了$|不用.*了$|^[^，。]{0,4}说不`)
	needZH    = pattern.New(`[要让叫得]|必须`)
	contentZH = pattern.New(`^(?:说[^明清出一下人]|告诉[他她大对]|转告|写着|提醒[他她大])`)
	softZH    = pattern.New(`^(?:要[能有支保注包带含兼先]|[少多][用写说放]|严格|注意|记得|保持|先(?:给|让)我|说人话|最好[^的是]|尽量|优先|保证|等我)|^(?:任何|所有|凡是|每一?[个步次条张])[^，。]*[都要得][^，。]|(?:就行|就好|即可|就可以|就够)了?$`)
	// degreeZH says of something how it is to be: 用词简单点.
	degreeZH = pattern.New(`^[^，。把给想要]{1,12}(?:一点|一些|[^这那哪有一]些|[^一有早快晚差两几要重观特优缺地景识节焦终起热\d]点|清楚|清晰|完整)$`)
	// howZH is a clause that says how, how much or for whom: 按时间顺序, 一页纸, 给小学生看.
	howZH    = pattern.New(`^(?:按照?[^，。]{1,10}(?:来|顺序|排序|升序|降序|倒序|分组|模板|格式)|用[^，。]{1,10}|(?:给|面向)[^，。我]{1,8}(?:看|用|人员|读者|者)|(?:就|共)?` + zhNum + `(?:页纸?|段话?|句话?|行字?|个?字|条要点|个要点|分钟))$`)
	mannerZH = pattern.New(`^[^，。的]{0,4}(?:格式|语气|口吻|措辞|态度|风格|颜色|字体)[^的是怎什有，。][^，。]{0,20}$`)
	// topicZH says of something what is to be used for it: 手机号用 138 开头.
	topicZH = pattern.New(`^[^，。把将给用的]{1,5}[^，。把将给用的引使采应作利适通费信]用[^，。户途法品于]`)
)

// refrains is how a clause begins that only says what is not done; behind what is told it tells more.
const refrains = `^不(?:[去带写提碰统用做加看查发改删走坐住买点放吃喝收留问算比公自]|涉及|考虑)`

// forbidsZH gives where what a Chinese clause forbids begins; -1 if it forbids nothing. What is
// forbidden of something begins with it: 其他版本不动.
func forbidsZH(s string) int {
	covered := harmlessZH.ReplaceAllStringFunc(s, func(w string) string { return strings.Repeat("x", len(w)) })
	m := markZH.FindStringIndex(covered)
	switch {
	case m == nil, m[0] > 0 && relativeZH.MatchString(s[m[1]:]):
		return -1
	case utf8.RuneCountInString(s[:m[0]]) > 8 && ordersZH(s[:m[0]]):
		return m[0]
	}
	return 0
}

// ordersZH reports whether s has a Chinese verb of an order.
func ordersZH(s string) bool {
	for _, v := range verbs {
		if v.zh.MatchString(s) {
			return true
		}
	}
	return false
}

// asksItself reports whether a clause asks, and does not tell of a question or order an answer to it.
func asksItself(s string) bool {
	q := questionZH.FindStringIndex(s)
	return q != nil && !ordersZH(s[:q[0]]) && !reportsZH.MatchString(s[:q[0]])
}

var reportsZH = pattern.New(`问|说|知道|告诉|想`)

// asksFirst reports whether the word of a question stands before what is forbidden, of which it asks then.
func asksFirst(s string, forbidden int) bool {
	q := questionZH.FindStringIndex(s)
	return q != nil && (forbidden < 0 || q[0] < forbidden || strings.HasSuffix(s, "吗"))
}

// tellsOfZH reports whether a clause tells something, and does not order it to be told: 解释为什么没到账.
func tellsOfZH(s string) bool {
	m := tellsZH.FindStringIndex(s)
	return m != nil && !ordersZH(s[:m[0]])
}

// limitsAll reports whether a clause is a limit and what it is set to: 每顿不超过半小时.
func limitsAll(s string) bool {
	m := limitZH.FindStringIndex(s)
	return m != nil && m[1] == len(s) && utf8.RuneCountInString(s[:m[0]]) <= 4 && !strings.HasSuffix(s[:m[0]], "用") && !ordersZH(s[:m[0]])
}
