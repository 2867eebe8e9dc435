package pdf

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// font says which letters the codes of a text stand for, and how wide they are.
type font struct {
	codes  map[uint32]string // by code
	size   int               // bytes of a code; 0: as the charset has it
	wide   map[uint32]float64
	usual  float64 // width in thousandths of the font's size
	simple bool    // codes without an entry are of the Latin alphabet
	mac    bool    // as old Macintoshes have it
	named  charset // what codes without an entry are, if the font names it
	room   int     // for entries
}

// fontOf reads a font, once.
func (f *file) fontOf(v any) *font {
	r, named := v.(ref)
	if known := f.fonts[int(r)]; named && known != nil {
		return known
	}
	out := f.readFont(f.dict(v))
	if named {
		f.fonts[int(r)] = out
	}
	return out
}

func (f *file) readFont(d dict) *font {
	out := &font{codes: map[uint32]string{}, wide: map[uint32]float64{}, size: 1, usual: 500, room: maxCodes}
	if d["Subtype"] == name("Type0") {
		f.composite(d, out)
	} else {
		out.simple = true
		out.mac = f.get(d["Encoding"]) == name("MacRomanEncoding") || f.get(f.dict(d["Encoding"])["BaseEncoding"]) == name("MacRomanEncoding")
		f.encoding(f.get(d["Encoding"]), out)
		first := uint32(num(f.get(d["FirstChar"])))
		widths, _ := f.get(d["Widths"]).(array)
		for i, w := range widths[:min(len(widths), 256)] {
			out.wide[first+uint32(i)] = num(f.get(w))
		}
		if len(widths) == 0 {
			base, _ := f.get(d["BaseFont"]).(name)
			out.standard(string(base))
		}
	}
	if s, ok := f.get(d["ToUnicode"]).(*stream); ok {
		out.toUnicode(f.bytes(s))
	}
	return out
}

// composite reads a font of many letters, such as Chinese ones.
func (f *file) composite(d dict, out *font) {
	out.size, out.usual = 2, 1000
	below, _ := f.get(d["DescendantFonts"]).(array)
	if len(below) == 0 {
		return
	}
	cid := f.dict(below[0])
	if w := f.get(cid["DW"]); w != nil {
		out.usual = num(w)
	}
	encoding, _ := f.get(d["Encoding"]).(name)
	order, _ := f.get(f.dict(cid["CIDSystemInfo"])["Ordering"]).([]byte)
	if out.named = charsetOf(string(encoding), string(order)); out.named != nil && !strings.HasPrefix(string(encoding), "Identity") {
		out.size = 0
		return // its widths are by other codes
	}
	if out.named == nil && !strings.HasPrefix(string(encoding), "Identity") {
		f.strange = encoding
	}
	widths, _ := f.get(cid["W"]).(array)
	for i := 0; i+1 < len(widths) && out.room > 0; {
		first := uint32(num(f.get(widths[i])))
		if list, ok := f.get(widths[i+1]).(array); ok {
			for k, w := range list[:min(len(list), out.room)] {
				out.room--
				out.wide[first+uint32(k)] = num(f.get(w))
			}
			i += 2
			continue
		}
		if i+2 < len(widths) {
			upto, w := uint32(num(f.get(widths[i+1]))), num(f.get(widths[i+2]))
			for c := first; c <= upto && out.room > 0; c++ {
				out.room--
				out.wide[c] = w
			}
		}
		i += 3
	}
}

// encoding reads the differences from the usual codes.
func (f *file) encoding(v any, out *font) {
	d, ok := v.(dict)
	if !ok {
		return
	}
	differences, _ := f.get(d["Differences"]).(array)
	code := uint32(0)
	for _, one := range differences {
		switch one := f.get(one).(type) {
		case float64:
			code = uint32(num(one))
		case name:
			if s := glyph(string(one)); s != "" {
				out.codes[code] = s
			}
			code++
		}
	}
}

// toUnicode reads the table of letters that a font brings with it.
func (t *font) toUnicode(data []byte) {
	l := lexer{data: data}
	var args []any
	for t.room > 0 {
		v, ok := l.next()
		if !ok {
			return
		}
		op, ok := v.(operator)
		if !ok {
			args = append(args, v)
			continue
		}
		switch op {
		case "endcodespacerange":
			if b, ok := last(args).([]byte); ok && (len(b) == 1 || len(b) == 2) {
				t.size = len(b)
			}
		case "endbfchar":
			for i := 0; i+1 < len(args); i += 2 {
				t.set(codeOf(args[i]), args[i+1], 0)
			}
		case "endbfrange":
			for i := 0; i+2 < len(args); i += 3 {
				t.setRange(codeOf(args[i]), codeOf(args[i+1]), args[i+2])
			}
		}
		args = nil
	}
}

func last(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[len(args)-1]
}

func (t *font) setRange(from, to uint32, v any) {
	for c := from; c <= to && t.room > 0; c++ {
		if list, ok := v.(array); ok {
			if int(c-from) >= len(list) {
				return
			}
			t.set(c, list[c-from], 0)
			continue
		}
		t.set(c, v, c-from)
	}
}

// set keeps the letters of a code: those of the text, the last of them so many further on.
func (t *font) set(code uint32, v any, plus uint32) {
	t.room--
	b, ok := v.([]byte)
	if !ok || len(b) == 0 || len(b) > 64 {
		return
	}
	if len(b) == 1 {
		b = []byte{0, b[0]}
	}
	s := []rune(fromUTF16(b))
	if len(s) > 0 {
		s[len(s)-1] += rune(plus)
	}
	t.codes[code] = string(s)
}

