package text

import (
	"regexp"
	"strings"
)

// whys are reasons that are kept in English, and how they read in Chinese.
var whys = map[string]string{
	"the planner sees nothing to split": "规划器认为没有需要拆分的内容",
	"short enough for one agent":        "任务较短，一个智能体就够了",
	"the planner is switched off":       "规划器已关闭",
	"given by a person":                 "计划由人给出",
	"split by the planner":              "由规划器拆分",
	"changed as the person asked":       "已按要求修改",
	"the process stopped while it ran, and whether it took effect is not known": "进程在运行途中停止，是否已生效不清楚",
	"without a model no plan is changed":                                        "没有模型，无法修改计划",
}

// whyHeads are beginnings of reasons behind which a detail stands.
var whyHeads = []struct{ en, zh string }{
	{"the planner's plan was not valid: ", "规划器给出的计划无效"},
	{"no planner answered: ", "规划器没有响应"},
	{"the planner was not asked: ", "没有询问规划器，这个任务的预算已用完"},
}

// reasonOf returns a reason that is kept in English as a person reads it. Of what is not known in Chinese the detail
// is left out, and a reason that is not known at all stays as it is.
func (l Lang) reasonOf(reason string) string {
	if l != Zh {
		return reason
	}
	if known := whys[reason]; known != "" {
		return known
	}
	for _, head := range whyHeads {
		detail, ok := strings.CutPrefix(reason, head.en)
		if !ok {
			continue
		}
		if known := whys[detail]; known != "" {
			return head.zh + "（" + known + "）"
		}
		return head.zh
	}
	return reason
}

// flawForms are what is wrong with a flow, and how it reads in Chinese.
var flawForms = []struct {
	en *regexp.Regexp
	zh string
}{
	{regexp.MustCompile(`parameter "([^"]*)" is missing`), "缺少参数 $1"},
	{regexp.MustCompile(`parameter "([^"]*)" is not known`), "没有参数 $1"},
	{regexp.MustCompile(`no file matches "?([^\s";]+)"?`), "没有与 $1 匹配的文件"},
	{regexp.MustCompile(`parameter "([^"]*)": `), "参数 $1 的值不合适"},
}

// flawOf returns what is wrong with a flow as a person reads it. In Chinese a flaw of a known kind has no more than
// its kind and its name; any other stays as it is.
func (l Lang) flawOf(why string) string {
	if l != Zh {
		return why
	}
	var out []string
	for part := range strings.Lines(why) {
		for _, form := range flawForms {
			if at := form.en.FindStringSubmatchIndex(part); at != nil {
				out = append(out, string(form.en.ExpandString(nil, form.zh, part, at)))
				break
			}
		}
	}
	if len(out) == 0 {
		return why
	}
	return strings.Join(out, "；")
}

// doesZh says in Chinese what the built-in profiles do.
var doesZh = map[string]string{
	"Reads data (logs, tables, documents) and reports exact figures with their sources.": "读取数据（日志、表格、文档），给出准确的数字和来源。",
	"Serves a person's request from end to end; the default for root tasks.":             "从头到尾完成一个请求；默认使用的角色。",
	"Runs commands in the sandbox and checks what they did.":                             "在沙箱中运行命令，并检查结果。",
	"Finds what is known about a subject in notes, memory and documents, with sources.":  "在笔记、记忆和文档中查找某个主题的已知信息，并注明来源。",
	"Writes files and reports from results that others found.":                           "根据已有的结果撰写文件和报告。",
}

// Does returns what a profile does, by its description: that of a built-in one as the language has it.
func Does(l Lang, description string) string {
	if zh := doesZh[description]; l == Zh && zh != "" {
		return zh
	}
	return description
}
