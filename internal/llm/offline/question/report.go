package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// unnamed closes a message with the wish for a report that no file is named for.
var unnamed = pattern.New(`(?i)(?:^|[\s,;.])\s*(?:and\s+|then\s+|also\s+|finally\s+|please\s+|can you\s+|could you\s+)*(?:write|create|make|produce|generate|prepare|draft|compile|save)\s+(?:me\s+|us\s+|up\s+|out\s+|down\s+)*(?:it\s+(?:in|as|to)\s+|that\s+(?:in|as|to)\s+|this\s+(?:in|as|to)\s+)?(?:an?|the|your|my|one)?\s*(?:(?:short|brief|full|detailed|complete|small|nice|markdown|summary|incident|analysis|written)\s+)*reports?(?:\s+files?)?(?:\s+(?:about|on|of|for|with|from)\s+(?:it|this|that|them|these|the\s+(?:results?|findings?|numbers)|everything))?(?:\s+(?:in|as)\s+(?:markdown|a file))?(?:\s+(?:too|as well|please|for me))*\s*[.!]*\s*$` +
	`|[\s，,。；;、]*(?:并且?|然后|之后|再|最后|同时|也|还|请|帮我|给我|麻烦)*(?:写出?|撰写|编写|生成|做出?|出具?|形成|整理成?|整理出|输出|写成|汇总成|保存(?:为|成)|存(?:为|成))(?:一下)?(?:一?[份个篇]|成)?(?:简短|简单|简要|完整|详细|书面|分析|总结|汇总|统计|的)*(?:报告|报表)(?:文件)?(?:给我|吧)?\s*[。.！!]*\s*$`)

// aboutIncident is a wish that says by itself what the report is of.
var aboutIncident = pattern.New(`(?i)incident`)

// dropUnnamed takes the wish for a report that no file is named for out of the words.
func dropUnnamed(words string) (rest string, ok bool) {
	loc := unnamed.FindStringIndex(words)
	if loc == nil {
		return words, false
	}
	rest = strings.TrimRight(words[:loc[0]], " \t\n,;，；、")
	if rest == "" && aboutIncident.MatchString(words[loc[0]:]) {
		return words, false
	}
	return rest, true
}

// overwrites stands before the name of a file that is there, if that is to be written all the same.
var overwrites = pattern.New(`(?i)\b(?:write|save|put|store|export|output|dump|record)\b[^?!。？！]*\b(?:reports?|summary|results?|answers?|findings?|figures?|numbers?|it|this|that|them|everything)\s+(?:(?:back|again|down)\s+)?(?:to|into|in|as)\s+(?:the\s+|a\s+)?(?:file\s+)?["'“` + "`" + `]?$|\b(?:write|save|export|store)\s+(?:to|into|as)\s+(?:the\s+)?(?:file\s+)?["'“` + "`" + `]?$|(?:写入|写到|写进|保存到|保存为|存到|存入|存为|存成|输出到|导出到|导出为|记录到|写成|报告到|报告为)\s*(?:文件)?\s*["“` + "`" + `]?$`)
