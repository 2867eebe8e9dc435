// Package bus carries bytes over NATS: the journal's stream, the work queue, timers, the inbox,
// spans, key-value buckets and artifacts, on an embedded server or an external cluster. It knows
// streams, subjects and consumers; it does not know what the bytes mean, and no type of NATS
// leaves it.
package bus
