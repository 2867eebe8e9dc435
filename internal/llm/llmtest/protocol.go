package llmtest

import (
	"io"
	"net/http"
	"slices"

	"github.com/akitad/akitad/internal/llm"
)

// protocol is a wire protocol as a Server speaks it.
type protocol struct {
	serves func(path string) bool
	// parse turns a request into the form that scripts match, and is as strict as the real service.
	parse func(s *Server, r *http.Request, body []byte) (req llm.Request, stream bool, err error)
	// whole is a reply as one object; chunks is the same reply as a stream.
	whole  func(how shape, reply llm.Reply) []byte
	chunks func(how shape, reply llm.Reply) []chunk
	// problem is the body of a refusal, and the data of an error in mid-stream.
	problem func(status int, message string) string
	bare    bool // an error in mid-stream is no event, but stands there as it is
}

// protocols are tried in this order; the first that serves a path answers.
func protocols() []protocol {
	return []protocol{openAI(), anthropic(), gemini()}
}

// chunk is one event of a stream.
type chunk struct {
	event string // the event's name, where the protocol has names
	data  string
	call  piece
	end   bool // it says that the stream is complete, and nothing else
}

// piece says what a chunk holds of a tool call.
type piece int

const (
	noCall   piece = iota
	partCall       // a piece of a call that goes on in later chunks
	wholeCall
)

// protocolOf returns the protocol that a request is in.
func protocolOf(r *http.Request) (protocol, bool) {
	all := protocols()
	at := slices.IndexFunc(all, func(p protocol) bool { return p.serves(r.URL.Path) })
	if at < 0 || r.Method != http.MethodPost {
		return all[0], false
	}
	return all[at], true
}

// send puts the reply on the wire.
func (s *Server) send(w http.ResponseWriter, r *http.Request, p protocol, reply llm.Reply, stream bool, faults []Fault) {
	how := shapeOf(faults)
	if !stream || how.plain {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(p.whole(how, reply))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunks := p.chunks(how, reply)
	for i, c := range chunks {
		if s.stop(w, r, p, how, faults, i) {
			return
		}
		if how.noDone && c.end {
			return
		}
		if how.keepAlive != "" {
			_, _ = io.WriteString(w, how.keepAlive+how.newline+how.newline)
		}
		written := how.event(c)
		cut := s.inCall(faults, chunks[:i+1])
		if cut != nil && c.call == wholeCall {
			written = written[:len(written)/2]
		}
		_, _ = io.WriteString(w, written)
		_ = http.NewResponseController(w).Flush()
		if cut != nil {
			s.leave(r, *cut)
			return
		}
	}
}

func (s shape) event(c chunk) string {
	name := ""
	if c.event != "" {
		name = "event:" + s.space + c.event + s.newline
	}
	return name + "data:" + s.space + c.data + s.newline + s.newline
}

// stop commits the faults that end a stream before its chunk i.
func (s *Server) stop(w http.ResponseWriter, r *http.Request, p protocol, how shape, faults []Fault, i int) bool {
	for _, f := range faults {
		if f.after <= 0 || f.after != i {
			continue
		}
		if f.status != 0 {
			_, _ = io.WriteString(w, p.midstream(how, f))
			return true
		}
		s.leave(r, f)
		return true
	}
	return false
}

// midstream is an error in a stream.
func (p protocol) midstream(how shape, f Fault) string {
	said := p.problem(f.status, f.said)
	if p.bare {
		return said
	}
	return how.event(chunk{event: "error", data: said})
}

// inCall returns the fault to commit behind the chunks sent so far because the last of them is the first
// that holds something of a call.
func (s *Server) inCall(faults []Fault, sent []chunk) *Fault {
	at := slices.IndexFunc(sent, func(c chunk) bool { return c.call != noCall })
	if at != len(sent)-1 {
		return nil
	}
	for _, f := range faults {
		if f.inCall {
			return &f
		}
	}
	return nil
}

// leave ends a stream the way the fault says.
func (s *Server) leave(r *http.Request, f Fault) {
	switch f.leave {
	case hanging:
		s.hang(r)
	case cutting:
		panic(http.ErrAbortHandler)
	case ending:
	}
}
