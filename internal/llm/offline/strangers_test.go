package offline_test

import (
	"fmt"
	"strings"
	"testing"
)

// strangers are files of kinds that no other test has.
func strangers() map[string]string {
	var b strings.Builder
	for i := range 400 {
		svc := []string{"auth", "cart", "mail"}[i%3]
		lvl, msg := "info", "handled"
		if svc == "cart" && i > 200 && i < 330 {
			lvl, msg = "error", fmt.Sprintf("redis: connection refused (try %d)", i)
		}
		fmt.Fprintf(&b, `{"time":"2026-06-01T09:%02d:%02d+08:00","level":"%s","service":"%s","msg":"%s","latency":"%dms"}`+"\n", i/10, i%10*6, lvl, svc, msg, 10+i%50)
	}
	return map[string]string{
		"all.jsonl":        b.String(),
		"release-notes.md": "# Ops diary\n\nMonday was quiet.\n\n## 2026-06-01\n\nAt 09:18 we rolled out cart 3.4, which moved the cache to a new host.\nLunch at 12:30.\n",
		"日记.md":            "## 六月\n\n- 2026年6月1日 09:18 上线购物车 3.4：缓存迁移到新主机\n",
		"kiln.log":         "[2026/03/14 10:00:00.000 +0800] <INFO> (stoker) batch=7 took=450ms lit\n[2026/03/14 10:00:10.000 +0800] <ERROR> (glaze) batch=9 took=3s cracked\n[2026/03/14 10:00:20.000 +0800] <WARN> (stoker) relit\n[2026/03/14 10:00:40.000 +0800] <ERROR> (stoker) batch=9 took=1s cracked\n[2026/03/14 10:00:50.000 +0800] <DEBUG> (glaze) tray 4 idle\n",
		"窑.log":            "2026-02-02 10:00:10 [警告] 窑炉: 温度偏高\n2026-02-02 10:00:20 [信息] 窑炉: 正常\n2026-02-02 10:00:30 [错误] 窑炉: 熄火\n2026-02-02 10:00:40 [警告] 窑炉: 温度偏低\n2026-02-02 10:00:50 [致命] 窑炉: 停机\n",
		"gate.log":         "10.2.3.4 - - [07/Jun/2026:23:40:00 +0200] \"GET /a HTTP/1.1\" 200 10 \"-\" \"x\"\n10.2.3.5 - - [07/Jun/2026:23:40:01 +0200] \"POST /a HTTP/1.1\" 404 10 \"-\" \"x\"\n10.2.31.5 - - [07/Jun/2026:23:40:02 +0200] \"GET /b HTTP/1.1\" 500 10 \"-\" \"x\"\n",
		"gems.csv":         "gem,cut,weight,price,hue,mine\nG1,A,2,10,red,Lima\nG2,B,3,20,,Oslo\nG3,B,5,,blue,Kyiv\nG4,C,9,90,,Oslo\n",
		"void.log":         "",
		"t.txt":            "alpha beta\ngamma error delta\nerror again\n",
		"hr.csv":           "Employee Name,Dept.,Annual Salary,Start Date,Active\nAnn Lee,R&D,\"$85,000\",2019-04-01,yes\nBob Ray,Sales,\"$62,500\",2021-07-15,no\nCy Dow,R&D,\"$91,000\",2018-01-10,yes\nDi Fox,Ops,\"$58,000\",2022-11-30,yes\n",
		"syslog":           "May  4 10:00:01 web1 sshd[101]: Accepted publickey for deploy from 10.0.0.5 port 51000 ssh2\nMay  4 10:00:09 web1 sshd[102]: Failed password for root from 203.0.113.7 port 4242 ssh2\nMay  4 10:00:12 web1 sshd[102]: Failed password for root from 203.0.113.7 port 4242 ssh2\nMay  4 10:01:00 web1 CRON[110]: (root) CMD (run-parts)\nMay  4 10:02:00 web1 kernel: Out of memory: Killed process 77 (java)\n",
	}
}

