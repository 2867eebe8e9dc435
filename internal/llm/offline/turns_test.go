package offline_test

import (
	"strconv"
	"strings"
	"testing"
)

const (
	petsCSV  = "name,kind,age,price\nRex,dog,9,120\nMia,cat,14,80\nBo,dog,3,300\nZoe,cat,2,95.5\n"
	宠物CSV    = "名字,种类,年龄,价格\n来福,狗,9,120\n咪咪,猫,14,80\n豆豆,狗,3,300\n花花,猫,2,95.5\n"
	zonesLog = "2026-03-01T23:30:00+02:00 ERROR alpha\n2026-03-01T22:00:00Z ERROR beta\n2026-03-02T01:00:00+09:00 ERROR gamma\n2026-03-02T09:00:00+09:00 INFO delta\n"
	heronMD  = "# Project Heron\n\n## Team\n- Owner: Lena Fischer\n- Budget: 42,500 EUR\n\n## Decisions\n1. Deploy on Fridays is forbidden.\n\nContact: lena@example.org, https://heron.example.org/docs\n"
	周会MD     = "# 周会\n\n日期：2026年3月5日\n\n## 决定\n- 数据库迁移由李雷完成，截止 3 月 20 日\n- 预算为 12 万元\n"
	payLog   = "2026-03-01 09:00:00 INFO user 7 logged in from 10.0.0.7\n2026-03-01 09:00:01 ERROR payment of order 2675 declined\n2026-03-01 09:00:02 INFO heartbeat\n2026-03-01 09:00:03 ERROR payment of order 7391 declined\n2026-03-01 09:00:04 INFO user 9 logged in from 10.0.0.9\n2026-03-01 09:00:05 WARN timeout\n"
	twiceCSV = "id,amount,amount\n1,5,6\n2,7,8\n"
	noGood   = "there is no figure"
	keine    = "因此不给出数字"
)

