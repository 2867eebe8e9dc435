package text

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Longest pieces of other people's text in a message, in characters.
const (
	shortText = 80
	longText  = 300
)

// Received is the placeholder that appears within a second and is edited from then on.
func (l Lang) Received() string { return l.say("Got it. Working on it…", "收到，正在处理…") }

// Restarted is the placeholder of a message that came before the daemon was started again: there may be
// another one above it that nothing will come of.
func (l Lang) Restarted() string {
	return l.say("I was restarted meanwhile. The answer comes here…", "我刚刚重启过，回答会出现在这里…")
}

// Queued tells a message to a busy conversation its place, counted from 1.
func (l Lang) Queued(place int) string {
	return l.say("Queued at place {place}: I am still working on your earlier message. Use /steer to correct that one, or /stop to end it.",
		"已排队，第 {place} 位：我还在处理你之前的消息。用 /steer 可以修正它，用 /stop 可以停止它。", "place", place)
}

// QueuedBehindQuestion tells a message its place, counted from 1, that waits behind a task which waits for
// an answer.
func (l Lang) QueuedBehindQuestion(place int) string {
	return l.say("Queued at place {place}: I wait for an answer to my question above. Answer it, or use /stop to end that task.",
		"已排队，第 {place} 位：我在等上面那个问题的答复。请先答复，或用 /stop 停止那个任务。", "place", place)
}

// StepStarted is the progress line of step k of n.
func (l Lang) StepStarted(k, n int, what string) string {
	return l.say("▸ {k}/{n} {what}…", "▸ {k}/{n} 开始：{what}…", "k", k, "n", n, "what", line(what, shortText))
}

// StepDone is the progress line of step k of n once it has ended well.
func (l Lang) StepDone(k, n int, what string) string {
	return l.say("✓ {k}/{n} {what}", "✓ {k}/{n} 完成：{what}", "k", k, "n", n, "what", line(what, shortText))
}

// StepFailed is the progress line of step k of n once it has failed.
func (l Lang) StepFailed(k, n int, what, why string) string {
	return l.say("✗ {k}/{n} {what}: {why}", "✗ {k}/{n} 失败：{what}（{why}）", "k", k, "n", n, "what", line(what, shortText), "why", line(why, shortText))
}

// Working is the progress line of a task that has no steps: what it does in which round.
func (l Lang) Working(round int, what string) string {
	return l.say("Round {round}: {what}…", "第 {round} 轮：{what}…", "round", round, "what", line(what, shortText))
}

// Done is the short message that notifies a person whose answer took long and was an edit.
func (l Lang) Done() string {
	return l.say("Done: the answer is above.", "已完成，答复在上面。")
}

// Held tells that no model answers and until when it is tried again.
func (l Lang) Held(until time.Time) string {
	return l.say("No model can be reached right now. I will keep trying until {until} and answer then. In a chat, /stop ends it.",
		"目前连不上任何模型。我会一直重试到 {until}，连上后就答复。在聊天里用 /stop 可以停止。", "until", clock(until))
}

// Stalled is the progress line while another endpoint, or the same one again, is asked in place of one that
// does not answer.
func (l Lang) Stalled(endpoint, next string) string {
	if next == endpoint {
		return l.say("{endpoint} does not answer, trying it again…", "{endpoint} 没有响应，正在重试…", "endpoint", line(endpoint, shortText))
	}
	return l.say("{endpoint} does not answer, trying {next}…", "{endpoint} 没有响应，改用 {next}…", "endpoint", line(endpoint, shortText), "next", line(next, shortText))
}

// SoFar names the files that a task had written before it ended without a whole result.
func (l Lang) SoFar(files []string) string {
	shown := make([]string, 0, mostNamed)
	for _, f := range files[:min(len(files), mostNamed)] {
		shown = append(shown, literal(line(f, shortText)))
	}
	if more := len(files) - len(shown); more > 0 {
		return l.say("What was written so far: {files} and {more} more.", "目前已写入：{files}，另有 {more} 个文件。", "files", l.list(shown), "more", more)
	}
	return l.say("What was written so far: {files}.", "目前已写入：{files}。", "files", l.list(shown))
}

// mostNamed is how many files one line names.
const mostNamed = 10

// Cancelled tells that the task was stopped on request.
func (l Lang) Cancelled() string {
	return l.say("Stopped, as you asked. Nothing more will be done for this message.", "已按要求停止，不会再继续处理这条消息。")
}

// NothingToStop answers /stop when nothing runs.
func (l Lang) NothingToStop() string {
	return l.say("Nothing is running in this conversation.", "这个会话里没有正在运行的任务。")
}

// Expired tells, once, that a task was interrupted too long ago to go on.
func (l Lang) Expired(since time.Time) string {
	return l.say("This task was interrupted on {since} and is too old to go on. Send the message again if you still need it.",
		"这个任务在 {since} 中断，时间太久，不再继续。如果还需要，请重新发送。", "since", clock(since))
}

