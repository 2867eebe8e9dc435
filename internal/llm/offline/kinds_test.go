package offline_test

import (
	"strings"
	"testing"
)

// mill.log names workers inside its text and goes over midnight; 坊.log opens its messages with the
// machine's name.
const (
	millLog = `2026-05-04 23:58:00 INFO worker-1 job=11 took=100ms ok
2026-05-04 23:59:00 ERROR worker-2 job=12 took=900ms failed
2026-05-05 00:00:30 ERROR worker-2 job=13 took=300ms failed
2026-05-05 00:01:00 WARN worker-1 job=11 took=200ms slow
2026-05-05 00:02:00 ERROR worker-12 job=12 took=700ms failed
2026-05-05 09:00:00 INFO worker-2 job=14 took=50ms ok
2026-05-05 18:30:00 ERROR worker-1 job=12 took=80ms failed
`
	坊Log = `2026-05-04 23:58:00 [信息] 车床: 正常
2026-05-04 23:59:10 [错误] 车床: 过热
2026-05-05 00:00:40 [错误] 铣床: 断刀
2026-05-05 00:01:00 [警告] 铣床: 振动
2026-05-05 08:00:00 [错误] 车床: 过热
`
)

// TestKinds asks for what takes more than a column and a value: names inside lines, times by day,
// rows near others, columns reckoned with each other, conditions that must not get lost.
func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		kind, files, words string
		want               []string
	}{
		{"names", "mill.log", "Top 2 workers by errors in mill.log", []string{"1. 2: **2**"}},
		{"names", "mill.log", "How many errors for worker 1?", []string{"**1 row**", "worker = 1", "mill.log:7"}},
		{"names", "mill.log", "How many lines mention worker-1?", []string{"**3 rows**"}},
		{"names", "mill.log", "Which job failed most often?", []string{"12: **3**"}},
		{"names", "mill.log", "Average took per worker", []string{"1: **126.67**", "2: **416.67**", "12: **700**"}},
		{"names", "mill.log", "How many different workers are there?", []string{"values of worker", "**3**"}},
		{"names", "mill.log", "Which furnace had the most errors?", []string{"no column for `furnace`"}},
		{"names", "mill.log", "哪个 worker 的错误最多？", []string{"2: **2**"}},
		{"names", "mill.log", "worker 1 有多少错误？", []string{"**1** 行"}},
		{"names", "mill.log", "每个 worker 有多少错误？", []string{"2: **2**", "12: **1**"}},
		{"names", "坊.log", "统计每台设备的错误数", []string{"车床: **2**", "铣床: **1**"}},
		{"names", "坊.log", "哪个设备的错误最多？", []string{"1. 车床: **2**"}},
		{"names", "坊.log", "按城市统计错误", []string{"没有与 `城市` 对应的列"}},

		{"times", "mill.log", "How many errors after midnight?", []string{"**3 rows**", "2026-05-05 00:00"}},
		{"times", "mill.log", "How many errors before midnight?", []string{"**1 row**", "mill.log:2"}},
		{"times", "mill.log", "How many errors on May 5 after 18:00?", []string{"**1 row**", "mill.log:7"}},
		{"times", "mill.log", "How many lines in the morning?", []string{"**1 row**", "mill.log:6"}},
		{"times", "mill.log", "How many errors between 23:58:30 and 00:01?", []string{"**2 rows**", "mill.log:3"}},
		{"times", "mill.log", "Summarise mill.log between 00:00 and 00:30", []string{"3 rows", "ERROR 2, WARN 1"}},
		{"times", "坊.log", "午夜之后有多少错误？", []string{"**2** 行", "坊.log:3"}},
		{"times", "坊.log", "午夜之前有多少错误？", []string{"**1** 行"}},
		{"times", "坊.log", "5月5日7点之后有多少错误？", []string{"**1** 行", "坊.log:5"}},
		{"times", "坊.log", "上午有多少错误？", []string{"**1** 行"}},
		{"times", "坊.log", "23:59到00:01之间有多少错误？", []string{"**2** 行"}},

		{"near", "mill.log 坊.log", "Which errors in mill.log happened within 90 seconds after an error in 坊.log?", []string{"**2**", "4 ", "mill.log:3", "mill.log:5"}},
		{"near", "mill.log 坊.log", "Which errors in mill.log happened within 60 seconds before an error in 坊.log?", []string{"**2**", "mill.log:2", "mill.log:3"}},
		{"near", "mill.log 坊.log", "How many errors in mill.log are within 20 seconds of an error in 坊.log?", []string{"**2**"}},
		{"near", "mill.log 坊.log", "Which errors in mill.log were in the same minute as an error in 坊.log?", []string{"**2**", "mill.log:2", "mill.log:3"}},
		{"near", "mill.log", "Which warnings in mill.log were followed within 2 minutes by an error?", []string{"**1**", "mill.log:4"}},
		{"near", "mill.log 坊.log", "mill.log 中哪些错误发生在 坊.log 的错误之后90秒内？", []string{"**2** 行", "mill.log:5"}},
		{"near", "mill.log 坊.log", "坊.log 的错误之后90秒内，mill.log 有哪些错误？", []string{"**2** 行", "mill.log:3"}},
		{"near", "mill.log 坊.log", "mill.log 中有多少错误发生在 坊.log 的错误之前60秒内？", []string{"**2** 行"}},
		{"near", "mill.log 坊.log", "mill.log 中哪些错误与 坊.log 的错误在同一分钟？", []string{"**2** 行", "mill.log:2"}},
		{"near", "mill.log 坊.log", "mill.log 中哪些错误发生在 坊.log 的错误前后20秒内？", []string{"**2** 行"}},

		{"reckon", "sales.csv", "Sum of quantity times amount", []string{"**2928.75**", "quantity*amount"}},
		{"reckon", "sales.csv", "Sum of quantity times amount by region", []string{"North: **2103.25**"}},
		{"reckon", "sales.csv", "Average difference between amount and quantity", []string{"**131.175**"}},
		{"reckon", "sales.csv", "Which order has the highest quantity times amount?", []string{"**796**", "sales.csv:7"}},
		{"reckon", "sales.csv", "What is the sum of amount and quantity?", []string{"**1333.75**", "**22**"}},
		{"reckon", "sales.csv", "数量乘以金额的总和是多少？", []string{"**2928.75**"}},
		{"reckon", "sales.csv", "总价值（数量乘金额）是多少？", []string{"**2928.75**"}},
		{"reckon", "sales.csv", "按地区统计数量与金额的乘积总和", []string{"North: **2103.25**"}},
		{"reckon", "sales.csv", "金额减去数量的平均值", []string{"**131.175**"}},
		{"reckon", "sales.csv", "金额除以数量的最大值是多少？", []string{"**199**"}},

		{"kept", "sales.csv", "How many orders have an amount not over 100?", []string{"**5 rows**", "amount <= 100"}},
		{"kept", "sales.csv", "How many orders have amount over 300 or quantity over 4?", []string{"cannot be joined by \"or\""}},
		{"kept", "access.log", "Count requests by method and status", []string{"GET / 200: **3**"}},
		{"kept", "access.log", "How many 4xx and 5xx responses are there?", []string{"**3 rows**"}},
		{"kept", "access.log", "How many requests failed?", []string{"**2 rows**", "status of 500 or above"}},
		{"kept", "access.log", "How many successful requests?", []string{"**4 rows**", "status below 400"}},
		{"kept", "relay.log pump.log", "Compare the lines containing \"stuck\" in relay.log and pump.log", []string{"**0 rows** of relay.log", "**2 rows** of pump.log"}},
		{"kept", "sales.csv", "金额没有超过100的订单有几个？", []string{"**5** 行"}},
		{"kept", "access.log", "4xx 和 5xx 请求一共有多少？", []string{"**3** 行"}},
		{"kept", "access.log", "失败的请求有多少？", []string{"**2** 行"}},
		{"kept", "access.log", "成功的请求有多少？", []string{"**4** 行"}},
		{"kept", "sales.csv", "哪个产品卖得最少？", []string{"1. Desk: **4**"}},
		{"kept", "sales.csv", "How many orders per region with amount over 100?", []string{"North: **3**", "South: **1**"}},
		{"kept", "relay.log", "What share of errors are timeouts?", []string{"**3 rows**", "50.0 % of 6 rows"}},
		{"kept", "relay.log", "How many errors in the first 10 lines of relay.log?", []string{"**3 rows**", "lines 1 to 10"}},
		{"kept", "relay.log", "How many errors between 10:02 and 10:03 or after 10:10?", []string{"no single range"}},
		{"kept", "relay.log", "How many errors in the last 60 minutes of relay.log?", []string{"**4 rows**", "relay.log:10"}},
		{"kept", "people.csv", "除了研发，还有多少人？", []string{"**3** 行"}},

		{"files", "sales.csv notes.md", "List the files and their sizes", []string{"sales.csv: **", "in all"}},
		{"files", "sales.csv notes.md", "Which file is the largest?", []string{"sales.csv: **"}},
		{"files", "sales.csv notes.md", "列出所有文件和它们的大小", []string{"字节"}},
		{"ends", "engine.log", "When did engine.log recover?", []string{"first row after it"}},
		{"ends", "sales.csv", "Which 2 orders are priciest (highest amount)?", []string{"The 2 rows", "amount=398.00", "amount=199.00"}},
		{"several", "relay.log", "How many errors are there? What is 12 times 12?", []string{"**6 rows**", "I could not answer this part: `What is 12 times 12`"}},
	} {
		t.Run(tt.kind+"/"+tt.words, func(t *testing.T) {
			files := only(strings.Fields(tt.files)...)
			for name, text := range map[string]string{"mill.log": millLog, "坊.log": 坊Log} {
				if _, ok := files[name]; ok {
					files[name] = text
				}
			}
			has(t, newKit(t, files).ask(tt.words), tt.want...)
		})
	}
}

