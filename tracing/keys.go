package tracing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// Attribute names that more than one package writes or reads. The model call's follow
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

// want says which attributes a span of one kind must have: from the start, once it has ended, and
// once it has ended well.
type want struct{ open, ended, ok []string }

// wants is the contract of the twelve kinds.
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

// Check names what is wrong with a span by the contract of its kind: an unknown kind, ids or times
// that make no sense, a status that does not fit, attributes that are missing. Open spans need
// only what is known from the start.
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
