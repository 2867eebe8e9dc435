package question

import "github.com/akitad/akitad/internal/pattern"

// rule says that words like these mean an intent.
type rule struct {
	intent Intent
	re     *pattern.Pattern
}

func rules(lines ...[2]string) []rule {
	var out []rule
	for _, l := range lines {
		out = append(out, rule{Intent(l[0]), pattern.New(`(?i)` + l[1])})
	}
	return out
}

// refusals are asked for before all else: a request for a poem about errors is not about errors.
var refusals = rules(
	[2]string{"refuse", `\b(?:write|compose|tell|make up|create|sing|draft|give|generate|want|need)\b[^.?!]{0,40}\b(?:poem|poetry|haiku|sonnet|limerick|song|lyrics|story|joke|riddle|essay|novel|rap|email|e-mail|letter|tweet|blog|speech|resume|cv|slogan|article|advert|recipe)\b`},
	[2]string{"refuse", `\b(?:fix|solve|repair|debug)\b[^.?!]{0,20}\b(?:bugs?|issues?|problems?|errors?)\b|(?:怎么|如何)(?:解决|修复|处理|避免|优化)|\bbook (?:me )?an? (?:flight|hotel|table|ticket)|\bis [a-z]+ (?:a )?(?:good|bad)\b|(?:画|绘制)[^，。？！]{0,8}(?:图|表)|\b(?:plot|draw)\b|\btranslat(?:e|ion|ing)\b|翻译|译成|译为`},
	[2]string{"refuse", `\bwhat do you think\b|\byour (?:opinion|view|thoughts|favou?rite)\b|\bdo you (?:like|prefer|believe|agree)\b|\b(?:should|shall) (?:i|we)\b|\bwould you recommend\b|\brecommend\b|\bwhich is (?:the )?(?:nicer|better|best)\b|\bgive (?:me|us) (?:some )?advice\b|\b(?:nicest|best suited|most suitable|most likeable|most beautiful)\b|\b(?:predict|forecast)\b|\bwill\b[^.?!]{0,30}\b(?:next|in the future|tomorrow)\b|预测|(?:下个?月|下周|明年|明天|未来)[^，。？！]{0,10}(?:会|将)`},
	[2]string{"refuse", `\b(?:write|implement|code|create|develop|build|program|fix|debug|refactor|generate)\b[^.?!]{0,50}\b(?:code|function|script|program|class|method|regex|regular expression|sql|algorithm|unit tests?|app|application|website|web page|api|python|javascript|golang|rust|java|bash)\b`},
	[2]string{"refuse", `你(?:觉得|认为|怎么看|喜欢|的看法|的意见|的观点)|(?:给我|有什么|提些|提点)建议|最适合|更适合|适不适合|应不应该|该不该|值不值得|好不好看|推荐`},
	[2]string{"refuse", `(?:写|作|编|创作|来|讲|说|生成|起草)[^，。？！]{0,12}(?:诗|故事|笑话|小说|歌词|歌|作文|文案|邮件|信|演讲稿|简历|散文|段子|文章|对联)`},
	[2]string{"refuse", `(?:写|实现|编写|开发|做|修复|调试|重构)[^，。？！]{0,16}(?:代码|函数|程序|脚本|算法|正则|网站|应用|单元测试|接口|SQL|类)`},
	[2]string{"refuse", `\b(?:weather|capital of|who (?:invented|wrote|painted|discovered|is the president)|meaning of life|horoscope)\b|天气|首都|谁发明|谁写的|总统是谁|人生的意义`},
)

