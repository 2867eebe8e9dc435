package tool

import "encoding/json"

// WithBreaker is the breaker alone, without a tracer.
func WithBreaker(t Tool) Tool { return withBreaker(t, nil) }

// WithTimeout is the time limit alone.
func WithTimeout(t Tool) Tool { return timed{t, 0} }

// Prepare prepares the arguments of one call of a tool that stands in no registry.
func Prepare(info Info, raw json.RawMessage) (json.RawMessage, error) {
	a, err := NewArguments(info)
	if err != nil {
		return nil, err
	}
	return a.Prepare(raw)
}
