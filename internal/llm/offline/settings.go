package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// maxSettings is how many settings of a document are looked at.
const maxSettings = 1000

// setting is one name of a document and what it is set to.
type setting struct{ source, key, value string }

// hasSettings tells a document that sets names to values.
func (b *binding) hasSettings() bool {
	return len(b.cols) == 2 && b.cols[0].name == rows.KeyField && b.cols[1].name == rows.ValueField
}

var (
	switchedOff = pattern.New(`\b(?:switched|turned)? ?off\b|\bdisabled?\b|\bfalse\b|关闭|禁用|停用|没有?(?:开|启用)|未(?:开|启用)`)
	switchedOn  = pattern.New(`\b(?:switched|turned) on\b|\benabled?\b|\btrue\b|\bactive\b|开启|启用|打开`)
	largeKey    = pattern.New(`最大|上限|\b(?:maximum|largest|highest|upper limit)\b`)
	smallKey    = pattern.New(`最小|下限|\b(?:minimum|smallest|lowest|lower limit)\b`)
)

// yesNo asks whether something is on.
var yesNo = pattern.New(`(?:开启|启用|打开|禁用|关闭|停用)了?(?:吗|没有|没)|是否|有没有|^\s*(?:is|are)\b`)

// settingFill are words for settings at large.
var settingFill = set("part parts thing things feature features option options setting settings enabled enable disabled disable active switched turned")

// switchWord says that something is on or off.
var switchWord = set("enabled enable disabled disable active switched turned true false")

// settingNames are further ways in which documents name what a question does.
var settingNames = map[string][]string{
	"端口": {"port"}, "主机": {"host"}, "数据库": {"database", "db"}, "连接池": {"pool"}, "超时": {"timeout"}, "重试": {"retry", "retries"},
	"密码": {"password"}, "用户": {"user"}, "地址": {"address", "url", "host"}, "日志": {"log", "logging"}, "级别": {"level"}, "缓存": {"cache"},
	"名称": {"name"}, "版本": {"version"}, "功能": {"feature"}, "调试": {"debug"}, "服务": {"service"}, "队列": {"queue"}, "间隔": {"interval"},
}

// settings answers from a document of settings: those whose names hold the most of the question's words.
func (s *session) settings(b *binding) (*finding, error) {
	t, err := s.extract(extract{Path: b.file, Columns: rows.KeyField + "," + rows.ValueField, Limit: maxSettings})
	if err != nil {
		return nil, err
	}
	var all []setting
	for i, r := range t.rows {
		all = append(all, setting{r[0], t.cell(i, rows.KeyField), t.cell(i, rows.ValueField)})
	}
	want := ""
	switch {
	case yesNo.MatchString(b.q.Text):
	case switchedOff.MatchString(b.q.Text):
		want = "false"
	case switchedOn.MatchString(b.q.Text):
		want = "true"
	}
	hits := bestSettings(all, settingTerms(b.q), want)
	if len(hits) == 0 {
		return b.decline(b.say.of("no name in it is that which is asked for", "其中没有所问的名称")), nil
	}
	return &finding{Kind: "text", File: b.file, Count: len(hits), Text: s.say.sayHits(b.file, hits)}, nil
}

// settingTerms are groups of words, any of which will do.
func settingTerms(q *question.Question) [][]string {
	var out [][]string
	for _, w := range left(q) {
		if text := strings.Trim(w.text, "?"); !stopWords[text] && len(text) > 1 || text == "max" || text == "min" {
			out = append(out, append([]string{text}, stems(text)...))
		}
	}
	for han, names := range settingNames {
		if strings.Contains(q.Text, han) {
			out = append(out, names)
		}
	}
	if yesNo.MatchString(q.Text) {
		out = append(out, []string{"enabled", "enable", "active", "on"})
	}
	if largeKey.MatchString(q.Text) {
		out = append(out, []string{"max", "maximum", "limit"})
	}
	if smallKey.MatchString(q.Text) {
		out = append(out, []string{"min", "minimum"})
	}
	return out
}

// bestSettings are those that answer to the most words, at least half of them, and, if want is given, are
// set to it.
func bestSettings(all []setting, terms [][]string, want string) []setting {
	terms = slices.DeleteFunc(slices.Clone(terms), func(ws []string) bool {
		return want != "" && slices.ContainsFunc(ws, func(w string) bool {
			return settingFill[w] && !slices.ContainsFunc(all, func(x setting) bool { return !switchWord[w] && x.named(w) && strings.EqualFold(x.value, want) })
		})
	})
	var best []setting
	most := 0
	for _, x := range all {
		n := 0
		for _, ws := range terms {
			if slices.ContainsFunc(ws, func(w string) bool { return x.named(w) }) {
				n++
			}
		}
		switch {
		case want != "" && !strings.EqualFold(x.value, want) || n == 0 && (want == "" || len(terms) > 0) || n*2 < len(terms):
		case n > most:
			best, most = []setting{x}, n
		case n == most:
			best = append(best, x)
		}
	}
	return best
}

// named tells that a word is a name on the way to a setting, a part of one, or its value.
func (x setting) named(w string) bool {
	key := strings.ToLower(x.key)
	if key == w || strings.EqualFold(x.value, w) {
		return true
	}
	parts := strings.FieldsFunc(camel.ReplaceAllString(x.key, "$1 $2"), func(r rune) bool { return strings.ContainsRune("._- ", r) })
	return slices.ContainsFunc(parts, func(p string) bool { p = strings.ToLower(p); return p == w || singular(p) == w || p == singular(w) })
}

// shownSettings is how many are listed.
const shownSettings = 30

func (l say) sayHits(file string, hits []setting) string {
	out := []string{l.f("**%s** in %s:", "%[2]s 中有 **%[1]s**：", l.of(plural(len(hits), "setting"), n(len(hits))+" 项设置"), file)}
	for _, x := range hits[:min(len(hits), shownSettings)] {
		out = append(out, fmt.Sprintf("- %s = **%s** (%s)", x.key, x.value, x.source))
	}
	if more := len(hits) - shownSettings; more > 0 {
		out = append(out, l.f("(%d more)", "（另有 %d 项）", more))
	}
	return strings.Join(out, "\n")
}
