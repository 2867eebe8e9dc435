package text

// FileTooLarge tells of a file of an answer that the chat service does not take. Sizes are in MB; of 0
// the size is not known.
func (l Lang) FileTooLarge(name string, size, limit int64) string {
	if size == 0 {
		return l.say("📎 {name} is too large to send here (the limit is {limit} MB).", "📎 {name} 太大，无法在这里发送（上限 {limit} MB）。",
			"name", line(name, shortText), "limit", limit)
	}
	return l.say("📎 {name} ({size} MB) is too large to send here (the limit is {limit} MB).", "📎 {name}（{size} MB）太大，无法在这里发送（上限 {limit} MB）。",
		"name", line(name, shortText), "size", size, "limit", limit)
}

// FilesKept tells that a task wrote n more files than are sent with its answer, and where they are listed.
func (l Lang) FilesKept(n int, task string) string {
	if n == 1 {
		return l.say("One more file is kept: /task {task} lists it.", "另外还保存了 1 个文件：用 /task {task} 查看。", "task", task)
	}
	return l.say("{n} more files are kept: /task {task} lists them.", "另外还保存了 {n} 个文件：用 /task {task} 查看。", "n", n, "task", task)
}
