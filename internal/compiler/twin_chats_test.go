package compiler_test

import (
	"testing"

	"github.com/akitad/akitad/internal/compiler"
)

// TestTwinChatsEnglish holds messages as people type them in chats: short forms, asides, and what is said of others.
func TestTwinChatsEnglish(t *testing.T) {
	for _, tt := range []said{
		{text: "Write a 150-word bio for my LinkedIn. First person, no buzzwords, mention that I'm open to relocation.", is: crea, goal: "Write a 150-word bio for my LinkedIn", limits: "First person | no buzzwords", goals: 2},
		{text: "Whats the diff between a debit and a credit note, explain like im 5", is: ques, goal: "Whats the diff between a debit and a credit note, explain like im 5", limits: "like im 5", goals: 1},
		{text: "Tighten the wording on slides 4-7, leave the charts alone, and keep it under 12 slides total. Need it by Wed 10am.", is: act, goal: "Tighten the wording on slides 4-7, leave the charts alone, and keep it under 12 slides total", limits: "leave the charts alone | keep it under 12 slides total | by Wed 10am", goals: 1},
		{text: "Add a retry to client.go", is: act, goal: "Add a retry to client.go", given: "client.go", goals: 1},
		{text: "Look for a laptop for someone who only uses 2 GB of data and mostly writes emails. Budget 600 euros, no Chromebooks.", is: act, goal: "Look for a laptop for someone who only uses 2 GB of data and mostly writes emails", limits: "Budget 600 euros | no Chromebooks", goals: 1},
		{text: "Translate the attached menu to Polish and German, keep the prices in złoty, pdf please", is: crea, goal: "Translate the attached menu to Polish and German, keep the prices in złoty, pdf please", lacks: "the attached menu is not here", limits: "to Polish and German | keep the prices in złoty", output: "to Polish and German | pdf", goals: 1},
		{text: "summarise this thread for my manager in 5 bullets max, she has no technical background:\n\nTom: the cert expired at 02:10 and nobody noticed until the pager went off\nAna: renewed, rolling out now", is: ana, goal: "summarise this thread for my manager in 5 bullets max, she has no technical background", given: "Tom: the cert expired at 02:10 and nobody noticed until the pager went off\nAna: renewed, rolling out now", limits: "in 5 bullets max", goals: 1},
		{text: "Book a table for 6 on Saturday around 7:30, somewhere in the old town, outdoor seating if possible, not more than 40 a head", is: act, goal: "Book a table for 6 on Saturday around 7:30, somewhere in the old town, outdoor seating if possible, not more than 40 a head", limits: "outdoor seating if possible | not more than 40 a head", goals: 1},
		{text: "Whenever the disk on db-2 goes over 90% tell me in this channel, max one message per hour", is: rem, goal: "Whenever the disk on db-2 goes over 90% tell me in this channel, max one message per hour", limits: "max one message per hour", goals: 1},
		{text: "Fix the typo on the pricing page (it says 'anual') and deploy, but wait for Mia's ok before you deploy", is: act, goal: "Fix the typo on the pricing page (it says 'anual') and deploy, but wait for Mia's ok before you deploy", limits: "wait for Mia's ok before you deploy", goals: 2},
		{text: "no need to book anything yet, just tell me what a weekend in Porto would cost for two people in may, flights from Zurich included", is: ques, goal: "no need to book anything yet, just tell me what a weekend in Porto would cost for two people in may, flights from Zurich included", limits: "no need to book anything yet | flights from Zurich included", goals: 2},
		{text: "Turn my notes.md into a one-page PDF handout with big headings. Audience: 10th graders, so no jargon. Save as handout.pdf", is: act, goal: "Turn my notes.md into a one-page PDF handout with big headings", given: "notes.md", limits: "Audience: 10th graders | no jargon", output: "Save as handout.pdf | with big headings", goals: 2},
		{text: "Add the totals row to report.xlsx and save it as report2.xlsx", is: act, goal: "Add the totals row to report.xlsx and save it as report2.xlsx", given: "report.xlsx", output: "save it as report2.xlsx", goals: 1},
		{text: "Write a script that only deletes .tmp files", is: crea, goal: "Write a script that only deletes .tmp files", limits: "only deletes .tmp files", goals: 1},
		{text: "When the build finishes, tell me", is: rem, goal: "When the build finishes, tell me", goals: 2},
		{text: "Extract every email address from contacts.txt into emails.csv. One per row, lowercase, no duplicates.", is: ana, goal: "Extract every email address from contacts.txt into emails.csv", given: "contacts.txt", limits: "One per row | no duplicates", output: "into emails.csv", goals: 1},
		{text: "My boss keeps saying we should never use spreadsheets. How do I convince him that a small one is fine?", is: ques, goal: "How do I convince him that a small one is fine?", goals: 1},
		{text: "if the tests pass merge the branch, otherwise open an issue with the log attached", is: act, goal: "if the tests pass merge the branch, otherwise open an issue with the log attached", goals: 1},
		{text: "In 20 minutes ping me to move the car", is: rem, goal: "In 20 minutes ping me to move the car", goals: 1},
		{text: "Make the invoice template look less cluttered. Don't change the logo or the footer, I like those.", is: act, goal: "Make the invoice template look less cluttered", limits: "Don't change the logo or the footer", goals: 1},
		{text: "We agreed on 'no meetings on Wednesdays'. Find every recurring Wednesday meeting in calendar.ics and suggest a new slot, mornings preferred.", is: act, goal: "Find every recurring Wednesday meeting in calendar.ics and suggest a new slot, mornings preferred", given: "calendar.ics | no meetings on Wednesdays", limits: "mornings preferred", goals: 1},
		{text: "hi, quick one - how many vacation days do I have left this year? no need for the breakdown", is: ques, goal: "how many vacation days do I have left this year?", limits: "no need for the breakdown", goals: 1},
		{text: "Please go through inbox.mbox and flag anything from the tax office. Nothing older than 2022.", is: ana, goal: "go through inbox.mbox and flag anything from the tax office", given: "inbox.mbox", limits: "Nothing older than 2022", goals: 1},
		{text: "write a unit test for parse_date in utils/dates.py, pytest only, no mocks", is: crea, goal: "write a unit test for parse_date in utils/dates.py, pytest only, no mocks", given: "utils/dates.py", limits: "pytest only | no mocks", goals: 1},
		{text: "Can you make the heading font on our landing page bigger? Like 20% bigger, and keep everything else the same.", is: act, goal: "make the heading font on our landing page bigger?", limits: "keep everything else the same", goals: 1},
		{text: "Put together a packing list for a week of skiing, family of four, carry-on only. Group it by person.", is: crea, goal: "Put together a packing list for a week of skiing, family of four, carry-on only", limits: "carry-on only | Group it by person", goals: 1},
		{text: "I'm writing a thank you card for my neighbour who watered my plants. Two sentences, warm, don't mention the dead ficus.", is: crea, goal: "I'm writing a thank you card for my neighbour who watered my plants", limits: "Two sentences | warm | don't mention the dead ficus", goals: 1},
		{text: "Find the function that computes shipping cost and explain it line by line, like I'm new to Go", is: act, goal: "Find the function that computes shipping cost and explain it line by line, like I'm new to Go", limits: "line by line | like I'm new to Go", goals: 1},
		{text: "why's the app so slow on android but not on ios", is: ques, goal: "why's the app so slow on android but not on ios", goals: 1},
		{text: "Order the same groceries as last week minus the oat milk, deliver Friday between 18:00 and 20:00", is: act, goal: "Order the same groceries as last week minus the oat milk, deliver Friday between 18:00 and 20:00", limits: "minus the oat milk | between 18:00 and 20:00", goals: 1},
		{text: "Use the numbers in q2.xlsx, not q2_old.xlsx, and tell me the three regions with the biggest drop", is: act, goal: "Use the numbers in q2.xlsx, not q2_old.xlsx, and tell me the three regions with the biggest drop", given: "q2.xlsx", limits: "not q2_old.xlsx", goals: 2},
		{text: "When the war ended, tell me what happened next", is: ques, goal: "When the war ended, tell me what happened next", goals: 2},
		{text: "Read data.csv. Sort the rows by date. Save everything as sorted.csv.", is: act, goal: "Read data.csv", given: "data.csv", output: "Save everything as sorted.csv", goals: 2},
		{text: "json, yaml and toml: what's the difference?", is: ques, goal: "json, yaml and toml: what's the difference?", goals: 1},
		{text: "I'm writing a thesis about bees. Can you check my outline?", is: ana, goal: "check my outline?", goals: 1},
		{text: "Which tests run on linux but not on windows?", is: ques, goal: "Which tests run on linux but not on windows?", goals: 1},
		{text: "Design a simple logo for a bike shop, two colors max, no text, svg only please", is: crea, goal: "Design a simple logo for a bike shop, two colors max, no text, svg only please", limits: "two colors max | no text | svg only", goals: 1},
		{text: "Every first Monday of the month, email me the open invoices. Nothing under 50 euros.", is: rem, goal: "Every first Monday of the month, email me the open invoices", limits: "Nothing under 50 euros", goals: 2},
		{text: "Give feedback on this paragraph, be blunt: The results was significant and it show that our method is more better than other.", is: ana, goal: "Give feedback on this paragraph, be blunt: The results was significant and it show that our method is more better than other", given: "The results was significant and it show that our method is more better than other.", limits: "be blunt", goals: 1},
		{text: "Convert 2,500 USD to EUR using today's rate, two decimals", is: act, goal: "Convert 2,500 USD to EUR using today's rate, two decimals", limits: "two decimals", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

// TestTwinChatsChinese holds the same of Chinese ones.
func TestTwinChatsChinese(t *testing.T) {
	for _, tt := range []said{
		{text: "所有人都要加班，太累了，有什么办法跟老板谈谈吗", is: ques, goal: "所有人都要加班，太累了，有什么办法跟老板谈谈吗", goals: 1},
		{text: "帮我看下这个报错 NullPointerException at UserService.java:88，昨天还好好的，别改数据库", is: ana, goal: "看下这个报错 NullPointerException at UserService.java:88，昨天还好好的，别改数据库", given: "UserService.java", limits: "别改数据库", goals: 1},
		{text: "明早 7 点半叫我起床，周末除外", is: rem, goal: "明早 7 点半叫我起床，周末除外", limits: "周末除外", goals: 1},
		{text: "给我妈写段生日祝福，温馨一点，50字左右，别用网络用语", is: crea, goal: "给我妈写段生日祝福，温馨一点，50字左右，别用网络用语", limits: "温馨一点 | 50字左右 | 别用网络用语", goals: 1},
		{text: "下周三之前把季度总结ppt做完，我先写了前 5 页在 Q3总结.pptx 里，你接着写，风格保持一致，不要超过 20 页", is: act, goal: "下周三之前把季度总结ppt做完，我先写了前 5 页在 Q3总结.pptx 里，你接着写，风格保持一致，不要超过 20 页", given: "Q3总结.pptx", limits: "下周三之前 | 风格保持一致 | 不要超过 20 页", goals: 2},
		{text: "在吗？想请你帮忙把群公告翻成英文，要口语一点，别太官方：本周六停车场清洗，请提前挪车。", is: crea, goal: "把群公告翻成英文，要口语一点，别太官方：本周六停车场清洗，请提前挪车", given: "本周六停车场清洗，请提前挪车。", limits: "翻成英文 | 要口语一点 | 别太官方", output: "翻成英文", goals: 1},
		{text: "我老公说不要买二手车，你觉得呢？预算8万，平时就接送孩子", is: ques, goal: "我老公说不要买二手车，你觉得呢？", limits: "预算8万", goals: 1},
		{text: "把附件里的合同逐条过一遍，有风险的条款标红，不用改措辞，周四下班前给我", is: act, goal: "把附件里的合同逐条过一遍，有风险的条款标红，不用改措辞，周四下班前给我", lacks: "没有收到：附件里的合同", limits: "不用改措辞 | 周四下班前给我", goals: 2},
		{text: "用 python 写个爬虫，抓取豆瓣 top250，存成 movies.csv，要带 utf-8 bom，请求间隔不低于 2 秒，不要用 scrapy", is: crea, goal: "用 python 写个爬虫，抓取豆瓣 top250，存成 movies.csv，要带 utf-8 bom，请求间隔不低于 2 秒，不要用 scrapy", limits: "要带 utf-8 bom | 请求间隔不低于 2 秒 | 不要用 scrapy", output: "存成 movies.csv", goals: 1},
		{text: "老师让孩子交一篇 400 字作文《我的周末》，帮他列个提纲就行，别直接写全文", is: crea, goal: "老师让孩子交一篇 400 字作文《我的周末》，帮他列个提纲就行，别直接写全文", given: "我的周末", limits: "别直接写全文", goals: 2},
		{text: "会议纪要.docx 太长了，精简到一页，决议和负责人一定要保留，其余的可以删", is: act, goal: "会议纪要.docx 太长了，精简到一页，决议和负责人一定要保留，其余的可以删", given: "会议纪要.docx", limits: "精简到一页 | 决议和负责人一定要保留", goals: 2},
		{text: "别发邮件，直接在群里 @王磊 问他接口文档什么时候好", is: act, goal: "别发邮件，直接在群里 @王磊 问他接口文档什么时候好", limits: "别发邮件", goals: 1},
		{text: "我不是要退货，我是想换个颜色，帮我问客服能不能换，运费谁出", is: act, goal: "我不是要退货，我是想换个颜色，帮我问客服能不能换，运费谁出", goals: 2},
		{text: "帮我订下周五北京到上海的高铁，二等座，靠窗，早上 9 点以后出发，别订太晚的，两个人", is: act, goal: "订下周五北京到上海的高铁，二等座，靠窗，早上 9 点以后出发，别订太晚的，两个人", limits: "早上 9 点以后出发 | 别订太晚的", goals: 1},
		{text: "这个 bug 先不修，记到 todo.md 里，标题写清楚，优先级低", is: act, goal: "这个 bug 先不修，记到 todo.md 里，标题写清楚，优先级低", limits: "这个 bug 先不修 | 标题写清楚 | 优先级低", output: "记到 todo.md", goals: 2},
		{text: "我写的辞职信语气会不会太硬？帮我软化一下，但别显得我舍不得走", is: ques, goal: "我写的辞职信语气会不会太硬？", limits: "别显得我舍不得走", goals: 2},
		{text: "求一份一周减脂餐，我乳糖不耐受，不吃动物内脏，每天 1500 大卡以内，食材要楼下超市能买到的", is: crea, goal: "求一份一周减脂餐，我乳糖不耐受，不吃动物内脏，每天 1500 大卡以内，食材要楼下超市能买到的", limits: "每天 1500 大卡以内 | 食材要楼下超市能买到的", goals: 1},
		{text: "“到此为止”翻译成法语怎么说比较自然？给两种说法，标明场合", is: ques, goal: "“到此为止”翻译成法语怎么说比较自然？", given: "到此为止", goals: 1},
		{text: "大家都要带的东西列个清单", is: crea, goal: "大家都要带的东西列个清单", goals: 1},
		{text: "请求超时的接口有哪些？", is: ques, goal: "请求超时的接口有哪些？", goals: 1},
		{text: "把汇总表发我", is: act, goal: "把汇总表发我", goals: 1},
		{text: "把分析报告翻译成英文", is: crea, goal: "把分析报告翻译成英文", limits: "翻译成英文", output: "翻译成英文", goals: 1},
		{text: "把这个月的账单分析一下", is: ana, goal: "把这个月的账单分析一下", goals: 1},
		{text: "在吗？", is: oth, goal: "在吗？", goals: 0},
		{text: "你记到哪里了？", is: ques, goal: "你记到哪里了？", goals: 1},
		{text: "麻烦把昨天的录音转成文字，按发言人分段，语气词去掉，今天下班之前给我", is: act, goal: "把昨天的录音转成文字，按发言人分段，语气词去掉，今天下班之前给我", limits: "按发言人分段 | 语气词去掉 | 今天下班之前给我", goals: 1},
		{text: "下雨天带娃去哪玩比较好？要室内的，人均不超过 100，最好地铁能到", is: ques, goal: "下雨天带娃去哪玩比较好？", limits: "要室内的 | 人均不超过 100 | 最好地铁能到", goals: 1},
		{text: "帮我起个公司名字，三个字以内，跟茶有关，不要带“福”字", is: crea, goal: "起个公司名字，三个字以内，跟茶有关，不要带“福”字", given: "福", limits: "三个字以内 | 不要带“福”字", goals: 1},
		{text: "根据 sales.xlsx 做一份 PPT，十页左右，图多字少，配色用公司的蓝色，存成 汇报.pptx", is: crea, goal: "根据 sales.xlsx 做一份 PPT，十页左右，图多字少，配色用公司的蓝色，存成 汇报.pptx", given: "sales.xlsx", limits: "十页左右 | 图多字少 | 配色用公司的蓝色", output: "存成 汇报.pptx", goals: 1},
		{text: "查一下明天北京飞广州的机票，下午的，不要廉航，比一下价格列个表", is: act, goal: "查一下明天北京飞广州的机票，下午的，不要廉航，比一下价格列个表", limits: "下午的 | 不要廉航", goals: 2},
		{text: "把下面几条按紧急程度排个序，不用解释：\n1. 服务器磁盘 95%\n2. 回复客户邮件\n3. 更新周报", is: ana, goal: "把下面几条按紧急程度排个序，不用解释", given: "1. 服务器磁盘 95%\n2. 回复客户邮件\n3. 更新周报", limits: "不用解释", goals: 2},
		{text: "下班前提醒我打卡，连续提醒三次，周六周日不用", is: rem, goal: "下班前提醒我打卡，连续提醒三次，周六周日不用", limits: "周六周日不用", goals: 2},
		{text: "“我不是很赞成”换个委婉的说法，给三个，别太书面", is: crea, goal: "“我不是很赞成”换个委婉的说法，给三个，别太书面", given: "我不是很赞成", limits: "别太书面", goals: 1},
		{text: "会议室订明天下午两点到四点，投影要能用，订不到就改后天同一时间", is: act, goal: "会议室订明天下午两点到四点，投影要能用，订不到就改后天同一时间", limits: "投影要能用 | 订不到就改后天同一时间", goals: 2},
		{text: "给新同事写一份入职指南，分五个部分，每部分不超过 200 字，语言活泼一点，不要放公司机密", is: crea, goal: "给新同事写一份入职指南，分五个部分，每部分不超过 200 字，语言活泼一点，不要放公司机密", limits: "分五个部分 | 每部分不超过 200 字 | 语言活泼一点 | 不要放公司机密", goals: 1},
		{text: "这周末去杭州两天一夜，带一个 60 岁的老人，帮我排行程，别太累，酒店要近西湖", is: crea, goal: "这周末去杭州两天一夜，带一个 60 岁的老人，帮我排行程，别太累，酒店要近西湖", limits: "别太累 | 酒店要近西湖", goals: 2},
		{text: "翻译：The shipment was delayed due to customs clearance. 要书面一点", is: crea, goal: "翻译：The shipment was delayed due to customs clearance", given: "The shipment was delayed due to customs clearance.", limits: "要书面一点", goals: 1},
		{text: "把会议纪要发给没参加的人，参加了的就不用发了，附件一起带上", is: act, goal: "把会议纪要发给没参加的人，参加了的就不用发了，附件一起带上", limits: "参加了的就不用发了", goals: 1},
		{text: "生成 20 条测试用的手机号，都以 199 开头，不能重复，一行一个", is: crea, goal: "生成 20 条测试用的手机号，都以 199 开头，不能重复，一行一个", limits: "都以 199 开头 | 不能重复 | 一行一个", goals: 1},
		{text: "这封信太生硬了，改得温柔些，控制在一页以内，落款用小李", is: act, goal: "这封信太生硬了，改得温柔些，控制在一页以内，落款用小李", lacks: "没有收到：这封信", limits: "改得温柔些 | 控制在一页以内 | 落款用小李", goals: 2},
		{text: "写篇演讲稿，不要说教", is: crea, goal: "写篇演讲稿，不要说教", limits: "不要说教", goals: 1},
		{text: "这信号不好怎么办？", is: ques, goal: "这信号不好怎么办？", goals: 1},
		{text: "这个信用卡怎么还款？", is: ques, goal: "这个信用卡怎么还款？", goals: 1},
		{text: "起床后把名字发我", is: act, goal: "起床后把名字发我", goals: 1},
		{text: "补充协议怎么写？", is: ques, goal: "补充协议怎么写？", goals: 1},
		{text: "给我同步一下日程", is: act, goal: "给我同步一下日程", goals: 1},
		{text: "这段话太啰嗦，删到 80 字以内，意思不能变：本公司自成立以来始终坚持以客户为中心的经营理念，不断提升服务质量。", is: act, goal: "这段话太啰嗦，删到 80 字以内，意思不能变：本公司自成立以来始终坚持以客户为中心的经营理念，不断提升服务质量", given: "本公司自成立以来始终坚持以客户为中心的经营理念，不断提升服务质量。", limits: "80 字以内 | 意思不能变", goals: 2},
		{text: "我想学吉他，零基础，每天能练半小时，帮我定个三个月的计划，不用考级", is: crea, goal: "我想学吉他，零基础，每天能练半小时，帮我定个三个月的计划，不用考级", limits: "不用考级", goals: 2},
		{text: "把这周的日报汇总成周报，别写流水账，突出结果，周五中午前给我", is: ana, goal: "把这周的日报汇总成周报，别写流水账，突出结果，周五中午前给我", limits: "别写流水账 | 突出结果 | 周五中午前给我", goals: 2},
		{text: "周末有什么展览可以看？免费的优先，不要离市区太远", is: ques, goal: "周末有什么展览可以看？", limits: "免费的优先 | 不要离市区太远", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}
