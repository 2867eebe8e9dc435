package text

// ModelGone tells that the model chosen for a conversation exists no longer.
func (l Lang) ModelGone(name string) string {
	return l.say("The model {name} that was chosen here exists no longer, so the usual one answers. /model shows the choices.",
		"这里选择的模型 {name} 已不存在，改由通常的模型回答。用 /model 查看可选项。", "name", line(name, shortText))
}

// PersonaGone tells that the profile chosen for a conversation exists no longer.
func (l Lang) PersonaGone(name string) string {
	return l.say("The persona {name} that was chosen here exists no longer, so the usual one answers. /persona shows the choices.",
		"这里选择的角色 {name} 已不存在，改由通常的角色回答。用 /persona 查看可选项。", "name", line(name, shortText))
}

// Models answers /model: what is set, empty for nothing, and a line for each choice.
func (l Lang) Models(set string, lines []string) string {
	head := l.say("Nothing is chosen here: each agent asks the models of its role.", "这里没有选择模型：每个智能体使用其职能的模型。")
	if set != "" {
		head = l.say("Chosen here: {name}.", "这里选择的是：{name}。", "name", line(set, shortText))
	}
	return head + "\n" + block(lines) + l.say("/model NAME chooses one, /model auto none.", "/model 名称 选择一个，/model 自动 取消选择。")
}

// ModelLine is one endpoint that may be chosen: its name, its model, and whether it is down.
func (l Lang) ModelLine(name, model string, set, down bool) string {
	out := mark(set) + line(name, shortText)
	if model != "" && model != name {
		out += " (" + line(model, shortText) + ")"
	}
	if down {
		out += l.say(", not reachable at present", "，目前连不上")
	}
	return out
}

// ModelRole is one role that may be chosen, with the endpoints that serve it in order.
func (l Lang) ModelRole(role string, set bool) string {
	does := map[string]string{"main": "主要", "compiler": "理解任务", "planner": "规划", "summarizer": "摘要", "judge": "评审"}[role]
	if l != Zh || does == "" {
		return mark(set) + l.say("the role {role}", "职能 {role}", "role", role)
	}
	return mark(set) + does + "职能（" + role + "）" // the word in English is what a person types
}

// ModelSet confirms the choice of a model; "" is none.
func (l Lang) ModelSet(name string) string {
	if name == "" {
		return l.say("From the next message on each agent asks the models of its role again.", "从下一条消息起，恢复为每个智能体使用其职能的模型。")
	}
	return l.say("From the next message on {name} answers here. /model auto takes that back.", "从下一条消息起由 {name} 回答。用 /model 自动 可以取消。", "name", line(name, shortText))
}

// NoModel refuses a model that there is none of.
func (l Lang) NoModel(name string, known []string) string {
	return l.say("There is no model {name}. There are: {known}.", "没有模型 {name}。可选：{known}。", "name", line(name, shortText), "known", l.list(known))
}

// Personas answers /persona: what is set, empty for nothing, and a line for each choice.
func (l Lang) Personas(set string, lines []string) string {
	head := l.say("Nobody is chosen here: the usual one answers.", "这里没有选择角色：由通常的角色回答。")
	if set != "" {
		head = l.say("Chosen here: {name}.", "这里选择的是：{name}。", "name", line(set, shortText))
	}
	return head + "\n" + block(lines) + l.say("/persona NAME chooses one, /persona auto none.", "/persona 名称 选择一个，/persona 自动 取消选择。")
}

// PersonaLine is one profile that may be chosen.
func PersonaLine(name, does string, set bool) string {
	return mark(set) + line(name, shortText) + ": " + line(does, longText)
}

// PersonaSet confirms the choice of a profile; "" is none.
func (l Lang) PersonaSet(name string) string {
	if name == "" {
		return l.say("From the next message on the usual one answers again.", "从下一条消息起恢复由通常的角色回答。")
	}
	return l.say("From the next message on {name} answers here. /persona auto takes that back.", "从下一条消息起由 {name} 回答。用 /persona 自动 可以取消。", "name", line(name, shortText))
}

// NoPersona refuses a profile that there is none of.
func (l Lang) NoPersona(name string, known []string) string {
	return l.say("There is no persona {name}. There are: {known}.", "没有角色 {name}。可选：{known}。", "name", line(name, shortText), "known", l.list(known))
}

// LangIs answers /lang: which language is set; "" is as the person writes.
func (l Lang) LangIs(set Lang) string {
	switch set {
	case En:
		return l.say("My messages here are in English. /lang auto follows what you write.", "这里我的消息用英文。用 /lang 自动 可以跟随你的语言。")
	case Zh:
		return l.say("My messages here are in Chinese. /lang auto follows what you write.", "这里我的消息用中文。用 /lang 自动 可以跟随你的语言。")
	}
	return l.say("My messages follow the language that you write. /lang en or /lang zh sets one.", "我的消息跟随你所用的语言。用 /lang 中文 或 /lang 英文 可以固定一种。")
}

// NoLang refuses a language that messages do not exist in.
func (l Lang) NoLang(name string) string {
	return l.say("My messages do not exist in {name}: choose en, zh or auto. You may write to me in any language.", "我的消息没有 {name} 这种语言：请选 en（英文）、zh（中文）或 auto（自动）。你可以用任何语言写给我。", "name", line(name, shortText))
}

// OwnerOnly refuses what in a group only an owner may do; command has its slash.
func (l Lang) OwnerOnly(command string) string {
	return l.say("In a group only an owner of this bot may use {command}. In a private chat with me it is yours.", "在群里只有机器人的主人可以使用 {command}。与我私聊时你可以自己使用。", "command", line(command, shortText))
}

func mark(set bool) string {
	if set {
		return "● "
	}
	return "○ "
}

func block(lines []string) string {
	out := ""
	for _, s := range lines {
		out += s + "\n"
	}
	return out
}
