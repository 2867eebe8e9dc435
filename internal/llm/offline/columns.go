package offline

import (
	"slices"
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/pattern"
)

// column is what extract tells about one column of a file.
type column struct {
	name     string
	kind     string // number, time, text, empty
	filled   int
	distinct int
	over     bool // more distinct values than are told apart
	min, max string
	examples []string
	unit     string // of a difference of times: minutes or days
}

func readColumns(t *table) []column {
	var out []column
	for i := range t.rows {
		c := column{
			name: t.cell(i, "column"), kind: t.cell(i, "kind"), filled: atoi(t.cell(i, "filled")),
			min: t.cell(i, "min"), max: t.cell(i, "max"),
		}
		d := t.cell(i, "distinct")
		c.over = strings.HasSuffix(d, "+")
		c.distinct = atoi(strings.TrimSuffix(d, "+"))
		for item := range strings.SplitSeq(t.cell(i, "examples"), "; ") {
			if at := strings.LastIndexByte(item, '='); at > 0 {
				c.examples = append(c.examples, item[:at])
			}
		}
		out = append(out, c)
	}
	return out
}

// isID tells a column that numbers or names its rows one by one.
func (c column) isID() bool {
	w := nameWords(c.name)
	last := w[len(w)-1]
	if c.kind == "number" && (numberedThings[strings.ToLower(c.name)] || strings.HasSuffix(c.name, "号")) {
		return true
	}
	return last == "id" || last == "no" || last == "编号" || last == "uuid" || strings.HasSuffix(c.name, "编号")
}

// numberedThings are names of things that have a number in place of a name.
var numberedThings = set("table room desk lane gate platform zip postcode zip_code")

// synonyms are names that tables and people use for one thing.
var synonyms = [][]string{
	{"amount", "total", "revenue", "sale", "turnover", "金额", "总额", "销售额", "收入", "营收", "营业额", "total amount", "order amount"},
	{"price", "unit price", "unit cost", "价格", "单价", "进价", "售价"},
	{"cost", "expense", "fee", "费用", "成本", "花费"},
	{"quantity", "qty", "unit", "stock", "数量", "件数", "销量", "库存", "库存量", "库存数量"},
	{"date", "day", "日期"},
	{"region", "area", "territory", "地区", "区域", "大区"},
	{"city", "town", "城市"},
	{"country", "nation", "国家"},
	{"product", "item", "article", "sku", "product name", "产品", "商品", "货品", "品名", "物品", "dish", "drink", "菜品", "饮品"},
	{"category", "type", "kind", "类别", "类型", "分类", "品类", "种类"},
	{"customer", "buyer", "customer name", "客户", "顾客", "买家"},
	{"user", "username", "login", "account", "user name", "用户", "账号", "账户", "用户名"},
	{"status", "state", "状态", "status code", "http status", "code", "状态码"},
	{"duration ms", "duration", "latency", "elapsed", "response time", "took", "dur", "time taken", "latency ms", "elapsed ms", "request time", "耗时", "延迟", "响应时间", "时长", "用时"},
	{"level", "lvl", "severity", "log level", "级别", "等级", "日志级别"},
	{"message", "msg", "消息", "信息"},
	{"service", "svc", "container", "app", "process", "program", "application", "component", "服务", "应用", "组件", "程序", "进程"},
	{"logger", "class", "component", "module", "source", "类", "组件", "模块"},
	{"thread", "线程"},
	{"tenant", "租户"},
	{"sensor", "传感器"},
	{"warehouse", "仓库"},
	{"host", "hostname", "server", "machine", "node", "主机", "服务器", "机器", "节点"},
	{"path", "url", "uri", "endpoint", "route", "page", "路径", "接口", "页面", "网址"},
	{"client", "visitor", "ip", "ip address", "client ip", "remote addr", "address", "客户端", "来源", "ip地址"},
	{"method", "verb", "http method", "方法", "请求方法"},
	{"byte", "size", "大小", "字节"},
	{"department", "dept", "division", "team", "部门", "团队"},
	{"salary", "wage", "pay", "earn", "earning", "月薪", "年薪", "底薪", "工资", "薪水", "薪资", "薪酬"},
	{"age", "年龄"},
	{"name", "full name", "姓名", "名字", "名称"},
	{"score", "grade", "mark", "rating", "分数", "成绩", "评分", "得分"},
	{"employee", "staff", "员工", "职员"},
	{"temperature", "temp", "celsius", "fahrenheit", "温度", "气温"},
	{"gender", "sex", "性别"},
	{"agent", "user agent", "browser", "浏览器"},
	{"stock", "inventory", "库存"},
	{"profit", "margin", "利润"},
	{"discount", "折扣"},
	{"email", "mail", "邮箱"},
	{"phone", "telephone", "电话", "手机"},
	{"store", "shop", "branch", "门店", "店铺", "商店"},
	{"supplier", "vendor", "供应商"},
	{"payment", "payment method", "支付方式", "付款方式"},
	{"student", "学生"},
	{"math", "mathematic", "数学"},
	{"chinese", "语文"},
	{"english", "英语"},
	{"class", "班级"},
	{"subject", "course", "科目", "课程"},
	{"seller", "salesperson", "sales rep", "销售员", "业务员"},
	{"year", "年份"},
	{"month", "月份"},
	{"week", "周"},
	{"time", "timestamp", "时间"},
	{"id", "编号"},
	{"order", "order id", "订单", "订单号"},
	{"weight", "重量"},
	{"page", "length", "页数", "篇幅"},
	{"absence", "absent", "days absent", "缺勤", "缺勤天数", "缺席"},
	{"title", "标题"},
	{"author", "作者"},
	{"bytes sent", "流量"},
	{"error", "错误数"},
	{"visit", "访问量"},
	{"brand", "品牌"},
	{"version", "版本"},
	{"fix", "修复"},
	{"job", "task", "stage", "step", "任务", "作业", "阶段"},
	{"channel", "渠道"},
	{"mode", "方式"},
	{"priority", "优先级"},
	{"owner", "assignee", "assigned", "负责人", "指派人", "处理人", "经办人"},
	{"ticket", "issue", "case", "工单"},
	{"customer", "client", "company", "客户", "公司"},
	{"exception", "异常", "异常类型"},
	{"printer", "打印机"},
	{"namespace", "命名空间"},
	{"project", "项目"},
	{"device", "设备"},
	{"room", "房间"},
	{"technician", "技师", "技术员"},
	{"src", "source", "source address", "source ip", "来源地址", "源地址"},
	{"dst", "destination", "destination address", "destination ip", "目标地址", "目的地址"},
	{"dpt", "destination port", "目标端口", "目的端口"},
}

