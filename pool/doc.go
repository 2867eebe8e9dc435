// Package pool keeps the agent instances of a node: it opens, lends, resets and closes them, and its
// workers claim tasks from the queue and run them on an instance. It decides nothing about plans and
// never talks to the orchestrator: all that passes between them is work items and journal events.
package pool
