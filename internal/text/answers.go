package text

import (
	"strings"
)

// Stars shows a rating from 1 to 5.
func Stars(n int) string {
	n = min(max(n, 0), 5)
	return strings.Repeat("★", n) + strings.Repeat("☆", 5-n)
}

// Rated confirms a rating of what was asked; before is the rating until then, 0 for none.
func (l Lang) Rated(task, asked string, stars, before int) string {
	out := l.say("Thank you: {stars} for the answer to: {asked} ({task}).", "谢谢：{stars}，评的是这个问题的答复：{asked}（{task}）。", "stars", Stars(stars), "asked", line(asked, shortText), "task", task)
	if before > 0 && before != stars {
		out += l.gap() + l.say("Before it was {stars}.", "之前是 {stars}。", "stars", Stars(before))
	}
	return out
}

// RateHow says how an answer is rated; given is what was written instead, empty for nothing.
func (l Lang) RateHow(given string) string {
	out := l.say("Write /rate and a number from 1 (useless) to 5 (just right), for the last answer; or with a task's id for another: /rate 4 ID.",
		"请写 /rate 加 1（没用）到 5（正合适）的数字，为上一个答复打分；给其他任务打分请加编号：/rate 4 编号。")
	if given != "" {
		out = l.say("{given} is no rating. ", "{given} 不是评分。", "given", line(given, shortText)) + out
	}
	return out
}

// NothingToRate answers /rate in a conversation without an answer yet.
func (l Lang) NothingToRate() string {
	return l.say("There is no answer in this conversation yet that could be rated.", "这个会话里还没有可以打分的答复。")
}

// NotAnswered refuses to rate a task that has given no answer.
func (l Lang) NotAnswered(task string) string {
	return l.say("{task} has given no answer that could be rated.", "{task} 还没有可以打分的答复。", "task", line(task, shortText))
}

// NothingToApprove answers /approve when nothing waits.
func (l Lang) NothingToApprove() string {
	return l.say("Nothing waits for your approval in this conversation.", "这个会话里没有等待你批准的事项。")
}

// Approvals lists what waits for a decision, a line each, and says how to decide.
func (l Lang) Approvals(lines []string) string {
	return l.say("This waits for a decision:", "以下事项等待决定：") + "\n" + block(lines) +
		l.say("/approve yes or /approve no decides it; with an id if there are several.", "用 /approve 是 或 /approve 否 决定；有多项时请加编号。")
}

// ApprovalLine is one question that waits for a decision: its id, and what it asks.
func ApprovalLine(id, question string, choices []string) string {
	out := "• " + id + " " + line(question, longText)
	if len(choices) > 0 {
		out += " [" + strings.Join(choices, " / ") + "]"
	}
	return out
}

// Decided confirms a decision, by the words that the task was given.
func (l Lang) Decided(words, question string) string {
	return l.say("Decided: {words} ({question})", "已决定：{words}（{question}）", "words", line(words, shortText), "question", line(question, shortText))
}

// DecisionUnfit says that a decision does not fit the question, and what would.
func (l Lang) DecisionUnfit(given string, choices []string) string {
	if len(choices) == 0 {
		choices = []string{l.Yes(), l.No()}
	}
	return l.say("{given} does not answer this. Choose one of: {choices}.", "{given} 不能作为答复。请选择：{choices}。", "given", line(given, shortText), "choices", l.list(choices))
}

// NotYours tells that somebody else decides a question; owner says that it is the owner alone.
func (l Lang) NotYours(owner bool) string {
	if owner {
		return l.say("Only an owner of this bot can decide that.", "这只能由机器人的主人决定。")
	}
	return l.say("The person whose task it is decides that, or an owner of this bot.", "这由提出任务的人或机器人的主人决定。")
}

// AlreadyDecided tells that a question waits no more.
func (l Lang) AlreadyDecided() string {
	return l.say("That waits no more: it was answered, its time was up, or its task has ended.", "这一项已不再等待：已有答复、已超时或任务已结束。")
}

// DidYouMean answers a command that does not exist and is nearly one; both have their slash.
func (l Lang) DidYouMean(name, near string) string {
	return l.say("There is no command {name}. Did you mean {near}? /help lists them all.", "没有命令 {name}。你是想用 {near} 吗？发送 /help 查看所有命令。", "name", line(name, shortText), "near", line(near, shortText))
}

// NoSchedules answers /schedule while nothing can run by itself.
func (l Lang) NoSchedules() string {
	return l.say("I cannot run things at a set time yet. Until then the owner can call my HTTP API, or akitad run, from cron or another timer; and you can ask me at any time.",
		"我还不能定时运行任务。在此之前，主人可以用 cron 等定时器调用我的 HTTP 接口或 akitad run；你也可以随时直接问我。")
}

// NoSkills answers /skill while none can be installed.
func (l Lang) NoSkills() string {
	return l.say("I cannot install skills yet. Prepared flows do something similar: /flow lists them, and the owner adds more to the flows folder.",
		"我还不能安装技能。准备好的流程作用相近：用 /flow 查看，主人可以在 flows 文件夹里添加。")
}
