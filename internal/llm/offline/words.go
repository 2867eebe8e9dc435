package offline

import (
	"slices"
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/sorting"
)

// word is a word of the question that no field of it has used up.
type word struct {
	text     string // lower case
	from, to int
}

var (
	latinWord = pattern.New(`[\p{Latin}\p{Greek}\p{Cyrillic}0-9_@#$%/][\p{Latin}\p{Greek}\p{Cyrillic}0-9_@.:/&+\-']*`)
	hanRun    = pattern.New(`\p{Han}+`)
)

// stopWords say how to ask, not what for.
var stopWords = set(`anything something everything nothing anyone someone everyone nobody a an the this that these those it its they them their there here i me my we us our you your he she
is are was were be been being am do does did done has have had having can could may might must shall should will would
of in on at to from for with by as into onto over under about among amongst throughout upon than then and or but not no nor so if else per each every all any some
how many much often what which who whom whose when where why whether
line lines row rows record records entry entries log logs file files data dataset table tables csv json jsonl markdown text texts
show list print display give find get tell see look search grep filter select count counts number numbers tally compute calculate report extract pull please
time times occurrence occurrences happen happens happened happening occur occurs occurred appear appears appeared exist exists contain contains containing contained include includes including mention mentions mentioning mentioned match matches matching matched say says said called named
total overall altogether sum average avg mean max maximum min minimum median most least top bottom first last latest earliest newest oldest recent highest lowest largest smallest biggest slowest fastest longest shortest cheapest busiest worst best
value values column columns field fields group grouped groups order ordered sort sorted rank ranked distribution breakdown different distinct unique frequent common
take takes took taken taking return returns returned returning cost costs spend spent last lasts lasted go goes went come came make makes made made receive received send sent write written save saved handle handled serve served
only just also exactly currently now ever still yet more less fewer few other others same one ones thing things
where equal equals equal's is's greater than between before after since until during within around up down out off
log's me's us's it's what's there's who's how's let let's want need know like
event events message messages request requests hit hits call calls item's minute hour day daily hourly date
above below higher lower longer shorter slower faster bigger larger smaller long short
start started starts end ended ends begin began begins beginning descending ascending desc asc sold sell sells bought buy buys period cover covers covered span have's been's respectively combined together whole entire vs versus moment already better worse pls plz thx asap anybody somebody
attempt attempts got gets getting i.e e.g etc logged transferred transmitted transmits
requested visited accessed viewed
use used uses using response responses neither nor either both because page pages without except excluding fewest compare compared comparing comparison summarise summarize summary overview pro recently json counting everything everybody somebody`)

// lightWords say no more than that something is or was done; one that stands nowhere in a file takes
// nothing from its question.
var lightWords = set(`break pay pays thrown raised single marked flagged labelled place placed work works worked live lives lived bring brings brought tried try tries run runs ran mark marks id stay stayed stands stood
left paid arrived arrive arrives saw see sees seen suffered suffer suffers experienced experience experiences faced encountered caused causes produced produces triggered triggers generated generates showed shown threw throw throws given had brought scored held holds keep keeps kept put puts became become becomes remained remain remains turned turn turns reached reach reaches managed carried carry carries please kindly hey hello thanks thank dear quick quickly actually really maybe perhaps roughly approximately already account accounted accounts attributed belong belongs belonging concerning regarding recorded registered noted listed present`)

// anyThings name the rows whatever they are of, if no row says otherwise.
var anyThings = set(`animal animals person persons people folks thing things item items object objects place places site sites case cases unit units piece pieces parcel parcels package packages reading readings measurement measurements observation observations sample samples 读数 数据点 测量值 instance instances individual individuals sample samples entity entities job jobs task tasks`)