// TestTurns asks for the opposite of conditions, for times that are no clock, for superlatives and
// for what texts say. Every figure is counted by hand in the fixtures.
func TestTurns(t *testing.T) {
	for _, tt := range []struct {
		kind, files, words string
		want               []string
	}{
		{"not", "access.log", "How many requests did not return 200?", []string{"**4 rows**"}},
		{"not", "access.log", "How many requests failed to return 200?", []string{"**4 rows**"}},
		{"not", "access.log", "How many requests have a status different from 200?", []string{"**4 rows**"}},
		{"not", "access.log", "How many requests were not from 203.0.113.5?", []string{"**3 rows**"}},
		{"not", "access.log", "How many requests did not come from 203.0.113.5?", []string{"**3 rows**"}},
		{"not", "access.log", "How many requests did not fail?", []string{"**5 rows**"}},
		{"not", "access.log", "How many requests did not return 200 or 304?", []string{"**3 rows**"}},
		{"not", "access.log", "How many requests did not take longer than 2 seconds?", []string{"**5 rows**"}},
		{"not", "access.log", "How many GET requests did not return 200?", []string{"**2 rows**", "method = GET"}},
		{"not", "access.log", "How many requests other than GET returned 500?", []string{"**1 row**"}},
		{"not", "access.log", "How many requests did not return 200 and took longer than 1 second?", []string{"**2 rows**", "status != 200"}},
		{"not", "access.log", "GET 以外的请求有多少？", []string{"**2** 行"}},
		{"not", "people.csv", "北京以外有多少人？", []string{"**3** 行"}},
		{"not", "sales.csv", "How many orders in any region but North?", []string{"**6 rows**"}},
		{"time", "sales.csv", "How many orders from Monday to Friday?", []string{"**7 rows**"}},
		{"not", "access.log", "How many requests besides POST?", []string{"**5 rows**"}},
		{"not", "sales.csv", "How many orders were not made in North?", []string{"**6 rows**"}},
		{"not", "sales.csv", "How many orders did not happen in the North?", []string{"**6 rows**"}},
		{"not", "sales.csv", "Sum of amount for everything other than North", []string{"**614**"}},
		{"not", "sales.csv", "Sum of amount of everything but Lamp", []string{"**1111**"}},
		{"not", "relay.log", "How many warnings are not about broker-a or broker-b?", []string{"**3 rows**"}},
		{"not", "access.log", "哪些 IP 没有 500？", []string{"一行都没有"}},
		{"time", "sales.csv", "How many orders in January and March?", []string{"no single range"}},
		{"time", "sales.csv", "二月十日之后有多少订单？", []string{"**5** 行"}},
		{"not", "sales.csv", "Sum of amount excluding North", []string{"**614**"}},
		{"not", "sales.csv", "How many orders are neither in North nor in South?", []string{"**3 rows**"}},
		{"not", "relay.log", "How many lines do not contain ERROR?", []string{"**15 rows**"}},
		{"not", "relay.log", "How many lines aren't errors?", []string{"**14 rows**"}},
		{"not", "relay.log", "How many lines don't mention timeout?", []string{"**17 rows**"}},
		{"not", "sales.csv", "How many orders were not placed in February?", []string{noGood}},
		{"not", "sales.csv", "Which region did not sell Lamp?", []string{"which `region` has none"}},
		{"not", "access.log", "没有返回 200 的请求有多少？", []string{"**4** 行"}},
		{"not", "access.log", "未返回 200 的请求有多少？", []string{"**4** 行"}},
		{"not", "access.log", "状态码不是 404 的请求有几个？", []string{"**6** 行"}},
		{"not", "access.log", "除了 GET 之外的请求有多少？", []string{"**2** 行"}},
		{"not", "access.log", "非 GET 请求有多少？", []string{"**2** 行"}},
		{"not", "access.log", "不来自 203.0.113.5 的请求有多少？", []string{"**3** 行"}},
		{"not", "sales.csv", "不在 North 的订单有多少？", []string{"**6** 行"}},
		{"not", "people.csv", "不是研发部门的人有多少？", []string{"**3** 行"}},
		{"not", "relay.log", "没有 ERROR 的行有多少？", []string{"**15** 行"}},
		{"not", "relay.log", "不包含 timeout 的行有多少？", []string{"**17** 行"}},
		{"not", "people.csv", "没有研发的城市有哪些？", []string{"哪些 `城市` 一行都没有"}},

		{"time", "sales.csv", "How many orders in Q1?", []string{"**10 rows**"}},
		{"time", "sales.csv", "How many orders from January to February?", []string{"**7 rows**"}},
		{"time", "sales.csv", "How many orders on Mondays?", []string{"**3 rows**"}},
		{"time", "sales.csv", "Total amount on weekends", []string{"**155.25**"}},
		{"time", "sales.csv", "How many orders in the first quarter of 2026?", []string{"**10 rows**"}},
		{"time", "sales.csv", "How many orders were not on a Monday?", []string{"**7 rows**"}},
		{"time", "sales.csv", "How many orders last month?", []string{noGood}},
		{"time", "relay.log", "How many errors today?", []string{noGood}},
		{"time", "sales.csv", "How many orders in spring?", []string{noGood}},
		{"time", "sales.csv", "二月份有多少订单？", []string{"**4** 行"}},
		{"time", "sales.csv", "一月有多少行？", []string{"**3** 行"}},
		{"time", "sales.csv", "1月到2月有多少订单？", []string{"**7** 行"}},
		{"time", "sales.csv", "三月的金额总和是多少？", []string{"**390.25**"}},
		{"time", "sales.csv", "周一有多少订单？", []string{"**3** 行"}},
		{"time", "sales.csv", "第一季度有多少订单？", []string{"**10** 行"}},
		{"time", "sales.csv", "上个月有多少订单？", []string{keine}},
		{"time", "sales.csv", "十二月有多少订单？", []string{"**0** 行", "2026-12"}},

		{"most", "pets.csv", "Who is the oldest dog?", []string{"**9**", "Rex"}},
		{"most", "pets.csv", "Who is the youngest cat?", []string{"**2**", "Zoe"}},
		{"most", "pets.csv", "List the two oldest pets", []string{"Mia", "Rex", "largest age"}},
		{"most", "pets.csv", "Which is the most expensive pet?", []string{"**300**", "Bo"}},
		{"most", "pets.csv", "What is the cheapest pet?", []string{"**80**", "Mia"}},
		{"most", "pets.csv", "Who is the tallest dog?", []string{"no column of numbers fits `tallest`"}},
		{"most", "sales.csv", "What is the oldest order?", []string{"sales.csv:2", "2026-01-05"}},
		{"most", "old.csv", "What is the oldest entry?", []string{"no column of numbers fits `oldest`"}},
		{"most", "people.csv", "Who earns the least?", []string{"**8000**", "刘洋"}},
		{"most", "宠物.csv", "最老的狗是谁？", []string{"**9**", "来福"}},
		{"most", "宠物.csv", "年龄最小的猫是哪只？", []string{"**2**", "花花"}},
		{"most", "宠物.csv", "谁的年龄最大？", []string{"**14**", "咪咪"}},
		{"most", "宠物.csv", "最贵的宠物是哪个？", []string{"**300**", "豆豆"}},
		{"most", "宠物.csv", "最便宜的猫是哪只？", []string{"**80**", "咪咪"}},
		{"most", "宠物.csv", "最重的狗是谁？", []string{"没有适合 `最重` 的数值列"}},
		{"most", "pets.csv", "最老的狗是谁？", []string{"没有出现 `狗`"}},

		{"text", "heron.md", "Who is the owner of the project?", []string{"Lena Fischer (heron.md:4)"}},
		{"text", "heron.md", "What is the budget of Project Heron?", []string{"42,500 EUR (heron.md:5)"}},
		{"text", "heron.md", "Extract all email addresses", []string{"lena@example.org (heron.md:10)"}},
		{"text", "heron.md", "List the URLs", []string{"https://heron.example.org/docs (heron.md:10)"}},
		{"text", "heron.md", "Which competitor grew fastest?", []string{"takes a language model"}},
		{"text", "heron.md", "Compare the two companies", []string{"takes a language model"}},
		{"text", "周会.md", "数据库迁移由谁完成？", []string{"李雷", "周会.md:6"}},
		{"text", "周会.md", "截止日期是哪天？", []string{"3 月 20 日", "周会.md:6"}},
		{"text", "周会.md", "预算多少？", []string{"12 万元", "周会.md:7"}},
		{"text", "周会.md", "列出所有邮箱", []string{"**0**"}},
		{"text", "周会.md", "竞争对手增长最快的是谁？", []string{"需要语言模型"}},

		{"compare", "relay.log pump.log", "Which log has more errors?", []string{"relay.log", "relay.log 6", "pump.log 2"}},
		{"compare", "relay.log pump.log", "How many more errors does relay.log have than pump.log?", []string{"relay.log has **4** more", "6 against 2"}},
		{"compare", "relay.log pump.log", "relay.log 的错误比 pump.log 多多少？", []string{"**4**", "6 对 2"}},
		{"compare", "relay.log", "w-2 和 w-3 哪个错误多？", []string{"1. w-2: **3**", "2. w-3: **3**"}},
		{"compare", "old.csv 宠物.csv", "How many rows does each file have?", []string{"**3 rows** of old.csv", "**4 rows** of 宠物.csv"}},
		{"compare", "zones.log", "Which error came first?", []string{"zones.log:3", "gamma"}},

		{"parts", "pay.log", "Show me the 2 lines before the first declined", []string{"pay.log:1"}},
		{"parts", "pay.log", "Show me the 2 lines before the first timeout", []string{"pay.log:4", "pay.log:5"}},
		{"parts", "pay.log", "第一个 timeout 之前的 2 行", []string{"pay.log:4", "pay.log:5"}},
		{"parts", "sales.csv", "Show rows 3 to 4", []string{"sales.csv:4", "sales.csv:5", "**2 rows**"}},
		{"parts", "pay.log", "List the order numbers whose payment was declined", []string{"order=2675", "order=7391", "**2 rows**"}},
		{"parts", "pay.log", "Extract user and ip from pay.log", []string{"user=7 ip=10.0.0.7", "user=9 ip=10.0.0.9"}},
		{"parts", "pay.log", "提取 pay.log 里的订单号", []string{"order=2675", "order=7391"}},
		{"parts", "twice.csv", "Sum of amount", []string{"**12**", "`amount_2`"}},
		{"parts", "relay.log", "Count lines by level as JSON", []string{`"name": "INFO"`, `"value": 11`}},
		{"parts", "access.log", "统计每种状态码的请求数", []string{"200: **3**", "304: **1**"}},
		{"parts", "relay.log", "最常见的错误是什么？", []string{"cannot reach broker-a: timeout`: **2**"}},
		{"parts", "people.csv", "研发的张伟一共赚了多少钱？", []string{"**15000**"}},
		{"parts", "sales.csv", "一月份的销售额是多少？", []string{"**419.5**"}},
	} {
		t.Run(tt.kind+"/"+tt.words, func(t *testing.T) {
			has(t, newKit(t, only(strings.Fields(tt.files)...)).ask(tt.words), tt.want...)
		})
	}
}