// TestFollowUps asks what leans on what was said before.
func TestFollowUps(t *testing.T) {
	for _, tt := range []struct {
		said  string // messages before, separated by |
		words string
		want  []string
	}{
		{"How many errors are in relay.log?", "and how many warnings?", []string{"**3 rows** of relay.log"}},
		{"How many errors are in relay.log?", "What about pump.log?", []string{"**2 rows** of pump.log"}},
		{"How many errors are in relay.log?", "and the first one?", []string{"relay.log:5"}},
		{"How many errors are in relay.log?", "And between 10:02 and 10:05?", []string{"**2 rows** of relay.log"}},
		{"How many errors are in relay.log?|and how many warnings?", "and in pump.log?", []string{"**0 rows** of pump.log", "level WARN"}},
		{"How many orders from North are in sales.csv?", "And from South?", []string{"**3 rows**", "region = south"}},
		{"relay.log 里有多少错误？", "那警告呢？", []string{"relay.log 中共有 **3** 行"}},
		{"relay.log 里有多少错误？", "第一个是什么时候？", []string{"relay.log:5"}},
		{"relay.log 里有多少错误？", "那 pump.log 呢？", []string{"pump.log 中共有 **2** 行"}},
		{"relay.log 里有多少警告？", "其中10:05之后的有多少？", []string{"**2** 行"}},
		{"sales.csv 里 North 的订单有多少？", "那 South 呢？", []string{"**3** 行"}},
		{"How many errors are in relay.log?", "How many rows are in sales.csv?", []string{"**10 rows** of sales.csv"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			k := newKit(t, only("relay.log", "pump.log", "sales.csv"))
			k.said = strings.Split(tt.said, "|")
			has(t, k.ask(tt.words), tt.want...)
		})
	}
}

