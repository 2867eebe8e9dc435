package question

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// clause is a part of a message that may be a question by itself.
type clause struct {
	text   string
	asks   bool // its sentence ends in a question mark
	joined bool // it follows another one in the same sentence
	end    bool // it is the other end of the ranking before it
}

const askVerb = `how (?:many|often|much)|by how (?:many|much)|list|show|what|which|when|where|who|whose|why|count|give|find|print|tell|extract|summari[sz]e|group|also|(?:from|in|on|at|for) (?:which|what)`

var (
	sentenceEnd = pattern.New(`[?!？！。；;\n]+|\.(?:\s+|$)`)
	clauseJoin  = pattern.New(`(?i)(?:,\s*|\s+)(?:and|then|and then|and also|as well as)\s+((?:` + askVerb + `|how (?:long|slow|fast|big|large|high|low))\b)|[，,]\s*(?:并且|并|然后|以及|同时|再|还有)?((?:多少|列出|显示|统计|哪|什么时候|找出|给出|提取|总结|计算|最))|,\s+((?:how (?:many|much|often|long)|by how (?:many|much)|when|where|who|what (?:is|was|are|were))\b)|[,]?\s+and\s+((?:the )?(?:average|mean|median|total|sum|maximum|minimum|largest|smallest|highest|lowest|slowest|fastest)\b)`)
	figureEnd   = pattern.New(`(?i)(?:average|avg|mean|median|total|sum|max|min|maximum|minimum|largest|smallest|highest|lowest|slowest|fastest|most|least|best|worst|p\d\d|earliest|latest|first|last)\s*$`)
	hanComma    = pattern.New(`[，,]\s*`)
	hanAsks     = pattern.New(`多少|几(?:个|次|条|行|笔|单|人|天|种|份|位|名|台|家|门|张|件|分钟|小时|秒)|哪|谁|什么|多久|多长`)
)

// clauses splits a message at the ends of sentences and before a second verb.
func clauses(words string) []clause {
	var out []clause
	from := 0
	cut := func(to int, asks bool) {
		if s := strings.TrimSpace(words[from:to]); s != "" {
			out = append(out, clause{text: s, asks: asks})
		}
	}
	for _, at := range sentenceEnd.FindAllStringIndex(words, -1) {
		if words[at[0]] == '.' && isInitial(words[:at[0]]) {
			continue
		}
		cut(at[0], strings.ContainsAny(words[at[0]:at[1]], "?？"))
		from = at[1]
	}
	cut(len(words), false)
	var parts []clause
	for _, c := range out {
		for i, s := range splitJoined(c.text) {
			parts = append(parts, clause{text: s, asks: c.asks, joined: i > 0})
		}
	}
	return parts
}

// shortened ends in a title, or another word that is cut short.
var shortened = pattern.New(`\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Nr|Inc|Ltd|approx|incl|Fig|Art)$`)

// isInitial tells that a point ends an abbreviation such as "i.e." and no sentence.
func isInitial(s string) bool {
	return shortened.MatchString(s) || len(s) > 1 && s[len(s)-2] == '.' || strings.HasSuffix(s, " vs") || strings.HasSuffix(s, " no")
}

func splitJoined(s string) []string {
	var out []string
	for {
		head, rest := splitOnce(s)
		if rest == "" {
			return append(out, s)
		}
		out, s = append(out, head), rest
	}
}

// splitOnce cuts what asks by itself off the beginning of a sentence; rest is empty if there is nothing to cut.
func splitOnce(s string) (head, rest string) {
	for _, m := range clauseJoin.FindAllStringSubmatchIndex(s, -1) {
		verb := slices.Max([]int{m[2], m[4], m[6], m[8]})
		if ofEach.MatchString(strings.ToLower(s[verb:])) || m[8] >= 0 && (figureEnd.MatchString(s[:m[0]]) || figureOver.MatchString(s[m[8]:])) {
			continue // "minimum and maximum price" is one list
		}
		if head := strings.ToLower(s[:m[0]]); m[0] > 0 && (intentOf(head) != Unknown || bareGroup.MatchString(head)) { // else what stands before asks nothing by itself
			return strings.TrimSpace(s[:m[0]]), s[verb:]
		}
		break
	}
	for _, at := range hanComma.FindAllStringIndex(s, -1) {
		if head, rest := s[:at[0]], s[at[1]:]; hanAsks.MatchString(head) && hanAsks.MatchString(rest) && !ofEach.MatchString(rest) {
			return strings.TrimSpace(head), rest
		}
	}
	return s, ""
}

// ofEach asks how many there are of each thing that the words before it ask for.
var ofEach = pattern.New(`^(?:它们)?(?:分别|各自?)(?:出现|发生|有)?了?(?:多少|几)[次条个行]\s*$|^how (?:many|often)(?: times)?(?: (?:of|is|are|were|did|does|was|there))* each(?: of them)?(?: (?:is|are|were|was|there|occur\w*|happen\w*|appear\w*))*\s*$`)

// figureOver is a figure that nothing follows what it would be of.
var figureOver = pattern.New(`(?i)^(?:the )?[a-z]+\s*$`)

// settle drops clauses that ask nothing beside ones that do, and lets a clause without file, level
// or time take those of the clause before it.
func settle(qs []Question, from []clause, known []string) (out []Question, unknown []string) {
	asks := false
	for _, q := range qs {
		asks = asks || q.Intent != Unknown
	}
	for i, q := range qs {
		how := alone
		if len(out) > 0 && !from[i].end {
			how = q.leansHow(out[len(out)-1], from[i].joined)
		}
		if asks && q.Intent == Unknown && how == alone {
			if from[i].asks || asking.MatchString(q.Original) && !pointsBack(q.Text) {
				unknown = append(unknown, q.Original)
			}
			continue
		}
		if len(out) > 0 && q.Intent == Top && q.N > 0 && onlyTop.MatchString(q.Text) {
			out[len(out)-1].N = q.N // "Which is the worst? Top 3."
			continue
		}
		if len(out) > 0 {
			drop, last := false, len(out)-1
			switch p := out[last]; {
			case how != alone:
				q, out[last], drop = q.leaning(p, how, known)
			case !from[i].end && pointsBack(q.Text) && leansOn(q, p):
				q = q.after(p, known)
			default:
				q.inherit(p)
			}
			if drop {
				continue
			}
		}
		out = append(out, q)
	}
	if len(out) == 0 && len(qs) > 0 {
		return qs[:1], nil
	}
	return out, unknown
}

// asking begins, or in Chinese makes, a question.
var asking = pattern.New(`(?i)^\s*(?:what|who|whom|whose|why|how|when|where|which|is|are|was|were|does|do|did|can|could|will|would)\b\s+\S+\s+\S|什么|为什么|怎么|谁|哪|吗\s*$`)

var onlyTop = pattern.New(`^\s*(?:show |list |give )?(?:me )?(?:the |only the |just the )?top \w+\s*$|^\s*(?:只要|只看|列出|给出)?前\s*` + numeral + `\s*(?:名|个|位|条|种|家)?\s*$`)
