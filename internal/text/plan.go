package text

import (
	"fmt"
	"strings"

	"github.com/akitad/akitad"
)

// Choice is what a person decides about a plan or a failed step.
type Choice string

// The choices; ReadChoice gives "" for words that are none of them.
const (
	Retry   Choice = "retry"
	Skip    Choice = "skip"
	Stop    Choice = "stop"
	Approve Choice = "approve"
	Deny    Choice = "deny" // of an approval; as an answer it reads as Stop
)

var choices = map[string]Choice{
	"retry": Retry, "again": Retry, "try again": Retry, "once more": Retry, "重试": Retry, "再试": Retry, "再试一次": Retry, "重来": Retry, "再来一次": Retry,
	"skip": Skip, "skip it": Skip, "go on": Skip, "go on without it": Skip, "continue": Skip, "跳过": Skip, "略过": Skip, "继续": Skip,
	"stop": Stop, "stop it": Stop, "cancel": Stop, "no": Stop, "abort": Stop, "quit": Stop, "deny": Stop, "denied": Stop, "reject": Stop, "rejected": Stop, "refuse": Stop, "n": Stop, "停止": Stop, "停": Stop, "取消": Stop, "不": Stop, "不要": Stop, "不行": Stop, "算了": Stop, "终止": Stop, "拒绝": Stop, "否": Stop, "不同意": Stop, "不批准": Stop, "驳回": Stop, "放弃": Stop,
	"approve": Approve, "approved": Approve, "yes": Approve, "y": Approve, "ok": Approve, "okay": Approve, "go": Approve, "go ahead": Approve, "do it": Approve, "run it": Approve, "looks good": Approve, "lgtm": Approve,
	"批准": Approve, "同意": Approve, "好": Approve, "好的": Approve, "可以": Approve, "行": Approve, "是": Approve, "开始": Approve, "执行": Approve, "没问题": Approve,
}

// ReadChoice reads a short answer in either language. Case, punctuation around it and a please do
// not matter; a longer answer is not guessed at and gives "".
func ReadChoice(words string) Choice {
	words = strings.Join(strings.Fields(strings.ToLower(words)), " ")
	words = strings.Trim(words, " /.,!?;:'\"。，！？；：“”、")
	for _, polite := range []string{"please", "请", "吧", "了"} {
		if cut := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(words, polite), polite), " ,，"); choices[words] == "" && choices[cut] != "" {
			return choices[cut]
		}
	}
	return choices[words]
}

// ChoiceWords returns the words by which a person makes the choices.
func ChoiceWords(l Lang, of ...Choice) []string {
	words := map[Choice]string{
		Retry: l.say("retry", "重试"), Skip: l.say("skip", "跳过"), Stop: l.say("stop", "停止"), Approve: l.say("approve", "批准"), Deny: l.say("deny", "拒绝"),
	}
	out := make([]string, len(of))
	for i, c := range of {
		out[i] = words[c]
	}
	return out
}

// ReadDecision reads a short yes or no in either language: Approve, Stop, or "" for anything else.
func ReadDecision(words string) Choice {
	switch c := ReadChoice(words); {
	case c == Approve || Agrees(words):
		return Approve
	case c == Stop || Ends(words):
		return Stop
	}
	return ""
}

// Yes is a person's yes.
func (l Lang) Yes() string { return l.say("yes", "是") }

// No is a person's no.
func (l Lang) No() string { return l.say("no", "不") }

// GoOn is the word that lets a task go on.
func (l Lang) GoOn() string { return l.say("continue", "继续") }

// StepAsks asks what to do about a step of a plan that failed, the number of its attempts so far
// included. again says that the last answer was none of the three words.
func (l Lang) StepAsks(step string, attempt int, why string, again bool) string {
	out := l.say("Step {step} failed (attempt {n}): {why}\nAnswer retry, skip (go on without it) or stop (end with what there is). Without an answer within a day it counts as failed, and the rest goes on.",
		"步骤 {step} 失败（第 {n} 次尝试）：{why}\n请回复“重试”“跳过”（不要它，继续）或“停止”（以现有结果结束）。一天内没有答复则视为失败，其余部分继续。",
		"step", step, "n", attempt, "why", line(why, longText))
	if again {
		out = l.say("I did not understand that. ", "我没有看懂这个答复。") + out
	}
	return out
}

// PlanStopped says what a plan's step lacks that was not run because a person stopped the plan.
func (l Lang) PlanStopped() string {
	return l.say("not run, the plan was stopped", "未运行，计划已停止")
}

// PlanStep is the line of step n of a plan that is shown for approval.
func (l Lang) PlanStep(n int, s akitad.Step) string {
	what := l.say("{who}: {goal}", "{who}：{goal}", "who", s.Agent, "goal", line(s.Goal, shortText))
	switch s.Kind() {
	case "tool":
		what = l.say("the tool {tool}", "工具 {tool}", "tool", s.Tool)
	case "model":
		what = l.say("one model call: {prompt}", "一次模型调用：{prompt}", "prompt", line(s.Prompt, shortText))
	}
	out := fmt.Sprintf("%d. %s - %s", n, s.ID, what)
	if len(s.Needs) > 0 {
		out += l.say(" (after {needs})", "（在 {needs} 之后）", "needs", l.list(s.Needs))
	}
	if s.Verify != nil {
		out += l.say(" (checked afterwards)", "（完成后检查）")
	}
	return out
}

// ApprovePlan shows a plan, a line each step and then as YAML, and asks whether it may run. Problem
// tells why a change that was asked for could not be made; it may be empty.
func (l Lang) ApprovePlan(p akitad.Plan, yaml, problem string) string {
	var lines []string
	if problem != "" {
		lines = append(lines, l.say("The change could not be made: {why}. The plan is still:", "无法按要求修改：{why}。计划仍然是：", "why", line(l.reasonOf(problem), longText)))
	} else {
		lines = append(lines, l.say("This is the plan, nothing has run yet:", "计划如下，尚未运行任何步骤："))
	}
	for i, s := range p.Steps {
		lines = append(lines, l.PlanStep(i+1, s))
	}
	return strings.Join(lines, "\n") + "\n\n```yaml\n" + strings.TrimSpace(yaml) + "\n```\n\n" + l.approveHow()
}

// ApproveOneAgent is ApprovePlan for work that is not divided: one agent does it.
func (l Lang) ApproveOneAgent(profile, why string) string {
	out := l.say("The plan: one agent ({profile}) does it; nothing has run yet.", "计划：由一个智能体（{profile}）完成，尚未开始运行。", "profile", profile)
	if why != "" {
		out += l.gap() + l.say("Why it is not divided: {why}.", "不拆分的原因：{why}。", "why", line(l.reasonOf(why), longText))
	}
	return out + "\n\n" + l.approveHow()
}

func (l Lang) approveHow() string {
	return l.say("Answer approve to run it, stop to drop it, or say what to change. Without an answer within a day it is dropped.",
		"回复“批准”开始运行，“停止”放弃，或直接说明要修改什么。一天内没有答复则放弃。")
}

// PlanDropped tells that a plan was not run: nobody approved it in time.
func (l Lang) PlanDropped() string {
	return l.say("the plan waited a day for approval and was dropped; nothing has run", "计划等待批准超过一天，已放弃，没有运行任何步骤")
}