// TestStrangers asks about files and in ways that no other test does.
func TestStrangers(t *testing.T) {
	for _, tt := range []struct {
		files, words string
		want         []string
	}{
		{"all.jsonl release-notes.md", "Which services failed, when, why and what changed before?", []string{
			"**1 of 3 in all.jsonl failed: cart (43 errors, first all.jsonl:203).**",
			"At 09:18 we rolled out cart 3.4, which moved the cache to a new host. (release-notes.md:7)", "2 min 12 s after the change", "`redis: connection refused (try <n>)`, 43 times",
		}},
		{"all.jsonl 日记.md", "哪个服务出了故障？之前有什么变更？", []string{"cart（43 个错误", "缓存迁移到新主机 (日记.md:3)", "2 分 12 秒"}},
		{"all.jsonl", "errors per service", []string{"cart: **43**"}},
		{"all.jsonl", "which service is slowest on average?", []string{"cart: **34.56**"}},
		{"t.txt", "How many lines contain error?", []string{"**2 rows**", "t.txt:2", "t.txt:3"}},
		{"hr.csv", "Who earns the most?", []string{"**$91,000**", "Cy Dow", "hr.csv:4"}},
		{"hr.csv", "average salary by department", []string{"R&D: **88000**", "Ops: **58000**"}},
		{"hr.csv", "How many employees are active?", []string{"**3**", "Active = yes"}},
		{"hr.csv", "Who started before 2020?", []string{"**2 rows**", "hr.csv:2", "hr.csv:4"}},
		{"hr.csv", "total salary of R&D", []string{"**176000**"}},
		{"hr.csv", "What is Ann Lee's salary?", []string{"**1 row**", "$85,000"}},
		{"hr.csv", "list employee names and salaries", []string{"Employee_Name=Di Fox Annual_Salary=$58,000"}},
		{"hr.csv", "2019年入职的有谁？", []string{"**1** 行", "Ann Lee"}},
		{"syslog", "How many failed passwords?", []string{"**2 rows**", "syslog:2"}},
		{"syslog", "count lines per process", []string{"sshd: **3**"}},
		{"syslog", "Was anything killed?", []string{"**1 row**", "syslog:5"}},
		{"syslog", "show sshd lines between 10:00:05 and 10:00:10", []string{"**1 row**", "syslog:2"}},
		{"sales.csv", "Which products sold fewer than 5 units in total?", []string{"Desk: **4**", "1 group"}},
		{"sales.csv", "Which regions have more than 2 orders?", []string{"North: **4**", "South: **3**", "2 groups"}},
		{"sales.csv", "What percentage of orders is paid?", []string{"**7 rows**", "70.0 % of 10 rows"}},
		{"sales.csv", "monthly revenue", []string{"2026-01: **419.5**", "2026-02: **524**", "2026-03: **390.25**"}},
		{"sales.csv", "sort the orders by date descending", []string{"- sales.csv:11: id=10"}},
		{"sales.csv", "list unique regions", []string{"4 groups", "West: **1**"}},
		{"sales.csv", "各地区的销售额占比", []string{"North: **719.75**", "54.0 %"}},
		{"sales.csv", "哪个月的销售额最高？", []string{"2026-02: **524**"}},
		{"relay.log", "what's the error rate?", []string{"30.0 % of 20 rows"}},
		{"relay.log", "Show me what w-3 did", []string{"**5 rows**", "thread = w-3"}},
		{"relay.log", "磁盘使用率最高到多少？", []string{"无法从 relay.log 回答"}},
		{"relay.log", "What time period does the log cover?", []string{"relay.log:1", "relay.log:20"}},
		{"access.log", "average response time of /login", []string{"**1876.67**", "path = /login"}},
		{"access.log", "How many unique visitors are there?", []string{"**3**"}},
		{"access.log", "5xx 错误有多少？", []string{"**2** 行"}},
		{"kiln.log", "How many lines are not INFO?", []string{"**4 rows**", "level not INFO"}},
		{"kiln.log", "How many lines are neither INFO nor DEBUG?", []string{"**3 rows**"}},
		{"kiln.log", "How many lines mention relit or idle?", []string{"**2 rows**", "`relit` or `idle`"}},
		{"kiln.log", "How many lines contain \"tray\" or \"lit\"?", []string{"**3 rows**"}},
		{"kiln.log", "Count WARN or ERROR lines", []string{"**3 rows**", "level WARN OR ERROR", "ERROR 2, WARN 1"}},
		{"kiln.log", "How many errors before 02:00:30 UTC?", []string{"**1 row**", "before 02:00:30Z"}},
		{"kiln.log", "How many errors before 11:00:30 +0900?", []string{"**1 row**"}},
		{"kiln.log", "How many errors after 10:00 CET?", []string{"I cannot answer this", "`10:00 cet`"}},
		{"kiln.log", "How many ERROR lines per service?", []string{"glaze: **1**", "stoker: **1**"}},
		{"kiln.log", "Average took per batch", []string{"7: **450**", "9: **2000**"}},
		{"kiln.log", "Which batch had the most errors?", []string{"9: **2**"}},
		{"kiln.log", "Which tray had the most errors?", []string{"no column for `tray`"}},
		{"kiln.log", "How many errors on Venus?", []string{"nothing in it mentions `venus`", "could not be applied", "2 rows meet the rest"}},
		{"kiln.log", "When did the kiln explode?", []string{"nothing in it mentions `explode`"}},
		{"kiln.log", "Show line 3 of kiln.log", []string{"kiln.log:3:", "relit"}},
		{"窑.log", "有多少警告？", []string{"**2** 行"}},
		{"窑.log", "第一个错误是什么时候？", []string{"窑.log:3", "10:00:30"}},
		{"窑.log", "不是信息的有多少行？", []string{"**4** 行"}},
		{"gate.log", "How many GET requests to /a?", []string{"**1 row**", "method = GET"}},
		{"gate.log", "How many requests came from 10.2.3.*?", []string{"**2 rows**", "beginning with 10.2.3."}},
		{"gate.log", "How many requests came from 10.2.0.0/16?", []string{"**3 rows**"}},
		{"gate.log", "How many requests returned 404 or 500?", []string{"**2 rows**", "status = 404 or 500"}},
		{"gems.csv", "How many gems of cut B have a weight below 4?", []string{"**1 row**", "cut = b"}},
		{"gems.csv", "How many gems have no hue?", []string{"**2 rows**", "hue empty"}},
		{"gems.csv", "How many gems are not from Lima?", []string{"**3 rows**", "mine != lima"}},
		{"gems.csv", "How many gems are from Lima or Oslo?", []string{"**3 rows**", "mine = lima or oslo"}},
		{"gems.csv", "Sum of weight times price", []string{"weight*price", "**890**", "over 3 rows"}},
		{"gems.csv", "总价值（weight 乘 price）是多少？", []string{"weight*price", "**890**"}},
		{"gems.csv", "Minimum and maximum price", []string{"**10**", "**90**"}},
		{"gems.csv", "Median of the price", []string{"over 3 rows"}},
		{"void.log", "How many lines are in void.log?", []string{"**0 rows**"}},
		{"syslog", "Extract all IP addresses", []string{"203.0.113.7: **2**", "10.0.0.5: **1**"}},
		{"syslog", "count lines per program", []string{"sshd: **3**"}},
		{"old.csv new.csv", "Which ids are only in one of old.csv and new.csv?", []string{"in old.csv but not in new.csv", "in new.csv but not in old.csv"}},
		{"kiln.log", "Extract batch from the ERROR lines into out.csv", []string{"batch=9", "out.csv"}},
		{"people.csv", "工资在9000到13000之间的有谁？", []string{"**3** 行", "people.csv:7"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			files := only(strings.Fields(tt.files)...)
			for name := range files {
				if text, ok := strangers()[name]; ok {
					files[name] = text
				}
			}
			has(t, newKit(t, files).team(tt.words).Text, tt.want...)
		})
	}
}
