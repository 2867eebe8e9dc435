// Package orchestrator turns messages into tasks and brings each task to its end: it accepts messages,
// compiles and plans them, dispatches work, joins children and sweeps for lost tasks. It runs no agent and
// never calls the pool: the two communicate through work items and journal events only.
package orchestrator
