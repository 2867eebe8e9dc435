package commands

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

// slashes begin a command; the second is what Chinese keyboards write.
const slashes = "/／"

// latin is what an English name looks like; a path such as /var/log/a.log is none.
var latin = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,31}(?:\s|$)`)

// maxHan is the longest Chinese word, in characters, that counts as a mistyped name and not as words
// of a person.
const maxHan = 4

// split returns the name of a command, without its slash, and the words behind it.
func split(words string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(words, "/")
	if !ok {
		if rest, ok = strings.CutPrefix(words, "／"); !ok {
			return "", "", false
		}
	}
	if found := latin.FindString(rest); found != "" {
		return strings.TrimSpace(found), strings.TrimSpace(rest[len(found):]), true
	}
	return splitHan(rest)
}

// splitHan reads a Chinese name. What follows it need not stand apart, where it cannot be part of a
// word, or where the command takes any words: /评分5, /纠正：只看北京.
func splitHan(rest string) (name, args string, ok bool) {
	end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.Is(unicode.Han, r) })
	if end < 0 {
		end = len(rest)
	}
	word, behind := rest[:end], rest[end:]
	if word == "" {
		return "", "", false
	}
	if _, known := find(word); known {
		return word, bare(behind), true
	}
	for _, i := range List() {
		for _, also := range i.Also {
			if said, begins := strings.CutPrefix(word, also); begins && i.takesWords() && utf8.RuneCountInString(said) > 1 {
				return also, bare(said + behind), true
			}
		}
	}
	return word, bare(behind), utf8.RuneCountInString(word) <= maxHan && (behind == "" || unicode.IsSpace([]rune(behind)[0]))
}

// bare cuts what may stand between a Chinese name and what is said to it.
func bare(s string) string {
	return strings.TrimSpace(strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(":：,，", r) }))
}

// language returns the language of the reply: the one that is set, else the one that the command is in,
// else the one that was written last. What is set in a group is an owner's choice: whoever cannot change
// it is answered in the language of their own words.
func (r request) language() text.Lang {
	set, own := text.Lang(r.set.Lang), r.ownLanguage()
	if r.reserved() {
		set, own = own, set
	}
	return set.Or(own.Or(text.Lang(r.set.Spoke).Or(text.Lang(r.Origin.Lang).Or(text.En))))
}

// ownLanguage returns the language that the command itself is in, "" if it shows none.
func (r request) ownLanguage() text.Lang {
	if hasHan(r.name + r.args) {
		return text.Zh
	}
	if info, ok := find(strings.TrimLeft(r.name, slashes)); ok && info.takesWords() {
		if _, sure := text.Speaks(r.args); sure {
			return text.Lang(r.Origin.Lang)
		}
	}
	return ""
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// unknown answers a name that is no command: with what the room would be for that does not exist yet,
// with the nearest name, or with a pointer to /help.
func (r request) unknown(name string) string {
	switch name = strings.ToLower(name); name {
	case "schedule", "schedules", "cron", "日程", "定时":
		return r.lang.NoSchedules()
	case "skill", "skills", "技能":
		return r.lang.NoSkills()
	}
	if near := nearest(name); near != "" {
		return r.lang.DidYouMean(r.name, "/"+near)
	}
	return r.lang.UnknownCommand(r.name)
}

// nearest returns the name that a mistyped one may mean, "" for none.
func nearest(word string) string {
	for _, i := range List() { // a name with too much or too little behind it
		for _, n := range append([]string{i.Name}, i.Also...) {
			if len(word) >= 3 && (strings.HasPrefix(word, n) || strings.HasPrefix(n, word)) {
				return n
			}
		}
	}
	if hasHan(word) {
		return nearestHan(word)
	}
	var known []string
	for _, i := range List() {
		known = append(known, i.Name)
	}
	if near := tool.Nearest(word, known); len(near) > 0 && len(word) > 2 {
		return near[0]
	}
	return ""
}

// nearestHan returns the name that shares a character with the word.
func nearestHan(word string) string {
	for _, i := range List() {
		for _, n := range i.Also {
			if hasHan(n) && slices.ContainsFunc([]rune(n), func(r rune) bool { return strings.ContainsRune(word, r) }) {
				return n
			}
		}
	}
	return ""
}
