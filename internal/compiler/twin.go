package compiler

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// Report counts what the twin saw; more than one of anything is what a model may see better.
type Report struct {
	Goals       int // sentences or clauses that ask for something
	Files       int // files given or named as a source
	Constraints int
}

// Twin compiles in by rules alone: the same input always gives the same spec, and nothing in it is
// worded anew. Texts of the spec are pieces of the message, save missing inputs and risks, which
// are in the message's language. Every list is non-nil.
func Twin(in Input) (akitad.Spec, Report) {
	if spec, ok := written(in.Text); ok {
		return spec, Report{Goals: 1}
	}
	r := newReading(in)
	spec := akitad.Spec{
		TaskType:           r.taskType(),
		Goal:               r.goal(),
		Constraints:        r.constraints(),
		OutputRequirements: r.output(),
	}
	given, files := r.given()
	spec.Inputs.Given = given
	spec.Inputs.Missing = r.missing(spec)
	spec.Risks = r.risks(spec)
	return tidy(spec), Report{Goals: r.goals(), Files: files, Constraints: len(spec.Constraints)}
}

// written gives the spec that a person wrote in place of words: the message is nothing else.
func written(text string) (akitad.Spec, bool) {
	if !specOnly.MatchString(text) {
		return akitad.Spec{}, false
	}
	spec, err := Parse(text)
	return spec, err == nil
}

var specOnly = pattern.New("^\\s*(?:```(?:ya?ml)?\\s*\\n\\s*)?(?:---\\s*\\n)?(?:task_type|goal)\\s*[:：]")

// reading is a message cut up for the rules.
type reading struct {
	in      Input
	zh      bool
	bare    string   // the text without code blocks and without greeting and politeness
	code    []string // code blocks
	asks    []string // the sentences of bare, trimmed
	main    int      // index of the sentence that says what is wanted; -1 if there is none
	quotes  []string // quoted text and what follows a colon
	named   []string // files named as a source
	targets []target // files to be written
	urls    []string
	wanted  map[string]akitad.TaskType
	clauses clauses // of bare, where what is quoted and named is covered
}

// target is a file to be written, and the byte of bare at which it is named.
type target struct {
	name string
	at   int
}

func newReading(in Input) *reading {
	r := &reading{in: in, zh: cmp.Or(in.Lang, guessLang(in.Text)) == "zh", main: -1}
	r.bare, r.code = cutCode(head(in.Text))
	r.bare = steps(unaddressed(r.bare))
	r.urls = urlPattern.FindAllString(r.bare, -1)
	for i, u := range r.urls {
		r.urls[i] = strings.TrimRight(u, ".,;:!?)）。，；")
	}
	for _, s := range sentences(r.bare) {
		own := polite(s)
		if own == "" {
			continue
		}
		r.asks = append(r.asks, own)
		if r.wants(own) == "" && requests.MatchString(without(s, cutClauses(s).tales())) && !prohibition.MatchString(own) {
			r.wanted[own] = akitad.Action
		}
	}
	r.main = slices.IndexFunc(r.asks, func(s string) bool { return r.wants(s) != "" })
	if r.main < 0 {
		r.main = slices.IndexFunc(r.asks, undertakes.MatchString)
		if r.main >= 0 {
			r.wanted[r.asks[r.main]] = akitad.Creation
		}
	}
	r.quotes = quotesIn(r.bare, len(r.code) == 0)
	if body := r.body(); body != "" && len(r.quotes) == 0 && (pointsEN.MatchString(r.bare) || pointsZH.MatchString(r.bare) || r.announces(body)) {
		r.quotes = []string{body}
	}
	covered := r.readFiles(covered(r.bare, append(slices.Clip(r.urls), r.quotes...)))
	r.clauses = cutClauses(covered)
	return r
}

// undertakes is how somebody says what is to be made, who orders nothing else.
var undertakes = pattern.New(`(?i)^i(?:'m| am) (?:writing|drafting|preparing|planning|designing|putting together) (?:an?|my|the)\b`)

// unaddressed gives s without the name by which the bot is addressed. Names of others stay: "ask @bob".
func unaddressed(s string) string {
	s = strings.TrimSpace(s)
	if rest := mention.ReplaceAllString(s, "$1"); !speaksOf.MatchString(rest) {
		s = strings.TrimSpace(rest)
	}
	if at := mentionEnd.FindStringIndex(s); at != nil && !goesTo.MatchString(s[:at[0]]) {
		s = mentionEnd.ReplaceAllString(s, "$1")
	}
	return strings.TrimSpace(s)
}

// brackets are those of a call or a formula, which set nothing apart: O(1). So is what somebody does only, of whom
// it says who is meant: for someone who only reads.
var brackets = pattern.New(`(?i)\bwho (?:really |just )?only\b|[A-Za-z]\([^()\s]*\)|\(\d{1,3}\)`)

// linkEnd is a link that stands behind a Chinese message, and belongs to no clause of it.
var linkEnd = pattern.New(`\p{Han} https?://\S+\s*$`)

// covered gives text with letters in place of what others have said, so that it says nothing here. It has as many
// bytes as before. Of a single character nothing is covered: answer "是" or "否".
func covered(text string, said []string) string {
	text = linkEnd.ReplaceAllStringFunc(text, func(w string) string { return strings.Replace(w, " ", "\n", 1) })
	text = brackets.ReplaceAllStringFunc(text, func(w string) string { return strings.Repeat("x", len(w)) })
	for _, s := range said {
		if s = strings.TrimRight(s, " .!?。！？\n"); utf8.RuneCountInString(s) > 1 {
			text = hidden(text, s)
		}
	}
	return text
}

