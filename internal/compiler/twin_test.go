package compiler_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/llm"
)

// said is one message and what the twin must make of it; lists are joined by " | ".
type said struct {
	text   string
	is     akitad.TaskType
	goal   string
	given  string
	lacks  string
	limits string
	output string
	goals  int
}

func check(t *testing.T, in compiler.Input, want said) {
	t.Helper()
	spec, report := compiler.Twin(in)
	join := func(l []string) string { return strings.Join(l, " | ") }
	for _, f := range []struct{ name, got, want string }{
		{"task_type", string(spec.TaskType), string(want.is)},
		{"goal", spec.Goal, want.goal},
		{"given", join(spec.Inputs.Given), want.given},
		{"missing", join(spec.Inputs.Missing), want.lacks},
		{"constraints", join(spec.Constraints), want.limits},
		{"output", join(spec.OutputRequirements), want.output},
	} {
		if f.got != f.want {
			t.Errorf("%q: %s\ngot  %q\nwant %q", want.text, f.name, f.got, f.want)
		}
	}
	if report.Goals != want.goals {
		t.Errorf("%q: %d goals, want %d", want.text, report.Goals, want.goals)
	}
}

const (
	ques = akitad.Question
	act  = akitad.Action
	crea = akitad.Creation
	ana  = akitad.Analysis
	rem  = akitad.Reminder
	oth  = akitad.Other
)

// TestLongText holds that only the beginning of a long text is read.
func TestLongText(t *testing.T) {
	spec, _ := compiler.Twin(compiler.Input{Text: "Count the lines of first.log. " + strings.Repeat("word ", 3000) + " Also read last.log."})
	if got := spec.Inputs.Given; !slices.Contains(got, "first.log") || slices.Contains(got, "last.log") {
		t.Errorf("given: %q", got)
	}
}

