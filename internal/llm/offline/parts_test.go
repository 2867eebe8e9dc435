package offline_test

import (
	"strings"
	"testing"
)

// pieces are files for questions of several parts; every figure below was counted by hand.
func pieces() map[string]string {
	return map[string]string{
		"yard.log": `2026-10-02 06:00:00 INFO  [weld] step finished in 30s
2026-10-02 06:00:40 INFO  [paint] rolled out nozzle 3 to all booths
2026-10-02 06:02:10 ERROR [paint] nozzle clogged
2026-10-02 06:02:30 ERROR [weld] arc lost
2026-10-02 06:03:05 WARN  [pack] tape low
2026-10-02 06:05:00 ERROR [paint] nozzle clogged
2026-10-02 06:07:00 INFO  [pack] step finished in 95s
`,
		"crew.log": `2026-10-02 06:00:00 INFO  [main] a.b.Boot - up
2026-10-02 06:00:10 ERROR [pool-1-thread-2] a.b.Save - disk full
`,
		"bay.csv":  "SKU;Item;Bay;Quantity;Unit price\nA1;Rope;North;5;20,50\nA2;Hook;South;40;3,25\nA3;Rope;North;12;21,00\nA4;Net;South;7;55,00\n",
		"sail.csv": "id,region,mode,sailed,weight_t,delay_min\n1,Fjord,ferry,2026-01-03,10,5\n2,Delta,barge,2026-01-20,4,90\n3,Fjord,barge,2026-02-11,6,0\n4,Delta,ferry,2026-02-27,8,45\n",
		"值班.csv":   "\ufeff姓名,部门,日期,状态,工时,迟到分钟\n林一,甲部,2026-06-01,正常,8,0\n周二,乙部,2026-06-01,迟到,7,50\n林一,甲部,2026-06-02,迟到,9,10\n周二,乙部,2026-06-02,迟到,8,20\n何三,甲部,2026-06-02,缺勤,0,0\n",
		"账.csv":    "单号,地区,日期,商品,数量,金额\nO1,华东,2026-01-04,茶,5,60\nO2,华北,2026-01-09,咖啡,2,90.5\nO3,华东,2026-02-01,咖啡,1,40\n",
		"buys.jsonl": `{"at":"2026-09-16T12:00:00Z","kind":"sent","customer":{"id":4,"country":"NO"},"order":{"total":25.5,"items":5},"ms":1700}
{"at":"2026-09-16T12:00:10Z","kind":"sent","customer":{"id":4,"country":"PT"},"order":{"total":10,"items":2},"ms":300}
{"at":"2026-09-16T12:00:30Z","kind":"returned","customer":{"id":7,"country":"NO"},"order":{"total":99,"items":1},"ms":900}
`,
		"pier.log": `2001:db8::1 - - [15/Sep/2026:06:00:00 +0000] "GET /a HTTP/1.1" 200 100 "-" "m"
2001:db8::2 - - [15/Sep/2026:06:00:20 +0000] "GET /b HTTP/1.1" 404 300 "-" "m"
2001:db8::1 - - [15/Sep/2026:06:05:10 +0000] "GET /b HTTP/1.1" 500 200 "-" "m"
`,
		"issues.md": "# Issues\n\nKept by hand.\n\n| Version | Date | Team | Fixes |\n|---|---|---|---:|\n| 4.1.0 | 2026-01-02 | Core | 3 |\n| 4.2.0 | 2026-01-30 | Web | 9 |\n| 4.3.0 | 2026-03-01 | Core | 4 |\n",
	}
}

