package offline

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// lineOf gives the line number of a source.
func lineOf(source string) int {
	return atoi(source[strings.LastIndexByte(source, ':')+1:])
}

// textLine is one line of a file that was read.
type textLine struct {
	no   int
	text string
}

// maxNote is how many lines of a note are read.
const maxNote = 2000

// pageLines is how many lines are read at once, so that no answer is so long that it is cut.
const pageLines = 150

var linesRead = pattern.New(`\[lines \d+-\d+ of (\d+)\]\s*$`)

// readLines reads a file's lines, at most maxNote, page by page through read_file.
func (s *session) readLines(file string) ([]textLine, error) {
	if isPasted(file) {
		return s.pastedLines(), nil
	}
	out, total, err := s.readPage(file, 1)
	if err != nil {
		return nil, err
	}
	var errs []error
	for from := pageLines + 1; from <= min(total, maxNote); from += pageLines {
		page, _, err := s.readPage(file, from)
		errs = append(errs, err)
		out = append(out, page...)
	}
	return out, first(errs...)
}

func (s *session) readPage(file string, from int) (out []textLine, total int, err error) {
	args := map[string]any{"path": file, "limit": pageLines}
	if from > 1 {
		args["offset"] = from
	}
	text, err := s.call("read_file", args)
	if err != nil {
		return nil, 0, err
	}
	for line := range strings.SplitSeq(text, "\n") {
		no, rest, ok := strings.Cut(line, "\t")
		if v, err := strconv.Atoi(strings.TrimSpace(no)); ok && err == nil {
			out = append(out, textLine{v, rest})
		}
	}
	if m := linesRead.FindStringSubmatch(text); m != nil {
		total = atoi(m[1])
	}
	return out, total, nil
}

// section is a heading and the lines below it.
type section struct {
	title string
	depth int
	line  int
	lines []textLine
}

var mdHeading = pattern.New(`^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$`)

// sectionsOf cuts a Markdown text at its headings; what comes before the first has depth 0. Code
// fences are passed over.
func sectionsOf(lines []textLine) []section {
	out := []section{{}}
	fenced := false
	for _, l := range lines {
		if t := strings.TrimSpace(l.text); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fenced = !fenced
		}
		if m := mdHeading.FindStringSubmatch(l.text); m != nil && !fenced {
			out = append(out, section{title: m[2], depth: len(m[1]), line: l.no})
			continue
		}
		cur := &out[len(out)-1]
		cur.lines = append(cur.lines, l)
	}
	return out
}

// studyNote reads a text that people wrote: its headings, and the changes that it tells of.
func (s *session) studyNote(b *binding, fs *facts) error {
	fs.Kind = "note"
	lines, err := s.readLines(b.file)
	if err != nil {
		return err
	}
	fs.readNote(lines)
	return nil
}

func (s *session) studyByReading(file string) (*finding, error) {
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	fs := &facts{File: file, Kind: "note", Lines: len(lines), Rows: len(lines)}
	fs.readNote(lines)
	return &finding{Kind: "facts", File: file, Count: fs.Rows, Facts: fs}, nil
}

func (fs *facts) readNote(lines []textLine) {
	day := rows.Time{}
	for _, sec := range sectionsOf(lines) {
		if sec.line > 0 && len(fs.Sections) < 30 {
			fs.Sections = append(fs.Sections, event{Source: fs.at(sec.line), Text: sec.title, Value: clipText(firstSentence(sec.lines), 160)})
		}
		if c, ok := fs.changeIn(sec, &day); ok && len(fs.Changes) < 12 {
			fs.Changes = append(fs.Changes, c...)
		}
	}
	if len(fs.Sections) == 0 {
		fs.readPlain(lines)
	}
}

// maxPoints is how many sentences stand for a text without headings.
const maxPoints = 8

