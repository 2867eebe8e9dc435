package text

import "cmp"

// NoTasks answers /task when the conversation has had none.
func (l Lang) NoTasks() string {
	return l.say("There are no tasks in this conversation yet.", "这个会话里还没有任务。")
}

// TaskLine is one task in a list: its id, where it stands, what was asked.
func (l Lang) TaskLine(p Progress) string {
	return l.say("• {task} ({state}): {text}", "• {task}（{state}）：{text}", "task", p.Task, "state", l.state(p.State), "text", line(p.Text, shortText))
}

// Asked shows the question that a task waits on.
func (l Lang) Asked(question string) string {
	return l.say("It asks: {question}", "它在问：{question}", "question", line(question, longText))
}

// Identity answers /id: who asks, and where, as allow lists name them.
func (l Lang) Identity(person, chat, thread string) string {
	out := l.say("Your id: {person}. This chat: {chat}.", "你的 ID：{person}。当前聊天：{chat}。", "person", line(person, shortText), "chat", line(chat, shortText))
	if thread != "" {
		out += l.gap() + l.say("Topic: {thread}.", "话题：{thread}。", "thread", line(thread, shortText))
	}
	return out
}

// MemoryLine is one entry in a list of what is remembered.
func (l Lang) MemoryLine(id, kind, entry string) string {
	return l.say("• {entry} ({kind}, {id})", "• {entry}（类型 {kind}，编号 {id}）", "entry", line(entry, longText), "kind", line(l.memoryKind(kind), shortText), "id", line(id, shortText))
}

func (l Lang) memoryKind(kind string) string {
	return cmp.Or(map[string]string{
		"fact": l.say("fact", "事实"), "preference": l.say("preference", "偏好"), "skill": l.say("skill", "做法"), "context": l.say("context", "近况"),
		"rule": l.say("rule", "规则"), "error": l.say("error", "教训"), "experience": l.say("experience", "经验"),
	}[kind], kind)
}

// MemoryMore tells that a list of entries was cut.
func (l Lang) MemoryMore(more int) string {
	return l.say("… and {more} more.", "……还有 {more} 条。", "more", more)
}

// MemoryForgetAll asks for the confirmation of /memory forget all.
func (l Lang) MemoryForgetAll(count int) string {
	return l.say("This forgets everything I remember about you ({count}), for good. To confirm, send: /memory forget all yes",
		"这会永久忘记关于你的全部内容（{count} 条）。如确认，请发送：/memory forget all yes（或 /记忆 忘记 全部 确认）", "count", count)
}

// MemoryNoSuch answers for an id that is none of the person's entries.
func (l Lang) MemoryNoSuch(id string) string {
	return l.say("You have no entry {id}. /memory lists yours.", "你没有编号为 {id} 的内容。用 /memory 查看。", "id", line(id, shortText))
}

// MemoryEmpty answers /memory when nothing is remembered about a person.
func (l Lang) MemoryEmpty() string {
	return l.say("I remember nothing about you yet. Tell me what I should keep in mind, for example: remember that my reports go to the team on Mondays. What I keep shows here, and you can have it forgotten.",
		"我还没有记住关于你的内容。告诉我需要记住什么，例如：请记住我的周报每周一发给团队。记住的内容会显示在这里，你可以随时让我忘记。")
}

// MemoryPrivate tells that what is remembered about a person is not shown to a group.
func (l Lang) MemoryPrivate() string {
	return l.say("What I remember about you is not for a group to read: ask me in a private chat.", "我记住的关于你的内容不适合在群里显示：请私聊问我。")
}
