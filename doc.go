// Package akitad holds the nouns that every other package speaks: messages, tasks, specs, plans,
// profiles, events, calls, spans, usage and errors. It imports the standard library only and does
// no work of its own beyond deriving ids and naming kinds.
package akitad
