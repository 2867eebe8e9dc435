package pdf

import (
	"bytes"
	"context"
	"slices"
	"strconv"
)

// file is a PDF in memory. Its objects are found by searching the bytes; the cross-reference tables, which say where the
// objects are, are often wrong and are not used.
type file struct {
	ctx     context.Context
	data    []byte
	objects map[int]place
	known   map[int]any // objects that were read
	fonts   map[int]*font
	root    any

	encrypt any // how the file is encrypted, nil if it is not
	ids     any
	lock    *lock

	images  int  // pages with images
	scanned int  // of them without text
	strange name // an encoding of a font that is not known
	unpack  int  // bytes that streams may still unpack to
	steps   int  // operators that may still be looked at
	loading int  // objects that are being read in each other
}

// place is where an object begins: in the file, or in the bytes of a stream of objects.
type place struct {
	in  []byte // nil: the file
	at  int
	gen int
}

// objectAt returns the number and the generation of the object that begins with the word obj at a point; ok is false if none does.
func (f *file) objectAt(at int) (n, generation int, ok bool) {
	generation, rest := number(f.data[:at])
	if rest < 0 {
		return 0, 0, false
	}
	n, rest = number(f.data[:rest])
	return n, generation, rest >= 0
}

// number reads the digits that bytes end in, and blanks behind them, and gives where they begin, or -1.
func number(data []byte) (n, at int) {
	end := len(data)
	for end > 0 && isSpace(data[end-1]) {
		end--
	}
	from := end
	for from > 0 && end-from < 9 && data[from-1] >= '0' && data[from-1] <= '9' {
		from--
	}
	n, err := strconv.Atoi(string(data[from:end]))
	if err != nil || end == len(data) {
		return 0, -1
	}
	return n, from
}

// scan finds the objects, those in streams of objects too, and the root.
func (f *file) scan() {
	var tables, streams []int
	for at := 0; at < len(f.data) && len(f.objects) < maxObjects; {
		next := bytes.Index(f.data[at:], []byte("obj"))
		if next < 0 {
			break
		}
		at += next + len("obj")
		n, generation, ok := f.objectAt(at - len("obj"))
		if !ok {
			continue
		}
		f.objects[n] = place{at: at, gen: generation}
		head := f.data[at:min(at+600, len(f.data))]
		switch kind := head[:max(0, bytes.Index(head, []byte("stream")))]; {
		case bytes.Contains(kind, []byte("/XRef")):
			tables = append(tables, n)
		case bytes.Contains(kind, []byte("/ObjStm")):
			streams = append(streams, n)
		}
	}
	f.trailers()
	for _, n := range tables[:min(len(tables), maxStreams)] {
		if s, ok := f.object(n).(*stream); ok && s.dict["Type"] == name("XRef") {
			f.trailer(s.dict)
		}
	}
	if !f.unlock() {
		return
	}
	f.encrypt = nil
	for _, n := range streams[:min(len(streams), maxStreams)] {
		if s, ok := f.object(n).(*stream); ok {
			f.packed(s)
		}
	}
}

// trailers reads the trailers of the file: the root object, and how the file is encrypted.
func (f *file) trailers() {
	for at := 0; ; {
		next := bytes.Index(f.data[at:], []byte("trailer"))
		if next < 0 || f.ctx.Err() != nil {
			return
		}
		at += next + len("trailer")
		l := lexer{data: f.data, at: at, refs: true}
		if v, ok := l.next(); ok {
			if d, ok := v.(dict); ok {
				f.trailer(d)
			}
		}
	}
}

func (f *file) trailer(d dict) {
	if d["Encrypt"] != nil {
		f.encrypt = d["Encrypt"]
	}
	if d["ID"] != nil {
		f.ids = d["ID"]
	}
	if d["Root"] != nil {
		f.root = d["Root"]
	}
}

