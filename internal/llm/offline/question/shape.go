package question

import (
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// levelWords are how people call levels; the plural or the Chinese word means "this and worse".
var levelWords = []struct {
	re    *pattern.Pattern
	level string
	above bool
}{
	{pattern.New(`\bfatals?\b|致命`), "fatal", true},
	{pattern.New(`\bcriticals?\b|\bcrit\b|严重(?:错误|级别|级|的?日志|的?行)`), "crit", true},
	{pattern.New(`\bpanics?\b`), "panic", true},
	{pattern.New(`\b(?:errors|failures|exceptions)\b|\berror (?:messages?|lines?|rows?|rate|count|entries|entry|events?|logs?)\b|\b(?:an|any|the|first|last|next|each|every|of|in|latest|earliest|recent|that) error\b|错误|报错|出错|(?:出|报)过?了?(?:几|多少)(?:次|个|回|条)?错|异常|故障`), "error", true},
	{pattern.New(`\berror\b|\berr\b`), "error", false},
	{pattern.New(`\bwarn(?:ing)?s?\b|警告|告警|预警`), "warn", false},
	{pattern.New(`\bnotices?\b`), "notice", false},
	{pattern.New(`\binfo\b|信息`), "info", false},
	{pattern.New(`\bdebug\b|调试`), "debug", false},
	{pattern.New(`\btrace\b`), "trace", false},
}

// parseLevel finds the levels that the words ask for, and those they exclude. "ERROR", written
// like a level, means that level alone.
func (q *Question) parseLevel() {
	type hit struct {
		at    []int
		level string
		above bool
		worse bool // and it says so
	}
	var hits []hit
	for _, w := range levelWords {
		for _, at := range w.re.FindAllStringIndex(q.Text, -1) {
			above := w.above
			if more := orWorse.FindStringIndex(q.Text[at[1]:]); more != nil {
				above = true
				q.take(at[1], at[1]+more[1])
			}
			if !q.TakenAt(at[0], at[1]) && (q.Text[at[0]:at[1]] != "信息" || infoBefore.MatchString(q.Text[:at[0]]) || infoAfter.MatchString(q.Text[at[1]:])) {
				q.take(at[0], at[1])
				hits = append(hits, hit{at, w.level, above, above && !w.above})
			}
		}
	}
	sorting.By(hits, func(a, b hit) int { return a.at[0] - b.at[0] })
	nots, all := make([]Not, len(hits)), q.Nots()
	for i, h := range hits { // before any of them is used up
		if n, ok := q.reaches(all, h.at[0]); ok {
			nots[i] = n
		}
	}
	for i, h := range hits {
		if i > 0 && h.level == "error" && strings.TrimSpace(q.Text[hits[i-1].at[1]:h.at[0]]) == "" {
			continue // "fatal error" is one level
		}
		q.addLevel(h.level, h.above, h.at, nots[i])
		q.Above = q.Above || h.worse && q.Level == h.level
	}
}

var orWorse = pattern.New(`^\s*(?:levels?|lines?|messages?|severity|级别?)?\s*(?:(?:or|and) (?:worse|above|higher|up|more (?:severe|serious))|(?:及|或|或者)?(?:其)?(?:以上|更高|更严重))`)

// infoBefore tells that 信息, which mostly means a message, is the level of that name.
var infoAfter = pattern.New(`^["”'\]】]?(?:级别?|这一级|等级)`)

// infoBefore does so by what stands before it.
var infoBefore = pattern.New(`(?:不是|不为|不含|非|除了|除去|除|级别(?:为|是)?)["“'\[【]?$`)

func (q *Question) addLevel(level string, above bool, at []int, not Not) {
	if s := q.spelled(q.Text[at[0]:at[1]], at[0]); strings.Contains(s, strings.ToUpper(level)) {
		above = false
	}
	if not.To > 0 {
		q.take(not.From, not.To)
		if q.NotLevel = append(q.NotLevel, level); above {
			q.NotAbove = level
		}
		return
	}
	switch {
	case q.Level == "":
		q.Level, q.Above = level, above
	case q.Level != level && !slices.Contains(q.Levels, level):
		q.Levels = append(q.Levels, level)
	}
}

var (
	perUnit  = pattern.New(`\b(?:per|by|each|every|in each|for each|which|what)\s+(minute|hour|day|date|month|year)\b|\b(hourly|daily|monthly|yearly)\b|(?:每|按|哪(?:个|一)?)\s*(?:一|个)?(分钟|小时|天|月|日(?:[^志]|$)|年(?:[^龄级]|$))|(?:哪天|按日期)|\b(?:busiest|worst|best|better|strongest|weakest|quietest|slowest|peak|top) (minute|hour|day|month|year)\b|几(点)(?:钟)?的?[^，。？！前后]{0,12}最|最[^，。？！]{1,8}(?:是|在)几(点)`)
	andUnit  = pattern.New(`(?:\b(?:per|by|each|every)\s+[\p{L}_.]+(?:\s+and(?:\s+(?:per|by))?\s+|\s*,\s*)|(?:按|每|各)\p{Han}{1,6}(?:和|与|及|、)(?:每)?)(minute\b|hour\b|day\b|month\b|year\b|分钟|小时|天|月)`)
	topUnits = pattern.New(`(\b(?:which|what) (?:minute|hour|day|month|year)s\b|哪几个?(?:分钟|小时|天|月))[^.?!，。？！]*(?:\b(?:most|least|best|worst|highest|lowest)\b|最)`)
	ordering = pattern.New(`\b(?:sort|sorted|order(?:ed)? (?:by|descending|ascending|from (?:the )?(?:\w+est|high|low|small|large|top)))\b|排序|排列|降序|升序`)
	sharing  = pattern.New(`\b(?:percentage|percent|proportion|share|fraction|ratio)\b|\b(?:error|failure|success) rate\b|占比|占(?:了|到)?(?:百分之)?多少|占几成|比例|百分比|百分之(?:几|多少)|错误率|失败率|成功率`)
	statuses = pattern.New(`\b([1-5])xx\b`)
	grouping = pattern.New(`\b(?:per|pro|by|each|every|for each|grouped by|group by|breakdown|distribution)\b|按|每|各|分组|分布|分别`)
	largest  = pattern.New(`\b(?:top|most|highest|largest|biggest|slowest|longest|busiest|max(?:imum)?|worst|best|strongest|priciest|dearest|costliest|heaviest|descending|desc)\b|最(?:多|高|大|慢|长|贵|忙|常|频繁|活跃|好|佳|旺|严重|厉害)|[分额量绩]第一|(?:哪|谁)[^，。？！]*得更?(?:好|多|高|快|勤)\s*[?？]?\s*$|前\s*[\d一二两三四五六七八九十]|降序|从(?:大到小|高到低|多到少)`)
	smallest = pattern.New(`\b(?:least|lightest|lowest|smallest|fastest|shortest|cheapest|fewest|weakest|worse|quietest|min(?:imum)?|bottom|ascending|asc)\b|最(?:少|低|小|快|短|便宜|差|糟)|(?:哪|谁)[^，。？！]*得更?(?:差|少|低)\s*[?？]?\s*$|升序|从(?:小到大|低到高|少到多)`)
	firstOne = pattern.New(`\b(?:first|earliest|oldest|initial|head|start(?:ed|s)?|beg[aiu]n|begins)\b|第一|最早|首(?:个|次|条)|开头|开始`)
	lastOne  = pattern.New(`\b(?:last|latest|newest|most recent(?:ly)?|final|tail|end(?:ed)?)\b|最后|最晚|最近|最新|末(?:尾|行|条)|结尾|结束`)
	both     = pattern.New(`\b(?:not|missing) (?:in|from)\b|\bonly in\b|(?:只|仅)(?:在|存在于|出现在)|不在|缺少|没有出现`)
	before   = pattern.New(`\bbefore\b|preced|之前|以前|前(?:发生|出现|有|\s*\d)|\d+\s*(?:秒|分钟|小时)之?前`)
	within   = pattern.New(`\b(?:with)?in\s+(?:the\s+)?` + numeral + `\s*(seconds?|secs?|minutes?|mins?|hours?|s|m|h)\b|\b` + numeral + `\s*(seconds?|secs?|minutes?|mins?|hours?)\s+(?:before|after|around|of)\b|(?:前后|之前|之后|前|后)?\s*` + numeral + `\s*(秒|分钟|小时)`)
	ending   = pattern.New(`(?:\*?\.|\b)(csv|tsv|md|markdown|log|txt|json|jsonl|ndjson)\b\s*(?:files?|文件|日志)?`)
)

// fns are the words for figures, the narrower first.
var fns = []struct {
	re *pattern.Pattern
	fn string
}{
	{pattern.New(`\b(?:distinct|different|unique)\b|不同的|去重|(?:多少|几)种`), "distinct"},
	{pattern.New(`\bp50\b`), "p50"},
	{pattern.New(`\bp90\b|\b90th percentile\b`), "p90"},
	{pattern.New(`\bp95\b|\b95th percentile\b`), "p95"},
	{pattern.New(`\bp99\b|\b99th percentile\b`), "p99"},
	{pattern.New(`\bmedian\b|中位数`), "median"},
	{pattern.New(`\b(?:average|avg|mean)\b|平均|均值`), "avg"},
	{pattern.New(`\b(?:sum|total|add up|altogether|how much)\b|总和|总计|合计|求和|总共|多少钱|总(?:金额|额|量|价|数量|销售额|收入|成本|时长|分)|加起来|一共|汇总`), "sum"},
	{pattern.New(`\b(?:max|maximum)\b|最大值`), "max"},
	{pattern.New(`\b(?:min|minimum)\b|最小值`), "min"},
}

// unlike is "different from", which turns round and counts nothing.
var unlike = pattern.New(`^different (?:from|than|to)\b`)

// figures finds the figures that the words name, each once, in the order they are named.
func (q *Question) figures() []string {
	type hit struct {
		fn string
		at int
	}
	var hits []hit
	for _, f := range fns {
		if at := f.re.FindStringIndex(q.Text); at != nil && f.fn != "distinct" {
			hits = append(hits, hit{f.fn, at[0]})
			q.take(at[0], at[1])
		}
	}
	sorting.By(hits, func(a, b hit) int { return a.at - b.at })
	var out []string
	for _, h := range hits {
		out = append(out, h.fn)
	}
	return out
}

var figureList = pattern.New(`\b(?:average|avg|mean|sum|total|min|max|minimum|maximum|median|p50|p90|p95|p99)\s*(?:,|and|or|&|/)\s*(?:the )?(?:average|avg|mean|sum|total|min|max|minimum|maximum|median|p50|p90|p95|p99)\b|(?:平均值?|总和|最大值?|最小值?|中位数)\s*(?:和|与|及|以及|、)\s*(?:平均值?|总和|最大值?|最小值?|中位数)`)

// perFigure gives one question for each of the figures that a list names: "minimum and maximum".
func (q Question) perFigure() []Question {
	if !figureList.MatchString(q.Text) || q.Intent != Aggregate && q.Intent != Top {
		return []Question{q}
	}
	var out []Question
	for _, fn := range q.figures() {
		one := q
		one.Taken = slices.Clone(q.Taken)
		if one.Fn = fn; !q.Group {
			one.Intent, one.Desc, one.Asc = Aggregate, false, false
		}
		out = append(out, one)
	}
	return out
}

func (q *Question) parseShape() {
	q.Sort = ordering.MatchString(q.Text) || ordersRows(q.Text)
	if m := sharing.FindStringIndex(q.Text); m != nil {
		q.Share = true
		q.take(m[0], m[1])
	}
	for _, m := range statuses.FindAllStringSubmatchIndex(q.Text, -1) {
		if q.Status == 0 {
			q.Status = int(q.Text[m[2]] - '0')
		} else {
			q.Statuses = append(q.Statuses, int(q.Text[m[2]]-'0'))
		}
		q.take(m[0], m[1])
	}
	if !q.Sort {
		q.parseUnit()
	}
	q.Group = grouping.MatchString(q.Text)
	q.Desc = largest.MatchString(q.Text)
	q.Asc = !q.Desc && smallest.MatchString(q.Text)
	q.Rows = (q.Desc || q.Asc) && rowLead.MatchString(q.Text)
	q.First = firstOne.MatchString(q.Text)
	q.Last = lastOne.MatchString(q.Text)
	q.parseTimeOrder()
	q.parseLine()
	q.Missing = both.MatchString(withoutValues(q.Text))
	q.Before = before.MatchString(q.Text)
	if m := thenWord.FindStringIndex(q.Text); m != nil && !q.TakenAt(m[0], m[1]) {
		q.Then = strings.TrimSpace(q.Text[m[0]:m[1]])
		q.take(m[0], m[1])
	}
	for _, f := range fns {
		if at := f.re.FindStringIndex(q.Text); at != nil && !unlike.MatchString(q.Text[at[0]:]) {
			q.Fn = f.fn
			if !strings.HasPrefix(q.Text[at[0]:], "总") { // what 总 is the sum of must stay
				q.take(at[0], at[1])
			}
			break
		}
	}
	if q.Intent == ListFiles || q.Intent == FindFiles {
		if m := ending.FindStringSubmatch(q.Text); m != nil {
			q.Folder = "." + m[1]
		}
	}
	if q.Intent == Correlate {
		q.parseWithin()
	}
}

var timeOrder = pattern.New(`\b(?:(newest|latest|most recent)|oldest|earliest)(?: (?:ones?|rows?|entries|orders?|[a-z]+ed))? (?:first|on top|at the top)\b|(最[新近晚]的?)(?:排|放)?在(?:最?前|上)面?|(?:从|由)(?:(新到旧|晚到早|近到远)|旧到新|早到晚|远到近)|按(?:时间|日期)(?:先后)?(?:的)?(?:(倒序|降序|逆序)|顺序|正序|升序)`)

var orderVerb = pattern.New(`\b[a-z]+ed\b`)

// parseTimeOrder reads "newest first", which asks for all rows in an order and not for one of them.
func (q *Question) parseTimeOrder() {
	m := timeOrder.FindStringSubmatchIndex(q.Text)
	if m == nil {
		return
	}
	from := m[0]
	if verb := orderVerb.FindStringIndex(q.Text[m[0]:m[1]]); verb != nil { // it may name the time that is meant
		q.take(from, from+verb[0])
		from += verb[1]
	}
	q.take(from, m[1])
	q.Sort, q.ByTime, q.First, q.Last = true, true, false, false
	q.Desc = max(m[2], m[4], m[6], m[8]) >= 0
	q.Asc = !q.Desc
}

// thenWord is a time that only another message, or an answer, tells.
var thenWord = pattern.New(`\b(?:at (?:that|this) (?:time|moment|point)|back then|at the time|(?:there|were|was|had|is|are|it) then)\b\s*$|那(?:个)?时候?|那会儿?|当时|彼时`)

var lineNumber = pattern.New(`\blines?\s+(?:no\.?\s*|number\s+|#\s*)?(\d{1,9})(?:\s*(?:-|–|to|through|until)\s*(\d{1,9}))?\b|第\s*(\d{1,9})\s*(?:行)?\s*(?:(?:到|至|-|~)\s*(?:第\s*)?(\d{1,9})\s*)?行`)

// parseLine reads "line 42" and "lines 10 to 20": the text that stands there is wanted.
func (q *Question) parseLine() {
	q.parseRowNumbers()
	m := lineNumber.FindStringSubmatchIndex(q.Text)
	if m == nil || q.TakenAt(m[0], m[1]) || q.Intent == Count || q.Intent == Refuse {
		return
	}
	for g := 2; g+3 < len(m); g += 4 {
		if m[g] < 0 {
			continue
		}
		q.Line, _ = strconv.Atoi(q.Text[m[g]:m[g+1]])
		if q.LineTo = q.Line; m[g+2] >= 0 {
			q.LineTo, _ = strconv.Atoi(q.Text[m[g+2]:m[g+3]])
		}
		q.Intent = Filter
		q.take(m[0], m[1])
	}
}

var (
	rowNumber  = pattern.New(`\b(?:show|list|print|display|give|get|read)\b[^.?!]*?\b(?:rows?|records?|entries|entry)\s+(?:no\.?\s*|number\s+|#\s*)?(\d{1,9})(?:\s*(?:-|–|to|through|until)\s*(\d{1,9}))?\s*$`)
	linesAside = pattern.New(`\b` + numeral + `\s+(?:lines?|rows?|records?|entries)\s+(?:right |just |immediately |directly )?(before|after|preceding|following)\s+|[^最\s](前|后)面?的?\s*` + numeral + `\s*(?:行|条)`)
)

// lineAside is the one line beside a first or last one.
var lineAside = pattern.New(`\b(?:the|which|what) (?:line|row|record|entry|message|event|log line)s? (?:just |right |immediately |directly |that (?:comes|came) |which (?:comes|came) )*(?:(before|preceding)|after|following) (?:the )?\b|[^最\s]之?(?:(前)|后)面?的?(?:那)?一(?:行|条)(?:日志|记录)?`)

// parseRowNumbers reads "rows 10 to 12", which counts the rows and not the lines, and "the 3 lines
// before the first X".
func (q *Question) parseRowNumbers() {
	if m := rowNumber.FindStringSubmatchIndex(q.Text); m != nil && !q.TakenAt(m[2], m[3]) {
		q.Row, _ = strconv.Atoi(q.Text[m[2]:m[3]])
		if q.RowTo = q.Row; m[4] >= 0 {
			q.RowTo, _ = strconv.Atoi(q.Text[m[4]:m[5]])
		}
		q.Intent = Filter
		q.take(m[2], m[1])
		return
	}
	if m := lineAside.FindStringSubmatchIndex(q.Text); m != nil && q.Intent != Refuse && q.Intent != Incident {
		if q.Aside = 1; m[2] >= 0 || m[4] >= 0 {
			q.Aside = -1
		}
		q.Intent, q.N = FirstLast, 0
		q.take(m[0], m[1])
		return
	}
	m := linesAside.FindStringSubmatchIndex(q.Text)
	if m == nil || !q.First && !q.Last || q.Intent == Refuse || q.Intent == Incident {
		return
	}
	count, way := group(q.Text, m, 2)+group(q.Text, m, 8), group(q.Text, m, 4)+group(q.Text, m, 6)
	n, ok := number(count)
	if !ok {
		return
	}
	if q.Aside = n; way == "before" || way == "preceding" || way == "前" {
		q.Aside = -n
	}
	q.Intent, q.N = FirstLast, 0
	q.take(m[0], m[1])
}

func (q *Question) parseUnit() {
	m := perUnit.FindStringSubmatchIndex(q.Text)
	if m == nil {
		if m = andUnit.FindStringSubmatchIndex(q.Text); m == nil {
			m = topUnits.FindStringSubmatchIndex(q.Text)
		}
		if m == nil {
			return
		}
		m = m[2:]
	}
	q.take(m[0], m[1])
	switch word := q.Text[m[0]:m[1]]; {
	case strings.Contains(word, "几点"):
		q.Unit = rows.Hour
	case strings.Contains(word, "minute"), strings.Contains(word, "分"):
		q.Unit = rows.Minute
	case strings.Contains(word, "hour"), strings.Contains(word, "时"):
		q.Unit = rows.Hour
	case strings.Contains(word, "month"), strings.Contains(word, "月"):
		q.Unit = rows.Month
	case strings.Contains(word, "year"), strings.Contains(word, "年"):
		q.Unit = rows.Year
	default:
		q.Unit = rows.Day
	}
}

// WithoutUnit is the question where the words at a place, "monthly", do not group by time.
func (q *Question) WithoutUnit(from, to int) *Question {
	one := *q
	one.Unit, one.Taken = "", slices.DeleteFunc(slices.Clone(q.Taken), func(s span) bool { return s.From < to && from < s.To })
	one.Group = grouping.MatchString(q.Text[:from] + q.Text[to:])
	if one.Intent == Top && (one.Fn != "" || bareGroup.MatchString(q.Text)) && !one.Group && !q.Desc && !q.Asc {
		one.Intent = Aggregate
	}
	return &one
}

func (q *Question) parseWithin() {
	m := within.FindStringSubmatchIndex(q.Text)
	if m == nil {
		return
	}
	for g := 2; g+3 < len(m); g += 4 {
		if m[g] < 0 {
			continue
		}
		if n, ok := number(q.Text[m[g]:m[g+1]]); ok {
			q.Within = duration(n, q.Text[m[g+2]:m[g+3]])
			q.take(m[0], m[1])
		}
	}
}

// endWords ask for the first or last, unlike "started before".
var endWords = pattern.New(`\b(?:first|last|earliest|latest|oldest|newest|when|final|initial)\b|第一|最后|最早|最晚|最近|最新|首|末|什么时候|何时`)

// perFile asks for each file by itself, which is how several files are answered anyway.
var perFile = pattern.New(`\b(?:each|every|per|by) (?:of the (?:two |three )?)?(?:logs?|files?)\b|(?:每个|每份|各个?)(?:日志|文件)`)

// spanning asks from when to when a file goes.
var spanning = pattern.New(`\btime (?:period|span|range|frame)\b|\bhow long (?:does|did|is) (?:the|this) (?:log|file)\b|\bfrom when to when\b|时间范围|时间跨度|时间段是|覆盖[^，。？！]{0,6}时间|从什么时候到什么时候`)

// comparing are words that compare files even where none is named.
var comparing = pattern.New(`\bcompar|\bdiffer|\bversus\b|\bvs\b|\b(?:which|what) (?:of|log|file|one|has|had|contains|holds)\b|\bin both\b|\bin common\b|比较|对比|相比|差异|区别|不同之处|有什么不同|哪(?:个|一个|份)(?:文件|日志)|共同|两个文件|共有`)

// countsRows asks for a number of rows, however "in total" it is.
var countsRows = pattern.New(`\bhow many (?:\w+ )?(?:lines?|rows?|records?|requests?|errors?|warnings?|entries|events?|messages?)\b|多少(?:行|条|个)(?:错误|警告|日志|记录|请求)?`)

// bareGroup is "amount per city" with nothing around it.
var bareGroup = pattern.New(`^\s*[\p{L}_. -]{2,40}\s(?:per|by|pro)\s[\p{L}_. -]{2,40}(?:\s(?:in|of|for)\b.*)?$`)

// countWords ask for a number.
var countWords = pattern.New(`\bhow many\b|\bnumber of\b|\bcount\b|多少|几(?:个|条|次)`)

var byMore = pattern.New(`\bby (?:more|less|fewer|at least|at most|over|under|up to|exactly)\b`)

// betweenTwo is a difference of two columns, not of two files.
var betweenTwo = pattern.New(`\bdifferences? between\b|的差值?|之差|差额`)

var (
	whichHan = pattern.New(`哪些|哪几`)
	manyHan  = pattern.New(`多少|几(?:条|个|次|行|种|人|位|项|笔|单|台|起|门|张|件|家)|统计|计数|频率|[次个条行]数`)
)

// refine corrects the intent by what else was found.
func (q *Question) refine() {
	if spanning.MatchString(q.Text) && q.Intent != Refuse && q.Intent != Correlate {
		q.Intent, q.First, q.Last = FirstLast, true, true
		return
	}
	if spreadAsked.MatchString(q.Text) && len(q.Files) < 2 && q.Intent != Refuse {
		q.Intent, q.Spread, q.Fn, q.Desc, q.Asc = Aggregate, true, "", false, false
		for _, m := range spreadWord.FindAllStringIndex(q.Text, -1) {
			q.take(m[0], m[1])
		}
		return
	}
	if perFile.MatchString(q.Text) {
		q.Group = false
		if q.Intent == Top && q.Unit == "" && !q.Desc && !q.Asc && q.Fn == "" {
			q.Intent = Count
		}
	}
	if q.Intent == FirstLast && (q.Since != nil || q.Until != nil) && !endWords.MatchString(q.Text) {
		q.Intent = Filter
	}
	if q.Fn == "sum" && countsRows.MatchString(q.Text) && (q.Intent == Aggregate || q.Intent == Top) && q.Unit == "" && !q.Group {
		q.Intent, q.Fn = Count, ""
		return
	}
	if q.Intent == Correlate && q.LastSpan != "" && len(q.Files) < 2 {
		if q.Intent = Filter; countWords.MatchString(q.Text) {
			q.Intent = Count
		}
	}
	if q.Intent == Compare && q.Fn != "" && len(q.Files) < 2 && betweenTwo.MatchString(q.Text) {
		q.Intent = Aggregate
		return
	}
	if q.Intent == Top && q.Unit == "" && byMore.MatchString(q.Text) && !q.Desc && !q.Asc && q.Fn == "" && countWords.MatchString(q.Text) {
		q.Intent, q.Group = Count, false // "delayed by more than 30 minutes" groups by nothing
		return
	}
	if q.Intent == Count && whichHan.MatchString(q.Text) && !manyHan.MatchString(q.Text) {
		q.Intent = Filter // 哪些商品的数量低于10 counts nothing
	}
	switch {
	case q.Intent == Unknown && q.Group && bareGroup.MatchString(q.Text):
		q.Intent = Top
	case q.Unit != "" && (q.Intent == Unknown || q.Intent == Aggregate):
		q.Intent = Top
	case q.Share && !q.Group && (q.Intent == Filter || q.Intent == Unknown || q.Intent == Top):
		q.Intent = Count
	case q.Fn == "distinct" && (q.Intent == Filter || q.Intent == Fields || q.Intent == Unknown || q.Intent == Summary):
		q.Intent = Top
	case q.Sort && q.Intent != Incident && q.Intent != Refuse:
		q.Intent = Top
	case q.Intent == Count && (q.Unit != "" || q.Group && q.Level == "" && grouping.MatchString(q.Text)):
		q.Intent = Top
	case q.Intent == Filter && q.Unit != "":
		q.Intent = Top
	case q.Intent == Top && q.Fn != "" && q.Unit == "" && !q.Group && !q.Desc && !q.Asc:
		q.Intent = Aggregate
	case q.Intent == Top && (q.Fn == "max" || q.Fn == "min") && !q.Group && q.Unit == "":
		q.Intent = Aggregate
	case q.Intent == Compare && len(q.Files) < 2 && !q.Missing && !comparing.MatchString(q.Text):
		q.Intent = Top
	}
}
