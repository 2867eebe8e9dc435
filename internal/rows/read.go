package rows

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/akitad/akitad"
)

// Format says how a text is split into rows.
type Format string

// The formats.
const (
	Auto     Format = "auto"     // whichever the name and the beginning of the text suggest
	Log      Format = "log"      // log lines of every known form, which may be mixed in one file
	CSV      Format = "csv"      // fields separated by comma, semicolon, tab or bar
	JSONL    Format = "jsonl"    // a JSON object in each line
	Regexp   Format = "regexp"   // lines that match a pattern
	Markdown Format = "markdown" // rows of Markdown tables
	Headings Format = "headings" // Markdown headings: depth, title, lines
	Text     Format = "text"     // each line, with the first time that stands in it
)

// Formats lists what Options.Format may be.
var Formats = []Format{Auto, Log, CSV, JSONL, Regexp, Markdown, Headings, Text}

// Options say how to read. The zero value is Auto.
type Options struct {
	Format  Format
	Pattern *regexp.Regexp // required for Regexp; its named groups are the fields
}

// Stats say what became of each line of a text: Lines is the sum of the lines that began a row, Continued, Malformed,
// Blank and Skipped. Of an array of JSON objects, whose rows are not lines, only Lines, Rows and Malformed are counted.
type Stats struct {
	Format      Format
	Lines       int
	Rows        int
	Malformed   int   // lines that fit no form of the format
	MalformedAt []int // numbers of the first five of them
	Continued   int   // lines that belong to the row before them
	Blank       int
	Skipped     int // headers, and lines that the format does not look at (prose around tables)
	Cut         int // lines longer than 1 MiB, of which only that much was read
}

// maxNoted is how many malformed lines are named.
const maxNoted = 5

func (s *Stats) malformed(line int) {
	s.Malformed++
	if len(s.MalformedAt) < maxNoted {
		s.MalformedAt = append(s.MalformedAt, line)
	}
}

// ErrStop, returned by a callback, ends the reading without an error.
var ErrStop = errors.New("stop")

// reading is the state of one Read.
type reading struct {
	name  string
	lines *lineReader
	opts  Options
	stats Stats
	row   Row
	yield func(*Row) error
	units units

	dayFirst bool // the day stands before the month in its dates: 31/12/2026
}

// Read hands each row of r to yield, in order. name is the file's name, whose ending helps to find the format. The text
// is streamed. Lines that do not fit are counted in Stats, never dropped in silence.
//
// A file NAME.json gives a row for each object, as JSONL does, if it is an array of objects or one object with such a
// list. One object without a list gives a row for each of its settings (KeyField, ValueField).
//
// The text may be in UTF-8, UTF-16 with a byte order mark, or GB 18030. An error is one of r or of yield, or of kind
// invalid_request if the file is binary.
func Read(r io.Reader, name string, opts Options, yield func(*Row) error) (Stats, error) {
	r, err := decoded(r)
	if err != nil {
		return Stats{}, err
	}
	lr := newLineReader(r)
	head, err := lr.r.Peek(headBytes)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrShortBuffer) {
		return Stats{}, err
	}
	if err := checkText(head); err != nil {
		return Stats{}, err
	}
	array, doc, list := false, false, false
	if opts.Format == "" || opts.Format == Auto {
		opts.Format, array = Detect(name, head), isArray(name, head)
		if doc, list = docKind(name, head); array || doc {
			opts.Format = JSONL
		}
	}
	rd := &reading{name: name, lines: lr, opts: opts, yield: yield, units: units{}, dayFirst: dayFirst(head)}
	switch {
	case array:
		err = rd.readArray()
	case doc:
		err = rd.readDocument(list)
	default:
		err = rd.run(head)
	}
	rd.stats.Lines, rd.stats.Cut, rd.stats.Format = lr.n, lr.cut, opts.Format
	if errors.Is(err, ErrStop) || err == io.EOF {
		err = nil
	}
	return rd.stats, err
}

// checkText refuses a file whose beginning has a zero byte.
func checkText(head []byte) error {
	if bytes.IndexByte(head, 0) >= 0 {
		return akitad.Errorf(akitad.InvalidRequest, "the file is binary").WithHint("Only text files can be read as rows.")
	}
	return nil
}

// run reads the lines by the format. head is the beginning of the text.
func (rd *reading) run(head []byte) error {
	switch rd.opts.Format {
	case CSV:
		return rd.readCSV(sniffCSV(rd.name, sampleLines(head)))
	case Markdown:
		return rd.readMarkdown()
	case Headings:
		return rd.readHeadings()
	case Log, JSONL:
		rd.row.bracket = bracketsOf(head)
		return rd.readLog()
	case Regexp:
		return rd.readRegexp()
	case Text:
		return rd.readText()
	}
	return fmt.Errorf("unknown format %q", rd.opts.Format)
}

// emit hands the row to the callback.
func (rd *reading) emit() error {
	rd.stats.Rows++
	return rd.yield(&rd.row)
}

// start begins a new row with the line that was read last.
func (rd *reading) start(line string) {
	rd.row.reset(rd.name, rd.lines.n, line)
}

// nextFilled gives the next line that is not blank, and counts the blank ones before it.
func (rd *reading) nextFilled() (string, error) {
	for {
		line, err := rd.lines.next()
		if err != nil || strings.TrimSpace(line) != "" {
			return line, err
		}
		rd.stats.Blank++
	}
}

// readText makes a row of each line. A time of day counts for the last date before it.
func (rd *reading) readText() error {
	var day Time
	for {
		line, err := rd.nextFilled()
		if err != nil {
			return err
		}
		rd.start(line)
		if t, _, _, ok := FindTime(rd.dated(line)); ok {
			t = t.On(day)
			if t.Date {
				day = t
			}
			rd.row.setTime(t)
		}
		rd.row.add("text", line)
		if err := rd.emit(); err != nil {
			return err
		}
	}
}

// readRegexp makes a row of each line that matches the pattern.
func (rd *reading) readRegexp() error {
	if rd.opts.Pattern == nil {
		return akitad.Errorf(akitad.InvalidRequest, "format regexp needs a pattern").WithHint(`Give pattern with named groups, e.g. (?P<user>\w+).`)
	}
	names := rd.opts.Pattern.SubexpNames()
	for {
		line, err := rd.lines.next()
		if err != nil {
			return err
		}
		m := rd.opts.Pattern.FindStringSubmatch(line)
		if m == nil {
			rd.stats.Skipped++
			continue
		}
		rd.start(line)
		rd.addGroups(names, m)
		if err := rd.emit(); err != nil {
			return err
		}
	}
}

// addGroups adds the pattern's named groups as fields, or the whole match if there are none. The row's time is that of
// a group whose name says so, else the first in the line.
func (rd *reading) addGroups(names, m []string) {
	for i, name := range names {
		if name == "" {
			continue
		}
		if t, ok := ParseTime(m[i]); ok && isTimeName(name) {
			rd.row.Time, rd.row.HasTime = t, true
		}
		rd.row.add(name, m[i])
	}
	if len(rd.row.Fields) == 0 {
		rd.row.add("match", m[0])
	}
	if !rd.row.HasTime {
		rd.row.Time, _, _, rd.row.HasTime = FindTime(rd.row.Text)
	}
}
