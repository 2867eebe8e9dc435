package rows

import (
	"bytes"
	"strings"
)

// dayFirst tells that a text writes its dates 31/12/2026: some first number is above 12, no second
// one is.
func dayFirst(head []byte) bool {
	day := false
	text := string(head)
	for i := 0; ; {
		at := bytes.IndexByte(head[i:], '/')
		if at < 0 {
			return day
		}
		i += at + 1
		a, b, _, ok := slashDate(text, i-1)
		if !ok {
			continue
		}
		if text[b:b+2] > "12" && text[b+2] == '/' {
			return false
		}
		day = day || i-1-a == 2 && text[a:a+2] > "12"
		i = b + 2
	}
}

// slashDate reads a date d/m/yyyy whose first slash stands at a place: where its first and second
// number begin, and where its second slash stands.
func slashDate(s string, slash int) (a, b, second int, ok bool) {
	for a = slash; a > 0 && isDigit(s[a-1]); a-- {
	}
	b = slash + 1
	for second = b; second < len(s) && isDigit(s[second]); second++ {
	}
	end := second + 1
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	ok = slash-a >= 1 && slash-a <= 2 && second-b >= 1 && second-b <= 2 && second < len(s) && s[second] == '/' && end-second == 5
	return a, b, second, ok && (a == 0 || s[a-1] != '/')
}

// dated gives a text in which a date reads as it is meant: with points, the day comes first.
func (rd *reading) dated(s string) string {
	if !rd.dayFirst {
		return s
	}
	slash := strings.IndexByte(s, '/')
	if slash < 0 {
		return s
	}
	if _, b, second, ok := slashDate(s, slash); ok {
		return s[:slash] + "." + s[b:second] + "." + s[second+1:]
	}
	return s
}
