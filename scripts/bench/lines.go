package main

import "fmt"

// A line of the table: one metric of one benchmark, and what is aimed at, if anything.
type line struct {
	bench, metric string
	what, unit    string
	most, least   float64 // 0: no such aim
}

var lines = []line{
	{bench: "StartToReady", metric: "ms", what: "start to ready, broker inside, empty home", unit: "ms", most: 110},
	{bench: "StartToReady", metric: "process-ms", what: "  the same as a process of its own", unit: "ms"},
	{bench: "IdleMemory", metric: "MB", what: "resident memory, idle (the test binary)", unit: "MB", most: 45},
	{bench: "IdleMemory", metric: "anon-MB", what: "  of it not backed by a file", unit: "MB"},
	{bench: "RoundOverhead", metric: "ms/round", what: "one tool round, model at 0 ms, journal and spans included", unit: "ms", most: 3},
	{bench: "RoundOverhead", metric: "%spans", what: "  of it spans", unit: "%"},
	{bench: "RoundOverhead", metric: "cpu-ms/round", what: "  processor time", unit: "ms"},
	{bench: "TasksModel1s/default", metric: "of-floor", what: "200 tasks x 5 calls, model 1 s, 64 at once: part of floor", unit: "", least: 0.9},
	{bench: "TasksModel1s/default", metric: "tasks/s", what: "  throughput", unit: "tasks/s"},
	{bench: "TasksModel1s/all", metric: "of-floor", what: "  all 200 at once: part of floor", unit: ""},
	{bench: "TasksModel50ms/default", metric: "tasks/s", what: "200 tasks x 5 calls, model 50 ms, 64 at once", unit: "tasks/s", least: 100},
	{bench: "TasksModel50ms/default", metric: "of-floor", what: "  part of floor", unit: ""},
	{bench: "TasksModel50ms/default", metric: "cpu-ms/task", what: "  processor time a task, the model's server included", unit: "ms"},
	{bench: "TasksModel50ms/default", metric: "floor-cpu-ms/task", what: "  of it the floor's", unit: "ms"},
	{bench: "TasksModel50ms/all", metric: "tasks/s", what: "  all 200 at once", unit: "tasks/s"},
	{bench: "Chat", metric: "p50-s", what: "200 Telegram chats at once, 5 tool rounds, model 50 ms: answer, p50", unit: "s", most: 1},
	{bench: "Chat", metric: "p99-s", what: "  p99", unit: "s", most: 2.5},
	{bench: "Chat", metric: "replies/s", what: "  throughput", unit: "replies/s", least: 100},
	{bench: "Chat", metric: "first-ms", what: "  until the first placeholder, p50", unit: "ms", most: 50},
	{bench: "Chat", metric: "cpu-ms/reply", what: "  processor time of the program", unit: "ms"},
	{bench: "Chat", metric: "fakes-cpu-ms/reply", what: "  of model and Telegram, on the same processors", unit: "ms"},
	{bench: "Chat", metric: "MB", what: "  resident memory after it, at rest (the program)", unit: "MB", most: 60},
	{bench: "Chat", metric: "peak-MB", what: "  at its end", unit: "MB"},
	{bench: "ChatAlone", metric: "first-ms", what: "one chat alone: until the first placeholder, p50", unit: "ms", most: 50},
	{bench: "ChatAlone", metric: "ms/answer", what: "  until the answer, without the model's 6 x 50 ms", unit: "ms"},
	{bench: "ChatIdle", metric: "%cpu", what: "processor at rest with Telegram on, of one core", unit: "%", most: 0.2},
	{bench: "ChatIdle", metric: "%clock", what: "  a process with nothing but the broker's clock of 100 ms", unit: "%"},
	{bench: "ChatIdle", metric: "MB", what: "  resident memory", unit: "MB"},
	{bench: "JournalAppend/300B", metric: "p50-us", what: "journal append, 300 B, p50", unit: "us"},
	{bench: "JournalAppend/300B", metric: "p99-us", what: "  p99", unit: "us"},
	{bench: "JournalAppend/4KB", metric: "p50-us", what: "journal append, 4 KB, p50", unit: "us"},
	{bench: "JournalAppend/4KB", metric: "p99-us", what: "  p99", unit: "us"},
	{bench: "JournalRound/process", metric: "p50-us", what: "journal of one round (two appends), p50", unit: "us", most: 1000},
	{bench: "JournalRound/power", metric: "p50-us", what: "  with durability: power", unit: "us"},
	{bench: "JournalLoad/seen", metric: "p50-us", what: "journal load, 20 events, seen before, p50", unit: "us"},
	{bench: "JournalLoad/new", metric: "p50-us", what: "  never seen", unit: "us"},
	{bench: "Join", metric: "ms", what: "a task with three children, model at 0 ms", unit: "ms"},
	{bench: "Join", metric: "join-ms", what: "  from the last child's end to the parent's going on", unit: "ms"},
	{bench: "Resume", metric: "s", what: "kill -9 with 1,000 open tasks: start to all resumed", unit: "s", most: 2},
	{bench: "Resume", metric: "ready-s", what: "  of it until ready", unit: "s"},
	{bench: "Resume", metric: "cpu-s", what: "  processor time of the daemon", unit: "s"},
	{bench: "Waiting", metric: "KB/task", what: "1,000 waiting tasks: memory each", unit: "KB", most: 20},
	{bench: "Waiting", metric: "cpu-ms/s", what: "  processor time in an idle second", unit: "ms"},
	{bench: "Filter", metric: "%out", what: "312 questions to 54 long outputs: bytes kept out of the context", unit: "%", least: 94},
	{bench: "Filter", metric: "%answered", what: "  answered by the reply alone", unit: "%", least: 80},
	{bench: "Filter", metric: "%searched", what: "  and with one search after it", unit: "%"},
	{bench: "Filter", metric: "%answered-unseen", what: "  by the reply alone, outputs that no rule was tuned on", unit: "%", least: 80},
	{bench: "Filter", metric: "%out-unseen", what: "  bytes of these kept out", unit: "%", least: 94},
	{bench: "FilterSession", metric: "%out", what: "a session with 1.4 MB of outputs: kept out of the context", unit: "%", least: 94},
	{bench: "FilterLarge/one-line", metric: "MB/s", what: "filter 5 MB on one line", unit: "MB/s"},
	{bench: "FilterLarge/json", metric: "MB/s", what: "filter 5 MB of JSON", unit: "MB/s"},
	{bench: "FilterLarge/log", metric: "MB/s", what: "filter 5 MB of a log", unit: "MB/s"},
	{bench: "Telegram/60KB", metric: "MB/s", what: "format an answer of 60 KB for Telegram", unit: "MB/s"},
	{bench: "Telegram/chat", metric: "MB/s", what: "  an answer of some lines", unit: "MB/s"},
	{bench: "Cards", metric: "MB/s", what: "  60 KB as Feishu cards", unit: "MB/s"},
	{bench: "Economy/128k", metric: "%fewer-masking", what: "50 rounds: input tokens that masking alone saves, window 128k", unit: "%", least: 45},
	{bench: "Economy/128k", metric: "%fewer-engine", what: "  the whole engine", unit: "%"},
	{bench: "Economy/32k", metric: "%fewer-masking", what: "  masking alone, window 32k", unit: "%"},
	{bench: "Economy/32k", metric: "%fewer-engine", what: "  the whole engine, window 32k", unit: "%"},
	{bench: "Economy/128k", metric: "%constraints", what: "  planted constraints that stand there at the end, byte for byte", unit: "%", least: 100},
	{bench: "Economy/128k", metric: "%facts", what: "  planted facts that are there or where it points to", unit: "%", least: 100},
	{bench: "Prefix", metric: "%kept", what: "50 rounds: prefix kept, but at reductions on record", unit: "%", least: 100},
	{bench: "Prefix", metric: "%kept-of-all", what: "  of all rounds", unit: "%"},
	{bench: "Prefix", metric: "reductions", what: "  reductions a task", unit: ""},
	{bench: "Prefix", metric: "KB/round", what: "  sent a round", unit: "KB"},
	{bench: "Prefix", metric: "%cached", what: "  of it a provider's cache can hold", unit: "%"},
	{bench: "FirstPrompt", metric: "bytes", what: "the first request for one word, every tool known", unit: "bytes", most: 8192},
	{bench: "FirstPrompt", metric: "system-bytes", what: "  of it the system prompt", unit: "bytes"},
	{bench: "FirstPrompt", metric: "tool-bytes", what: "  of it the tool block", unit: "bytes"},
	{bench: "FirstPrompt", metric: "catalogue-bytes", what: "    of that the lines of tools without a schema", unit: "bytes"},
	{bench: "FirstPrompt", metric: "user-bytes", what: "  of it the word and what stands below it", unit: "bytes"},
	{bench: "Size", metric: "MB", what: "the stripped program", unit: "MB", most: 30},
}

// verdict says what is aimed at and whether it was met.
func (l line) verdict(value float64) string {
	switch {
	case l.most > 0 && value <= l.most:
		return fmt.Sprintf("<= %g  met", l.most)
	case l.most > 0:
		return fmt.Sprintf("<= %g  MISSED", l.most)
	case l.least > 0 && value >= l.least:
		return fmt.Sprintf(">= %g  met", l.least)
	case l.least > 0:
		return fmt.Sprintf(">= %g  MISSED", l.least)
	}
	return ""
}