// packed finds the objects of an object stream. An object of the same number outside of a stream takes precedence.
func (f *file) packed(s *stream) {
	body := f.bytes(s)
	first, count := int(num(f.get(s.dict["First"]))), int(num(f.get(s.dict["N"])))
	l := lexer{data: body[:min(max(first, 0), len(body))]}
	for range min(max(count, 0), maxObjects) {
		n, ok := l.next()
		at, more := l.next()
		if !ok || !more || len(f.objects) >= maxObjects {
			return
		}
		if _, there := f.objects[int(num(n))]; !there {
			f.objects[int(num(n))] = place{in: body, at: first + int(num(at))}
		}
	}
}

// get follows references to the value.
func (f *file) get(v any) any {
	for range 8 {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		v = f.object(int(r))
	}
	return nil
}

// object reads an object, once.
func (f *file) object(n int) any {
	if v, ok := f.known[n]; ok {
		return v
	}
	p, ok := f.objects[n]
	if !ok || f.loading > maxDepth || f.ctx.Err() != nil {
		return nil
	}
	f.known[n] = nil // one that is in itself ends here
	f.loading++
	defer func() { f.loading-- }()
	data := p.in
	if data == nil {
		data = f.data
	}
	if p.at < 0 || p.at > len(data) {
		return nil
	}
	l := lexer{data: data, at: p.at, refs: true}
	v, _ := l.next()
	if d, ok := v.(dict); ok && p.in == nil {
		if s := f.streamAt(d, l.at); s != nil {
			if f.lock != nil {
				s.raw = f.lock.open(s.raw, n, p.gen)
			}
			v = s
		}
	}
	f.known[n] = v
	return v
}

// streamAt returns the stream whose dictionary has just been read, nil if there is none.
func (f *file) streamAt(d dict, at int) *stream {
	l := lexer{data: f.data, at: at}
	l.skip()
	rest := f.data[l.at:]
	if !bytes.HasPrefix(rest, []byte("stream")) {
		return nil
	}
	rest = rest[len("stream"):]
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
	if n := int(num(f.get(d["Length"]))); n > 0 && n <= len(rest) && bytes.HasPrefix(bytes.TrimLeft(rest[n:min(n+16, len(rest))], "\r\n "), []byte("endstream")) {
		return &stream{d, rest[:n]}
	}
	end := bytes.Index(rest, []byte("endstream"))
	if end < 0 {
		end = len(rest)
	}
	return &stream{d, rest[:end]}
}

func num(v any) float64 {
	n, _ := v.(float64)
	return max(min(n, 1e9), -1e9)
}

// dict returns a dictionary, of a stream too; nil if it is none.
func (f *file) dict(v any) dict {
	switch v := f.get(v).(type) {
	case dict:
		return v
	case *stream:
		return v.dict
	}
	return nil
}

// page is one page, with what it inherits.
type page struct {
	dict
	resources dict
}

// pages returns the pages in order; if the tree of pages is lost, in the order of their objects.
func (f *file) pages() (out []page) {
	seen := map[ref]bool{}
	var walk func(v, resources any, depth int)
	walk = func(v, resources any, depth int) {
		r, _ := v.(ref)
		d := f.dict(v)
		if d == nil || depth > maxDepth || len(out) >= maxPages || r != 0 && seen[r] {
			return
		}
		seen[r] = true
		if d["Resources"] != nil {
			resources = d["Resources"]
		}
		kids, ok := f.get(d["Kids"]).(array)
		if !ok {
			out = append(out, page{d, f.dict(resources)})
			return
		}
		for _, k := range kids {
			walk(k, resources, depth+1)
		}
	}
	if root := f.dict(f.root); root != nil {
		walk(root["Pages"], nil, 0)
	}
	if len(out) == 0 {
		out = f.loosePages()
	}
	return out
}

func (f *file) loosePages() (out []page) {
	var numbers []int
	for n := range f.objects {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		if d, ok := f.object(n).(dict); ok && d["Type"] == name("Page") && len(out) < maxPages {
			out = append(out, page{d, f.dict(d["Resources"])})
		}
	}
	return out
}
