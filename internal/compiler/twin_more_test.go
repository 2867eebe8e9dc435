package compiler_test

import (
	"testing"

	"github.com/akitad/akitad/internal/compiler"
)

// TestTwinOfStrangers holds what the twin sees in messages with several goals, files, limits, dates and
// things that are forbidden.
func TestTwinOfStrangers(t *testing.T) {
	for _, tt := range []said{
		{text: "Go through orders.csv and refunds.csv, work out the net revenue per month, and put the result in revenue.xlsx by Thursday 5pm; leave test accounts out.", is: ana, goal: "Go through orders.csv and refunds.csv, work out the net revenue per month, and put the result in revenue.xlsx by Thursday 5pm", given: "orders.csv | refunds.csv", limits: "by Thursday 5pm | leave test accounts out", output: "put the result in revenue.xlsx", goals: 2},
		{text: "Which three customers churned last quarter? Use crm.db only. Do not include names. Max 150 words.", is: ana, goal: "Which three customers churned last quarter?", given: "crm.db", limits: "Use crm.db only | Do not include names | Max 150 words", goals: 2},
		{text: "Rename every *.jpeg in photos/ to lower case, then zip them into album.zip. Don't touch anything under photos/raw.", is: act, goal: "Rename every *.jpeg in photos/ to lower case, then zip them into album.zip", given: "*.jpeg", limits: "Don't touch anything under photos/raw", output: "zip them into album.zip", goals: 2},
		{text: "I need a Python script that reads data/in.json, drops rows older than 30 days, and writes data/out.json. No third-party packages. Must finish within 2 minutes.", is: crea, goal: "I need a Python script that reads data/in.json, drops rows older than 30 days, and writes data/out.json", given: "data/in.json", limits: "No third-party packages | Must finish within 2 minutes", output: "writes data/out.json", goals: 1},
		{text: "Translate the following into German, formal tone: \"We regret to inform you that the event is cancelled.\"", is: crea, goal: "Translate the following into German, formal tone: \"We regret to inform you that the event is cancelled.\"", given: "We regret to inform you that the event is cancelled.", limits: "into German | formal tone", output: "into German", goals: 1},
		{text: "Tell me the difference between TCP and UDP in at most 5 lines, with one example each.", is: ques, goal: "Tell me the difference between TCP and UDP in at most 5 lines, with one example each", limits: "in at most 5 lines", output: "with one example each", goals: 1},
		{text: "Find all NOTE comments in src/ that mention \"timeout\", group them by file, and skip vendor/ and *_test.go.", is: act, goal: "Find all NOTE comments in src/ that mention \"timeout\", group them by file, and skip vendor/ and *_test.go", given: "timeout", limits: "skip vendor/ and *_test.go", goals: 1},
		{text: "Plan a 3-day trip to Kyoto for two adults under $900, vegetarian food, no museums, and give me a day-by-day table.", is: crea, goal: "Plan a 3-day trip to Kyoto for two adults under $900, vegetarian food, no museums, and give me a day-by-day table", limits: "under $900 | no museums", goals: 2},
		{text: "Summarise report.pdf (pages 3-7 only) in Spanish for a non-technical manager.", is: ana, goal: "Summarise report.pdf (pages 3-7 only) in Spanish for a non-technical manager", given: "report.pdf", limits: "pages 3-7 only | in Spanish | for a non-technical manager", output: "in Spanish", goals: 1},
		{text: "First back up config.yaml to config.bak, second set log_level to debug, third restart the service; stop if the backup fails.", is: act, goal: "back up config.yaml to config.bak, second set log_level to debug, third restart the service", given: "config.yaml", limits: "stop if the backup fails", output: "back up config.yaml to config.bak", goals: 4},
		{text: "Please don't answer in English. What is a mutex?", is: ques, goal: "What is a mutex?", limits: "don't answer in English", goals: 1},
		{text: "Write unit tests for parser.go, at least 10 cases, covering empty input; don't modify parser.go itself.", is: crea, goal: "Write unit tests for parser.go, at least 10 cases, covering empty input", given: "parser.go", limits: "at least 10 cases | don't modify parser.go itself", goals: 1},
		{text: "The build is red again!!! fix it ASAP but don't force-push.", is: act, goal: "fix it ASAP but don't force-push", limits: "ASAP | don't force-push", goals: 1},
		{text: "No more than two sentences: explain DNS.", is: ques, goal: "No more than two sentences: explain DNS", limits: "No more than two sentences", goals: 1},
		{text: "Without using any library, implement an LRU cache in Rust. It should be O(1) and thread safe.", is: crea, goal: "Without using any library, implement an LRU cache in Rust", limits: "Without using any library | It should be O(1) and thread safe", goals: 2},
		{text: "Count how many times ERROR and WARN occur per hour in /var/log/app.log and app.log.1, and draw a chart.", is: ana, goal: "Count how many times ERROR and WARN occur per hour in /var/log/app.log and app.log.1, and draw a chart", given: "/var/log/app.log | app.log.1", goals: 2},
		{text: "Make two versions of the slogan \"Fresh bread, every day\": one playful, one formal; neither longer than 8 words.", is: crea, goal: "Make two versions of the slogan \"Fresh bread, every day\": one playful, one formal", given: "Fresh bread, every day", limits: "neither longer than 8 words", goals: 1},
		{text: "Using only the standard library, write a Go program that tails a file. If the file is missing, it should wait instead of exiting.", is: crea, goal: "Using only the standard library, write a Go program that tails a file", limits: "Using only the standard library | If the file is missing, it should wait instead of exiting", goals: 2},
		{text: "Book a table for 4 on Saturday at 19:00, not later than 19:30, anywhere except Luigi's, budget below 40 EUR per person.", is: act, goal: "Book a table for 4 on Saturday at 19:00, not later than 19:30, anywhere except Luigi's, budget below 40 EUR per person", limits: "not later than 19:30 | except Luigi's | below 40 EUR per person", goals: 1},
		{text: "Before you change anything, make a copy of settings.toml. Then raise the timeout from 30 to 60 seconds.", is: crea, goal: "Before you change anything, make a copy of settings.toml", given: "settings.toml", limits: "Before you change anything, make a copy of settings.toml", goals: 3},
		{text: "Don't summarise; translate word for word: “无功不受禄”", is: crea, goal: "translate word for word: “无功不受禄”", given: "无功不受禄", limits: "Don't summarise | word for word", goals: 1},
		{text: "Tidy up ~/Downloads: images to Pictures, PDFs to Docs, leave everything else alone.", is: act, goal: "Tidy up ~/Downloads: images to Pictures, PDFs to Docs, leave everything else alone", limits: "leave everything else alone", goals: 1},
		{text: "What would happen if I delete node_modules?", is: ques, goal: "What would happen if I delete node_modules?", goals: 1},
		{text: "I must submit the essay by 2026-12-05. Please proofread essay.docx, fix typos only, and keep my wording.", is: crea, goal: "proofread essay.docx, fix typos only, and keep my wording", given: "essay.docx", limits: "I must submit the essay by 2026-12-05 | fix typos only | keep my wording", goals: 2},
		{text: "Unless the tests pass, do not merge branch feature/x; if they pass, merge it and tag v1.4.0.", is: act, goal: "Unless the tests pass, do not merge branch feature/x", limits: "Unless the tests pass | do not merge branch feature/x", goals: 3},
		{text: "Merge a.pdf and b.pdf into all.pdf, b first.", is: act, goal: "Merge a.pdf and b.pdf into all.pdf, b first", given: "a.pdf | b.pdf", limits: "b first", output: "Merge a.pdf and b.pdf into all.pdf", goals: 1},
		{text: "Either fix the flaky test or delete it, but ask me before deleting anything.", is: act, goal: "fix the flaky test or delete it, but ask me before deleting anything", limits: "ask me before deleting anything", goals: 1},
		{text: "In no more than 100 words and without formulas, explain how a transformer works to a lawyer.", is: ques, goal: "In no more than 100 words and without formulas, explain how a transformer works to a lawyer", limits: "In no more than 100 words | without formulas", goals: 1},
		{text: "Look through tickets.json and tell me the three most common complaints; anonymise customers and stay under one page.", is: ana, goal: "Look through tickets.json and tell me the three most common complaints", given: "tickets.json", limits: "anonymise customers and | under one page", goals: 2},
		{text: "Rewrite config.ini as YAML but keep the comments, and do it without touching the original.", is: crea, goal: "Rewrite config.ini as YAML but keep the comments, and do it without touching the original", given: "config.ini", limits: "keep the comments | without touching the original", output: "as YAML", goals: 1},
		{text: "Who is on call this week and how do I reach them?", is: ques, goal: "Who is on call this week and how do I reach them?", goals: 2},
		{text: "Measure the p95 latency from access.log for /api/v1 only, excluding health checks, and plot it per hour.", is: ana, goal: "Measure the p95 latency from access.log for /api/v1 only, excluding health checks, and plot it per hour", given: "access.log", limits: "from access.log for /api/v1 only | excluding health checks", goals: 1},
		{text: "Write three subject lines (max 45 characters each) for our spring sale; avoid the word 'cheap'.", is: crea, goal: "Write three subject lines (max 45 characters each) for our spring sale", limits: "max 45 characters each | avoid the word 'cheap'", goals: 1},
		{text: "Split names.csv into one file per country under out/, and skip rows with an empty country.", is: act, goal: "Split names.csv into one file per country under out/, and skip rows with an empty country", given: "names.csv", limits: "skip rows with an empty country", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text, Lang: "en"}, tt)
	}
}

