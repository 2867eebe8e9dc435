package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// Slip tells that a word is another with one slip of the fingers: a letter left out, doubled or swapped with its
// neighbour, or, in a long word, another letter. Short words and the plural are none.
func Slip(w, of string) bool {
	if len(w) < 5 || len(of) < 5 || w == of || w == of+"s" || of == w+"s" || w[0] != of[0] {
		return false
	}
	at := 0
	for at < min(len(w), len(of)) && w[at] == of[at] {
		at++
	}
	a, b := w[at:], of[at:]
	switch len(w) - len(of) {
	case 0:
		return len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:] || len(w) > 7 && a[1:] == b[1:]
	case 1:
		return a[1:] == b
	case -1:
		return a == b[1:]
	}
	return false
}

// askedOften are the longer words of asking.
var askedOften = strings.Fields(`average median percentage percent highest lowest longest shortest slowest fastest biggest largest smallest earliest latest cheapest expensive between without different distinct errors warnings requests number total maximum minimum missing before after`)

// shortSlips are slips in short words of asking.
var shortSlips = map[string]string{"waht": "what", "wich": "which", "whcih": "which", "whihc": "which", "hwo": "how", "mnay": "many", "amny": "many", "teh": "the", "hte": "the", "taht": "that", "adn": "and", "thier": "their", "wehn": "when", "whne": "when", "ahve": "have", "eahc": "each", "lsit": "list", "tpo": "top", "cuont": "count", "conut": "count", "coutn": "count", "shwo": "show", "erors": "errors", "erros": "errors", "eror": "error", "mroe": "more", "tahn": "than", "numbr": "number", "avrage": "average", "medain": "median"}

var plainWord = pattern.New(`(?:^|[\s(])[a-z]{3,}\b`)

// respelled mends slips in words of asking.
func respelled(text string) string {
	return plainWord.ReplaceAllStringFunc(text, func(s string) string {
		w := strings.TrimLeft(s, " \t\n(")
		lead := s[:len(s)-len(w)]
		if right, ok := shortSlips[w]; ok {
			return lead + right
		}
		for _, right := range askedOften {
			if w == right {
				return s
			}
		}
		for _, right := range askedOften {
			if Slip(w, right) {
				return lead + right
			}
		}
		return s
	})
}
