package text

import (
	"strings"
	"time"
)

// StoppedLoop says what a partial answer lacks when the agent repeated itself.
func (l Lang) StoppedLoop() string {
	return l.say("the agent repeated itself and was stopped", "智能体重复相同的步骤，已被停止")
}

// StoppedStill says what a partial answer lacks when the agent got no further.
func (l Lang) StoppedStill() string {
	return l.say("the work got no further and was stopped", "工作没有进展，已被停止")
}

// StoppedBudget says what a partial answer lacks when the budget is used up.
func (l Lang) StoppedBudget(what string) string {
	return l.say("the budget is used up ({what})", "预算已用完（{what}）", "what", l.limit(what))
}

// AskBudget asks a person whether a task whose budget is used up goes on.
func (l Lang) AskBudget(what string) string {
	return l.say("The budget for this task is used up ({what}). Reply \"continue\" to let me use as much again; any other reply, or none within a day, and I stop and give you what I have.",
		"这个任务的预算已用完（{what}）。回复“继续”可以再用同样多的预算；回复其他内容，或一天内没有答复，我会停止并给出已有的结果。", "what", l.limit(what))
}

// AskStill asks a person what to do about a task that gets no further.
func (l Lang) AskStill(rounds int) string {
	return l.say("I am not getting further: the last {rounds} rounds of work brought nothing new. Tell me how to go on, or reply \"stop\" (or nothing within a day) and I give you what I have.",
		"我没有进展：最近 {rounds} 轮工作没有带来新的结果。请告诉我如何继续；回复“停止”，或一天内没有答复，我会给出已有的结果。", "rounds", rounds)
}

// DayUsedUp tells a person that their budget for the day is used up and when it begins anew.
func (l Lang) DayUsedUp(until time.Time) string {
	return l.say("Your budget for today is used up. It begins anew at {until}; send the message again then, or ask the owner for a larger budget.",
		"你今天的预算已用完，{until} 重新开始。请届时再发送，或请主人提高预算。", "until", clock(until))
}

// DayNearlyUsedUp tells a person how much of their budget for the day is used, in per cent, and when it
// begins anew.
func (l Lang) DayNearlyUsedUp(percent int, until time.Time) string {
	return l.say("You have used {percent} % of your budget for today. When it is used up I take no new messages until {until}.",
		"你今天的预算已用 {percent}%。用完之后，在 {until} 之前我不再接收新消息。", "percent", percent, "until", clock(until))
}

func (l Lang) limit(what string) string {
	switch what {
	case "input tokens":
		return l.say("input tokens", "输入 token 数")
	case "model calls":
		return l.say("model calls", "模型调用次数")
	case "working time":
		return l.say("working time", "工作时间")
	}
	return line(what, shortText)
}

// Agrees reports whether a person's whole reply says to go on, in any language that messages exist in.
func Agrees(reply string) bool {
	switch bare(reply) {
	case "yes", "y", "ok", "okay", "sure", "go on", "continue", "go ahead", "please continue", "yes please", "yes continue", "yes go on",
		"继续", "继续吧", "请继续", "是", "是的", "好", "好的", "可以", "行", "同意":
		return true
	}
	return false
}

// Ends reports whether a person's whole reply says to stop.
func Ends(reply string) bool {
	switch bare(reply) {
	case "stop", "no", "n", "end", "cancel", "enough", "no stop", "stop please", "please stop", "停止", "停", "停下", "不", "不用", "不用了", "不要", "结束", "算了", "够了":
		return true
	}
	return false
}

// bare folds case and leaves out what stands around and between words.
func bare(reply string) string {
	words := strings.FieldsFunc(strings.ToLower(reply), func(r rune) bool { return strings.ContainsRune(" \t\n\r,.!?;:\"'“”。，！？、；：", r) })
	return strings.Join(words, " ")
}
