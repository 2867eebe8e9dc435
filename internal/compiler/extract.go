package compiler

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/sorting"
)

// Files are known by the ends of their names; a dot alone would take versions and hosts for files.
const extensions = `(?:log|txt|md|markdown|csv|tsv|jsonl|json|ndjson|yaml|yml|toml|ini|conf|cfg|env|xml|html|htm|css|pdf|docx|doc|xlsx|xls|pptx|ppt|odt|py|go|js|ts|tsx|jsx|java|rb|rs|cpp|hpp|cc|c|h|cs|php|swift|kt|sh|bat|sql|db|sqlite|bak|parquet|png|jpeg|jpg|gif|webp|svg|bmp|mp3|mp4|wav|mov|avi|zip|tar\.gz|tgz|gz|tar|out|err|diff|patch|proto|ipynb|tex|srt|eml|lock|mod|mbox|tf|vue|lua|dart|scala|ps1|gradle|plist|rst|bib|jar|pem|crt|ics|vcf|heic|rtf|epub|m4a|flac|ogg|mkv|rar|7z|psd)`

var (
	fileName  = pattern.New(`(?:[A-Za-z]:\\|~?/|\.{1,2}/|\.)?[\p{Han}A-Za-z0-9_*\-][\p{Han}A-Za-z0-9_./\\*\-]*?\.` + extensions + `(?:\.` + extensions + `|\.\d{1,3})*\b`)
	product   = pattern.New(`(?i)^(?:node|vue|react|next|nuxt|express|three|d3|angular|ember|chart|moment|socket|alpine|backbone)\.js$|^(?:console|math)\.log$`)
	hanBefore = pattern.New(`^.*(?:分析|总结|读取|读一下|打开|查看|看看|看一下|看|对比|比较|统计|检查|翻译|把|将|从|在|到|至|成|为|写入|输出|导出|保存|存|和|与|及|跟|或|请|用|的|里|中|下|删除|处理|文件|日志|叫|给|对|根据|按|按照|依据|参考|读|写|发|改|删|传|找)`)
	writes    = pattern.New(`(?i)\b(?:writes?|zip|pack|compress|bundle|rename|copy|move|merge|combine|join|back up|backup|save|export|output|store|put|dump|print|append|add (?:it|them|this|that|these|those|all|everything)|record|report|results?|summary|answer|send|name|call|convert|turn|render|deliver|produce|create|generate|make)\b|写|存|记|合并|拼|打包|压缩|改名|重命名|复制|拷贝|导出|输出|生成|保存|备份|放|汇总|整理|转|[导改换]成|创建|新建|命名|新(?:表|文件|文档)叫|文件名`)
	toFile    = pattern.New(`(?i)(?:\b(?:writes?|(?:name|call) (?:it|them|this))\s+` +
		`|\b(?:to|into|as|in|under|called|named)\s+(?:the name\s+)?(?:a\s+|the\s+|new\s+|short\s+|single\s+|final\s+|clean\s+|[a-z]+-[a-z]+\s+)*(?:file\s+)*(?:called\s+|named\s+)?` +
		`|\b(?:create|generate|make|produce|write)\s+(?:a\s+|the\s+|new\s+|me\s+)*(?:file\s+)*(?:called\s+|named\s+)?` +
		`|(?:(?:到|入|为|成|至|进|写|放|生成|创建|新建|在)(?:一个)?(?:文件)?|新(?:表|文件|文档)(?:叫|命名为)|输出|文件名(?:叫|为|是|用)?)\s*)["'“「` + "`" + `]?$`)
)

