package compiler

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
)

// moodZH reads a clause with Han characters.
func moodZH(s string, asks bool, last mood) (m mood, start int) {
	at := forbidsZH(s)
	behind := last&(open|demand|asked) != 0
	switch {
	case asks && asksItself(s):
		return asked, 0
	case wordsZH.MatchString(s):
		return demand, 0
	case behind && inCaseZH.MatchString(s):
		return demand, 0
	case ifZH.MatchString(s), whatIf.MatchString(s), strings.Contains(s, "的话"):
		return open, 0
	case behind && assignsZH.MatchString(s):
		return demand, 0
	case last == 0 && afterZH.MatchString(s):
		return open, 0
	case wishZH.MatchString(s):
		return demand, 0
	case whZH.MatchString(s):
		return asked, 0
	case personZH.MatchString(s), tellsOfZH(s), last == 0 && peopleZH.MatchString(s) && !ordersZH(s):
		if needZH.MatchString(s) {
			return needed, 0
		}
		return told, 0
	case contentZH.MatchString(s):
		return told, 0
	case asksFirst(s, at):
		return asked, 0
	case refrainsZH.MatchString(s) && (last == told || strings.HasSuffix(s, "了")), last == told && asks && strings.HasPrefix(s, "不能"):
		return told, 0
	case asks && at == 0 && !markFirst.MatchString(s): // it says of something that it needs not be
		return told, 0
	case at >= 0:
		return demand, at
	case behind && !asks && fromZH.MatchString(s) && !ordersZH(s):
		return demand, 0
	case last != 0 && (beZH.MatchString(s) || orderedZH.MatchString(s)):
		return demand, 0
	case behind && !asks && onlyZH.MatchString(s):
		return demand, 0
	case behind && !asks && kindZH.MatchString(s) && !ordersZH(s):
		return demand, 0
	case behind && (staysZH.MatchString(s) || likeZH.MatchString(s) && !ordersZH(s) || beforeZH.MatchString(s) || afterZH.MatchString(s)):
		return demand, 0
	case !behind && enoughZH.MatchString(s) && ordersZH(s):
		return open, 0
	case softZH.MatchString(s), mannerZH.MatchString(s), limitsAll(s), specifiesZH(s):
		return demand, 0
	}
	return open, 0
}

// specifiesZH reports whether a clause says how a thing is to be, without ordering any.
func specifiesZH(s string) bool {
	if ordersZH(s) || formZH.MatchString(s) {
		return false
	}
	return topicZH.MatchString(s) || degreeZH.MatchString(s) || howZH.MatchString(s) && !limitZH.MatchString(s)
}

