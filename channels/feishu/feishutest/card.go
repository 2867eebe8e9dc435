package feishutest

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
)

// What the service takes of one card.
const (
	maxCard   = 30_000    // bytes of a request with a card or a post
	maxText   = 150 << 10 // bytes of a request with plain text
	maxTables = 5
)

// cardTags are the elements of a card (JSON 2.0) that the service knows.
var cardTags = map[string]bool{
	"markdown": true, "div": true, "plain_text": true, "lark_md": true, "hr": true, "img": true, "table": true, "column_set": true, "column": true,
	"button": true, "collapsible_panel": true, "note": true, "form": true, "standard_icon": true, "interactive_container": true,
}

// seenCard is what a card shows.
type seenCard struct {
	text    []string
	buttons []Button
	tables  int
	bad     string // why it is refused
	marked  bool   // it has formatted text
}

var tableRule = regexp.MustCompile(`(?m)^[ \t]*\|?[ \t]*:?-{1,}:?[ \t]*(\|[ \t]*:?-{1,}:?[ \t]*)+\|?[ \t]*$`)

// readCard takes a card apart as a client shows it.
func readCard(content string) seenCard {
	var card struct {
		Schema string `json:"schema"`
		Body   struct {
			Elements []any `json:"elements"`
		} `json:"body"`
		Header any `json:"header"`
	}
	seen := seenCard{}
	switch err := json.Unmarshal([]byte(content), &card); {
	case err != nil:
		seen.bad = "parse card json err"
	case card.Schema != "2.0":
		seen.bad = "unknown schema"
	case len(card.Body.Elements) == 0:
		seen.bad = "no elements"
	}
	if seen.bad != "" {
		return seen
	}
	seen.node(card.Header)
	for _, e := range card.Body.Elements {
		if tag, _ := field(e, "tag"); !cardTags[tag] {
			seen.bad = "unknown tag " + tag
		}
		seen.node(e)
	}
	if seen.tables > maxTables {
		seen.bad = "ErrCode: 11310; ErrMsg: card table number over limit"
	}
	return seen
}

func field(node any, key string) (string, bool) {
	m, _ := node.(map[string]any)
	text, ok := m[key].(string)
	return text, ok
}

func (c *seenCard) node(node any) {
	switch v := node.(type) {
	case []any:
		for _, e := range v {
			c.node(e)
		}
	case map[string]any:
		c.element(v)
	}
}

func (c *seenCard) element(v map[string]any) {
	switch v["tag"] {
	case "markdown", "lark_md":
		c.marked = true
		text, ok := v["content"].(string)
		if !ok {
			c.bad = "markdown without content"
		}
		c.tables += len(tableRule.FindAllString(outsideFences(text), -1))
		c.text = append(c.text, html.UnescapeString(text))
		return
	case "plain_text":
		text, ok := v["content"].(string)
		if !ok {
			c.bad = "plain_text without content"
		}
		c.text = append(c.text, text)
		return
	case "button":
		c.button(v)
		return
	case "table":
		c.tables++
		c.marked = true
		c.text = append(c.text, tableText(v)...)
		return
	case "hr":
		c.text = append(c.text, "---")
		return
	}
	for _, key := range []string{"header", "title", "text", "elements", "columns", "body"} {
		c.node(v[key])
	}
}

// tableText returns the cells of a table, row by row.
func tableText(v map[string]any) (out []string) {
	columns, _ := v["columns"].([]any)
	rows, _ := v["rows"].([]any)
	var head, names []string
	for _, col := range columns {
		name, _ := field(col, "name")
		shown, _ := field(col, "display_name")
		names, head = append(names, name), append(head, shown)
	}
	out = append(out, strings.Join(head, " | "))
	for _, r := range rows {
		var cells []string
		for _, n := range names {
			cell, _ := field(r, n)
			cells = append(cells, html.UnescapeString(cell))
		}
		out = append(out, strings.Join(cells, " | "))
	}
	return out
}

func (c *seenCard) button(v map[string]any) {
	b := Button{}
	b.Label, _ = field(v["text"], "content")
	b.Type, _ = v["type"].(string)
	behaviors, _ := v["behaviors"].([]any)
	for _, one := range behaviors {
		if kind, _ := field(one, "type"); kind == "callback" {
			b.Value, _ = one.(map[string]any)["value"].(map[string]any)
		}
	}
	if b.Label == "" || b.Value == nil {
		c.bad = "button without text or callback"
	}
	c.buttons = append(c.buttons, b)
}

// outsideFences blanks what stands in fenced code: there is no table in it.
func outsideFences(text string) string {
	var out []string
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`~"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence, line = mark, ""
		case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimSpace(trimmed[len(mark):]) == "":
			fence, line = "", ""
		case fence != "":
			line = ""
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// readPost returns what a post shows.
func readPost(content string) (text string, ok bool) {
	var byLang map[string]struct {
		Title   string `json:"title"`
		Content [][]struct {
			Tag  string `json:"tag"`
			Text string `json:"text"`
		} `json:"content"`
	}
	if json.Unmarshal([]byte(content), &byLang) != nil || len(byLang) == 0 {
		return "", false
	}
	var lines []string
	for _, p := range byLang {
		if p.Title != "" {
			lines = append(lines, p.Title)
		}
		for _, l := range p.Content {
			line := ""
			for _, e := range l {
				line += e.Text
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), true
}