// notTarget is what stands before a file that is not to be written, though it looks like it.
var notTarget = oneOf{
	// where something stands: the errors in a.log, the notes are in b.md
	pattern.New(`(?i)\b(?:errors?|lines?|rows?|entries|messages?|words?|data|bugs?|problems?|found|listed|described|columns?|requests?|events?)\s+(?:are\s+|is\s+)?in\s+(?:the\s+)?(?:file\s+)?["'“]?$`),
	pattern.New(`(?i)^(?:the|my|our|all|it|everything)\b[^,]*\b(?:is|are|was|were|stands?) in\s+(?:the\s+)?(?:file\s+)?$`),
	// what something is made for: a test for f in c.go
	pattern.New(`(?i)\b(?:tests?|docs?|docstrings?|comments?|mocks?|benchmarks?|stubs?|wrappers?)\s+(?:for|of|to)\s+(?:\S+\s+){1,3}in\s+$`),
	pattern.New(`(?i)\bfor (?:the|this|that) \w+ in\s+$`),
	pattern.New(`(?i)\bcompared?\s+(?:\S+\s+){1,3}to\s+$`),
	// what has been written: 我写了前五页在
	pattern.New(`[写存放导][^，。]{0,2}[了过][^，。再并然后]*$`),
}

// readFiles sorts the files that the message names into sources and those to be written. text is bare, byte for
// byte, with what is quoted covered; it comes back with the names covered too.
func (r *reading) readFiles(text string) string {
	out := []byte(text)
	for _, m := range fileSpans(text) {
		name := r.bare[m[0]:m[1]]
		copy(out[m[0]:m[1]], strings.Repeat("x", len(name)))
		before := sameSentence(text[:m[0]])
		if product.MatchString(name) || excluded.MatchString(before) || exceptAfter.MatchString(text[m[1]:min(len(text), m[1]+40)]) {
			continue
		}
		written := slices.ContainsFunc(r.targets, func(t target) bool { return t.name == name })
		switch {
		case !isTarget(before):
			if (!written || r.attached(name)) && !slices.Contains(r.named, name) {
				r.named = append(r.named, name)
			}
		case !written:
			r.targets = append(r.targets, target{name, m[0]})
		}
	}
	return string(out)
}

// fileSpans gives where the names of files stand in text: what has the ending of one, with all words of it if it
// stands in quotes, and paths of the system's folders.
func fileSpans(text string) [][]int {
	var found [][]int
	for _, m := range quoted.FindAllStringSubmatchIndex(text, -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 && isFile(text[m[i]:m[i+1]]) {
				found = append(found, []int{m[i], m[i+1]})
			}
		}
	}
	for _, m := range append(fileName.FindAllStringIndex(text, -1), systemPath.FindAllStringIndex(text, -1)...) {
		m[0] = m[1] - len(trimHan(text[m[0]:m[1]]))
		found = append(found, m)
	}
	sorting.By(found, func(a, b []int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) })
	end := 0
	return slices.DeleteFunc(found, func(m []int) bool {
		if m[0] < end {
			return true
		}
		end = m[1]
		return false
	})
}

// isFile reports whether a quoted text is the name of one file, which may have blanks in it.
func isFile(text string) bool {
	m := fileName.FindAllStringIndex(text, -1)
	return len(m) == 1 && m[0][1] == len(text) && strings.Count(text, " ") <= 5 && !strings.ContainsAny(text, ":,，。")
}

// systemPath is a file in one of the folders that every Unix system has.
var systemPath = pattern.New(`/etc/[\w.-]+|/(?:etc|var|usr|opt|home|srv|proc|tmp|root|run)(?:/[\w.-]*\w){2,}`)

// excluded is what stands before a file's name that is left out of the work.
var excluded = pattern.New(`(?i)\b(?:(?:do not|don't|never) (?:touch|change|modify|edit|alter|delete|overwrite)|skip|skipping|except(?: for)?|excluding|exclude|ignore|ignoring|omit|leave out|other than|not|not (?:in|on|from|to|for))\s+(?:\S+\s+(?:and|or|,)\s+){0,3}$|(?:跳过|除了|忽略|排除|不包括|不含|(?:不要|别|勿)(?:动|改|碰|删|修改|改动|删除|覆盖))\s*(?:\S+\s*(?:和|与|及|、)\s*){0,3}$`)

