// Package pdf reads the text out of PDF files, page by page, within bounds on time, memory and size. It
// keeps lines and columns in the order in which they are read, draws nothing, recognises no letters in images,
// and opens no files that take a password.
package pdf

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/akitad/akitad"
)

// Bounds of one reading, whatever the file says: a file of a megabyte can unpack to gigabytes.
const (
	MaxFile    = 32 << 20 // bytes of a file; a larger one is refused
	maxText    = 2 << 20  // bytes of the text that is returned
	maxUnpack  = 32 << 20 // bytes that all streams unpack to together
	maxObjects = 500_000
	maxPages   = 5_000
	maxDepth   = 64 // of values in values, pages in pages
	maxForms   = 8  // of drawings in drawings
	maxSteps   = 8_000_000
	maxStreams = 20_000  // of objects
	maxCodes   = 1 << 17 // of a font, with their widths
	maxTime    = 10 * time.Second
)

// Is reports whether data begins like a PDF file.
func Is(data []byte) bool { return bytes.Contains(data[:min(len(data), 1024)], []byte("%PDF-")) }

// Text returns the text of a PDF, pages apart by a form feed and a line end. Errors are of kind
// invalid_request and say why there is none: the file is encrypted, broken, too large, or holds images only.
// The end of ctx ends it. It never panics.
func Text(ctx context.Context, data []byte) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", refuse("it cannot be read: its structure is broken")
		}
	}()
	switch {
	case len(data) > MaxFile:
		return "", refuse(fmt.Sprintf("it is larger than %d MiB", MaxFile>>20))
	case !Is(data):
		return "", refuse("it is no PDF file")
	}
	whole := ctx
	ctx, cancel := context.WithTimeout(whole, maxTime)
	defer cancel()
	f := &file{ctx: ctx, data: data, objects: map[int]place{}, known: map[int]any{}, fonts: map[int]*font{}, unpack: maxUnpack, steps: maxSteps}
	f.scan()
	if f.encrypt != nil {
		return "", refuse("it is encrypted and opens with a password only")
	}
	pages := f.pages()
	var out strings.Builder
	for n, p := range pages {
		if ctx.Err() != nil {
			break
		}
		if n > 0 {
			out.WriteString("\f\n")
		}
		out.WriteString(f.page(p))
		if out.Len() > maxText {
			break
		}
	}
	if err := whole.Err(); err != nil {
		return "", err
	}
	return f.conclude(out.String(), len(pages))
}

// conclude returns the text, or why there is none.
func (f *file) conclude(text string, pages int) (string, error) {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "\n(cut: there is more)"
	}
	letters := strings.Trim(text, " \t\r\n\f\uFFFD")
	switch {
	case letters != "":
		return text + f.missing(text, pages), nil
	case f.ctx.Err() != nil:
		return "", refuse("it takes too long to read")
	case pages == 0:
		return "", refuse("no page of it can be found")
	case strings.Contains(text, "\uFFFD") && f.strange != "":
		return "", refuse(fmt.Sprintf("its letters are written in %.40q, which is not known here", f.strange))
	case strings.Contains(text, "\uFFFD"):
		return "", refuse("its fonts do not say which letters they hold")
	case f.images > 0:
		return "", refuse(fmt.Sprintf("it holds no text: %d of its %d pages are images, such as of a scanner", min(f.images, pages), pages))
	}
	return "", refuse("it holds no text")
}

// missing says what could not be read, if that is much.
func (f *file) missing(text string, pages int) (notes string) {
	if lost, all := strings.Count(text, "\uFFFD"), utf8.RuneCountInString(text); lost*20 > all {
		notes += fmt.Sprintf("\n(%d of %d letters could not be read: their fonts do not say which they are)", lost, all)
	}
	if f.scanned > 0 {
		notes += fmt.Sprintf("\n(%d of %d pages hold images and no text, such as of a scanner)", f.scanned, pages)
	}
	return notes
}

// Reader returns the text of a PDF, as Text does, where r holds one; else r as it is. Errors are those of r and
// of Text.
func Reader(ctx context.Context, r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 4<<10)
	head, _ := b.Peek(1024)
	if !Is(head) {
		return b, nil
	}
	data, err := io.ReadAll(io.LimitReader(b, MaxFile+1))
	if err != nil {
		return nil, err
	}
	text, err := Text(ctx, data)
	if err != nil {
		return nil, err
	}
	return strings.NewReader(text), nil
}

func refuse(why string) error {
	return akitad.Errorf(akitad.InvalidRequest, "the PDF has no text to read: %s", why)
}
