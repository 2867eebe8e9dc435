package rows

import "regexp"

// slashDate is a date whose day and month are told apart by its numbers alone.
var slashDate = regexp.MustCompile(`(^|[^\d/])(\d{1,2})/(\d{1,2})/(\d{4})\b`)

// dayFirst tells that a text writes its dates 31/12/2026: some first number is above 12, no second
// one is.
func dayFirst(head []byte) bool {
	day := false
	for _, m := range slashDate.FindAllSubmatch(head, -1) {
		if len(m[3]) == 2 && string(m[3]) > "12" {
			return false
		}
		day = day || len(m[2]) == 2 && string(m[2]) > "12"
	}
	return day
}

// dotted writes the first such date with points, which reads one way only.
func dotted(s string) string {
	m := slashDate.FindStringSubmatchIndex(s)
	if m == nil {
		return s
	}
	return s[:m[4]] + s[m[4]:m[5]] + "." + s[m[6]:m[7]] + "." + s[m[8]:]
}

// dated gives a line in which a date reads as the text means it.
func (rd *reading) dated(line string) string {
	if !rd.dayFirst {
		return line
	}
	return dotted(line)
}
