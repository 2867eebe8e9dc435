package offline

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/akitad/akitad/internal/pattern"
)

// concept is a thing that texts may name in another word, or in the other language, than a question does.
type concept struct {
	asked []string // how questions name it
	texts []string // how texts do; a Latin word stands for all of its forms
}

//go:embed concepts.txt
var conceptList string

// concepts are read when one is first looked for.
var concepts = sync.OnceValue(func() []concept { return readConcepts(conceptList) })

// readConcepts reads a list: how questions name a thing, and how texts do, a line each.
func readConcepts(list string) []concept {
	var out []concept
	for line := range strings.Lines(list) {
		if asked, texts, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && !strings.HasPrefix(line, "#") {
			out = append(out, concept{strings.Split(asked, ", "), strings.Split(texts, ", ")})
		}
	}
	return out
}

// conceptTexts are the words that texts may have for what a question names.
func conceptTexts(text string) []string {
	var out []string
	for _, c := range concepts() {
		if slices.ContainsFunc(c.asked, func(w string) bool { return holdsTerm(text, w) }) {
			out = append(out, c.texts...)
		}
	}
	return out
}

// wordForms are how a Latin word may go on.
const wordForms = `(?:s|es|d|ed|ing|ure|ures|ment|ments|ion|ions|ful|fully|ly)?`

// bindConcepts looks for what the words that stand nowhere name in another word: a run of Chinese only if
// all of it is told so, for a part would be another question.
func (b *binding) bindConcepts(ws []word) {
	for _, w := range append(hanLeft(b.q, nil), hanLeft(b.q, hanNouns())...) {
		if b.used(w.from, w.to) || b.found[w.text].mentions > 0 || len(b.found[w.text].equal) > 0 {
			continue
		}
		if b.describes(w) {
			b.use(w)
			continue
		}
		if parts, ok := b.conceptsOf(w); ok {
			for _, p := range parts {
				b.bindConcept(p.concept, p.word)
			}
			b.use(w)
		}
	}
	for _, w := range ws {
		if b.used(w.from, w.to) || stopWords[w.text] && w.text != "leave" || b.found[w.text].mentions > 0 {
			continue
		}
		if c := conceptNamed(w.text); c != nil && len(b.textsOf(c)) > 0 {
			b.bindConcept(c, w)
			b.use(w)
		}
	}
}

// partNoun ends what says of which kind the name behind it is: 库存同步组件 StockSync.
var partNoun = pattern.New(`(?:服务|组件|模块|系统|主机|服务器|线程|用户|客户|任务|接口|仓库|部门|产品)\s*$`)

// describes tells that a run of Chinese says what the name right behind it is, which is a value already.
func (b *binding) describes(w word) bool {
	run := hanRun.FindStringIndex(b.q.Text[w.from:])
	if run == nil || !partNoun.MatchString(b.q.Text[w.from:w.from+run[1]]) {
		return false
	}
	at := w.from + run[1]
	at += len(b.q.Text[at:]) - len(strings.TrimLeft(b.q.Text[at:], " "))
	return at < len(b.q.Text) && !hasHan(b.q.Text[at:at+1]) && isWordRune(b.q.Text[at]) && slices.ContainsFunc(b.consumed, func(v word) bool { return v.from == at })
}

// bindConceptPhrases does so for English names of several words, which may be words of asking by themselves:
// "time out". What a file has no words for is kept for an honest word about it.
func (b *binding) bindConceptPhrases() {
	all := concepts()
	for i := range all {
		for _, a := range all[i].asked {
			at := strings.Index(b.q.Text, a)
			if !strings.Contains(a, " ") || hasHan(a) || at < 0 || !holdsTerm(b.q.Text, a) || b.used(at, at+len(a)) || at+len(a) < len(b.q.Text) && isWordRune(b.q.Text[at+len(a)]) {
				continue
			}
			if head, _, _ := strings.Cut(a, " "); b.found[a].mentions > 0 && !stopWords[head] {
				continue // it is looked for as it stands
			}
			w := word{a, at, at + len(a)}
			if b.use(w); len(b.textsOf(&all[i])) > 0 {
				b.bindConcept(&all[i], w)
			} else if b.problem == "" {
				b.unheard = append(b.unheard, a)
			}
		}
	}
}

