package text

import "github.com/akitad/akitad"

// Pairing tells a stranger how an owner can let them in. The code is good for an hour.
func (l Lang) Pairing(code string) string {
	return l.say("I do not know you yet. To let you in, the owner of this bot runs, within an hour:\nakitad channel pair {code}\nYou will hear from me then.",
		"我还不认识你。请让机器人的主人在一小时内运行下面的命令，就可以让你使用：\nakitad channel pair {code}\n之后我会通知你。", "code", line(code, shortText))
}

// LetIn tells somebody who was given a pairing code that they may talk now.
func (l Lang) LetIn() string {
	return l.say("You may talk to me now. Write what you need, or /help.", "现在你可以和我对话了。请写下你的需求，或发送 /help。")
}

// VoiceUnreadable tells that nobody here writes down what is said in a voice message.
func (l Lang) VoiceUnreadable() string {
	return l.say("I cannot listen to voice messages here. Please write it down.", "这里听不了语音消息，请用文字发送。")
}

// VoiceFailed tells why a voice message could not be written down.
func (l Lang) VoiceFailed(kind akitad.Kind) string {
	switch kind {
	case akitad.InvalidRequest:
		return l.say("I could not make out that voice message: nothing was said in it, it is too large, or its format is not known. Please write it down.",
			"没能听清这条语音消息：里面没有说话、文件太大，或格式无法识别。请用文字发送。")
	case akitad.Auth, akitad.PermissionDenied, akitad.Quota, akitad.NotFound:
		return l.say("The service that writes down voice messages refuses to work for me. The owner has to look at its settings. Please write it down.",
			"语音转文字服务拒绝了请求，需要主人检查它的设置。请先用文字发送。")
	}
	return l.say("The service that writes down voice messages cannot be reached at present. Send it again later, or write it down.",
		"语音转文字服务暂时无法使用。请稍后再发一次，或用文字发送。")
}

// Heard shows what was understood of a voice message.
func (l Lang) Heard(words string) string {
	return l.say("🎤 I heard: {words}", "🎤 我听到的是：{words}", "words", line(words, longText))
}

// Crowded refuses a message since too many of its conversation wait already.
func (l Lang) Crowded() string {
	return l.say("Too many messages of this conversation are waiting already, so I did not take this one. Wait for answers, or write /stop.",
		"这个会话已有太多消息在等待，这一条没有收下。请等待答复，或发送 /停止。")
}

// AlbumLate tells that n parts of an album came when the others were a task already.
func (l Lang) AlbumLate(n int) string {
	return l.say("{n} of the files that you sent together came too late: I go on without. Send what is missing again.",
		"你一起发送的文件中有 {n} 个到得太晚，我先不带它们继续。请把缺少的重新发送。", "n", n)
}

// FileMissing tells why a file that a person sent could not be had.
func (l Lang) FileMissing(name string, kind akitad.Kind) string {
	switch kind {
	case akitad.InvalidRequest:
		return l.say("I could not get the file {name}: it is too large for me.", "无法获取文件 {name}：文件太大。", "name", line(name, shortText))
	case akitad.NotFound, akitad.Expired:
		return l.say("I could not get the file {name}: it is not there any more.", "无法获取文件 {name}：文件已经不存在。", "name", line(name, shortText))
	}
	return l.say("I could not get the file {name} from the chat service. If I need it, send it again.", "无法从聊天服务获取文件 {name}。如有需要请再发一次。", "name", line(name, shortText))
}

// WithoutIt goes behind FileMissing where the rest of the message is worked on.
func (l Lang) WithoutIt() string {
	return l.say(" I go on without it.", "我会在没有它的情况下继续。")
}

// ByNumber tells how to answer a question whose choices are numbered.
func (l Lang) ByNumber() string {
	return l.say("Answer with a number, or in your own words.", "请回复编号，或直接用文字回答。")
}

// PressOver answers the press of a button whose question nobody waits for any more.
func (l Lang) PressOver() string {
	return l.say("no longer open", "已失效")
}

// PressNotYours answers the press of a button by somebody whose choice it is not.
func (l Lang) PressNotYours() string {
	return l.say("This is not yours to decide.", "这不是由你决定的。")
}

// PressTaken answers the press of a button that settled its question.
func (l Lang) PressTaken(choice string) string {
	return l.say("✓ {choice}", "✓ 已选择：{choice}", "choice", line(choice, shortText))
}

// PressAnswered answers the press of a button whose question was settled before.
func (l Lang) PressAnswered(choice string) string {
	return l.say("That was answered already: {choice}", "已经答复过了：{choice}", "choice", line(choice, shortText))
}

// Chosen stands below a question in place of its buttons.
func (l Lang) Chosen(choice string) string {
	return l.say("→ **Answered:** {choice}", "→ **答复：** {choice}", "choice", line(choice, longText))
}

// AnswerInFile stands below the summary of an answer that is too long for a chat.
func (l Lang) AnswerInFile(file string) string {
	return l.say("The whole answer is in the file {file}.", "完整的回答见文件 {file}。", "file", line(file, shortText))
}

// Unshown stands where a part of a task's answer or question was refused by the chat service in every form.
func (l Lang) Unshown(task string) string {
	return l.say("⚠️ Something here could not be shown: the chat service refused it. It is kept with task {task} (/task {task}).",
		"⚠️ 这里有一部分内容无法显示：聊天服务拒绝了它。内容保存在任务 {task} 中（/task {task}）。", "task", task)
}

// Unsent tells that some of what belongs to a task's answer did not come into the chat.
func (l Lang) Unsent(task string) string {
	return l.say("⚠️ Not all of this answer could be sent here. It is kept with task {task} (/task {task}).",
		"⚠️ 这个回答有一部分无法发送到这里。内容保存在任务 {task} 中（/task {task}）。", "task", task)
}