// exceptAfter is what stands behind such a name in Chinese.
var exceptAfter = pattern.New(`^\s*(?:除外|不算|不动|别动|不要动|保持不变)`)

func (r *reading) attached(name string) bool {
	for _, f := range r.in.Files {
		if names(name, f.Name) {
			return true
		}
	}
	return false
}

// trimHan takes Chinese words off the front of a file's name that belong to the sentence.
func trimHan(name string) string {
	plain := compounds.ReplaceAllStringFunc(name, func(w string) string { return strings.Repeat("x", len(w)) })
	own := name[len(hanBefore.FindString(plain)):]
	if strings.LastIndexByte(own, '.') == 0 {
		return name // it has no other: 年度总结.docx
	}
	return own
}

// compounds are words of the names of files in which a character is no word that could stand before a name: 对账单.xlsx.
var compounds = pattern.New(`对[账比照策白]|和[解谐声]|从业|在[职建线岗]|到[货期账]|成[绩本果品交语长员]|为人|存[货款折储档]|发[票货言布薪]|传[真单播]` +
	`|找零|读[书后者]|写[作真]|改[造进革版]|请[假示柬购]|用[户工量料车]|[中下]标|中[期秋考班介文英]|下[载周月]|[公大小共]里|里程|叫号|给[水养]|[依根数证]据|看板`)

// isTarget reports whether what stands before a file's name says that it is to be written.
func isTarget(before string) bool {
	end := before[max(0, len(before)-maxTarget):]
	return (intoFile.MatchString(end) || toFile.MatchString(end) && writes.MatchString(before)) && !notTarget.MatchString(before)
}

// intoFile stands before a file that something goes into, whatever is done with it: split it into a.csv and b.csv.
var intoFile = pattern.New("(?i)\\b(?:extract|split|collect|gather|pull|filter|parse|load|transcribe|translate|summari[sz]e|turn|scrape)\\b(?:[^.;!?]|\\.\\w)*\\binto\\s+(?:(?:a|the|new|one|file)\\s+)*[\"'“`]?$")

// maxTarget bounds how many bytes before a name can say that it is to be written.
const maxTarget = 120

// maxSentence bounds how much before and behind a file's name or a joint is looked at, in bytes, so that a
// text of many takes no longer for each than the first.
const maxSentence = 400

// tail gives the end of s, at most maxSentence bytes.
func tail(s string) string {
	if len(s) > maxSentence {
		return strings.ToValidUTF8(s[len(s)-maxSentence:], "")
	}
	return s
}

func sameSentence(before string) string {
	before = tail(before)
	if list := sentences(before); len(list) > 0 && strings.HasSuffix(strings.TrimSpace(before), list[len(list)-1]) {
		return list[len(list)-1] + before[len(strings.TrimRight(before, " ")):]
	}
	return ""
}

