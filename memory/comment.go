package memory

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

const day = time.DateOnly

// field is one key=value pair that we do not know; it is kept as it is.
type field struct{ key, value string }

// note is the part of an entry that its comment holds.
type note struct {
	entry Entry
	extra []field
}

// readNote splits a line into its text and the comment that ends it; ok is false if that is none of
// ours: <!-- m:ID key=value ... -->. Fields that cannot be read keep their defaults.
func readNote(line string, where place) (text string, n note, ok bool) {
	line = strings.TrimRight(line, " \t")
	at := strings.LastIndex(line, "<!--")
	if at < 0 || len(line) < at+len("<!---->") || !strings.HasSuffix(line, "-->") {
		return line, note{}, false
	}
	fields := strings.Fields(line[at+len("<!--") : len(line)-len("-->")])
	if len(fields) == 0 || !isMark(fields[0]) || strings.Contains(strings.Join(fields, " "), "-->") {
		return line, note{}, false
	}
	n.entry = where.defaults()
	n.entry.ID = fields[0][len("m:"):]
	for _, pair := range fields[1:] {
		key, value, found := strings.Cut(pair, "=")
		if !found || key == "" {
			return line, note{}, false
		}
		n.set(key, value)
	}
	return strings.TrimRight(line[:at], " \t"), n, true
}

// isMark reports whether a comment's first word is "m:" and an id.
func isMark(word string) bool {
	id, ok := strings.CutPrefix(word, "m:")
	return ok && id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// set takes over one key=value pair of a comment.
func (n *note) set(key, value string) {
	plain, err := url.PathUnescape(value)
	if err != nil {
		plain = value
	}
	e := &n.entry
	switch key {
	case "type":
		if t := Type(plain); t.Valid() {
			e.Type = t
		}
	case "scope":
		if s := Scope(plain); s.check() == nil {
			e.Scope = s
		}
	case "from":
		e.From = akitad.TaskID(plain)
	case "by":
		e.By = plain
	case "at":
		e.At = readTime(plain, 0)
	case "until":
		e.Until = readTime(plain, 1)
	case "supersedes":
		e.Supersedes = strings.Split(plain, ",")
	case "superseded":
		e.SupersededBy = plain
	default:
		n.extra = append(n.extra, field{key, value})
	}
}

// readTime takes a moment, or a day with days added: something that holds until a day holds on that
// day too. Anything else ("permanent") is no time.
func readTime(s string, days int) time.Time {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC()
	}
	if t, err := time.Parse(day, s); err == nil {
		return t.AddDate(0, 0, days)
	}
	return time.Time{}
}

// line gives the list item of the entry, without a line end.
func (n note) line() string {
	e := n.entry
	var b strings.Builder
	fmt.Fprintf(&b, "- %s <!-- m:%s type=%s scope=%s", toFile.Replace(e.Text), e.ID, e.Type, value(string(e.Scope)))
	put := func(key, v string) {
		if v != "" {
			fmt.Fprintf(&b, " %s=%s", key, value(v))
		}
	}
	put("from", string(e.From))
	put("by", e.By)
	if !e.At.IsZero() {
		put("at", e.At.UTC().Format(day))
	}
	put("until", until(e.Until))
	put("supersedes", strings.Join(e.Supersedes, ","))
	put("superseded", e.SupersededBy)
	for _, f := range n.extra {
		b.WriteString(" " + f.key + "=" + f.value)
	}
	return b.String() + " -->"
}

func until(t time.Time) string {
	if t.IsZero() {
		return "permanent"
	}
	return t.UTC().Format(time.RFC3339)
}

// value escapes what would end the value or the comment.
func value(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.:,@/+", c) >= 0 ||
			c == '-' && i > 0 && s[i-1] != '-' && i < len(s)-1
		if plain {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + strconv.FormatUint(uint64(c)>>4, 16) + strconv.FormatUint(uint64(c)&15, 16))
	}
	return b.String()
}
