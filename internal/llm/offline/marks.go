package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// Marks that stand in texts, and the words that ask for them.
var (
	mailWords  = pattern.New(`\be-?mails?\b|邮箱|邮件地址`)
	mailMark   = pattern.New(`[A-Za-z0-9][A-Za-z0-9._%+\-]*@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+`)
	linkWords  = pattern.New(`\b(?:urls?|links?|web addresses)\b|网址|链接`)
	linkMark   = pattern.New(`https?://[^\s<>"'()（），。]+[^\s<>"'()（），。.,;:!?]`)
	phoneWords = pattern.New(`\b(?:phone|telephone)s?\b|电话|手机号`)
	phoneMark  = pattern.New(`(?:\+\d{1,3}[ \-]?)(?:\(?\d{1,4}\)?[ \-]?){2,5}\d|\b1[3-9]\d{9}\b|\b\d{3,4}-\d{7,8}\b|\b0\d{2,5}[-/ ]\d{3,8}\b`)
)

// wantedMarks tells which marks of a text a question asks for; nil is none.
func (s *session) wantedMarks(q *question.Question) (res []*pattern.Pattern, names []string) {
	switch q.Intent {
	case question.Fields, question.Filter, question.Count, question.Unknown, question.Top:
	default:
		return nil, nil
	}
	for _, k := range []struct {
		ask, mark *pattern.Pattern
		name      string
	}{
		{mailWords, mailMark, s.say.of("email addresses", "邮箱地址")},
		{phoneWords, phoneMark, s.say.of("phone numbers", "电话号码")},
		{linkWords, linkMark, s.say.of("links", "链接")},
	} {
		if k.ask.MatchString(q.Text) {
			res, names = append(res, k.mark), append(names, k.name)
		}
	}
	return res, names
}

// marks lists what of a text has the form that is asked for, each with its line.
func (s *session) marks(q *question.Question, file string, res []*pattern.Pattern, names []string) (*finding, error) {
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	f := &finding{Kind: "text", File: file}
	var parts []string
	whose := slices.DeleteFunc(searchTerms(q), func(w string) bool {
		return markFill[w] || mailWords.MatchString(w) || phoneWords.MatchString(w) || linkWords.MatchString(w) || ofName(w, file)
	})
	for i, re := range res {
		var out []string
		for _, l := range lines {
			if len(whose) > 0 && hits(l.text, whose) == 0 {
				continue
			}
			for _, at := range re.FindAllStringIndex(l.text, -1) {
				out = append(out, fmt.Sprintf("- %s (%s:%d)", strings.TrimSpace(l.text[at[0]:at[1]]), file, l.no))
			}
		}
		f.Count += len(out)
		parts = append(parts, s.say.f("**%s** %s in %s", "%[3]s 中有 **%[1]s** 个%[2]s", n(len(out)), names[i], file)+s.say.of(":", "：")+"\n"+strings.Join(out, "\n"))
	}
	if f.Count == 0 && len(whose) > 0 {
		return s.needsModel(file), nil // none of those whose it is to be
	}
	f.Text = strings.TrimRight(strings.Join(parts, "\n\n"), "\n")
	return f, nil
}

// markFill are words beside such a mark that do not say whose it is.
var markFill = set("phon telephon number address contact mail email link url web 号码 联系 联系方式 手机 地址")

// aside shows the lines before or after the row that was found.
func (s *session) aside(b *binding, f *finding) (*finding, error) {
	at, q := lineOf(f.Rows[0].Source), *b.q
	if q.Line, q.LineTo = at+1, at+q.Aside; q.Aside < 0 {
		q.Line, q.LineTo = max(at+q.Aside, 1), at-1
	}
	if q.LineTo < 1 {
		return &finding{Kind: "none", File: b.file, Text: b.say.f("%s is the first line.", "%s 是第一行。", f.Rows[0].Source)}, nil
	}
	lines, err := s.showLines(&q, b.file)
	if err == nil && lines.Kind == "text" {
		lines.Text = b.say.f("Lines %d to %d, beside %s (%s):", "第 %d 至 %d 行，邻近 %s（%s）：", q.Line, q.LineTo, f.Rows[0].Source, b.what()) + "\n" + lines.Text
	}
	return lines, err
}
