package compiler_test

import (
	"testing"

	"github.com/akitad/akitad/internal/compiler"
)

// TestTwinOfNewcomers holds what the twin sees of steps in words, of limits on money, calls and tools, of pictures
// between the words, of orders to other agents and of texts that are brought along.
func TestTwinOfNewcomers(t *testing.T) {
	for _, tt := range []said{
		{text: "Count the 5xx responses in edge.log, use only read_file and grep, and stop after 10 tool calls.", is: ana, goal: "Count the 5xx responses in edge.log, use only read_file and grep, and stop after 10 tool calls", given: "edge.log", limits: "use only read_file and grep | stop after 10 tool calls", goals: 2},
		{text: "Do not split this up: read a.md, b.md and c.md and tell me which one contradicts the others.", is: act, goal: "Do not split this up: read a.md, b.md and c.md and tell me which one contradicts the others", given: "a.md | b.md | c.md", limits: "Do not split this up", goals: 2},
		{text: "You may spend at most 50 cents and five minutes on this: find the cheapest flight from BER to LIS in March.", is: act, goal: "You may spend at most 50 cents and five minutes on this: find the cheapest flight from BER to LIS in March", limits: "at most 50 cents and five minutes", goals: 1},
		{text: "Write me a limerick about Kubernetes 🎉 max five lines, no swearing 🙏", is: crea, goal: "Write me a limerick about Kubernetes 🎉 max five lines, no swearing 🙏", limits: "max five lines | no swearing", goals: 1},
		{text: "Here is my config:\n\nserver:\n  port: 8080\n  debug: yes\n\nWhy does it not start?", is: ques, goal: "Why does it not start?", goals: 1},
		{text: "Step 1: download data.zip. Step 2: unpack it. Step 3: count the CSV files in it.", is: act, goal: "download data.zip", given: "data.zip", goals: 3},
		{text: "Check notes.txt for typos, fix them in place and leave the tone alone", is: ana, goal: "Check notes.txt for typos, fix them in place and leave the tone alone", given: "notes.txt", limits: "leave the tone alone", goals: 2},
		{text: "Answer yes or no: is 97 prime?", is: ques, goal: "Answer yes or no: is 97 prime?", limits: "Answer yes or no", goals: 1},
		{text: "How would you translate \"Schadenfreude\"? One word only.", is: ques, goal: "How would you translate \"Schadenfreude\"?", given: "Schadenfreude", limits: "One word only", goals: 1},
		{text: "Ask the analyst to check q4.csv twice before the writer writes summary.md", is: ana, goal: "Ask the analyst to check q4.csv twice before the writer writes summary.md", given: "q4.csv", output: "writes summary.md", goals: 1},
		{text: "Summarise the thread below in one sentence.\n\nBob: can we ship Friday?\nAnn: no, QA needs two days.\nBob: ok, Tuesday then.", is: ana, goal: "Summarise the thread below in one sentence", given: "Bob: can we ship Friday?\nAnn: no, QA needs two days.\nBob: ok, Tuesday then.", limits: "in one sentence", goals: 2},
		{text: "delete every .DS_Store file, but show me the list first", is: act, goal: "delete every .DS_Store file, but show me the list first", limits: "show me the list first", goals: 2},
		{text: "最多花五毛钱、三分钟，帮我找出日志里最慢的接口", is: ana, goal: "最多花五毛钱、三分钟，帮我找出日志里最慢的接口", limits: "最多花五毛钱、三分钟", goals: 2},
		{text: "给李雷（lilei@example.cn）写封邮件：先祝贺他升职，再约下周吃饭，语气轻松些，别超过150字。", is: crea, goal: "给李雷（lilei@example.cn）写封邮件：先祝贺他升职，再约下周吃饭，语气轻松些，别超过150字", limits: "语气轻松些 | 别超过150字", goals: 1},
		{text: "第一步下载 data.zip，第二步解压，第三步统计里面有几个 csv 文件", is: act, goal: "下载 data.zip，第二步解压，第三步统计里面有几个 csv 文件", given: "data.zip", goals: 3},
		{text: "把 https://example.com/a/b?x=1&y=2 的正文存成 page.md", is: act, goal: "把 https://example.com/a/b?x=1&y=2 的正文存成 page.md", given: "https://example.com/a/b?x=1&y=2", output: "把 https://example.com/a/b?x=1&y=2 的正文存成 page.md", goals: 1},
		{text: "回答是或否：97 是质数吗？", is: ques, goal: "回答是或否：97 是质数吗？", limits: "回答是或否", goals: 1},
		{text: "帮我 review 一下 main.go，重点看并发问题，只提意见不要改代码", is: ana, goal: "review 一下 main.go，重点看并发问题，只提意见不要改代码", given: "main.go", limits: "只提意见不要改代码", goals: 1},
		{text: "把 README 翻成中文，保留代码块 and the table of contents", is: crea, goal: "把 README 翻成中文，保留代码块 and the table of contents", limits: "翻成中文 | 保留代码块 and the table of contents", output: "翻成中文", goals: 1},
		{text: "Schedule: 每天 18:00 汇总 orders.csv 并 email 给 boss@example.com", is: rem, goal: "每天 18:00 汇总 orders.csv 并 email 给 boss@example.com", given: "orders.csv", goals: 2},
		{text: "🙏🙏 能不能帮我把 photo.png 压缩到 200KB 以内？谢谢！", is: act, goal: "把 photo.png 压缩到 200KB 以内？", given: "photo.png", limits: "200KB 以内", goals: 1},
		{text: "write a bash one-liner that prints lines 10-20 of file.txt; POSIX sh only, no awk", is: crea, goal: "write a bash one-liner that prints lines 10-20 of file.txt", given: "file.txt", limits: "lines 10-20 | POSIX sh only | no awk", goals: 1},
		{text: "Can the operator restart redis and confirm it's up within two minutes?", is: act, goal: "Can the operator restart redis and confirm it's up within two minutes?", limits: "within two minutes", goals: 1},
		{text: "Merge jan.csv, feb.csv and mar.csv into q1.csv (header once), sorted by date, duplicates removed", is: act, goal: "Merge jan.csv, feb.csv and mar.csv into q1.csv (header once), sorted by date, duplicates removed", given: "jan.csv | feb.csv | mar.csv", limits: "sorted by date | duplicates removed", output: "Merge jan.csv, feb.csv and mar.csv into q1.csv", goals: 1},
		{text: "Have the writer turn findings.json into a one-page memo.docx, formal tone", is: act, goal: "Have the writer turn findings.json into a one-page memo.docx, formal tone", given: "findings.json", limits: "formal tone", output: "turn findings.json into a one-page memo.docx", goals: 1},
		{text: "Part 1: sort users.csv by age. Part 2: drop duplicates. Part 3: save it as clean.csv", is: act, goal: "sort users.csv by age", given: "users.csv", output: "save it as clean.csv", goals: 2},
		{text: "Please score the following essays from 1 to 5: essay1.txt, essay2.txt", is: ana, goal: "score the following essays from 1 to 5: essay1.txt, essay2.txt", given: "essay1.txt | essay2.txt", goals: 1},
		{text: "💡 idea: make the homepage darker", is: act, goal: "make the homepage darker", goals: 1},
		{text: "Keep column names as they are. Transpose matrix.csv.", is: act, goal: "Transpose matrix.csv", given: "matrix.csv", limits: "Keep column names as they are", goals: 1},
		{text: "No web search, no shell. Work out 15% of 2,480.", is: ana, goal: "Work out 15% of 2,480", limits: "No web search | no shell", goals: 1},
		{text: "Ask before you send anything: draft the newsletter for December", is: crea, goal: "Ask before you send anything: draft the newsletter for December", limits: "Ask before you send anything", goals: 1},
		{text: "Show me the plan first, then migrate users.db to Postgres", is: act, goal: "Show me the plan first, then migrate users.db to Postgres", given: "users.db", limits: "Show me the plan first", goals: 2},
		{text: "Tell me the first 3 rows of a.csv", is: act, goal: "Tell me the first 3 rows of a.csv", given: "a.csv", goals: 1},
		{text: "Show me first names only from a.csv", is: act, goal: "Show me first names only from a.csv", given: "a.csv", limits: "Show me first names only", goals: 1},
		{text: "Ask me first. Then delete old.log", is: act, goal: "delete old.log", given: "old.log", limits: "Ask me first", goals: 1},
		{text: "log in to https://intra.example.com and download the November payslip", is: act, goal: "log in to https://intra.example.com and download the November payslip", given: "https://intra.example.com", goals: 2},
		{text: "第1步：打开 a.txt；第2步：删掉空行；第3步：另存为 b.txt", is: act, goal: "打开 a.txt", given: "a.txt", output: "另存为 b.txt", goals: 2},
		{text: "预算两块钱，最多十轮，找一下本周下载量最高的插件", is: act, goal: "预算两块钱，最多十轮，找一下本周下载量最高的插件", limits: "预算两块钱 | 最多十轮", goals: 2},
		{text: "口吻要诚恳，给客户写封道歉信，一百字左右", is: crea, goal: "口吻要诚恳，给客户写封道歉信，一百字左右", limits: "口吻要诚恳 | 一百字左右", goals: 2},
		{text: "先给我看方案，再动手改 nginx.conf", is: act, goal: "先给我看方案，再动手改 nginx.conf", given: "nginx.conf", limits: "先给我看方案", goals: 1},
		{text: "logo.png 缩小到 50KB 以内，存成 logo-s.png，透明背景要保留", is: act, goal: "logo.png 缩小到 50KB 以内，存成 logo-s.png，透明背景要保留", given: "logo.png", limits: "50KB 以内 | 透明背景要保留", output: "存成 logo-s.png", goals: 1},
		{text: "Generate 5 strong passwords (16 chars, no ambiguous characters)", is: crea, goal: "Generate 5 strong passwords (16 chars, no ambiguous characters)", limits: "no ambiguous characters", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}
