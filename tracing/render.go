package tracing

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/akitad/akitad"
)

// RenderOptions of Render. The zero value means plain text with the key attributes.
type RenderOptions struct {
	Color bool // ANSI colours for status
	All   bool // all attributes, not only the key attributes of the kind
}

// shown is an attribute of the one-line view: its key and its label.
type shown struct{ key, label string }

// keyAttributes returns the attributes that are shown for a kind, in this order, if present.
func keyAttributes(kind akitad.SpanKind) []shown {
	return map[akitad.SpanKind][]shown{
		akitad.SpanTask:         {{KeyTask, "task"}, {KeyProfile, "profile"}, {KeyState, "state"}, {KeyRounds, "rounds"}, {KeyNode, "node"}, {KeyInstance, "instance"}, {KeyReused, "reused"}},
		akitad.SpanPrompt:       {{"source", "source"}, {"warnings", "warnings"}},
		akitad.SpanDecision:     {{"type", "type"}, {"choice", "choice"}, {"reason", "reason"}},
		akitad.SpanDelegation:   {{"from", "from"}, {"to", "to"}, {KeyTask, "task"}},
		akitad.SpanReasoning:    {{KeyRound, "round"}, {"cap", "cap"}},
		akitad.SpanContext:      {{"tokens_before", "before"}, {"tokens_after", "after"}, {"budget", "budget"}, {"stage", "stage"}, {"masked", "masked"}},
		akitad.SpanLLM:          {{KeyEndpoint, "endpoint"}, {KeyModel, "model"}, {KeyRole, "role"}, {KeyAttempt, "attempt"}, {KeyTokensIn, "in"}, {KeyCached, "cached"}, {KeyTokensOut, "out"}, {KeyFirstByte, "first_byte_ms"}},
		akitad.SpanToolBatch:    {{"calls", "calls"}, {"parallel", "parallel"}},
		akitad.SpanTool:         {{KeyTool, "tool"}, {KeyArgsDigest, "args"}, {KeyBytes, "bytes"}, {KeyOutcome, "outcome"}},
		akitad.SpanMemory:       {{"operation", "operation"}, {"hits", "hits"}},
		akitad.SpanVerification: {{"type", "type"}, {KeyOutcome, "outcome"}, {"reason", "reason"}},
		akitad.SpanSupervision:  {{"pattern", "pattern"}, {"level", "level"}, {"action", "action"}},
	}[kind]
}

// Render draws the nodes as an indented tree, one line each: kind, name, duration, status, attributes.
func Render(w io.Writer, nodes []*Node, opts RenderOptions) error {
	var lines []line
	collect(nodes, "", true, opts, &lines)
	left, mid := 0, 0
	for _, l := range lines {
		left, mid = max(left, width(l.title)), max(mid, width(l.took))
	}
	for _, l := range lines {
		text := pad(l.title, left) + "  " + strings.Repeat(" ", mid-width(l.took)) + l.took + "  " + paint(pad(l.status, len(StatusCancelled)), l.status, opts.Color)
		if l.facts != "" {
			text += "  " + l.facts
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(text, " ")); err != nil {
			return err
		}
	}
	return nil
}

type line struct{ title, took, status, facts string }

func collect(nodes []*Node, prefix string, top bool, opts RenderOptions, out *[]line) {
	for i, n := range nodes {
		branch, below := "├─ ", "│  "
		if i == len(nodes)-1 {
			branch, below = "└─ ", "   "
		}
		if top {
			branch, below = "", ""
		}
		*out = append(*out, lineOf(n, prefix+branch, opts))
		collect(n.Children, prefix+below, false, opts, out)
	}
}

func lineOf(n *Node, prefix string, opts RenderOptions) line {
	l := line{title: prefix + string(n.Kind) + " " + printable(n.Name), took: "…", status: "open", facts: facts(n.Span, opts.All)}
	if n.End != nil {
		l.took, l.status = took(n.DurationMS), n.Status
	}
	if n.Orphan {
		l.facts = strings.TrimSpace("(parent missing) " + l.facts)
	}
	if n.Error != "" {
		l.facts = strings.TrimSpace(l.facts + " error=" + value(n.Error))
	}
	return l
}

// facts returns "label=value ..." for the key attributes, or for all attributes, sorted by name.
func facts(s akitad.Span, all bool) string {
	list := keyAttributes(s.Kind)
	if all {
		list = nil
		for _, k := range slices.Sorted(maps.Keys(s.Attributes)) {
			list = append(list, shown{k, printable(k)})
		}
	}
	var out []string
	for _, a := range list {
		if v, ok := s.Attributes[a.key]; ok {
			out = append(out, a.label+"="+value(v))
		}
	}
	return strings.Join(out, " ")
}

// value formats an attribute: whole numbers without a fraction, texts quoted if necessary.
func value(v any) string {
	switch v := v.(type) {
	case string:
		if v == "" || strings.ContainsFunc(v, func(r rune) bool { return unicode.IsSpace(r) || r == '"' || !unicode.IsPrint(r) }) {
			return strconv.Quote(v)
		}
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []string:
		return value(strings.Join(v, ","))
	case []any:
		parts := make([]string, len(v))
		for i, p := range v {
			parts[i] = fmt.Sprint(p)
		}
		return value(strings.Join(parts, ","))
	}
	return printable(fmt.Sprint(v))
}

// printable replaces characters that would move the cursor or change the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

// took formats milliseconds for people: 0.4ms, 12ms, 1.24s, 2m05s.
func took(ms float64) string {
	switch d := time.Duration(ms * float64(time.Millisecond)); {
	case d < 10*time.Millisecond:
		return strconv.FormatFloat(ms, 'f', 1, 64) + "ms"
	case d < time.Second:
		return strconv.FormatFloat(ms, 'f', 0, 64) + "ms"
	case d < time.Minute:
		return strconv.FormatFloat(ms/1000, 'f', 2, 64) + "s"
	default:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
}

func paint(text, status string, color bool) string {
	code := map[string]string{StatusOK: "32", StatusError: "31", StatusCancelled: "33", "open": "36"}[status]
	if !color || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func pad(s string, to int) string { return s + strings.Repeat(" ", max(0, to-width(s))) }

// width counts terminal columns: Han, kana, Hangul and full-width forms take two.
func width(s string) (n int) {
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul), r >= 0x3000 && r <= 0x303F, r >= 0xFF01 && r <= 0xFF60:
			n += 2
		default:
			n++
		}
	}
	return n
}
