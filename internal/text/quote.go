package text

import "strings"

// oneName keeps a name, which anybody may choose, from ending the brackets that it stands in.
var oneName = strings.NewReplacer("[", "|", "]", "|", "\n", " ", "\r", " ")

// InReplyTo shows to a model what a message answers: whose words they are, and at most so many characters of them,
// each line marked. Without words it says only whose they are.
func (l Lang) InReplyTo(name, words string, most int) string {
	if name = oneName.Replace(strings.TrimSpace(name)); name == "" {
		name = "?"
	}
	label := l.say("[in reply to {name}]", "[回复 {name}]", "name", name)
	runes := []rune(strings.TrimSpace(words))
	if len(runes) == 0 {
		return label
	}
	if len(runes) > most {
		runes = append(runes[:most-1:most-1], '…')
	}
	return label + "\n> " + strings.ReplaceAll(string(runes), "\n", "\n> ")
}

// InReplyToUnread says that a message answers one that cannot be had.
func (l Lang) InReplyToUnread() string {
	return l.say("[in reply to a message that cannot be read]", "[回复的消息无法读取]")
}
