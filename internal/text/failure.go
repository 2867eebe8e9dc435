package text

import (
	"net/http"
	"strings"

	"github.com/akitad/akitad"
)

// Kind says in one sentence what a failure of the kind is, and in another what to do about it.
func (l Lang) Kind(kind akitad.Kind) (sentence, hint string) {
	switch kind {
	case akitad.Timeout:
		return l.say("It took too long and was cut off.", "处理时间太长，已中断。"), l.say("Try again, or ask for less at a time.", "请重试，或一次少要求一些。")
	case akitad.RateLimited:
		return l.say("The model service asks us to slow down.", "模型服务要求我们放慢速度。"), l.say("Try again in a minute.", "请过一分钟再试。")
	case akitad.Overloaded:
		return l.say("The model service is overloaded.", "模型服务负载过高。"), l.say("Try again in a few minutes.", "请过几分钟再试。")
	case akitad.Transport:
		return l.say("The connection failed.", "网络连接失败。"), l.say("Try again; if it stays, the owner has to check the network.", "请重试；如果一直这样，请主人检查网络。")
	case akitad.Auth:
		return l.say("The model service refuses our key.", "模型服务拒绝了我们的密钥。"), l.say("The owner has to check the API key.", "请主人检查 API 密钥。")
	case akitad.Quota:
		return l.say("The account at the model service is used up.", "模型服务的账户额度已用完。"), l.say("The owner has to raise the quota, or set another endpoint.", "请主人提高额度，或设置另一个端点。")
	case akitad.InvalidRequest:
		return l.say("The request was not understood.", "请求无法理解。"), l.say("Correct it and send it again.", "请修改后重新发送。")
	case akitad.ContextOverflow:
		return l.say("There is more text than the model can read at once.", "文本太多，模型一次读不完。"), l.say("Start again with /new, or send a smaller part.", "请用 /new 重新开始，或发送更小的部分。")
	case akitad.ContentFiltered:
		return l.say("The model service refused the content.", "模型服务拒绝了这个内容。"), l.say("Put it in other words.", "请换一种说法。")
	case akitad.NotFound:
		return l.say("Something that is needed was not found.", "找不到需要的东西。"), l.say("Check the name and send it again.", "请检查名称后重新发送。")
	case akitad.PermissionDenied:
		return l.say("That is not permitted.", "没有权限。"), l.say("Ask the owner to allow it.", "请主人允许这个操作。")
	case akitad.Unavailable:
		return l.say("Something that is needed is not available right now.", "需要的服务目前不可用。"), l.say("Try again in a few minutes.", "请过几分钟再试。")
	case akitad.ToolFailed:
		return l.say("A tool failed.", "一个工具运行失败。"), l.say("See the trace for what it said, and try again.", "请在追踪记录里查看原因，然后重试。")
	case akitad.Loop:
		return l.say("The agent went round in circles and was stopped.", "智能体在原地打转，已停止。"), l.say("Say more exactly what you need.", "请更具体地说明需求。")
	case akitad.OverBudget:
		return l.say("The budget for this task is used up.", "这个任务的预算已用完。"), l.say("Ask for less, or ask the owner for a larger budget.", "请减少要求，或请主人提高预算。")
	case akitad.AllFailed:
		return l.say("Every way to answer failed.", "所有能用的办法都失败了。"), l.say("Try again later; the trace names each attempt.", "请稍后再试；追踪记录里有每一次尝试。")
	case akitad.Cancelled:
		return l.say("The task was stopped.", "任务已停止。"), l.say("Send the message again to start over.", "如需重新开始，请再发送一次消息。")
	case akitad.Expired:
		return l.say("The task was interrupted for too long.", "任务中断太久。"), l.say("Send the message again if you still need it.", "如果还需要，请重新发送。")
	}
	return l.say("Something went wrong.", "出了点问题。"), l.say("Try again; the trace tells more.", "请重试；追踪记录里有详情。")
}

// Failed tells a person that a task failed: the kind's sentence, what the failure names where that
// is meant for people, and what to do.
func (l Lang) Failed(f akitad.Failure) string {
	sentence, hint := l.Kind(f.Kind)
	if f.Kind == akitad.OverBudget && f.Until != nil {
		return l.DayUsedUp(*f.Until)
	}
	switch f.Kind {
	case akitad.InvalidRequest, akitad.NotFound, akitad.PermissionDenied:
		first, _, _ := strings.Cut(strings.TrimSpace(f.Message), "\n") // what follows is for the trace
		if first != "" {
			sentence += l.say(" ({message})", "（{message}）", "message", literal(line(first, longText)))
		}
	}
	return sentence + l.say(" ", "") + hint
}