// rest is what follows up to the end of a clause; a dot within a name or number does not end it.
const (
	rest      = `(?:[^,.;:!?\n，。；]|\.\w)*`
	money     = `[$€£¥￥]\s*\d[\d,.]*(?:\s*(?:k|million|thousand|each|per \w+|total))?`
	numeral   = `(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|fifty|hundred)`
	count     = numeral + `(?:\s*(?:to|or|-|–)\s*` + numeral + `)?`
	number    = `(?:half an?|an?|` + count + `)`
	unit      = `(?:words?|characters?|chars|lines?|sentences?|paragraphs?|pages?|bullets?(?: points?)?|items?|points?|rows?|minutes?|seconds?|hours?|days?|tokens?|examples?|steps?|cases?|results?|entries|options?|ideas?|sources?|questions?|files?|retries|attempts?|times|people|slides?|chapters?|sections?|percent|%|mb|kb|gb|usd|eur(?:os?)?|gbp|cny|rmb|yuan|pounds|dollars|bucks|cents|€|\$|(?:tool |model |api )?calls?|requests?|rounds?|min|mins|secs?|hrs?|km|kg|nights?|themes?|tries)`
	tongue    = `(?:english|chinese|mandarin|simplified chinese|traditional chinese|french|german|spanish|japanese|korean|russian|italian|portuguese|arabic|hindi|dutch|polish|turkish|swedish|norwegian|danish|finnish|greek|czech|hungarian|romanian|ukrainian|vietnamese|thai|indonesian|hebrew|persian|catalan|latin|cantonese)`
	zhTongue  = `(?:中文|汉语|简体中文|繁体中文|英文|英语|日文|日语|法文|法语|德文|德语|韩文|韩语|俄文|俄语|西班牙语|葡萄牙语|意大利语|阿拉伯语|越南语|泰语|波兰语|荷兰语|土耳其语|印尼语|粤语|双语)`
	yesOrNoZH = `(?:只|仅)?(?:要)?(?:(?:回答|答)[“"]?(?:是|对)[”"]?(?:或|还是)[“"]?(?:否|不是|错)[”"]?|用[“"]?(?:是|对|真)[”"]?(?:或|还是)[“"]?(?:否|不是|错|假)[”"]?(?:来)?(?:回答|作答))`
	zhNum     = `(?:[0-9][0-9.,]*|[一二两三四五六七八九十百千半几]+)[万千百]?`
	zhUnit    = `(?:大卡|千卡|卡路里|毫升|级|层|本|部|家|版|款|种|件|首|幅|遍|套|杯|辆|个单词|个半小时|块钱|毛钱|个字|个用例|字|句话|句|行|段|页|条|点|个要点|个单词|单词|个词|词|个|分钟|小时|天|秒|步|篇|元|块|美元|用例|次|人|名|张|道题|题|条|公里|毛|角|美金|欧元|KB|MB|GB|兆|轮)`
)

