package commands

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/text"
)

// Info is one command as help, the menus of chat services and documents show it.
type Info struct {
	Name   string   // without the slash: at most 32 of a-z, the form that every menu takes
	Also   []string // other names, without the slash; the first is the Chinese one
	Args   string   // what may stand behind the name, empty for nothing
	ArgsZh string   // the same in Chinese; empty: as Args
	En, Zh string   // what it does, in a few words
}

// List returns the commands that a person may type, in the order in which they are shown.
func List() []Info {
	return []Info{
		{Name: "help", Also: []string{"帮助", "start", "开始"}, Args: "[COMMAND]", ArgsZh: "[命令]", En: "this list, or more about one command", Zh: "这个列表，或一个命令的说明"},
		{Name: "new", Also: []string{"新对话", "新会话"}, Args: "[TEXT]", ArgsZh: "[文字]", En: "start an empty conversation", Zh: "开始一个空的会话"},
		{Name: "stop", Also: []string{"停止", "取消", "cancel"}, Args: "[ID]", ArgsZh: "[编号]", En: "end the running task", Zh: "停止正在运行的任务"},
		{Name: "status", Also: []string{"状态", "进度"}, En: "what is running, how far it is, what waits", Zh: "正在运行什么、进展如何、什么在等"},
		{Name: "task", Also: []string{"任务"}, Args: "[ID]", ArgsZh: "[编号]", En: "your tasks, or all about one", Zh: "你的任务，或一个任务的详情"},
		{Name: "steer", Also: []string{"纠正", "修正"}, Args: "TEXT", ArgsZh: "文字", En: "correct the running task", Zh: "修正正在运行的任务"},
		{Name: "plan", Also: []string{"计划"}, Args: "TEXT", ArgsZh: "文字", En: "show the plan for approval before anything runs", Zh: "先展示计划，批准后再运行"},
		{Name: "memory", Also: []string{"记忆"}, Args: "[forget ID|all]", ArgsZh: "[忘记 编号|全部]", En: "what I remember about you, or forget it", Zh: "我记得你的哪些内容，或忘记它"},
		{Name: "flow", Also: []string{"流程"}, Args: "[NAME key=value]", ArgsZh: "[名称 键=值]", En: "prepared flows, or run one", Zh: "准备好的流程，或运行一个"},
		{Name: "model", Also: []string{"模型"}, Args: "[NAME|auto]", ArgsZh: "[名称|自动]", En: "which model answers here, or choose one", Zh: "这里由哪个模型回答，或选择一个"},
		{Name: "persona", Also: []string{"角色", "人设"}, Args: "[NAME|auto]", ArgsZh: "[名称|自动]", En: "who answers here, or choose one", Zh: "这里由谁回答，或选择一个"},
		{Name: "approve", Also: []string{"批准", "审批"}, Args: "[yes|no] [ID]", ArgsZh: "[是|否] [编号]", En: "answer what waits for your approval", Zh: "答复等待你批准的事项"},
		{Name: "rate", Also: []string{"评分", "打分"}, Args: "1-5 [ID]", ArgsZh: "1-5 [编号]", En: "how good the last answer was", Zh: "给上一个答复打分"},
		{Name: "lang", Also: []string{"语言"}, Args: "[en|zh|auto]", ArgsZh: "[中文|英文|自动]", En: "the language of my messages", Zh: "我的消息用哪种语言"},
		{Name: "id", Also: []string{"身份"}, En: "your id and this chat's, as allow lists name them", Zh: "你的 ID 和当前聊天的 ID，白名单用"},
	}
}

// Usage returns the command's line: how it is written and what it does.
func (i Info) Usage(lang text.Lang) string {
	args, does := i.Args, i.En
	if lang == text.Zh {
		args, does = i.ArgsZh, i.Zh
		if args == "" {
			args = i.Args
		}
	}
	usage := strings.TrimSpace("/" + i.Name + " " + args)
	if lang == text.Zh {
		usage += " 或 /" + i.Also[0]
	}
	return usage + " - " + does
}

// usage returns the line of a command.
func usage(lang text.Lang, name string) string {
	i, _ := find(name)
	return i.Usage(lang)
}

// find returns the command that a word names, in any letter case.
func find(word string) (Info, bool) {
	all := List()
	at := slices.IndexFunc(all, func(i Info) bool { return i.is(strings.ToLower(word)) })
	if at < 0 {
		return Info{}, false
	}
	return all[at], true
}

// is reports whether word, in lower case, names the command.
func (i Info) is(word string) bool { return i.Name == word || slices.Contains(i.Also, word) }

// takesWords reports whether any words may stand behind the name.
func (i Info) takesWords() bool { return strings.Trim(i.Args, "[]") == "TEXT" }
