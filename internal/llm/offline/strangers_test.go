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
		{"all.jsonl release-notes.md", "Which services failed, when, why and what changed before?", []string{"**1 of 3 in all.jsonl failed: cart (43 errors, first all.jsonl:203).**",
			"At 09:18 we rolled out cart 3.4, which moved the cache to a new host. (release-notes.md:7)", "2 min 12 s after the change", "`redis: connection refused (try <n>)`, 43 times"}},
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
		{"sales.csv", "Which products sold fewer than 5 units in total?", []string{"Desk: **4**", "1 groups"}},
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
