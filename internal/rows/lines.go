package rows

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// maxLine is how much of one line is looked at, in bytes; the rest of a longer one is skipped.
const maxLine = 1 << 20

// lineReader gives lines without their ends, counts them, and can take some back.
type lineReader struct {
	r     *bufio.Reader
	n     int // lines given, less those taken back
	cut   int // lines longer than maxLine
	long  []byte
	again []string
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 128<<10)}
}

// next gives the next line; io.EOF ends the text. The first line loses a byte order mark.
func (l *lineReader) next() (string, error) {
	if k := len(l.again); k > 0 {
		line := l.again[k-1]
		l.again = l.again[:k-1]
		l.n++
		return line, nil
	}
	raw, err := l.read()
	if err != nil {
		return "", err
	}
	l.n++
	if l.n == 1 {
		raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	}
	line := string(bytes.TrimRight(raw, "\r\n"))
	if !utf8.ValidString(line) {
		line = strings.ToValidUTF8(line, "\uFFFD")
	}
	return line, nil
}

func (l *lineReader) read() ([]byte, error) {
	raw, err := l.r.ReadSlice('\n')
	if err == nil || err == io.EOF && len(raw) > 0 {
		return raw, nil
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	l.long = append(l.long[:0], raw...)
	size := len(raw)
	for errors.Is(err, bufio.ErrBufferFull) {
		raw, err = l.r.ReadSlice('\n')
		size += len(raw)
		l.long = append(l.long, raw[:min(len(raw), maxLine-len(l.long))]...)
	}
	if size > maxLine {
		l.cut++
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	return l.long, nil
}

// back takes lines back, which come again in the order they had.
func (l *lineReader) back(lines ...string) {
	for i := len(lines) - 1; i >= 0; i-- {
		l.again = append(l.again, lines[i])
	}
	l.n -= len(lines)
}