func conceptNamed(w string) *concept {
	all := concepts()
	if i := slices.IndexFunc(all, func(c concept) bool { return slices.Contains(c.asked, w) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// conceptPart is a concept and the part of a question that names it.
type conceptPart struct {
	concept *concept
	word    word
}

// hanFill may stand between the names of two things.
var hanFill = pattern.New(`^(?:没有|没|未|不|非|的|了|过|被|时|到|来|去|出|并|且|而)`)

// conceptsOf splits a run of Chinese into things that the file names in other words.
func (b *binding) conceptsOf(w word) (out []conceptPart, ok bool) {
	for rest := w.text; rest != ""; {
		if fill := hanFill.FindString(rest); fill != "" {
			rest = rest[len(fill):]
			continue
		}
		c, size := b.conceptAt(rest)
		if c == nil {
			return nil, false
		}
		from := w.to - len(rest)
		out = append(out, conceptPart{c, word{rest[:size], from, from + size}})
		rest = rest[size:]
	}
	return out, len(out) > 0
}

func (b *binding) conceptAt(text string) (*concept, int) {
	var best *concept
	size := 0
	all := concepts()
	for i := range all {
		for _, a := range all[i].asked {
			if len(a) > size && hasHan(a) && strings.HasPrefix(text, a) && len(b.textsOf(&all[i])) > 0 {
				best, size = &all[i], len(a)
			}
		}
	}
	return best, size
}

// textsOf are the words for a thing that the file has.
func (b *binding) textsOf(c *concept) []string {
	return slices.DeleteFunc(slices.Clone(c.texts), func(t string) bool { return b.found[t].mentions == 0 })
}

// longWord is how long a word is that needs no look at how it ends.
const longWord = 8

// bindConcept filters by a thing: as a value or a flag of a column, else by its words in the lines.
func (b *binding) bindConcept(c *concept, w word) {
	texts := b.textsOf(c)
	for i := range b.cols {
		col := &b.cols[i]
		for _, t := range texts {
			if name := strings.ToLower(col.name); yesOf(col) != "" && (name == t || slices.Contains(stems(name), t) || strings.HasPrefix(name, t) && len(name)-len(t) < 4) {
				b.equal(col.name, yesOf(col), w.from)
				return
			}
		}
	}
	best, count := "", 0
	for _, t := range texts {
		for _, form := range append([]string{t}, stemmed(t)...) {
			f := b.found[form]
			if len(f.equal) == 0 || !b.ofValues(f) {
				continue
			}
			if n := f.equal[b.pickColumn(f)]; n > count {
				best, count = form, n
			}
		}
	}
	if best != "" {
		b.equal(b.pickColumn(b.found[best]), best, w.from)
		return
	}
	re := make([]string, len(texts))
	for i, t := range texts {
		if re[i] = regexp.QuoteMeta(t); !hasHan(t) {
			if re[i] = `(?:^|[^a-z])` + re[i]; len(t) < longWord { // a long one begins no other word
				re[i] += wordForms + `(?:$|[^a-z])`
			}
		}
	}
	cond := " ~ "
	said := b.say.f("containing %s", "包含 %s", strings.Join(quoteAll(texts), b.say.of(" or ", " 或 ")))
	if b.negates(w.from, "any") { // that lines do not have the word does not say that it is not so
		b.problem = b.say.f("it is not clear which rows are not `%s`", "不清楚哪些行不是 `%s`", w.text)
		return
	}
	cond = "any" + cond + quoteValue("(?i)"+strings.Join(re, "|"))
	b.lead(cond, w.from)
	b.filter(cond, said)
}

// stemmed are the forms in which a value may say a word.
func stemmed(w string) []string {
	if hasHan(w) {
		return []string{"已" + w}
	}
	return []string{w + "ed", w + "d", w + "led"}
}

// ofValues tells a word that a column of few values has, as a status.
func (b *binding) ofValues(f found) bool {
	c := b.column(b.pickColumn(f))
	return c != nil && c.kind == "text" && !c.over && c.distinct < c.filled
}