// intents are tried in this order; the first that fits is the clause's.
var intents = rules(
	[2]string{"help", `\bwhat (?:can|could|do) you do\b|\bhow (?:can|could) you help\b|\bwhat are you (?:able|good|for)\b|\bwho are you\b|\byour (?:abilities|capabilities|features)\b|^\s*(?:help|hello|hi|hey|good (?:morning|evening|day))\b[\s!.?]*$|\bwhat (?:(?:kinds?|sorts?|types?) of )?(?:questions|things|tasks) (?:can|could) (?:i|you|we)\b|\bhow do i use you\b|你(?:都|还)?(?:能|会|可以)(?:些|做|干|帮)|你有什么(?:功能|能力|本事)|你是谁|怎么(?:用|使用)你|有哪些功能|^\s*(?:帮助|你好|您好|在吗)[\s!！。？?]*$`},
	[2]string{"forget", `^\s*(?:please |can you |could you |now )?(?:forget|unlearn|stop remembering|don't remember|do not remember|erase from (?:your )?memory|delete from (?:your )?memory)\b|^\s*(?:请|帮我|麻烦)?(?:你)?(?:忘记|忘掉|忘了|别记|不要记|不用记|删除记忆|清除记忆)|从记忆(?:中|里)(?:删|清|去)`},
	[2]string{"recall", `\bwhat (?:do|did|have) (?:you|i)[^.?!]*\b(?:remember|tell you|told you|know about (?:me|us|my)|said about)\b|\bdo you (?:remember|recall)\b|\brecall\b|\bremind me (?:what|of)\b|\bwhat have i told you\b|\b(?:what|which|who)\b[^.?!]{0,30}\b(?:do|did|don't|do not) (?:i|we) (?:really |also |not )?(?:like|love|prefer|enjoy|hate|dislike|detest)\b|\bwhat (?:are|were|is) my (?:likes?|dislikes?|preferences?|tastes?|favou?rites?)\b|我(?:最|都|还|又|也)?(?:不)?(?:喜欢|喜爱|偏好|讨厌|爱)[^，。？！]{0,4}(?:什么|啥|哪些|哪种|谁)|我的(?:偏好|喜好|爱好)|\bwhat do you know about (?:me|my)\b|你(?:还)?记得|你记住了|我(?:之前|以前|曾经)?(?:跟|对|和)你说过|我告诉过你|你知道我|回忆一下|关于我你知道`},
	[2]string{"remember", `^\s*(?:please |can you |could you )?(?:remember|note|memori[sz]e|keep in mind|don't forget|do not forget|take a note)\b|^(?:请|帮我|麻烦)?(?:你)?(?:记住|记一下|记下|记得|别忘了|不要忘记|牢记)`},
	[2]string{"clock", `\bwhat(?:'s| is) the (?:time|date)\b|\bwhat time (?:is it|it is)\b|\bwhat day is (?:it|today)\b|\bcurrent (?:time|date)\b|\btoday's date\b|现在(?:是)?几点|几点了|今天(?:是)?(?:几号|星期几|周几|什么日子)|当前时间|现在(?:的)?时间`},
	[2]string{"find_files", `\b(?:which|what) (?:files?|documents?|logs?)\b[^.?!]{0,20}\b(?:mentions?|contains?|includes?|has|have|holds?|talks?|with)\b|\bfind\b[^.?!]{0,20}\bfiles?\b|\bis there (?:a|any) files?\b|\bwhere is (?:the )?file\b|\bfiles? (?:that|which)\b[^.?!]{0,8}\b(?:mentions?|contains?|includes?)\b|哪(?:些|个|几个)(?:文件|日志|文档)[^，。？！]{0,6}(?:包含|提到|含有|里有|中有|有|出现(?:过|了)?[^次最]|含)|(?:查找|找出|寻找|搜索)[^，。？！]{0,20}的?文件|有没有[^，。？！]{0,20}文件|(?:^|[的个，,。\s])(?:^|[的个，,。\s])文件[^，。？！]{0,10}在哪`},
	[2]string{"list_files", `\b(?:list|show|print|see)\b[^.?!]{0,25}\b(?:files|folder|directory|documents)\b|\b(?:what|which)\b[^.?!]{0,12}\b(?:files|documents)\b[^.?!]{0,12}\b(?:are|do|is|have|here|there|available)\b|\bwhat files\b|\bfile sizes?\b|\bsizes? of (?:the |all |these |each |every )*files?\b|\b(?:which|what)(?:'s| is)? (?:the )?(?:largest|biggest|smallest) file\b|\b(?:which|what) file is (?:the )?(?:largest|biggest|smallest)\b|\bhow (?:big|large) (?:is|are)(?: the| these| all)?(?: files?)?\s*$|文件(?:的)?大小|哪个文件最[大小]|最[大小]的文件|(?:有多大|的大小是多少)\s*$|\bhow many files\b|\bfind (?:all |the |every )?(?:\*?\.?[a-z]+ )?files\s*$|(?:列出|显示|查看|看看|找出|查找)[^，。？！]{0,8}(?:所有|全部)?[^，。？！]{0,8}文件(?:夹|列表)?\s*$|(?:列出|显示|查看)[^，。？！]{0,8}文件(?:及|和|与|以及)(?:它们|其|各自|每个)?的?(?:大小|行数)|(?:有|都有)(?:哪些|什么|多少个?|几个)[^，。？！]{0,6}文件|文件夹里有`},
	[2]string{"incident", `\bwhat (?:went|goes|is going) wrong\b|\bwhat (?:failed|broke|happened)\s*(?:\?|$|,|and\b|in the (?:logs?|incident|outage))|\b(?:which|what)\b[^.?!]{0,30}\b(?:services?|systems?|components?|apps?|applications?|hosts?|servers?|parts?|jobs?)\b[^.?!]{0,20}\b(?:failed|fails?|failing|broke|crashed|went down|were down|was down|had (?:an )?outage|had problems|affected|unhealthy)\b|\broot cause\b|\bpost-?mortem\b|\b(?:analy[sz]e|investigate|explain|reconstruct|diagnose)\b[^.?!]{0,40}\b(?:incident|outage|failures?|crash|disruption)\b|\bincident report\b|\bwhy did\b[^.?!]{0,40}\b(?:fail|break|crash|go down|error)|\bwhat caused\b|\bwhat changed before\b|\bwhen did\b[^.?!]{0,30}\b(?:fail|break|crash|go down)|哪(?:些|个|几个)[^，。？！]{0,6}(?:服务|系统|组件|应用|模块|主机|进程)[^，。？！]{0,8}(?:失败|故障|出错|出了?问题|挂了|崩溃|宕机|异常|受影响)|(?:根本原因|根因|故障原因|事故|复盘|出了什么(?:问题|故障|事))|(?:分析|排查|调查|诊断)[^，。？！]{0,16}(?:故障|失败|事件|中断|宕机|问题)|为什么[^，。？！]{0,16}(?:失败|故障|出错|挂|崩溃|宕机|报错)|(?:之前|以前|前)(?:发生了什么|有什么|做了什么)(?:变化|变更|改动)|什么导致`},
	[2]string{"correlate", `\bcorrelat\w*|\b(?:at|in|during) the same (?:minute|second|hour|moment)\b|同一(?:分钟|秒|小时)|\b(?:with)?in\s+\d+\s*(?:seconds?|secs?|minutes?|mins?|hours?|s|m|h)\s+(?:of|before|after|around)\b|\b\d+\s*(?:seconds?|secs?|minutes?|mins?|hours?)\s+(?:before|after|around|of)\b|\baround the (?:same )?time\b|\bat the same time\b|\b(?:what )?(?:happened|happens|came|occurred|preceded|is|was) (?:just |right |shortly |immediately )?(?:before|after|around)\b[^.?!]*\b(?:error|failure|crash|warning|first|last|deploy|restart|timeout|fatal|exception)|\bcoincid\w*|\bdid\b[^.?!]*\bstart (?:after|before)\b|\bline up\b|关联|相关性|同一时间|同时(?:发生|出现)|(?:前后|之前|之后|[^最]前|[^最]后)\s*\d+\s*(?:秒|分钟|小时)|\d+\s*(?:秒|分钟|小时)(?:之?内|之?前|之?后|以内)[^，。？！]*(?:发生|出现|有)|(?:错误|故障|失败|崩溃|重启|部署|警告|报错|异常)(?:激增|增多|飙升|暴增|变多|开始)?(?:之?前|之?后|以前|以后|前后)[^，。？！]{0,4}(?:发生|出现|有|部署|发布|上线|变更|改|做|升级)了?过?(?:什么|哪些|哪个|啥)|是否[^，。？！]*(?:之后|以后)(?:才)?开始`},
	[2]string{"compare", `\bcompar\w+|\bdifferen(?:ce|ces|t) between\b|\bdiffer\b|\bversus\b|\bvs\.?\b|\bwhich (?:of|one|log|file|service)\b[^.?!]*\b(?:more|fewer|less|most|larger|slower|faster|longer)\b|\bwhich (?:has|had|contains|holds) (?:the )?(?:more|fewer|less|most|least)\b|\b(?:not|missing) (?:in|from)\b|\bin both\b|\bonly in\b|\bin common\b|比较|对比|相比|差异|区别|不同之处|有什么不同|(?:只|仅)(?:在|存在于|出现在)|哪(?:个|一个|份)(?:文件|日志|服务)?[^，。？！]{0,12}(?:更多|更少|更慢|更快|更大|更小|更高|更低|多|少|高|低)\s*$|(?:不在|缺少|没有出现)|(?:^|[^一总])共有|两个文件都|都有哪些|共同`},
	[2]string{"headings", `\bheadings?\b|\b(?:table of contents|toc|outline)\b|\b(?:what|which|list|show|how many)\b[^.?!]{0,20}\b(?:sections|chapters|titles)\b|标题|目录|大纲|(?:哪些|多少个?|几个)(?:章节|小节|章)`},
	[2]string{"section", `\b(?:section|chapter|paragraph)\b|章节|小节|(?:这|那|一)节|部分(?:的内容|写|说|讲)`},
	[2]string{"fields", `\b(?:extract|pull out|give|show|list|print|select|get)\b[^.?!]*\b(?:fields?|columns?)\b|\bextract\b|\bonly the\b[^.?!]*\b(?:and|columns?|fields?)\b|提取|抽取|(?:只|仅)(?:要|列出|显示|输出)[^，。？！]*(?:列|字段|和)|(?:列出|显示|输出)[^，。？！]*(?:列|字段)`},
	[2]string{"summary", `\bsummar(?:y|i[sz]e\w*)\b|\boverview\b|\btl;?dr\b|\bdescribe\b|\bwhat(?:'s| is) (?:in|inside) (?:this|the|these|that|it|\s|$)|\bwhat(?:'s| is) (?:in|inside)\s*$|\bkey (?:points|facts)\b|\bgist\b|\bwhat does (?:this|the|it)\b[^.?!]{0,20}\b(?:contain|say)\s*$|\btell me about (?:this|the|these)\b|\banaly[sz]e\b|总结|概括|摘要|概述|概况|归纳|要点|介绍一下|描述一下|(?:里|中|文件|日志|表)面?都?(?:是|有|写了?|讲了?)些?(?:什么|啥)(?:内容)?\s*$|主要内容|分析`},
	[2]string{"top", `\btop\b|\b(?:most|least) (?:frequent|common|often|active|used|popular)\b|\bmost\b|\b(?:fewest|highest|lowest|largest|smallest|biggest|slowest|fastest|longest|shortest|cheapest|busiest|priciest|dearest|costliest|heaviest|lightest|hottest|warmest|coldest|coolest|tallest|youngest|wettest|rainiest|driest|windiest|deepest|widest|loudest|farthest|furthest|nearest|closest|richest|worst|best|strongest|weakest|quietest)\b|\b(?:rank|ranking|ranked|sort|sorted|distribution|breakdown|break down|histogram)\b|\bgroup(?:ed)?\b|\b(?:how (?:many|much)|count|counts|number|total|sum|average|avg|mean|errors?|warnings?|requests?|lines?|rows?|entries|events|messages)\b[^.?!]*\b(?:per|by|for each|in each|of each|for every|grouped by)\b|\bper (?:minute|hour|day|level|file|service|user|status|host)\b|\band (?:their|the|its) (?:counts?|numbers?|frequenc(?:y|ies)|totals?)\b|\beach\b|\bhourly\b|\bdaily\b|出现(?:次数)?最(?:多|少)|最(?:多|少|常|频繁|高|低|大|小|慢|快|长|短|贵|便宜|忙|活跃|好|差|佳|糟|旺|严重|厉害)|(?:哪|谁)[^，。？！]*得更?(?:好|多|高|快|勤|差|少|低)\s*[?？]?\s*$|[分额量绩]第一|前\s*(?:\d+|[一二两三四五六七八九十]+)(?:名|个|条|位|大|项|行|种|$|[^，。？！\d]{0,6})|排名|排行|排序|分布|按[^，。？！]{1,14}(?:统计|分组|汇总|计数|排|分类|归类|求|计算|列出|的|有|看)|每(?:个|种|类|天|小时|分钟|一|位|名|条|台|家|间|款|支)|[各每]\s*[a-z_]{2,}|各(?:个|种|类|自|级别|地区|省|城市|部门|状态|服务|产品|[\p{Han}]{1,4}的)|分组`},
	[2]string{"aggregate", `\b(?:average|avg|mean|sum|total|minimum|maximum|min|max|median|p50|p90|p95|p99|percentile|add up|how much|altogether)\b|平均|均值|总和|总计|合计|求和|多少钱|总共金额|总(?:金额|额|量|价|数量|销售额|收入|成本|时长|分)|最大值|最小值|中位数|加起来|一共花`},
	[2]string{"count", `\bhow (?:many|often)\b|[^这那前近后头第]几天|\bnumber of\b|\bcount\b|\bhow frequently\b|\btally\b|多少|几(?:条|个|次|行|种|人|位|项|笔|单|台|起|门|张|件|家)|数量|次数|条数|行数|个数|计数|统计|多久一次|频率`},
	[2]string{"first_last", `\b(?:first|last|earliest|latest|oldest|newest|most recent|final|initial)\b|\bwhen (?:did|was|were|does|do|is)\b|\bhead\b|\btail\b|\bstart(?:ed)?\b|\bbeg[aiu]n\b|第一(?:个|条|次|行|笔|单)?|最后|最早|最晚|最近|最新|首(?:个|次|条)|末(?:尾|行|条)|什么时候|何时|几点|开头|结尾|开始于`},
	[2]string{"filter", `\b(?:show|list|find|print|display|get|give me|search|grep|filter|select|look for|which|what)\b[^.?!]*\b(?:lines?|rows?|records?|entries|entry|errors?|warnings?|requests?|messages?|events?|where|with|containing|contain|contains|mention\w*|match\w*|over|under|above|below|more than|less than|longer|slower|between|after|before|from|returned|failed|took|that|are|have|has|happened|all|the)\b|\b(?:errors?|warnings?|lines?|rows?|entries)\b[^.?!]*\b(?:between|after|before|since|until|from|at|where|with|containing)\b|\bwhat happened\b|\bwho\b|列出|显示|找出|找到|查找|筛选|过滤|搜索|查询|查看|哪些|哪几|给我看|打印|包含|(?:之间|之后|以后|之前|以前)(?:的|有|发生)|发生了什么|谁`},
)

// addressesOf are looked for in a text, unlike mail that is to be written.
var addressesOf = pattern.New(`(?i)\be-?mail(?:s| addresses| address)\b|邮箱|邮件地址`)

func intentOf(text string) Intent {
	text = addressesOf.ReplaceAllString(text, "addresses")
	for _, r := range refusals {
		if r.re.MatchString(text) {
			return Refuse
		}
	}
	for _, r := range intents {
		if r.re.MatchString(text) {
			return r.intent
		}
	}
	return Unknown
}
