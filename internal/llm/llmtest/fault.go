package llmtest

import (
	"net/http"
	"time"
)

// Fault is one way in which a Server misbehaves. Faults that do not exclude each other may be
// combined.
type Fault struct {
	status int
	header http.Header
	body   string
	said   string  // in place of body: a message, in the protocol's form of a refusal
	raw    *string // the whole answer, byte for byte

	hang   bool    // say nothing at all
	after  int     // leave a stream after so many chunks: with an error, if there is a status
	inCall bool    // leave it in the middle of the first tool call
	leave  leaving // how
	wait   time.Duration
	shape  func(*shape)
}

// leaving is how a stream stops before its end.
type leaving int

const (
	hanging leaving = iota // say nothing more
	cutting                // drop the connection
	ending                 // end cleanly, as if that were all
)

// Status answers with an HTTP status and body; an empty body becomes an error object.
func Status(code int, body string) Fault { return Fault{status: code, body: body} }

// Refuse answers with an HTTP status and a message, in the protocol's form of a refusal.
func Refuse(code int, message string) Fault { return Fault{status: code, said: message} }

// RetryAfter answers with a status and a Retry-After header.
func RetryAfter(code int, value string) Fault {
	return Fault{status: code, header: http.Header{"Retry-After": {value}}}
}

// Hang never answers.
func Hang() Fault { return Fault{hang: true} }

// HangAfter stops in mid-stream, after n chunks, with the connection open.
func HangAfter(n int) Fault { return Fault{after: n, leave: hanging} }

// CutAfter drops the connection after n chunks.
func CutAfter(n int) Fault { return Fault{after: n, leave: cutting} }

// EndAfter ends the stream cleanly after n chunks, with nothing to say that it is the end.
func EndAfter(n int) Fault { return Fault{after: n, leave: ending} }

// HangInCall stops in the middle of the first tool call, with the connection open.
func HangInCall() Fault { return Fault{inCall: true, leave: hanging} }

// CutInCall drops the connection in the middle of the first tool call.
func CutInCall() Fault { return Fault{inCall: true, leave: cutting} }

// EndInCall ends the stream cleanly in the middle of the first tool call.
func EndInCall() Fault { return Fault{inCall: true, leave: ending} }

// ErrorAfter ends the stream after n chunks with an error of the status, said in the protocol's way.
func ErrorAfter(n, status int, message string) Fault {
	return Fault{after: n, status: status, said: message}
}

// Slow answers after a delay.
func Slow(d time.Duration) Fault { return Fault{wait: d} }

// Raw answers 200 with exactly these bytes, as an event stream if they begin like one.
func Raw(body string) Fault { return Fault{raw: &body} }

// shape says how a reply is put on the wire.
type shape struct {
	plain        bool // one JSON object although a stream was asked for
	noDone       bool
	noUsage      bool
	noIndex      bool
	zeroIndex    bool
	argsObject   bool
	repeatName   bool
	noIDs        bool
	sameIDs      bool
	finish       string
	keepAlive    string // sent before each chunk
	newline      string
	space        string
	reasoning    string
	nullContent  bool
	extraContent string
	signature    string
}

func shaped(f func(*shape)) Fault { return Fault{shape: f} }

// NoDone leaves the event out that closes a stream, such as [DONE].
func NoDone() Fault { return shaped(func(s *shape) { s.noDone = true }) }

// NoUsage reports no tokens.
func NoUsage() Fault { return shaped(func(s *shape) { s.noUsage = true }) }

// NotStreamed answers a streaming request with one JSON object.
func NotStreamed() Fault { return shaped(func(s *shape) { s.plain = true }) }

// NoIndex leaves the index of tool calls out, one call a chunk.
func NoIndex() Fault { return shaped(func(s *shape) { s.noIndex = true }) }

// ZeroIndex gives every tool call index 0, one call a chunk.
func ZeroIndex() Fault { return shaped(func(s *shape) { s.zeroIndex = true }) }

// ArgsObject sends arguments as a JSON object in place of a string.
func ArgsObject() Fault { return shaped(func(s *shape) { s.argsObject = true }) }

// RepeatName sends the tool's name with every piece of its arguments.
func RepeatName() Fault { return shaped(func(s *shape) { s.repeatName = true }) }

// NoIDs sends tool calls with empty ids.
func NoIDs() Fault { return shaped(func(s *shape) { s.noIDs = true }) }

// SameIDs returns all tool calls the same id, in every reply.
func SameIDs() Fault { return shaped(func(s *shape) { s.sameIDs = true }) }

// Finish reports this finish_reason, whatever the reply is.
func Finish(reason string) Fault { return shaped(func(s *shape) { s.finish = reason }) }

// KeepAlive sends the line, such as ": ping", before each chunk.
func KeepAlive(line string) Fault { return shaped(func(s *shape) { s.keepAlive = line }) }

// Reasoning sends reasoning_content before the text.
func Reasoning(text string) Fault { return shaped(func(s *shape) { s.reasoning = text }) }

// NullContent sends content null where there is no text.
func NullContent() Fault { return shaped(func(s *shape) { s.nullContent = true }) }

// CRLF ends lines with CR LF and leaves the space after "data:" out.
func CRLF() Fault { return shaped(func(s *shape) { s.newline, s.space = "\r\n", "" }) }

// ExtraContent sends this JSON as extra_content of each tool call.
func ExtraContent(json string) Fault { return shaped(func(s *shape) { s.extraContent = json }) }

// Signature signs the first call of each answer with this text (Gemini). A server that always does so
// takes no call back without a signature.
func Signature(text string) Fault { return shaped(func(s *shape) { s.signature = text }) }

func shapeOf(faults []Fault) shape {
	s := shape{newline: "\n", space: " "}
	for _, f := range faults {
		if f.shape != nil {
			f.shape(&s)
		}
	}
	return s
}
