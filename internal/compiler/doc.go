// Package compiler turns a person's words into a spec: what is wanted, from what, under which
// constraints. A rule-based twin does it alone where it can; else one call of a small model, whose
// reply is read as data, with the twin behind it. It never solves the task and decides nothing
// about who does.
package compiler
