package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
)

// askingHan are the Chinese words of asking, the longer ones first.
var askingHan = pattern.New(`请问一下|请问|告诉我|你知道|什么时候|什么地方|哪一[天年个种台间]|多少钱|多长时间|多少[个条台艘名位座层间次辆件家人只种项根口块道扇张页度岁]?|几点钟|几[点号个条台艘名位座层间次辆件家人只种项根口块道扇张页年月天吨米]|星期几|周几|哪[个些种里儿位天年月]|何[时处人]|谁|什么|怎么样|怎么|怎样|如何|为什么|为何|为啥|是不是|有没有|能不能|可不可以|是否|可以|应该|需要|必须|我们|你们|咱们|一下|多[大高长深宽远久重快少]|[吗呢吧啊呀]|[我你您它他她哪几]`)

// timeHan name what a time is for, which a sentence with the time need not.
var timeHan = pattern.New(`的?时间|的?日期`)

// grammarHan are characters that may be left over between words.
const grammarHan = "的了是在有和与及或被把将对从到由着过个能要会可让给用为以于之这那此该其每些中里上下时一都也还就才所地得"

// runsOf returns the Chinese of a question without the words of asking.
func runsOf(text string) (out []string) {
	text = askingHan.ReplaceAllString(text, " ")
	if len(text) > 0 {
		text = timeHan.ReplaceAllString(text, " ")
	}
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.Is(unicode.Han, r) }) {
		if strings.Trim(run, grammarHan) != "" {
			out = append(out, run)
		}
	}
	return out
}

// countedHan returns what must stand behind a number: the word that things are counted by, else the things.
func countedHan(measure, rest string) []string {
	rest = strings.TrimLeft(askingHan.ReplaceAllString(rest, ""), grammarHan)
	switch {
	case measure != "" && measure != "个":
		return []string{measure}
	case rest != "" && measure != "":
		r, _ := utf8.DecodeRuneInString(rest)
		return []string{string(r)}
	}
	return nil
}

// covered reports whether a run is made of pieces, of two characters or more, that stand in a text or above it, with
// nothing but grammar between them; own is how many pieces are the text's.
func covered(run, text, above string) (own int, ok bool) {
	rs := []rune(run)
	if len(rs) == 1 {
		if strings.Contains(text, run) {
			return 1, true
		}
		return 0, strings.Contains(above, run)
	}
	const none = -1
	best := make([]int, len(rs)+1) // pieces of the text that cover what is before each place
	for i := range best {
		best[i] = none
	}
	best[0] = 0
	for i := range rs {
		if best[i] == none {
			continue
		}
		if strings.ContainsRune(grammarHan, rs[i]) {
			best[i+1] = max(best[i+1], best[i])
		}
		for j := i + 2; j <= len(rs); j++ {
			piece := string(rs[i:j])
			switch {
			case strings.Contains(text, piece):
				best[j] = max(best[j], best[i]+1)
			case strings.Contains(above, piece):
				best[j] = max(best[j], best[i])
			}
		}
	}
	return best[len(rs)], best[len(rs)] != none
}
