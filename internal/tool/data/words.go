package data

import (
	"slices"
	"strings"
)

// script is what has to be known of SQL before it runs. SQLite itself decides what it may do.
type script struct {
	first      string   // first word, in capitals
	names      []string // of its parameters, without the sign, each once
	positional bool     // it has parameters without a name: ? or ?1
	end        int      // where the first statement ends
	more       bool     // there is a second statement
}

// scan looks through SQL, passing over texts, quoted names and comments.
func scan(sql string) script {
	s := script{end: len(sql)}
	ended := false
	for i := 0; i < len(sql); {
		n := length(sql[i:])
		word := sql[i : i+n]
		i += n
		switch {
		case blank(word):
			continue
		case word == ";":
			if !ended && s.first != "" {
				ended, s.end = true, i-1
			}
			continue
		case word[0] == '?':
			s.positional = true
		case strings.ContainsRune(":@$", rune(word[0])) && len(word) > 1:
			if !slices.Contains(s.names, word[1:]) {
				s.names = append(s.names, word[1:])
			}
		}
		if s.first == "" {
			s.first = strings.ToUpper(word)
		}
		s.more = s.more || ended
	}
	return s
}

// blank reports whether a token is white space or a comment.
func blank(word string) bool {
	return strings.TrimSpace(word) == "" || strings.HasPrefix(word, "--") || strings.HasPrefix(word, "/*")
}

// length returns the length, in bytes, of the token that s begins with; s is not empty.
func length(s string) int {
	switch c := s[0]; {
	case c == '\'' || c == '"' || c == '`':
		return quoted(s, c)
	case c == '[':
		return upTo(s, "]", 0)
	case strings.HasPrefix(s, "--"):
		return upTo(s, "\n", 0)
	case strings.HasPrefix(s, "/*"):
		return upTo(s, "*/", 2)
	case c == '?' || c == ':' || c == '@' || c == '$':
		return 1 + run(s[1:])
	case inWord(c):
		return run(s)
	}
	return 1
}

// quoted returns the length of a text in which a doubled quote stands for one.
func quoted(s string, q byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != q {
			continue
		}
		if i+1 < len(s) && s[i+1] == q {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

// upTo returns the length of s up to and with the first end at or behind the byte from; that of all of s if there is none.
func upTo(s, end string, from int) int {
	if at := strings.Index(s[from:], end); at >= 0 {
		return from + at + len(end)
	}
	return len(s)
}

// run returns the length of the name or number that s begins with. A dollar sign may stand inside of a name.
func run(s string) int {
	n := 0
	for n < len(s) && (inWord(s[n]) || n > 0 && s[n] == '$') {
		n++
	}
	return n
}

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
