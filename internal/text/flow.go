package text

// NoFlows answers /flow when nobody has prepared any.
func (l Lang) NoFlows() string {
	return l.say("No flows are prepared yet.", "还没有准备好的流程。")
}

// FlowLine is one flow in a list: how it is asked for, and what for.
func (l Lang) FlowLine(name, params, goal string) string {
	usage := "/flow " + name
	if params != "" {
		usage += " " + params
	}
	if goal == "" {
		return "• " + line(usage, longText)
	}
	return l.say("• {usage} - {goal}", "• {usage}（用途：{goal}）", "usage", line(usage, longText), "goal", line(goal, longText))
}

// FlowBroken is one flow in a list that cannot run as it stands, and why.
func (l Lang) FlowBroken(name, why string) string {
	return l.say("✗ {name} does not run as it stands: {why}", "✗ {name} 目前不能运行：{why}", "name", line(name, shortText), "why", line(l.flawOf(why), longText))
}

// NoSuchFlow answers /flow for a name that no flow has.
func (l Lang) NoSuchFlow(name string) string {
	return l.say("There is no flow {name}. /flow lists them.", "没有名为 {name} 的流程。发送 /flow 查看列表。", "name", line(name, shortText))
}

// FlowRefused tells why a flow was not started.
func (l Lang) FlowRefused(name, why string) string {
	return l.say("I did not start the flow {name}: {why}", "没有启动流程 {name}：{why}", "name", line(name, shortText), "why", line(l.flawOf(why), longText))
}
