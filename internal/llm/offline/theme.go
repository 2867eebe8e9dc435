package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// theme is a kind of thing that tables measure. A question tells its theme by a verb or an adjective where it names
// no column ("spent", "best month", 业绩), and a table has a column for it by what the column is named for.
type theme struct {
	must  bool             // without such a column there is no answer
	words *pattern.Pattern // that say no more than the theme
	asked *pattern.Pattern // a question for it holds this
	bars  *pattern.Pattern // and not this; nil if nothing bars it
	of    func(*binding) *column
}

// themes are tried in this order; the first that a question asks for and its table has is meant.
var themes = []theme{
	{
		must:  true,
		words: pattern.New(`\b(?:money|spen[dt]s?|spending|revenue|turnover|takings|worth|value|costs?|paid|pays?|made?|makes?|earn(?:s|ed|ing|ings)?|los[et]|owes?|owed|brings? in|brought in|takes? in|took in)\b|多少钱|花(?:了|费|掉|得|的)?(?:钱)?|消费|赚了?|营收|营业额|收入|业绩|[收付交花赚挣]的?钱|钱|[货物]?总?值|价值|损失了?|亏了?|开销|开支|支出|[付收交欠报捐存]了?`),
		asked: pattern.New(`\bmoney\b|\b(?:spen[dt]s?|spending|revenue|turnover|takings|earnings|proceeds)\b|\bworth\b|\b(?:inventory|stock|total) (?:value|worth)\b|\bhow much\b[^.?!]*\b(?:worth|costs?|paid|pays?|made?|makes?|earn(?:s|ed)?|los[et]|owes?|owed|bring|brought|take|took)\b|\b(?:costs?|paid|pays?|made|makes?|earns?|earned|owes?|brings?(?: us)? in|brought in|takes? in|took in)\b(?: (?:us|me))?(?: the)? (?:most|least|more|less)\b|多少钱|花(?:了|费|掉|得|的|钱)|消费|赚|营收|营业额|收入|业绩|[收付交花赚挣]的?钱|钱最|值(?:多少)?钱|货值|总价值|库存价值|损失|开销|开支|支出|[花付收交欠赚报捐存]了?多少\s*[?？]?\s*$`),
		bars:  pattern.New(`\bhow many\b|多少(?:个|条|笔|行|单|次|种|位|人)|几(?:个|条|笔|行|单|次|种|位|人)`),
		of:    (*binding).moneyColumn,
	},
	{
		words: pattern.New(`\b(?:sold|sells?|selling|bought|buys?)\b|[卖买](?:得|出去?|了|的)?(?:最[多少好差])?|畅销|销量|销售量`),
		asked: pattern.New(`\b(?:sold|sells?|bought|buys?)(?: the)? (?:most|least|best|worst|fewest|more|less)\b|\bbest[- ]selling\b|[卖买](?:得|出去?|了|的)?最(?:多|少)|[卖买]的\p{Han}{1,8}最[多少]|\bwhat sells?\b|最畅销|(?:产品|商品|货品|东西|单品|菜品?|款|饮料|书)[卖]得最(?:好|差)|销量|销售量|^[\p{L} -]+ sold\s*[?.]*\s*$`),
		bars:  pattern.New(`^(?:who|which|what|when|where|list|show|how many)\b[^.?!]* sold\s*[?.]*\s*$|[卖买]的\p{Han}{0,6}(?:次数?|单数?|笔数?|种类?|钱)最`),
		of: func(b *binding) *column {
			if c := b.piecesColumn(); c != nil || !b.q.Desc && !b.q.Asc {
				return c
			}
			return b.moneyColumn()
		},
	},
	{
		must:  true,
		words: pattern.New(`\b(?:work(?:s|ed|ing)?|overtime)\b|加班|加了|个?(?:小时|钟头)的?班|工作|干活|工时|干得`),
		asked: pattern.New(`\bwork(?:s|ed)? (?:the )?(?:most|least|more|less|longest|hardest)\b|\bovertime\b|加班|加了?(?:多少|几)个?(?:小时|钟头)的?班|工作(?:时间|时长)?最|干(?:得|的)?活?最`),
		bars:  pattern.New(`\bhow many (?:people|employees|times)\b|多少(?:人|次|个人)|几(?:人|次|个人)|次数`),
		of:    (*binding).hoursColumn,
	},
	{
		words: pattern.New(`\b(?:marks?|scores?|grades?|points)\b|总?分数?|成绩|得分|考得(?:最|更|比较)?(?:好|差|高|低)?`),
		asked: pattern.New(`\b(?:total|average|mean|best|worst|highest|lowest) (?:marks?|scores?|grades?|points)\b|总分|平均分|总成绩|平均成绩|考得`),
		of:    (*binding).marksColumn,
	},
	{
		must:  true,
		words: pattern.New(`\b(?:best|worst|strongest|weakest)\b|[卖做]?得?[最更](?:好|差|佳|糟|旺)|[卖做]得[好差]`),
		asked: pattern.New(`\b(?:best|worst|strongest|weakest|compar\w+)\b|\b(?:highest|largest|biggest|lowest|smallest|most|least) totals?\b|总(?:计|额|金额)最|[最更](?:好|差|佳|糟|旺)|[卖做]得[好差]|比较|对比`),
		bars:  countsRows,
		of: func(b *binding) *column {
			return cmp.Or(b.moneyColumn(), b.piecesColumn(), b.marksColumn())
		},
	},
}

