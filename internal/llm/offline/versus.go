package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/rows"
)

// versus says how many more rows of a kind, or how much more of a figure, one of two files has.
func (s *session) versus(q *question.Question, files []string) (outcome, error) {
	if len(files) != 2 {
		return outcome{refused: true, text: s.say.of("I can tell how much more one of exactly two files has; name the two.", "只能比较恰好两个文件相差多少；请写明两个文件。")}, nil
	}
	one := *q
	one.Versus, one.Intent = false, question.Count
	if q.Fn != "" {
		one.Intent = question.Aggregate
	}
	fs := make([]*finding, 2)
	var errs []error
	for i, file := range files {
		f, err := s.answer(&one, file)
		fs[i], errs = f, append(errs, err)
	}
	if err := first(errs...); err != nil {
		return outcome{}, err
	}
	var figures [2]float64
	for i, f := range fs {
		switch x, ok := rows.Number(f.Value); {
		case f.Kind == "count":
			figures[i] = float64(f.Count)
		case f.Kind == "figure" && ok:
			figures[i] = x
		default:
			return outcome{refused: true, text: s.say.merge(q, fs), findings: fs}, nil
		}
	}
	hi, lo := 0, 1
	if figures[1] > figures[0] {
		hi, lo = 1, 0
	}
	text := s.say.f("%s has **%s** more than %s (%s against %s).", "%s 比 %s 多 **%[2]s**（%[4]s 对 %[5]s）。", files[hi], plainFigure(figures[hi]-figures[lo]), files[lo], plainFigure(figures[hi]), plainFigure(figures[lo]))
	if s.say == "zh" {
		text = fmt.Sprintf("%s 比 %s 多 **%s**（%s 对 %s）。", files[hi], files[lo], plainFigure(figures[hi]-figures[lo]), plainFigure(figures[hi]), plainFigure(figures[lo]))
	}
	if figures[0] == figures[1] {
		text = s.say.f("Both have **%s**.", "两者相同，都是 **%s**。", plainFigure(figures[0]))
	}
	for _, f := range fs {
		text += "\n- " + s.say.render(f)
	}
	return outcome{text: text, findings: fs}, nil
}

func plainFigure(x float64) string {
	if x == float64(int(x)) {
		return n(int(x))
	}
	return number(x)
}

// compareValues sets several values of one column of a file side by side: "web-1 or web-2: which has
// more errors?"; nil if the question names no such values.
func (s *session) compareValues(q *question.Question, file string) (*finding, error) {
	if !s.has("extract") || isProse(file) {
		return nil, nil
	}
	b, err := s.bind(q, file)
	if err != nil || b.problem != "" || len(b.unheard) > 0 {
		return nil, err
	}
	for _, w := range b.where {
		name, _, ok := strings.Cut(w, " in (")
		if !ok || name == rows.LevelField || b.column(name) == nil {
			continue
		}
		one := *q
		one.Intent, one.Desc, one.Asc, b.q = question.Top, !q.Asc, q.Asc, &one
		m := b.measure()
		if q.Fn == "" && m != nil && !slices.ContainsFunc(b.named, func(x named) bool { return x.col == m }) {
			m = nil
		}
		f, err := s.groups(b, []string{name}, m)
		if err == nil {
			f.setFile(file, b.what())
		}
		return f, err
	}
	return nil, nil
}
