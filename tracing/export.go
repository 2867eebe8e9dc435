package tracing

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// JSONTree returns the tree of the records as indented JSON: a list of nodes, each a span with its children.
// Open spans have a null end_time.
func JSONTree(records []akitad.Span) ([]byte, error) {
	tops := Tree(records)
	if tops == nil {
		tops = []*Node{}
	}
	return json.MarshalIndent(tops, "", "  ")
}

// JSONL returns the merged spans, one per line, ordered by start.
func JSONL(records []akitad.Span) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, s := range Merge(records) {
		if err := enc.Encode(s); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// chromeEvent is one entry of the trace event format that chrome://tracing and Perfetto read.
// Times are in microseconds since the first span.
type chromeEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	TS    int64          `json:"ts"`
	Dur   *int64         `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	Args  map[string]any `json:"args,omitempty"`
}

// ChromeTrace returns the spans in Chrome's trace event format. Spans that overlap without containing each
// other get different lanes (tid). An open span is a begin event without an end.
func ChromeTrace(records []akitad.Span) ([]byte, error) {
	spans := Merge(records)
	// If an inner and an outer span start together, the outer one must come first to share a lane.
	sorting.By(spans, func(a, b akitad.Span) int {
		if c := a.Start.Compare(b.Start); c != 0 {
			return c
		}
		return endOf(b).Compare(endOf(a))
	})
	events := []chromeEvent{}
	var lanes [][]time.Time
	for _, s := range spans {
		tid := lane(&lanes, s)
		events = append(events, chromeOf(s, spans[0].Start, tid))
	}
	return json.MarshalIndent(map[string]any{"traceEvents": events, "displayTimeUnit": "ms"}, "", " ")
}

// lane returns the first lane in which no span is open, or s fits into the open one. A lane is the stack of
// the ends of its open spans.
func lane(lanes *[][]time.Time, s akitad.Span) int {
	for i, open := range *lanes {
		for len(open) > 0 && !open[len(open)-1].After(s.Start) {
			open = open[:len(open)-1]
		}
		if len(open) == 0 || !endOf(s).After(open[len(open)-1]) {
			(*lanes)[i] = append(open, endOf(s))
			return i + 1
		}
	}
	*lanes = append(*lanes, []time.Time{endOf(s)})
	return len(*lanes)
}

// endOf returns the end of a span, a time far in the future for an open one.
func endOf(s akitad.Span) time.Time {
	if s.End == nil {
		return s.Start.AddDate(100, 0, 0)
	}
	return *s.End
}

func chromeOf(s akitad.Span, zero time.Time, tid int) chromeEvent {
	args := map[string]any{"span_id": s.SpanID, "status": s.Status}
	if s.ParentID != "" {
		args["parent_id"] = s.ParentID
	}
	if s.Error != "" {
		args["error"] = s.Error
	}
	for k, v := range s.Attributes {
		args[k] = v
	}
	e := chromeEvent{Name: string(s.Kind) + " " + s.Name, Cat: string(s.Kind), Phase: "B", TS: s.Start.Sub(zero).Microseconds(), PID: 1, TID: tid, Args: args}
	if s.End != nil {
		dur := s.End.Sub(s.Start).Microseconds()
		e.Phase, e.Dur = "X", &dur
	}
	return e
}