// How Chinese clauses are made.
var (
	// markZH is how something is forbidden or left out; harmlessZH are words in which the same characters do neither.
	markZH     = pattern.New(`不要|不用|不必|不需要|无需|无须|请勿|切勿|勿|禁止|不得|不许|不准|不可|不能|别|跳过|略过|避开|绕开|避免|^除了|排除|忽略|不含|不包括|不计|不算|除外|不动|不改|不变|先不[改修动删做发上提碰管处]|` + refrains)
	markFirst  = pattern.New(`^(?:不|别[^的人名]|勿|请勿|切勿|禁止|跳过|略过|避开|绕开|避免|除了|排除|忽略)`)
	refrainsZH = pattern.New(refrains)
	// beforeZH says, behind an order, what comes before it: 删之前列个清单.
	beforeZH = pattern.New(`^[^，。\d一二两三四五六七八九十几半天年月周日号点时分晚早午目当眼提空以之从先]{1,3}(?:之前|前)[^，。的面后往进任]`)
	// staysZH says of something how it is not to be, behind an order: 每天不重样.
	staysZH    = pattern.New(`^[^，。不]{1,6}不[^，。知会懂行够了对好是在同错见能想太得到用]\p{Han}{0,2}$`)
	harmlessZH = pattern.New(`不要紧|不得不|不得了|不能不|不可不|不可思议|不用谢|不用客气|不用说` +
		`|别客气|别提了|^别[看说][我你他她它这那]|别[的人名墅处致]|[特分区级个性识类告差辨判鉴]别|不(?:用|需要)[^，。]*了$|要不要|能不能|用不用|可不可`)
	// relativeZH is something forbidden that only says which thing is meant: 不用排队的地方.
	relativeZH = pattern.New(`^[^，。]{1,8}的[^，。]+$`)

	wishZH   = pattern.New(`^我们?(?:不想要?|不需要|只想要?|只要|只需要|就要)`)
	personZH = pattern.New(`^(?:因为|由于|虽然)?(?:群里|那边|家里)?(?:我|他|她|它|咱|人家|对方|孩子|宝宝|娃|儿子|女儿|老公|老婆|朋友|老板|领导|同事|客户|公司|学校|大家|有人|爸爸?|妈妈?|老师|邻居|房东|后端|前端)(?:们|家|[爸妈])?(?:[^，。]{0,2})(?:说|问|帮|让|叫|规定|觉得|认为|喜欢|爱|讨厌|不|没|也|都|会|能|已|是|有|在|刚|又|总|只|老|还|一直|经常|最多的|改|[^，。要不]{1,2}[了过][^，。解]|别的)`)
	// whZH begins a question, with its mark or without: 哪些城市一行都没有.
	whZH = pattern.New(`^(?:哪[些个位几家]|谁[^都也不]|什么时候|为什么|多少)`)
	// peopleZH tells, where nothing has been asked for yet, what everybody has to do: 所有人都要加班.
	peopleZH = pattern.New(`^(?:我们)?(?:所有人|每个人|人人|大家|全员|全家|全班)[^，。请]{0,4}(?:要|得|在|必须)[^，。]`)
	// tellsZH tells how things are, or were, and what somebody knows, likes or is not able to do.
	tellsZH = oneOf{
		pattern.New(`喜欢|讨厌|觉得|以为|习惯`),
		pattern.New(`(?:不?知道|不懂|不会|^没|[^有]没)[^的]*$`),
		pattern.New(`^(?:昨|刚才|之前|以前|上次|去年|前天)`),
		pattern.New(`不了$|不用.*了$|^(?:所有|每个|大)[^，。再才就]*都[^，。再才就]*了$`),
		pattern.New(`^不[^，。]{1,6}的[^情前，。][^，。]*[很也真太挺最更都是好]`),
		// what somebody says who has a name or an office: 班主任在群里说不用穿校服
		pattern.New(`^[^，。]{0,4}说不`),
		pattern.New(`^[^，。跟对和向给替帮就把请]{0,6}(?:主任|老师|经理|医生|大夫|师傅|阿姨|叔叔|同学|客服|用户|中介|家长|主管|总|哥|姐)们?(?:在[^，。]{1,5})?(?:[刚昨今]\p{Han}{0,2})?说[^，。明清什哪谁怎][^什哪谁怎]*$`),
		// what somebody is not able to do: 老人咬不动
		pattern.New(`[咬嚼走跑搬拉推抬扛爬跳拖举打听看睡吃喝坐站付买租起]不[动清起着惯下开完到懂住了]$`),
	}

	// wordsZH forbids words: in it 的话 is no condition. inCaseZH is what is to be done under one.
	wordsZH  = pattern.New(`^(?:不要|别|不能|禁止|避免|少)[^，。]{2,}的话$`)
	inCaseZH = pattern.New(`^[^，。]{2,12}的话[^，。]{2,}`)
	// afterZH is what must have come before something is done: 所有用例跑通了再合.
	afterZH = pattern.New(`^(?:等|所有|全部|每)[^，。]{2,12}[了完后好过通][再才][^，。]`)
	// fromZH says, behind an order, from or until when something is to be: 早上 9 点以后出发.
	fromZH = pattern.New(`^(?:早上|上午|中午|下午|晚上)?\s*` + zhNum + `\s*点半?(?:以后|之后|以前|之前|后|前)[^，。]{0,6}$`)
	// kindZH says, behind an order, which sort of the thing is wanted: 下午的.
	kindZH    = pattern.New(`^[^，。我你他她是真好对有行可来说做写应]{1,6}的$`)
	needZH    = pattern.New(`[要让叫得]|必须`)
	contentZH = pattern.New(`^(?:说[^明清出一下人]|告诉[他她大对]|转告|写着|提醒[他她大])`)
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
	return slices.ContainsFunc(verbs, func(v verb) bool { return v.at(s, false) >= 0 })
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
	return q != nil && !whateverZH.MatchString(s[q[0]:]) && (forbidden < 0 || q[0] <= forbidden || strings.HasSuffix(s, "吗"))
}

// whateverZH is the word of a question that asks nothing: 什么都别动.
var whateverZH = pattern.New(`^(?:什么|谁|哪[^，。]{0,3}|怎么|多少)[^，。]{0,4}[都也]`)

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
