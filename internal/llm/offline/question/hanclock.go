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

var (
	hanAmount  = pattern.New(`(?:超过|超出|大于|多于|高于|晚于|小于|少于|低于|不到|不足|至少|至多|最多|达到|等于|长于|短于|介于|未满|不满)了?\s*([零一二两三四五六七八九十百千万]+)`)
	hanTail    = pattern.New(`([零一二两三四五六七八九十百千万]+)(?:个?小时|分钟|毫秒|秒|公斤|吨|个|元|块钱?|天|次|条|件|人|台|本|岁|分|%)?(?:以上|以下|以内)`)
	wordAmount = pattern.New(`(?:\bthan|\bleast|\bmost|\bover|\babove|\bunder|\bbelow|\bexactly|\bexceed(?:s|ed|ing)?)\s+((?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|and|an?)\b[ -]?)+)`)
)

var wordOrMore = pattern.New(`\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) (?:[a-z]+ )?or (?:more|less|fewer|above|below|over)\b`)

// hanAmounts writes amounts that a comparison names in words in digits: 超过两万, "more than fifty".
func hanAmounts(text string) string {
	for _, re := range []*pattern.Pattern{hanAmount, hanTail} {
		out := []byte(text)
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if s := strconv.Itoa(hanNumber(text[m[2]:m[3]])); s != "0" && len(s) <= m[3]-m[2] {
				copy(out[m[2]:m[3]], strings.Repeat(" ", m[3]-m[2]-len(s))+s)
			}
		}
		text = string(out)
	}
	text = wordOrMore.ReplaceAllStringFunc(text, func(s string) string {
		w, _, _ := strings.Cut(s, " ")
		d := strconv.Itoa(englishNumbers[w])
		return d + strings.Repeat(" ", len(w)-len(d)) + s[len(w):]
	})
	out := []byte(text)
	for _, m := range wordAmount.FindAllStringSubmatchIndex(text, -1) {
		words := strings.TrimRight(text[m[2]:m[3]], " -")
		if s := strconv.Itoa(wordNumber(words)); len(s) <= len(words) && s != "0" && s != "1" {
			copy(out[m[2]:m[2]+len(words)], s+strings.Repeat(" ", len(words)-len(s)))
		}
	}
	return string(out)
}

// hanNumber reads 二百五十 and 两万; 0 if it is no number.
func hanNumber(s string) int {
	sum, part, digit, last := 0, 0, 0, 1
	for _, r := range s {
		if d, ok := hanDigits[r]; ok && r != '十' {
			digit = d
			continue
		}
		unit := map[rune]int{'十': 10, '百': 100, '千': 1000, '万': 10_000}[r]
		switch unit {
		case 0: // 零
			last = 1
			continue
		case 10_000:
			sum, part = sum+max(part+digit, 1)*unit, 0
		default:
			part += max(digit, 1) * unit
		}
		digit, last = 0, unit
	}
	if last > 10 {
		digit *= last / 10 // 两千五
	}
	return sum + part + digit
}

var englishNumbers = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

// wordNumber reads "two hundred and fifty"; 0 if it is no number of more than a word of measure.
func wordNumber(s string) int {
	sum, part := 0, 0
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' }) {
		switch w {
		case "hundred":
			part = max(part, 1) * 100
		case "thousand":
			sum, part = sum+max(part, 1)*1000, 0
		case "million":
			sum, part = sum+max(part, 1)*1_000_000, 0
		default:
			part += englishNumbers[w]
		}
	}
	return sum + part
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
