package text

// TaskNotFound answers for an id that names no task.
func (l Lang) TaskNotFound(id string) string {
	return l.say("There is no task {id}. /task lists yours.", "没有任务 {id}。用 /task 查看你的任务。", "id", line(id, shortText))
}

// DiskLow tells that no work is taken because the disk is nearly full; sizes in bytes.
func (l Lang) DiskLow(free, reserve int64) string {
	return l.say("My disk is nearly full ({free} free, {reserve} must stay free), so I did not take this message. The owner has to make room.",
		"磁盘快满了（剩余 {free}，至少要留 {reserve}），这条消息没有接收。请主人清理空间。", "free", bytesText(free), "reserve", bytesText(reserve))
}

// EmptyMessage answers a message without any words or files.
func (l Lang) EmptyMessage() string {
	return l.say("That message was empty. Write what you need, or /help.", "这条消息是空的。请写下你的需求，或发送 /help。")
}

// EditNotSeen answers the change of a message that was taken as it stood.
func (l Lang) EditNotSeen() string {
	return l.say("I took that message as it stood when it came; what you changed in it since does not reach me. Send the change as a new message, or while I am at work as /steer and the change.",
		"那条消息我已按收到时的内容处理，之后的修改不会生效。请把修改作为新消息发送；任务进行中可以发送 /steer 加上修改内容。")
}

// UnknownCommand answers a command that does not exist.
func (l Lang) UnknownCommand(name string) string {
	return l.say("There is no command {name}. /help lists them all.", "没有命令 {name}。发送 /help 查看所有命令。", "name", line(name, shortText))
}

// MemoryForgotten confirms what was forgotten.
func (l Lang) MemoryForgotten(entry string) string {
	return l.say("Forgotten: {entry}", "已忘记：{entry}", "entry", line(entry, longText))
}

// MemoryAllForgotten confirms that everything about a person was forgotten.
func (l Lang) MemoryAllForgotten(count int) string {
	return l.say("Forgotten: everything I remembered about you ({count}).", "已忘记关于你的全部内容（{count} 条）。", "count", count)
}

// KeyRefused tells the owner that an endpoint refuses its key.
func (l Lang) KeyRefused(endpoint string) string {
	return l.say("The model endpoint {endpoint} refuses its API key. It is passed over until the key is right: check its api_key (or the vendor's variable) and restart.",
		"模型端点 {endpoint} 拒绝了它的 API 密钥，在修正之前会跳过它：请检查 api_key（或对应的环境变量）并重启。", "endpoint", line(endpoint, shortText))
}

// CallEnds tells the owner that the calls of a tool end the program.
func (l Lang) CallEnds(tool, task string) string {
	return l.say("I was killed three times while the tool {tool} worked on task {task}, perhaps because memory ran out. That call is not made again. The log of the system may say why.",
		"工具 {tool} 处理任务 {task} 时，我的进程三次被终止，可能是内存不足。该调用不会再执行，原因可查看系统日志。", "tool", line(tool, shortText), "task", task)
}
