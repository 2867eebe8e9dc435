// Package orchestrator turns messages into tasks and sees each to its end: it accepts, compiles,
// plans, dispatches, joins and sweeps. It runs no agent and never talks to the pool: all that passes
// between them is work items and journal events.
package orchestrator
