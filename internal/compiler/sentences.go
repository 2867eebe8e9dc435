package compiler

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
)

var codeBlock = pattern.New("(?s)```[^\n]*\n(.*?)(?:```|$)")

// cutCode takes the code blocks out of text.
func cutCode(text string) (bare string, code []string) {
	for _, m := range codeBlock.FindAllStringSubmatch(text, -1) {
		code = append(code, m[1])
	}
	return codeBlock.ReplaceAllString(text, "\n"), code
}

// sentences cuts text at line ends and at the marks that end a sentence. A dot ends one only
// before a space or the end, so names, numbers and links stay whole; nothing inside quotes does.
func sentences(text string) []string {
	var out []string
	start, quote := 0, rune(0)
	for i, c := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(valid(c)):])
		end := false
		switch {
		case c == '\n':
			end, quote = true, 0
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case closing[c] != 0:
			quote = closing[c]
		case strings.ContainsRune("。！？；", c):
			end = true
		case strings.ContainsRune(".!?;", c):
			end = after == utf8.RuneError || unicode.IsSpace(after)
		}
		if end {
			next := i + utf8.RuneLen(valid(c))
			out = appendText(out, text[start:next])
			start = next
		}
	}
	return appendText(out, text[start:])
}

// valid gives c, or for a broken byte a rune of its width.
func valid(c rune) rune {
	if c == utf8.RuneError {
		return 'x'
	}
	return c
}

func appendText(list []string, s string) []string {
	s = strings.TrimLeft(strings.TrimSpace(s), "-*•· ")
	if strings.Trim(s, " .。!！?？;；") == "" {
		return list
	}
	return append(list, s)
}

// closing gives the mark that ends a quotation. An apostrophe begins none.
var closing = map[rune]rune{'"': '"', '“': '”', '「': '」', '『': '』', '《': '》', '`': '`'}

var (
	quoted    = pattern.New("\"([^\"\n]{1,400})\"|“([^”\n]{1,400})”|「([^」\n]{1,400})」|『([^』\n]{1,400})』|《([^》\n]{1,400})》|`([^`\n]{1,400})`|(?:^|[\\s(:：])'([^'\n]* [^\n]{1,400}?)'(?:$|[\\s.,;:!?)])")
	afterMark = pattern.New(`(?is)(?:(?:these|the following)(?:\s+\w+){1,3}|this|these|following|below|text|sentence|paragraph|email|message|poem|code|into \w+|to \w+|translate|proofread|翻译(?:一下)?|润色(?:一下)?|改写(?:一下)?|校对(?:一下)?|以下[^：:，。]{0,8}|下面[^：:，。]{0,8}|这[句段篇些首封][^：:，。]{0,6}|这(?:个|条|份)?(?:内容|文字|代码|邮件|通知|消息|报错|句子|诗|信|话)|成?[中英日法德韩俄]文|[英日法德韩俄]语|内容|原文|文字|句子|如下)\s*[:：]\s*(\S.*)$`)
)

// behindOrder is text that a message brings behind the order that is about it: "Rewrite this so that it is
// short: ...". What stands before the colon names a text, or somebody who is to be told.
var behindOrder = pattern.New(`(?is)(?:\b(?:this|these|following|below)(?:\s+(?:text|paragraph|email|message|letter|sentence|abstract|essay|poem|intro|post|reply|code))?(?:\s+(?:so|to|into|in|for|as|with|and|please|without|using)\b|\s*,)[^:：\n]{0,80}|\b(?:text|emails?|messages?|notes?|paragraphs?|sentences?|letters?|comments?|reviews?)\s+(?:below|above)?[^:：\n]{0,80}|(?:这|以下|下面|上面)[^：:，。\n]{0,3}(?:记录|笔记|纪要|材料|名单|邮件|话|句|段|文字|文章|文案|通知|消息|短信|内容|诗|信|作文|简历|英文|中文)[^：:\n]{0,40})[:：]\s*(\S.*)$|(?:翻译?[成为]|译[成为]|润色|改写|校对|缩写|扩写|改得)[^：:\n]{0,40}[：:]\s*(\S.*)$|(?:通知|转告|群发|发群里|回复说?|[回发]一?[个封条](?:邮件|信|消息|短信))(?:大家|他|她|他们|客户|一下|一声|家长|同事)*[：:]\s*([^。\n]+。?)`)

// brought gives the text that stands behind a colon and is what the work is about.
func brought(text string) string {
	m := afterMark.FindStringSubmatch(text)
	switch {
	case m != nil && !strings.HasPrefix(m[1], "//") && strings.Trim(fileName.ReplaceAllString(m[1], ""), " ,，、.。") != "":
		if before := strings.TrimSuffix(text, m[1]); !onThis.MatchString(before) || wants(m[1]) == "" {
			return beforeWording(m[1])
		}
		return ""
	case m != nil:
		return ""
	}
	if m = behindOrder.FindStringSubmatch(text); m == nil {
		return ""
	}
	if m[3] != "" {
		return m[3]
	}
	own := m[1] + m[2] // one of the two
	if first := sentences(own); Columns(own) < 20 || len(first) > 0 && wants(first[0]) != "" {
		return ""
	}
	return beforeWording(own)
}

