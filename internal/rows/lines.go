package rows

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// maxLine is how much of one line is read, in bytes. The rest of a longer line is skipped.
const maxLine = 1 << 20

// lineReader gives the lines of a text without their ends and counts them. Lines can be put back.
type lineReader struct {
	r     *bufio.Reader
	n     int      // number of the line given last
	cut   int      // lines longer than maxLine
	long  []byte   // buffer for a line longer than that of r
	again []string // lines put back by back, the next one last
	kept  string   // the line put back by unread, which comes before those, if keeps
	keeps bool
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 128<<10)}
}

// next gives the next line; io.EOF ends the text. The first line loses a byte order mark.
func (l *lineReader) next() (string, error) {
	if l.keeps {
		l.keeps = false
		l.n++
		return l.kept, nil
	}
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

// read reads one line with its end. The bytes are valid until the next call.
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

// unread puts the last line back; next gives it again.
func (l *lineReader) unread(line string) {
	l.kept, l.keeps = line, true
	l.n--
}

// back puts lines back; next gives them again in their order.
func (l *lineReader) back(lines ...string) {
	for i := len(lines) - 1; i >= 0; i-- {
		l.again = append(l.again, lines[i])
	}
	l.n -= len(lines)
}
