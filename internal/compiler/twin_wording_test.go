package compiler_test

import (
	"testing"

	"github.com/akitad/akitad/internal/compiler"
)

// TestTwinAddress holds the bot's own name, which is no part of what is said, and the names of others, which are.
func TestTwinAddress(t *testing.T) {
	for text, goal := range map[string]string{
		"@akita_bot run the tests":                 "run the tests",
		"Hey @akita_bot, run the tests":            "run the tests",
		"run the tests @akita_bot":                 "run the tests",
		"is staging up? @akita_bot":                "is staging up?",
		"@akita_bot重跑一下测试":                         "重跑一下测试",
		"重跑一下测试 @akita_bot":                        "重跑一下测试",
		"Ask @bob for the numbers":                 "Ask @bob for the numbers",
		"@bob and @ann will come, book a table":    "@bob and @ann will come, book a table",
		"Send the weekly report to @bob":           "Send the weekly report to @bob",
		"@akita_bot ask @bob and @ann for a slot":  "ask @bob and @ann for a slot",
		"把日报发给 @li_lei 和 @han_mei":                 "把日报发给 @li_lei 和 @han_mei",
		"Remind @ann tomorrow at 9 about the demo": "Remind @ann tomorrow at 9 about the demo",
	} {
		if spec, _ := compiler.Twin(compiler.Input{Text: text}); spec.Goal != goal {
			t.Errorf("%q: goal %q, want %q", text, spec.Goal, goal)
		}
	}
}

