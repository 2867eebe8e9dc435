package offline

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// countsThings tells that what a column names is to be told apart, as "unique users" are, which an
// identifier does best.
func (b *binding) countsThings(at int) bool {
	return b.q.Fn == "distinct" || strings.HasSuffix(strings.TrimRight(b.q.Text[:at], " "), "how many")
}

// countsUnits tells that "how many bytes in total" asks for the sum of a column.
func (b *binding) countsUnits() bool {
	return slices.ContainsFunc(b.named, func(m named) bool {
		before := strings.TrimRight(b.q.Text[:m.from], " ")
		return m.to > 0 && m.col.kind == "number" && !m.col.isID() && (strings.HasSuffix(before, "多少") || strings.HasSuffix(before, "how many"))
	})
}

// bindNotLevel leaves out the levels that the words exclude.
func (b *binding) bindNotLevel() {
	for _, level := range b.q.NotLevel {
		up := strings.ToUpper(level)
		if st := b.statusColumn(); st != "" && b.column(rows.LevelField) == nil && rows.Severity(level) >= rows.Error {
			b.filter(quoteName(st)+" < 500", b.say.f("%s below 500", "%s 小于 500", st))
			continue
		}
		if b.column(rows.LevelField) != nil && level == b.q.NotAbove {
			b.notAbove(level)
			continue
		}
		if b.column(rows.LevelField) == nil {
			b.filter(`any not contains "`+level+`"`, b.say.f("without %s in the line", "行中没有 %s", level))
			continue
		}
		b.filter("level != "+level, b.say.f("level not %s", "级别不是 %s", up))
	}
}

// notAbove leaves out a level and what is worse.
func (b *binding) notAbove(level string) {
	for _, l := range levelNames {
		if rows.Severity(l) > rows.Severity(level) {
			b.where, b.said = append(b.where, "level != "+l), append(b.said, "")
		}
	}
	b.filter("level != "+level, b.say.f("level not %s or above", "级别不是 %s 或更高", strings.ToUpper(level)))
}

// levelNames are all levels by rank, for "errors or warnings", which no single bound says.
var levelNames = []string{"trace", "debug", "info", "notice", "warn", "error", "crit", "alert", "fatal", "panic", "emerg"}

