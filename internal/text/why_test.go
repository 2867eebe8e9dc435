package text_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/text"
)

// Where a person reads Chinese, a reason that is kept in English reads so too.
func TestReasonsInChinese(t *testing.T) {
	for why, want := range map[string]string{
		"the planner sees nothing to split":                                       "不拆分的原因：规划器认为没有需要拆分的内容。",
		"the planner's plan was not valid: without a model no plan is changed":    "规划器给出的计划无效（没有模型，无法修改计划）。",
		"the planner's plan was not valid: line 3, step a: the tool is not known": "规划器给出的计划无效。",
	} {
		if got := text.Zh.ApproveOneAgent("assistant", why); !strings.Contains(got, want) || strings.Contains(got, "。 ") {
			t.Errorf("%q reads %q", why, got)
		}
		if got := text.En.ApproveOneAgent("assistant", why); !strings.Contains(got, why) {
			t.Errorf("%q reads %q in English", why, got)
		}
	}
	for missing, want := range map[string]string{
		"one: the process stopped while it ran, and whether it took effect is not known": "缺少：one（进程在运行途中停止，是否已生效不清楚）。",
		"b: tool_failed: exit code 1": "缺少：b: tool_failed: exit code 1。",
		"the end":                     "缺少：the end。",
	} {
		if got := text.Zh.Partial([]string{missing}); !strings.HasSuffix(got, want) {
			t.Errorf("%q reads %q", missing, got)
		}
	}
	for why, want := range map[string]string{
		`read parameters: parameter "path" is missing. Give it, or declare a default.`: "没有启动流程 f：缺少参数 path",
		`no file matches "logs/*.txt"`: "没有启动流程 f：没有与 logs/*.txt 匹配的文件",
		"something else":               "没有启动流程 f：something else",
	} {
		if got := text.Zh.FlowRefused("f", why); got != want {
			t.Errorf("%q reads %q", why, got)
		}
	}
	does := "Runs commands in the sandbox and checks what they did."
	if got := text.Does(text.Zh, does); got == does || text.Does(text.En, does) != does || text.Does(text.Zh, "mine") != "mine" {
		t.Errorf("the built-in profile reads %q", got)
	}
}
