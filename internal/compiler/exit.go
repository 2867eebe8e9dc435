package compiler

import (
	_ "embed"
	"strings"
)

//go:embed exit_en.md
var exitEN string

//go:embed exit_zh.md
var exitZH string

// ExitRules gives the rules that end every task in time, for the system prompt of an agent: lang
// "zh" in Chinese, any other in English. They are compiled into every task.
func ExitRules(lang string) string {
	if lang == "zh" {
		return strings.TrimSpace(exitZH)
	}
	return strings.TrimSpace(exitEN)
}