// themeHan are the Chinese words of the question's theme, and its no, which are no part of a value beside them.
func themeHan() []string {
	return []string{"损失", "花费", "花", "消费", "开销", "业绩", "卖", "买", "付", "没"}
}

var (
	badEnd   = pattern.New(`\b(?:worst|weakest)\b|[最更得](?:差|糟)`)
	lossWord = pattern.New(`\blos[et]\b|损失|亏`)
)

// mostOf is the most of something that is named: "made the most requests" is no money.
var mostOf = pattern.New(`\b(?:most|least|more|less|fewest) (?:requests|calls|errors|orders|trips|visits|hits|lines|rows|entries|mistakes|changes|tickets|bookings|times|days|points|goals)\b`)

// bindTheme ties a question that names no column of what it measures to the column of its theme, as if it had named
// it: all intents find it among the named columns.
func (b *binding) bindTheme() {
	switch b.q.Intent {
	case question.Top, question.Aggregate, question.Count, question.Filter, question.Unknown:
	default:
		return
	}
	for i := range themes {
		t := &themes[i]
		at := t.asked.FindStringIndex(b.q.Text)
		if at == nil || t.bars != nil && t.bars.MatchString(b.q.Text) || len(b.q.Bounds) > 0 || t.must && mostOf.MatchString(b.q.Text) {
			continue
		}
		if b.column(rows.LevelField) != nil && b.q.Level == "" && t.good() {
			b.worstOfLog()
			return
		}
		c := t.of(b)
		if c == nil && t.must && !b.measures() && b.onlyNumber() == nil && b.hasFigures() && b.q.Intent != question.Filter && b.q.Intent != question.Unknown {
			b.problem = b.say.f("it has no one column that tells `%s`", "其中没有唯一能说明 `%s` 的列", strings.TrimSpace(b.q.Text[at[0]:at[1]]))
			return
		}
		if c == nil || b.namesOther(c) {
			continue
		}
		b.takeTheme(t, c, at)
		return
	}
}

// namesOther tells that the question names what it measures, and by another column than that of its theme.
func (b *binding) namesOther(theme *column) bool {
	return slices.ContainsFunc(b.named, func(m named) bool {
		part := theme.reckoned() && worthWord.MatchString(b.q.Text) && slices.Contains(strings.FieldsFunc(theme.name, isOperator), m.col.name)
		return m.to > 0 && m.col.kind == "number" && !m.col.isID() && m.col.name != theme.name && !part && !(m.role == groupRole && b.categorical(m.col))
	})
}

// good tells the theme of what makes a month the best.
func (t *theme) good() bool { return t == &themes[len(themes)-1] }

// worstOfLog reads the worst hour of a log as that of the most errors; what is best in it, nothing tells.
func (b *binding) worstOfLog() {
	switch q := *b.q; {
	case badEnd.MatchString(q.Text):
		q.Level, q.Above, b.q = "error", true, &q
	case bestWord.MatchString(q.Text):
		b.problem = b.say.of("it does not tell what is good", "其中没有内容说明好坏")
	}
}

var bestWord = pattern.New(`\b(?:best|strongest)\b|最(?:好|佳)`)