// What limits an answer otherwise.
var (
	exceptEN = pattern.New(`(?i)\b(?:(?:any|every|all)\s?\w+(?:\s\w+)? but\b|(?:has|have|having|with|use|uses|using|contains?|containing|includes?) no\s+[a-z]|(?:without|except(?: for)?|excluding|ignoring|omitting|skipping|other than|not including|but not|rather than|instead of|minus (?:the|any|all))\b)` + rest)
	exceptZH = pattern.New(`除了?[^，。；]{1,16}(?:以外|之外)|(?:在)?(?:不|没有|无)[^，。；]{1,8}的(?:情况|前提)下`)

	ifEN = pattern.New(`(?i)\b(?:show|ask|tell)(?: me)? (?:it|(?:the|a|what|which|your)(?: \w+){1,5}?) first\b|\b(?:show|ask|tell)(?: me)? first(?:\s*[,.;:!?\n]|\s*$)|\b(?:unless|only if|only when|(?:stop|abort|halt|wait|roll back) (?:if|when|before|after)|(?:ask(?: me)?|tell me) (?:first )?(?:when|before))\b` + rest + `|\bif (?:it|that|this|you|we|i|they|there|the [\w ]{1,30}|any(?:thing| [\w ]{1,20})|something|nothing) (?:fails?|breaks?|goes wrong|(?:is|are|am|'re|get) (?:missing|empty|unclear|unsure|stuck|not \w+|in doubt|no \w+|too \w+)|(?:does|do|is|are|ca|could|did|wo)n't|(?:does|do|did|could|will) not|cannot)\b` + rest + `(?:,\s*[^,.;!?\n]+)?|\bbefore (?:you\s|chang|delet|send|merg|deploy|restart)\w*` + rest + `(?:,` + rest + `)?`)
	ifZH = pattern.New(`先(?:给我看|问(?:一下)?我|让我(?:看|确认))[^，。；！？,;\n]*|(?:如果|若是?|一旦|要是|万一|只有当)[^。；！？;\n]{1,24}?[，,]?(?:就|则|请|先|立即|马上|必须|再)[^，。；！？,;\n]*|太[^，。；！？,;\n]{1,4}就[^，。；！？,;\n]+|[^，。；！？,;\n]{1,16}(?:[^，。；！？,;\n平有小当同暂及随准临按]时|的话|之前|以前|前)[，,]?(?:也?要|也得|就|先|请|必须|不要|别)[^，。；！？,;\n]*|[^，。；！？,;\n]{1,16}(?:之前|以前|前)[，,]?(?:[列给让问]|告诉|备份|确认)[^，。；！？,;\n]*|[^，。；！？,;\n]{0,10}[没不未][^想，。；！？,;\n][^，。；！？,;\n]{0,7}就[^，。；！？,;\n]+`)

	demandEN = pattern.New(`(?i)(?:\b(?:you|it|this|that|they|everything|all|each|the [\w ]{1,30}|answers?|results?)\s+)?\b(?:must|should|has to|have to|needs? to|make sure|ensure|be sure|always)\b` + rest)
	demandZH = pattern.New(`[^，。；：！？,;\n]{0,8}(?:必须|务必|一定要|要求|确保|匿名|脱敏|保留|精确到|覆盖|至少要|只(?:准|许|可以|允许|提|做|改|修|删|翻|读|查|留|取|发|问|算|比|要|能|用|看|给|列|写|说|回答|需|保留|统计|考虑|输出|返回|显示|包含)|仅(?:限|用|看|列|统计|输出|返回|包含|使用|供)?)[^，。；！？,;\n]*|` + yesOrNoZH)

	yesOrNo  = pattern.New(`(?i)^(?:answer|reply|respond|say)\s+(?:with\s+)?(?:just\s+)?(?:yes or no|true or false)\b|` + yesOrNoZH)
	tongueEN = pattern.New(`(?i)\b(?:in|into|to|using) (?:plain |simple |british |american )?` + tongue + `(?:(?:,| and|, and| or) ` + tongue + `)*\b`)
	tongueZH = pattern.New(`(?:请)?(?:用|以|使用|译成|翻译成|翻成|写成|译为|翻译为)` + zhTongue + `(?:[、和与及或]` + zhTongue + `)*(?:回答|回复|写|作答|输出|说明|撰写)?`)

	styleZH = pattern.New(`用[^，。；给把]{0,4}(?:白话|人话|的话|语言)[讲说解回答明释]{0,2}` +
		`|[写改弄搞做翻排画讲剪]得[^好不对太很完了动起，。；！？,;\n的][^，。；！？,;\n的]{0,7}` +
		`|(?:可以|尽量|要|请|写得|语气|风格)?(?:简短|简洁|简明|简要|精简(?:[到成][^，。；！？,;\n]+)?|详细|通俗易懂|通俗|口语化|正式|礼貌|幽默|专业)(?:一?些|一?点|地|的语气|的风格|明了|扼要)?`)
	toneZH = pattern.New(`(?:语气|口吻|措辞)(?:要|请)?[^，。；！？,;\n]{1,8}`)

	readerEN = pattern.New(`(?i)\blike (?:i'm|im|i am) (?:an? )?(?:(?:complete|total) )?(?:\d+|five|six|seven|eight|nine|ten|child|kid|beginner|idiot|dummy|new to \w+)\b|\bfor (?:a |an |the |my )?(?:(?:non-?technical|senior|junior) \w+|(?:beginners?|child(?:ren)?|kids?|experts?|(?:\d+|five|six|seven|eight|nine|ten|eleven|twelve)[- ]year[- ]olds?)\b)`)

	dueZH  = pattern.New(`(?:在|请)?(?:上午|下午|早上|晚上)?(?:\d{4}-\d{2}-\d{2}\s*|今天|今早|今晚|明天|明早|明晚|后天|(?:本|这|下)?(?:周|星期)[一二三四五六日天末]?|下班|月底|年底|中午|[0-9一二三四五六七八九十]+(?:点|号|日|月|小时|分钟|天))[^，。；,;\n把将]{0,6}(?:之前|以前|前|之内|内)(?:完成|给我|提交)?|(?:截止(?:到|至|时间|日期)?(?:为|是|：|:)?|最晚|最迟)[^，。；,;\n]{0,4}[0-9一二三四五六七八九十今明后周月下本][^，。；,;\n]{0,10}|尽快|尽早|马上|立刻`)
	spanEN = pattern.New(`(?i)\b(?:after|since)\s+\d{1,2}(?::\d{2}|\s*(?:am|pm)\b)|\bfrom\s+\d{1,2}(?::\d{2}|\s*(?:am|pm))\s*(?:to|until|-)\s*\d{1,2}(?::\d{2})?(?:\s*(?:am|pm))?|\bbetween\s+\d[\d:\-/ .]*(?:am|pm)?\s*(?:and|to|until|-)\s*\d[\d:\-/ .]*\d(?:\s*(?:am|pm|` + unit + `)\b)?|\b(?:pages?|lines?|rows?|chapters?|sections?)\s+\d+\s*(?:-|–|to|through)\s*\d+`)
	spanZH = pattern.New(`\d{1,2}\s*[:：点]\d{0,2}分?\s*(?:到|至|-|~|—)\s*\d{1,2}\s*[:：点]\d{0,2}分?(?:之间)?|第?\s*\d+\s*(?:到|至|-|~)\s*\d+\s*(?:页|章|行|条|段|节|列)`)
)

