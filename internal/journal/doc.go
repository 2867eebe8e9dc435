// Package journal keeps the append-only events of each task, from which alone its state is computed: it
// appends events with a fence, loads and folds them into a Task, and follows what others append. It does
// not decide who runs a task and when; orchestrator and pool do.
package journal
