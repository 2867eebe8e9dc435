package text

import "strings"

// Help answers /help: how to ask, and the line of each command that there is.
func (l Lang) Help(lines []string) string {
	head := l.say("Write what you need in your own words; files may be attached. Commands:", "直接用自己的话写下需求，可以附上文件。命令：")
	return strings.Join(append([]string{head}, lines...), "\n")
}
