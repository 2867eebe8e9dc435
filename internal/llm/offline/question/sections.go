package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// sectioned ends a wish for a report by the names of its sections.
var sectioned = pattern.New(`(?i)[,;]?\s*(?:\b(?:with|in|using|under|containing|that has|having)\s+(?:the\s+|these\s+|following\s+|two\s+|three\s+|four\s+|five\s+|\d\s+|markdown\s+)*(?:sections?|headings?|chapters?|parts)\b(?:\s+(?:called|named|titled|of))?)\s*:?\s*([^.?!\n]+)` +
	`|[，,；;]?\s*(?:要|应|须|请)?(?:包含|包括|含|分为|分成|按|用|带有?|有|使用)(?:以下|下列|这|如下)?(?:[一二三四五六\d]个|几个)?(?:章节|小节|部分|标题)\s*[:：]?\s*([^。？！\n]+)` +
	`|[，,；;]?\s*(?:要|应|须|请)?(?:包含|包括|分为|分成|按)\s*([^。？！\n，,]+?)(?:这)?(?:[一二两三四五六\d]个?)(?:章节|小节|部分|节)`)

// sectionsIn finds the names of the sections that a report is to have, and gives the words without them.
func sectionsIn(words string) (names []string, rest string) {
	m := sectioned.FindStringSubmatchIndex(words)
	if m == nil {
		return nil, words
	}
	list := group(words, m, 2) + group(words, m, 4) + group(words, m, 6)
	for _, part := range listed.Split(list) {
		if part = strings.Trim(part, " \t\"'“”‘’「」《》`.:："); part != "" && len(part) < 60 {
			names = append(names, part)
		}
	}
	if len(names) < 2 {
		return nil, words
	}
	return names, strings.TrimSpace(words[:m[0]] + words[m[1]:])
}

// listed parts the names of a list.
var listed = splitter{pattern.New(`(?i)\s*(?:,\s*and|,\s*then|,|;|、|，|；|\band\b|以及|和|与|及)\s*`)}

type splitter struct{ *pattern.Pattern }

// Split gives what stands between the matches.
func (s splitter) Split(text string) (out []string) {
	from := 0
	for _, at := range s.FindAllStringIndex(text, -1) {
		out = append(out, text[from:at[0]])
		from = at[1]
	}
	return append(out, text[from:])
}
