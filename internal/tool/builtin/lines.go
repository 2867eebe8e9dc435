package builtin

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pdf"
	"github.com/akitad/akitad/internal/tool"
)

const (
	maxColumns = 2_000    // characters of a line that are shown
	maxLine    = 1 << 20  // bytes of a line that are read
	maxBuffer  = 64 << 10 // bytes of the read buffer
	sniff      = 8 << 10  // bytes at the beginning of a file in which a zero byte makes it binary
	ctxEvery   = 4_096    // lines after which the context is checked again
)

// errBinary says that a file is not text.
var errBinary = errors.New("is not a text file")

// eachLine gives every line of a file to visit, numbered from 1, without its end, until visit
// returns false. The bytes are valid during the call only; of a longer line the first maxLine.
func eachLine(ctx context.Context, s tool.Scope, name string, visit func(n int, line []byte) bool) error {
	f, err := s.Dir.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := lineReader(f)
	head, _ := r.Peek(sniff)
	if pdf.Is(head) {
		text, err := pdf.Reader(ctx, r)
		if err != nil {
			return fmt.Errorf("read %q: %w", name, err)
		}
		r = bufio.NewReader(text)
	} else if bytes.IndexByte(head, 0) >= 0 {
		return &akitad.Error{
			Kind: akitad.InvalidRequest, Op: "read", Err: fmt.Errorf("%q %w", name, errBinary),
			Hint: "run_shell has programs that read such files",
		}
	}
	var buf []byte
	for n := 1; ; n++ {
		if n%ctxEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		line, rest, err := nextLine(r, buf[:0])
		if buf = rest; errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %q: %w", name, err)
		}
		if !visit(n, line) {
			return nil
		}
	}
}

// lineReader reads a file through a buffer no larger than the file: most are small, and a search opens
// many.
func lineReader(f fs.File) *bufio.Reader {
	size := int64(maxBuffer)
	if info, err := f.Stat(); err == nil {
		size = min(size, info.Size()+1)
	}
	return bufio.NewReaderSize(f, int(size))
}

// nextLine reads one line. Nothing left is io.EOF. buf is room to use; it comes back grown.
func nextLine(r *bufio.Reader, buf []byte) (line, grown []byte, err error) {
	any := false
	for {
		part, err := r.ReadSlice('\n')
		any = any || len(part) > 0
		if room := maxLine - len(buf); room > 0 {
			buf = append(buf, part[:min(room, len(part))]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || !any):
			return nil, buf, err
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(buf, []byte("\n")), []byte("\r")), buf, nil
	}
}

// named gives the name of a file as a model sees it, on one line: a program may have put line ends into it.
func named(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
		return name
	}
	return strconv.Quote(name)
}

// show gives a line as a model sees it: valid text, cut at maxColumns with a note.
func show(line []byte) string {
	if len(line) <= maxColumns {
		return strings.ToValidUTF8(string(line), "\uFFFD")
	}
	at, columns := 0, 0
	for at < len(line) && columns < maxColumns {
		_, size := utf8.DecodeRune(line[at:])
		at += size
		columns++
	}
	text := strings.ToValidUTF8(string(line[:at]), "\uFFFD")
	if left := len(line) - at; left > 0 {
		more := ""
		if len(line) >= maxLine {
			more = " or more"
		}
		text += fmt.Sprintf(" [line cut here: %d%s bytes left out]", left, more)
	}
	return text
}