func codeOf(v any) (code uint32) {
	b, _ := v.([]byte)
	for _, c := range b[:min(len(b), 4)] {
		code = code<<8 | uint32(c)
	}
	return code
}

func fromUTF16(b []byte) string {
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return string(utf16.Decode(units))
}

// read returns the letters of a text and their width together, in thousandths of the font's size, and the
// number of codes.
func (t *font) read(b []byte) (text string, width float64, n int) {
	var out strings.Builder
	for len(b) > 0 {
		size := t.size
		if size == 0 {
			size = t.named.size(b)
		}
		one := b[:min(size, len(b))]
		b = b[len(one):]
		code := codeOf(one)
		s := t.letters(code, one)
		out.WriteString(s)
		w, ok := t.wide[code]
		switch {
		case ok:
		case t.size == 0 && breadth(s) == 1:
			w = 500
		default:
			w = t.usual
		}
		width += w
		n++
	}
	return out.String(), width, n
}

func (t *font) letters(code uint32, raw []byte) string {
	if s, ok := t.codes[code]; ok {
		return s
	}
	switch {
	case t.named != nil:
		return t.named.letters(raw)
	case t.simple && code < 0x80:
		return string(rune(code))
	case t.simple && t.mac:
		return macintosh()[min(code-0x80, 127)]
	case t.simple && code < 0xa0:
		return windows()[code-0x80]
	case t.simple:
		return string(rune(code))
	}
	return "\uFFFD"
}

// windows are the letters of Windows' Latin alphabet where it is not that of ISO.
var windows = sync.OnceValue(func() []string { return strings.Split(windowsLetters, "|") })

// macintosh are the letters of old Macintoshes from 0x80 on.
var macintosh = sync.OnceValue(func() []string { return strings.Split(macintoshLetters, "") })

const (
	macintoshLetters = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»… ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ"
	windowsLetters   = "€|\uFFFD|‚|ƒ|„|…|†|‡|ˆ|‰|Š|‹|Œ|\uFFFD|Ž|\uFFFD|\uFFFD|‘|’|“|”|•|–|—|˜|™|š|›|œ|\uFFFD|ž|Ÿ"
)

// accents are what names of letters end in, and the sign that makes the letter so.
var accents = map[string]string{"grave": "\u0300", "acute": "\u0301", "circumflex": "\u0302", "tilde": "\u0303", "dieresis": "\u0308", "ring": "\u030a", "cedilla": "\u0327", "caron": "\u030c"}

var glyphs = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for pair := range strings.FieldsSeq(`space:_ exclam:! quotedbl:" numbersign:# dollar:$ percent:% ampersand:& quotesingle:' parenleft:( parenright:) asterisk:*
plus:+ comma:, hyphen:- period:. slash:/ zero:0 one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 semicolon:; less:< equal:=
greater:> question:? at:@ bracketleft:[ backslash:\ bracketright:] asciicircum:^ underscore:_ grave:` + "`" + ` braceleft:{ bar:| braceright:} asciitilde:~
fi:fi fl:fl ff:ff ffi:ffi ffl:ffl quoteleft:‘ quoteright:’ quotedblleft:“ quotedblright:” quotesinglbase:‚ quotedblbase:„ bullet:• endash:– emdash:—
ellipsis:… dagger:† daggerdbl:‡ section:§ copyright:© registered:® trademark:™ degree:° plusminus:± multiply:× divide:÷ minus:− Euro:€ sterling:£ yen:¥ cent:¢
germandbls:ß ae:æ AE:Æ oslash:ø Oslash:Ø oe:œ OE:Œ dotlessi:ı guillemotleft:« guillemotright:» guilsinglleft:‹ guilsinglright:› mu:µ periodcentered:· exclamdown:¡ questiondown:¿`) {
		key, value, _ := strings.Cut(pair, ":")
		out[key] = value
	}
	out["space"], out["colon"], out["nbspace"], out["underscore"] = " ", ":", " ", "_"
	return out
})

// glyph returns the letter of a name, "" if it is not known.
func glyph(n string) string {
	n, _, _ = strings.Cut(n, ".")
	if s, ok := glyphs()[n]; ok {
		return s
	}
	if utf8.RuneCountInString(n) == 1 {
		return n
	}
	for _, prefix := range []string{"uni", "u"} {
		if hex, ok := strings.CutPrefix(n, prefix); ok && len(hex) >= 4 && len(hex) <= 6 {
			if v, err := strconv.ParseUint(hex, 16, 32); err == nil {
				return string(rune(v))
			}
		}
	}
	if len(n) > 1 {
		if sign, ok := accents[n[1:]]; ok {
			return n[:1] + sign
		}
	}
	return ""
}

// standard gives a font without widths of its own the widths of the standard font that its name resembles.
func (t *font) standard(base string) {
	widths, part := helvetica, 1.0
	switch {
	case strings.Contains(base, "Courier"), strings.Contains(base, "Mono"):
		t.usual = 600
		return
	case strings.Contains(base, "Times"), strings.Contains(base, "Serif"), strings.Contains(base, "Roman"):
		widths = times
	}
	if strings.Contains(base, "Bold") {
		part = 1.06
	}
	code := uint32(' ')
	for w := range strings.FieldsSeq(widths) {
		n, _ := strconv.Atoi(w)
		t.wide[code] = float64(n) * part
		code++
	}
}

// The widths of the standard fonts' letters from the blank on, in thousandths of their size.
const (
	helvetica = `278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556
1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556
333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584`
	times = `250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 564 564 444
921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500
333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541`
)
