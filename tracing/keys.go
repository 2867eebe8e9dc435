package tracing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// Names of attributes that more than one package writes or reads. Those of model calls follow
// OpenTelemetry's GenAI conventions.
const (
	KeyTask       = "task"
	KeyDepth      = "depth"
	KeyProfile    = "profile"
	KeyState      = "state"
	KeyRounds     = "rounds"
	KeyNode       = "akita.node"
	KeyInstance   = "akita.instance"
	KeyReused     = "akita.reused"
	KeyErrorType  = "error.type"
	KeyModel      = "gen_ai.request.model"
	KeyOperation  = "gen_ai.operation.name"
	KeyTokensIn   = "gen_ai.usage.input_tokens"
	KeyTokensOut  = "gen_ai.usage.output_tokens"
	KeyCached     = "gen_ai.usage.cache_read.input_tokens"
	KeyFirstByte  = "first_byte_ms"
	KeyEndpoint   = "endpoint"
	KeyRole       = "role"
	KeyAttempt    = "attempt"
	KeyRound      = "round"
	KeyTool       = "tool"
	KeyArgsDigest = "args_digest"
	KeyBytes      = "bytes"
	KeyOutcome    = "outcome"
)

// want has the attributes that a span of one kind must have: from the start, after its end, and after an
// end without an error.
type want struct{ open, ended, ok []string }

// wants returns the required attributes of a kind.
func wants(kind akitad.SpanKind) (want, bool) {
	w, ok := map[akitad.SpanKind]want{
		akitad.SpanTask:         {open: words("task depth"), ended: words("state"), ok: words("profile akita.node akita.instance rounds")},
		akitad.SpanPrompt:       {ok: words("source warnings")},
		akitad.SpanDecision:     {open: words("type options"), ok: words("choice reason")},
		akitad.SpanDelegation:   {open: words("from to depth task")},
		akitad.SpanReasoning:    {open: words("round cap")},
		akitad.SpanContext:      {ok: words("tokens_before tokens_after budget stage masked")},
		akitad.SpanLLM:          {open: words(KeyModel + " role endpoint attempt"), ok: words(KeyTokensIn + " " + KeyCached + " " + KeyTokensOut + " first_byte_ms")},
		akitad.SpanToolBatch:    {open: words("calls parallel")},
		akitad.SpanTool:         {open: words("tool args_digest"), ended: words("outcome"), ok: words("bytes")},
		akitad.SpanMemory:       {open: words("operation"), ok: words("hits")},
		akitad.SpanVerification: {open: words("type"), ok: words("outcome reason")},
		akitad.SpanSupervision:  {open: words("pattern"), ok: words("level action")},
	}[kind]
	return w, ok
}

func words(s string) []string { return strings.Fields(s) }

// Check returns an error that lists what is wrong with a span: an unknown kind, invalid ids or times, a
// status that does not fit, missing attributes. An open span needs only the attributes that are known from
// the start. It is for tests of the packages that open spans: each of them checks its own.
func Check(s akitad.Span) error {
	w, known := wants(s.Kind)
	if !known {
		return fmt.Errorf("span %s %q: unknown kind %q", s.SpanID, s.Name, s.Kind)
	}
	problems := shape(s)
	names := w.open
	if s.End != nil {
		names = slices.Concat(names, w.ended)
	}
	if s.Status == StatusOK {
		names = slices.Concat(names, w.ok)
	}
	for _, name := range names {
		if _, ok := s.Attributes[name]; !ok {
			problems = append(problems, "no attribute "+name)
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("%s span %s %q: %s", s.Kind, s.SpanID, s.Name, strings.Join(problems, ", "))
}

// shape checks the fields that all kinds share.
func shape(s akitad.Span) (problems []string) {
	if len(s.TraceID) != 32 || len(s.SpanID) != 16 || s.ParentID != "" && len(s.ParentID) != 16 {
		problems = append(problems, "bad ids")
	}
	if s.ParentID == "" && s.Kind != akitad.SpanTask {
		problems = append(problems, "no parent")
	}
	if s.Name == "" || s.Start.IsZero() {
		problems = append(problems, "no name or start")
	}
	ended := s.Status == StatusOK || s.Status == StatusError || s.Status == StatusCancelled
	if ended != (s.End != nil) {
		problems = append(problems, fmt.Sprintf("status %q with end %v", s.Status, s.End))
	}
	if s.End != nil && s.End.Before(s.Start) {
		problems = append(problems, "ends before it starts")
	}
	return problems
}