// What the result must look like.
var (
	formEN = pattern.New(`(?i)\bgive me (?:only |just |valid )*(?:json|csv|yaml|xml)\b|\b(?:as|in|into|using|with|in the form of|formatted as|return|output)\s+(?:a |an |the )?(?:short |simple |numbered |bulleted |bullet |markdown |html |nested |sorted |two-column )*(?:table|list|bullet points?|bullets|json|yaml|csv|tsv|xml|markdown|html|pdf|chart|diagram|graph|outline|spreadsheet|checklist|mind map|plain text|latex|svg|png|jpe?g|docx|word|excel|xlsx|pptx|txt|toml|sql)\b(?: format| form)?(?:\s+(?:with|of|sorted by|ordered by)\s+[^,.;!?\n]+)?`)
	formZH = pattern.New(`(?:用|以|按|导出|按照|做成|整理成|列成|写成|输出|返回|画成|转成|生成|制成|给出)(?:一个|一张|一份|成|为)?(?:Markdown|HTML|markdown|html)?\s*` +
		`(?:Word|word|Excel|excel|PPT|ppt|SVG|svg|PNG|png|表格|列表|清单|要点|图表|大纲|思维导图|流程图|(?:柱状|条形|折线|饼|散点)图|JSON|json|YAML|yaml|CSV|csv|Markdown|markdown|HTML|html|PDF|pdf|纯文本|项目符号)` +
		`(?:\s*的?(?:形式|格式|方式))?(?:输出|返回|给出|展示|列出|回答)?`)
	alsoEN = pattern.New(`(?i)\b(?:cite|quote)\s+(?:the|your|all|each|every)\s+[a-z]` + rest + `|\b(?:include|including|cite|citing|quote|quoting|with|mention|attach|show|list|add|give)\s+(?:the |a |an |all |your |each |their |its |at least )*(?:\w+\s){0,2}(?:sources?|references?|citations?|steps|passages?|wording|line numbers?|examples?|links?|headings?|title|time ?stamps?|units|confidence|page numbers?|file names?|lines|subject line|comments|tests?)\b` + rest)
	alsoZH = pattern.New(`原[文话][^，。；！？,;\n]{0,3}(?:贴|引|附|抄|列)[^，。；！？,;\n]*` +
		`|(?:注明|标注|标明|附上|附带|附|带|举|引用|给出|包含|包括|列出|写明|加上|带上)[^，。；！？,;\n]{0,6}` +
		`(?:来源|出处|引用|行号|例子|示例|链接|标题|时间|单位|页码|文件名|注释|参考|理由|原因|原文|原话|负责人|数据|答案)[^，。；！？,;\n]*`)
	writeEN = pattern.New(`(?i)\b(?:writes?|zip|pack|compress|bundle|rename|copy|move|merge|combine|join|back up|save|export|output|store|put|dump|append|record|send|deliver|render|create|generate|make|produce|name|call|convert|turn|print|add)\b`)
	fileZH  = pattern.New(`[^，。；！？,;\n]*(?:到|入|为|成|至|进|写|放|生成|创建|新建|在|新表叫|新(?:文件|文档)叫|输出|文件名(?:叫|为|是|用)?)(?:一个)?(?:文件)?\s*["“「]?$`)
	// fileList are names of files with commas between them, which are no pauses.
	fileList = pattern.New(`(?:[\w./*-]+\.` + extensions + `\s*[,，、]\s*)+`)
	pauses   = pattern.New(`[,;!?\n，。；：]|\.\s`)
)

