package offline

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// The goals that our planner gives to the parts of a plan are sentences that any agent can follow;
// this file writes them and knows them again.

type partKind int

const (
	notAPart   partKind = iota
	partOfFile          // look at some files only
	partOfJoin          // join what the others found
)

// partGoal is a goal of ours, read back.
type partGoal struct {
	kind  partKind
	files []string
	words string // the person's
}

const (
	lookEN = "Look only at %s, and answer for it alone, each statement with its source as file:line. Leave joining the parts and writing files to another step. The request: %s"
	lookZH = "只看 %s，只就它回答，每个结论都注明来源（文件:行号）。汇总各部分和写文件由另一步完成。请求：%s"
	joinEN = "Join what the earlier steps found into one answer, each statement with its source as file:line, and name what is missing. The request: %s"
	joinZH = "把前面各步的发现合成一个回答，每个结论都注明来源（文件:行号），并说明缺少什么。请求：%s"
)

func (l say) lookGoal(files []string, words string) string {
	return l.f(lookEN, lookZH, strings.Join(files, ", "), words)
}

func (l say) joinGoal(words string) string { return l.f(joinEN, joinZH, words) }

var (
	lookGoal = pattern.New(`(?s)^(?:Look only at (.+?), and answer for it alone, .*? The request: (.*)|只看 (.+?)，只就它回答，.*?请求：(.*))$`)
	joinGoal = pattern.New(`(?s)^(?:Join what the earlier steps found into one answer.*? The request: (.*)|把前面各步的发现合成一个回答.*?请求：(.*))$`)
)

// readGoal tells whether words are a goal that our planner wrote.
func readGoal(words string) partGoal {
	if m := lookGoal.FindStringSubmatch(words); m != nil {
		return partGoal{partOfFile, strings.Split(m[1]+m[3], ", "), m[2] + m[4]}
	}
	if m := joinGoal.FindStringSubmatch(words); m != nil {
		return partGoal{partOfJoin, nil, m[1] + m[2]}
	}
	return partGoal{}
}