// TestPlainRecall asks for what was remembered as one would ask a person.
func TestPlainRecall(t *testing.T) {
	k := newKit(t, nil)
	for _, fact := range []string{"Remember that my boat is called Heron", "Remember that the harbour pilot is Jonas", "记住我的猫叫团子", "记住值班电话是 555-0101"} {
		k.ask(fact)
	}
	for words, want := range map[string]string{
		"What is my boat called?":          "Heron",
		"What is the name of my boat?":     "Heron",
		"Do you know my boat's name?":      "Heron",
		"Who is the harbour pilot?":        "Jonas",
		"What do you remember of my boat?": "Heron",
		"What is my dog called?":           "I do not know",
		"What colour is my boat?":          "I do not know",
		"我的猫叫什么？":                          "团子",
		"你记得我的猫吗？":                         "团子",
		"我的猫叫什么名字？":                        "团子",
		"值班电话是多少？":                         "555-0101",
		"我的狗叫什么？":                          "我不知道",
	} {
		has(t, k.ask(words), want)
	}
}

// TestFullReports holds that a report has every row that was asked for.
func TestFullReports(t *testing.T) {
	for words, want := range map[string]int{
		"Write the errors of long.log to all.md":                      202, // a title, 200 rows, an empty line
		"Extract time and message of the errors of long.log to a.csv": 201,
		"把 long.log 的错误写到 all.md":                                     202,
	} {
		k := newKit(t, map[string]string{"long.log": long(2000)})
		answer := k.ask(words)
		name := "all.md"
		if strings.Contains(words, "a.csv") {
			name = "a.csv"
		}
		if got := strings.Count(k.read(name), "\n"); got < want-1 || got > want {
			t.Errorf("%s: %d lines, want %d\n%s", words, got, want, answer)
		}
	}
}
