package offline_test

import (
	"strings"
	"testing"
)

// fresh are files of further kinds: logs with traces, lists of tasks, tables as people write them.
func fresh() map[string]string {
	return map[string]string{
		"dock.log": `2026-08-03 07:00:01,100 INFO  [crane-1] p.quay.Lift - Lift 11 finished in 40 ms for crew red
2026-08-03 07:00:09,300 ERROR [crane-2] p.quay.Lift - Lift refused for crew blue
p.quay.BeltException: belt torn
	at p.quay.Lift.up(Lift.java:8)
Caused by: java.io.IOException: wire cut
2026-08-03 07:20:11,000 WARN  [crane-1] p.quay.Tide - Slow tide: 900 ms
2026-08-03 07:40:30,000 ERROR [crane-2] p.quay.Lift - Lift refused for crew red

java.lang.IllegalStateException: no power
	at p.quay.Lift.up(Lift.java:9)
2026-08-03 08:10:00,000 INFO  [crane-3] p.quay.Lift - Lift 12 finished in 90 ms for crew red
`,
		"bees.log": `[2026-08-03 06:00:00: INFO/Hive-1] comb weigh succeeded
[2026-08-03 06:00:20: ERROR/Hive-2] comb smoke raised
Traceback (most recent call last):
  File "/hive/comb.py", line 3, in smoke
KeyError: 'queen'
[2026-08-03 06:01:00: WARNING/Hive-2] comb weigh retried
`,
		"fleet.log": `north-1  | 2026-08-03T09:00:04Z INFO tick
south-1  | 2026-08-03T09:00:09Z ERROR lost anchor
south-1  | 2026-08-03T09:00:29Z ERROR lost anchor
north-1  | 2026-08-03T09:00:31Z WARN low fuel
`,
		"catch.csv": "boat,landed,weight\nElla,2026-04-03,12\nRuna,2026-04-19,n/a\nElla,2026-05-02,9\nRuna,2026-05-20,-\nElla,2026-06-08,31\nRuna,n/a,8\n",
		"鱼获.csv":    "船,日期,重量\n甲,2026-04-03,12\n乙,2026-04-19,n/a\n甲,2026-05-02,9\n",
		"locks.log": "2026-08-03T11:00:00Z ERROR [lock] gate stuck code=417\n2026-08-03T11:02:00Z ERROR [lock] gate stuck code=588\n",
		"weir.log":  "2026-08-03T11:00:00Z INFO [weir] level read code=204\n2026-08-03T11:01:00Z ERROR [weir] gauge lost code=502\n",
		"door.log": `192.0.2.4 - - [03/Aug/2026:08:00:01 +0000] "GET /in HTTP/1.1" 200 512 0.031
192.0.2.5 - - [03/Aug/2026:08:00:04 +0000] "GET /out HTTP/1.1" 200 90 4.500
`,
		"码头.log": `2026-08-03 18:00:00 信息 吊装服务 就绪
2026-08-03 18:00:10 错误 吊装服务 钢缆断裂
2026-08-03 18:00:20 错误 清单服务 打印失败
2026-08-03 18:00:30 信息 清单服务 恢复
2026-08-03 18:00:40 错误 吊装服务 钢缆断裂
`,
		"茶馆.log": `2026-08-03 19:00:14 [信息] [茶水服务] 上茶，耗时 20 毫秒
2026-08-03 19:00:30 [错误] [点心服务] 蒸笼空了
2026-08-03 19:01:30 [错误] [点心服务] 蒸笼空了
2026-08-03 19:02:00 [调试] [茶水服务] 添水
`,
		"bills.csv": `Bill No,Issued,Guest,Net,Total,Rebate,Paid,State
B-1,29/12/2025,"Moss, Ida",€100.00,€120.00,10%,Yes,
B-2,02/01/2026,"Moss, Ida","(€50.00)","(€60.00)",0%,No,returned
B-3,05/02/2026,"Rye, Olaf","€1,000.00","€1,200.00",15%,No,kept
B-4,11/02/2026,"Rye, Olaf",€10.00,€12.00,20%,Yes,kept
`,
		"laden.csv": "Tag;Ort;Menge;Erlös;Wachstum\n03.02.2026;Ulm;4;1.234,50 €;-2,5%\n04.03.2026;Jena;6;99,00 €;3,0%\n",
		"账本.csv":    "\ufeff编号,下单时间,客户,货品类别,数量,单价(元),实付金额,绩效,入库日期\nD1,2026/04/01 09:10,甲某,茶叶,2,30,60.00,A,2026年4月2日\nD2,2026/04/10 15:00,乙某,茶叶,5,30,150.00,,2026年4月12日\nD3,2026/04/10 21:30,甲某,瓷器,1,400,400.00,B,2026年4月13日\nD4,2026/04/20 14:20,乙某,瓷器,2,400,800.00,A,2026年4月25日\n",
		"trips.csv": "trip,line,departure,delay_min,passed\nT1,red,2026-05-01 07:30,0,yes\nT2,red,2026-05-02 13:10,12,no\nT3,blue,2026-05-03 18:20,40,yes\nT4,blue,2026-05-04 20:59,0,no\n",
		"watch.csv": "Level,When,Source\nInformation,3/1/2026 1:00:00 PM,gate\nWarning,3/1/2026 1:05:00 PM,gate\nError,3/1/2026 1:06:00 PM,door\nCritical,3/1/2026 11:06:00 PM,door\n",
		"chores.md": "# Chores\n\n## Garden\n\n- [x] Mow lawn @ben\n- [ ] Prune roses @ada\n- [ ] Fix gate (due 2026-09-01) @ben\n\n## House\n\n- [ ] Paint door @ada\n",
		"杂务.md":     "# 杂务\n\n- [x] 甲：扫地\n- [ ] 乙：修门\n- [ ] 丙：买米\n",
		"manual.md": "---\ntitle: Pump Manual\nauthor: Q. Lindqvist\nversion: 7.1\n---\n\n# Pump Manual\n\n## Safety\n\nValve 3 is for emergencies only.\n\n## People\n\n| Role | Name | Phone |\n|---|---|---|\n| Fitter | Ole Brun | 555-0101 |\n\n## 7.1.0 - 2026-05-02\n\n### Fixed\n- Leaky seal\n\n## 7.0.0 - 2026-01-09\n\n### Added\n- Spare hose\n",
		"web.jsonl": `{"ts":"2026-08-03T10:00:00Z","level":"info","status":200,"bytes":10,"path":"/a","region":"eu","user_id":4}
{"ts":"2026-08-03T10:00:05Z","level":"error","status":503,"bytes":20,"path":"/a","region":"us","user_id":4}
{"ts":"2026-08-03T10:00:06Z","level":"info","status":200,"bytes":40,"path":"/b","region":"eu","user_id":5}
`,
	}
}

