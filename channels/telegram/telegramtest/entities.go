//lint:file-ignore ST1005 the texts are those of the real service

package telegramtest

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

// Entity is a format in a text that Telegram has parsed. Offset and Length are UTF-16 units.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	Language string `json:"language,omitempty"`
}

// tags are the elements that the Bot API takes, and what they become.
var tags = map[string]string{
	"b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
	"s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "span": "spoiler",
	"tg-spoiler": "spoiler", "a": "text_link", "code": "code", "pre": "pre", "blockquote": "blockquote",
	"tg-emoji": "custom_emoji",
}

var (
	startTag  = regexp.MustCompile(`^<([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[^\s=<>/"']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))?)*)\s*/?>`)
	endTag    = regexp.MustCompile(`^</([a-zA-Z0-9-]*)\s*>`)
	attribute = regexp.MustCompile(`([^\s=<>/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=]+))`)
	charRef   = regexp.MustCompile(`^&(?:lt|gt|amp|quot|#[0-9]+|#x[0-9a-fA-F]+);`)
)

// ParseHTML reads text in parse mode HTML as the Bot API does and gives what is seen and how. The
// error's text is what the API says after "can't parse entities: ".
func ParseHTML(s string) (text string, entities []Entity, err error) {
	p := &htmlParser{in: s}
	for p.at < len(p.in) {
		if err := p.step(); err != nil {
			return "", nil, err
		}
	}
	if n := len(p.open); n > 0 {
		return "", nil, fmt.Errorf("Can't find end tag corresponding to start tag %q", p.open[n-1].tag)
	}
	seen := slices.DeleteFunc(p.entities, func(e Entity) bool {
		return e.Length == 0 || (e.Type == "text_link" && !linkable(e.URL))
	})
	return p.out.String(), joinCode(seen), nil
}

type htmlParser struct {
	in       string
	at       int
	out      strings.Builder
	units    int
	open     []openTag
	entities []Entity // in the order in which they are opened
}

type openTag struct {
	tag    string
	entity int // its place in entities
}

func (p *htmlParser) step() error {
	rest := p.in[p.at:]
	switch {
	case strings.HasPrefix(rest, "</"):
		return p.end(rest)
	case rest[0] == '<':
		return p.start(rest)
	case rest[0] == '&':
		if ref := charRef.FindString(rest); ref != "" {
			p.emit(html.UnescapeString(ref), len(ref))
			return nil
		}
		p.emit("&", 1)
	default:
		n := strings.IndexAny(rest, "<&")
		if n < 0 {
			n = len(rest)
		}
		p.emit(rest[:n], n)
	}
	return nil
}

func (p *htmlParser) emit(text string, consumed int) {
	p.out.WriteString(text)
	p.units += Units(text)
	p.at += consumed
}

func (p *htmlParser) start(rest string) error {
	m := startTag.FindStringSubmatch(rest)
	if m == nil {
		return fmt.Errorf("Unclosed start tag at byte offset %d", p.at)
	}
	tag := strings.ToLower(m[1])
	kind, ok := tags[tag]
	attrs := attributes(m[2])
	if !ok || (tag == "span" && attrs["class"] != "tg-spoiler") {
		return fmt.Errorf("Unsupported start tag %q at byte offset %d", tag, p.at)
	}
	e := Entity{Type: kind, Offset: p.units, URL: attrs["href"]}
	if tag == "code" {
		e.Language = strings.TrimPrefix(attrs["class"], "language-")
	}
	p.open = append(p.open, openTag{tag, len(p.entities)})
	p.entities = append(p.entities, e)
	p.at += len(m[0])
	return nil
}

func attributes(s string) map[string]string {
	out := map[string]string{}
	for _, m := range attribute.FindAllStringSubmatch(s, -1) {
		out[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3] + m[4])
	}
	return out
}

func (p *htmlParser) end(rest string) error {
	m := endTag.FindStringSubmatch(rest)
	if m == nil {
		return fmt.Errorf("Unclosed end tag at byte offset %d", p.at)
	}
	if len(p.open) == 0 {
		return fmt.Errorf("Unexpected end tag at byte offset %d", p.at)
	}
	top := p.open[len(p.open)-1]
	if found := strings.ToLower(m[1]); found != "" && found != top.tag {
		return fmt.Errorf("Unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\"", p.at, top.tag, found)
	}
	p.open = p.open[:len(p.open)-1]
	p.at += len(m[0])
	e := &p.entities[top.entity]
	e.Length = p.units - e.Offset
	return nil
}

// linkable is a rough test of what the API accepts as an address; other links are dropped silently.
func linkable(url string) bool {
	scheme, rest, ok := strings.Cut(url, ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "tg", "ton", "mailto", "tel":
		return ok && strings.Trim(rest, "/") != ""
	}
	return false
}

// joinCode makes one entity of a pre that holds nothing but a code with a language.
func joinCode(in []Entity) []Entity {
	var out []Entity
	for _, e := range in {
		if n := len(out); n > 0 && out[n-1].Type == "pre" && e.Type == "code" &&
			out[n-1].Offset == e.Offset && out[n-1].Length == e.Length {
			out[n-1].Language = e.Language
			continue
		}
		e.Language = "" // only a pre keeps it
		out = append(out, e)
	}
	return out
}

// Units counts text in UTF-16 units.
func Units(s string) int { return len(utf16.Encode([]rune(s))) }
