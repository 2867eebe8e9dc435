package question

import (
	"unicode"

	"github.com/akitad/akitad/internal/pattern"
)

// LangOf tells Chinese from English: a text with as many Han characters as a tenth of its letters
// is Chinese.
func LangOf(s string) string {
	han, other := 0, 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			other++
		}
	}
	if han > 0 && han*10 >= other && !(hanValues.MatchString(s) && han < other) {
		return "zh"
	}
	return "en"
}

// hanValues is an English question that names Chinese things.
var hanValues = pattern.New(`(?i)^\s*(?:how (?:many|much|often)|what|which|who|when|where|show|list|count|sum|find|give|compare|average|total)\s`)

var (
	wantsChinese = pattern.New(`(?i)\b(answer|reply|respond|write|report|in)\b[^.]*\bin chinese\b|用中文|用汉语|以中文`)
	wantsEnglish = pattern.New(`(?i)\bin english\b|用英文|用英语|以英文`)
)

// wantedLang gives the language that the words ask the answer to be in, else their own.
func wantedLang(s string) string {
	switch {
	case wantsEnglish.MatchString(s):
		return "en"
	case wantsChinese.MatchString(s):
		return "zh"
	}
	return LangOf(s)
}
