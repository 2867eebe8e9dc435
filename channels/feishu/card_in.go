package feishu

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// cardKeys are the fields of a card that hold words or further elements, in the order in which they are
// seen.
var cardKeys = []string{"header", "title", "subtitle", "text", "content", "body", "elements", "fields", "columns", "rows", "items", "children", "actions", "buttons", "options", "note"}

const maxCardDepth = 32

// readCard gives the words of a card, in the form in which it was made or in that in which the service
// hands it on, line by line.
func readCard(content []byte) string { return cmp.Or(wordsWithin(content), "[card]") }

// wordsWithin gives the words of an element and of all that it holds, line by line.
func wordsWithin(element []byte) string {
	var node any
	if json.Unmarshal(element, &node) != nil {
		return ""
	}
	var lines []string
	cardLines(node, &lines, 0)
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
		switch v["tag"] {
		case "hr":
			*lines = append(*lines, "---")
		case "table":
			cardTable(v, lines, depth)
			return
		case "button":
			cardLines(link(cell(v["text"], depth), target(v)), lines, depth)
			return
		}
		for _, key := range cardKeys {
			cardLines(v[key], lines, depth+1)
		}
		if v["content"] == nil && v["elements"] == nil {
			cardLines(oneLanguage(v), lines, depth+1)
		}
	}
}

// oneLanguage gives what an element has in the first of its languages; nil if it has none.
func oneLanguage(element map[string]any) any {
	for _, key := range []string{"i18n", "i18n_content", "i18n_elements"} {
		all, _ := element[key].(map[string]any)
		for _, lang := range append([]string{"zh_cn", "en_us"}, slices.Sorted(maps.Keys(all))...) {
			if all[lang] != nil {
				return all[lang]
			}
		}
	}
	return nil
}

// target gives the address that a button opens; "" if it does something else.
func target(button map[string]any) string {
	url, _ := button["url"].(string)
	behaviors, _ := button["behaviors"].([]any)
	for _, b := range behaviors {
		does, _ := b.(map[string]any)
		opens, _ := does["default_url"].(string)
		url = cmp.Or(url, opens)
	}
	return url
}

// cardTable gives a line for the names of a table's columns, and one for each row.
func cardTable(table map[string]any, lines *[]string, depth int) {
	columns, _ := table["columns"].([]any)
	rows, _ := table["rows"].([]any)
	var head, names []string
	for _, c := range columns {
		if column, ok := c.(map[string]any); ok {
			name, _ := column["name"].(string)
			shown, _ := column["display_name"].(string)
			head, names = append(head, cmp.Or(shown, name)), append(names, name)
		}
	}
	cardRow(head, lines, depth)
	for _, r := range rows {
		row, _ := r.(map[string]any)
		var cells []string
		for _, name := range names {
			cells = append(cells, cell(row[name], depth))
		}
		cardRow(cells, lines, depth)
	}
}

func cardRow(cells []string, lines *[]string, depth int) {
	cardLines(strings.TrimRight(strings.Join(cells, " | "), " |"), lines, depth)
}

func cell(value any, depth int) string {
	if n, ok := value.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	var words []string
	cardLines(value, &words, depth+1)
	return strings.Join(words, " ")
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
