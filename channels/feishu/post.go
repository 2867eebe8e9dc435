package feishu

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// post is a message of paragraphs: a title and lines of elements.
type post struct {
	Title   word              `json:"title"`
	Content []json.RawMessage `json:"content"`
	Files   json.RawMessage   `json:"files"` // what some apps put beside the lines
}

func (p post) holds() bool { return p.Content != nil || p.Files != nil }

// piece is one element of a line.
type piece struct {
	Tag      word `json:"tag"`
	Text     word `json:"text"`
	Href     word `json:"href"`
	User     word `json:"user_id"`
	Name     word `json:"user_name"`
	Image    word `json:"image_key"`
	File     word `json:"file_key"`
	FileName word `json:"file_name"`
	Emoji    word `json:"emoji_type"`
	Language word `json:"language"`
	Content  word `json:"content"`
}

// readPost reads a post, which is flat or has a body for each language.
func readPost(content []byte) (post, bool) {
	var p post
	if json.Unmarshal(content, &p) == nil && p.holds() {
		return p, true
	}
	var byLang map[string]json.RawMessage
	if json.Unmarshal(content, &byLang) != nil {
		return p, p.Title != ""
	}
	if inner, ok := byLang["post"]; ok { // once: what is wrapped again and again takes long
		byLang = nil
		if json.Unmarshal(inner, &p) == nil && p.holds() {
			return p, true
		}
		_ = json.Unmarshal(inner, &byLang) // else it has no languages
	}
	for _, lang := range append([]string{"zh_cn", "en_us"}, slices.Sorted(maps.Keys(byLang))...) {
		var one post
		if json.Unmarshal(byLang[lang], &one) == nil && one.holds() {
			return one, true
		}
	}
	return p, p.Title != ""
}

// post gives the words and files of a post.
func (r *reader) post(content []byte) string {
	p, ok := readPost(content)
	if !ok {
		return "[post]"
	}
	var lines []string
	if p.Title != "" {
		lines = append(lines, string(p.Title))
	}
	for _, raw := range p.Content {
		lines = append(lines, r.line(raw))
	}
	r.beside(p.Files)
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// beside notes the files that stand beside a post's lines, unless one of them is there already.
func (r *reader) beside(list json.RawMessage) {
	var files []json.RawMessage
	_ = json.Unmarshal(list, &files) // what is no list holds none
	for _, raw := range files {
		var p piece
		if lenient(raw, &p) && !r.has("file", string(p.File)) {
			r.add("file", string(p.File), string(p.FileName), fileName)
		}
	}
}

// line gives one line's words. A line may be a single element, too, and an element a mere word.
func (r *reader) line(raw json.RawMessage) string {
	var pieces []json.RawMessage
	if json.Unmarshal(raw, &pieces) != nil {
		pieces = []json.RawMessage{raw}
	}
	var out strings.Builder
	apart := false // what came last stands on lines of its own
	for _, raw := range pieces {
		var p piece
		if !lenient(raw, &p) {
			continue
		}
		if p == (piece{}) {
			_ = p.Text.UnmarshalJSON(raw) // of what is no word nothing is left
		}
		words, block := r.piece(p, raw), p.Tag == "code_block" || p.Tag == "hr"
		if words == "" {
			continue
		}
		if out.Len() > 0 && (block || apart) {
			out.WriteByte('\n')
		}
		out.WriteString(words)
		apart = block
	}
	return out.String()
}

func (r *reader) piece(p piece, raw []byte) string {
	switch p.Tag {
	case "a":
		return link(string(p.Text), string(p.Href))
	case "at":
		return r.atKey(p)
	case "img":
		r.add("image", string(p.Image), "", imageName)
		return ""
	case "media":
		r.add("file", string(p.File), string(p.FileName), videoName)
		return ""
	case "file":
		r.add("file", string(p.File), string(p.FileName), fileName)
		return ""
	case "emotion":
		return "[" + string(p.Emoji) + "]"
	case "code_block":
		fence := "```"
		for strings.Contains(string(p.Text), fence) {
			fence += "`"
		}
		return fence + strings.ToLower(string(p.Language)) + "\n" + strings.TrimSuffix(string(p.Text), "\n") + "\n" + fence
	case "hr":
		return "---"
	}
	if words := string(p.Text) + string(p.Content); words != "" {
		return words // text, md and whatever else has words
	}
	return wordsWithin(raw)
}

func link(text, href string) string {
	switch {
	case href == "" || text == href:
		return text
	case text == "":
		return href
	}
	return "[" + text + "](" + href + ")"
}

// atKey gives a mention by its key, so that it is treated like those of plain texts.
func (r *reader) atKey(p piece) string {
	user := string(p.User)
	if user == "all" || user == everybody {
		return everybody
	}
	for _, m := range r.mentions {
		if string(m.Key) == user || string(m.ID.Open) == user {
			return string(m.Key)
		}
	}
	if p.Name != "" {
		return "@" + string(p.Name)
	}
	return "@" + user
}
