package rows

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// headBytes is how much of a text is looked at to find out how it is written.
const headBytes = 64 << 10

// decoded gives a text as UTF-8: UTF-16 is known by its mark, GB 18030 (and with it GBK and GB 2312)
// by bytes that are no UTF-8 and nearly all pairs of that encoding. Other bytes pass as they are.
func decoded(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 2*headBytes)
	head, err := b.Peek(headBytes)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrShortBuffer) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()), nil
	case looksGB(head):
		return transform.NewReader(b, simplifiedchinese.GB18030.NewDecoder()), nil
	}
	return b, nil
}

// looksGB tells Chinese that is not UTF-8: of the pairs of bytes that begin above ASCII, nine in ten
// are of the common characters.
func looksGB(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 || utf8.Valid(head) || utf8.Valid(head[:max(len(head)-utf8.UTFMax, 0)]) {
		return false
	}
	pairs, common, valid := 0, 0, 0
	for i := 0; i < len(head)-1; i++ {
		if head[i] < 0x80 {
			continue
		}
		if _, size := utf8.DecodeRune(head[i:]); size > 1 {
			valid++
		}
		if pairs++; head[i] >= 0xa1 && head[i] <= 0xf7 && head[i+1] >= 0xa1 && head[i+1] <= 0xfe {
			common++
		}
		i++
	}
	return pairs > 0 && common*10 >= pairs*9 && valid*2 < pairs
}