// Degraded is the last line of an answer that a weaker strategy than the first choice gave: what
// could not be used, why, and what was done in its place. No degradation gives "".
func (l Lang) Degraded(list []akitad.Degradation) string {
	var parts []string
	for i := 0; i < len(list); i++ {
		d := list[i]
		failed := []string{l.failed(d)}
		// a -> b, b -> c: only the end of the chain did the work.
		for i+1 < len(list) && list[i+1].Layer == d.Layer && list[i+1].From == d.To {
			i++
			d = list[i]
			failed = append(failed, l.failed(d))
		}
		parts = append(parts, strings.Join(failed, l.say(", ", "，"))+l.instead(d))
	}
	if len(parts) == 0 {
		return ""
	}
	return l.say("Note: {what}.", "说明：{what}。", "what", strings.Join(parts, l.say("; ", "；")))
}

func (l Lang) failed(d akitad.Degradation) string {
	if d.Layer == "input" && d.From == "offline" {
		return l.say("the built-in offline engine sees no images", "内置离线引擎看不到图片")
	}
	if d.Layer == "input" {
		return l.say("the model behind {from} sees no images", "{from} 的模型看不到图片", "from", line(d.From, shortText))
	}
	if d.Layer == "summary" {
		return l.say("the model that sums up earlier work {why}", "总结之前工作的模型{why}", "why", l.why(d.Kind))
	}
	return l.say("{from} {why}", "{from} {why}", "from", line(d.From, shortText), "why", l.whyNot(d))
}

// whyNot is why, also for what was not even asked since it had failed shortly before, and for a server that
// says no more than that something went wrong in it.
func (l Lang) whyNot(d akitad.Degradation) string {
	if d.Forced {
		return l.say("was not asked, as is set", "按设置没有使用")
	}
	if d.Skipped && d.Kind == akitad.Timeout {
		return l.say("has not answered in time lately", "最近没有及时响应")
	}
	if d.Kind == akitad.Overloaded && d.Status == http.StatusInternalServerError {
		return l.say("had a fault of its own", "内部出错")
	}
	return l.why(d.Kind)
}

// instead tells what did the work in the end.
func (l Lang) instead(d akitad.Degradation) string {
	switch {
	case d.Layer == "input":
		return l.say(", so it worked without them", "，因此没有看图片")
	case d.Layer == "summary":
		return l.say(", so rules did it and details may be missing", "，因此按规则总结，细节可能有缺失")
	case d.To == "memory":
		return l.say(", so this is what I remember, without a model", "，因此只凭记忆回答，没有用模型")
	case d.To == "knowledge":
		return l.say(", so this is quoted from what is indexed and remembered here, without a model", "，因此只引用本地知识库和记忆的原文，没有用模型")
	case d.To == "offline":
		return l.say(", so the built-in offline engine answered, by rules and search and without a model", "，因此由内置离线引擎回答（只用规则和检索，没有用模型）")
	case d.To == "":
		return l.say(", and there was nothing to use in its place", "，并且没有可以替代的")
	case d.Layer == "agent":
		return l.say(", so the agent {to} took over", "，因此改由智能体 {to} 处理", "to", line(d.To, shortText))
	}
	return l.say(", so {to} was used", "，因此改用 {to}", "to", line(d.To, shortText))
}

// why returns the end of a sentence about something that failed.
func (l Lang) why(kind akitad.Kind) string {
	switch kind {
	case akitad.Timeout:
		return l.say("did not answer in time", "没有及时响应")
	case akitad.Transport, akitad.Unavailable:
		return l.say("was not reachable", "连不上")
	case akitad.RateLimited:
		return l.say("asked us to slow down", "要求放慢速度")
	case akitad.Overloaded:
		return l.say("was overloaded", "负载过高")
	case akitad.Auth:
		return l.say("refused our key", "拒绝了密钥")
	case akitad.Quota:
		return l.say("has no quota left", "额度已用完")
	case akitad.ContentFiltered:
		return l.say("refused the content", "拒绝了内容")
	case akitad.ContextOverflow:
		return l.say("could not take that much text", "容不下这么多文本")
	case akitad.PermissionDenied:
		return l.say("was not permitted", "没有权限")
	case akitad.NotFound:
		return l.say("was not found", "找不到")
	case akitad.Loop:
		return l.say("went round in circles", "在原地打转")
	case akitad.OverBudget:
		return l.say("ran out of budget", "预算用完")
	case akitad.Cancelled:
		return l.say("was stopped", "被停止")
	case akitad.Expired:
		return l.say("was interrupted for too long", "中断太久")
	case akitad.InvalidRequest:
		return l.say("did not accept the request", "不接受这个请求")
	}
	return l.say("failed", "失败了")
}