// TestForget says how an entry is removed, and claims nothing.
func TestForget(t *testing.T) {
	for _, words := range []string{"forget the deploy window", "Please forget that my cat is called Tom", "请忘记密码轮换日", "忘掉我的猫"} {
		has(t, newKit(t, nil).ask(words), "akitad memory forget")
	}
}

// TestOpposites holds that a condition and its opposite share out all rows of a file.
func TestOpposites(t *testing.T) {
	count := func(files, words string) int {
		answer := newKit(t, only(files)).ask(words)
		_, rest, _ := strings.Cut(answer, "**")
		figure, _, _ := strings.Cut(rest, "**")
		n, err := strconv.Atoi(strings.Fields(figure + " x")[0])
		if err != nil {
			t.Fatalf("%s: %s", words, answer)
		}
		return n
	}
	for _, tt := range []struct {
		file     string
		all      int
		yes, not string // with %s for a value
		values   []string
	}{
		{"sales.csv", 10, "How many orders were made in %s?", "How many orders were not made in %s?", []string{"North", "South", "East", "West"}},
		{"sales.csv", 10, "How many orders of %s are there?", "How many orders other than %s are there?", []string{"Lamp", "Desk", "Chair"}},
		{"access.log", 7, "How many requests returned %s?", "How many requests never returned %s?", []string{"200", "304", "404", "500", "502"}},
		{"access.log", 7, "How many requests came from %s?", "How many requests didn't come from %s?", []string{"203.0.113.5", "203.0.113.9", "203.0.113.7"}},
		{"relay.log", 20, "How many lines contain %s?", "How many lines lack %s?", []string{"timeout", "checksum", "ERROR", "WARN"}},
		{"sales.csv", 10, "%s 的订单有多少？", "除了 %s 以外的订单有多少？", []string{"North", "South", "Lamp", "Chair"}},
		{"access.log", 7, "返回 %s 的请求有多少？", "没有返回 %s 的请求有多少？", []string{"200", "404", "502"}},
		{"relay.log", 20, "包含 %s 的行有多少？", "不包含 %s 的行有多少？", []string{"timeout", "checksum", "idle"}},
	} {
		for _, v := range tt.values {
			yes, not := count(tt.file, strings.ReplaceAll(tt.yes, "%s", v)), count(tt.file, strings.ReplaceAll(tt.not, "%s", v))
			if yes == 0 || yes+not != tt.all {
				t.Errorf("%s %s: %d and %d of %d", tt.not, v, yes, not, tt.all)
			}
		}
	}
}
