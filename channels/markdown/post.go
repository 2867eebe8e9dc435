package markdown

import (
	"encoding/json"
	"slices"
	"strings"
)

// Post is one rich text message. Content is the JSON that is the content of a message of type post,
// in zh_cn, which is shown to everybody where there is no other language: paragraphs of tags text, a,
// code_block and hr. Plain says the same without any markup.
type Post struct {
	Content json.RawMessage
	Plain   string
}

const (
	postHead = `{"zh_cn":{"content":`
	postTail = `}}`
)

type node struct {
	Tag      string   `json:"tag"`
	Text     *string  `json:"text,omitempty"`
	Href     string   `json:"href,omitempty"`
	Language string   `json:"language,omitempty"`
	Style    []string `json:"style,omitempty"`
}

// Posts cuts text into rich text messages for Feishu and Lark, in order, each of at most FeishuLimit
// less FeishuEnvelope bytes on the wire. Lists are text with bullets and headings are bold, for there
// are no tags for them; so every client shows the same. Blank text gives no post.
func Posts(text string) []Post {
	var out []Post
	p := &pile{room: feishuRoom - len("[]"+postHead+postTail) - 8, done: func(items json.RawMessage, plain string) {
		out = append(out, Post{Content: slices.Concat([]byte(postHead), items, []byte(postTail)), Plain: plain})
	}}
	for _, part := range layOut(text, &postForm).parts {
		switch {
		case part.rule:
			p.add(asJSON([]node{{Tag: "hr"}}), textRule)
		case part.table != nil:
			p.paragraphs(part.table.drawn(&postForm))
		default:
			p.paragraphs(part.flow)
		}
	}
	p.turn()
	return out
}

// paragraphs puts a flow on posts. An item is some paragraphs, without the brackets around them.
func (p *pile) paragraphs(f *flow) {
	p.pour(f, func(from, to int) json.RawMessage {
		rows := f.paragraphs(from, to)
		if len(rows) == 0 {
			return nil
		}
		all := asJSON(rows)
		return all[1 : len(all)-1]
	})
}

// paragraphs are the lines of a piece, and its code.
func (f *flow) paragraphs(from, to int) [][]node {
	var rows [][]node
	var line []node
	f.each(from, to, func(a, z int, s *style) {
		text := string(f.runes[a:z])
		if s.has(pre) {
			if line != nil {
				rows = append(rows, line)
			}
			line = nil
			if code := strings.TrimSuffix(text, "\n"); code != "" {
				rows = append(rows, []node{{Tag: "code_block", Text: &code, Language: postLanguage(s.value)}})
			}
			return
		}
		for i, words := range strings.Split(text, "\n") {
			if i > 0 {
				rows, line = append(rows, line), nil
			}
			if words != "" && line == nil && s.has(quote) {
				line = append(line, textNode("> ", nil))
			}
			if words != "" {
				line = append(line, textNode(words, s))
			}
		}
	})
	return filled(append(rows, line))
}

// filled are rows without blank ones at their edges and beside code. A blank row between others keeps
// an empty text, so that it is seen.
func filled(rows [][]node) [][]node {
	var out [][]node
	for i, row := range rows {
		if row != nil {
			out = append(out, row)
			continue
		}
		if len(out) > 0 && !isCode(out[len(out)-1]) && i+1 < len(rows) && !isCode(rows[i+1]) {
			out = append(out, []node{textNode("", nil)})
		}
	}
	for len(out) > 0 && *out[len(out)-1][0].Text == "" && len(out[len(out)-1]) == 1 {
		out = out[:len(out)-1]
	}
	return out
}

func isCode(row []node) bool { return len(row) > 0 && row[0].Tag == "code_block" }

func textNode(words string, s *style) node {
	n := node{Tag: "text", Text: &words}
	if l := s.only(link); l != nil {
		n.Tag, n.Href = "a", l.value
	}
	for _, k := range []struct {
		kind kind
		name string
	}{{bold, "bold"}, {italic, "italic"}, {strike, "lineThrough"}} {
		if s.has(k.kind) {
			n.Style = append(n.Style, k.name)
		}
	}
	return n
}

// postLanguages are those that the tag code_block names in its documentation.
var postLanguages = []string{
	"PYTHON", "C", "CPP", "GO", "JAVA", "KOTLIN", "SWIFT", "PHP", "RUBY", "RUST",
	"JAVASCRIPT", "TYPESCRIPT", "BASH", "SHELL", "SQL", "JSON", "XML", "YAML", "HTML", "THRIFT",
}

func postLanguage(name string) string {
	if known := strings.ToUpper(larkLanguage(name)); slices.Contains(postLanguages, known) {
		return known
	}
	return ""
}