// onWording is a sentence that says in which words a text is to be put. Behind a text in the same line it is no
// part of it.
var onWording = pattern.New(`(?i)^(?:please )?(?:group|sort|order|rank|number) (?:it|them|these|the (?:list|results?|output|answers?))\b[^,.;:!?]*[.!]?$|^(?:please )?(?:use|(?:keep|make|write|put) (?:it|this|that)|stay|be|in|no|don't use|avoid|at most|max(?:imum)?)\b[^.,;:!?]*\b(?:` + wordingEN + `)\b[^.,;:!?]*[.!]?$` +
	`|^(?:请|要|注意|尽量)*(?:用|保持|不要|别|控制在|不超过|最多|` + wordingZH + `)[^，。：:]*(?:` + wordingZH + `|字以?内?)[^，。：:]{0,4}[。！]?$|^(?:语气|口吻|措辞|风格)[^，。：:]{1,10}[。！]?$|^(?:请|要|尽量)?(?:` + wordingZH + `)(?:一?[点些])?儿?[。！]?$`)

// What is said of how a text is worded.
const (
	wordingEN = `tone|style|wording|register|words|sentences|slang|jargon|emojis?|idioms?|formal|informal|polite|friendly|casual|short|brief|simple|literal|natural`
	wordingZH = `书面|敬语|语气|口吻|措辞|风格|直译|意译|口语|书面语|正式|礼貌|客气|简洁|简短|自然|委婉|温和|专业|幽默|俏皮`
)

// beforeWording gives a text of one line without what is said at its end of how it is to be worded.
func beforeWording(text string) string {
	if strings.Contains(text, "\n") {
		return text
	}
	for list := sentences(text); len(list) > 1 && onWording.MatchString(list[len(list)-1]); list = list[:len(list)-1] {
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), list[len(list)-1]))
	}
	return text
}

// quotesIn gives the quoted texts, and with colon the text that the message brings after one.
func quotesIn(text string, colon bool) []string {
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		for _, part := range m[1:] {
			if part != "" && !isFile(part) {
				out = append(out, part)
			}
		}
	}
	if !colon {
		return out
	}
	if own := brought(text); own != "" && (len(out) == 0 || strings.Contains(text, "\n"+own)) {
		out = append(out, own)
	}
	return out
}

// onThis is how words end behind which comes what is to be done, not what it is about.
var onThis = pattern.New(`(?i)\b(?:on|for|about|of|at|in|with|like|new to) this\s*[:：]\s*$`)

// The numbers of steps that stand in one line, and the beginning of such a line.
var (
	stepNumber = pattern.New(`[ \t]+\d{1,2}[.)][ \t]+|[ \t，。；]*[二三四五六七八九十]、`)
	firstStep  = pattern.New(`^(?:1[.)][ \t]+[^\n]*?[ \t]2[.)][ \t]|一、[^\n]*?二、)`)
)

// steps gives a text that numbers steps in one line with each on a line of its own.
func steps(text string) string {
	if !firstStep.MatchString(text) {
		return text
	}
	return stepNumber.ReplaceAllString(strings.TrimPrefix(text, "一、"), "\n")
}

// pieces cuts a sentence at its commas and joining words, be they clauses or not.
func pieces(s string) []string {
	return strings.FieldsFunc(joiner.ReplaceAllString(merging.Replace(s), "\x00"), func(c rune) bool { return c == 0 })
}

// merging hides the words in which 并 joins no clauses.
var merging = strings.NewReplacer("合并", "合在", "一并", "一起")

var joiner = pattern.New(`(?i)\s*[,，;；、]\s*(?:(?:and|but|then|also)\s+)*|\s+(?:and then|and|then|but)\s+|然后再?|接着再?|并且|并(?:把|将)?|同时|之后再?|最后|顺便|顺带|但是?`)

// moreGoals counts the clauses after the first that ask for something of their own.
func moreGoals(s string) int {
	n := 0
	for i, c := range pieces(s) {
		c = through.ReplaceAllString(polite(c), "")
		if i == 0 || c == "" || onlyOutput(c) || prohibition.MatchString(c) {
			continue
		}
		if asksMore(c) && !begins(limitEN, c) && !begins(limitZH, c) {
			n++
		}
	}
	return n
}

// asksMore reports whether a piece of a sentence asks for something of its own.
func asksMore(c string) bool {
	return verbsAnalysis.MatchString(c) || verbsCreation.MatchString(c) || verbsAction.MatchString(c) ||
		questionWord.MatchString(c) || startsZH(c) || reminds(c) || anotherOne.MatchString(c)
}

var anotherOne = pattern.New(`(?i)^(?:another|a second|one more)\s+(?:one|reminder|alarm|file|table|report|list)\b`)

var questionWord = pattern.New(`(?i)^(?:who|what|when|where|why|how|which)\b|^(?:什么时候|为什么|为何|怎么|多少|谁|哪|何时|几)`)

// startsZH reports whether a Chinese clause begins with an order, after five characters at most.
func startsZH(c string) bool {
	if !hasHan(c) {
		return false
	}
	at, _, _ := firstZH(cutClauses(c))
	return at >= 0 && at <= 15
}

func begins(p finder, s string) bool {
	m := p.FindStringIndex(s)
	return m != nil && m[0] == 0
}
