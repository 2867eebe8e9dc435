package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/sorting"
)

// piece is text that stands together on a page. Its places are in the direction in which it is read: x grows
// along the line, y falls from line to line.
type piece struct {
	x, y, end, size float64
	turn            int // quarters by which its line is turned against the page
	text            string
}

// maxPiece is how long a piece may grow, in bytes; maxPieces is how many are put in order together.
const (
	maxPiece  = 400
	maxPieces = 50_000
)

// place returns where a text begins and ends, read in its own direction.
func (m matrix) place(width float64) (x, y, end float64, turn int) {
	to := matrix{1, 0, 0, 1, width, 0}.then(m)
	switch {
	case math.Abs(m[1]) <= math.Abs(m[0]) && m[0] >= 0:
		return m[4], m[5], to[4], 0
	case math.Abs(m[1]) <= math.Abs(m[0]):
		return -m[4], -m[5], -to[4], 2
	case m[1] > 0:
		return m[5], -m[4], to[5], 1
	}
	return -m[5], m[4], -to[5], 3
}

// add keeps a piece, as a part of the one before if it goes on there.
func (w *writer) add(p piece) {
	if n := len(w.pieces); n > 0 {
		b := &w.pieces[n-1]
		same := b.turn == p.turn && math.Abs(b.y-p.y) < 0.1*p.size && math.Abs(b.size-p.size) < 0.1*p.size
		switch {
		case same && b.text == p.text && math.Abs(b.x-p.x) < 0.1*p.size:
			return // drawn twice to look bold
		case same && math.Abs(p.x-b.end) < blank*p.size && len(b.text) < maxPiece:
			b.text, b.end = b.text+p.text, p.end
			return
		}
	}
	if len(w.pieces) >= maxPieces {
		w.flush()
	}
	w.pieces = append(w.pieces, p)
}

// flush writes the pieces in the order in which they are read: those of one direction after the other, that
// of the most letters first.
func (w *writer) flush() {
	var turns [4][]piece
	var letters [4]int
	for _, p := range w.pieces {
		turns[p.turn] = append(turns[p.turn], p)
		letters[p.turn] += len(p.text)
	}
	w.pieces = w.pieces[:0]
	order := []int{0, 1, 2, 3}
	sorting.By(order, func(a, b int) int { return cmp.Compare(letters[b], letters[a]) })
	for _, turn := range order {
		l := layout{out: &w.out}
		l.begin()
		l.write(linesOf(turns[turn]), 0)
	}
}

// linesOf puts pieces that stand on one line together, from the top down, each line from its start.
func linesOf(pieces []piece) (lines [][]piece) {
	sorting.By(pieces, func(a, b piece) int { return cmp.Compare(b.y, a.y) })
	for i := 0; i < len(pieces); {
		top, size, j := pieces[i].y, pieces[i].size, i
		for j < len(pieces) && top-pieces[j].y <= 0.5*max(size, pieces[j].size) {
			size = max(size, pieces[j].size)
			j++
		}
		line := pieces[i:j:j]
		sorting.By(line, func(a, b piece) int { return cmp.Compare(a.x, b.x) })
		lines, i = append(lines, line), j
	}
	return lines
}

// layout writes lines, and columns one after the other.
type layout struct {
	out  *strings.Builder
	last piece
	any  bool // a piece was written since the last beginning

	usual float64 // from line to line
}

// begin sets what comes next apart from what is there.
func (l *layout) begin() {
	if have := l.out.String(); have != "" && !strings.HasSuffix(have, "\n\n") {
		l.out.WriteString("\n\n")
	}
	l.any = false
}

const (
	maxColumns = 6   // columns in columns
	maxLines   = 300 // lines in which columns are looked for
)

func (l *layout) write(lines [][]piece, depth int) {
	from, to, cut := 0, 0, 0.0
	if depth < maxColumns && len(lines) <= maxLines {
		from, to, cut = columns(lines)
	}
	if from == to {
		l.lines(lines)
		return
	}
	left, right := split(lines[from:to], cut)
	for _, part := range [][][]piece{lines[:from], left, right, lines[to:]} {
		if len(part) > 0 {
			l.begin()
			l.write(part, depth+1)
		}
	}
}

func (l *layout) lines(lines [][]piece) {
	l.usual = leading(lines)
	for _, line := range lines {
		for _, p := range line {
			l.apart(p)
			l.out.WriteString(p.text)
			l.last, l.any = p, true
		}
	}
}

