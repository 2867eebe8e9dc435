package llm

import "strings"

// Veil passes streamed text on to a person and keeps back what is not for them: thoughts in a
// leading <think> block, and, where tools are offered, everything from the first textual tool call
// on. Pieces may be cut anywhere. It is for one goroutine.
type Veil struct {
	emit     func(string)
	tools    bool
	tail     string // not passed on yet
	begun    bool   // the text is known to begin with a thought or not to
	thinking bool
	closed   bool
	fences   int
}

// NewVeil makes a Veil that passes text on to emit; with a nil emit it swallows everything. names
// are the tools that the model may call.
func NewVeil(emit func(string), names Names) *Veil {
	return &Veil{emit: emit, tools: len(names) > 0, closed: emit == nil}
}

// Write takes the next piece.
func (v *Veil) Write(piece string) {
	if v.closed || piece == "" {
		return
	}
	v.tail += piece
	if !v.begin() || !v.think() {
		return
	}
	v.pass(v.safe())
}

// Flush passes on what was kept back because it might have become a marker.
func (v *Veil) Flush() {
	if !v.closed && !v.thinking {
		v.pass(len(v.tail))
	}
}

// begin finds out whether the text begins with a thought; false means that it cannot tell yet.
func (v *Veil) begin() bool {
	if v.begun {
		return true
	}
	start := strings.TrimLeft(v.tail, " \t\r\n")
	if len(start) < len(thinkOpen) && strings.HasPrefix(thinkOpen, start) {
		return false
	}
	v.begun, v.thinking = true, strings.HasPrefix(start, thinkOpen)
	return true
}

// think skips to the end of the thought; false means that it goes on.
func (v *Veil) think() bool {
	if !v.thinking {
		return true
	}
	end := strings.Index(v.tail, thinkClose)
	if end < 0 {
		v.tail = v.tail[max(0, len(v.tail)-len(thinkClose)):]
		return false
	}
	v.thinking = false
	v.tail = strings.TrimLeft(v.tail[end+len(thinkClose):], " \t\r\n")
	return true
}

// safe says how much of the tail cannot be part of a marker, and closes the veil at a whole one.
func (v *Veil) safe() int {
	if !v.tools {
		return len(v.tail)
	}
	for at := 0; at < len(v.tail); at++ {
		next := strings.IndexAny(v.tail[at:], "<[")
		if next < 0 {
			break
		}
		at += next
		if (v.fences+strings.Count(v.tail[:at], fence))%2 == 1 || strings.HasSuffix(v.tail[:at], "`") {
			continue
		}
		if hasMarker(v.tail[at:]) {
			v.pass(at)
			v.closed = true
			return 0
		}
		if mayBecomeMarker(v.tail[at:]) {
			return at
		}
	}
	return len(strings.TrimRight(v.tail, "`")) // a fence may be cut in two
}

func mayBecomeMarker(text string) bool {
	for _, m := range markers {
		if strings.HasPrefix(m, text) {
			return true
		}
	}
	return false
}

func (v *Veil) pass(n int) {
	if n == 0 {
		return
	}
	v.fences += strings.Count(v.tail[:n], fence)
	v.emit(v.tail[:n])
	v.tail = v.tail[n:]
}
