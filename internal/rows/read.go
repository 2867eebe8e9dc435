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

// The formats. Log takes every kind of log line there is, mixed in one file if need be. Text gives
// each line as a row, with the first time that stands in it.
const (
	Auto     Format = "auto"
	Log      Format = "log"
	CSV      Format = "csv"
	JSONL    Format = "jsonl"
	Regexp   Format = "regexp"
	Markdown Format = "markdown" // rows of tables
	Headings Format = "headings" // Markdown headings: depth, title, lines
	Text     Format = "text"
)

// Formats lists what Options.Format may be.
var Formats = []Format{Auto, Log, CSV, JSONL, Regexp, Markdown, Headings, Text}

// Options say how to read; the zero value finds out by looking at the text.
type Options struct {
	Format  Format
	Pattern *regexp.Regexp // Regexp: its named groups are the fields
}

// Stats say what became of each line of a text: Lines = lines that began or continued a row +
// Malformed + Blank + Skipped. An array of JSON objects, where rows do not go by lines, has Lines, Rows and Malformed alone.
type Stats struct {
	Format      Format
	Lines       int
	Rows        int
	Malformed   int
	MalformedAt []int // the first few line numbers
	Continued   int   // lines that belong to the row before them
	Blank       int
	Skipped     int // headers, and lines that the format does not look at (prose around tables)
	Cut         int // lines of which only the first mebibyte was read
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

// reading is one text being read.
type reading struct {
	name  string
	lines *lineReader
	opts  Options
	stats Stats
	row   Row
	yield func(*Row) error
	units units

	dayFirst bool // 31/12/2026 is how its dates are written
}

// Read hands each row of r to yield, in order; name is the file's name, whose ending helps to find
// the format. Lines that do not fit are counted in Stats, never dropped in silence. The text is
// streamed; a file NAME.json that is an array of objects, or one object that holds such a list, gives each of them as a row, as JSONL does, and one object without a list each of its settings (KeyField, ValueField); UTF-16 with a mark and GB 18030 are read as well as UTF-8. Errors: what r or yield returned, or invalid_request for text that is not text.
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

func checkText(head []byte) error {
	if bytes.IndexByte(head, 0) >= 0 {
		return akitad.Errorf(akitad.InvalidRequest, "the file is binary").WithHint("Only text files can be read as rows.")
	}
	return nil
}

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

// emit hands over the row that was filled.
func (rd *reading) emit() error {
	rd.stats.Rows++
	return rd.yield(&rd.row)
}

func (rd *reading) start(line string) {
	rd.row.reset(rd.name, rd.lines.n, line)
}

func (rd *reading) readText() error {
	var day Time
	for {
		line, err := rd.lines.next()
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "" {
			rd.stats.Blank++
			continue
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
