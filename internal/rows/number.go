package rows

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	thousands   = regexp.MustCompile(`^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$`)
	thousandsEU = regexp.MustCompile(`^[-+]?\d{1,3}(\.\d{3})+,\d+$`)
	currency    = regexp.MustCompile(`\s*(?:[%$€£¥￥元円]|\b(?:EUR|USD|GBP|CHF|CNY|RMB|JPY))$`)
	decimalEU   = regexp.MustCompile(`^[-+]?\d+,\d{1,2}$`)
)

// Number reads a number as people write it in tables: plain, with a currency sign on either side, with a percent sign behind
// it (12 % is 12), with thousands apart, with a decimal comma where only that can be meant (one or two digits behind it), or in brackets as
// bookkeepers write a loss. ok is false for anything else: NaN, infinity, hexadecimal, a time, more than 40 bytes.
func Number(s string) (n float64, ok bool) {
	if s == "" || len(s) > 40 || s[0] >= 'A' && s[0] <= 'z' || strings.IndexByte(s, ':') >= 0 { // a time, mostly
		return 0, false
	}
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") && !strings.ContainsAny(s, "+-") {
		f, ok := Number(s[1 : len(s)-1]) // as bookkeepers write a loss
		return -f, ok
	}
	s = bareNumber(s)
	if s == "" || strings.Trim(s, "+-0123456789.,eE ") != "" || !strings.ContainsAny(s, "0123456789") {
		return 0, false
	}
	if c := s[0]; c == 'e' || c == 'E' {
		return 0, false
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f, true
	}
	if strings.IndexByte(s, ',') < 0 {
		return 0, false
	}
	switch {
	case thousands.MatchString(s):
		s = strings.ReplaceAll(s, ",", "")
	case thousandsEU.MatchString(s):
		s = strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)
	case decimalEU.MatchString(s):
		s = strings.Replace(s, ",", ".", 1)
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// bareNumber takes the signs of money and percent off a number, on whichever side they stand.
func bareNumber(s string) string {
	s = strings.TrimSpace(s)
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	s = strings.TrimLeft(s, "$€£¥￥ ")
	if s != "" && !isDigit(s[len(s)-1]) {
		s = strings.TrimSpace(currency.ReplaceAllString(s, ""))
	}
	return sign + s
}

// Decimals returns how many digits follow the decimal point or comma of a number that Number reads; 0 for one in
// scientific notation.
func Decimals(s string) int {
	s = bareNumber(s)
	if thousands.MatchString(s) && !strings.Contains(s, ".") {
		return 0
	}
	at := strings.LastIndexAny(s, ".,")
	if at < 0 || strings.ContainsAny(s, "eE") {
		return 0
	}
	return len(s) - at - 1
}
