package question

import (
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// parseClause understands one clause.
func parseClause(text string, known []string, lang string) Question {
	q := parsePlain(text, known, lang)
	q.Mark = markOf(&q, known)
	return q
}

// parsePlain is parseClause without an event that the rows come before or after.
func parsePlain(text string, known []string, lang string) Question {
	q := Question{Original: text, Lang: lang}
	ms := mentions(text, known)
	for _, m := range ms {
		if !slices.Contains(q.Files, m.name) {
			q.Files = append(q.Files, m.name)
		}
	}
	q.Text = hanAmounts(hanTimes(strings.ToLower(blank(text, ms))))
	q.Text = meaning.ReplaceAllStringFunc(q.Text, func(m string) string { return m[:strings.LastIndex(m, "mean")] + "    " })
	q.Text = rankedGroups(q.Text)
	q.parseNth()
	q.parseQuoted()
	q.Intent = intentOf(withoutValues(mostRecent.ReplaceAllString(q.plainText(), "latest")))
	if more := moreOf.MatchString(q.Text); more && (q.Intent == FindFiles || q.Intent == ListFiles) {
		q.Intent = Compare
	}
	if q.Intent == Incident && whenLast.MatchString(q.Text) {
		q.Intent = FirstLast
	}
	if howManyMore.MatchString(q.Text) && (len(q.Files) > 1 || otherThan.MatchString(q.Text)) {
		q.Intent, q.Versus = Compare, true
	}
	if q.Intent == Remember && strings.ContainsAny(text, "?？吗么") { // a wish is taken out of the message before
		q.Intent = Recall
	}
	q.parseTimes()
	q.parseCounts()
	q.parseBounds()
	q.parseLevel()
	q.parseShape()
	q.refine()
	if q.Intent != Refuse && !q.Spread {
		if q.Span = elapsedOf(&q, known); q.Span != nil {
			q.Intent = Elapsed
			return q
		}
	}
	switch q.Intent {
	case Correlate, Compare, Filter, Count, Top, FirstLast, Unknown:
		if q.Near = nearOf(text, known, lang); q.Near != nil {
			q.Intent = Correlate
		}
	}
	if q.Intent == Unknown && reportWish.MatchString(q.Text) {
		q.Intent = Summary
	}
	if m := failedMost.FindStringIndex(q.Text); m != nil && q.Intent == Incident {
		q.take(m[0], m[1])
		if q.Intent, q.Desc = Top, true; q.Level == "" {
			q.Level, q.Above = "error", true
		}
	}
	return q
}

// meaning is what something means, and no mean.
var meaning = pattern.New(`\b(?:do|does|did)\b[^.?!]*\bmean\b`)

// reportWish wants a report that says of nothing in particular what it is to tell.
var reportWish = pattern.New(`^\s*(?:please |can you |could you )*(?:write|create|make|prepare|draft|produce|generate|compile)\b[^.?!]*\breport\b|^\s*(?:请|帮我|麻烦)*(?:写|生成|整理|做|出)[^。？！]*报告`)

var (
	moreOf      = pattern.New(`\b(?:which|what) (?:of the (?:two )?)?(?:files?|logs?|documents?|one)\b.*\b(?:more|fewer|most|fewest|least|higher|highest|lower|lowest|larger|longer|slower|faster|greater)\b|哪(?:个|一个|份)(?:文件|日志)[^，。？！]*(?:更?多|更?少|更?高|更?低|更?慢|更?快)`)
	howManyMore = pattern.New(`\bhow many (?:more|fewer|less)\b|\bhow much (?:more|less)\b|比[^，。？！]*多(?:了)?(?:多少|几)|比[^，。？！]*少(?:了)?(?:多少|几)`)
	otherThan   = pattern.New(`\bthan (?:the other|the first|the second)\b`)
)

// whenLast asks for one row, whatever failed in it.
var whenLast = pattern.New(`^\s*when (?:did|was|were|has|have)\b[^,.?!]*\b(?:first|last)\b[^,.?!]*$`)

var mostRecent = pattern.New(`\bmost recent(?:ly)?\b`)

// withoutValues leaves out "not from Paris" where no file is meant.
func withoutValues(text string) string {
	return notValue.ReplaceAllStringFunc(text, func(s string) string {
		m := notValue.FindStringSubmatch(s)
		if otherFile.MatchString(m[1]) || otherHan.MatchString(m[2]) {
			return s
		}
		return " unlike " + m[1] + m[2]
	})
}

// blank puts spaces where file names stand, byte for byte, so that places stay the same.
func blank(text string, ms []mention) string {
	b := []byte(text)
	for _, m := range ms {
		for i := m.from; i < m.to; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// failedMost asks for a ranking by failures, not for the story of one.
var failedMost = pattern.New(`\b(?:fail(?:ed|s|ing)?|crash(?:ed|es)?|broke|breaks|(?:went|goes) wrong)\s+(?:the )?most(?:\s+often)?\b|(?:失败|崩溃|出错)(?:次数)?最多`)

// notValue is "not from Paris": a value that is excluded, not a second file to compare with.
var notValue = pattern.New(`\b(?:not|missing) (?:in|from) ((?:the )?[a-z0-9\p{Han}][a-z0-9.\p{Han}]*)|(?:不在|缺少|没有出现)(?:在|过)?\s*((?:\p{Han}|[a-z0-9"“.])+)`)

// otherHan is the same of Chinese.
var otherHan = pattern.New(`^(?:第二|第一|另|其他|其它|那|这|该|新|旧|前者|后者|文件|两个|任何)|文件|表|中$|里$|^中|^里`)

// otherFile are words that follow "not in" where a file is meant.
var otherFile = pattern.New(`^(?:the )?(?:other|second|first|latter|former|new|newer|old|older|it|them|both|either|any|file|that|this|one)$`)

var quotedText = pattern.New("\"([^\"]{1,200})\"|“([^”]{1,200})”|「([^」]{1,200})」|『([^』]{1,200})』|`([^`]{1,200})`|‘([^’]{1,200})’|(?:^|[\\s(（])'([^']{1,200})'")

func (q *Question) parseQuoted() {
	for _, m := range quotedText.FindAllStringSubmatchIndex(q.Text, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] < 0 {
				continue
			}
			text := q.Text[m[g]:m[g+1]]
			if strings.TrimSpace(text) != "" {
				q.Quoted = append(q.Quoted, q.spelled(text, m[g]))
				q.take(m[0], m[1])
			}
		}
	}
}

// spelled gives a part of Text in the case it was written in.
func (q *Question) spelled(text string, at int) string {
	if len(q.Original) == len(q.Text) && at+len(text) <= len(q.Original) {
		return q.Original[at : at+len(text)]
	}
	return text
}

// plainText is Text without what is quoted: quoted words tell no intent.
func (q *Question) plainText() string {
	b := []byte(q.Text)
	for _, s := range q.Taken {
		for i := s.From; i < s.To; i++ {
			b[i] = ' '
		}
	}
	return strings.TrimSpace(string(b))
}

var hanDigits = map[rune]int{'一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

// number reads 12, twelve up to ten, 十二.
func number(s string) (int, bool) {
	if n, err := strconv.Atoi(s); err == nil {
		return n, n > 0 && n <= 1000
	}
	if i := slices.Index(numberWords, s); i > 0 {
		return i, true
	}
	n, tens := 0, false
	for _, r := range s {
		switch d, ok := hanDigits[r]; {
		case r == '十' && !tens:
			n, tens = max(n, 1)*10, true
		case ok:
			n += d
		default:
			return 0, false
		}
	}
	return n, n > 0
}

var numberWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

const numeral = `(\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|[一二两三四五六七八九十]{1,3})`

var (
	nthEN  = pattern.New(`\b(second|third|fourth|fifth|2nd|3rd|4th|5th)[ -](?:most|least|best|worst|highest|lowest|largest|smallest|biggest|longest|shortest|slowest|fastest|cheapest)\b`)
	nthHan = pattern.New(`(第([二三四五]))(?:高|低|多|少|大|小|长|短|慢|快|贵|便宜)`)
)

// parseNth reads "second highest" as the highest two, which are then listed in their order.
func (q *Question) parseNth() {
	m, n := nthEN.FindStringSubmatchIndex(q.Text), 0
	if m != nil {
		n = map[byte]int{'s': 2, '2': 2, 't': 3, '3': 3, '4': 4, '5': 5}[q.Text[m[2]]]
		if word := q.Text[m[2]:m[3]]; n == 0 {
			n = map[string]int{"fourth": 4, "fifth": 5}[word]
		}
		q.Text = q.Text[:m[2]] + strings.Repeat(" ", m[3]-m[2]) + q.Text[m[3]:]
	} else if m = nthHan.FindStringSubmatchIndex(q.Text); m != nil {
		n, _ = number(q.Text[m[4]:m[5]])
		q.Text = q.Text[:m[2]] + "   最" + q.Text[m[3]:]
	}
	q.N = n
}

var (
	topN  = pattern.New(`\b(?:top|first|last|latest|earliest|newest|oldest|bottom|largest|smallest|biggest|highest|lowest|slowest|fastest|most recent)\s+` + numeral + `\b|(?:前|最后|最近|最早|最新|头|末)\s*(?:的\s*)?` + numeral + `\s*(?:个|条|次|行|名|位|种|笔|单|项|大)?`)
	nTop  = pattern.New(`\b` + numeral + `\s+(?:most|least|slowest|fastest|largest|smallest|biggest|highest|lowest|latest|earliest|oldest|newest|longest|shortest|last|first|top|cheapest|busiest|worst|best)\b|` + numeral + `\s*(?:个|条|次|行|名|位|种|笔|单)[^，。？！]{0,8}最|最\p{Han}{1,4}的?\s*` + numeral + `\s*(?:个|条|次|行|名|位|种|笔|单)`)
	limit = pattern.New(`\b(?:which|what)\s+(?:are\s+)?(?:the\s+)?` + numeral + `\s+[a-z]+|\b(?:show|list|print|give|find|display)\s+(?:me\s+|the\s+|up to\s+)*` + numeral + `\s+[a-z]|(?:列出|显示|给出|打印|找出)\s*` + numeral + `\s*(?:个|条|行|名|笔)`)
)

func (q *Question) parseCounts() {
	for _, re := range []*pattern.Pattern{topN, nTop, limit} {
		m := re.FindStringSubmatchIndex(q.Text)
		if m == nil {
			continue
		}
		for g := 2; g < len(m); g += 2 {
			if m[g] < 0 || q.TakenAt(m[g], m[g+1]) || timeFollows(q.Text[m[g+1]:]) {
				continue
			}
			if n, ok := number(q.Text[m[g]:m[g+1]]); ok {
				q.N = n
				q.take(m[g], m[g+1])
				return
			}
		}
	}
}

var spanUnit = pattern.New(`^\s*(?:seconds?|secs?|minutes?|mins?|hours?|days?|秒|分钟|小时|天)`)

func timeFollows(s string) bool { return spanUnit.MatchString(s) }

var (
	boundWord = pattern.New(`(>=|<=|≥|≤|>|<|\b(?:no (?:less|fewer) than|no more than|not more than|more than|greater than|larger than|bigger than|higher than|longer than|slower than|older than|less than|fewer than|lower than|smaller than|shorter than|faster than|younger than|cheaper than|at least|at most|over|above|exceed(?:s|ed|ing)?|north of|in excess of|upwards of|heavier than|lighter than|taller than|warmer than|hotter than|colder than|cooler than|deeper than|wider than|farther than|further than|closer than|nearer than|louder than|thicker than|thinner than|more expensive than|less expensive than|dearer than|under|below|up to|a minimum of|a maximum of)\b|不少于|不低于|不小于|至少|不超过|不大于|不高于|不多于|至多|最多|大于等于|小于等于|超过|超出|大于|高于|多于|长于|晚于|慢于|小于|低于|少于|短于|快于|不到|不足|未满|不满)了?\s*(?:等于)?\s*[$¥￥€]?\s*(-?\d[\d,]*(?:\.\d+)?|zero\b|零)\s*(ms|milliseconds?|毫秒|seconds?|secs?|s\b|秒|minutes?|mins?|分钟|hours?|hrs?|h\b|个?小时|days?|天|%|k\b|万|千)?`)
	boundEnd  = pattern.New(`[$¥￥€]?\s*(\d[\d,]*(?:\.\d+)?)\s*(ms|milliseconds?|seconds?|secs?|s\b|minutes?|mins?|%|k\b)?\s*(?:[a-z]+\s+)?(?:or|and)\s+(more|above|over|higher|greater|longer|larger|less|fewer|below|under|lower|shorter|smaller)\b`)
	boundUnit = pattern.New(`(?:\b(?:more|longer|slower|less|shorter|faster) than|\bover|\babove|\bunder|\bbelow|\bat least|\bat most|超过|大于|多于|小于|少于|不到)了?\s*(an?\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|[一二两三四五六七八九十]+)\s*(?:个)?(seconds?|minutes?|milliseconds?|hours?|秒|分钟|毫秒|小时)`)
	signWord  = pattern.New(`\b(negative)\b|\bpositive\b|(为负数?|是负数?|负数|负的)|为正数?|是正数|正数`)
	boundTail = pattern.New(`(\d[\d,]*(?:\.\d+)?)\s*(ms|毫秒|秒|元|块|分钟|个?小时|天|次|个|件|条|人|台|本|岁|分|公斤|吨|%|万|千)?\s*(?:以上|以下|以内)`)
)

var boundOps = map[string]string{
	">=": ">=", "≥": ">=", "no less than": ">=", "no fewer than": ">=", "at least": ">=", "a minimum of": ">=", "upwards of": ">=", "不少于": ">=", "不低于": ">=", "不小于": ">=", "至少": ">=", "大于等于": ">=",
	"<=": "<=", "≤": "<=", "no more than": "<=", "not more than": "<=", "at most": "<=", "a maximum of": "<=", "up to": "<=", "不超过": "<=", "不大于": "<=", "不高于": "<=", "不多于": "<=", "至多": "<=", "最多": "<=", "小于等于": "<=",
	"<": "<", "less than": "<", "fewer than": "<", "lower than": "<", "smaller than": "<", "shorter than": "<", "faster than": "<", "younger than": "<", "cheaper than": "<", "lighter than": "<", "colder than": "<", "cooler than": "<", "closer than": "<", "nearer than": "<", "thinner than": "<", "less expensive than": "<", "under": "<", "below": "<", "小于": "<", "低于": "<", "少于": "<", "短于": "<", "快于": "<", "不到": "<", "未满": "<", "不满": "<", "不足": "<",
}

// boundNot turns a bound round: "not above 100".
var boundNot = pattern.New(`(?:\bnot|n't|\bnever|没有|没|未|并非|不是)\s*$`)

var numRange = pattern.New(`(?:\bbetween\s+|\bfrom\s+|在|介于)\s*[$¥￥€]?\s*(\d[\d,]*(?:\.\d+)?)\s*(?:and|to|-|到|至|和|与|~)\s*[$¥￥€]?\s*(\d[\d,]*(?:\.\d+)?)\s*(ms|milliseconds?|毫秒|seconds?|secs?|秒)?`)

// parseRanges reads "between 5 and 10": both ends are included.
func (q *Question) parseRanges() {
	for _, m := range numRange.FindAllStringSubmatchIndex(q.Text, -1) {
		if q.TakenAt(m[2], m[3]) || q.TakenAt(m[4], m[5]) {
			continue
		}
		unit := group(q.Text, m, 6)
		q.addBound(">=", q.Text[m[2]:m[3]], unit, m)
		q.addBound("<=", q.Text[m[4]:m[5]], unit, m)
	}
}

func (q *Question) parseBounds() {
	q.parseRanges()
	q.parseSigns()
	for _, m := range boundWord.FindAllStringSubmatchIndex(q.Text, -1) {
		if q.TakenAt(m[4], m[5]) {
			continue
		}
		op, ok := boundOps[q.Text[m[2]:m[3]]]
		if !ok {
			op = ">"
		}
		if loc := boundNot.FindStringIndex(q.Text[:m[0]]); loc != nil {
			q.take(loc[0], loc[1])
			op = map[string]string{">": "<=", ">=": "<", "<": ">=", "<=": ">"}[op]
		}
		q.addBound(op, q.Text[m[4]:m[5]], group(q.Text, m, 6), m)
	}
	for _, m := range boundUnit.FindAllStringSubmatchIndex(q.Text, -1) {
		n, ok := number(q.Text[m[2]:m[3]])
		if !ok {
			n = 1 // a second
		}
		op := ">"
		switch head := q.Text[m[0]:m[2]]; {
		case lessThan.MatchString(head):
			op = "<"
		case strings.Contains(head, "at least"):
			op = ">="
		case strings.Contains(head, "at most"):
			op = "<="
		}
		q.addBound(op, strconv.Itoa(n), group(q.Text, m, 4), m)
	}
	for _, m := range boundEnd.FindAllStringSubmatchIndex(q.Text, -1) {
		if q.TakenAt(m[2], m[3]) {
			continue
		}
		op := ">="
		switch group(q.Text, m, 6) {
		case "less", "fewer", "below", "under", "lower", "shorter", "smaller":
			op = "<="
		}
		q.addBound(op, q.Text[m[2]:m[3]], group(q.Text, m, 4), m)
	}
	for _, m := range boundTail.FindAllStringSubmatchIndex(q.Text, -1) {
		if q.TakenAt(m[2], m[3]) {
			continue
		}
		op := ">="
		if !strings.Contains(q.Text[m[0]:m[1]], "以上") {
			op = "<="
		}
		q.addBound(op, q.Text[m[2]:m[3]], group(q.Text, m, 4), m)
	}
}

var lessThan = pattern.New(`less|short|fast|under|below|小于|少于|不到`)

var nonZero = pattern.New(`不为(?:零|0)|不是(?:零|0)|非零|不等于(?:零|0)|\bnon-?zero\b|\b(?:not|isn't) (?:zero|0)\b`)

// parseSigns reads "negative" and "positive", and what is to be anything but zero.
func (q *Question) parseSigns() {
	for _, m := range nonZero.FindAllStringIndex(q.Text, -1) {
		q.addBound("!=", "0", "", m)
	}
	for _, m := range signWord.FindAllStringSubmatchIndex(q.Text, -1) {
		op := ">"
		if m[2] >= 0 || m[4] >= 0 {
			op = "<"
		}
		q.addBound(op, "0", "", m)
	}
}

func group(s string, m []int, i int) string {
	if m[i] < 0 {
		return ""
	}
	return s[m[i]:m[i+1]]
}

// decimalComma is a number whose comma is no mark of thousands.
var decimalComma = pattern.New(`^-?\d+,(?:\d{1,2}|\d{4,})$`)

var units = map[string]string{"ms": "ms", "millisecond": "ms", "milliseconds": "ms", "毫秒": "ms", "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "秒": "s", "min": "m", "mins": "m", "minute": "m", "minutes": "m", "分钟": "m", "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "h": "h", "小时": "h", "个小时": "h", "day": "d", "days": "d", "天": "d", "%": "%"}

func (q *Question) addBound(op, digits, unit string, m []int) {
	if digits == "zero" || digits == "零" {
		digits = "0"
	}
	if decimalComma.MatchString(digits) {
		digits = strings.Replace(digits, ",", ".", 1)
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	if err != nil {
		return
	}
	switch unit {
	case "k", "千":
		x *= 1000
	case "万":
		x *= 10000
	}
	q.Bounds = append(q.Bounds, Bound{op, x, units[unit], m[0], m[1]})
	q.take(m[0], m[1])
}
