package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// Stopping confirms /stop: what is stopped, and how many messages wait behind it.
func (l Lang) Stopping(task, asked string, waiting int) string {
	out := l.say("Stopped: {asked} ({task}).", "已停止：{asked}（{task}）。", "asked", line(asked, shortText), "task", task)
	if waiting == 1 {
		out += l.gap() + l.say("The message that waits begins now.", "排队的消息现在开始。")
	} else if waiting > 0 {
		out += l.gap() + l.say("The next of {n} waiting messages begins now.", "排队的 {n} 条消息中的下一条现在开始。", "n", waiting)
	}
	return out
}

// NotYourTask refuses to end a task of an owner for somebody else of a group.
func (l Lang) NotYourTask() string {
	return l.say("What is running is for an owner of this bot: only an owner ends it.", "正在运行的是机器人主人的任务，只有主人可以停止。")
}

// EndedAlready answers the wish to stop a task that has ended.
func (l Lang) EndedAlready(task, state string) string {
	return l.say("{task} has ended already: {state}.", "{task} 已经结束：{state}。", "task", task, "state", l.state(state))
}

// GoesOn tells with a new conversation that the running task goes on.
func (l Lang) GoesOn(asked string, waiting int) string {
	out := l.say("What is running goes on, and its answer still comes here: {asked}. /stop ends it.", "正在运行的任务会继续，答复仍会发到这里：{asked}。用 /stop 可以停止。", "asked", line(asked, shortText))
	if waiting == 1 {
		out += l.gap() + l.say("So does the message that waits.", "排队的消息也会继续。")
	} else if waiting > 0 {
		out += l.gap() + l.say("So do {n} waiting messages.", "排队的 {n} 条消息也会继续。", "n", waiting)
	}
	return out
}

// GivenUp tells with a new conversation that the task was ended whose question nobody could answer any
// more.
func (l Lang) GivenUp(asked string) string {
	return l.say("I ended the task that waited for your answer: {asked}.", "等待你答复的任务已结束：{asked}。", "asked", line(asked, shortText))
}

// StatusStep is the line of one step of a running plan: how it stands, and what it is about.
func (l Lang) StatusStep(state, step, what string, why akitad.Failure) string {
	mark := cmp.Or(map[string]string{"completed": "✓", "running": "▸", "failed": "✗", "blocked": "✗", "cancelled": "✗", "skipped": "–"}[state], "·")
	out := mark + " " + line(step, shortText)
	if what != "" {
		out += ": " + literal(line(what, shortText))
	}
	if why.Message != "" {
		out += l.say(" ({why})", "（{why}）", "why", literal(line(l.reasonOfFailure(why), shortText)))
	}
	return out
}

// reasonOfFailure is what a failure says, which is in English; in Chinese it is what is known of it, or else its kind.
func (l Lang) reasonOfFailure(f akitad.Failure) string {
	said, _, _ := strings.Cut(f.Message, "\n") // what is below are details of a program
	known := l.reasonOf(said)
	if of := l.why(f.Kind); l == Zh && known == said && of != l.why(akitad.Unknown) {
		return of
	}
	return known
}

// StatusQueue heads the list of messages that wait for their turn.
func (l Lang) StatusQueue(n int) string {
	return l.say("Waiting for their turn: {n}", "排队等候：{n}", "n", n)
}

// QueueLine is a message that waits for its turn.
func QueueLine(place int, task, asked string) string {
	return fmt.Sprintf("%d. %s (%s)", place, line(asked, shortText), task)
}

// WaitsUntil tells what happens at which time to a task that waits for this reason and gets nothing. plan
// says that it waits for the approval of its plan.
func (l Lang) WaitsUntil(reason string, plan bool, at time.Time) string {
	switch {
	case plan:
		return l.say("Without an answer it is dropped at {at}.", "如果没有答复，到 {at} 会放弃。", "at", clock(at))
	case reason == akitad.ReasonRetry:
		return l.say("The next try is at {at}.", "下一次尝试：{at}。", "at", clock(at))
	}
	return l.say("It goes on without it at {at}.", "到 {at} 会不再等待。", "at", clock(at))
}

// Set tells what a conversation has chosen; both may be empty.
func (l Lang) Set(model, persona string) string {
	var out []string
	if model != "" {
		out = append(out, l.say("model {name}", "模型 {name}", "name", line(model, shortText)))
	}
	if persona != "" {
		out = append(out, l.say("persona {name}", "角色 {name}", "name", line(persona, shortText)))
	}
	if len(out) == 0 {
		return ""
	}
	return l.say("Chosen here: {what}.", "这里选择的是：{what}。", "what", l.list(out))
}

// TaskFacts are the details of a task.
type TaskFacts struct {
	Profile, Model, Flow string
	Created              time.Time
	Took                 time.Duration // zero if it has not ended
	Rounds, Calls        int
	Files                []string // as FileLine gives them
	Rating               int
}

// TaskDetails tells the details of a task, below what Status says of it.
func (l Lang) TaskDetails(f TaskFacts) string {
	out := l.say("Asked: {at}. By: {who}.", "提出时间：{at}。由 {who} 处理。", "at", clock(f.Created), "who", cmp.Or(f.Profile, "-"))
	if f.Flow != "" {
		out += l.gap() + l.say("Flow: {flow}.", "流程：{flow}。", "flow", line(f.Flow, shortText))
	}
	if f.Model != "" {
		out += l.gap() + l.say("Model: {model}.", "模型：{model}。", "model", line(f.Model, shortText))
	}
	out += "\n" + l.say("Rounds: {rounds}. Model calls: {calls}. Time: {time}.", "轮次：{rounds}，模型调用：{calls}，用时：{time}。", "rounds", f.Rounds, "calls", f.Calls, "time", l.span(f.Took))
	if len(f.Files) > 0 {
		out += "\n" + l.say("Files: {files}", "文件：{files}", "files", l.list(f.Files))
	}
	if f.Rating > 0 {
		out += "\n" + l.say("Rating: {stars}", "评分：{stars}", "stars", Stars(f.Rating))
	}
	return out
}

// FileLine names a file and its size.
func FileLine(name string, size int64) string {
	return literal(line(name, shortText)) + " (" + sizeText(size) + ")"
}