// hasFigures tells a table with numbers that could be meant, of which none is.
func (b *binding) hasFigures() bool {
	return b.format != "log" && slices.ContainsFunc(b.cols, func(c column) bool { return c.kind == "number" && !c.isID() && c.name != "line" })
}

// measures tells that the question names a column of numbers.
func (b *binding) measures() bool {
	return slices.ContainsFunc(b.named, func(m named) bool { return m.to > 0 && m.col.kind == "number" && !m.col.isID() })
}

// worthWord asks for money whatever pieces it names: what the stock is worth.
var worthWord = pattern.New(`\b(?:worth|value|money|spent|spend)\b|值|钱`)

// takeTheme has the question name the column of its theme.
func (b *binding) takeTheme(t *theme, c *column, at []int) {
	for _, w := range t.words.FindAllStringIndex(b.q.Text, -1) {
		if !b.used(w[0], w[1]) {
			b.use(word{b.q.Text[w[0]:w[1]], w[0], w[1]})
		}
	}
	b.named = slices.DeleteFunc(b.named, func(m named) bool { return m.col.kind == "number" && m.role == plainRole && !m.col.isID() })
	b.named = append(b.named, named{c, plainRole, at[0], at[1]})
	if whatSells.MatchString(b.q.Text) && len(b.groupColumns()) == 0 {
		things := b.goods()
		if things == nil {
			b.problem = b.say.of("it is not clear which column names what is sold", "不清楚哪一列是所卖的东西")
			return
		}
		b.named = append(b.named, named{things, groupRole, 0, 0})
	}
	for i, m := range b.named { // "our best rep" ranks reps, whoever else a row names
		if m.to > 0 && m.col.kind == "text" && rankedNext.MatchString(b.q.Text[:m.from]) {
			b.named[i].role = groupRole
		}
	}
	q := *b.q
	if badEnd.MatchString(q.Text) {
		q.Desc, q.Asc = false, true
	}
	b.q, b.themed = &q, true
	switch grouped := len(b.groupColumns()) > 0 || q.Unit != "" || peopleGroup.MatchString(q.Text); {
	case (q.Desc || q.Asc) && !grouped && !b.hasThings():
		q.Intent, q.Rows = question.Top, true // each row is a thing by itself
		q.Fn = ""
		return
	case q.Desc || q.Asc || grouped:
		q.Intent = question.Top
	default:
		q.Intent = question.Aggregate
		b.named = slices.DeleteFunc(b.named, func(m named) bool { return m.role == plainRole && m.col.kind == "text" && b.oneEach(m.col.name) })
	}
	if q.Fn == "" && !b.averaged(c) {
		q.Fn = "sum"
	}
}

// rankedNext stands right before the thing that is ranked.
var rankedNext = pattern.New(`(?:\b(?:best|worst|strongest|weakest)\s+|最(?:好|差|佳)的)$`)

// whatSells asks which of the goods, naming no column of them.
var whatSells = pattern.New(`\bwhat sells?\b|什么(?:东西)?卖得|卖得最[多少好差]的是?(?:什么|啥)`)

// hasThings tells that the question ranks things of which several rows may be: people by their rows, or what it names.
func (b *binding) hasThings() bool {
	return whoWords.MatchString(b.q.Text) && b.person() != nil || slices.ContainsFunc(b.named, func(m named) bool {
		return m.to > 0 && m.col.kind == "text" && !b.oneEach(m.col.name)
	})
}

// refuseTheme declines to take all of the money for what was lost, for which rows are a loss has to be told, and a figure
// without a number that the question names.
func (b *binding) refuseTheme() {
	if !b.themed || b.problem != "" {
		return
	}
	for _, w := range left(b.q) {
		if isNumber(w.text) && !b.used(w.from, w.to) {
			b.problem = b.say.f("`%s` could not be applied, so there is no figure", "`%s` 无法应用，因此不给出数字", w.text)
		}
	}
	if len(b.where) == 0 && lossWord.MatchString(b.q.Text) {
		b.problem = b.say.of("nothing in it tells which rows are a loss", "其中没有内容说明哪些行是损失")
	}
}

// peopleGroup wants a figure of each person.
var peopleGroup = pattern.New(`\b(?:each|per|every) (?:person|one of (?:us|them)|employee|member|head)\b|每个?人|各人|各自`)
