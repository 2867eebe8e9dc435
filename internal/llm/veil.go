package llm

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Veil passes streamed text on to a person and keeps back what is not for them: thoughts in tags, and,
// where tools are offered, everything from the first textual tool call on. What only looks like one is
// passed on at the end. Pieces may be cut anywhere. It is for one goroutine.
type Veil struct {
	emit  func(string)
	names Names
	marks marks
	text  strings.Builder // all of it, without marks
	from  int             // where the words begin, behind the thoughts
	place place           // up to where text was passed on
	begun bool            // the text is known not to begin with a thought any more
	blank int             // up to where nothing but blanks stands behind from
	dull  int             // up to where the thought that is open has no end
	held  bool            // something has begun that only the end of the text can tell
}

// NewVeil makes a Veil that passes text on to emit; with a nil emit it swallows everything. names
// are the tools that the model may call.
func NewVeil(emit func(string), names Names) *Veil { return &Veil{emit: emit, names: names} }

// Write takes the next piece.
func (v *Veil) Write(piece string) {
	if v.emit == nil || piece == "" {
		return
	}
	v.take(v.marks.next(piece))
}

func (v *Veil) take(piece string) {
	if piece == "" {
		return
	}
	v.text.WriteString(piece)
	if v.held || !v.begin() {
		return
	}
	v.held = v.pass() == yes
}

// Flush passes on what was kept back and is for a person after all. It must be called at the end of a
// text that is complete.
func (v *Veil) Flush() {
	if v.emit == nil {
		return
	}
	v.take(v.marks.rest())
	words, _ := SplitText(v.text.String(), v.names)
	shown := v.text.String()[min(v.from, v.place.at):v.place.at]
	rest, ok := strings.CutPrefix(strings.TrimLeft(words, blanks), strings.TrimLeft(shown, blanks))
	if ok && rest != "" {
		v.emit(rest)
	}
}

// begin skips the thoughts that the text begins with; false means that it cannot tell yet where they
// end.
func (v *Veil) begin() bool {
	for !v.begun {
		text := v.text.String()
		start := text[v.firstWord(text):]
		t, ok := opens(start)
		head := beginsHead(start)
		if v.from > 0 {
			head = max(head, beginsWrapper(start))
		}
		if lost, judged := swallowed(start); v.from == 0 && judged != no { // the server has sent the thought by itself
			if judged == open {
				return false
			}
			v.words(len(text) - len(lost))
			continue
		}
		switch {
		case start == "", !ok && max(beginsThought(start), head) == open:
			return false
		case !ok && head == yes:
			v.held = true
			return false
		case !ok:
			v.begun = true
			if v.from > 0 {
				v.words(len(text) - len(start))
			}
			return true
		}
		from := max(v.dull, len(text)-len(start))
		end := strings.Index(text[from:], t.close)
		if end < 0 {
			v.dull = max(from, len(text)-len(t.close))
			return false
		}
		v.words(from + end + len(t.close))
	}
	return true
}

// swallowed judges whether a text begins with the end of a thought, and gives what follows.
func swallowed(text string) (rest string, judged verdict) {
	end := thoughtTags[0].close
	switch rest, ok := strings.CutPrefix(text, end); {
	case ok:
		return rest, yes
	case text != "" && strings.HasPrefix(end, text):
		return "", open
	}
	return "", no
}

// words notes that the words begin at a point, or later.
func (v *Veil) words(at int) { v.from, v.place = at, place{at: at, start: at} }

// pass passes on what is for a person, and says whether something has begun behind it.
func (v *Veil) pass() verdict {
	text, p, found := v.text.String(), v.place, no
	end := wholeRunes(text)
	if first := v.firstWord(text); len(v.names) > 0 && first >= v.place.at && first < len(text) {
		if found = v.start(text[first:]); found != no {
			return found
		}
	}
	for at := range candidates(text[v.place.at:], "<[{`◁A*f✿>"+codeInitials) {
		if found = v.judge(&p, text, v.place.at+at); found != no {
			end = v.place.at + at
			break
		}
	}
	if end > v.place.at {
		v.emit(text[v.place.at:end])
		p.move(text, end)
		v.place = p
	}
	return found
}

// wholeRunes gives where the last whole character of a text ends.
func wholeRunes(text string) int {
	for at := len(text) - 1; at >= max(0, len(text)-utf8.UTFMax); at-- {
		if utf8.RuneStart(text[at]) {
			if !utf8.FullRuneInString(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}

// firstWord gives where something stands that is no blank. It looks at each byte once, however often it is asked.
func (v *Veil) firstWord(text string) int {
	v.blank = max(v.blank, v.from)
	v.blank = len(text) - len(strings.TrimLeft(text[v.blank:], blanks))
	return v.blank
}

// start judges whether what a text begins with may be calls, or thoughts before them, without any tag.
func (v *Veil) start(text string) verdict {
	return max(beginsPython(text, v.names), beginsLines(text, true), beginsNamed(text, v.names, true))
}

// judge says whether what begins at a point is to be kept back.
func (v *Veil) judge(p *place, text string, at int) verdict {
	if strings.IndexByte(codeInitials, text[at]) >= 0 {
		return v.judgeCode(p, text, at)
	}
	begun, plain := max(beginsThought(text[at:]), ends(text[at:]), beginsHead(text[at:])), no
	if len(v.names) > 0 {
		if v.firstWord(text) >= at {
			plain = beginsCall(text[at:])
		}
		begun = max(begun, beginsCode(text[at:]), beginsMarker(text[at:]), beginsFence(text[at:]), beginsNamed(text[at:], v.names, false))
		if strings.IndexByte("A*[", text[at]) >= 0 && begun == no {
			begun = beginsLines(text[at:], false)
			if text[at] == '[' {
				begun = beginsPython(text[at:], v.names)
			}
			if begun != no {
				if p.move(text, at); !p.fresh(text) {
					return plain
				}
			}
		}
	}
	if begun == no || plain == yes {
		return plain
	}
	p.move(text, at)
	if p.shown(text) || text[at] == '`' && !p.fresh(text) {
		return plain
	}
	return max(begun, plain)
}

// judgeCode says the same of a letter: only where a line begins it may begin calls.
func (v *Veil) judgeCode(p *place, text string, at int) verdict {
	if len(v.names) == 0 || at > 0 && text[at-1] != '\n' {
		return no
	}
	begun := beginsCode(text[at:])
	if begun == no {
		return no
	}
	if p.move(text, at); p.fence != "" {
		return no
	}
	return begun
}

func beginsMarker(text string) verdict {
	if hasMarker(text) || slices.ContainsFunc(endStarts, func(e string) bool { return strings.HasPrefix(text, e) }) {
		return yes
	}
	return max(begins(markers, text), begins(endStarts, text))
}

func beginsThought(text string) verdict {
	if _, ok := opens(text); ok {
		return yes
	}
	if slices.ContainsFunc(thoughtTags, func(t tags) bool { return strings.HasPrefix(t.open, text) }) {
		return open
	}
	return no
}
