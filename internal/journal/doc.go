// Package journal keeps the append-only events of each task, the only truth about it: it appends
// with a fence, loads, folds events into a task's state and follows what others append. It decides
// nothing: who runs a task, and when, is the business of orchestrator and pool.
package journal
