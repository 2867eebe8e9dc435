package offline

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/akitad/akitad/internal/llm/offline/question"
)

//go:embed wordings.txt
var wordingList string

// wordings are read when a text has no word of a question's.
var wordings = sync.OnceValue(func() []concept { return readConcepts(wordingList) })

// term is a word of a question, in all the ways that a text may say it.
type term []string

// termsIn gives each word the ways that a text has for it: its own if it stands there, else those of other words for
// the same. A run of Chinese becomes the things that it names.
func termsIn(words []string, text string) (out []term) {
	text = strings.ToLower(text)
	foreign := 0 // short Chinese words that a text in another language cannot hold
	defer func() {
		if foreign > 0 && foreign < len(out) && !hasHan(text) {
			out = slices.DeleteFunc(out, func(t term) bool { return hasHan(t[0]) && len([]rune(t[0])) <= 2 })
		}
	}()
	for _, w := range words {
		low := strings.ToLower(w)
		if hasHan(w) && nearHits(text, []string{w}) > 0 || holdsTerm(text, low) {
			out = append(out, term{low})
			continue
		}
		if named := wordedIn(low, text); len(named) > 0 {
			out = append(out, named...)
			continue
		}
		if parts := heldParts(low, text); len(parts) > 0 {
			out = append(out, parts...)
			continue
		}
		if hasHan(low) && len([]rune(low)) <= 2 {
			foreign++
		}
		out = append(out, term{low})
	}
	return out
}

// heldParts cuts a run of Chinese into the longest parts that a text holds and what is left between them, two
// characters at least; nil if it holds none.
func heldParts(w, text string) (out []term) {
	r := []rune(w)
	if !hasHan(w) || len(r) < 3 {
		return nil
	}
	from, size := 0, 0
	for i := range r {
		for n := len(r) - i; n > max(size, 1); n-- {
			if strings.Contains(text, string(r[i:i+n])) {
				from, size = i, n
			}
		}
	}
	if size == 0 {
		return nil
	}
	out = []term{{string(r[from : from+size])}}
	for _, rest := range [][]rune{r[:from], r[from+size:]} {
		if len(rest) < 2 {
			continue
		}
		if parts := heldParts(string(rest), text); parts != nil {
			out = append(out, parts...)
		} else {
			out = append(out, term{string(rest)})
		}
	}
	return out
}

// wordedIn finds what a word that a text does not hold is called there.
func wordedIn(w, text string) (out []term) {
	lists := slices.Concat(wordings(), concepts())
	if !hasHan(w) {
		for _, c := range lists {
			if slices.ContainsFunc(c.asked, func(a string) bool { return a == w || wordStem(a) == w }) {
				return []term{heldOf(c.texts, text)}
			}
		}
		return nil
	}
	for rest := w; rest != ""; {
		var best term
		size := 0
		for _, c := range lists {
			for _, a := range c.asked {
				if len(a) > size && hasHan(a) && strings.HasPrefix(rest, a) {
					if held := heldOf(c.texts, text); len(held) > 0 {
						best, size = held, len(a)
					}
				}
			}
		}
		if size == 0 {
			_, size = firstRune(rest)
		} else {
			out = append(out, best)
		}
		rest = rest[size:]
	}
	return out
}

func firstRune(s string) (rune, int) {
	for i, r := range s {
		if i > 0 {
			return r, i
		}
	}
	return 0, len(s)
}

// heldOf leaves the texts that a text holds.
func heldOf(texts []string, text string) (out term) {
	for _, t := range texts {
		if holdsTerm(text, t) {
			out = append(out, t)
		}
	}
	return out
}

// meets counts the terms that a text holds in any way.
func meets(text string, terms []term) int {
	low, k := strings.ToLower(text), 0
	for _, t := range terms {
		if slices.ContainsFunc(t, func(w string) bool {
			return holdsTerm(low, w) || w == "version" && versionTitle.MatchString(low)
		}) || len(t) == 1 && nearHits(low, t) > 0 {
			k++
		}
	}
	return k
}

// hanIdleAsked are Chinese words of such questions.
var hanIdleAsked = []string{"可不可以", "可以", "能不能", "是否", "应该", "需要", "多少钱", "多少", "什么时候", "一共", "要不要", "怎么办", "怎么", "允许", "请问", "什么", "哪些", "哪里", "到底", "今年", "现在"}

// hanRuns are the runs of Chinese of a question without words of asking: what is left where every part of it is a word
// for something to be done.
func hanRuns(q *question.Question) (out []string) {
	text := []byte(q.Text)
	for _, idle := range append([]string{"里", "中", "的", "了"}, hanIdleAsked...) {
		blankOut(text, idle)
	}
	for _, run := range hanRun.FindAllString(string(text), -1) {
		if len([]rune(run)) > 1 {
			out = append(out, run)
		}
	}
	return out
}

// idleAsked are words of questions about a text that say nothing of what is asked.
var idleAsked = set("bring put find come look see want need go goes going into get gets use used take taken must long much many whom someone somebody mean say said happen")
