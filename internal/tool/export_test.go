package tool

// WithBreaker is the breaker alone, without a tracer.
func WithBreaker(t Tool) Tool { return withBreaker(t, nil) }
