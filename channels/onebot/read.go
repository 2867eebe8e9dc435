package onebot

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

// reading is what the segments of a message say.
type reading struct {
	self, group string
	pieces      []piece
	files       []akitad.File
	addressed   bool   // the bot is mentioned
	replyTo     string // the message that it answers
}

// piece is a text, or a mention of the bot, which is taken out.
type piece struct {
	text string
	me   bool
}

func read(segments []segment, self, group string) *reading {
	r := &reading{self: self, group: group}
	for _, s := range segments {
		r.add(s)
	}
	r.files = chatfile.Apart(r.files)
	return r
}

func (r *reading) say(text string) { r.pieces = append(r.pieces, piece{text: text}) }

func (r *reading) add(s segment) {
	switch s.kind {
	case "text":
		r.say(s.data["text"])
	case "at":
		r.mention(s)
	case "reply":
		r.replyTo = s.first("id", "message_id")
	case "face":
		r.say(faceOf(s))
	case "image", "mface", "record", "video", "file", "onlinefile", "marketface", "sticker":
		r.attach(s)
	case "markdown":
		r.say(s.data["content"])
	case "json", "xml":
		r.say(card(s))
	case "forward", "node":
		r.say(forwarded(s, 0))
	case "keyboard":
	default:
		r.say(placeholder(s))
	}
}

func (r *reading) mention(s segment) {
	switch qq := s.first("qq", "user_id"); {
	case qq == "all":
		r.say("@all")
	case qq == r.self && qq != "":
		r.addressed = true
		r.pieces = append(r.pieces, piece{me: true})
	default:
		r.say("@" + strings.TrimPrefix(cmp.Or(s.data["name"], qq), "@"))
	}
}

// text joins the pieces. Around a mention of the bot one space goes; at the beginning, with what
// separates an address from what is said.
func (r *reading) text() string {
	var out strings.Builder
	cut := false // a mention was taken out just before
	for _, p := range r.pieces {
		if p.me {
			cut = true
			continue
		}
		text := p.text
		if cut {
			before := out.String()
			switch {
			case strings.TrimSpace(before) == "":
				out.Reset()
				text = strings.TrimLeftFunc(strings.TrimLeft(text, ",:，：、"), unicode.IsSpace)
				text = strings.TrimLeftFunc(strings.TrimLeft(text, ",:，：、"), unicode.IsSpace)
			case strings.HasSuffix(before, " ") && beginsWithStop(text):
				out.Reset()
				out.WriteString(strings.TrimSuffix(before, " "))
			case endsInSpace(before):
				text = strings.TrimPrefix(text, " ")
			}
		}
		cut = cut && text == ""
		out.WriteString(text)
	}
	if cut {
		return strings.TrimSuffix(out.String(), " ")
	}
	return out.String()
}

// beginsWithStop reports whether s begins with a sign before which no space stands.
func beginsWithStop(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && strings.ContainsRune(",.;:!?)，。；：！？、）", first)
}

func endsInSpace(s string) bool { return strings.HasSuffix(s, " ") || strings.HasSuffix(s, "\n") }

// placeholder names a piece that has no words.
func placeholder(s segment) string {
	switch s.kind {
	case "dice", "rps", "poke", "shake", "anonymous":
		return bracket(s.kind, s.first("result", "name"))
	case "share":
		return strings.TrimSpace(s.data["title"] + " " + s.data["url"])
	case "location":
		return bracket("location", s.data["title"], s.data["content"], strings.Trim(s.data["lat"]+","+s.data["lon"], ","))
	case "contact":
		return bracket("contact", s.data["type"], s.data["id"])
	case "music":
		return bracket("music", s.data["title"], s.first("url", "id"))
	}
	return bracket(s.kind)
}

func bracket(words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return "[" + strings.Join(words, " ") + "]"
}

// maxCard is the most bytes of a card's words.
const maxCard = 2000

// card gives the words of a card: a shared page, a mini program, a contact.
func card(s segment) string {
	words := s.first("prompt", "summary", "brief")
	switch s.kind {
	case "json":
		words = cmp.Or(cardWords(s.data["data"]), words)
	case "xml":
		words = cmp.Or(brief(s.data["data"]), words)
	}
	return bracket("card", clip(words, maxCard))
}

// cardWords reads the prompt of a JSON card, and the titles, descriptions and addresses in its meta.
func cardWords(data string) string {
	var in struct {
		Prompt string                                `json:"prompt"`
		Desc   string                                `json:"desc"`
		Meta   map[string]map[string]json.RawMessage `json:"meta"`
	}
	if json.Unmarshal([]byte(data), &in) != nil {
		return ""
	}
	words := []string{cmp.Or(in.Prompt, in.Desc)}
	for _, detail := range in.Meta {
		for _, key := range []string{"title", "desc", "jumpUrl", "qqdocurl"} {
			var v string
			if json.Unmarshal(detail[key], &v) == nil && v != "" && !slices.Contains(words, v) {
				words = append(words, v)
			}
		}
		break // a card has one
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

func brief(data string) string {
	dec := xml.NewDecoder(strings.NewReader(data))
	for {
		token, err := dec.Token()
		if err != nil {
			return ""
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			if a.Name.Local == "brief" && a.Value != "" {
				return a.Value
			}
		}
	}
}

func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

const (
	maxForwarded = 8000 // bytes of the words of forwarded messages
	maxNesting   = 3
)

// forwarded gives the words of messages that were passed on, if they came along.
func forwarded(s segment, depth int) string {
	var nodes []struct {
		Sender  json.RawMessage `json:"sender"`
		Message json.RawMessage `json:"message"`
		Content json.RawMessage `json:"content"`
	}
	if depth >= maxNesting || json.Unmarshal([]byte(s.data["content"]), &nodes) != nil || len(nodes) == 0 {
		return "[forwarded messages]"
	}
	var out strings.Builder
	out.WriteString("[forwarded messages]")
	for _, n := range nodes {
		body := n.Message
		if len(body) == 0 {
			body = n.Content
		}
		out.WriteString("\n" + cmp.Or(string(loose[sender](n.Sender).Nickname), "?") + ": " + words(decodeSegments(body), depth+1))
	}
	return clip(out.String(), maxForwarded)
}

// words gives what segments say, without their files.
func words(segments []segment, depth int) string {
	var out strings.Builder
	for _, s := range segments {
		switch s.kind {
		case "text":
			out.WriteString(s.data["text"])
		case "forward", "node":
			out.WriteString(forwarded(s, depth))
		case "face":
			out.WriteString(faceOf(s))
		case "json", "xml":
			out.WriteString(card(s))
		case "at":
			out.WriteString("@" + cmp.Or(s.data["name"], s.first("qq", "user_id")) + " ")
		default:
			out.WriteString(placeholder(s))
		}
	}
	return out.String()
}
