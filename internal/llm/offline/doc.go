// Package offline is a model provider made of rules and retrieval: it needs no key and no network.
// It answers questions about files, in English and Chinese, from what tools tell it, splits work
// over several files into a plan, and joins what the parts found. It holds no knowledge of the
// world, writes no prose of its own, and never guesses: what it cannot serve it says.
package offline