// readPlain picks what stands for a text without headings: its parts by their first sentences; of few paragraphs the
// first sentence and those that name a number; of what has no sentences the first lines.
func (fs *facts) readPlain(lines []textLine) {
	var firsts, figures []event
	var all int
	fresh := true
	for _, l := range lines {
		text := strings.TrimSpace(l.text)
		if text == "" {
			fresh = true
			continue
		}
		for i, sentence := range question.Sentences(text) {
			e := event{Source: fs.at(l.no), Text: clipText(sentence, 200)}
			if all++; fresh && i == 0 {
				firsts = append(firsts, e)
			} else if aNumber.MatchString(sentence) && endsSentence(sentence) {
				figures = append(figures, e)
			}
			fresh = false
		}
	}
	points := firsts
	if len(firsts) < 3 {
		points = append(firsts, figures...)
	}
	if len(points) < min(3, all) {
		points = nil
		for _, l := range lines {
			if text := strings.TrimSpace(l.text); text != "" && len(points) < 3 {
				points = append(points, event{Source: fs.at(l.no), Text: clipText(text, 200)})
			}
		}
	}
	fs.Sections = points[:min(len(points), maxPoints)]
}

var aNumber = pattern.New(`\d|[一二三四五六七八九十百千万两]`)

func endsSentence(s string) bool {
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "。") || strings.HasSuffix(s, "！")
}

func (fs *facts) at(line int) string { return fmt.Sprintf("%s:%d", fs.File, line) }

func firstSentence(lines []textLine) string {
	for _, l := range lines {
		t := strings.TrimSpace(l.text)
		if t != "" && !strings.HasPrefix(t, "|") && !strings.HasPrefix(t, "```") && !strings.HasPrefix(t, "---") {
			return strings.TrimLeft(t, "-*> ")
		}
	}
	return ""
}

var changeLine = pattern.New(`(?i)\b(?:deploy\w*|roll(?:ed|ing)?[ -]?(?:out|back)|releas\w*|rollback|restart\w*|upgrad\w*|downgrad\w*|migrat\w*|config\w*|chang\w*|version|enabl\w*|disabl\w*|replac\w*|lower\w*|rais\w*|increas\w*|decreas\w*|reduc\w*|switch\w*|mov(?:ed|ing)|add(?:ed|ing)|remov\w*|appl(?:ied|y)|service|component)\b|->|→|部署|上线|发布|升级|回滚|变更|改动|修改|调整|重启|迁移|配置|版本|启用|停用|替换|降低|提高|增加|减少|服务|切换`)

// changeIn finds the changes of one section: its timed lines, each with the untimed lines about a
// change that follow it, and, if there is but one time, those before it too.
func (fs *facts) changeIn(sec section, day *rows.Time) ([]change, bool) {
	lines := sec.lines
	if sec.line > 0 {
		lines = append([]textLine{{sec.line, sec.title}}, lines...)
	}
	var out []change
	var loose []event
	var dated *event
	for _, l := range lines {
		text := strings.TrimSpace(l.text)
		if text == "" || isRule(text) {
			continue
		}
		e := event{Source: fs.at(l.no), Text: clipText(strings.TrimLeft(text, "-*+> "), 240)}
		t, _, _, timed := rows.FindTime(text)
		switch {
		case timed && t.Precision == rows.ToDay:
			*day = t
			if e.Time = t.String(); dated == nil {
				dated = &e
				continue
			}
			loose = appendChange(loose, out, e, text)
		case timed:
			t = t.On(*day)
			e.Time = t.String()
			out = append(out, change{event: e})
		case len(out) > 0 && changeLine.MatchString(text):
			last := &out[len(out)-1]
			last.Details = append(last.Details, e)
		default:
			loose = appendChange(loose, out, e, text)
		}
	}
	if len(out) == 0 && dated != nil {
		out = []change{{event: *dated}}
	}
	if len(out) == 1 {
		out[0].Details = append(loose, out[0].Details...)
	}
	return out, len(out) > 0
}

func appendChange(loose []event, out []change, e event, text string) []event {
	if len(out) == 0 && changeLine.MatchString(text) {
		return append(loose, e)
	}
	return loose
}

// isRule tells the ruler lines of tables and breaks.
func isRule(s string) bool { return strings.Trim(s, "|-:=_* \t") == "" }