// TestTwinCases holds what is to be done in case of something, and what must have come before something is done.
func TestTwinCases(t *testing.T) {
	for _, tt := range []said{
		{text: "Deploy release 4.2 to staging. If the error rate doubles, roll back and page me.", is: act, goal: "Deploy release 4.2 to staging", limits: "If the error rate doubles, roll back and page me", goals: 1},
		{text: "Copy the archive to the new disk. In case the disk is full, zip it.", is: act, goal: "Copy the archive to the new disk", limits: "In case the disk is full, zip it", goals: 3},
		{text: "Delete the branch. If I want it back, can you restore it?", is: act, goal: "Delete the branch", goals: 3},
		{text: "Tell me a joke. If it's bad, I'll cry.", is: act, goal: "Tell me a joke", goals: 1},
		{text: "If the queue is long, restart the worker.", is: act, goal: "If the queue is long, restart the worker", goals: 2},
		{text: "把 feature/login 合到 main，所有用例跑通了再合", is: act, goal: "把 feature/login 合到 main，所有用例跑通了再合", limits: "所有用例跑通了再合", goals: 1},
		{text: "所有测试都过了再合并", is: act, goal: "所有测试都过了再合并", goals: 1},
		{text: "每天早上八点把天气发给我，下雨的话提醒带伞，周末不用发", is: rem, goal: "每天早上八点把天气发给我，下雨的话提醒带伞，周末不用发", limits: "下雨的话提醒带伞 | 周末不用发", goals: 2},
		{text: "写一封建议书，不要情绪化的话", is: crea, goal: "写一封建议书，不要情绪化的话", limits: "不要情绪化的话", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

// TestTwinWishes holds wishes that are put as questions, questions that are none, and what others are to be asked.
func TestTwinWishes(t *testing.T) {
	for _, tt := range []said{
		{text: "Could our onboarding guide be a bit shorter?", is: act, goal: "Could our onboarding guide be a bit shorter?", goals: 1},
		{text: "Can the newsletter sound less formal?", is: act, goal: "Can the newsletter sound less formal?", goals: 1},
		{text: "Could the universe be finite?", is: ques, goal: "Could the universe be finite?", goals: 1},
		{text: "周报模板能不能改短", is: act, goal: "周报模板能不能改短", goals: 1},
		{text: "这个月的值班表能不能排得均匀一点", is: act, goal: "这个月的值班表能不能排得均匀一点", limits: "排得均匀一点", goals: 1},
		{text: "今天能不能做得完？", is: ques, goal: "今天能不能做得完？", goals: 1},
		{text: "酱油能不能放冰箱？", is: ques, goal: "酱油能不能放冰箱？", goals: 1},
		{text: "问一下 @小王 报价单什么时候能给", is: act, goal: "问一下 @小王 报价单什么时候能给", goals: 1},
		{text: "问一下退货要几天？", is: ques, goal: "问一下退货要几天？", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

// TestTwinWording holds how a text is to be worded, said behind it in the same line.
func TestTwinWording(t *testing.T) {
	for _, tt := range []said{
		{text: "Translate to French: The pool is closed on Mondays. Use the formal form.", is: crea, goal: "Translate to French: The pool is closed on Mondays", given: "The pool is closed on Mondays.", limits: "to French | Use the formal form", output: "to French", goals: 1},
		{text: "Translate to French: The pool is closed. Keep the gate shut.", is: crea, goal: "Translate to French: The pool is closed", given: "The pool is closed. Keep the gate shut.", limits: "to French", output: "to French", goals: 1},
		{text: "请把这句话翻成日语：明天的会改到三点。用敬语", is: crea, goal: "把这句话翻成日语：明天的会改到三点", given: "明天的会改到三点。", limits: "翻成日语 | 用敬语", output: "翻成日语", goals: 1},
		{text: "请把这句话翻成日语：明天停水。请提前储水。", is: crea, goal: "把这句话翻成日语：明天停水", given: "明天停水。请提前储水。", limits: "翻成日语", output: "翻成日语", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}

// TestTwinThings holds what things, helpers and parts of the work are to be like, and who takes which.
func TestTwinThings(t *testing.T) {
	for _, tt := range []said{
		{text: "Find a babysitter for Saturday night. She must speak German.", is: act, goal: "Find a babysitter for Saturday night", limits: "She must speak German", goals: 1},
		{text: "Write to our landlord. He must repair the heating.", is: crea, goal: "Write to our landlord", goals: 1},
		{text: "Rotate the certs on lb-1 and lb-2, one at a time.", is: act, goal: "Rotate the certs on lb-1 and lb-2, one at a time", limits: "one at a time", goals: 1},
		{text: "Promote the read-only replica in Frankfurt.", is: act, goal: "Promote the read-only replica in Frankfurt", goals: 1},
		{text: "Which laptop would you pick for a student? The budget is 700 and it shouldn't weigh more than 1.5 kg.", is: ques, goal: "Which laptop would you pick for a student?", limits: "The budget is 700 | it shouldn't weigh more than 1.5 kg", goals: 1},
		{text: "My neighbour has to move out by Friday. Find him a van.", is: act, goal: "Find him a van", goals: 1},
		{text: "Draft an invitation, save it under \"invite.docx\".", is: crea, goal: "Draft an invitation, save it under \"invite.docx\"", output: "save it under \"invite.docx\"", goals: 1},
		{text: "Look for a cleaner for our office, he or she must have references. Mornings would be best.", is: act, goal: "Look for a cleaner for our office, he or she must have references", limits: "he or she must have references | Mornings would be best", goals: 1},
		{text: "Send the open incidents to the ops channel, critical ones first.", is: act, goal: "Send the open incidents to the ops channel, critical ones first", limits: "critical ones first", goals: 1},
		{text: "I need a gift idea for my boss, not too personal, around 50 dollars.", is: act, goal: "I need a gift idea for my boss, not too personal, around 50 dollars", limits: "not too personal | around 50 dollars", goals: 1},
		{text: "About $20 is missing from the till, why?", is: ques, goal: "About $20 is missing from the till, why?", goals: 2},
		{text: "Rent a van. It can't be hard, right?", is: act, goal: "Rent a van", goals: 2},
		{text: "I was here first, was I not?", is: ques, goal: "I was here first, was I not?", goals: 1},
		{text: "服务超时了，先看看 gateway.log 里的报错", is: ana, goal: "服务超时了，先看看 gateway.log 里的报错", given: "gateway.log", goals: 2},
		{text: "写个脚本改文件名，只处理 jpg，一个目录一个目录来", is: crea, goal: "写个脚本改文件名，只处理 jpg，一个目录一个目录来", limits: "只处理 jpg | 一个目录一个目录来", goals: 1},
		{text: "升级集群，一个节点一个节点来", is: act, goal: "升级集群，一个节点一个节点来", limits: "一个节点一个节点来", goals: 2},
		{text: "列个打包清单，易碎的单独装，书最后装", is: crea, goal: "列个打包清单，易碎的单独装，书最后装", limits: "易碎的单独装 | 书最后装", goals: 1},
		{text: "统计 sales.csv 每个地区的销售额，按金额从高到低排，画成柱状图", is: ana, goal: "统计 sales.csv 每个地区的销售额，按金额从高到低排，画成柱状图", given: "sales.csv", limits: "按金额从高到低排", output: "画成柱状图", goals: 1},
		{text: "列个分工表，孩子只分轻活，老人不安排", is: crea, goal: "列个分工表，孩子只分轻活，老人不安排", limits: "孩子只分轻活 | 老人不安排", goals: 1},
		{text: "推荐几道软烂的菜，家里老人咬不动，少油少盐", is: ques, goal: "推荐几道软烂的菜，家里老人咬不动，少油少盐", limits: "少油少盐", goals: 1},
		{text: "约张总开会，他只有一个小时，会议室要大的", is: act, goal: "约张总开会，他只有一个小时，会议室要大的", limits: "会议室要大的", goals: 1},
		{text: "看看 nginx.conf 有没有安全问题，按严重程度排序", is: ana, goal: "看看 nginx.conf 有没有安全问题，按严重程度排序", given: "nginx.conf", limits: "按严重程度排序", goals: 2},
		{text: "出十道两位数加法题，附答案，答案放最后", is: crea, goal: "出十道两位数加法题，附答案，答案放最后", limits: "答案放最后", output: "附答案", goals: 1},
		{text: "对账单.xlsx 里的重复项标出来，原表不要动", is: act, goal: "对账单.xlsx 里的重复项标出来，原表不要动", given: "对账单.xlsx", limits: "原表不要动", goals: 1},
		{text: "把成绩单.xlsx 发给发票组", is: act, goal: "把成绩单.xlsx 发给发票组", given: "成绩单.xlsx", goals: 1},
	} {
		check(t, compiler.Input{Text: tt.text}, tt)
	}
}
