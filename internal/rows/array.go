package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// maxObject is how much of an array is held to find the end of one of its objects, in bytes.
const maxObject = 4 << 20

// arrayHead is how an array of JSON objects begins.
var arrayHead = pattern.New(`^\x{FEFF}?\s*\[\s*\{\s*["}]`)

// isArray tells a JSON document that is one array of objects: each of them is a row, however it is laid out.
func isArray(name string, head []byte) bool {
	return strings.ToLower(path.Ext(name)) == ".json" && arrayHead.MatchString(string(head))
}

// lineCounter tells in which line of what it hands over a byte stands.
type lineCounter struct {
	r      io.Reader
	read   int64
	breaks int     // the lines that have ended
	open   bool    // the last one has begun and not ended
	rest   bool    // nothing is asked of what comes now
	passed int64   // as far as line goes
	line   int     // the line in which passed stands, from 1
	ends   []int64 // where lines end between passed and read
}

var (
	errLongObject = errors.New("an object is too long")
	errAfter      = errors.New("something follows the array")
)

func (c *lineCounter) Read(p []byte) (int, error) {
	if c.read-c.passed > maxObject && !c.rest {
		return 0, errLongObject
	}
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if c.open = b != '\n'; c.open {
			continue
		}
		if c.breaks++; !c.rest {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

// at gives the line in which the byte at offset stands; offsets do not go back.
func (c *lineCounter) at(offset int64) int {
	n := 0
	for n < len(c.ends) && c.ends[n] < offset {
		n++
	}
	c.line, c.ends, c.passed = c.line+n, c.ends[n:], offset
	return c.line
}

// lines is how many there are of all that was read.
func (c *lineCounter) lines() int {
	if c.open {
		return c.breaks + 1
	}
	return c.breaks
}

// readArray hands over each object of an array as a row that stands where the object begins. From where
// the text is no such array any more, its lines are malformed.
func (rd *reading) readArray() error {
	c := rd.countedLines()
	dec := json.NewDecoder(c)
	_, err := dec.Token() // the bracket that isArray has seen
	for err == nil && dec.More() {
		var raw json.RawMessage
		if err = dec.Decode(&raw); err == nil {
			rd.lines.n = c.at(dec.InputOffset() - int64(len(raw)))
			if err := rd.element(raw); err != nil {
				return err
			}
		}
	}
	if err == nil {
		_, err = dec.Token() // the bracket that ends it
	}
	return rd.endArray(c, nothingAfter(dec, err))
}

// countedLines is the text from its first byte on, less a byte order mark.
func (rd *reading) countedLines() *lineCounter {
	if mark, _ := rd.lines.r.Peek(3); string(mark) == "\xEF\xBB\xBF" {
		_, _ = rd.lines.r.Discard(len(mark))
	}
	return &lineCounter{r: rd.lines.r, line: 1}
}

// nothingAfter is io.EOF if the text ends where its one value does.
func nothingAfter(dec *json.Decoder, err error) error {
	if err == nil {
		if _, err = dec.Token(); err == nil {
			err = errAfter
		}
	}
	return err
}

// element hands over one element of an array; what is no object is no row.
func (rd *reading) element(raw []byte) error {
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return err
	}
	text := strings.ToValidUTF8(line.String(), "\uFFFD")
	if rd.start(text); !jsonForm(text, &rd.row) {
		rd.stats.malformed(rd.lines.n)
		return nil
	}
	rd.row.Text = text
	finish(&rd.row, rd.units)
	return rd.emit()
}

// endArray counts the lines to the end of the text, and names the place where it is no array any more.
func (rd *reading) endArray(c *lineCounter, err error) error {
	if errors.Is(err, errLongObject) {
		return akitad.Errorf(akitad.InvalidRequest, "an object of the array is larger than %d MiB", maxObject>>20).
			WithHint("Write smaller objects, or one in a line.")
	}
	if err != io.EOF {
		at := max(c.read-1, c.passed)
		if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = max(wrong.Offset-1, c.passed)
		}
		rd.stats.malformed(c.at(at))
	}
	c.rest = true
	_, err = io.Copy(io.Discard, c)
	rd.lines.n = c.lines()
	return err
}
