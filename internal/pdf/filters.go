package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"io"
)

// bytes returns a stream unpacked, as far as its filters are known and there is room.
func (f *file) bytes(s *stream) []byte {
	data := s.raw
	filters, params := f.list(s.dict["Filter"]), f.list(s.dict["DecodeParms"])
	for i, filter := range filters[:min(len(filters), 4)] {
		var p dict
		if i < len(params) {
			p = f.dict(params[i])
		}
		switch f.get(filter) {
		case name("FlateDecode"), name("Fl"):
			data = f.unpredict(f.inflate(data), p)
		case name("LZWDecode"), name("LZW"):
			data = f.unpredict(f.unlzw(data, p), p)
		case name("RunLengthDecode"), name("RL"):
			data = f.unrun(data)
		case name("ASCIIHexDecode"), name("AHx"):
			data = unhex(data)
		case name("ASCII85Decode"), name("A85"):
			data = un85(data)
		default:
			return nil
		}
	}
	return data
}

// list returns what may be one value or an array of them.
func (f *file) list(v any) array {
	v = f.get(v)
	if list, ok := v.(array); ok || v == nil {
		return list
	}
	return array{v}
}

// inflate unpacks zlib data, as far as it goes if the end is missing or broken.
func (f *file) inflate(data []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	out, _ := io.ReadAll(io.LimitReader(z, int64(f.unpack))) // what was read before an error counts
	f.unpack -= len(out)
	return out
}

// The codes of LZW that are no text.
const (
	lzwClear = 256
	lzwEnd   = 257
)

// unlzw reads LZW as PDF has it: codes of 9 to 12 bits, the highest bit first, longer by one code early. Each
// new code stands for the last text and one byte more, which lie in the output already.
func (f *file) unlzw(data []byte, params dict) (out []byte) {
	early := 1
	if v, ok := f.get(params["EarlyChange"]).(float64); ok && v == 0 {
		early = 0
	}
	var known [4096]struct{ at, n int }
	bits, have, width, next, last := uint32(0), 0, 9, lzwEnd+1, -1
	for _, b := range data {
		bits, have = bits<<8|uint32(b), have+8
		if have < width {
			continue
		}
		have -= width
		code, at := int(bits>>have)&(1<<width-1), len(out)
		switch {
		case code == lzwClear:
			width, next, last = 9, lzwEnd+1, -1
			continue
		case code == lzwEnd || code > next || code == next && last < 0 || len(out) > f.unpack:
			f.unpack -= len(out)
			return out
		case code < lzwClear:
			out = append(out, byte(code))
		case code < next:
			k := known[code]
			out = append(out, out[k.at:k.at+k.n]...)
		default:
			out = append(out, out[last:]...)
			out = append(out, out[last])
		}
		if last >= 0 && next < len(known) {
			known[next].at, known[next].n = last, at-last+1
			next++
		}
		if last = at; next+early >= 1<<width && width < 12 {
			width++
		}
	}
	f.unpack -= len(out)
	return out
}

// unrun decodes run-length encoding.
func (f *file) unrun(data []byte) (out []byte) {
	for i := 0; i < len(data) && data[i] != 128 && len(out) < f.unpack; {
		n := int(data[i])
		i++
		if n < 128 {
			end := min(i+n+1, len(data))
			out, i = append(out, data[i:end]...), end
		} else if i < len(data) {
			out = append(out, bytes.Repeat(data[i:i+1], 257-n)...)
			i++
		}
	}
	f.unpack -= len(out)
	return out
}

// unpredict undoes the predictors of PNG, by which each row holds only its differences from the row above.
func (f *file) unpredict(data []byte, params dict) []byte {
	if num(f.get(params["Predictor"])) < 10 {
		return data
	}
	or := func(key name, usual float64) int {
		if v := num(f.get(params[key])); v >= 1 {
			usual = v
		}
		return int(min(usual, 1<<16))
	}
	pixel := max(1, or("Colors", 1)*or("BitsPerComponent", 8)/8)
	row := max(1, (or("Colors", 1)*or("BitsPerComponent", 8)*or("Columns", 1)+7)/8)
	out, above := make([]byte, 0, len(data)), make([]byte, min(row, len(data)))
	for len(data) > 1 {
		kind, line := data[0], data[1:min(len(data), row+1)]
		data = data[len(line)+1:]
		undo(kind, line, above[:len(line)], pixel)
		out, above = append(out, line...), line
	}
	return out
}

// undo undoes one of PNG's five filters on a row. above is the row above; pixel is the number of bytes of a pixel.
func undo(kind byte, line, above []byte, pixel int) {
	for i := range line {
		left, corner := 0, 0
		if i >= pixel {
			left, corner = int(line[i-pixel]), int(above[i-pixel])
		}
		up := int(above[i])
		switch kind {
		case 1:
			line[i] += byte(left)
		case 2:
			line[i] += byte(up)
		case 3:
			line[i] += byte((left + up) / 2)
		case 4:
			line[i] += byte(paeth(left, up, corner))
		}
	}
}

// paeth is PNG's Paeth predictor: the neighbour that is nearest to left + up - corner.
func paeth(left, up, corner int) int {
	abs := func(n int) int { return max(n, -n) }
	l, u, c := abs(up-corner), abs(left-corner), abs(left+up-2*corner)
	switch {
	case l <= u && l <= c:
		return left
	case u <= c:
		return up
	}
	return corner
}

func un85(data []byte) []byte {
	if end := bytes.Index(data, []byte("~>")); end >= 0 {
		data = data[:end]
	}
	data = bytes.TrimPrefix(bytes.TrimSpace(data), []byte("<~"))
	out := make([]byte, 4*len(data)+4)
	n, _, _ := ascii85.Decode(out, data, true) // what was read before an error counts
	return out[:n]
}