// functionWords are the stop words that are no value of anything.
var functionWords = set(`the this that these those it its of in on at to from for with by as and or but not is are was were be been how many much what which who when where why there per each every all any some`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// hanStop are Chinese words that say how to ask; longer ones come first.
var hanStop = pattern.New(`几门|几张|几件|几位|几名|几台|几家|比较|对比|来自|其他|其它|全公司|整个公司|更[高低大小多少快慢]|需要|被?访问(?:了|过)|截至|截止到|直到|但是|但|请求数|请求|多少钱|最常见|最频繁|最活跃|最畅销|以外|之外|除此|除了|没有|不包含|不包括|不含|不是|不为|不在|未能|一共卖|卖了|卖出|售出|总价值|总值|价值|传输|抽取|字段|两列|三列|几列|并生成|什么时候|多长时间|多长|人数|占比|比例|情况|一下|具体|大概|目前|时间范围|覆盖|多少|哪一个|哪一天|哪些|哪个|哪几|几个|几条|几次|几行|几笔|几单|为什么|怎么样|怎么|什么|分别|一共|总共|总数|总计|总和|合计|平均值?|最大值?|最小值?|最多|最少|最高|最低|最大|最小|最慢|最快|最长|最短|最早|最晚|最近|最严重|最厉害|最后|最新|第一|首次|前面|出现|包含|含有|提到|发生|显示|列出|找出|找到|查找|查询|查看|统计|计算|数一数|计数|筛选|过滤|提取|输出|给出|给我|告诉我|帮我|请问|请|级别|的行数|行数|条数|次数|个数|数量|记录|日志|文件|数据|表格|条目|消息|信息|请求|事件|之间|之后|之前|以后|以前|以上|以下|以内|超过|大于|小于|等于|不少于|至少|不超过|至多|高于|低于|每个|每种|每类|每天|每小时|每分钟|各个|各种|各自|按照|按|每|各|排名|排序|排列|升序|降序|分组|汇总|分布|其中|这个|那个|这些|那些|这份|里面|当中|里|中|的|了|是|为|有|在|和|与|及|或|把|将|被|从|到|对|于|吗|呢|吧|啊|都|也|还|就|会|能|要|得|着|过|条|个|次|行|笔|单|名|位|种|类|项|台|起|天|小时|分钟|秒|哪|几|谁|我|你|它|那|这|一|内(?:的|有|部|$)|中|上|下|返回|花费|耗时|用了|的时间|时间|如何|几点|新开|产生|遇到|所有|全部|整个|不同|卖|由`)

// left gives the words of a question that may name a column or a value.
func left(q *question.Question) []word {
	var out []word
	for _, at := range latinWord.FindAllStringIndex(q.Text, -1) {
		text := strings.TrimRight(q.Text[at[0]:at[1]], ".:/-'")
		text = strings.TrimSuffix(text, "'s")
		to := at[0] + len(text)
		if text != "" && !q.TakenAt(at[0], to) {
			out = append(out, word{text, at[0], to})
		}
	}
	return out
}

// wrongHan are Chinese words for levels of what is wrong.
var wrongHan = pattern.New(`错|异常|故障|警告|告警|预警|致命`)

// hanParts are names of parts of a system that hold a word of asking: its 单, its 消息.
var hanParts = pattern.New(`(?:[订账帐清名菜工保表]单|记录|日志|文件|数据|消息|信息|事件|请求)(?:服务|模块|组件|系统|程序|进程)`)

// hanWhole are words that hold a word of asking, such as 项 or 中, and mean nothing of the kind.
var hanWhole = pattern.New(`项目|单位|中心|里程|会议|会员|得分|起点|还款|内存|内容|名单|上海|台湾|中断|上线|下线|过期|到期|在线|离线|请假|休假|申请|邀请`)

// hanLeft gives what is left of the Chinese of a question when the words of asking are taken away.
func hanLeft(q *question.Question, drop []string) []word {
	var out []word
	for _, run := range hanRun.FindAllStringIndex(q.Text, -1) {
		text := []byte(q.Text[run[0]:run[1]])
		for _, t := range q.Taken { // what is said to be wrong ends the name of what it is wrong with
			from, to := max(t.From, run[0]), min(t.To, run[1])
			if from < to && wrongHan.MatchString(q.Text[from:to]) {
				copy(text[from-run[0]:], strings.Repeat(" ", to-from))
			}
		}
		for _, d := range drop {
			blankOut(text, d)
		}
		whole := append(hanParts.FindAllStringIndex(string(text), -1), hanWhole.FindAllStringIndex(string(text), -1)...)
		for _, at := range hanStop.FindAllIndex(text, -1) {
			if slices.ContainsFunc(whole, func(w []int) bool { return w[0] <= at[0] && at[1] <= w[1] }) {
				continue
			}
			for i := at[0]; i < at[1]; i++ {
				text[i] = ' '
			}
		}
		for _, at := range hanRun.FindAllIndex(text, -1) {
			w := word{string(text[at[0]:at[1]]), run[0] + at[0], run[0] + at[1]}
			if !q.TakenAt(w.from, w.to) {
				out = append(out, w)
			}
		}
	}
	return out
}

func blankOut(text []byte, part string) {
	for part != "" {
		at := strings.Index(string(text), part)
		if at < 0 {
			return
		}
		for i := range len(part) {
			text[at+i] = ' '
		}
	}
}

// hasHan tells Chinese text.
func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// candidates are the words and phrases to look for among a file's values: what is quoted, what is
// left of the words, and runs of up to three of them.
func candidates(q *question.Question) []string {
	seen := map[string]bool{}
	var out []string
	add := func(s string) {
		s = strings.TrimSpace(strings.ReplaceAll(s, ",", " "))
		if s != "" && !seen[s] && len(out) < maxLookedFor {
			seen[s] = true
			out = append(out, s)
		}
	}
	for _, t := range q.Quoted {
		add(t)
	}
	ws := left(q)
	for size := 3; size >= 1; size-- {
		for i := 0; i+size <= len(ws); i++ {
			if p, ok := phrase(q, ws[i:i+size]); ok {
				add(p)
				for _, stem := range stems(p) {
					add(stem)
				}
			}
		}
	}
	for _, w := range append(hanLeft(q, hanNouns()), append(hanLeft(q, nil), hanLeft(q, themeHan())...)...) {
		add(w.text)
		add("未" + w.text) // see sayNot
		add("已" + w.text)
		add("待" + w.text)
		if r := []rune(w.text); len(r) >= 4 { // the noun of the rows and what became of them
			add(string(r[len(r)-2:]))
			add("已" + string(r[len(r)-2:]))
		}
	}
	for _, group := range synonyms { // what lines may call a thing that the question names in Chinese
		for _, han := range group {
			if hasHan(han) && strings.Contains(q.Text, han) && len([]rune(han)) > 1 {
				add(group[0])
			}
		}
	}
	for _, t := range conceptTexts(q.Text) {
		add(t)
		for _, form := range stemmed(t) {
			add(form)
		}
	}
	if m := numbersOf.FindStringSubmatchIndex(q.Text); m != nil && m[2] >= 0 {
		add(q.Text[m[2]:m[3]])
	}
	for _, m := range rateWord.FindAllStringSubmatch(q.Text, -1) {
		for _, form := range formsOf(m[1] + m[2]) {
			add(form)
		}
	}
	if returnsOf.MatchString(q.Text) {
		add("returned")
	}
	for i, w := range ws { // words of asking and single letters may be values beside their column
		if i > 0 && statePreps[ws[i-1].text] && !stopWords[w.text] {
			add(ws[i-1].text + " " + w.text)
		}
		if i > 0 && stopWords[w.text] && !functionWords[w.text] || len(w.text) == 1 {
			add(w.text)
		}
	}
	return out
}

// statePreps begin values such as "on leave" and "in transit".
var statePreps = set("on in out off at under not")

// maxLookedFor is how many words one look at a file finds.
const maxLookedFor = 80

// hanNouns are the Chinese names of things that columns hold.
func hanNouns() []string {
	var out []string
	for _, group := range synonyms {
		for _, w := range group {
			if hasHan(w) {
				out = append(out, w)
			}
		}
	}
	sorting.By(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// phrase gives neighbouring words as they stand, if none at its ends is a word of asking.
func phrase(q *question.Question, ws []word) (string, bool) {
	if asksOnly(q, ws[0]) || asksOnly(q, ws[len(ws)-1]) {
		return "", false
	}
	for i := 1; i < len(ws); i++ {
		if strings.TrimSpace(q.Text[ws[i-1].to:ws[i].from]) != "" {
			return "", false
		}
	}
	if len(ws) == 1 && len(ws[0].text) < 2 {
		return "", false
	}
	return q.Text[ws[0].from:ws[len(ws)-1].to], true
}

// asksOnly tells a word of asking that is not written as a value would be.
func asksOnly(q *question.Question, w word) bool {
	return stopWords[w.text] && !q.Shouted(w.from, w.to)
}

// keywords are what a search by words would look for.
func (s *session) keywords() []string {
	var out []string
	for i := range s.asked.Questions {
		q := &s.asked.Questions[i]
		out = append(out, q.Quoted...)
		for _, w := range left(q) {
			if !stopWords[w.text] && len(w.text) > 2 {
				out = append(out, w.text)
			}
		}
		for _, w := range hanLeft(q, nil) {
			if len([]rune(w.text)) > 1 {
				out = append(out, w.text)
			}
		}
	}
	return out
}