// unitEnd is the unit that a header gives behind a name: 单价(元), "weight [kg]".
var unitEnd = pattern.New(`\s*(?:\([^()]*\)|（[^（）]*）|\[[^\[\]]*\])$`)

var camel = pattern.New(`([a-z0-9])([A-Z])`)

// nameWords splits a column's name into lower-case words in the singular.
func nameWords(name string) []string {
	if bare := unitEnd.ReplaceAllString(name, ""); bare != "" {
		name = bare
	}
	name = strings.ToLower(camel.ReplaceAllString(name, "$1 $2"))
	out := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i := range out {
		out[i] = american.ReplaceAllString(singular(out[i]), "${1}iz${2}")
	}
	if len(out) == 0 {
		return []string{name}
	}
	if last := len(out) - 1; last > 0 && unitNames[out[last]] {
		out = out[:last]
	}
	return out
}

// american is a word that British and American people spell with another letter.
var american = pattern.New(`^(\w{2,}(?:al|il|an|en|or|er|it|ar|im|ol|at|ir|ic|th|ct|et))is(ation|e|ed|ing)$`)

// unitNames are units that a name may end with.
var unitNames = set("c f kg km eur usd pct percent mb kb")

// usPlurals end like words that are no plurals.
var usPlurals = set("cpus gpus menus skus")

func singular(w string) string {
	switch {
	case usPlurals[w]:
		return w[:len(w)-1]
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:len(w)-2]
	case len(w) > 2 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is") && !strings.HasSuffix(w, "as"):
		return w[:len(w)-1]
	}
	return w
}

// fits scores how well a phrase of the question names a column: 0 not at all, 4 exactly.
func (c column) fits(phrase []string) int {
	words := nameWords(c.name)
	said := strings.Join(phrase, " ")
	name := strings.Join(words, " ")
	switch {
	case said == name:
		return 4
	case sameThing(said, name):
		return 3
	case len(phrase) == 1 && len(words) > 1 && slices.Contains(words, said) && said != "id" && said != "name":
		return 2
	case len(words) > 1 && !c.isID() && (sameThing(said, words[len(words)-1]) || sameThing(said, words[0])):
		return 1
	}
	return 0
}

func sameThing(a, b string) bool {
	for _, group := range synonyms {
		if slices.Contains(group, a) && slices.Contains(group, b) {
			return true
		}
	}
	return false
}

var rateEnd = pattern.New(`(?:率|价|龄|温度|湿度|分数|薪|工资)$|(?i)(?:growth|humidity|percentage)$`)

// rate tells a column whose sum means nothing: prices, ages, ratings, durations.
func (c column) rate() bool {
	if c.reckoned() {
		return false
	}
	if strings.HasSuffix(c.min, "%") || strings.HasSuffix(c.max, "%") || rateEnd.MatchString(c.name) && !strings.HasSuffix(c.name, "总价") {
		return true
	}
	for _, w := range nameWords(c.name) {
		switch w {
		case "price", "age", "rating", "score", "grade", "temperature", "temp", "rate", "percent", "pct", "ratio",
			"latency", "duration", "elapsed", "status", "year", "level", "salary", "weight", "height",
			"单价", "价格", "年龄", "评分", "分数", "成绩", "温度", "耗时", "延迟", "比例", "工资", "薪资", "响应时间":
			return true
		}
	}
	return false
}