// bindLevels takes the rows of any of several levels.
func (b *binding) bindLevels() {
	all := append([]string{b.q.Level}, b.q.Levels...)
	said := strings.ToUpper(strings.Join(all, b.say.of(" or ", " 或 ")))
	if b.column(rows.LevelField) == nil {
		b.problem = b.say.f("it has no levels, so `%s` cannot be told apart", "其中没有级别，无法区分 `%s`", said)
		return
	}
	if b.q.Above {
		for _, l := range levelNames {
			if rows.Severity(l) > rows.Severity(b.q.Level) && !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
		said += b.say.f(" (%s or above)", "（%s 或更高）", strings.ToUpper(b.q.Level))
	}
	b.filter("level in ("+strings.Join(all, ", ")+")", b.say.f("level %s", "级别为 %s", said))
}

var (
	nextToken  = pattern.New(`^\s+(?:of\s+|=\s*)?([a-z0-9_@#$%/][a-z0-9_@.:/&+\-']*)`)
	rangeAfter = pattern.New(`^\s*(?:to|and|or|-|–|or more|or less)\s*\d`)
)

// bindAdjacent reads "class G" and "status 404": a column and a value of it side by side.
func (b *binding) bindAdjacent() {
	for _, m := range b.named {
		if m.to == 0 || m.role == groupRole {
			continue
		}
		loc := nextToken.FindStringSubmatchIndex(b.q.Text[m.to:])
		if loc == nil {
			continue
		}
		from, to := m.to+loc[2], m.to+loc[3]
		v := strings.TrimRight(b.q.Text[from:to], ".:/-'")
		to = from + len(v)
		if v == "" || b.used(from, to) || rangeAfter.MatchString(b.q.Text[to:]) || !b.takesValue(m.col, v, from) {
			continue
		}
		b.equal(m.col.name, v, m.from)
		b.use(word{v, from, to})
	}
}

// takesValue tells that a word beside a column's name is meant as its value.
func (b *binding) takesValue(c *column, v string, at int) bool {
	if st := b.statusColumn(); st != "" && st != c.name && b.found[v].equal[st] > 0 && ofStatus.MatchString(b.q.Text[at+len(v):]) {
		return false // "bytes of 200 responses"
	}
	switch {
	case b.found[v].equal[c.name] > 0:
		return !stopWords[v] || len(v) > 2 || b.upper(v, at)
	case c.name == rows.LevelField:
		return isNumber(v)
	}
	return isNumber(v) && c.kind == "number" && !c.rate()
}

var ofStatus = pattern.New(`^\s*(?:responses?|requests?|errors?|status(?:es)?|answers?|repl(?:y|ies))\b`)

// upper tells that a word is written in capitals.
func (b *binding) upper(v string, at int) bool {
	o := b.q.Original
	return len(o) == len(b.q.Text) && at+len(v) <= len(o) && o[at:at+len(v)] == strings.ToUpper(v) && strings.ToUpper(v) != v
}

var (
	emptyBefore = pattern.New(`(?:\b(?:no|empty|missing|blank|without|lack(?:s|ing)?|null|(?:do|does|did) not have|(?:don|doesn|didn)['’]t have|(?:has|have)n['’]t|never (?:got|had))\s+(?:an? |any )?(?:value (?:of|for|in)\s+)?(?:the |their |its |known |recorded |given )?|(?:没有(?:填写)?|缺少|缺失|无|空的?)\s*)$`)
	emptyAfter  = pattern.New(`^\s*(?:column |field |value )?(?:(?:is|are|was|were)\s+)?(not\s+|non-?)?(?:empty|missing|blank|null|unknown)\b|^\s*(?:的?值)?(不)?(?:为空|是空的?|缺失|空缺)`)
)

// What stands around the name of a column that is to hold something.
var (
	hasBefore  = pattern.New(`\b(?:with|have|has|had|having)\s+(?:an? |any |some )$|(?:[^没]|^)(?:填写?了|写了|填有|写有|有)$`)
	someBefore = pattern.New(`\b(?:who|which|what)\b[^.?!]*\b(?:with|have|has|had|having|got|gets?|pays?|paid)\s+(?:an? |any |some )$`)
	restEnds   = pattern.New(`^(?:的|\s*[?？。.!]|\s*$|\s+(?:and|noted|recorded|listed|given|set)\b)`)
	givenAfter = pattern.New(`^\s+(?:noted|recorded|listed|specified|filled in|on record)\b`)
)

// bindEmpty reads "no note", "note is empty" and "without a note".
func (b *binding) bindEmpty() {
	for _, m := range b.named {
		if m.to == 0 || m.role == groupRole {
			continue
		}
		op := ""
		if noOf(m.col) != "" && m.col.filled == b.rows {
			continue // it says no where it is not so
		}
		if loc := emptyBefore.FindStringIndex(b.q.Text[:m.from]); loc != nil && !b.used(loc[0], m.from) {
			op = "="
			b.use(word{b.q.Text[loc[0]:m.from], loc[0], m.from})
		} else if x := emptyAfter.FindStringSubmatchIndex(b.q.Text[m.to:]); x != nil {
			op = map[bool]string{true: "!=", false: "="}[x[2] >= 0 || x[4] >= 0]
			b.use(word{b.q.Text[m.to : m.to+x[1]], m.to, m.to + x[1]})
		} else if (m.col.kind == "text" || m.col.kind == "time") && m.col.filled < b.rows && !b.filtered(m.col.name) && (hasBefore.MatchString(b.q.Text[:m.from]) && restEnds.MatchString(b.q.Text[m.to:]) || givenAfter.MatchString(b.q.Text[m.to:])) && !b.isNot(m.from-2) {
			op = "!="
		} else if m.col.kind == "number" && m.col.filled == b.rows && !b.filtered(m.col.name) && len(b.q.Bounds) == 0 && b.q.Intent == question.Filter && someBefore.MatchString(b.q.Text[:m.from]) && restEnds.MatchString(b.q.Text[m.to:]) {
			b.filter(quoteName(m.col.name)+" > 0", m.col.name+" > 0") // who had to pay a fine
		} else if m.col.kind == "time" && !b.filtered(m.col.name) && b.q.Since == nil && b.q.Until == nil && b.negates(m.from, m.col.name) {
			op = "=" // "never serviced" of a column of when it was
		}
		if op == "=" && m.col.kind == "number" && !strings.Contains(b.q.Text[m.from:], "empty") && !strings.Contains(b.q.Text, "空") {
			switch lo, ok := rows.Number(m.col.min); {
			case m.col.filled == b.rows: // "no delay" where each row has one is a delay of 0
				b.filter(quoteName(m.col.name)+" = 0", m.col.name+" = 0")
				continue
			case !ok || lo <= 0:
				b.problem = b.say.f("it is not clear whether `%s` is to be 0 or empty", "不清楚 `%s` 是指 0 还是空值", m.col.name)
				continue
			}
		}
		if op != "" {
			said := b.say.f(map[string]string{"=": "%s empty", "!=": "%s not empty"}[op], map[string]string{"=": "%s 为空", "!=": "%s 不为空"}[op], m.col.name)
			if op == "=" {
				b.filter(quoteName(m.col.name)+` in ("", "-")`, said) // logs write a dash for none
				continue
			}
			b.filter(quoteName(m.col.name)+` != ""`, said)
			b.where, b.said = append(b.where, quoteName(m.col.name)+` != "-"`), append(b.said, "")
		}
	}
}

var noUser = pattern.New(`未登录|未登陆|没有?登录|匿名|\b(?:anonymous|unauthenticated|not logged in|without (?:a )?login)\b`)

// bindAnonymous reads the requests of nobody of a log of requests that names the user of some.
func (b *binding) bindAnonymous() {
	at, c := noUser.FindStringIndex(b.q.Text), b.column("user")
	if at == nil || c == nil || b.statusColumn() == "" || c.filled == b.rows || b.used(at[0], at[1]) {
		return
	}
	b.filter(`user in ("", "-")`, b.say.of("user empty", "user 为空"))
	b.use(word{b.q.Text[at[0]:at[1]], at[0], at[1]})
}

var (
	runsLow  = pattern.New(`\b(?:(?:need|needs|needing|require|requires)? ?(?:to be )?(?:re-?stock(?:ed|ing)?|re-?order(?:ed|ing)?|replenish(?:ed|ing|ment)?|refill(?:ed|ing)?)|running (?:low|out)|low (?:on|in) stock|low stock|run low)\b|(?:需要?|要|该)?(?:补货|补仓|进货|补充库存)(?:了)?|库存(?:不足|不够|告急|偏低|过低)|快(?:卖完|用完|没)了?`)
	leastHan = pattern.New(`安全|最低|最小|最少|预警|下限|警戒`)
	leastOf  = set("min minimum reorder safety threshold par low")
)

// bindLow reads what needs to be ordered again of a table that says how little is too little.
func (b *binding) bindLow() {
	at, c := runsLow.FindStringIndex(b.q.Text), b.stockColumn()
	if at == nil || c == nil || b.found[strings.TrimSpace(b.q.Text[at[0]:at[1]])].mentions > 0 {
		return
	}
	least := b.leastColumn()
	if least == nil || least.name == c.name {
		return
	}
	q := *b.q
	if q.Intent == question.Unknown {
		q.Intent = question.Filter
	}
	b.q = &q
	b.contrast(c, least, "<=", at[0], at[1])
}

// leastColumn is the one column of the fewest pieces that are to be there.
func (b *binding) leastColumn() (only *column) {
	for i := range b.cols {
		c := &b.cols[i]
		if c.kind != "number" || !leastHan.MatchString(c.name) && !slices.ContainsFunc(nameWords(c.name), func(w string) bool { return leastOf[w] }) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// stockColumn is the column of how many pieces are there, unlike that of the fewest that are to be.
func (b *binding) stockColumn() *column {
	least := b.leastColumn()
	if c := b.piecesColumn(); c != nil && (least == nil || c.name != least.name) {
		return c
	}
	for i := range b.cols {
		c := &b.cols[i]
		if c.kind == "number" && (least == nil || c.name != least.name) && (strings.Contains(c.name, "库存") || slices.ContainsFunc(nameWords(c.name), func(w string) bool { return w == "stock" || w == "hand" || w == "qty" || w == "quantity" })) {
			return c
		}
	}
	return nil
}

var outOfStock = pattern.New(`\b(?:out of stock|sold out)\b|缺货|无货|没货|断货|售罄`)

// bindStock reads "out of stock" of a table that counts its pieces.
func (b *binding) bindStock() {
	at, c := outOfStock.FindStringIndex(b.q.Text), b.quantity()
	if at == nil || c == nil || b.used(at[0], at[1]) || b.found[b.q.Text[at[0]:at[1]]].mentions > 0 {
		return
	}
	b.equal(c.name, "0", at[0])
	b.use(word{b.q.Text[at[0]:at[1]], at[0], at[1]})
}

var (
	wildcard = pattern.New(`[a-z0-9_./\-]*[a-z0-9_./\-]\*`)
	network  = pattern.New(`\b(\d{1,3}(?:\.\d{1,3}){3})/(\d{1,2})\b|\b(\d{1,3}(?:\.\d{1,3}){1,2})\.(?:x(?:\.x)*\b|\s|$)`)
)

// bindPatterns reads 10.1.0.*, /api/* and 10.1.0.0/24 as the beginnings of values.
func (b *binding) bindPatterns() {
	for _, at := range wildcard.FindAllStringIndex(b.q.Text, -1) {
		if !b.used(at[0], at[1]) {
			b.prefix(b.q.Text[at[0]:at[1]-1], at)
		}
	}
	for _, m := range network.FindAllStringSubmatchIndex(b.q.Text, -1) {
		if b.used(m[0], m[1]) {
			continue
		}
		if m[6] >= 0 {
			b.prefix(b.q.Text[m[6]:m[7]]+".", m[:2])
			continue
		}
		bits, _ := strconv.Atoi(b.q.Text[m[4]:m[5]])
		if bits%8 != 0 || bits == 0 || bits > 24 {
			b.problem = b.say.f("networks of %d bits cannot be told apart here", "无法按 %d 位网段筛选", bits)
			continue
		}
		b.prefix(strings.Join(strings.Split(b.q.Text[m[2]:m[3]], ".")[:bits/8], ".")+".", m[:2])
	}
}

func (b *binding) prefix(p string, at []int) {
	col := "any"
	for i := range b.cols {
		c := &b.cols[i]
		if slices.ContainsFunc(c.examples, func(v string) bool { return strings.HasPrefix(strings.ToLower(v), p) }) {
			col = c.name
			break
		}
	}
	re := "(?i)^" + regexp.QuoteMeta(p)
	if col == "any" {
		re = `(?i)(?:^|[^\w.])` + regexp.QuoteMeta(p)
	}
	op, said := "~", b.say.f("%s beginning with %s", "%s 以 %s 开头", col, p)
	if b.negates(at[0], col) {
		op, said = "!~", b.say.f("%s not beginning with %s", "%s 不以 %s 开头", col, p)
	}
	b.filter(quoteName(col)+" "+op+" "+quoteValue(re), said)
	b.use(word{p, at[0], at[1]})
}

var methods = pattern.New(`\b(get|post|put|delete|patch|head|options)\b`)

// bindMethods takes GET and its like, in capitals or before "requests", for the request's method.
func (b *binding) bindMethods() {
	c := b.column("method")
	if c == nil {
		return
	}
	for _, at := range methods.FindAllStringIndex(b.q.Text, -1) {
		v := b.q.Text[at[0]:at[1]]
		if b.used(at[0], at[1]) || !b.upper(v, at[0]) && !strings.HasPrefix(strings.TrimLeft(b.q.Text[at[1]:], " "), "request") {
			continue
		}
		b.equal(c.name, strings.ToUpper(v), at[0])
		b.use(word{v, at[0], at[1]})
	}
}

var orWord = pattern.New(`\bor\b|或|还是`)

// joinTexts makes one condition of two texts of which either will do; of more, which belong
// together cannot be told.
func (b *binding) joinTexts() {
	const lead, message = `any contains "`, rows.MessageField + ` = "`
	var texts []string
	for _, w := range b.where {
		v, ok := strings.CutPrefix(w, lead)
		if !ok {
			v, ok = strings.CutPrefix(w, message)
		}
		if ok {
			texts = append(texts, strings.ReplaceAll(strings.TrimSuffix(v, `"`), `\"`, `"`))
		}
	}
	if len(texts) < 2 || !orWord.MatchString(b.q.Text) {
		return
	}
	if len(texts) > 2 {
		b.problem = b.say.f("it is not clear which of %s belong together around \"or\"; put them in quotation marks two at a time", "不清楚 %s 之间“或”的范围；请每次只用两个带引号的词", b.say.list(quoteAll(texts)))
		return
	}
	var where, said []string
	for i, w := range b.where {
		if !strings.HasPrefix(w, lead) && !strings.HasPrefix(w, message) {
			where, said = append(where, w), append(said, b.said[i])
		}
	}
	b.where, b.said, b.ored = where, said, true
	re := "(?i)" + regexp.QuoteMeta(texts[0]) + "|" + regexp.QuoteMeta(texts[1])
	b.filter("any ~ "+quoteValue(re), b.say.f("containing %s or %s", "包含 %s 或 %s", code(texts[0]), code(texts[1])))
}

// join makes one condition of several values of a column, any of which will do: a row has but one.
func (b *binding) join() {
	values := map[string][]string{}
	for _, w := range b.where {
		if col, v, ok := strings.Cut(w, ` = "`); ok {
			values[col] = append(values[col], `"`+v)
		}
	}
	var where, said []string
	for i, w := range b.where {
		col, _, ok := strings.Cut(w, ` = "`)
		switch vs := values[col]; {
		case !ok || len(vs) < 2:
			where, said = append(where, w), append(said, b.said[i])
		case vs[0] != "":
			where = append(where, fmt.Sprintf("%s in (%s)", col, strings.Join(vs, ", ")))
			said = append(said, fmt.Sprintf("%s = %s", col, strings.ReplaceAll(strings.Join(vs, b.say.of(" or ", " 或 ")), `"`, "")))
			vs[0], b.ored = "", true
		}
	}
	b.where, b.said = where, said
}

// words of reckoning that no two columns stand beside ask for what is not reckoned here.
var reckoned = pattern.New(`\bmultipl(?:y|ied)\b|\bproducts? of\b[^.?!]*\band\b|\bdivided by\b|乘以?|相乘|之积|除以`)

var wantedGroup = pattern.New(`(?:\b(?:per|pro|by|each|which|top(?:\s+\d+)?)\s+|哪个\s*|每个\s*|按照?\s*)([a-z]+)\b|(?:每(?:个|台|名|位|家)|哪(?:个|台|名|位|家)|各|按照?)(\p{Han}{2,4}?)(?:的|有|出|报|错|失|最|里|统计|分组|分类|汇总|列|计|排|$|[^\p{Han}])`)

// ungrouped gives the thing that is to be ranked if no column holds it: to rank messages in its
// place would answer another question.
func (b *binding) ungrouped() string {
	if b.q.Intent != question.Top || b.q.Unit != "" || len(b.groupColumns()) > 0 || b.q.Sort {
		return ""
	}
	for _, m := range wantedGroup.FindAllStringSubmatchIndex(b.q.Text, -1) {
		from, to := m[2], m[3]
		if from < 0 {
			from, to = m[4], m[5]
		}
		noun := b.q.Text[from:to]
		if b.used(from, to) || stopWords[noun] || addressNouns[noun] || rowNouns[singular(noun)] || messageNouns.MatchString(noun) || singular(noun) == "level" || durationWords(noun) || hasHan(noun) && !nounHan(noun) || b.rowNoun(noun) && b.format != "log" {
			continue
		}
		if !hasHan(noun) && b.found[noun].mentions > 0 && countsRows.MatchString(b.q.Text) && !b.q.Desc && !b.q.Asc {
			continue // "how many logins by deploy": who did it
		}
		if !hasHan(noun) && (len(b.named) > 0 || b.column(rows.MessageField) == nil) {
			continue
		}
		return noun
	}
	return ""
}

var whichThing = pattern.New(`\bwhich\s+([a-z]+)\s+(?:is|was|are|were|has|had|have|does|did|do|made|makes?|got|gets?|sent|sends?|took|takes?|caused?|spent|used|uses?|hit|saw|received|requested|called|accessed|visited|tried|logged|appears?|appeared|fails?|failed|waited|waits?)\b`)

// unheld gives the thing that is asked for by "which" if no column holds it and it is no value: that some
// text has the word in it, as /api/users has user, tells nothing of the things themselves. Other words may
// tell the rows of a table or the messages of a log apart.
func (b *binding) unheld() string {
	for _, m := range whichThing.FindAllStringSubmatchIndex(b.q.Text, -1) {
		noun := b.q.Text[m[2]:m[3]]
		one := singular(noun)
		if b.used(m[2], m[3]) || !personNouns[one] && (b.format != "log" || b.column(rows.MessageField) != nil) || b.rowNoun(noun) && b.format != "log" {
			continue
		}
		if stopWords[noun] || rowNouns[one] || messageNouns.MatchString(noun) || addressNouns[noun] || len(b.found[noun].equal)+len(b.found[one].equal) > 0 || b.found[noun].mentions+b.found[one].mentions == 0 {
			continue
		}
		return noun
	}
	return ""
}

// refuseOr declines an "or" between conditions that are not of one column: joined by "and" they
// would be other rows.
func (b *binding) refuseOr() {
	at := orWord.FindStringIndex(b.q.Text)
	if b.problem != "" || at == nil || b.ored || len(b.where) < 2 || len(b.q.Levels) > 0 || orLess.MatchString(b.q.Text[at[0]:]) {
		return
	}
	b.problem = b.say.f("conditions of different columns cannot be joined by \"or\" (%s); ask for each by itself", "不同列的条件不能用“或”连接（%s）；请分别提问", b.say.list(b.said))
}

// orLess is no choice: "or more", "or later".
var orLess = pattern.New(`^or (?:more|less|fewer|above|below|later|earlier|higher|lower|worse|not)\b|^或(?:更|以)`)

// bindGloss drops what a name in brackets explains: 已发货（shipped）, 来源（Source）.
func (b *binding) bindGloss() {
	for _, m := range glossed.FindAllStringSubmatchIndex(b.q.Text, -1) {
		run := b.q.Text[m[2]:m[3]]
		from := m[2]
		for _, at := range hanStop.FindAllStringIndex(run, -1) {
			from = m[2] + at[1]
		}
		inner := b.q.Text[m[4]:m[5]]
		if f := b.found[inner]; from < m[3] && (b.used(m[4], m[5]) || len(f.equal) > 0 || slices.ContainsFunc(b.cols, func(c column) bool { return strings.EqualFold(c.name, inner) })) {
			b.use(word{b.q.Text[from:m[3]], from, m[3]})
		}
	}
}

// subject is whoever a log is of, which all of its rows are by.
var subject = pattern.New(`\b(?:did|does|has|do|by|from) (?:the|this|our) (service|system|server|app|application|program|process|site|daemon)(?: (?:log|report|have|throw|print|write|show|produce|raise|see|record|get|emit|count)(?:ed|s)?\b|\s*$)|^(?:这个|该|本)?(系统|服务|程序)(?:一共|总共|共|都|里)?(?:报|出|发生|记录|打印|有)`)

// bindSubject passes over the name of what the whole log is of.
func (b *binding) bindSubject() {
	if b.format != "log" && b.format != "jsonl" {
		return
	}
	if m := subject.FindStringSubmatchIndex(b.q.Text); m != nil {
		at := m[2:4]
		if at[0] < 0 {
			at = m[4:6]
		}
		b.use(word{b.q.Text[at[0]:at[1]], at[0], at[1]})
	}
}

var glossed = pattern.New(`(\p{Han}+)\s*[（(]([a-z][a-z0-9_ ]*)[)）]`)

// refuseRest declines what the conditions found do not cover: reckoning with columns, a second
// level of a relation, words that nothing in the file answers to.
func (b *binding) refuseRest() {
	if b.problem != "" {
		return
	}
	if noun := b.uncounted(); noun != "" && b.q.Intent == question.Count {
		b.problem = b.say.f("it has no column for `%s`", "其中没有与 `%s` 对应的列", noun)
		return
	}
	if m := measureAsked.FindStringSubmatchIndex(b.q.Text); m != nil && !b.used(m[2], m[3]) && b.q.Fn == "" && !b.moneyAsked() {
		b.problem = b.say.f("it has no column for `%s`", "其中没有与 `%s` 对应的列", b.q.Text[m[2]:m[3]])
		return
	}
	if m := mostHan.FindStringSubmatchIndex(b.q.Text); m != nil && !b.used(m[2], m[3]) && !slices.ContainsFunc(b.named, func(n named) bool { return n.from < m[3] && m[2] < n.to }) {
		b.problem = b.say.f("it has no column for `%s`", "其中没有与 `%s` 对应的列", b.q.Text[m[2]:m[3]])
		return
	}
	at := thanWord.FindStringIndex(b.q.Text)
	if at != nil && strings.HasSuffix(b.q.Text[:at[1]], "than") {
		at[0] = at[1] - len("than") // the noun before it may be a column
	}
	if at != nil && !b.used(at[0], at[1]) && b.having == nil && !b.q.Versus && b.q.Near == nil && (b.q.Intent == question.Count || b.q.Intent == question.Filter || b.q.Intent == question.Aggregate) {
		b.problem = b.say.f("it is not clear what `%s` sets the bound by", "不清楚 `%s` 是与什么比较", b.q.Text[at[0]:at[1]])
		return
	}
	if b.q.Share && len(b.where) == 0 && b.q.Level == "" && rateOf.MatchString(b.q.Text) {
		b.problem = b.say.f("nothing in it tells which rows `%s` counts", "其中没有内容说明 `%s` 统计的是哪些行", rateOf.FindString(b.q.Text))
		return
	}
	if at := lostBound.FindStringIndex(b.q.Text); at != nil && !b.used(at[0], at[1]) && b.having == nil && len(b.q.Bounds) == 0 && !b.q.Versus && b.q.Near == nil {
		b.problem = b.say.f("the bound `%s` could not be applied", "无法应用界限 `%s`", b.q.Text[at[0]:at[1]])
		return
	}
	if at := perHead.FindStringIndex(b.q.Text); at != nil && b.q.Fn == "avg" && b.personIn(peopleNames) != nil {
		b.problem = b.say.f("each may have several rows, so `%s` is not the average of the rows; ask for the sum of each", "每人可能有多行，`%s` 不等于各行的平均值；请询问每人的总和", b.q.Text[at[0]:at[1]])
		return
	}
	if at := grown.FindStringIndex(b.q.Text); at != nil && !b.used(at[0], at[1]) {
		b.problem = b.say.f("I do not reckon how much something has grown or shrunk (`%s`); ask for the figure of each time", "无法计算增减幅度（`%s`）；请分别询问各时段的数值", b.q.Text[at[0]:at[1]])
		return
	}
	if at := reckoned.FindStringIndex(b.q.Text); at != nil && !b.used(at[0], at[1]) {
		b.problem = b.say.f("I do not reckon with columns (`%s`)", "无法对列做运算（`%s`）", b.q.Text[at[0]:at[1]])
	}
}

// grown asks for the difference of a figure between two times.
var grown = pattern.New(`\bhow much (?:did|has|have|does|do)\b[^.?!]*\b(?:grow|grown|increased?|decreased?|fall|fallen|risen?|dropped|drop|changed?|declined?|shrunk|shrink)\b|(?:增长|增加|增多|减少|下降|上涨|上升|提高|降低)了?(?:多少|百分之几|几倍)`)

// measureAsked asks how much of something there is, which only a column can tell.
var measureAsked = pattern.New(`(金额|总额|销售额|收入|营收|营业额|价格|单价|费用|成本|工资|薪水|薪资|薪酬|年龄|分数|成绩|评分|温度|气温|利润|折扣|库存|重量|耗时|延迟|响应时间|流量|内存|[^\p{Han}]率|\p{Han}率)(?:一共|总共)?(?:是|为|有)?多少`)

// mostHan asks for the most of something that only a column of its own can tell, and no other amount of money.
var mostHan = pattern.New(`(客单价|毛利|净利|利润|库存|折扣|年龄|评分|分数|成绩|温度|气温|重量|耗时|延迟|\p{Han}率)(?:是|有)?最[高低大小多少]`)

// perHead is an average over people, not over rows.
var perHead = pattern.New(`平均每(?:一?个?人|一?[位名]\p{Han}{0,3}|一?个?员工)|\baverage (?:of )?[a-z ]{2,30} per (?:person|head)\b`)

// lostBound is a bound by a number that has not been understood.
var lostBound = pattern.New(`(?:超过|大于|多于|高于|小于|少于|低于|不到|不足|至少|至多)了?\s*[\d一二两三四五六七八九十百千万半]+|\b(?:more|less|fewer) than (?:\d|an? |one\b|two\b|three\b|half)`)

// thanWord begins a bound; one that has not become a condition must not get lost.
var thanWord = pattern.New(`\b(?:slower|longer|shorter|faster|higher|lower|larger|smaller|bigger|greater|heavier|older|younger|cheaper|later|earlier|(?:more|less|fewer)(?: [a-z]+)?) than\b|超(?:了|出|过|预|标|支|额|计|目|上|限)|比[^，。？！多少]{1,12}(?:多|高|大|少|低|小|长|短|晚|早)(?:的|[^\p{Han}]|$)`)

// moneyAsked tells 销售额是多少 of a table whose one column of amounts is called otherwise.
func (b *binding) moneyAsked() bool {
	m := measureAsked.FindStringSubmatch(b.q.Text)
	return m != nil && sameThing(m[1], "amount") && b.money() != nil
}

var (
	failedWord  = pattern.New(`\bfail(?:ed|s|ing|ures?)?\b|失败`)
	successWord = pattern.New(`\bsuccess(?:ful|fully)?\b|\bsucceeded\b|成功`)
)

// bindOutcome reads "failed" and "successful" of requests by their status, where no text says so.
func (b *binding) bindOutcome() bool {
	st := b.statusColumn()
	if at := failedWord.FindStringIndex(b.q.Text); at != nil && b.q.Status >= 4 && st != "" { // "failed with 5xx"
		b.use(word{b.q.Text[at[0]:at[1]], at[0], at[1]})
	}
	if b.q.Status > 0 || b.q.Level != "" || st == "" {
		return false
	}
	for _, o := range []struct {
		re              *pattern.Pattern
		cond, mean      string
		against, refuse string
	}{
		{failedWord, " >= 500", b.say.of("%s of 500 or above", "%s 不小于 500"), " < 500", b.say.of("%s below 500", "%s 小于 500")},
		{successWord, " < 400", b.say.of("%s below 400", "%s 小于 400"), " >= 400", b.say.of("%s of 400 or above", "%s 不小于 400")},
	} {
		at := o.re.FindStringIndex(b.q.Text)
		if at == nil || o.re == failedWord && b.column(rows.LevelField) != nil || b.used(at[0], at[1]) || b.found[b.q.Text[at[0]:at[1]]].mentions > 0 || b.isNot(at[0]) {
			continue
		}
		b.use(word{b.q.Text[at[0]:at[1]], at[0], at[1]})
		if b.negates(at[0], st) {
			o.cond, o.mean = o.against, o.refuse
		}
		b.filter(quoteName(st)+o.cond, fmt.Sprintf(o.mean, st))
		return true
	}
	return false
}