// TestEveryPart asks for several things at once, for durations and for groups of two columns: each part has
// its answer, or a sentence that there is none.
func TestEveryPart(t *testing.T) {
	for _, tt := range []struct {
		file, words string
		want        []string
	}{
		{"yard.log", "How many errors are there and which job had the most?", []string{"**3 rows**", "paint: **2**"}},
		{"yard.log", "有多少个错误，哪个任务最多？", []string{"**3** 行", "paint: **2**"}},
		{"yard.log", "How many errors did paint have, and how many did weld have?", []string{"**2 rows**", "**1 row**", "service = weld"}},
		{"yard.log", "paint 有多少错误？weld 呢？", []string{"**2** 行", "**1** 行"}},
		{"yard.log", "每个服务有多少错误？", []string{"按 service", "paint: **2**", "weld: **1**"}},
		{"yard.log", "count lines per job and level", []string{"service, level", "paint / ERROR: **2**", "pack / WARN: **1**"}},
		{"yard.log", "有几个服务？", []string{"**3**"}},
		{"crew.log", "errors per thread", []string{"pool-1-thread-2: **1**"}},
		{"crew.log", "errors per service", []string{"no column for `service`"}},
		{"yard.log", "How long between the rollout and the first error?", []string{"**1 min 30 s**", "yard.log:2", "yard.log:3"}},
		{"yard.log", "从上线到第一个错误用了多久？", []string{"**1 分 30 秒**", "yard.log:2", "yard.log:3"}},
		{"yard.log", "第一个错误和最后一个错误之间相隔多少秒？", []string{"2 分 50 秒 = 170 秒"}},
		{"yard.log", "How long after the first error did the last error come?", []string{"**2 min 50 s**"}},
		{"yard.log", "How long between the first error and the explosion?", []string{"cannot tell how long", "`explosion`"}},
		{"yard.log", "What was the slowest step, and how slow was it?", []string{"95000", "yard.log:7"}},
		{"yard.log", "哪一步最慢，慢多少？", []string{"95000", "**65000**"}},
		{"yard.log", "How many errors were there then?", []string{"which time `there then` is"}},
		{"yard.log", "How many errors are there? Will it rain?", []string{"**3 rows**", "could not answer this part", "rain"}},
		{"yard.log", "How many errors are there? Whose fault is the mess?", []string{"**3 rows**", "could not answer this part", "fault"}},
		{"bay.csv", "How many items cost more than 20,6 and how many cost less than 5?", []string{"Unit_price > 20.6", "**2**", "Unit_price < 5", "**1 row**"}},
		{"bay.csv", "Which bay has the largest total quantity, and by how much more than the second?", []string{"South: **47**", "North: **17**", "**30** apart"}},
		{"bay.csv", "How many different items are there and which is the most frequent?", []string{"**3**", "Rope: **2**"}},
		{"bay.csv", "What is the median quantity and the largest quantity?", []string{"**9.5**", "largest Quantity", "Quantity=40"}},
		{"sail.csv", "total weight by region and month", []string{"Fjord / 2026-01: **10**|2026-01 / Fjord: **10**"}},
		{"sail.csv", "How many sailings went by ferry, how many by barge?", []string{"mode = ferry", "mode = barge"}},
		{"sail.csv", "How many have a delay over 1 hour?", []string{"**1 row**", "delay_min > 60"}},
		{"sail.csv", "Which region had the most weight and how much was it?", []string{"Fjord: **16**"}},
		{"值班.csv", "谁迟到最多，几次？", []string{"周二: **2**"}},
		{"值班.csv", "甲部有几个人？", []string{"**2**", "姓名"}},
		{"值班.csv", "总工时最长的是谁，多少小时？", []string{"林一: **17**"}},
		{"值班.csv", "迟到超过30分钟的有几次？", []string{"**1** 行", "迟到分钟 > 30"}},
		{"值班.csv", "甲部正常多少次，缺勤多少次？", []string{"部门 = 甲部、状态 = 正常", "状态 = 缺勤、部门 = 甲部"}},
		{"账.csv", "按地区和月份统计销售额", []string{"2026-01 / 华东: **60**"}},
		{"账.csv", "总金额是多少，平均每单多少？", []string{"**190.5**", "**63.5**"}},
		{"账.csv", "金额最高的一单是哪个商品，在哪个地区？", []string{"**90.5**", "咖啡", "华北"}},
		{"账.csv", "第一单和最后一单隔了多少天？", []string{"**28 天**"}},
		{"buys.jsonl", "How many sent orders from NO have more than 3 items?", []string{"**1 row**", "customer.country = no"}},
		{"buys.jsonl", "How many took over 1 second?", []string{"**1 row**", "ms > 1000"}},
		{"buys.jsonl", "How many were returned, and what is their total?", []string{"**1 row**", "**99**"}},
		{"buys.jsonl", "Which customer ordered the most?", []string{"customer.id", "4: **2**"}},
		{"buys.jsonl", "按国家统计订单总额", []string{"NO: **124.5**"}},
		{"pier.log", "Which path has the most 404 errors?", []string{"/b: **1**"}},
		{"pier.log", "How long was it from the first request to the first 500?", []string{"**5 min 10 s**"}},
		{"pier.log", "状态为 200 的请求有多少？404 的呢？", []string{"status = 200", "status = 404"}},
		{"pier.log", "What is the largest response and which path was it?", []string{"**300**", "path=/b"}},
		{"issues.md", "How many issues are there?", []string{"**3 rows**"}},
		{"issues.md", "How many days between 4.1.0 and 4.3.0?", []string{"**58 days**"}},
		{"issues.md", "How many versions did Core make, and how many fixes in total?", []string{"**7**", "Team = core"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			answer := newKit(t, map[string]string{tt.file: pieces()[tt.file]}).ask(tt.words)
			for _, w := range tt.want {
				one, other, _ := strings.Cut(w, "|")
				if !strings.Contains(answer, one) && (other == "" || !strings.Contains(answer, other)) {
					t.Errorf("the answer lacks %q:\n%s", w, answer)
				}
			}
		})
	}
}