func TestTwinOfChineseStrangers(t *testing.T) {
	for _, tt := range []said{
		{text: "把 orders.csv 和 refunds.csv 合在一起算出每个月的净收入，周四下午五点前放到 revenue.xlsx，测试账号不算在内。", is: ana, goal: "把 orders.csv 和 refunds.csv 合在一起算出每个月的净收入，周四下午五点前放到 revenue.xlsx，测试账号不算在内", given: "orders.csv | refunds.csv", limits: "周四下午五点前 | 测试账号不算在内", output: "周四下午五点前放到 revenue.xlsx", goals: 1},
		{text: "上个季度流失的前三名客户是谁？只能用 crm.db，不要写名字，150字以内。", is: ana, goal: "上个季度流失的前三名客户是谁？", given: "crm.db", limits: "只能用 crm.db | 不要写名字 | 150字以内", goals: 1},
		{text: "先备份 config.yaml，再把 log_level 改成 debug，最后重启服务；如果备份失败就停下来。", is: act, goal: "先备份 config.yaml，再把 log_level 改成 debug，最后重启服务", given: "config.yaml", limits: "如果备份失败就停下来", goals: 4},
		{text: "帮我给“物流太慢”这条投诉写个回复：先道歉，再给九折优惠，别承诺具体日期，不超过120字。", is: crea, goal: "给“物流太慢”这条投诉写个回复：先道歉，再给九折优惠，别承诺具体日期，不超过120字", given: "物流太慢", limits: "别承诺具体日期 | 不超过120字", goals: 1},
		{text: "写一个 Python 脚本，读取 data/in.json，删掉30天前的记录，写到 data/out.json，不能用第三方库，两分钟内要跑完。", is: crea, goal: "写一个 Python 脚本，读取 data/in.json，删掉30天前的记录，写到 data/out.json，不能用第三方库，两分钟内要跑完", given: "data/in.json", limits: "不能用第三方库 | 两分钟内", output: "写到 data/out.json", goals: 3},
		{text: "用不超过五行说明 TCP 和 UDP 的区别，各举一个例子。", is: ques, goal: "用不超过五行说明 TCP 和 UDP 的区别，各举一个例子", limits: "不超过五行", output: "举一个例子", goals: 1},
		{text: "读一下 会议纪要.md，提取待办事项，写明负责人和截止日期，做成CSV表格，中午之前发给 team@example.com。", is: act, goal: "读一下 会议纪要.md，提取待办事项，写明负责人和截止日期，做成CSV表格，中午之前发给 team@example.com", given: "会议纪要.md", limits: "中午之前", output: "写明负责人和截止日期 | 做成CSV", goals: 4},
		{text: "14:05 的部署为什么失败？看 deploy.log 和 api.log 里 14:00 到 14:10 的内容，引用原文，不许猜。", is: ana, goal: "14:05 的部署为什么失败？", given: "deploy.log | api.log", limits: "14:00 到 14:10 | 不许猜", output: "引用原文", goals: 2},
		{text: "找出 src/ 里所有提到“超时”的 NOTE，按文件分组，跳过 vendor/ 和 *_test.go。", is: ana, goal: "找出 src/ 里所有提到“超时”的 NOTE，按文件分组，跳过 vendor/ 和 *_test.go", given: "超时", limits: "按文件分组 | 跳过 vendor/ 和 *_test.go", goals: 1},
		{text: "给两个大人做一份京都三日游计划，预算六千元以内，吃素，不去博物馆，用表格按天列出。", is: crea, goal: "给两个大人做一份京都三日游计划，预算六千元以内，吃素，不去博物馆，用表格按天列出", limits: "预算六千元以内 | 不去博物馆", output: "用表格", goals: 2},
		{text: "构建又挂了！！！赶紧修好，但别强推。", is: act, goal: "修好，但别强推", limits: "别强推", goals: 1},
		{text: "不用任何库，用 Rust 实现一个 LRU 缓存，要求 O(1) 且线程安全。", is: crea, goal: "不用任何库，用 Rust 实现一个 LRU 缓存，要求 O(1) 且线程安全", limits: "不用任何库 | 要求 O(1) 且线程安全", goals: 2},
		{text: "看看这两张截图有什么不同", is: ques, goal: "看看这两张截图有什么不同", lacks: "没有收到：这两张截图", goals: 1},
		{text: "给 parser.go 写单元测试，至少10个用例，覆盖空输入，不要改 parser.go 本身。", is: crea, goal: "给 parser.go 写单元测试，至少10个用例，覆盖空输入，不要改 parser.go 本身", given: "parser.go", limits: "至少10个用例 | 覆盖空输入 | 不要改 parser.go 本身", goals: 1},
		{text: "我想要一份三季度的数据概览，只用 q3.csv 的数字，精确到千，周五下班前以 PDF 形式给我。", is: act, goal: "我想要一份三季度的数据概览，只用 q3.csv 的数字，精确到千，周五下班前以 PDF 形式给我", given: "q3.csv", limits: "只用 q3.csv 的数字 | 精确到千 | 周五下班前", output: "以 PDF 形式", goals: 1},
		{text: "告诉我明天几点开会，顺便把会议室改到 302。", is: ques, goal: "告诉我明天几点开会，顺便把会议室改到 302", goals: 2},
		{text: "把这段话改到80字以内，不要用行话：\n我们的平台赋能各行各业，打通上下游全链路，形成业务闭环，持续沉淀核心竞争力。", is: act, goal: "把这段话改到80字以内，不要用行话", given: "我们的平台赋能各行各业，打通上下游全链路，形成业务闭环，持续沉淀核心竞争力。", limits: "80字以内 | 不要用行话", goals: 1},
		{text: "给“新鲜面包，每天供应”写两版广告语，一版俏皮，一版正式，都不能超过八个字。", is: crea, goal: "给“新鲜面包，每天供应”写两版广告语，一版俏皮，一版正式，都不能超过八个字", given: "新鲜面包，每天供应", limits: "正式 | 都不能超过八个字", goals: 1},
		{text: "只用标准库写一个 Go 程序，实时读取文件的新内容；文件不存在时要等待而不是退出。", is: crea, goal: "只用标准库写一个 Go 程序，实时读取文件的新内容", limits: "只用标准库写一个 Go 程序 | 文件不存在时要等待而不是退出", goals: 2},
		{text: "帮我订周六晚上七点四个人的位子，最晚七点半，除了老王饭店都行，人均不超过200元。", is: act, goal: "订周六晚上七点四个人的位子，最晚七点半，除了老王饭店都行，人均不超过200元", limits: "最晚七点半 | 除了老王饭店都行 | 人均不超过200元", goals: 1},
		{text: "计算 data.csv 里 price 列的平均值和中位数，负数不算，保留两位小数。", is: ana, goal: "计算 data.csv 里 price 列的平均值和中位数，负数不算，保留两位小数", given: "data.csv", limits: "负数不算 | 保留两位小数", goals: 1},
		{text: "测试没通过就不要合并 feature/x；通过了就合并并打上 v1.4.0 标签。", is: act, goal: "测试没通过就不要合并 feature/x", limits: "测试没通过就不要合并 feature/x", goals: 2},
		{text: "写一首关于垃圾回收的打油诗，不能出现“堆”和“栈”。", is: crea, goal: "写一首关于垃圾回收的打油诗，不能出现“堆”和“栈”", given: "堆 | 栈", limits: "不能出现“堆”和“栈”", goals: 1},
		{text: "告诉安娜我要晚到十分钟", is: act, goal: "告诉安娜我要晚到十分钟", goals: 1},
		{text: "论文 2026-12-05 之前必须交，请校对 essay.docx，只改错别字，保留我的措辞。", is: crea, goal: "论文 2026-12-05 之前必须交，请校对 essay.docx，只改错别字，保留我的措辞", given: "essay.docx", limits: "论文 2026-12-05 之前必须交 | 只改错别字 | 保留我的措辞", goals: 2},
		{text: "把 a.pdf 和 b.pdf 合并成 all.pdf，b 在前。", is: act, goal: "把 a.pdf 和 b.pdf 合并成 all.pdf，b 在前", given: "a.pdf | b.pdf", output: "把 a.pdf 和 b.pdf 合并成 all.pdf", goals: 1},
		{text: "如果删掉 node_modules 会怎么样？", is: ques, goal: "如果删掉 node_modules 会怎么样？", goals: 1},
		{text: "整理下载目录：图片放到 Pictures，PDF 放到 Docs，其他的别动。", is: act, goal: "整理下载目录：图片放到 Pictures，PDF 放到 Docs，其他的别动", limits: "其他的别动", goals: 1},
		{text: "用一百字以内、不带公式，向律师解释变压器的工作原理。", is: ques, goal: "用一百字以内、不带公式，向律师解释变压器的工作原理", limits: "一百字以内 | 不带公式", goals: 2},
		{text: "周一上午九点前把 slides.pptx 转成 PDF 讲义，每页两张，不要演讲备注。", is: act, goal: "周一上午九点前把 slides.pptx 转成 PDF 讲义，每页两张，不要演讲备注", given: "slides.pptx", limits: "周一上午九点前 | 不要演讲备注", output: "转成 PDF", goals: 1},
		{text: "看一遍 tickets.json，说出最常见的三类投诉；客户信息要匿名，不超过一页。", is: act, goal: "看一遍 tickets.json，说出最常见的三类投诉", given: "tickets.json", limits: "客户信息要匿名 | 不超过一页", goals: 1},
		{text: "把 config.ini 改写成 YAML，注释要保留，原文件别碰。", is: crea, goal: "把 config.ini 改写成 YAML，注释要保留，原文件别碰", given: "config.ini", limits: "注释要保留 | 原文件别碰", output: "写成 YAML", goals: 1},
		{text: "这周谁值班，怎么联系？", is: ques, goal: "这周谁值班，怎么联系？", goals: 2},
		{text: "只统计 access.log 里 /api/v1 的 p95 延迟，健康检查除外，按小时画图。", is: ana, goal: "只统计 access.log 里 /api/v1 的 p95 延迟，健康检查除外，按小时画图", given: "access.log", limits: "只统计 access.log 里 /api/v1 的 p95 延迟 | 健康检查除外", goals: 2},
		{text: "给春季促销写三个邮件标题，每个最多15个字，避免出现“便宜”。", is: crea, goal: "给春季促销写三个邮件标题，每个最多15个字，避免出现“便宜”", given: "便宜", limits: "每个最多15个字 | 避免出现“便宜”", goals: 1},
		{text: "余额超过1000元的话给马克斯转200欧元。", is: act, goal: "余额超过1000元的话给马克斯转200欧元", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text, Lang: "zh"}, tt)
	}
}

