package redact

import (
	"bytes"
	"io"
	"sync"
)

// maxHeld bounds what a Writer keeps back while it waits for the end of a line or of a key block.
const maxHeld = 64 << 10

// Writer redacts what is written through it, whole lines at a time, so that a secret split over
// two writes is still found. It is safe for use by many goroutines.
type Writer struct {
	mu   sync.Mutex
	to   io.Writer
	by   *Redactor
	held []byte
}

// Writer gives a writer that passes redacted text on to w. The caller must Flush it at the end,
// else an unfinished last line is lost.
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{to: w, by: r} }

// Write takes p whole, or fails with the error of the writer below.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = append(w.held, p...)
	ready := w.ready()
	if ready == 0 {
		return len(p), nil
	}
	_, err := w.to.Write(w.by.Bytes(w.held[:ready]))
	w.held = append(w.held[:0], w.held[ready:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// ready says how many of the held bytes can go: up to the last line end, but not into a key block
// that has not ended yet. Past maxHeld all but the length of the longest secret goes.
func (w *Writer) ready() int {
	end := bytes.LastIndexByte(w.held, '\n') + 1
	if begin := openBlock(w.held[:end]); begin >= 0 {
		end = begin
	}
	if len(w.held) <= maxHeld {
		return end
	}
	if begin := openBlock(w.held); begin >= 0 {
		return len(w.held) // redacted to its end: a block this long is cut, never shown
	}
	return max(end, len(w.held)-int(w.by.longest()))
}

// openBlock gives where a private key block begins that has no end in b, or -1.
func openBlock(b []byte) int {
	begin := bytes.LastIndex(b, []byte("-----BEGIN "))
	if begin < 0 || bytes.Contains(b[begin:], []byte("-----END ")) {
		return -1
	}
	line, _, _ := bytes.Cut(b[begin:], []byte("\n"))
	if !bytes.Contains(line, []byte("PRIVATE KEY")) {
		return -1
	}
	return begin
}

func (r *Redactor) longest() int64 {
	if r == nil {
		return 0
	}
	return max(r.hidden.Load(), 512)
}

// Flush passes on what is held back.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.held) == 0 {
		return nil
	}
	_, err := w.to.Write(w.by.Bytes(w.held))
	w.held = w.held[:0]
	return err
}
