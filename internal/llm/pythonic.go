package llm

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// pythonCalls reads calls in the form of Python, as Llama and Gemma write them: [read(path="a"), now()], or
// without the brackets. All of the text must be calls of offered tools with named, literal arguments, or
// there are none. Blanks, commas and semicolons may stand between, as may print() around a call.
func pythonCalls(text string, names Names) []akitad.Call {
	p := &python{text: strings.TrimSpace(text), names: names}
	list := p.take("[")
	var calls []akitad.Call
	for p.blank(); p.at < len(p.text) && !p.ahead("]"); p.blank() {
		c, ok := p.call()
		if !ok || !list && string(c.Args) == "{}" {
			return nil // name() alone may be an answer
		}
		calls = append(calls, c)
		if p.blank(); !p.take(",") {
			p.take(";")
		}
	}
	if list && !p.take("]") {
		return nil
	}
	if p.blank(); p.at < len(p.text) {
		return nil
	}
	return calls
}

// listAtEnd reads calls in the form of Python that stand in brackets on the last lines of a text, behind words.
func listAtEnd(text string, names Names) (words string, calls []akitad.Call) {
	at := strings.LastIndex(text, "\n[")
	if at < 0 || isExample(text[:at]) {
		return "", nil
	}
	var p place
	if p.move(text, at+1); p.shown(text) {
		return "", nil
	}
	return strings.TrimSpace(text[:at]), pythonCalls(text[at+1:], names)
}

// python reads literals and calls; it stops at what it does not know.
type python struct {
	text  string
	at    int
	depth int
	names Names
}

// maxDepth bounds how deep values may stand in each other.
const maxDepth = 32

func (p *python) ahead(s string) bool { return strings.HasPrefix(p.text[p.at:], s) }

func (p *python) take(s string) bool {
	if !p.ahead(s) {
		return false
	}
	p.at += len(s)
	return true
}

func (p *python) blank() {
	p.at = len(p.text) - len(strings.TrimLeft(p.text[p.at:], blanks))
}

var (
	dotted  = pattern.New(`^[A-Za-z_][\w.-]*`)
	keyword = pattern.New(`^([A-Za-z_]\w*)\s*=`)
	number  = pattern.New(`^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`)
)

func (p *python) match(what *pattern.Pattern) string {
	found := what.FindStringSubmatch(p.text[p.at:])
	if found == nil {
		return ""
	}
	p.at += len(found[0])
	return found[len(found)-1]
}

// call reads name(key=value, ...), name({...}) or print(call).
func (p *python) call() (c akitad.Call, ok bool) {
	name := p.match(dotted)
	if !p.take("(") {
		return c, false
	}
	p.blank()
	if name == "print" && !p.names.Known(name) {
		if c, ok = p.call(); ok {
			p.blank()
		}
		return c, ok && p.take(")")
	}
	c.Tool = p.names.Original(strings.TrimSuffix(name, ".call"))
	if !p.names.Known(WireName(c.Tool)) {
		return c, false
	}
	args, ok := p.arguments()
	if !ok {
		return c, false
	}
	c.Args = Arguments(args)
	return c, true
}

// arguments reads what stands up to the closing bracket, and takes that too.
func (p *python) arguments() (string, bool) {
	if p.ahead("{") {
		args, ok := p.value()
		p.blank()
		return args, ok && p.take(")")
	}
	return p.members(")", func() (string, bool) {
		key := p.match(keyword)
		return key, key != ""
	})
}

// members reads pairs of a key and a value up to what closes them, and gives them as a JSON object.
func (p *python) members(end string, key func() (string, bool)) (string, bool) {
	var b strings.Builder
	for b.WriteByte('{'); ; {
		if p.blank(); p.take(end) {
			b.WriteByte('}')
			return b.String(), true
		}
		name, ok := key()
		if !ok {
			return "", false
		}
		value, ok := p.value()
		if !ok {
			return "", false
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(name) + ":" + value)
		if p.blank(); !p.take(",") && !p.ahead(end) {
			return "", false
		}
	}
}

// value reads a literal and gives it as JSON.
func (p *python) value() (string, bool) {
	if p.depth++; p.depth > maxDepth {
		return "", false
	}
	defer func() { p.depth-- }()
	p.blank()
	for word, json := range map[string]string{"True": "true", "true": "true", "False": "false", "false": "false", "None": "null", "null": "null"} {
		if p.take(word) {
			return json, true
		}
	}
	switch {
	case p.take("{"):
		return p.members("}", p.key)
	case p.take("["):
		return p.list("]")
	case p.take("("):
		return p.list(")")
	}
	if n := p.match(number); n != "" {
		return n, json.Valid([]byte(n))
	}
	s, ok := p.str()
	return quoted(s), ok
}

// key reads the key of a dictionary and the colon behind it.
func (p *python) key() (string, bool) {
	s, ok := p.str()
	p.blank()
	return s, ok && p.take(":")
}

func (p *python) list(end string) (string, bool) {
	var all []string
	for {
		if p.blank(); p.take(end) {
			return "[" + strings.Join(all, ",") + "]", true
		}
		v, ok := p.value()
		if !ok {
			return "", false
		}
		all = append(all, v)
		if p.blank(); !p.take(",") && !p.ahead(end) {
			return "", false
		}
	}
}

// str reads a string in one or three quotes of either kind, raw if an r stands before it.
func (p *python) str() (string, bool) {
	raw := p.take("r")
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if p.take(q) {
			return p.until(q, raw)
		}
	}
	return "", false
}

var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': "\"", '0': "\x00", '\n': ""}

func (p *python) until(q string, raw bool) (string, bool) {
	var b strings.Builder
	for p.at < len(p.text) {
		if p.take(q) {
			return b.String(), true
		}
		c := p.text[p.at]
		p.at++
		if c != '\\' || p.at == len(p.text) {
			b.WriteByte(c)
			continue
		}
		next := p.text[p.at]
		p.at++
		short, known := escapes[next]
		switch {
		case raw || !known && next != 'u' && next != 'x':
			b.WriteString("\\" + string(next))
		case known:
			b.WriteString(short)
		default:
			b.WriteString(p.code(next))
		}
	}
	return "", false
}

// code reads the digits of \uXXXX and \xXX.
func (p *python) code(kind byte) string {
	n := map[byte]int{'u': 4, 'x': 2}[kind]
	digits := p.text[p.at:min(p.at+n, len(p.text))]
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) < n {
		return "\\" + string(kind)
	}
	p.at += n
	return string(utf8.AppendRune(nil, rune(v)))
}

func quoted(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(data)
}
