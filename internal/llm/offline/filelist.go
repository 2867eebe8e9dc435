package offline

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/sorting"
)

var (
	sizeAsked  = pattern.New(`\bsizes?\b|\bbytes\b|\bhow (?:big|large)\b|\b(?:largest|biggest|smallest) file\b|\bfile is (?:the )?(?:largest|biggest|smallest)\b|大小|多大|最[大小]的?文件|文件最[大小]|字节`)
	linesAsked = pattern.New(`\bline counts?\b|\b(?:number|count) of lines\b|\bhow many lines\b|\blines\b|行数|多少行|几行`)
	bySize     = pattern.New(`\b(?:largest|biggest|smallest)\b|最[大小]`)
)

// fileFacts are what is told of a file in a list.
type fileFacts struct {
	name  string
	size  int
	sized bool
	lines string
}

// describeFiles lists files, with their sizes and lines where those are asked for.
func (s *session) describeFiles(q *question.Question, names []string) (outcome, error) {
	if !sizeAsked.MatchString(q.Text) && !linesAsked.MatchString(q.Text) || len(names) == 0 {
		return outcome{text: s.sayFiles(names, q.Folder)}, nil
	}
	var list []fileFacts
	var errs []error
	for _, name := range names {
		f, err := s.factsOfFile(name, linesAsked.MatchString(q.Text))
		list, errs = append(list, f), append(errs, err)
	}
	if err := first(errs...); err != nil {
		return outcome{}, err
	}
	if bySize.MatchString(q.Text) {
		sorting.By(list, func(a, b fileFacts) int {
			if q.Asc {
				return cmp.Compare(a.size, b.size)
			}
			return cmp.Compare(b.size, a.size)
		})
	}
	total := 0
	lines := []string{s.say.f("**%s**:", "**%s**：", s.say.of(plural(len(list), "file"), n(len(list))+" 个文件"))}
	for _, f := range list {
		total += f.size
		lines = append(lines, "- "+strings.Join(slices.DeleteFunc([]string{f.name + ": " + s.saySize(f), f.lines}, func(s string) bool { return s == "" }), ", "))
	}
	if len(list) > 1 {
		lines = append(lines, s.say.f("%s in all.", "共 %s。", s.say.of(plural(total, "byte"), n(total)+" 字节")))
	}
	return outcome{text: strings.Join(lines, "\n")}, nil
}

func (s *session) saySize(f fileFacts) string {
	if !f.sized {
		return s.say.of("size not known", "大小未知")
	}
	return s.say.of("**"+plural(f.size, "byte")+"**", "**"+n(f.size)+" 字节**")
}

// factsOfFile finds a file's size, and its lines if they are wanted.
func (s *session) factsOfFile(name string, lines bool) (fileFacts, error) {
	f := fileFacts{name: name}
	for _, b := range s.brief.Files {
		if b.Name == name {
			f.size, f.sized = int(b.Bytes), true
		}
	}
	if size, err := strconv.Atoi(s.sizes[name]); err == nil {
		f.size, f.sized = size, true
	}
	if !lines || !s.has("extract") {
		return f, nil
	}
	t, err := s.extract(extract{Path: name, Format: "text", Aggregate: "count"})
	switch {
	case errors.Is(err, errWant):
		return f, err
	case err != nil || len(t.files) == 0:
		f.lines = s.say.of("not a text", "不是文本")
	default:
		f.lines = s.say.of(plural(t.files[0].lines, "line"), n(t.files[0].lines)+" 行")
	}
	return f, nil
}
