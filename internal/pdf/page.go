package pdf

import (
	"math"
	"strings"
	"unicode"
)

// matrix maps places: [a b c d e f] as PDF has it.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// then returns the matrix that does m first, and then n.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3], m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is what text is drawn with.
type state struct {
	place          matrix // of the page
	font           *font
	size           float64
	leading        float64
	spacing, words float64
	stretch        float64 // 1 is 100 %
}

// writer goes through the operators of a page and writes the text that they draw.
type writer struct {
	f    *file
	out  strings.Builder
	now  state
	kept []state

	line, text matrix
	pieces     []piece // of the page, as they were drawn
	shown      int     // bytes of them
}

// page returns the text of a page.
func (f *file) page(p page) string {
	w := &writer{f: f, now: state{place: identity, stretch: 1}}
	var body []byte
	contents, ok := f.get(p.dict["Contents"]).(array)
	if !ok {
		contents = array{p.dict["Contents"]}
	}
	for _, one := range contents {
		if s, ok := f.get(one).(*stream); ok {
			body = append(append(body, f.bytes(s)...), '\n')
		}
	}
	before := f.images
	w.run(body, p.resources, 0)
	w.flush()
	text := strings.TrimRight(w.out.String(), " \n")
	if f.images > before {
		f.images = before + 1
		if text == "" {
			f.scanned++
		}
	}
	return text
}

const maxArgs = 64

// run carries out the operators of a content stream. depth counts the drawings that it stands in.
func (w *writer) run(body []byte, resources dict, depth int) {
	l := lexer{data: body}
	var args []any
	for w.f.steps > 0 && w.shown <= maxText {
		v, ok := l.next()
		if !ok {
			return
		}
		op, ok := v.(operator)
		if !ok {
			if len(args) < maxArgs {
				args = append(args, v)
			}
			continue
		}
		if w.f.steps--; w.f.steps%1024 == 0 && w.f.ctx.Err() != nil {
			w.f.steps = 0
			return
		}
		switch op {
		case "BI":
			w.f.images++
			skipImage(&l)
		case "Do":
			w.draw(args, resources, depth)
		default:
			w.do(op, args, resources)
		}
		args = args[:0]
	}
}

// skipImage skips an inline image.
func skipImage(l *lexer) {
	for at := l.at; at+3 < len(l.data); at++ {
		if isSpace(l.data[at]) && l.data[at+1] == 'E' && l.data[at+2] == 'I' && isSpace(l.data[at+3]) {
			l.at = at + 3
			return
		}
	}
	l.at = len(l.data)
}

// draw draws an image, or a drawing with operators of its own.
func (w *writer) draw(args []any, resources dict, depth int) {
	n, _ := last(args).(name)
	s, ok := w.f.get(w.f.dict(resources["XObject"])[n]).(*stream)
	switch {
	case !ok:
	case s.dict["Subtype"] == name("Image"):
		w.f.images++
	case s.dict["Subtype"] == name("Form") && depth < maxForms:
		own := w.f.dict(s.dict["Resources"])
		if own == nil {
			own = resources
		}
		before := w.now
		if m, ok := w.f.get(s.dict["Matrix"]).(array); ok {
			w.now.place = toMatrix(m).then(w.now.place)
		}
		w.run(w.f.bytes(s), own, depth+1)
		w.now = before
	}
}

func toMatrix(args []any) (m matrix) {
	for i := range m {
		if i < len(args) {
			m[i] = num(args[i])
		}
	}
	return m
}

func arg(args []any, i int) float64 {
	if i >= len(args) {
		return 0
	}
	return num(args[i])
}

// do carries out one operator. Operators that do not bear on the text of the page are passed over.
func (w *writer) do(op operator, args []any, resources dict) {
	w.graphicsState(op, args)
	w.textState(op, args, resources)
	w.textPosition(op, args)
	w.showText(op, args)
}

// graphicsState carries out the operators of ISO 32000-1, table 57, that move what is drawn.
func (w *writer) graphicsState(op operator, args []any) {
	switch op {
	case "q":
		if len(w.kept) < maxDepth {
			w.kept = append(w.kept, w.now)
		}
	case "Q":
		if n := len(w.kept); n > 0 {
			w.now, w.kept = w.kept[n-1], w.kept[:n-1]
		}
	case "cm":
		w.now.place = toMatrix(args).then(w.now.place)
	}
}

// textState carries out the operators of table 105: font, size and spacing.
func (w *writer) textState(op operator, args []any, resources dict) {
	switch op {
	case "Tf":
		n, _ := first(args).(name)
		w.now.font, w.now.size = w.f.fontOf(w.f.dict(resources["Font"])[n]), arg(args, 1)
	case "TL":
		w.now.leading = arg(args, 0)
	case "Tc":
		w.now.spacing = arg(args, 0)
	case "Tw":
		w.now.words = arg(args, 0)
	case "Tz":
		w.now.stretch = arg(args, 0) / 100
	}
}

// textPosition carries out the operators of tables 107 and 108: where the next text begins.
func (w *writer) textPosition(op operator, args []any) {
	switch op {
	case "BT":
		w.line, w.text = identity, identity
	case "Td":
		w.move(arg(args, 0), arg(args, 1))
	case "TD":
		w.now.leading = -arg(args, 1)
		w.move(arg(args, 0), arg(args, 1))
	case "Tm":
		w.line = toMatrix(args)
		w.text = w.line
	case "T*":
		w.move(0, -w.now.leading)
	}
}

// showText carries out the operators of table 109, which draw text.
func (w *writer) showText(op operator, args []any) {
	switch op {
	case "Tj":
		w.show(last(args))
	case "'", "\"":
		w.move(0, -w.now.leading)
		w.show(last(args))
	case "TJ":
		list, _ := last(args).(array)
		for _, one := range list {
			if n, ok := one.(float64); ok {
				w.advance(-n / 1000 * w.now.size * w.now.stretch)
				continue
			}
			w.show(one)
		}
	}
}

func first(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func (w *writer) move(x, y float64) {
	w.line = matrix{1, 0, 0, 1, x, y}.then(w.line)
	w.text = w.line
}

func (w *writer) advance(x float64) { w.text = matrix{1, 0, 0, 1, x, 0}.then(w.text) }

// show keeps a text with its place on the page.
func (w *writer) show(v any) {
	b, ok := v.([]byte)
	if !ok || w.now.font == nil || len(b) == 0 {
		return
	}
	text, width, n := w.now.font.read(b)
	along := (width/1000*w.now.size + w.now.spacing*float64(n) + w.now.words*float64(strings.Count(text, " "))) * w.now.stretch
	at := w.text.then(w.now.place)
	p := piece{size: math.Abs(w.now.size) * math.Hypot(at[0], at[1]), text: strings.Map(printable, text)}
	p.x, p.y, p.end, p.turn = at.place(along)
	w.shown += len(p.text)
	w.add(p)
	w.advance(along)
}

func printable(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}
