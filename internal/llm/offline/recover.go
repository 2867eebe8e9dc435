package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

var recovering = pattern.New(`\b(?:recover(?:ed|s|y)?|back to normal|healthy again|stop(?:ped)? failing)\b|恢复|好转`)

// asksRecovery tells that the end of a log's errors is asked for, and that no row speaks of one.
func (b *binding) asksRecovery() bool {
	at := recovering.FindString(b.q.Text)
	return at != "" && b.found[at].mentions == 0 && (b.format == "log" || b.format == "jsonl")
}

// recovery gives the first row after the last error.
func (s *session) recovery(b *binding) (*finding, error) {
	_, where := b.errorRule()
	own := slices.DeleteFunc(slices.Clone(b.where), func(w string) bool { return strings.HasPrefix(w, "level ") })
	bad, err := s.extract(extract{Path: b.file, Where: strings.Join(append(slices.Clone(own), where), " and "), Since: b.since, Until: b.until, Order: "line desc", Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(bad.rows) == 0 {
		return &finding{Kind: "none", File: b.file, Text: s.say.f("%s has no errors to recover from.", "%s 中没有错误，谈不上恢复。", b.file)}, nil
	}
	last := readEvent(bad, 0)
	after, err := s.extract(extract{Path: b.file, Where: strings.Join(append(own, fmt.Sprintf("line > %d", lineOf(last.Source))), " and "), Order: "line asc", Limit: 1})
	if err != nil {
		return nil, err
	}
	f := &finding{Kind: "text", File: b.file, Count: bad.matched()}
	f.Text = s.say.f("The last error of %s is at %s (%s); no row follows it.", "%s 的最后一个错误在 %s（%s），其后没有记录。", b.file, last.Time, last.Source)
	if len(after.rows) > 0 {
		next := readEvent(after, 0)
		f.Text = s.say.f("The last error of %s is at %s (%s); the first row after it is at **%s** (%s): %s.", "%s 的最后一个错误在 %s（%s）；其后第一行在 **%s**（%s）：%s。", b.file, last.Time, last.Source, next.Time, next.Source, code(next.Text))
	}
	return f, nil
}
