package feishu

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// everybody is the key of a mention of all; it is nobody's name and wakes no bot.
const everybody = "@_all"

// named puts names in the place of mentions' keys. The bot's own mention goes, with its space; of two
// keys that begin alike the longer counts, and a name that looks like a key is left alone.
func named(text string, mentions []mention, me string) string {
	var out strings.Builder
	for {
		at := strings.IndexByte(text, '@')
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:at])
		text = text[at:]
		m, key := longest(text, mentions)
		switch {
		case key == "":
			out.WriteByte('@')
			text = text[1:]
		case key == everybody:
			out.WriteString("@all")
			text = text[len(key):]
		case m.is(me):
			text = closeUp(&out, text[len(key):])
		default:
			out.WriteString("@" + string(cmp.Or(m.Name, m.ID.Open, m.Key[1:])))
			text = text[len(key):]
		}
	}
}

func (m mention) is(me string) bool { return me != "" && string(m.ID.Open) == me }

// longest finds the key that text begins with. A key that goes on with a digit is another one's.
func longest(text string, mentions []mention) (found mention, key string) {
	if strings.HasPrefix(text, everybody) {
		key = everybody
	}
	for _, m := range mentions {
		k := string(m.Key)
		if len(k) <= len(key) || k[0] != '@' || !strings.HasPrefix(text, k) {
			continue
		}
		if rest := text[len(k):]; rest == "" || rest[0] < '0' || rest[0] > '9' {
			found, key = m, k
		}
	}
	return found, key
}

// closeUp takes the space away that stood around a mention, that behind it at the beginning of a line, and at the
// beginning of a text the comma or colon of an address.
func closeUp(out *strings.Builder, rest string) string {
	before := out.String()
	if strings.TrimSpace(before) == "" {
		out.Reset()
		return strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",:，：、", r) })
	}
	if strings.HasSuffix(before, " ") {
		if next, _ := utf8.DecodeRuneInString(rest); rest == "" || strings.ContainsRune("\n,.;:!?)，。；：！？、）", next) {
			out.Reset()
			out.WriteString(strings.TrimSuffix(before, " "))
			return rest
		}
		return strings.TrimPrefix(rest, " ")
	}
	if strings.HasSuffix(before, "\n") {
		return strings.TrimPrefix(rest, " ")
	}
	return rest
}

// mentioned reports whether the bot is among those who are named.
func mentioned(mentions []mention, me string) bool {
	for _, m := range mentions {
		if m.is(me) && m.Key != everybody {
			return true
		}
	}
	return false
}