// leading returns the room from line to line that is usual among a few lines or more.
func leading(lines [][]piece) float64 {
	if len(lines) < 4 {
		return 0
	}
	var all []float64
	for i := 1; i < len(lines); i++ {
		all = append(all, lines[i-1][0].y-lines[i][0].y)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// blank is the room that stands for a blank, in the size of the letters; wideBlank that between cells.
const (
	blank     = 0.17
	wideBlank = 2
)

// apart writes a line end, or blanks, for the room between two pieces.
func (l *layout) apart(p piece) {
	have := l.out.String()
	if !l.any || strings.HasSuffix(have, "\n") {
		return
	}
	em := max(p.size, l.last.size, 0.1)
	switch dy, dx := math.Abs(p.y-l.last.y), p.x-l.last.end; {
	case dy > 1.8*em && dy > 1.2*l.usual:
		l.out.WriteString("\n\n")
	case dy > 0.5*em, dx < -2*em:
		l.out.WriteString("\n")
	case dx > wideBlank*em:
		l.out.WriteString("  ")
	case dx > blank*em && !strings.HasSuffix(have, " ") && !strings.HasPrefix(p.text, " ") && !(wideEnd(have) && wideStart(p.text)):
		l.out.WriteString(" ")
	}
}

// Room between columns, in the size of the letters, and what text in columns has that cells of tables have
// not: lines on both sides, of some letters, that fill most of the column.
const (
	gutter      = 1.2
	leastLines  = 3
	leastFilled = 0.65
	leastLong   = 18
	leastBoth   = 0.6
	lastTried   = 4 // lines at the end that may not belong to the columns, such as a page's number
)

// columns finds the most lines, from up to to, that a gutter at cut runs through. None if from is to.
func columns(lines [][]piece) (from, to int, cut float64) {
	for i := range lines {
		cuts := gutters(lines[i:])
		for n := len(cuts); n > max(to-from, len(cuts)-lastTried); n-- {
			if inColumns(lines[i:i+n], cuts[n-1]) {
				from, to, cut = i, i+n, cuts[n-1]
			}
		}
	}
	return from, to, cut
}

// gutters returns for each line where there is room, through it and all lines before it, that can be a gutter;
// it ends with the last line that leaves such room.
func gutters(lines [][]piece) (cuts []float64) {
	var covered []piece // stretches along the lines that hold text, in order
	for j, line := range lines {
		for _, p := range line {
			covered = cover(covered, p)
		}
		at, ok := gap(covered)
		if !ok && j >= leastLines {
			break
		}
		cuts = append(cuts, at)
	}
	return cuts
}

// cover adds a piece to stretches, and joins those that it touches.
func cover(covered []piece, p piece) []piece {
	if strings.HasSuffix(p.text, " ") {
		p.end -= blank * p.size
	}
	at, _ := slices.BinarySearchFunc(covered, p.x, func(c piece, x float64) int { return cmp.Compare(c.end, x) })
	end := at
	for end < len(covered) && covered[end].x <= p.end {
		p.x, p.end, p.size = min(p.x, covered[end].x), max(p.end, covered[end].end), max(p.size, covered[end].size)
		end++
	}
	return slices.Replace(covered, at, end, p)
}

// gap returns the middle of the widest gap between stretches, if it can be a gutter.
func gap(covered []piece) (at float64, ok bool) {
	most := 0.0
	for i := 1; i < len(covered); i++ {
		a, b := covered[i-1], covered[i]
		if room := b.x - a.end; room > most && room > gutter*min(a.size, b.size) {
			most, at = room, (a.end+b.x)/2
		}
	}
	return at, most > 0
}

func split(lines [][]piece, cut float64) (left, right [][]piece) {
	for _, line := range lines {
		n, _ := slices.BinarySearchFunc(line, cut, func(p piece, x float64) int { return cmp.Compare(p.x, x) })
		if n > 0 {
			left = append(left, line[:n:n])
		}
		if n < len(line) {
			right = append(right, line[n:])
		}
	}
	return left, right
}

// inColumns reports whether both sides of a gutter hold running text, and not the cells of a table.
func inColumns(lines [][]piece, cut float64) bool {
	left, right := split(lines, cut)
	return running(left, len(lines)) && running(right, len(lines))
}

func running(lines [][]piece, of int) bool {
	if len(lines) < leastLines || float64(len(lines)) < leastBoth*float64(of) {
		return false
	}
	low, high, filled, letters := math.Inf(1), math.Inf(-1), 0.0, 0
	for _, line := range lines {
		first, last := line[0], line[len(line)-1]
		low, high, filled = min(low, first.x), max(high, last.end), filled+last.end-first.x
		for _, p := range line {
			letters += breadth(p.text)
		}
	}
	n := float64(len(lines))
	return filled >= leastFilled*n*(high-low) && float64(letters) >= leastLong*n
}

// breadth counts letters, wide ones twice.
func breadth(s string) (n int) {
	for _, r := range s {
		n++
		if isWide(r) {
			n++
		}
	}
	return n
}

// Chinese, Japanese and Korean have no blanks between words.
func wideStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isWide(r)
}

func wideEnd(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return isWide(r)
}

func isWide(r rune) bool {
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xffef
}