// Partial is the line below an answer that lacks parts.
func (l Lang) Partial(missing []string) string {
	if len(missing) == 0 {
		return l.say("This answer is incomplete: I had to stop before I was done.", "这个答复不完整：我在完成之前不得不停下。")
	}
	lacks := make([]string, len(missing))
	for i, item := range missing {
		lacks[i] = l.lacking(item)
	}
	return l.say("This answer is incomplete. Missing: {missing}.", "这个答复不完整，缺少：{missing}。", "missing", l.list(lacks))
}

// lacking is a step and why it gave nothing, as a person reads it; what else is missing stays as it is.
func (l Lang) lacking(item string) string {
	step, why, ok := strings.Cut(item, ": ")
	if known := l.reasonOf(why); ok && known != why {
		return l.say("{step}: {why}", "{step}（{why}）", "step", step, "why", known)
	}
	return item
}

// SteerAccepted tells that a correction reached the running task.
func (l Lang) SteerAccepted() string {
	return l.say("Understood. I will take that into account from the next step on.", "明白，从下一步开始会按这个调整。")
}

// NothingToSteer answers a correction when nothing runs.
func (l Lang) NothingToSteer() string {
	return l.say("Nothing is running that I could correct. Send it as a new message.", "没有正在运行的任务可以修正，请作为新消息发送。")
}

// NewSession confirms that the conversation starts empty.
func (l Lang) NewSession() string {
	return l.say("New conversation. I no longer see the earlier messages; what I was asked to remember stays.", "已开始新会话。之前的消息我不再看到，但让我记住的内容还在。")
}

// Progress is what Status tells about a task.
type Progress struct {
	Task   string        // its id
	Text   string        // what was asked
	State  string        // as the API calls it
	Reason string        // why it waits; may be empty
	Step   int           // steps ended
	Steps  int           // of so many; 0 if it has no plan
	Rounds int           // ended
	For    time.Duration // since it started
	Queued int           // messages behind it
}

// Status answers /status for a conversation with a running task.
func (l Lang) Status(p Progress) string {
	return l.StatusHead(p) + "\n" + l.say("Rounds: {rounds}. Time: {time}. Queued behind it: {queued}.", "轮次：{rounds}，用时：{time}，后面排队：{queued}。",
		"rounds", p.Rounds, "time", l.span(p.For), "queued", p.Queued)
}

// StatusHead tells of a task how it stands, without numbers of how much was done.
func (l Lang) StatusHead(p Progress) string {
	out := l.say("{task} is {state}: {text}", "{task} {state}：{text}", "task", p.Task, "state", l.state(p.State), "text", line(p.Text, shortText))
	if p.Reason != "" {
		out += l.say(" (waiting: {reason})", "（等待原因：{reason}）", "reason", l.reason(p.Reason))
	}
	if p.Steps > 0 {
		out += "\n" + l.say("Steps: {k} of {n}", "步骤：{k}/{n}", "k", p.Step, "n", p.Steps)
	}
	return out
}

// Idle answers /status when nothing runs.
func (l Lang) Idle() string {
	return l.say("Nothing is running. Write what you need, or /help.", "目前没有任务在运行。直接写下你的需求，或发送 /help。")
}

func (l Lang) state(s string) string {
	return cmp.Or(map[string]string{
		"pending": l.say("waiting for a free agent", "在等空闲的智能体"), "running": l.say("running", "正在运行"), "waiting": l.say("waiting", "在等待"),
		"blocked": l.say("blocked", "被阻塞"), "completed": l.say("done", "已完成"), "failed": l.say("failed", "失败了"), "cancelled": l.say("stopped", "已停止"),
	}[s], s)
}

func (l Lang) reason(s string) string {
	return cmp.Or(map[string]string{
		"no worker": l.say("no worker is connected", "没有工作节点"), "pool full": l.say("all agents are busy", "智能体都在忙"), "children": l.say("for parts that others work on", "其他部分还没完成"),
		"approval": l.say("for an approval", "等待批准"), "answer": l.say("for your answer", "等你回答"), "retry": l.say("to try again", "等待重试"),
		"queued": l.say("in the queue", "排队中"), "paused": l.say("paused", "已暂停"),
	}[s], s)
}

// span tells how long something took, to the second.
func (l Lang) span(d time.Duration) string {
	d = d.Round(time.Second)
	if l != Zh {
		return d.String()
	}
	out := ""
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, " 小时"}, {time.Minute, " 分"}, {time.Second, " 秒"}} {
		if n := d / unit.of; n > 0 {
			out += " " + strconv.FormatInt(int64(n), 10) + unit.name
		}
		d %= unit.of
	}
	return cmp.Or(strings.TrimSpace(out), "0 秒")
}

func clock(t time.Time) string { return t.Format("2006-01-02 15:04 MST") }

// sizeText shows the size of a file.
func sizeText(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// bytesText shows bytes in the unit that people think of disks in.
func bytesText(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }
