package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// Names that stand inside the text of lines and in no column: the 3 of "worker-3", the 1234 of
// "job=1234", what opens a message before its colon. They are read by worked-out columns of extract.
const (
	leadColumn  = "lead"
	afterColumn = "after("

	openerColumn = "opener(" // the word that opens a message and ends with a noun
)

var (
	groupNoun = pattern.New(`\b(?:per|by|each|every|which|what|(?:top|bottom)(?:\s+\d+)?|different|distinct|unique)\s+(?:single\s+|different\s+|distinct\s+)?([a-z]+)\b|(?:哪(?:个|台|一个|一台|名|位|条|几个|些)?|每(?:个|台|名|位|条|一个|一台)?|各(?:个|台)?|按照?|(?:多少|几)(?:个|台|种|名|位)(?:不同的)?)\s*([a-z]+|\p{Han}{2,4}?)(?:的|有|出|报|错|失|最|里|统计|分组|分类|汇总|列|计|排|$|[^\p{Han}a-z])`)
	numbered  = pattern.New(`\b([a-z]+)[ #]+(?:no\.? ?|number )?(\d{1,12})\b|(\p{Han}{2,4}?)\s*(\d{1,12})(?:号|[^\d年月日点时分秒个条次行名位台:]|$)|(\d{1,12})\s*号(\p{Han}{2,4}?)(?:的|有|出|报|错|失|$|[^\p{Han}])`)
	openers   = set(`device machine component module service subsystem unit part source sensor station robot equipment process program thread app application system 设备 机器 组件 模块 服务 系统 部件 传感器 工位 机台 单元 来源 程序 进程 应用`)
)

// asNamed is a worked-out column that the words name.
func asNamed(name string, r role, from, to int) named {
	return named{&column{name: name, kind: "text", filled: 1, distinct: 2}, r, from, to}
}

// bindNames ties things that no column holds to where the lines name them.
func (s *session) bindNames(b *binding) error {
	if b.column(rows.MessageField) == nil && b.column("text") == nil {
		return nil
	}
	b.bindNumbered()
	if err := s.bindFieldNouns(b); err != nil {
		return err
	}
	for _, m := range groupNoun.FindAllStringSubmatchIndex(b.q.Text, -1) {
		from, to := m[2], m[3]
		if from < 0 {
			from, to = m[4], m[5]
		}
		noun := b.q.Text[from:to]
		if b.used(from, to) || stopWords[noun] || b.rowNoun(noun) && !openers[singular(noun)] || messageNouns.MatchString(noun) || hasHan(noun) && !nounHan(noun) {
			continue
		}
		name, err := s.namedInText(b, noun)
		if err != nil {
			return err
		}
		if name != "" {
			r := plainRole
			if groupBefore.MatchString(b.q.Text[:from]) || strings.HasPrefix(b.q.Text[m[0]:], "top") || strings.HasPrefix(b.q.Text[m[0]:], "bottom") {
				r = groupRole
			}
			b.named = append(b.named, asNamed(name, r, from, to))
			b.use(word{noun, from, to})
		}
	}
	return nil
}

var numbersOf = pattern.New(`\b(?:list|show|give|extract|print|get|which|what)\b[^.?!]*?\b([a-z]+) (?:numbers?|ids?|nos)\b|(?:提取|列出|找出|抽取)[^，。？！]*?(订单|用户|任务|设备|会话|客户)(?:号|编号|id)`)

// bindFieldNouns ties the fields that are to be extracted to where the lines name them.
func (s *session) bindFieldNouns(b *binding) error {
	var nouns []word
	m := numbersOf.FindStringSubmatchIndex(b.q.Text)
	if m != nil && m[2] < 0 {
		m[2], m[3] = m[4], m[5]
	}
	if m != nil && !functionWords[b.q.Text[m[2]:m[3]]] && !b.used(m[2], m[3]) && b.q.Fn == "" && b.q.Intent != question.Count {
		nouns = []word{{b.q.Text[m[2]:m[3]], m[2], m[1]}}
	} else if b.q.Intent == question.Fields {
		nouns = left(b.q)
	}
	for _, w := range nouns {
		if b.used(w.from, w.to) || stopWords[w.text] && m == nil || rowNouns[singular(w.text)] && m == nil {
			continue
		}
		name := ""
		switch {
		case addressNouns[w.text] && len(b.named) > 0:
			name = ipColumn
		case !addressNouns[w.text]:
			var err error
			if name, err = s.namedInText(b, w.text); err != nil {
				return err
			}
		}
		if name == "" || name == leadColumn {
			continue
		}
		q := *b.q
		q.Intent = question.Fields
		b.q, b.named = &q, append(b.named, asNamed(name, plainRole, w.from, w.to))
		b.use(w)
	}
	return nil
}

