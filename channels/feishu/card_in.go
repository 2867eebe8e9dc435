package feishu

import (
	"cmp"
	"encoding/json"
	"strings"
)

// cardKeys are the fields of a card that hold words or further elements, in the order in which they are
// seen.
var cardKeys = []string{"header", "title", "subtitle", "text", "content", "body", "elements", "fields", "columns", "rows", "actions", "buttons", "options", "note"}

const maxCardDepth = 32

// readCard gives the words of a card, in the form in which it was made or in that in which the service
// hands it on, line by line.
func readCard(content []byte) string {
	var card any
	if json.Unmarshal(content, &card) != nil {
		return "[card]"
	}
	var lines []string
	cardLines(card, &lines, 0)
	if len(lines) == 0 {
		return "[card]"
	}
	return strings.Join(lines, "\n")
}

func cardLines(node any, lines *[]string, depth int) {
	if depth > maxCardDepth {
		return
	}
	switch v := node.(type) {
	case string:
		if s := strings.TrimSpace(v); s != "" {
			*lines = append(*lines, s)
		}
	case []any:
		cardList(v, lines, depth)
	case map[string]any:
		if v["tag"] == "hr" {
			*lines = append(*lines, "---")
		}
		for _, key := range cardKeys {
			cardLines(v[key], lines, depth+1)
		}
	}
}

// cardList gives the words of a list: texts, links and names that stand side by side are one line, as in a
// card that the service hands on.
func cardList(list []any, lines *[]string, depth int) {
	line := ""
	flush := func() { cardLines(line, lines, depth); line = "" }
	for _, e := range list {
		words, ok := inline(e)
		line += words
		if _, isText := e.(string); ok || isText {
			continue
		}
		flush()
		cardLines(e, lines, depth+1)
	}
	flush()
}

// inline gives the words of an element that may stand in a line with others.
func inline(e any) (words string, ok bool) {
	m, ok := e.(map[string]any)
	if !ok {
		return "", false
	}
	word := func(key string) string { s, _ := m[key].(string); return s }
	text, isText := m["text"].(string)
	switch m["tag"] {
	case "text", "a", "md":
		return link(text, word("href")), isText || m["href"] != nil
	case "at":
		if isText {
			return text, true
		}
		return "@" + cmp.Or(word("user_name"), word("user_id"), word("id")), true
	}
	return "", false
}
