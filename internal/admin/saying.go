package admin

import (
	"slices"
	"strings"
	"sync"
)

// saying is what a task's agent writes, as it comes live, on its way to the reader of a stream. Live text
// may be lost, and what is written before a tool call is not the answer: the answer comes whole all the
// same.
type saying struct {
	news chan struct{} // there is something to take

	mu     sync.Mutex
	out    string // to be taken
	tail   string // heard since the last turn began
	starts []int  // of the pieces in tail
	any    bool   // something was heard at all
	apart  bool   // a new turn has begun, and nothing was heard since that was told
}

func newSaying() *saying { return &saying{news: make(chan struct{}, 1)} }

const blank = " \t\r\n"

// hear adds a piece. The first of a turn stands apart from what was heard before.
func (s *saying) hear(piece []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.apart {
		s.out += "\n\n"
		s.tail, s.starts, s.apart = "", nil, false
	}
	s.starts = append(s.starts, len(s.tail))
	s.out += string(piece)
	s.tail += string(piece)
	s.any = true
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// turn says that what was heard so far was not the answer.
func (s *saying) turn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.apart = s.any
}

// take gives what was heard and not taken yet.
func (s *saying) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.out
	s.out = ""
	return out
}

// rest gives what has to follow all that was heard, so that the answer stands at its end: the answer's
// own end if its beginning was heard, else all of it.
func (s *saying) rest(answer string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	heard := strings.TrimLeft(s.tail, blank)
	words := strings.TrimRight(heard, blank)
	switch {
	case !s.any:
		return answer
	case s.whole(answer):
		return ""
	case s.apart, words == "":
	case strings.HasPrefix(answer, heard):
		return answer[len(heard):]
	case strings.HasSuffix(words, answer):
		return ""
	}
	return "\n\n" + answer
}

// whole says whether the last pieces are the answer: live text may be faster than the news of its turn.
func (s *saying) whole(answer string) bool {
	answer = strings.Trim(answer, blank)
	return answer != "" && slices.ContainsFunc(s.starts, func(at int) bool { return strings.Trim(s.tail[at:], blank) == answer })
}