// nounHan tells Chinese that is not all words of asking.
func nounHan(s string) bool { return strings.TrimSpace(hanStop.ReplaceAllString(s, "")) == s }

// namedInText finds the worked-out column that holds what a noun names; "" if the lines tell none.
func (s *session) namedInText(b *binding, noun string) (string, error) {
	for _, w := range sameNouns(singular(noun)) {
		if b.found[w].mentions == 0 {
			continue
		}
		for _, from := range []string{openerColumn, afterColumn} {
			args := b.args()
			args.Where, args.Aggregate = strings.Join(append(slices.Clone(b.where), quoteValue(from+w+")")+` != ""`), " and "), "count"
			t, err := s.extract(args)
			if err != nil {
				return "", err
			}
			if atoi(t.cell(0, "count")) > 0 {
				return from + w + ")", nil
			}
		}
	}
	if !openers[singular(noun)] {
		return "", nil
	}
	t, err := s.extract(extract{Path: b.file, GroupBy: leadColumn, Aggregate: "count", Limit: wideGroups})
	if err != nil {
		return "", err
	}
	if t.total < 2 || t.total > maxOpeners || slices.ContainsFunc(readGroups(t, leadColumn, "count"), func(g groupLine) bool { return g.Key == "" }) {
		return "", nil
	}
	return leadColumn, nil
}

// maxOpeners is how many different names may open the messages of a log before they are no names.
const maxOpeners = 60

// sameNouns is a noun and the other words for the same thing.
func sameNouns(noun string) []string {
	out := []string{noun}
	for _, group := range synonyms {
		if slices.Contains(group, noun) {
			for _, w := range group {
				if w != noun && !strings.Contains(w, " ") {
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// bindNumbered reads "worker 3" and 3号设备 where the lines write worker-3 or 设备:3.
func (b *binding) bindNumbered() {
	for _, m := range numbered.FindAllStringSubmatchIndex(b.q.Text, -1) {
		noun, at := [2]int{m[2], m[3]}, [2]int{m[4], m[5]}
		switch {
		case m[6] >= 0:
			noun, at = [2]int{m[6], m[7]}, [2]int{m[8], m[9]}
		case m[10] >= 0:
			noun, at = [2]int{m[12], m[13]}, [2]int{m[10], m[11]}
		}
		w, v := singular(b.q.Text[noun[0]:noun[1]]), b.q.Text[at[0]:at[1]]
		if b.used(noun[0], noun[1]) || b.used(at[0], at[1]) || pointNumber.MatchString(b.q.Text[at[1]:]) || stopWords[w] || b.found[w].mentions == 0 || b.found[w+" "+v].mentions > 0 && !hasHan(w) {
			continue
		}
		op := "="
		if b.negates(min(noun[0], at[0]), w) {
			op = "!="
		}
		b.filter(fmt.Sprintf("%s %s %s", quoteValue(afterColumn+w+")"), op, quoteValue(v)), fmt.Sprintf("%s %s %s", w, op, v))
		b.use(word{w, min(noun[0], at[0]), max(noun[1], at[1])})
	}
}

// pointNumber goes on with a version or a fraction.
var pointNumber = pattern.New(`^\.\d`)

// shownName is a column's name for people.
func (l say) shownName(name string) string {
	for _, from := range []string{openerColumn, afterColumn} {
		w, ok := strings.CutPrefix(name, from)
		if !ok {
			continue
		}
		return strings.TrimSuffix(w, ")")
	}
	if name == leadColumn {
		return l.of("the name that opens the message", "消息开头的名称")
	}
	return name
}

// inText tells a column that is worked out from the text of a line, which not every line has.
func inText(name string) bool {
	return strings.HasPrefix(name, afterColumn) || strings.HasPrefix(name, openerColumn)
}

// nameless leaves out rows that name no such thing, and says how many they are.
func (s *session) nameless(b *binding, by []string, args *extract, ranked bool) (note string, err error) {
	for _, name := range by {
		if c := b.column(name); !inText(name) && !(ranked && len(by) == 1 && c != nil && c.filled < b.rows && !b.filtered(name)) {
			continue
		}
		lack := b.args()
		with := strings.Join(append(slices.Clone(b.where), quoteValue(name)+` != ""`), " and ")
		lack.Where, lack.Aggregate = strings.Join(append(slices.Clone(b.where), quoteValue(name)+` = ""`), " and "), "count"
		t, e := s.extract(lack)
		if err = first(err, e); e == nil && atoi(t.cell(0, "count")) > 0 {
			note = b.say.f("%s more name no %s", "另有 %s 没有写明 %s", plainRows(b.say, atoi(t.cell(0, "count"))), s.say.shownName(name))
		}
		args.Where = with
	}
	return note, err
}