// becomes stands before a bound that a thing is to pass before anything is done: when it goes over 90 %.
var becomes = pattern.New(`(?i)\b(?:if|when|whenever|once|time|soon as)\b.*\b(?:goes|go|is|are|gets?|rises?|drops?|falls?|grows?|climbs?|stays?|was|were|hits)\s*$`)

// everyEN begins a clause in which a time is that of a schedule, and no deadline.
var everyEN = pattern.New(`(?i)^\s*(?:every|each)\b`)

// asIfEN is what somebody or something is to be taken for: explain it as if I were ten.
var asIfEN = pattern.New(`(?i)\bas (?:if|though) [^,.;:!?\n]+`)

// limiting is what limits the work within a clause. A clause that demands is one limit as a whole; what is
// told limits nothing.
var limiting = []phrase{
	{is: limitEN, in: open | asked, after: becomes},
	{is: limitZH, in: open | asked},
	{is: exceptEN, in: open},
	{is: exceptEN, in: asked, with: ownEN},
	{is: exceptZH, in: open | asked},
	{is: demandEN, in: open, after: whInEN},
	{is: demandZH, in: open},
	{is: onlyEN, in: open, after: pattern.New(`-$`)}, // a read-only replica
	{is: tongueEN, in: open | asked},
	{is: tongueZH, in: open | asked, before: pattern.New(`^(?:怎么|如何|是什么|叫|该)`)},
	{is: readerEN, in: open},
	{is: asIfEN, in: open, with: wordAhead},
	{is: styleEN, in: open | asked},
	{is: styleZH, in: open | asked},
	{is: toneZH, in: open},
	{is: dueEN, in: open | needed, after: everyEN},
	{is: dueZH, in: open | needed, before: pattern.New(`^(?:的|提醒|[叫喊]我)`)}, // of days ago, or when to remind: no deadlines
	{is: spanEN, in: open | asked},
	{is: spanZH, in: open | asked},
	{is: ifEN, in: open},
	{is: ifZH, in: open},
}

// A form may be all that a clause says: pdf please.
var (
	bareForm  = pattern.New(`(?i)\b(?:pdf|json|csv|tsv|xml|yaml|markdown|html|docx|xlsx|pptx|plain text|bullet points)(?: (?:format|file|only|please|pls|plz))+`)
	wordAhead = pattern.New(`[\pL\pN]`)
	wordBack  = pattern.New(`^[ \t]*[\pL\pN"“]|^\.\w`)
)

// shaping is what says how the result must look.
var shaping = []phrase{
	{is: formEN, in: open | demand},
	{is: bareForm, in: open | demand, after: wordAhead, before: wordBack},
	{is: formZH, in: open | demand},
	{is: alsoEN, in: open | demand},
	{is: alsoZH, in: open | demand},
	{is: tongueEN, in: open | demand},
	{is: tongueZH, in: open | demand},
}

func (r *reading) constraints() []string {
	found := append(r.clauses.find(limiting), r.clauses.cases...)
	for _, c := range r.clauses.list {
		if c.mood == demand {
			found = append(found, []int{c.start, c.to})
		}
	}
	return cutOut(r.bare, found)
}

