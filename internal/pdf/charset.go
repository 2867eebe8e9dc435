package pdf

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// charset is a way to write letters as bytes that a font names and does not bring with it.
type charset interface {
	size(b []byte) int         // bytes of the next letter; b is not empty
	letters(raw []byte) string // of one letter
}

// charsetOf returns the charset that a font's encoding names, or else the order of its letters; nil if it is
// not known.
func charsetOf(encoding, order string) charset {
	switch {
	case strings.Contains(encoding, "UTF32"):
		return utf32{}
	case strings.Contains(encoding, "UCS2"), strings.Contains(encoding, "UTF16"):
		return wide{}
	case strings.HasPrefix(encoding, "GB"):
		return gb{}
	case strings.HasPrefix(encoding, "Identity") && order == "GB1":
		return gb1{}
	}
	return nil
}

// wide is UTF-16.
type wide struct{}

func (wide) size(b []byte) int {
	if b[0]&0xfc == 0xd8 {
		return 4
	}
	return 2
}

func (wide) letters(raw []byte) string { return fromUTF16(raw) }

type utf32 struct{}

func (utf32) size([]byte) int { return 4 }

func (utf32) letters(raw []byte) string { return string(rune(codeOf(raw))) }

// gb is GB 18030, and with it GBK and GB 2312: bytes from 0x81 on open letters of two bytes, or of four if the
// second is a digit.
type gb struct{}

func (gb) size(b []byte) int {
	switch {
	case b[0] < 0x81:
		return 1
	case len(b) > 1 && b[1] >= '0' && b[1] <= '9':
		return 4
	}
	return 2
}

func (gb) letters(raw []byte) string {
	s, err := simplifiedchinese.GB18030.NewDecoder().Bytes(raw)
	if err != nil {
		return string(utf8.RuneError)
	}
	return string(s)
}

// gb1 is the order of letters that Adobe calls GB1, as far as it follows GB 2312.
type gb1 struct{}

// gb1Runs are stretches of it: the first number, and the first and the last letter in GB 2312.
var gb1Runs = [...][3]int{
	{96, 0xa1a1, 0xa1fe},
	{190, 0xa2b1, 0xa2e2},
	{240, 0xa2e5, 0xa2ee},
	{250, 0xa2f1, 0xa2fc},
	{262, 0xa3a1, 0xa3fe},
	{356, 0xa4a1, 0xa4f3},
	{439, 0xa5a1, 0xa5f6},
	{525, 0xa6a1, 0xa6b8},
	{549, 0xa6c1, 0xa6d8},
	{573, 0xa7a1, 0xa7c1},
	{606, 0xa7d1, 0xa7f1},
	{639, 0xa8a1, 0xa8ba},
	{665, 0xa8c5, 0xa8e9},
	{702, 0xa9a4, 0xa9ef},
}

// The rows of Chinese characters have 94 each, but for the last one of the first level.
const (
	gb1Row    = 94
	gb1First  = 939  // row 0xb0
	gb1Second = 4694 // row 0xd8
	gb1End    = 4694 + 32*gb1Row
)

func (gb1) size([]byte) int { return 2 }

func (gb1) letters(raw []byte) string {
	n := int(codeOf(raw))
	code := 0
	switch {
	case n >= 1 && n <= 95:
		return string(rune(n + 0x1f))
	case n >= 814 && n <= 908:
		return string(rune(n - 814 + 0x20))
	case n >= gb1Second && n < gb1End:
		code = (0xd8+(n-gb1Second)/gb1Row)<<8 | (0xa1 + (n-gb1Second)%gb1Row)
	case n >= gb1First && n < gb1Second:
		code = (0xb0+(n-gb1First)/gb1Row)<<8 | (0xa1 + (n-gb1First)%gb1Row)
	default:
		for _, r := range gb1Runs {
			if n >= r[0] && n <= r[0]+r[2]-r[1] {
				code = r[1] + n - r[0]
			}
		}
	}
	if code == 0 {
		return string(utf8.RuneError)
	}
	return gb{}.letters([]byte{byte(code >> 8), byte(code)})
}