// TestTwinOfTimesAndTeams holds orders for later, for other profiles and within a budget; several in one
// line; what is excluded, quoted, or a spec already.
func TestTwinOfTimesAndTeams(t *testing.T) {
	for _, tt := range []said{
		{text: "At 17:00 on Fridays, export the timesheet to hours.csv.", is: rem, goal: "At 17:00 on Fridays, export the timesheet to hours.csv", output: "export the timesheet to hours.csv", goals: 1},
		{text: "Tomorrow morning summarize my unread mail.", is: rem, goal: "Tomorrow morning summarize my unread mail", goals: 1},
		{text: "Starting next Monday, check the disk every 2 hours until Friday.", is: rem, goal: "Starting next Monday, check the disk every 2 hours until Friday", limits: "until Friday", goals: 2},
		{text: "At 17:00 the server crashed. Why?", is: ques, goal: "Why?", goals: 1},
		{text: "On Monday we released v2.", is: oth, goal: "On Monday we released v2"},
		{text: "Deploy the site tonight after 22:00, not before.", is: act, goal: "Deploy the site tonight after 22:00, not before", limits: "after 22:00", goals: 1},
		{text: "Finish the report by 5pm on 3 December and keep it under 2 pages.", is: act, goal: "Finish the report by 5pm on 3 December and keep it under 2 pages", limits: "by 5pm on 3 December | keep it under 2 pages", goals: 1},
		{text: "You have $5 and 10 minutes: find the cheapest flight from Oslo to Rome.", is: act, goal: "You have $5 and 10 minutes: find the cheapest flight from Oslo to Rome", limits: "You have $5 and 10 minutes", goals: 1},
		{text: "Spend at most 50,000 tokens on this: compare the three vendors.", is: ana, goal: "Spend at most 50,000 tokens on this: compare the three vendors", limits: "at most 50,000 tokens", goals: 1},
		{text: "Budget: 200 EUR. Deadline: Friday. Plan a birthday party for 12 people.", is: crea, goal: "Plan a birthday party for 12 people", limits: "Budget: 200 EUR | Deadline: Friday", goals: 1},
		{text: "Use the researcher profile to find out who owns example.com.", is: ana, goal: "Use the researcher profile to find out who owns example.com", goals: 1},
		{text: "Let the writer agent draft a press release, then have the operator publish it.", is: crea, goal: "Let the writer agent draft a press release, then have the operator publish it", goals: 2},
		{text: "Don't touch main.go, but refactor everything else in cmd/.", is: act, goal: "Don't touch main.go, but refactor everything else in cmd/", limits: "Don't touch main.go", goals: 2},
		{text: "1. Read input.csv 2. drop duplicates 3. write output.csv", is: act, goal: "Read input.csv", given: "input.csv", output: "write output.csv", goals: 3},
		{text: "Translate 'The cat's toy isn't here' into German.", is: crea, goal: "Translate 'The cat's toy isn't here' into German", given: "The cat's toy isn't here", limits: "into German", output: "into German", goals: 1},
		{text: "My boss wrote: \"Please send the numbers by noon\". Draft a polite answer.", is: crea, goal: "Draft a polite answer", given: "Please send the numbers by noon", goals: 1},
		{text: "goal: summarize\ninput: notes.md\nmax: 100 words", is: ana, goal: "summarize", given: "notes.md", limits: "max: 100 words", goals: 1},
		{text: "task_type: analysis\ngoal: count errors: all of them\nconstraints:\n\t- no network\n", is: ana, goal: "count errors: all of them", limits: "no network", goals: 1},
		{text: "```yaml\ntask_type：action\ngoal：“rename a.txt to b.txt”\n```", is: act, goal: "rename a.txt to b.txt", goals: 1},
		{text: "I don't want a summary, I want the full text of chapter 3.", is: act, goal: "I don't want a summary, I want the full text of chapter 3", limits: "I don't want a summary", goals: 1},
		{text: "asap: restart nginx!!!", is: act, goal: "restart nginx", limits: "asap", goals: 1},
		{text: "Give me JSON with keys name, age for: Bob is 5, Ann is 7.", is: act, goal: "Give me JSON with keys name, age for: Bob is 5, Ann is 7", output: "Give me JSON", goals: 1},
		{text: "下周一开始，每两小时检查一次磁盘，直到周五。", is: rem, goal: "下周一开始，每两小时检查一次磁盘，直到周五", goals: 2},
		{text: "统计 app.log，每两小时的错误数", is: ana, goal: "统计 app.log，每两小时的错误数", given: "app.log", goals: 1},
		{text: "每月一号把数据库备份到 backup.tar.gz", is: rem, goal: "每月一号把数据库备份到 backup.tar.gz", output: "每月一号把数据库备份到 backup.tar.gz", goals: 1},
		{text: "周五下班前完成报告，不超过两页，预算五百元。", is: act, goal: "周五下班前完成报告，不超过两页，预算五百元", limits: "周五下班前完成 | 不超过两页 | 预算五百元", goals: 1},
		{text: "最多花 5 美元、10 分钟，帮我找从北京到罗马最便宜的机票", is: act, goal: "最多花 5 美元、10 分钟，帮我找从北京到罗马最便宜的机票", limits: "最多花 5 美元、10 分钟", goals: 2},
		{text: "不要动 main.go，其他 cmd/ 下的代码都重构一下", is: act, goal: "不要动 main.go，其他 cmd/ 下的代码都重构一下", limits: "不要动 main.go", goals: 1},
		{text: "重构是什么意思？", is: ques, goal: "重构是什么意思？", goals: 1},
		{text: "别删任何东西，整理一下下载文件夹", is: act, goal: "别删任何东西，整理一下下载文件夹", limits: "别删任何东西", goals: 2},
		{text: "不联网的情况下告诉我 HTTP 418 是什么意思", is: ques, goal: "不联网的情况下告诉我 HTTP 418 是什么意思", limits: "不联网的情况下", goals: 1},
		{text: "把所有 .jpeg 文件改名为 .jpg，logo.jpeg 除外", is: act, goal: "把所有 .jpeg 文件改名为 .jpg，logo.jpeg 除外", limits: "logo.jpeg 除外", goals: 1},
		{text: "一、读取 input.csv 二、去重 三、写入 output.csv", is: act, goal: "读取 input.csv", given: "input.csv", output: "写入 output.csv", goals: 2},
		{text: "老板说：“中午前把数字发我”。帮我写一个礼貌的回复", is: crea, goal: "写一个礼貌的回复", given: "中午前把数字发我", limits: "礼貌", goals: 1},
		{text: "任务：分析日志\n文件：app.log\n要求：不超过200字，用表格", is: ana, goal: "分析日志", given: "app.log", limits: "要求：不超过200字", output: "用表格", goals: 1},
		{text: "summarize 一下这个 PDF，不要超过 100 words", is: ana, goal: "summarize 一下这个 PDF，不要超过 100 words", lacks: "没有收到：这个 PDF", limits: "不要超过 100 words", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}