func TestTwinEnglish(t *testing.T) {
	for _, tt := range []said{
		{text: "What is the capital of France?", is: ques, goal: "What is the capital of France?", goals: 1},
		{text: "How many legs does a spider have", is: ques, goal: "How many legs does a spider have", goals: 1},
		{text: "Can you tell me who wrote Dune?", is: ques, goal: "tell me who wrote Dune?", goals: 1},
		{text: "Is it going to rain tomorrow?", is: ques, goal: "Is it going to rain tomorrow?", goals: 1},
		{text: "Hi! Why is the sky blue? Answer in one sentence.", is: ques, goal: "Why is the sky blue?", limits: "in one sentence", goals: 1},
		{text: "Which services failed, when, why, how often, and what changed before? Write the report to report.md.", is: ques, goal: "Which services failed, when, why, how often, and what changed before?", output: "Write the report to report.md", goals: 5},
		{text: "Please analyze access.log and list the top 5 IP addresses.", is: ana, goal: "analyze access.log and list the top 5 IP addresses", given: "access.log", goals: 2},
		{text: "Summarize this article.", is: ana, goal: "Summarize this article", lacks: "this article is not here", goals: 1},
		{text: "Compare q1.csv and q2.csv, and save the result as diff.md.", is: ana, goal: "Compare q1.csv and q2.csv, and save the result as diff.md", given: "q1.csv | q2.csv", output: "save the result as diff.md", goals: 1},
		{text: "Count the errors in server.log between 10:00 and 11:00.", is: ana, goal: "Count the errors in server.log between 10:00 and 11:00", given: "server.log", limits: "between 10:00 and 11:00", goals: 1},
		{text: "Find out why the build is slow, but do not change anything.", is: ana, goal: "Find out why the build is slow, but do not change anything", limits: "do not change anything", goals: 1},
		{text: "Write a haiku about autumn.", is: crea, goal: "Write a haiku about autumn", goals: 1},
		{text: "Write a product description in under 100 words, in Chinese, without exclamation marks.", is: crea, goal: "Write a product description in under 100 words, in Chinese, without exclamation marks", limits: "in under 100 words | in Chinese | without exclamation marks", output: "in Chinese", goals: 1},
		{text: "Translate \"good morning, everyone\" into Japanese.", is: crea, goal: "Translate \"good morning, everyone\" into Japanese", given: "good morning, everyone", limits: "into Japanese", output: "into Japanese", goals: 1},
		{text: "Translate to French: the cat sleeps on the sofa", is: crea, goal: "Translate to French: the cat sleeps on the sofa", given: "the cat sleeps on the sofa", limits: "to French", output: "to French", goals: 1},
		{text: "Could you draft an email to the landlord? Keep it short and polite.", is: crea, goal: "draft an email to the landlord?", limits: "Keep it short and polite", goals: 1},
		{text: "Create a table of the planets with their diameters as JSON.", is: crea, goal: "Create a table of the planets with their diameters as JSON", output: "as JSON", goals: 1},
		{text: "Build a CLI in Go that renames photos. It must run on Windows. Don't use cgo.", is: crea, goal: "Build a CLI in Go that renames photos", limits: "It must run on Windows | Don't use cgo", goals: 1},
		{text: "Delete all temporary files in the build folder.", is: act, goal: "Delete all temporary files in the build folder", goals: 1},
		{text: "Run the tests and then fix what fails.", is: act, goal: "Run the tests and then fix what fails", goals: 2},
		{text: "Send the report to Anna before Friday.", is: act, goal: "Send the report to Anna before Friday", limits: "before Friday", goals: 1},
		{text: "@akita restart the staging server, please", is: act, goal: "restart the staging server, please", goals: 1},
		{text: "I want you to convert data.csv to data.json.", is: act, goal: "convert data.csv to data.json", given: "data.csv", output: "convert data.csv to data.json", goals: 1},
		{text: "Remember that my sister's birthday is on 4 May.", is: act, goal: "Remember that my sister's birthday is on 4 May", goals: 1},
		{text: "Remind me to call the dentist tomorrow at 9.", is: rem, goal: "Remind me to call the dentist tomorrow at 9", goals: 1},
		{text: "remind me to water the plants", is: rem, goal: "remind me to water the plants", lacks: "when to remind", goals: 1},
		{text: "Every Monday send me a summary of open issues.", is: rem, goal: "Every Monday send me a summary of open issues", goals: 1},
		{text: "Set an alarm for 6:30 am", is: rem, goal: "Set an alarm for 6:30 am", goals: 1},
		{text: "What reminders do I have?", is: ques, goal: "What reminders do I have?", goals: 1},
		{text: "Hello there!", is: oth, goal: "Hello there"},
		{text: "Thanks, that was helpful.", is: oth, goal: "that was helpful"},
		{text: "I prefer tea.", is: oth, goal: "I prefer tea"},
		{text: "I have three logs from last night. Which of them shows the first failure?", is: ques, goal: "Which of them shows the first failure?", goals: 1},
		{text: "Explain recursion to a beginner step by step, with examples.", is: ques, goal: "Explain recursion to a beginner step by step, with examples", limits: "step by step", output: "with examples", goals: 1},
		{text: "Read https://example.com/news and summarise it in 3 bullet points.", is: act, goal: "Read https://example.com/news and summarise it in 3 bullet points", given: "https://example.com/news", limits: "in 3 bullet points", goals: 2},
		{text: "What does the attached spreadsheet say about March?", is: ques, goal: "What does the attached spreadsheet say about March?", lacks: "the attached spreadsheet is not here", goals: 1},
		{text: "Fix this function.", is: act, goal: "Fix this function", lacks: "this function is not here", goals: 1},
		{text: "Fix this function:\n```go\nfunc f() { panic(1) }\n```", is: act, goal: "Fix this function", given: "func f() { panic(1) }", goals: 1},
		{text: "Only use the data from sales.csv. What was the best month?", is: ana, goal: "What was the best month?", given: "sales.csv", limits: "Only use the data from sales.csv", goals: 1},
		{text: "Show the 10 slowest requests in nginx/access.log as a table sorted by duration.", is: act, goal: "Show the 10 slowest requests in nginx/access.log as a table sorted by duration", given: "nginx/access.log", output: "as a table sorted by duration", goals: 1},
		{text: "Answer with at most two sentences: what is a monad?", is: ques, goal: "Answer with at most two sentences: what is a monad?", limits: "with at most two sentences", goals: 1},
		{text: "List the files, rename the largest to big.bin and delete the rest.", is: act, goal: "List the files, rename the largest to big.bin and delete the rest", goals: 3},
		{text: "Make a web page with Node.js and Vue.js for a bakery, no more than 3 pages.", is: crea, goal: "Make a web page with Node.js and Vue.js for a bakery, no more than 3 pages", limits: "no more than 3 pages", goals: 1},
		{text: "The answer should be in English and should cite the sources with line numbers. Why did payments stop?", is: ques, goal: "Why did payments stop?", limits: "The answer should be in English and should cite the sources with line numbers", output: "in English | cite the sources with line numbers", goals: 1},
		{text: "Generate a changelog from git history and write it to CHANGELOG.md, excluding merge commits.", is: crea, goal: "Generate a changelog from git history and write it to CHANGELOG.md, excluding merge commits", limits: "excluding merge commits", output: "write it to CHANGELOG.md", goals: 1},
		{text: "Good morning team, what changed between v1.2 and v1.3?", is: ques, goal: "what changed between v1.2 and v1.3?", goals: 1},
		{text: "do it again", is: act, goal: "do it again", goals: 1},
		{text: "", is: oth, goal: "find out what is wanted"},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

func TestTwinChinese(t *testing.T) {
	for _, tt := range []said{
		{text: "你能做什么？", is: ques, goal: "你能做什么？", goals: 1},
		{text: "您可以做什么？", is: ques, goal: "您可以做什么？", goals: 1},
		{text: "你能帮我做什么？", is: ques, goal: "你能帮我做什么？", goals: 1},
		{text: "你好，你会做些什么？", is: ques, goal: "你会做些什么？", goals: 1},
		{text: "你能处理哪些文件？", is: ques, goal: "你能处理哪些文件？", goals: 1},
		{text: "法国的首都是哪里？", is: ques, goal: "法国的首都是哪里？", goals: 1},
		{text: "光速是多少", is: ques, goal: "光速是多少", goals: 1},
		{text: "你好，为什么天空是蓝色的？请用一句话回答。", is: ques, goal: "为什么天空是蓝色的？", limits: "用一句话", goals: 1},
		{text: "请问明天会下雨吗？", is: ques, goal: "明天会下雨吗？", goals: 1},
		{text: "哪些服务出了故障，什么时候，为什么，多少次，之前改了什么？把报告写到 report.md。", is: ques, goal: "哪些服务出了故障，什么时候，为什么，多少次，之前改了什么？", output: "把报告写到 report.md", goals: 4},
		{text: "请分析 access.log，列出访问最多的五个 IP。", is: ana, goal: "分析 access.log，列出访问最多的五个 IP", given: "access.log", goals: 2},
		{text: "总结这篇文章", is: ana, goal: "总结这篇文章", lacks: "没有收到：这篇文章", goals: 1},
		{text: "帮我对比一下q1.csv和q2.csv，结果保存到diff.md", is: ana, goal: "对比一下q1.csv和q2.csv，结果保存到diff.md", given: "q1.csv | q2.csv", output: "结果保存到diff.md", goals: 1},
		{text: "统计server.log里十点到十一点有多少个错误", is: ana, goal: "统计server.log里十点到十一点有多少个错误", given: "server.log", goals: 1},
		{text: "查一下构建为什么这么慢，不要改动任何文件", is: ques, goal: "查一下构建为什么这么慢，不要改动任何文件", limits: "不要改动任何文件", goals: 1},
		{text: "写一首关于秋天的诗", is: crea, goal: "写一首关于秋天的诗", goals: 1},
		{text: "用英文写一段产品介绍，不超过100个单词，不要用感叹号。", is: crea, goal: "用英文写一段产品介绍，不超过100个单词，不要用感叹号", limits: "用英文写 | 不超过100个单词 | 不要用感叹号", output: "用英文写", goals: 1},
		{text: "把“大家早上好”翻译成日语", is: crea, goal: "把“大家早上好”翻译成日语", given: "大家早上好", limits: "翻译成日语", output: "翻译成日语", goals: 1},
		{text: "翻译成英文：猫在沙发上睡觉", is: crea, goal: "翻译成英文：猫在沙发上睡觉", given: "猫在沙发上睡觉", limits: "翻译成英文", output: "翻译成英文", goals: 1},
		{text: "麻烦你给房东起草一封邮件，语气礼貌一些", is: crea, goal: "给房东起草一封邮件，语气礼貌一些", limits: "语气礼貌一些", goals: 1},
		{text: "把八大行星的直径整理成表格", is: crea, goal: "把八大行星的直径整理成表格", output: "整理成表格", goals: 1},
		{text: "用 Go 实现一个批量重命名照片的工具，必须能在 Windows 上运行，不得使用 cgo", is: crea, goal: "用 Go 实现一个批量重命名照片的工具，必须能在 Windows 上运行，不得使用 cgo", limits: "必须能在 Windows 上运行 | 不得使用 cgo", goals: 1},
		{text: "删除 build 目录下的所有临时文件", is: act, goal: "删除 build 目录下的所有临时文件", goals: 1},
		{text: "先运行测试，然后修复失败的用例", is: act, goal: "先运行测试，然后修复失败的用例", goals: 2},
		{text: "周五之前把报告发给安娜", is: act, goal: "周五之前把报告发给安娜", limits: "周五之前", goals: 1},
		{text: "@akita 重启一下测试服务器", is: act, goal: "重启一下测试服务器", goals: 1},
		{text: "请把 data.csv 转成 data.json", is: act, goal: "把 data.csv 转成 data.json", given: "data.csv", output: "把 data.csv 转成 data.json", goals: 1},
		{text: "记住我妹妹的生日是五月四日", is: act, goal: "记住我妹妹的生日是五月四日", goals: 1},
		{text: "明天早上九点提醒我给牙医打电话", is: rem, goal: "明天早上九点提醒我给牙医打电话", goals: 1},
		{text: "提醒我浇花", is: rem, goal: "提醒我浇花", lacks: "提醒的时间", goals: 1},
		{text: "每周一给我发一份未关闭问题的汇总", is: rem, goal: "每周一给我发一份未关闭问题的汇总", goals: 1},
		{text: "定一个早上六点半的闹钟", is: rem, goal: "定一个早上六点半的闹钟", goals: 1},
		{text: "我有哪些提醒？", is: ques, goal: "我有哪些提醒？", goals: 1},
		{text: "你好！", is: oth, goal: "你好"},
		{text: "谢谢，很有帮助。", is: oth, goal: "很有帮助"},
		{text: "我喜欢喝茶。", is: oth, goal: "我喜欢喝茶"},
		{text: "昨晚有三份日志。哪一份最先出现故障？", is: ques, goal: "哪一份最先出现故障？", goals: 1},
		{text: "给初学者解释一下递归，要通俗易懂，附上例子", is: ques, goal: "给初学者解释一下递归，要通俗易懂，附上例子", limits: "要通俗易懂", output: "附上例子", goals: 1},
		{text: "阅读 https://example.com/news 并总结成三个要点", is: ana, goal: "阅读 https://example.com/news 并总结成三个要点", given: "https://example.com/news", goals: 2},
		{text: "附件里的表格三月份的数据怎么样？", is: ques, goal: "附件里的表格三月份的数据怎么样？", lacks: "没有收到：附件里的表格", goals: 1},
		{text: "修复这个函数", is: act, goal: "修复这个函数", lacks: "没有收到：这个函数", goals: 1},
		{text: "修复这个函数：\n```go\nfunc f() { panic(1) }\n```", is: act, goal: "修复这个函数", given: "func f() { panic(1) }", goals: 1},
		{text: "只用 sales.csv 里的数据。哪个月销量最好？", is: ana, goal: "哪个月销量最好？", given: "sales.csv", limits: "只用 sales.csv 里的数据", goals: 1},
		{text: "以表格形式列出最慢的十个请求", is: act, goal: "以表格形式列出最慢的十个请求", output: "以表格形式列出", goals: 1},
		{text: "列出目录里的文件，把最大的重命名，再删除其余的", is: act, goal: "列出目录里的文件，把最大的重命名，再删除其余的", goals: 3},
		{text: "分析销售数据.csv，写一份报告，控制在500字以内，并注明数据来源", is: ana, goal: "分析销售数据.csv，写一份报告，控制在500字以内，并注明数据来源", given: "销售数据.csv", limits: "控制在500字以内", output: "注明数据来源", goals: 2},
		{text: "根据 git 历史生成更新日志，写入 CHANGELOG.md，不包括合并提交", is: crea, goal: "根据 git 历史生成更新日志，写入 CHANGELOG.md，不包括合并提交", limits: "不包括合并提交", output: "写入 CHANGELOG.md", goals: 1},
		{text: "早上好，v1.2 和 v1.3 之间改了什么？", is: ques, goal: "v1.2 和 v1.3 之间改了什么？", goals: 1},
		{text: "能不能帮我把这段代码改写成 Python？", is: crea, goal: "把这段代码改写成 Python？", lacks: "没有收到：这段代码", goals: 1},
		{text: "仅返回 JSON 格式，不要解释", is: oth, goal: "仅返回 JSON 格式，不要解释", limits: "仅返回 JSON 格式 | 不要解释", output: "返回 JSON 格式", goals: 0},
		{text: "北京今天的天气怎么样", is: ques, goal: "北京今天的天气怎么样", goals: 1},
		{text: "继续", is: act, goal: "继续", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text, Lang: "zh"}, tt)
	}
}

func TestTwinSeesWhatIsThere(t *testing.T) {
	files := []akitad.File{{Name: "in/app.log", Size: 10}, {Name: "deploy.md", Size: 20}}
	spec, report := compiler.Twin(compiler.Input{Text: "What do these files say? See app.log first.", Files: files})
	if got := strings.Join(spec.Inputs.Given, " "); got != "in/app.log deploy.md" || report.Files != 2 {
		t.Errorf("given %s, %d files", got, report.Files)
	}
	if spec.TaskType != akitad.Analysis || len(spec.Inputs.Missing) > 0 {
		t.Errorf("a question about files: %s, missing %v", spec.TaskType, spec.Inputs.Missing)
	}
	spec, _ = compiler.Twin(compiler.Input{Text: "Summarize this article", Earlier: []llm.BriefTurn{{Said: "x"}}})
	if len(spec.Inputs.Missing) > 0 {
		t.Errorf("missing in a conversation: %v", spec.Inputs.Missing)
	}
	spec, _ = compiler.Twin(compiler.Input{Text: "", Files: files, Lang: "zh"})
	if spec.Goal != "查看发来的文件" {
		t.Errorf("files alone: %q", spec.Goal)
	}
}
