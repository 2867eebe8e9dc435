package text

import "strings"

// Help answers /help: how to ask, and one line for each of the named commands, without their slash.
// The caller names the commands that it serves, so that none is promised that does not exist.
func (l Lang) Help(commands []string) string {
	out := []string{l.say("Write what you need in your own words; files may be attached. Commands:", "直接用自己的话写下需求，可以附上文件。命令：")}
	for _, name := range commands {
		usage := l.Command(name)
		if usage == "" {
			usage = "/" + name
		}
		out = append(out, usage)
	}
	return strings.Join(out, "\n")
}

// Command gives the line of one command, its name without the slash; "" for one that has no text.
func (l Lang) Command(name string) string {
	switch name {
	case "help":
		return l.say("/help - this list", "/help - 这个列表")
	case "new":
		return l.say("/new - start an empty conversation", "/new - 开始一个空的会话")
	case "stop":
		return l.say("/stop - end the running task", "/stop - 停止正在运行的任务")
	case "status":
		return l.say("/status - what is running and how far it is", "/status - 正在运行什么、进展如何")
	case "task":
		return l.say("/task - your tasks; /task ID shows one", "/task - 你的任务；/task ID 查看一个")
	case "steer":
		return l.say("/steer TEXT - correct the running task", "/steer 文字 - 修正正在运行的任务")
	case "plan":
		return l.say("/plan TEXT - show the plan for approval first", "/plan 文字 - 先展示计划，批准后再运行")
	case "schedule":
		return l.say("/schedule - what runs by itself, and when", "/schedule - 定时运行的任务")
	case "memory":
		return l.say("/memory - what I remember about you; /memory forget ID", "/memory - 我记得你的哪些内容；/memory forget ID 忘记一条")
	case "id":
		return l.say("/id - your id and this chat's", "/id - 你的 ID 和当前聊天的 ID")
	case "flow":
		return l.say("/flow - prepared flows; /flow NAME key=value runs one", "/flow - 准备好的流程；/flow 名称 键=值 运行一个")
	case "skill":
		return l.say("/skill - what I have learned to do", "/skill - 我学会的技能")
	case "model":
		return l.say("/model - which models answer", "/model - 由哪些模型回答")
	case "persona":
		return l.say("/persona - how I speak", "/persona - 我的说话方式")
	case "approve":
		return l.say("/approve - answer an approval", "/approve - 回应一个批准请求")
	case "rate":
		return l.say("/rate 1-5 - how good the last answer was", "/rate 1-5 - 给上一个答复打分")
	case "lang":
		return l.say("/lang en|zh - the language of my messages", "/lang en|zh - 我的消息用哪种语言")
	}
	return ""
}
