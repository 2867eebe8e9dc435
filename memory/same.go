package memory

import (
	"strings"
	"unicode"
)

// sameKey gives what two entries have in common if they say the same in the same words: letter
// case, the punctuation of sentences, articles and the word for the user do not count. Signs that
// belong to a word (C++, 3.5, -5, $5) do, and so does the case of mixed names like aB3.
func sameKey(s string) string {
	var out []string
	for i, w := range words(s) {
		switch {
		case w == "the" || w == "a" || w == "an":
		case i <= 1 && (w == "user" || w == "用户"):
		default:
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

const sentenceMarks = ".,;:!?\"'()[]{}*_`“”‘’«»。，；：！？、「」『』《》〈〉（）【】…"

// words splits at spaces and takes off the marks around each word.
func words(s string) []string {
	var out []string
	for w := range strings.FieldsSeq(strings.Map(narrow, s)) {
		if w = strings.Trim(w, sentenceMarks); w != "" {
			out = append(out, lower(w))
		}
	}
	return out
}

// lower keeps the case of words with both letters and digits: in a code or a key, it counts.
func lower(w string) string {
	if strings.ContainsFunc(w, unicode.IsDigit) && strings.ContainsFunc(w, unicode.IsLetter) {
		return w
	}
	return strings.ToLower(w)
}

// polarity splits a statement into what it is about and whether it says no: "does not like tea" and
// "likes tea" are about the same.
func polarity(s string) (about string, no bool) {
	s = hanNegation.Replace(s)
	var out []string
	for _, w := range strings.Fields(sameKey(strings.ReplaceAll(s, "\u2019", "'"))) {
		if word, negates := strings.CutSuffix(w, "n't"); negates {
			no = !no
			w = word
		}
		switch w {
		case "not", "never", "no", "cannot", hanNo:
			no = !no
		case "do", "does", "did", "longer", "anymore", "always", "any", "ca", "wo", hanYes:
		case "dislike", "dislikes", "hate", "hates":
			no = !no
			out = append(out, "lik")
		default:
			out = append(out, stem(w))
		}
	}
	return strings.Join(out, " "), no
}

const hanNo, hanYes = "<no>", "<yes>"

var hanNegation = strings.NewReplacer("不喜欢", " <no> 喜欢", "讨厌", " <no> 喜欢", "不再喜欢", " <no> 喜欢", "喜欢", " <yes> 喜欢",
	"不再", " <no> ", "不会", " <no> 会", "不能", " <no> 能", "不吃", " <no> 吃", "不喝", " <no> 喝", "不用", " <no> 用",
	"不是", " <no> 是", "没有", " <no> 有", "总是", " <yes> ", "从不", " <no> ")
