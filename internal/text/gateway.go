package text

// Pairing tells a stranger how an owner can let them in. The code is good for an hour.
func (l Lang) Pairing(code string) string {
	return l.say("I do not know you yet. To let you in, the owner of this bot runs, within an hour:\nakitad channel pair {code}",
		"我还不认识你。请让机器人的主人在一小时内运行下面的命令，就可以让你使用：\nakitad channel pair {code}", "code", line(code, shortText))
}