// hidden gives text with letters in place of what was said, in its quotation marks if it has some: the same words
// elsewhere are not what was said.
func hidden(text, said string) string {
	x, quotes := strings.Repeat("x", len(said)), false
	for mark := range closing {
		if open := string(mark); strings.Contains(text, open+said) {
			text, quotes = strings.ReplaceAll(text, open+said, open+x), true
		}
	}
	if quotes {
		return text
	}
	return strings.ReplaceAll(text, said, x)
}

// requests are the words of a request: what follows them is to be done, whatever it is.
var requests = pattern.New(`(?i)^(?:(?:can|could|would|will) (?:you|u)\b|(?:please|pls|plz)\s+[a-z])|(?:^|[，。,])[^，。,？?]{1,8}帮我|(?:^|[，。,])\s*(?:(?:你|您)?(?:先|再)?帮(?:[我你他她它]|忙)|麻烦(?:你|您)|劳驾|拜托)`)

// wants remembers what each sentence asks for.
func (r *reading) wants(s string) akitad.TaskType {
	t, known := r.wanted[s]
	if !known {
		if r.wanted == nil {
			r.wanted = map[string]akitad.TaskType{}
		}
		t = wants(s)
		r.wanted[s] = t
	}
	return t
}

// maxRead bounds what the rules read, in bytes: what is wanted stands at the beginning, and the
// rest of a long text is what it is about.
const maxRead = 8 << 10

func head(text string) string {
	if len(text) > maxRead {
		text = text[:maxRead]
	}
	return strings.ToValidUTF8(text, "")
}

// sentence gives the one that says what is wanted: the first that asks for something, else the first.
func (r *reading) sentence() string {
	switch {
	case r.main >= 0:
		return r.asks[r.main]
	case len(r.asks) > 0:
		return r.asks[0]
	}
	return strings.TrimSpace(r.bare)
}

// maxGoal bounds a goal in characters; the whole words stand in the task anyway.
const maxGoal = 300

func (r *reading) goal() string {
	g := strings.TrimRight(cut(r.sentence(), maxGoal), " .。!！,，;；:：、")
	if g != "" {
		return g
	}
	switch {
	case len(r.code) > 0:
		return cut(strings.TrimSpace(r.code[0]), maxGoal)
	case strings.TrimSpace(r.in.Text) != "":
		return cut(strings.TrimSpace(r.in.Text), maxGoal)
	case len(r.in.Files) > 0:
		return r.say("look at the files that were sent", "查看发来的文件")
	}
	return r.say("find out what is wanted", "弄清楚对方想要什么")
}

// cut gives at most n characters of s.
func cut(s string, n int) string {
	if c := []rune(s); len(c) > n {
		return string(c[:n]) + "…"
	}
	return s
}

func (r *reading) say(en, zh string) string {
	if r.zh {
		return zh
	}
	return en
}

// taskType decides by what the main sentence asks for. A question about data that is there is
// analysis; so is anything that counts or compares.
func (r *reading) taskType() akitad.TaskType {
	s := r.sentence()
	t := r.wants(s)
	if t == "" && r.main < 0 {
		return akitad.Other
	}
	data := len(r.in.Files) + len(r.named) + len(r.code)
	if t == akitad.Question && data > 0 && !trivialAsk.MatchString(s) {
		return akitad.Analysis
	}
	return t
}

// goals counts the sentences that ask for something, and the clauses in them that ask for more. A
// sentence that only says where the result goes is not a goal of its own.
func (r *reading) goals() int {
	n := 0
	for i, s := range r.asks {
		if i != r.main && (onlyOutput(s) || prohibition.MatchString(s) || onWording.MatchString(s)) {
			continue
		}
		if r.wants(s) != "" {
			n += 1 + moreGoals(without(s, r.quotes))
		}
	}
	return n
}

// without takes what is quoted out of s: it asks for nothing.
func without(s string, quotes []string) string {
	for _, q := range quotes {
		s = strings.ReplaceAll(s, q, "")
	}
	return s
}

// given lists the inputs that the message brings: files, links, quoted text, code.
func (r *reading) given() (given []string, files int) {
	add := func(s string) bool {
		if s == "" || slices.Contains(given, s) {
			return false
		}
		given = append(given, s)
		return true
	}
	for _, f := range r.in.Files {
		if add(f.Name) {
			files++
		}
	}
	for _, f := range r.named {
		if !slices.ContainsFunc(given, func(g string) bool { return names(f, g) || names(g, f) }) && add(f) {
			files++
		}
	}
	for _, list := range [][]string{r.urls, r.quotes, r.code} {
		for _, item := range list {
			add(cut(strings.TrimSpace(item), 200))
		}
	}
	return given, files
}

// names reports whether text means the file: by its path or by its last part.
func names(text, file string) bool {
	base := file[strings.LastIndexByte(file, '/')+1:]
	for at := 0; ; {
		i := strings.Index(text[at:], base)
		if i < 0 || base == "" {
			return false
		}
		at += i + len(base)
		before, after := text[:at-len(base)], text[at:]
		if !endsInName(before) && !beginsInName(after) {
			return true
		}
	}
}

func endsInName(s string) bool {
	return s != "" && (nameByte(s[len(s)-1]) || s[len(s)-1] == '.')
}

func beginsInName(s string) bool {
	return s != "" && (nameByte(s[0]) || s[0] == '.' && len(s) > 1 && nameByte(s[1]))
}

func nameByte(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
