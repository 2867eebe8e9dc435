package telegram

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/go-telegram/bot/models"

	"github.com/akitad/akitad/internal/sorting"
)

// words is what a message says and whether it says it to the bot.
type words struct {
	text      string // without the mention, otherwise byte for byte
	addressed bool   // by a mention, a command with the bot's name, or a reply to the bot
	forOther  bool   // a command with another bot's name
	replyTo   string // the message that it answers
}

// read finds the words of a message or of its caption, and whom they are for. Only what Telegram
// marks as a mention is one: a name in code or in an address is not.
func read(m *models.Message, me identity) words {
	text, entities := m.Text, m.Entities
	if text == "" {
		text, entities = m.Caption, m.CaptionEntities
	}
	w := words{}
	// In a topic, everything that answers nothing "answers" the message that opened the topic.
	if r := m.ReplyToMessage; r != nil && r.ForumTopicCreated == nil {
		w.replyTo = strconv.Itoa(r.ID)
		w.addressed = r.From != nil && me.id != 0 && r.From.ID == me.id
	}
	units := utf16.Encode([]rune(text))
	cuts := w.scan(units, entities, me)
	w.text = text
	if len(cuts) > 0 {
		w.text = string(utf16.Decode(remove(units, cuts)))
	}
	return w
}

// cut is a piece to take out, in UTF-16 units. The rest of a command closes up to it; around a
// mention one space goes.
type cut struct {
	from, to int
	mention  bool
}

// scan looks at the entities, whose offsets count UTF-16 units, for the bot's name.
func (w *words) scan(units []uint16, entities []models.MessageEntity, me identity) (cuts []cut) {
	for _, e := range entities {
		from, to := e.Offset, e.Offset+e.Length
		if from < 0 || e.Length <= 0 || to > len(units) || to < from {
			continue
		}
		seen := string(utf16.Decode(units[from:to]))
		switch e.Type {
		case models.MessageEntityTypeMention:
			if me.named(strings.TrimPrefix(seen, "@")) {
				w.addressed = true
				cuts = append(cuts, cut{from, to, true})
			}
		case models.MessageEntityTypeTextMention:
			if e.User != nil && me.id != 0 && e.User.ID == me.id {
				w.addressed = true
				cuts = append(cuts, cut{from, to, true})
			}
		case models.MessageEntityTypeBotCommand:
			command, name, named := strings.Cut(seen, "@")
			if !named {
				continue
			}
			if me.named(name) {
				w.addressed = true
				cuts = append(cuts, cut{from + len(command), to, false})
			} else if from == 0 {
				w.forOther = true
			}
		}
	}
	return cuts
}

func (me identity) named(name string) bool {
	return me.username != "" && strings.EqualFold(name, me.username)
}

// remove takes pieces out, the last one first, so that the offsets stay right.
func remove(units []uint16, cuts []cut) []uint16 {
	sorting.By(cuts, func(a, b cut) int { return b.from - a.from })
	out := slices.Clone(units)
	end := len(units) // of what is not cut yet
	for _, c := range cuts {
		from, to := c.from, min(c.to, end)
		if end = from; from >= to { // two of one place
			continue
		}
		if c.mention {
			from, to = widen(out, from, to)
		}
		out = slices.Delete(out, from, to)
	}
	return out
}

// stops are signs before which no space stands.
const stops = ",.;:!?)，。；：！？、）"

// widen takes a mention's space with it: that behind it, or that before it at the end of the text or of a clause;
// and at the beginning of the text the comma or colon of an address.
func widen(units []uint16, from, to int) (int, int) {
	atStart := len(strings.TrimSpace(string(utf16.Decode(units[:from])))) == 0
	if atStart {
		from = 0
		for to < len(units) && strings.ContainsRune(",:，：、", rune(units[to])) {
			to++
		}
		for to < len(units) && unicode.IsSpace(rune(units[to])) {
			to++
		}
		return from, to
	}
	before := isSpace(units[from-1])
	switch {
	case before && to < len(units) && isSpace(units[to]):
		to++
	case before && (to == len(units) || strings.ContainsRune(stops, rune(units[to]))):
		from--
	}
	return from, to
}

func isSpace(unit uint16) bool { return unicode.IsSpace(rune(unit)) }
