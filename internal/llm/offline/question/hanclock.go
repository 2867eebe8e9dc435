package question

import (
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

const hanNumeral = `[一二两三四五六七八九十]{1,3}`

var (
	hanDate = pattern.New(`(\d{1,2}|` + hanNumeral + `)月(\d{1,2}|` + hanNumeral + `)[日号]`)
	hanHour = pattern.New(`(` + hanNumeral + `)点(?:半|(\d{1,2}|` + hanNumeral + `)分|(一|三)刻|(` + hanNumeral + `)|整|钟)?`)
	aBit    = pattern.New(`(?:有|早|晚|快|慢|多|少|大|小|差|高|低|好|近|远)$`) // before 一点 it is no time
)

// hanTimes writes the times that a text has in Chinese numerals in digits: 六点半, 九月十号. The text keeps
// its length, for its parts are known by their places.
func hanTimes(text string) string {
	text = rewritten(hanDate, text, func(m []int) (string, bool) {
		month, ok1 := number(text[m[2]:m[3]])
		day, ok2 := number(text[m[4]:m[5]])
		return strconv.Itoa(month) + "月" + strconv.Itoa(day) + "日", ok1 && ok2 && month <= 12 && day <= 31
	})
	return rewritten(hanHour, text, func(m []int) (string, bool) {
		hour, ok := number(text[m[2]:m[3]])
		if !ok || hour > 24 || text[m[0]:m[1]] == "一点" && aBit.MatchString(text[:m[0]]) {
			return "", false
		}
		out := strconv.Itoa(hour) + "点"
		switch minute, _ := number(group(text, m, 4) + group(text, m, 8)); {
		case m[6] >= 0:
			out += map[string]string{"一": "15分", "三": "45分"}[text[m[6]:m[7]]]
		case minute > 0:
			out += strconv.Itoa(minute) + "分"
		case strings.HasSuffix(text[m[0]:m[1]], "半"):
			out += "半"
		}
		return out, true
	})
}

// Digits writes the days and times that a text has in Chinese numerals in digits, and the text in lower case.
func Digits(text string) string { return hanTimes(strings.ToLower(text)) }

var hanAmount = pattern.New(`((?:超过|大于|多于|高于|小于|少于|低于|不到|不足|至少|至多|达到)了?)([一二两三四五六七八九十])(百|千|万)(?:$|[^一二两三四五六七八九十百千万零])`)

// hanAmounts writes round amounts behind a word of comparison in digits: 超过两万.
func hanAmounts(text string) string {
	out := []byte(text)
	for _, m := range hanAmount.FindAllStringSubmatchIndex(text, -1) {
		n, ok := number(text[m[4]:m[5]])
		s := strconv.Itoa(n * map[string]int{"百": 100, "千": 1000, "万": 10_000}[text[m[6]:m[7]]])
		if ok && len(s) <= m[7]-m[4] {
			copy(out[m[4]:m[7]], strings.Repeat(" ", m[7]-m[4]-len(s))+s)
		}
	}
	return string(out)
}

// rewritten puts something no longer in the place of each match, with spaces before it.
func rewritten(re *pattern.Pattern, text string, write func(m []int) (string, bool)) string {
	out := []byte(text)
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		if s, ok := write(m); ok && len(s) <= m[1]-m[0] {
			copy(out[m[0]:m[1]], strings.Repeat(" ", m[1]-m[0]-len(s))+s)
		}
	}
	return string(out)
}