func (r *reading) output() []string {
	out := r.writing()
	found := slices.DeleteFunc(r.clauses.find(shaping), func(f []int) bool { return r.clauses.forbids(f[0]) })
	for _, s := range cutOut(r.bare, found) {
		if !slices.ContainsFunc(out, func(o string) bool { return strings.Contains(o, s) }) {
			out = append(out, s)
		}
	}
	return out
}

// writing gives the clauses that say into which file the result goes.
func (r *reading) writing() []string {
	var out []string
	for _, t := range r.targets {
		name, before := t.name, r.bare[:t.at]
		from := cmp.Or(fileZH.FindString(before), toFile.FindString(before))
		// The clause begins at the last verb of writing that no pause divides from the name.
		for _, m := range writeEN.FindAllStringIndex(before, -1) {
			if !pauses.MatchString(fileList.ReplaceAllString(before[m[0]:], " ")) {
				from = before[m[0]:]
			}
		}
		if mark, _ := utf8.DecodeLastRuneInString(before); closing[mark] != 0 {
			name += string(closing[mark])
		}
		out = append(out, through.ReplaceAllString(polite(from+name), ""))
	}
	return out
}

// marks are trimmed off a piece; a dot in front only where no name begins with it.
const marks = " \t\r\n,，。;；:：?!\"”"

var leadingDot = pattern.New(`^\.\s+`)

// politeEnd is politeness at the end of a piece.
var politeEnd = pattern.New(`(?i)[ \t]+(?:please|pls|plz|thanks|thx|tho)[\s.,;!]*$|[哈哦啊呀噢喔哟]+$`)

// cutOut gives the pieces of text that were found, in the order of the text. What lies within another
// find, or overlaps an earlier one, is left out.
func cutOut(text string, found [][]int) []string {
	sorting.By(found, func(a, b []int) int {
		if a[0] != b[0] {
			return a[0] - b[0]
		}
		return b[1] - a[1]
	})
	var out []string
	end := 0
	for _, f := range found {
		if dash := strings.Index(text[f[0]:f[1]], " - "); dash > 0 {
			f[1] = f[0] + dash
		}
		s := politeEnd.ReplaceAllString(strings.TrimRightFunc(text[f[0]:f[1]], blankOrPicture), "")
		s = strings.TrimRight(strings.TrimRightFunc(s, blankOrPicture), marks+".")
		s = strings.TrimLeft(leadingDot.ReplaceAllString(s, ""), marks)
		if strings.Count(s, "“") > strings.Count(s, "”") {
			s += "”"
		}
		if inner, ok := strings.CutPrefix(s, "("); ok || !strings.Contains(s, "(") {
			s = strings.TrimSuffix(inner, ")")
		}
		if f[0] < end || s == "" || slices.Contains(out, s) {
			continue
		}
		out, end = append(out, s), f[0]+len(strings.TrimRight(text[f[0]:f[1]], " ,.;:!?，。；："))
	}
	return out
}

// onlyOutput reports whether a sentence or clause says no more than what the result looks like or
// where it goes.
func onlyOutput(s string) bool {
	head := resultWord.FindStringIndex(s)
	if head == nil {
		return false
	}
	for _, m := range fileName.FindAllStringIndex(s, -1) {
		from := m[1] - len(trimHan(s[m[0]:m[1]]))
		if from >= head[1] && isTarget(tail(s[:from])) {
			return true
		}
	}
	return formEN.MatchString(s) || formZH.MatchString(s)
}

var resultWord = pattern.New(`(?i)^(?:please )?(?:write|save|export|output|store|put|dump|record|format|return|give|present|show)\s+(?:it|them|this|that|the|your|a|all|everything|me|results?|report|summary|answer|findings)\b|^(?:把|将)?(?:结果|报告|总结|答案|内容|结论|它|其|分析)?[^，。]{0,6}(?:写入|写到|写成|保存|存|导出|输出|放|整理成|列成)`)
