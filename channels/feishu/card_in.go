package feishu

import (
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
		if line, ok := inline(v); ok {
			cardLines(line, lines, depth)
			return
		}
		for _, e := range v {
			if _, isText := e.(string); !isText {
				cardLines(e, lines, depth+1)
			}
		}
	case map[string]any:
		if v["tag"] == "hr" {
			*lines = append(*lines, "---")
		}
		for _, key := range cardKeys {
			cardLines(v[key], lines, depth+1)
		}
	}
}

// inline joins a line of text and link elements, as in a card that the service hands on.
func inline(list []any) (string, bool) {
	var out strings.Builder
	for _, e := range list {
		m, ok := e.(map[string]any)
		if !ok {
			return "", false
		}
		text, isText := m["text"].(string)
		switch m["tag"] {
		case "text", "a", "at", "md":
		default:
			return "", false
		}
		if name, ok := m["user_name"].(string); ok && !isText {
			text = "@" + name
		}
		href, _ := m["href"].(string)
		out.WriteString(link(text, href))
	}
	return out.String(), len(list) > 0
}
