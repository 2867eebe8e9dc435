// Package offline is a model provider made of rules and retrieval: it needs no key and no network.
// It answers questions about files, in English and Chinese, from what tools tell it, splits work
// over several files into a plan, and joins what the parts found. It holds no knowledge of the
// world, writes no prose of its own, and never guesses: what it cannot serve it says.
//
// # The way of a request
//
// A request comes to Engine.Generate (engine.go), which reads it anew each time: the person's words, the files
// of the brief, and what earlier calls were answered, by their arguments. So a script asks for a tool as if it had the
// answer; if it has not, the call becomes the reply, and the next round runs the same script further (calls.go). What is asked
// of one file in one round becomes one call of extract (reading.go).
//
//	words -> question.ParseAlone -> Questions: an intent, times, levels, bounds, figure, order (package question; no file is seen)
//	act.go   solve, solveOne     each question: memory, texts, two files, else file by file
//	query.go answer              one question of one file: its tasks, its sentences, else its rows
//	bind.go  bind                the question tied to the columns and values of the file: a binding
//	query.go query               by intent to count.go, figure.go, top.go (groups, orders, first and last, rows)
//	finding.go, render.go        what was found, and how it is said; merge.go joins those of several files
//
// A team's planner, analysts and writer go planner.go, goals.go, join.go. Refusals are in refuse.go and in binding.problem.
//
// # A binding
//
// The order of the steps in bind is the order of precedence: a step takes words (use) that no later one reads. Columns are
// named first (naming.go, names.go for names inside lines of a log), then what is said by other words (theme.go, staff.go, stays.go, stays.go,
// adjectives.go, concepts.go), then levels, bounds and times, then values (values.go). Words that are left over and stand nowhere
// are unheard, and with them there is no figure. A step that cannot apply what it read sets problem, which declines.
//
// What is measured is one question for all intents. binding.measure gives the column that the words name. Where they
// name none, a theme (theme.go) is a kind of thing that verbs and adjectives ask for: money, pieces, hours, marks, or whatever
// makes a month the best. measures.go tells which column of a table holds each, by what columns are named for; two that could are
// none. bindTheme puts that column among the named ones. Whose figure it is, is binding.groupColumns, the unit
// of time, or impliedGroup (top.go): a person for who, a thing that the question names.
//
// # Adding to it
//
// A new intent is a constant and a pattern in question/intents.go, at its place in the order, a case in query or
// solveOne, and a kind of finding in render.go if none fits. A new way to say what is measured is a theme or a word
// of one; a new name for a column belongs to synonyms (columns.go) or measures.go; a thing that texts call otherwise to concepts.txt (rows) or
// wordings.txt (texts). Ask first which kind of question is misread: a rule for one sentence is not wanted. Each kind has rows
// in a table test, and what must stay declined has some too.
//
// Texts that people wrote go another way: tasks.go for lists of tasks, prose.go and package quote for sentences,
// lookup.go for lines that hold most of the words.
package offline
