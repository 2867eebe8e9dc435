package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// parted is a known secret as it is found where lines were broken in the midst of it. One of its ends is
// whole then.
type parted struct {
	head, tail string
	find       *regexp.Regexp
}

// minParted is the length of a secret that is looked for over line ends, and twice that of its ends.
const minParted = 16

// partable notes a secret that may stand over two lines. It is called under the lock.
func (r *Redactor) partable(s string) {
	if len(s) < minParted || strings.ContainsAny(s, "\r\n") || !utf8.ValidString(s) {
		return
	}
	letters := strings.Split(s, "")
	for i, letter := range letters {
		letters[i] = regexp.QuoteMeta(letter)
	}
	var all []parted
	if known := r.lines.Load(); known != nil {
		all = append(all, *known...)
	}
	all = append(all, parted{
		head: s[:minParted/2], tail: s[len(s)-minParted/2:],
		find: regexp.MustCompile(strings.Join(letters, `(?:["'\\]{0,2}\r?\n[\t >"'+]*)?`)),
	})
	r.lines.Store(&all)
}

// whole takes secrets out that stand over two lines.
func (r *Redactor) whole(s string) string {
	known := r.lines.Load()
	if known == nil || !strings.Contains(s, "\n") {
		return s
	}
	for _, p := range *known {
		if strings.Contains(s, p.head) || strings.Contains(s, p.tail) {
			s = p.find.ReplaceAllString(s, Mark)
		}
	}
	return s
}