// TestFresh asks about them; every figure was counted by hand.
func TestFresh(t *testing.T) {
	for _, tt := range []struct {
		files, words string
		want         []string
	}{
		{"dock.log", "How many BeltExceptions?", []string{"**1 row**", "dock.log:2"}},
		{"dock.log", "IllegalStateException 出现了几次？", []string{"**1** 行", "dock.log:7"}},
		{"dock.log", "What exceptions occur and how often?", []string{"p.quay.BeltException: belt torn: **1**", "java.lang.IllegalStateException: no power: **1**"}},
		{"dock.log", "How many lines contain \"wire cut\"?", []string{"**1 row**", "dock.log:2"}},
		{"dock.log", "How many lines are in dock.log?", []string{"**11 lines**", "5 rows of data"}},
		{"dock.log", "日志有多少行？", []string{"**11** 行", "5 行"}},
		{"dock.log", "哪个线程的错误最多？", []string{"crane-2: **2**"}},
		{"dock.log", "How many slow tides?", []string{"**1 row**", "`slow`", "dock.log:6"}},
		{"dock.log", "How many slow tides took more than 5 seconds?", []string{"none of the rows meant has a value"}},
		{"dock.log", "How many slow lifts?", []string{"**0 rows**", "`slow`"}},
		{"dock.log", "What went wrong?", []string{"Errors (level ERROR or above): 2"}},
		{"bees.log", "How many errors?", []string{"**1 row**", "bees.log:2"}},
		{"bees.log", "有多少警告？", []string{"**1** 行", "bees.log:6"}},
		{"bees.log dock.log", "Which of the two logs has more errors?", []string{"dock.log 2, bees.log 1"}},
		{"dock.log bees.log", "What did bees.log show within 90 minutes of the first error in dock.log?", []string{"dock.log:2", "bees.log:2"}},
		{"fleet.log", "errors per container", []string{"south-1: **2**"}},
		{"fleet.log", "north-1 有多少条警告？", []string{"**1** 行", "fleet.log:4"}},
		{"茶馆.log", "每个服务各有多少条错误？", []string{"点心服务: **2**"}},
		{"茶馆.log", "点心服务有多少个错误？", []string{"**2** 行"}},
		{"茶馆.log", "调试和信息级别一共多少行？", []string{"**2** 行"}},

		{"bills.csv", "How many bills were issued before 5 February 2026?", []string{"**2 rows**"}},
		{"bills.csv", "How many bills were issued after 5 February 2026?", []string{"**1 row**", "bills.csv:5"}},
		{"bills.csv", "How many bills were issued since 5 February 2026?", []string{"**2 rows**"}},
		{"bills.csv", "Bills issued before February 2026: how many?", []string{"**2 rows**"}},
		{"bills.csv", "Net per month", []string{"2025-12: **100**", "2026-01: **-50**", "2026-02: **1010**"}},
		{"bills.csv", "Which guest is best by total?", []string{"Rye, Olaf: **1212**"}},
		{"bills.csv", "哪个 Guest 的 Total 最高？", []string{"Rye, Olaf: **1212**"}},
		{"bills.csv", "How many bills are there in total?", []string{"**4 rows**"}},
		{"bills.csv", "How many unpaid bills are there?", []string{"**2 rows**", "Paid = No"}},
		{"bills.csv", "How many bills have a negative net amount?", []string{"**1 row**", "bills.csv:3"}},
		{"bills.csv", "How many bills have a rebate of 15% or more?", []string{"**2 rows**", "Rebate >= 15"}},
		{"bills.csv", "How many bills were returned?", []string{"**1 row**", "State = returned"}},
		{"bills.csv", "How many bills were sent?", []string{"nothing in it mentions `sent`"}},
		{"bills.csv", "What was the second highest total?", []string{"€1,200.00", "€120.00"}},
		{"bills.csv", "State 为空的账单有几条？", []string{"**1** 行", "State 为空"}},
		{"bills.csv", "利润是多少？", []string{"没有与 `利润` 对应的列"}},
		{"bills.csv", "Average net per bill", []string{"**265**", "over 4 rows"}},
		{"laden.csv", "Total Erlös of Ulm", []string{"**1234.5**"}},
		{"laden.csv", "How many rows have negative Wachstum?", []string{"**1 row**", "laden.csv:2"}},

		{"账本.csv", "单价为 400 的有几条？", []string{"**2** 行", "= 400"}},
		{"账本.csv", "茶叶一共卖了多少？", []string{"**7**", "数量"}},
		{"账本.csv", "四月份茶叶的实付金额", []string{"**210**"}},
		{"账本.csv", "谁花的钱最多？", []string{"乙某: **950**"}},
		{"账本.csv", "甲某和乙某的平均实付金额分别是多少？", []string{"甲某: **230**", "乙某: **475**"}},
		{"账本.csv", "绩效为 A 的有多少？", []string{"**2** 行"}},
		{"账本.csv", "4月10日之后有多少行？", []string{"**1** 行", "账本.csv:5"}},
		{"账本.csv", "截至4月10日有多少行？", []string{"**3** 行"}},
		{"账本.csv", "下午2点到4点之间有多少行？", []string{"**2** 行"}},
		{"账本.csv", "最贵的一笔订单是多少钱？", []string{"**800.00**", "账本.csv:5"}},
		{"账本.csv", "实付金额第二高的客户是谁？", []string{"甲某: **460**"}},
		{"账本.csv", "预测下个月的销售额", []string{"做不了"}},
		{"账本.csv", "哪个客户最适合合作？", []string{"做不了"}},

		{"trips.csv", "How many trips depart between 6 and 9 pm?", []string{"**2 rows**"}},
		{"trips.csv", "How many trips depart from 1 to 3 pm?", []string{"**1 row**", "trips.csv:3"}},
		{"trips.csv", "How many trips were on time?", []string{"`on time`"}},
		{"trips.csv", "How many trips have no delay?", []string{"**2 rows**", "delay_min = 0"}},
		{"trips.csv", "How many trips were delayed by more than 30 minutes?", []string{"**1 row**", "trips.csv:4"}},
		{"trips.csv", "How many trips did not pass?", []string{"**2 rows**", "passed != yes"}},
		{"trips.csv", "How many trips on 3 May?", []string{"**1 row**"}},
		{"trips.csv", "Average delay below zero per line", []string{"No row of trips.csv"}},

		{"trips.csv", "How many trips took longer than one hour?", []string{"not clear which column > 1 is about"}},
		{"web.jsonl", "Requests bigger than the average", []string{"cannot answer"}},
		{"web.jsonl", "How many requests were successful?", []string{"**2 rows**", "status below 400"}},
		{"web.jsonl", "Which region has the highest error rate?", []string{"us: **100.0 %** [1 of 1 rows]"}},
		{"watch.csv", "How many warnings and errors?", []string{"**2 rows**", "level WARN OR ERROR"}},
		{"watch.csv", "有多少个错误？", []string{"**2** 行"}},
		{"watch.csv", "有几位女员工？", []string{"`女员工`"}},
		{"账本.csv", "甲某和乙某谁的实付金额更高？", []string{"乙某: **950**", "甲某: **460**"}},
		{"账本.csv", "有多少订单的数量超过2件？", []string{"**1** 行", "数量 > 2"}},
		{"账本.csv", "除了甲某，其他客户共有多少行？", []string{"**2** 行"}},

		{"catch.csv", "Which row has the largest weight?", []string{"is **31**", "catch.csv:6", "skipped=2"}},
		{"catch.csv", "What is the smallest weight?", []string{"is **8**", "catch.csv:7", "skipped=2"}},
		{"catch.csv", "Show the top 2 rows by weight", []string{"- catch.csv:6: boat=Ella landed=2026-06-08 weight=31\n- catch.csv:2:"}},
		{"catch.csv", "Maximum weight per boat", []string{"Ella: **31**", "Runa: **8**", "skipped=2"}},
		{"catch.csv", "What is the latest landed?", []string{"2026-06-08", "catch.csv:6"}},
		{"鱼获.csv", "哪一行重量最大？", []string{"**12**", "鱼获.csv:2"}},
		{"鱼获.csv", "每条船的重量总和", []string{"1. 甲: **21**", "乙: **无值**"}},
		{"catch.csv", "Compare April and May totals of weight", []string{"2026-04: **12**", "2026-05: **9**"}},
		{"catch.csv", "Compare April with May", []string{"not two parts of one"}},
		{"鱼获.csv", "比较4月和5月的重量", []string{"2026-04: **12**", "2026-05: **9**"}},
		{"鱼获.csv", "4月到5月增长了多少？", []string{"无法计算增减幅度"}},
		{"locks.log weir.log", "Which file has the most errors?", []string{"levels: ERROR 2\n", "levels: INFO 1, ERROR 1\n"}},
		{"door.log", "Which are the slowest requests?", []string{"- door.log:2:", "request_time=4.500 duration_ms=4500"}},
		{"door.log", "How many requests took longer than 2 seconds?", []string{"**1 row**", "door.log:2"}},
		{"码头.log", "吊装服务出了几次错？", []string{"**2** 行", "ERROR", "吊装服务"}},
		{"码头.log", "清单服务出错几次？", []string{"**1** 行", "码头.log:3"}},
		{"码头.log", "消息服务出了多少错？", []string{"没有出现 `消息服务`"}},

		{"chores.md", "Which tasks are still open?", []string{"**3 open tasks**", "chores.md:6", "Paint door"}},
		{"chores.md", "How many tasks are done?", []string{"**1 finished task**", "Mow lawn"}},
		{"chores.md", "Which open tasks does @ada have?", []string{"**2 open tasks**", "Prune roses"}},
		{"杂务.md", "还有几项任务没完成？", []string{"**2** 项未完成的任务", "修门"}},
		{"manual.md", "Who is the author of the manual?", []string{"Q. Lindqvist", "manual.md:3"}},
		{"manual.md", "Which valve is for emergencies?", []string{"Valve 3", "manual.md:11"}},
		{"manual.md", "What is the fitter's phone number?", []string{"555-0101", "manual.md:17"}},
		{"manual.md", "What was fixed in 7.1.0?", []string{"Leaky seal", "manual.md:22"}},
		{"manual.md", "7.0.0 新增了什么？", []string{"Spare hose"}},
		{"manual.md", "When was 7.0.0 released?", []string{"2026-01-09"}},
		{"manual.md", "How many lines does it have?", []string{"**27 lines**"}},

		{"web.jsonl", "各 region 的请求数", []string{"eu: **2**", "us: **1**"}},
		{"web.jsonl", "请求最多的前2个用户", []string{"4: **2**", "5: **1**"}},
		{"web.jsonl", "Status codes and their counts", []string{"200: **2**", "503: **1**"}},
		{"web.jsonl", "What share of the requests failed with 5xx?", []string{"33.3 % of 3 rows"}},
		{"web.jsonl", "Average bytes of 200 responses", []string{"**25**", "status = 200"}},
		{"web.jsonl", "Fix the bug in the gateway", []string{"I cannot do this"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			files := map[string]string{}
			for _, name := range strings.Fields(tt.files) {
				files[name] = fresh()[name]
			}
			has(t, newKit(t, files).team(tt.words).Text, tt.want...)
		})
	}
}
