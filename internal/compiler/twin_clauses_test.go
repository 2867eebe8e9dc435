package compiler_test

import (
	"slices"
	"testing"

	"github.com/akitad/akitad/internal/compiler"
)

// TestTwinWhatIsTold holds what somebody tells, quotes or passes on: it limits nothing, though the words of a limit stand in it.
func TestTwinWhatIsTold(t *testing.T) {
	for _, tt := range []said{
		{text: "I don't know why but the cron job didn't run last night. Can you check cron.log and find the last time it ran?", is: ana, goal: "check cron.log and find the last time it ran?", given: "cron.log", goals: 2},
		{text: "Draft a reply to Karen saying we can't ship before March 3, but keep it friendly and don't mention the supplier.", is: crea, goal: "Draft a reply to Karen saying we can't ship before March 3, but keep it friendly and don't mention the supplier", limits: "keep it friendly | don't mention the supplier", goals: 1},
		{text: "The customer said \"do not call me again\" so please update the CRM note and mark her as opted out.", is: act, goal: "The customer said \"do not call me again\" so please update the CRM note and mark her as opted out", given: "do not call me again", goals: 1},
		{text: "why is `SELECT count(*) FROM orders` so slow? the table has 40 million rows, there is no index on status and I can't take it offline before Sunday.", is: ques, goal: "why is `SELECT count(*) FROM orders` so slow?", given: "SELECT count(*) FROM orders", goals: 1},
		{text: "Update the README so it says Node 20 instead of Node 18, and bump the version in package.json to 3.1.0. No other changes.", is: act, goal: "Update the README so it says Node 20 instead of Node 18, and bump the version in package.json to 3.1.0", given: "package.json", limits: "No other changes", goals: 1},
		{text: "He told me not to reply before Monday, is that rude?", is: ques, goal: "He told me not to reply before Monday, is that rude?", goals: 1},
		{text: "My doctor said I should avoid salt, so find me 5 lunch recipes with little salt that take less than 20 minutes", is: act, goal: "My doctor said I should avoid salt, so find me 5 lunch recipes with little salt that take less than 20 minutes", limits: "less than 20 minutes", goals: 2},
		{text: "我不太会写英文，你帮我把这封邮件改得客气一点，不要太长，150词以内：Hi Tom, I can not come on Friday, sorry.", is: act, goal: "我不太会写英文，你帮我把这封邮件改得客气一点，不要太长，150词以内：Hi Tom, I can not come on Friday, sorry", given: "Hi Tom, I can not come on Friday, sorry.", limits: "改得客气一点 | 不要太长 | 150词以内", goals: 1},
		{text: "这段代码没有注释，加点注释，但是别改逻辑：\n```python\ndef f(x):\n    return x*2\n```", is: act, goal: "这段代码没有注释，加点注释，但是别改逻辑", given: "def f(x):\n    return x*2", limits: "别改逻辑", goals: 2},
		{text: "我们组不用 Docker，给一个纯 systemd 的部署方案，步骤写清楚，能复制粘贴执行", is: act, goal: "我们组不用 Docker，给一个纯 systemd 的部署方案，步骤写清楚，能复制粘贴执行", limits: "步骤写清楚", goals: 2},
		{text: "群里有人问能不能不打卡，你帮我回复一下：出差期间可以不打卡，回来补单就行。语气委婉点", is: act, goal: "群里有人问能不能不打卡，你帮我回复一下：出差期间可以不打卡，回来补单就行", given: "出差期间可以不打卡，回来补单就行。", limits: "语气委婉点", goals: 1},
		{text: "帮我群里通知一下：明天停电，下午 2 点到 6 点，大家别忘了关电脑。不用@所有人", is: act, goal: "群里通知一下：明天停电，下午 2 点到 6 点，大家别忘了关电脑", given: "明天停电，下午 2 点到 6 点，大家别忘了关电脑。", limits: "不用@所有人", goals: 1},
		{text: "“别忘了带伞”用英语怎么说？", is: ques, goal: "“别忘了带伞”用英语怎么说？", given: "别忘了带伞", goals: 1},
		{text: "客户问我们为什么不支持退款，你拟个回复，三百字内，不要甩锅，落款写客服部", is: crea, goal: "客户问我们为什么不支持退款，你拟个回复，三百字内，不要甩锅，落款写客服部", limits: "三百字内 | 不要甩锅", goals: 2},
		{text: "which of the three plans is cheapest if we don't exceed 10k requests? just the name pls", is: ques, goal: "which of the three plans is cheapest if we don't exceed 10k requests?", limits: "just the name", goals: 1},
		{text: "合同第 3 条写的“乙方不得分包”具体怎么理解？", is: ques, goal: "合同第 3 条写的“乙方不得分包”具体怎么理解？", given: "乙方不得分包", goals: 1},
		{text: "My landlord insists I must give three months notice. Check lease.pdf and tell me if that's true, quote the clause.", is: ana, goal: "Check lease.pdf and tell me if that's true, quote the clause", given: "lease.pdf", output: "quote the clause", goals: 2},
		{text: "我在国外，不能用支付宝，怎么给爸妈转钱？手续费最好低一点", is: ques, goal: "我在国外，不能用支付宝，怎么给爸妈转钱？", limits: "手续费最好低一点", goals: 2},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

// TestTwinWhatIsForbidden holds what is forbidden or demanded: from the beginning of its clause to the end of it, and no further.
func TestTwinWhatIsForbidden(t *testing.T) {
	for _, tt := range []said{
		{text: "Write a release note for v2.3 as markdown, in under 100 words, no emojis and no marketing language please 🙏", is: crea, goal: "Write a release note for v2.3 as markdown, in under 100 words, no emojis and no marketing language please 🙏", limits: "in under 100 words | no emojis | no marketing language", output: "as markdown", goals: 1},
		{text: "We never use tabs in this repo. Reformat utils.py, but don't rename any functions unless a name shadows a builtin.", is: act, goal: "Reformat utils.py, but don't rename any functions unless a name shadows a builtin", given: "utils.py", limits: "don't rename any functions unless a name shadows a builtin", goals: 1},
		{text: "Convert all the .heic photos in ~/Pictures/Trip 2024 to jpg but leave the originals where they are, and don't go above 2 MB per photo.", is: act, goal: "Convert all the .heic photos in ~/Pictures/Trip 2024 to jpg but leave the originals where they are, and don't go above 2 MB per photo", limits: "leave the originals where they are | don't go above 2 MB per photo", goals: 1},
		{text: "Give me three names for a bakery, one word each, nothing French, and none that end in -ery.", is: act, goal: "Give me three names for a bakery, one word each, nothing French, and none that end in -ery", limits: "one word each | nothing French | none that end in -ery", goals: 1},
		{text: "could you rename IMG_2041.jpg, IMG_2042.jpg and IMG_2043.jpg to something readable? keep the order and don't overwrite anything 😅", is: act, goal: "rename IMG_2041.jpg, IMG_2042.jpg and IMG_2043.jpg to something readable?", given: "IMG_2041.jpg | IMG_2042.jpg | IMG_2043.jpg", limits: "keep the order | don't overwrite anything", goals: 1},
		{text: "Scale the api deployment to 4 replicas, wait until they're ready, and only then drain node-7. If anything fails, roll back and tell me.", is: act, goal: "Scale the api deployment to 4 replicas, wait until they're ready, and only then drain node-7", limits: "only then drain node-7 | If anything fails, roll back and tell me", goals: 1},
		{text: "Rewrite this so it doesn't sound like a robot: Dear customer, your parcel will not arrive before Monday due to weather conditions.", is: crea, goal: "Rewrite this so it doesn't sound like a robot: Dear customer, your parcel will not arrive before Monday due to weather conditions", given: "Dear customer, your parcel will not arrive before Monday due to weather conditions.", limits: "it doesn't sound like a robot", goals: 1},
		{text: "Search our docs for the VPN setup, quote the exact steps and link the page. If you can't find it, say so, don't guess.", is: act, goal: "Search our docs for the VPN setup, quote the exact steps and link the page", limits: "If you can't find it, say so | don't guess", output: "quote the exact steps", goals: 3},
		{text: "Reply to the landlord's mail: \"You must leave the flat by June 1.\" Say that we object, stay polite, cite no laws.", is: crea, goal: "Reply to the landlord's mail: \"You must leave the flat by June 1.\" Say that we object, stay polite, cite no laws", given: "You must leave the flat by June 1.", limits: "stay polite | cite no laws", goals: 1},
		{text: "Could you write a birthday message for my colleague? He turns 50, likes sailing, doesn't drink. Funny but not mean, four lines at most.", is: crea, goal: "write a birthday message for my colleague?", limits: "Funny but not mean | four lines at most", goals: 1},
		{text: "docker-compose.yml 里把 redis 升到 7.2，其他版本不动，改完给我看 diff，没问题我再合", is: act, goal: "docker-compose.yml 里把 redis 升到 7.2，其他版本不动，改完给我看 diff，没问题我再合", given: "docker-compose.yml", limits: "其他版本不动", goals: 2},
		{text: "生成 20 条测试数据，姓名不要重复，手机号用 138 开头，输出成 JSON 数组，不要包在代码块里", is: crea, goal: "生成 20 条测试数据，姓名不要重复，手机号用 138 开头，输出成 JSON 数组，不要包在代码块里", limits: "姓名不要重复 | 手机号用 138 开头 | 不要包在代码块里", output: "输出成 JSON", goals: 1},
		{text: "能否在 30 分钟内把测试环境恢复？数据库不能清空，有问题随时找我", is: act, goal: "能否在 30 分钟内把测试环境恢复？", limits: "30 分钟内 | 数据库不能清空", goals: 1},
		{text: "把 a.py 和 b.py 里重复的函数抽出来放到 common.py，除 main 以外的入口不要碰，跑一遍测试再告诉我", is: act, goal: "把 a.py 和 b.py 里重复的函数抽出来放到 common.py，除 main 以外的入口不要碰，跑一遍测试再告诉我", given: "a.py | b.py", limits: "除 main 以外的入口不要碰", output: "把 a.py 和 b.py 里重复的函数抽出来放到 common.py", goals: 2},
		{text: "把 prod.log 里的手机号打码后发我，只要昨天的，原文件千万别改", is: act, goal: "把 prod.log 里的手机号打码后发我，只要昨天的，原文件千万别改", given: "prod.log", limits: "只要昨天的 | 原文件千万别改", goals: 1},
		{text: "没事，刚才那个不用管了。现在帮我订两张周六晚上的电影票，不要恐怖片，后排，太贵就算了", is: act, goal: "现在帮我订两张周六晚上的电影票，不要恐怖片，后排，太贵就算了", limits: "不要恐怖片 | 太贵就算了", goals: 1},
		{text: "每周五下午四点把本周的 bug 数发到群里，别@人，没有新 bug 就不用发", is: rem, goal: "每周五下午四点把本周的 bug 数发到群里，别@人，没有新 bug 就不用发", limits: "别@人 | 没有新 bug 就不用发", goals: 1},
		{text: "删掉 tmp 目录里三天前的文件，.lock 结尾的除外，删之前列个清单给我确认", is: act, goal: "删掉 tmp 目录里三天前的文件，.lock 结尾的除外，删之前列个清单给我确认", limits: ".lock 结尾的除外 | 删之前列个清单给我确认", goals: 2},
		{text: "PPT 里的图都糊了，换成高清的，版式别变，页数不能增加，做完导出 PDF", is: act, goal: "PPT 里的图都糊了，换成高清的，版式别变，页数不能增加，做完导出 PDF", limits: "版式别变 | 页数不能增加", output: "导出 PDF", goals: 2},
		{text: "Turn off the alerts for node-3 until 6pm, but leave the disk alert on, and remind me at 5:45 to turn them back on.", is: rem, goal: "Turn off the alerts for node-3 until 6pm, but leave the disk alert on, and remind me at 5:45 to turn them back on", limits: "until 6pm | leave the disk alert on", goals: 2},
		{text: "The text says: \"Visitors must not feed the animals\". Translate it into Dutch and Turkish, keep it as formal as the original.", is: crea, goal: "Translate it into Dutch and Turkish, keep it as formal as the original", given: "Visitors must not feed the animals", limits: "into Dutch and Turkish | keep it as formal as the original", output: "into Dutch and Turkish", goals: 1},
		{text: "把下面这句改成被动语态，别的都不要动：\nThe team will not finish the project before June.", is: act, goal: "把下面这句改成被动语态，别的都不要动", given: "The team will not finish the project before June.", limits: "别的都不要动", goals: 1},
		{text: "把 main 分支保护起来：必须两人评审，禁止强推，管理员也不例外", is: act, goal: "把 main 分支保护起来：必须两人评审，禁止强推，管理员也不例外", limits: "必须两人评审 | 禁止强推 | 管理员也不例外", goals: 1},
		{text: "把所有超过 90 天没登录的账号列出来，先别禁用，管理员账号排除", is: act, goal: "把所有超过 90 天没登录的账号列出来，先别禁用，管理员账号排除", limits: "先别禁用 | 管理员账号排除", goals: 1},
		{text: "Count the unique visitors in march.log, bots excluded, and tell me the busiest hour.", is: ana, goal: "Count the unique visitors in march.log, bots excluded, and tell me the busiest hour", given: "march.log", limits: "bots excluded", goals: 2},
		{text: "Move the meeting with Sven to next week, any day but Wednesday, mornings only.", is: act, goal: "Move the meeting with Sven to next week, any day but Wednesday, mornings only", limits: "any day but Wednesday | mornings only", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

// TestTwinLimits holds limits of a number, a time or a manner that stand in pieces of an order.
func TestTwinLimits(t *testing.T) {
	for _, tt := range []said{
		{text: "Find me a hotel in Lisbon, 12-15 May, under 120 euros a night, with breakfast, not in Alfama.", is: act, goal: "Find me a hotel in Lisbon, 12-15 May, under 120 euros a night, with breakfast, not in Alfama", limits: "under 120 euros a night | with breakfast | not in Alfama", goals: 1},
		{text: "Go through feedback.csv. Ignore rows where rating is empty. Cluster the comments into at most 6 themes and give me one quote per theme, output as JSON with keys theme, count, quote.", is: ana, goal: "Go through feedback.csv", given: "feedback.csv", limits: "Ignore rows where rating is empty | into at most 6 themes", output: "as JSON with keys theme", goals: 5},
		{text: "what's the difference between a mutex and a semaphore? i only need the short version, 3 sentences tops", is: ques, goal: "what's the difference between a mutex and a semaphore?", limits: "i only need the short version | 3 sentences tops", goals: 1},
		{text: "Morning! The dashboard doesn't load for half the team. Could you look into it and give me a root cause in two or three sentences? No fix needed yet.", is: ana, goal: "look into it and give me a root cause in two or three sentences?", limits: "in two or three sentences | No fix needed yet", goals: 2},
		{text: "Turn these notes into a blog post of about 800 words, first person, no bullet lists, and keep the jokes:\n- we moved to Postgres\n- nobody misses MySQL\n- the migration took 9 hours", is: act, goal: "Turn these notes into a blog post of about 800 words, first person, no bullet lists, and keep the jokes", given: "- we moved to Postgres\n- nobody misses MySQL\n- the migration took 9 hours", limits: "of about 800 words | first person | no bullet lists | keep the jokes", goals: 1},
		{text: "List every endpoint in api.yaml that does not require auth, one per line, sorted alphabetically, no explanations.", is: act, goal: "List every endpoint in api.yaml that does not require auth, one per line, sorted alphabetically, no explanations", given: "api.yaml", limits: "one per line | sorted alphabetically | no explanations", goals: 1},
		{text: "Every weekday at 8:45 post yesterday's signups to the growth channel, skip bank holidays, and stay silent if the number is zero.", is: rem, goal: "Every weekday at 8:45 post yesterday's signups to the growth channel, skip bank holidays, and stay silent if the number is zero", limits: "skip bank holidays | stay silent if the number is zero", goals: 1},
		{text: "What's a good gift for a 6 year old who doesn't like dolls? Under 25 dollars, nothing with batteries.", is: ques, goal: "What's a good gift for a 6 year old who doesn't like dolls?", limits: "Under 25 dollars | nothing with batteries", goals: 1},
		{text: "一共 8 个人吃饭，有两个人吃素，预算 1000 左右，帮我搭配一桌菜，不要海鲜", is: act, goal: "一共 8 个人吃饭，有两个人吃素，预算 1000 左右，帮我搭配一桌菜，不要海鲜", limits: "预算 1000 左右 | 不要海鲜", goals: 1},
		{text: "我妈不能吃辣，爸爸无所谓，推荐三家人均150以内的馆子，离地铁近一点", is: ques, goal: "我妈不能吃辣，爸爸无所谓，推荐三家人均150以内的馆子，离地铁近一点", limits: "人均150以内 | 离地铁近一点", goals: 2},
		{text: "服务重启脚本写好了，先在测试环境跑，没问题再上生产，任何一步失败都要停下来告诉我", is: act, goal: "服务重启脚本写好了，先在测试环境跑，没问题再上生产，任何一步失败都要停下来告诉我", limits: "任何一步失败都要停下来告诉我", goals: 2},
		{text: "用 SQL 查出近 30 天没有下单的会员，最多返回 500 条，按注册时间倒序，不要 select *", is: ana, goal: "用 SQL 查出近 30 天没有下单的会员，最多返回 500 条，按注册时间倒序，不要 select *", limits: "最多返回 500 条 | 按注册时间倒序 | 不要 select *", goals: 1},
		{text: "写一个 shell 脚本清理 7 天前的日志，要能在 macOS 和 Linux 上跑，别用 GNU 专有参数，删除前先打印出来", is: crea, goal: "写一个 shell 脚本清理 7 天前的日志，要能在 macOS 和 Linux 上跑，别用 GNU 专有参数，删除前先打印出来", limits: "要能在 macOS 和 Linux 上跑 | 别用 GNU 专有参数 | 删除前先打印出来", goals: 2},
		{text: "给我推荐几本讲古罗马的书，不要教科书，最好有中文版，五本以内", is: ques, goal: "给我推荐几本讲古罗马的书，不要教科书，最好有中文版，五本以内", limits: "不要教科书 | 最好有中文版 | 五本以内", goals: 1},
		{text: "我女儿对花生过敏，帮她准备一周的午餐便当，每天不重样，不要油炸的，做起来别超过20分钟", is: act, goal: "我女儿对花生过敏，帮她准备一周的午餐便当，每天不重样，不要油炸的，做起来别超过20分钟", limits: "每天不重样 | 不要油炸的 | 做起来别超过20分钟", goals: 1},
		{text: "Shorten this to two sentences and drop the greeting: Hi everyone, hope you are all well. As you may know the office will be closed on Monday. Nobody can enter without a badge.", is: act, goal: "Shorten this to two sentences and drop the greeting: Hi everyone, hope you are all well", given: "Hi everyone, hope you are all well. As you may know the office will be closed on Monday. Nobody can enter without a badge.", limits: "to two sentences", goals: 2},
		{text: "Upload every .mp4 in ./renders to the bucket unless it's already there. Use at most 2 parallel uploads and stop after the first failure.", is: act, goal: "Upload every .mp4 in ./renders to the bucket unless it's already there", limits: "unless it's already there | at most 2 parallel uploads | stop after the first failure", goals: 3},
		{text: "小明昨天没交作业，帮我写个给家长的提醒，口气温和点，不要点名批评", is: crea, goal: "小明昨天没交作业，帮我写个给家长的提醒，口气温和点，不要点名批评", limits: "口气温和点 | 不要点名批评", goals: 2},
		{text: "日志太多了，把 debug 级别的都清掉，error 的务必保留，清之前打个包备份", is: act, goal: "日志太多了，把 debug 级别的都清掉，error 的务必保留，清之前打个包备份", limits: "error 的务必保留 | 清之前打个包备份", goals: 2},
		{text: "他不吃牛肉我不吃香菜，帮我们点个外卖，两个人 80 块以内，不要太油", is: act, goal: "他不吃牛肉我不吃香菜，帮我们点个外卖，两个人 80 块以内，不要太油", limits: "两个人 80 块以内 | 不要太油", goals: 2},
		{text: "Teach me the basics of chess openings in five short lessons; skip the theory, use examples from famous games, don't go beyond move ten.", is: ques, goal: "Teach me the basics of chess openings in five short lessons", limits: "in five short lessons | skip the theory | use examples from famous games | don't go beyond move ten", goals: 3},
		{text: "Please roll out build 512 to 10% of the users, watch the crash rate for an hour, and halt if it exceeds 0.5%.", is: act, goal: "roll out build 512 to 10% of the users, watch the crash rate for an hour, and halt if it exceeds 0.5%", limits: "halt if it exceeds 0.5%", goals: 2},
		{text: "I'm allergic to nuts. Suggest a dessert for tonight that needs no oven and takes less than half an hour.", is: ques, goal: "Suggest a dessert for tonight that needs no oven and takes less than half an hour", limits: "less than half an hour", goals: 1},
		{text: "把产品手册翻成德语，术语以 glossary.xlsx 为准，不确定的地方加批注，不要意译", is: crea, goal: "把产品手册翻成德语，术语以 glossary.xlsx 为准，不确定的地方加批注，不要意译", given: "glossary.xlsx", limits: "翻成德语 | 术语以 glossary.xlsx 为准 | 不要意译", output: "翻成德语", goals: 1},
		{text: "项目延期了，起草一封给客户的说明，不要推卸责任，也别承诺新的日期，300 字上下", is: crea, goal: "项目延期了，起草一封给客户的说明，不要推卸责任，也别承诺新的日期，300 字上下", limits: "不要推卸责任 | 别承诺新的日期 | 300 字上下", goals: 2},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

// TestTwinOrders holds orders in a later clause, of verbs that no list has, and of what stands behind a colon.
func TestTwinOrders(t *testing.T) {
	for _, tt := range []said{
		{text: "Everyone on the team hates long emails, so please write max 4 lines asking them to fill in the survey before Thursday noon.", is: crea, goal: "Everyone on the team hates long emails, so please write max 4 lines asking them to fill in the survey before Thursday noon", limits: "max 4 lines", goals: 2},
		{text: "thx! one more thing: translate the last paragraph to spanish, informal (tú), and only send me the translation", is: crea, goal: "translate the last paragraph to spanish, informal (tú), and only send me the translation", limits: "to spanish | informal | only send me the translation", output: "to spanish", goals: 1},
		{text: "Remind grandma's group every Sunday at 6pm to call the doctor - but not on the 24th.", is: rem, goal: "Remind grandma's group every Sunday at 6pm to call the doctor - but not on the 24th", limits: "not on the 24th", goals: 1},
		{text: "Summarize the meeting notes below in five bullets, then list action items with owners:\n- Tom: budget is not approved yet\n- Ana will call the vendor, never got an answer\n- Release moves to May 2", is: ana, goal: "Summarize the meeting notes below in five bullets, then list action items with owners", given: "- Tom: budget is not approved yet\n- Ana will call the vendor, never got an answer\n- Release moves to May 2", limits: "in five bullets", goals: 2},
		{text: "Please review the attached contract and list every clause that mentions liability, word for word, with page numbers. Don't give legal advice.", is: ana, goal: "review the attached contract and list every clause that mentions liability, word for word, with page numbers", lacks: "the attached contract is not here", limits: "word for word | Don't give legal advice", output: "with page numbers", goals: 2},
		{text: "Transcribe the attached voice memo verbatim, skip the first minute, and save it to \"board call.txt\".", is: act, goal: "Transcribe the attached voice memo verbatim, skip the first minute, and save it to \"board call.txt\"", lacks: "the attached is not here", limits: "verbatim | skip the first minute", output: "save it to \"board call.txt\"", goals: 2},
		{text: "Read the last 200 lines of /var/log/syslog and tell me in plain English what happened at 03:12. Don't paste the log back at me.", is: act, goal: "Read the last 200 lines of /var/log/syslog and tell me in plain English what happened at 03:12", given: "/var/log/syslog", limits: "in plain English | Don't paste the log back at me", output: "in plain English", goals: 2},
		{text: "你好，帮我把 2023年总结.docx 压缩成一页的版本，重点放在成果上，失败的项目别写太细", is: act, goal: "把 2023年总结.docx 压缩成一页的版本，重点放在成果上，失败的项目别写太细", given: "2023年总结.docx", limits: "失败的项目别写太细", goals: 1},
		{text: "请将下面的通知翻译成英文，语气正式，专有名词保留中文：\n各位同事，下周一起食堂不再提供早餐，请勿带外卖进入办公区。", is: crea, goal: "将下面的通知翻译成英文，语气正式，专有名词保留中文", given: "各位同事，下周一起食堂不再提供早餐，请勿带外卖进入办公区。", limits: "翻译成英文 | 语气正式 | 专有名词保留中文", output: "翻译成英文", goals: 1},
		{text: "老板让我周五下班前交一份竞品分析，你先帮我列个提纲，三级以内，不用写正文", is: crea, goal: "老板让我周五下班前交一份竞品分析，你先帮我列个提纲，三级以内，不用写正文", limits: "周五下班前 | 三级以内 | 不用写正文", goals: 2},
		{text: "麻烦把我日历上下周二的会都推迟一小时，跟客户的那个不要动", is: act, goal: "把我日历上下周二的会都推迟一小时，跟客户的那个不要动", limits: "跟客户的那个不要动", goals: 1},
		{text: "把“明天不上课”这几个字做成海报，红底白字，别加其他元素，尺寸 A3", is: act, goal: "把“明天不上课”这几个字做成海报，红底白字，别加其他元素，尺寸 A3", given: "明天不上课", limits: "别加其他元素", goals: 1},
		{text: "订阅的 RSS 每天早上 7 点汇总一次发我邮箱，广告去掉，每条不超过两句话", is: rem, goal: "订阅的 RSS 每天早上 7 点汇总一次发我邮箱，广告去掉，每条不超过两句话", limits: "每条不超过两句话", goals: 1},
		{text: "请把以下会议记录整理成行动项，每条一行，带负责人，没提到负责人的写“待定”：\n张三：我来改文档。李四：周五前上线，不能再拖了。", is: act, goal: "把以下会议记录整理成行动项，每条一行，带负责人，没提到负责人的写“待定”", given: "待定 | 张三：我来改文档。李四：周五前上线，不能再拖了。", output: "带负责人", goals: 1},
		{text: "导出三月的考勤，离职员工不算，按部门分 sheet，文件名 考勤_202403.xlsx，不要加密", is: act, goal: "导出三月的考勤，离职员工不算，按部门分 sheet，文件名 考勤_202403.xlsx，不要加密", limits: "离职员工不算 | 不要加密", output: "文件名 考勤_202403.xlsx", goals: 1},
		{text: "Set the log level to warn in prod.env and staging.env but not in dev.env, then restart only the workers.", is: act, goal: "Set the log level to warn in prod.env and staging.env but not in dev.env, then restart only the workers", given: "prod.env | staging.env", limits: "not in dev.env | only the workers", goals: 2},
		{text: "Why does the linter complain that \"variables should not be named foo\"? I don't see any rule like that in .eslintrc.json.", is: ana, goal: "Why does the linter complain that \"variables should not be named foo\"?", given: ".eslintrc.json | variables should not be named foo", goals: 1},
		{text: "Convert report.md to PDF, A4, margins 2 cm, no page numbers, and name it \"Final Report.pdf\".", is: act, goal: "Convert report.md to PDF, A4, margins 2 cm, no page numbers, and name it \"Final Report.pdf\"", given: "report.md", limits: "no page numbers", output: "name it \"Final Report.pdf\"", goals: 1},
		{text: "把 users 表导成 users.csv，密码列一定不要导，时间统一成 UTC", is: act, goal: "把 users 表导成 users.csv，密码列一定不要导，时间统一成 UTC", limits: "密码列一定不要导", output: "把 users 表导成 users.csv", goals: 1},
		{text: "小助手，报销单帮我填一下，金额 328.5，事由写打车，抬头别写错，填好先别提交", is: act, goal: "小助手，报销单帮我填一下，金额 328.5，事由写打车，抬头别写错，填好先别提交", limits: "抬头别写错 | 填好先别提交", goals: 1},
		{text: "求助！导出的 CSV 打开全是乱码，应该怎么弄？我用的是 Mac，没装 Excel", is: ques, goal: "导出的 CSV 打开全是乱码，应该怎么弄？", goals: 1},
		{text: "我们老板不喜欢花哨的 PPT，你把 年终总结.pptx 改成纯白底，字体统一微软雅黑，动画全去掉", is: act, goal: "我们老板不喜欢花哨的 PPT，你把 年终总结.pptx 改成纯白底，字体统一微软雅黑，动画全去掉", given: "年终总结.pptx", limits: "字体统一微软雅黑", goals: 2},
		{text: "Ping me if the queue grows beyond 1000 messages, but not at night and no more than once an hour.", is: rem, goal: "Ping me if the queue grows beyond 1000 messages, but not at night and no more than once an hour", limits: "not at night | no more than once an hour", goals: 1},
		{text: "想给奶奶做本相册，选三十张照片，不要合影，按年份排，每页最多两张", is: crea, goal: "想给奶奶做本相册，选三十张照片，不要合影，按年份排，每页最多两张", limits: "不要合影 | 按年份排 | 每页最多两张", goals: 1},
		{text: "你上次推荐的餐厅没位子了，换一家吧，还是那个区，人均别超过 200，要能停车", is: act, goal: "你上次推荐的餐厅没位子了，换一家吧，还是那个区，人均别超过 200，要能停车", limits: "人均别超过 200 | 要能停车", goals: 2},
		{text: "写一段代码把 data.json 拍平成 csv，嵌套超过两层的忽略，不能用 pandas，输出 flat.csv", is: crea, goal: "写一段代码把 data.json 拍平成 csv，嵌套超过两层的忽略，不能用 pandas，输出 flat.csv", given: "data.json", limits: "嵌套超过两层的忽略 | 不能用 pandas", output: "输出 flat.csv", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

// TestTwinFindsNoLimit holds tastes, stories, questions and sayings in which the words of limits limit nothing.
func TestTwinFindsNoLimit(t *testing.T) {
	for _, text := range []string{
		"I love my coffee without sugar, and my wife does not drink it at all.",
		"Our build never finishes before lunch, it's kind of a running joke here.",
		"What does \"no more than one instance\" mean in this error?",
		"My phone doesn't charge unless I hold the cable, what could that be?",
		"Who said \"never put off till tomorrow what you can do today\"?",
		"How do I stop my cat from jumping on the table?",
		"There are only two hard things in computer science, right?",
		"He must be at least 40 years old. Who is he?",
		"The API must have been down, I could not reach it before 5pm. Can you check status.log?",
		"She cannot eat gluten because of celiac disease, what is that exactly?",
		"不加糖的咖啡也喜欢",
		"我最多的时候一天喝五杯咖啡，哈哈",
		"昨天没有收到快递，也不知道去哪查，怎么办？",
		"除了你没人理我，唉",
		"他说不要紧，我觉得不对劲，你怎么看？",
		"为什么不能在 8 点之前打卡？",
		"公司规定必须打卡吗？",
		"我别的都会，就是不会画图，怎么学？",
		"“不要温和地走进那个良夜”是谁写的？",
		"不用谢！刚才那个脚本跑得不错",
		"I never said the deadline was Friday, that was Tom.",
		"Why can't birds fly backwards?",
		"The doc says \"use at most 3 retries\" but the code does five, which one is right?",
		"My kids won't eat anything but pasta lately, is that normal?",
		"We had no downtime last month, which is nice!",
		"How do people live without sleep?",
		"It only happens on Mondays and I have no clue why.",
		"Who must sign the form, me or my manager?",
		"I'd rather not talk about it today. How was your weekend?",
		"Does the free plan limit me to less than 5 users?",
		"我不吃香菜，你呢？",
		"别人家的孩子都不用催，我家的怎么这么慢？",
		"这个功能以前不需要登录吗？",
		"他最多一百四十斤吧，哈哈",
		"合同里写着“不得转租”，是什么意思？",
		"老板只看结果，不看过程，唉",
		"昨天的会没开成，改到什么时候了？",
		"不是我不想去，是真的没时间",
		"为什么有的人只喝热水？",
		"没想到这么快就修好了，太厉害了",
		"She has never been late, not even once, in ten years.",
		"What happens if I never update my BIOS?",
		"I'm only joking, don't worry.",
		"Our office must be the coldest place in the city.",
		"Does \"not later than 5pm\" include 5pm itself?",
		"Is it true that you can only see the aurora in winter?",
		"I couldn't finish the book, it had no plot at all.",
		"My cat eats nothing but tuna. Is that bad for her?",
		"They told us to avoid the highway, but why?",
		"The train is never on time, so I always leave before 7.",
		"我从来不喝酒",
		"他们说必须提前一小时到，是不是太早了？",
		"这个软件不收费吗？",
		"没有你的帮助我肯定搞不定，谢谢！",
		"孩子最多能玩多久手机比较合适？",
		"“不得入内”用德语怎么写？",
		"昨天加班到十二点以后才走，累死了",
		"我和她除了工作没别的话题",
		"不带伞出门结果下雨了，真倒霉",
		"你们别的城市也有分店吗？",
		"I've only been here a week, so bear with me.",
		"You can't be serious, the cake had no sugar in it?",
		"Her flight must have landed by now.",
		"Who decided that we should not ship on Fridays?",
		"It takes no more than two minutes on my machine.",
		"Nothing beats a cold beer after work.",
		"Does \"do not resuscitate\" mean the same everywhere?",
		"My manager wants everything before noon, every single day, ugh.",
		"Why do cats avoid water?",
		"Is there any country without an army?",
		"我不是很喜欢下雨天",
		"上次那家店不能刷卡，好烦",
		"她说除了周三都有空，那周三谁来？",
		"为什么规定不能带水进场？",
		"这孩子最多七八岁吧？",
		"不客气，应该的",
		"“请勿打扰”的牌子放哪了？",
		"我从来没想过要换工作",
		"别墅和公寓有什么区别？",
		"没人告诉我必须提前预约啊",
		"不加糖的咖啡很好喝",
	} {
		if spec, _ := compiler.Twin(compiler.Input{Text: text}); len(spec.Constraints) > 0 {
			t.Errorf("%q: limits %q", text, spec.Constraints)
		}
	}
}

// A word that is quoted is covered where it is quoted, and nowhere else: it may also be part of a file's name.
func TestTwinNamesOfQuotedWords(t *testing.T) {
	for text, want := range map[string]string{
		`Use "report" as the title and save the text to report.md.`:           "save the text to report.md",
		`Rename the "data" column and write all rows to data.csv`:             "write all rows to data.csv",
		`把标题写成“总结”，存到 总结.md`:                                                  "存到 总结.md",
		`Sort the rows of f(x) by size and save them to f(x).csv`:             "save them to f(x).csv",
		`Get https://a.example/list and save it to https://a.example/list.md`: "save it to https://a.example/list.md",
	} {
		spec, _ := compiler.Twin(compiler.Input{Text: text})
		if !slices.Contains(spec.OutputRequirements, want) {
			t.Errorf("%s:\n got %q\nwant %q", text, spec.OutputRequirements, want)
		}
	}
	spec, _ := compiler.Twin(compiler.Input{Text: `Rename the column "only" to "max". Show only the top three rows.`})
	if want := []string{"Show only the top three rows"}; !slices.Equal(spec.Constraints, want) {
		t.Errorf("got %q, want %q", spec.Constraints, want)
	}
}
