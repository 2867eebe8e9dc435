package telegram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/go-telegram/bot/models"

	"github.com/akitad/akitad/internal/text"
)

const (
	maxShown = 64   // characters of a name or a title
	maxQuote = 2000 // characters of a message that is answered
	maxTold  = 4000 // characters of what stands for things without words
	maxOwn   = 300  // characters of the bot's own words, which only say which they are
	ownAfter = 900  // seconds after which what the bot wrote is not what a reply is taken to mean by itself
)

// told gives what a message says: the person's words as they are, what it has in place of words, and
// what others wrote, labelled as theirs. A command keeps its words alone, for it is read by its
// beginning and its end.
func (t *Telegram) told(m *models.Message, said, lang string) string {
	if things := cutTo(strings.Join(things(m), "\n"), maxTold); things != "" {
		said = join(said, "\n", things)
	}
	if name, ok := forwardedFrom(m.ForwardOrigin); ok {
		return join(label(lang, "forwarded from %s", "转发自 %s", name), "\n", said)
	}
	if strings.HasPrefix(said, "/") || silentPart(m) {
		return said
	}
	return join(said, "\n\n", t.quoted(m, lang))
}

func join(a, between, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}

func label(lang, en, zh, name string) string {
	if lang == "zh" {
		en = zh
	}
	return "[" + fmt.Sprintf(en, name) + "]"
}

// quoted gives what a message answers, each line marked: a piece that the person picked, or all of a
// message that is not the bot's own. The bot's words it knows; of old ones the beginning says which are meant.
func (t *Telegram) quoted(m *models.Message, lang string) string {
	r := m.ReplyToMessage
	if r != nil && r.ForumTopicCreated != nil {
		return ""
	}
	words, name := "", ""
	switch {
	case m.Quote != nil && (m.Quote.IsManual || r == nil || !t.mine(r)):
		words = m.Quote.Text
	case r != nil && !t.mine(r):
		words = join(r.Text+r.Caption, "\n", strings.Join(things(r), "\n"))
	case r != nil && m.Date-max(r.Date, r.EditDate) > ownAfter && r.Date > 0 && r.ReplyMarkup == nil: // a question is answered by words alone
		words = cutTo(r.Text+r.Caption, maxOwn)
	}
	if words == "" {
		return ""
	}
	switch {
	case r == nil:
		name = externalAuthor(m.ExternalReply)
	case t.mine(r):
		name = "@" + t.me().username
	case r.SenderChat != nil:
		name = oneLine(r.SenderChat.Title)
	case r.From != nil:
		name = nameOf(r.From)
	}
	return text.Lang(lang).InReplyTo(name, words, maxQuote)
}

func externalAuthor(e *models.ExternalReplyInfo) string {
	if e == nil {
		return ""
	}
	name, _ := forwardedFrom(&e.Origin)
	return name
}

// forwardedFrom names who wrote a message first.
func forwardedFrom(o *models.MessageOrigin) (name string, ok bool) {
	switch {
	case o == nil:
		return "", false
	case o.MessageOriginUser != nil:
		name = nameOf(&o.MessageOriginUser.SenderUser)
	case o.MessageOriginHiddenUser != nil:
		name = oneLine(o.MessageOriginHiddenUser.SenderUserName)
	case o.MessageOriginChat != nil:
		name = oneLine(o.MessageOriginChat.SenderChat.Title)
	case o.MessageOriginChannel != nil:
		name = oneLine(o.MessageOriginChannel.Chat.Title)
	}
	if name == "" {
		name = "?"
	}
	return name, true
}

// things puts into words what a message has in place of them, so that nothing is dropped silently.
func things(m *models.Message) (out []string) {
	add := func(format string, args ...any) { out = append(out, "["+fmt.Sprintf(format, args...)+"]") }
	for _, l := range hiddenLinks(m) {
		add("link: %s", join(l[0], ", ", l[1]))
	}
	if s := m.Sticker; s != nil {
		add("%s", stickerWords(s))
	}
	switch {
	case m.Venue != nil:
		add("place: %s, %s, %s", oneLine(m.Venue.Title), oneLine(m.Venue.Address), point(m.Venue.Location))
	case m.Location != nil:
		add("location: %s", point(*m.Location))
	}
	if c := m.Contact; c != nil {
		add("contact: %s, %s", oneLine(c.FirstName+" "+c.LastName), oneLine(c.PhoneNumber))
	}
	if p := m.Poll; p != nil {
		add("poll: %s", pollWords(p))
	}
	if d := m.Dice; d != nil {
		add("dice %s: %d", oneLine(d.Emoji), d.Value)
	}
	if c := m.Checklist; c != nil {
		add("checklist: %s", checklistWords(c))
	}
	if g := m.Game; g != nil {
		add("game: %s", oneLine(g.Title))
	}
	if i := m.Invoice; i != nil {
		add("invoice: %s", oneLine(i.Title))
	}
	if m.Story != nil {
		add("story")
	}
	if m.PaidMedia != nil {
		add("paid media")
	}
	return out
}

// maxLinks is how many addresses of a message are told that stand behind words.
const maxLinks = 20

// hiddenLinks gives the words of a message that lead somewhere, and where: what is seen of such a link has no address.
func hiddenLinks(m *models.Message) (out [][2]string) {
	words, entities := m.Text, m.Entities
	if words == "" {
		words, entities = m.Caption, m.CaptionEntities
	}
	var units []uint16
	for _, e := range entities {
		if e.Type != models.MessageEntityTypeTextLink || e.URL == "" || len(out) == maxLinks {
			continue
		}
		if units == nil {
			units = utf16.Encode([]rune(words))
		}
		from := min(max(e.Offset, 0), len(units))
		label := oneLine(string(utf16.Decode(units[from:min(from+max(e.Length, 0), len(units))])))
		link := [2]string{label, cutTo(e.URL, maxQuote)}
		if label != e.URL && !slices.Contains(out, link) {
			out = append(out, link)
		}
	}
	return out
}

func stickerWords(s *models.Sticker) string {
	words := join("sticker", " ", oneLine(s.Emoji))
	if set := oneLine(s.SetName); set != "" {
		words += " from " + set
	}
	return words
}

func point(l models.Location) string {
	return strconv.FormatFloat(l.Latitude, 'f', 6, 64) + ", " + strconv.FormatFloat(l.Longitude, 'f', 6, 64)
}

func pollWords(p *models.Poll) string {
	words := cutTo(strings.TrimSpace(p.Question), maxQuote)
	for i, o := range p.Options {
		words += fmt.Sprintf(" %d) %s", i+1, oneLine(o.Text))
	}
	return words
}

func checklistWords(c *models.Checklist) string {
	words := oneLine(c.Title)
	for i, task := range c.Tasks {
		words += fmt.Sprintf(" %d) %s", i+1, oneLine(task.Text))
	}
	return words
}

// oneLine makes of a name or a title, which anybody may choose, one short line without brackets.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case r == '[' || r == ']':
			return '|'
		}
		return r
	}, s)
	return cutTo(strings.Join(strings.Fields(s), " "), maxShown)
}
