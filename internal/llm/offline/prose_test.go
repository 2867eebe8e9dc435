package offline_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
)

const lighthouse = `The lighthouse at Skerry Point

The lamp was lit for the first time in 1871. The tower is 38 metres high.

Keeper
The keeper is Anneke Bol. She lives in the white cottage.

Visits
The tower is open on Sundays from 11:00 to 16:00. A ticket costs 4 euros.
Dogs are not allowed on the stairs.

Shopping list
2 tins of paint
1 brush
6 candles
`

const handbook = `# Pump house

Escalation: call the engineer on duty, Sipho Dlamini, at extension 318.

## Start the pump

1. Open valve A
2. Prime the pump
3. Close the vent
4. Press the green button

## Stop the pump

1. Press the red button
2. Close valve A

## 2.1.0 - 2026-03-01

- Runs on Debian 12 or newer
`

const journalZh = `# 航海日记

## 2026年7月3日 晴
在港口买了三箱苹果，花了九十元。

## 2026年7月4日 大雾
等了一整天，没有出海。
`

// TestProse answers from texts that people wrote, by the sentences that say it.
func TestProse(t *testing.T) {
	k := newKit(t, map[string]string{"lamp.txt": lighthouse, "handbook.md": handbook, "sea.md": journalZh, "soup.txt": "Soup\n\nThe soup can be frozen for two months.\n", "ward.md": "备份文件放在 /srv/copy。\n如果行数不一致，请停下来。\n", "faults.md": "# Faults\n\n- 12: no power\n- 17: the float is stuck\n\n问：谁修过水泵？\n答：老韩修过。\n"})
	for _, tt := range []struct {
		words string
		want  []string
	}{
		{"How high is the tower in lamp.txt?", []string{"38 metres", "lamp.txt:3"}},
		{"When was the lamp lit for the first time? (lamp.txt)", []string{"1871"}},
		{"How much does a ticket cost in lamp.txt?", []string{"4 euros", "lamp.txt:9"}},
		{"Are dogs allowed, lamp.txt?", []string{"Dogs are not allowed"}},
		{"How many candles do I need by lamp.txt?", []string{"6 candles"}},
		{"What is the third step to start the pump in handbook.md?", []string{"Close the vent", "handbook.md:9"}},
		{"What is the last step of stopping the pump in handbook.md?", []string{"Close valve A", "handbook.md:15"}},
		{"handbook.md 里启动的第二步是什么？", []string{"Prime the pump"}},
		{"Whom do I call in an emergency by handbook.md?", []string{"Sipho Dlamini"}},
		{"How many releases are in handbook.md?", []string{"1 release", "2.1.0"}},
		{"Which Debian version do I need by handbook.md?", []string{"Debian 12"}},
		{"sea.md 里七月三日花了多少钱？", []string{"九十元", "sea.md:4"}},
		{"How many steps does it take to start the pump by handbook.md?", []string{"4 items", "handbook.md:7 to 10"}},
		{"What does error 17 mean in faults.md?", []string{"the float is stuck", "faults.md:4"}},
		{"faults.md 里谁修过水泵？", []string{"答：老韩修过", "faults.md:7"}},
		{"In which cottage does Mrs. Bol live, lamp.txt?", []string{"white cottage"}},
		{"handbook.md 里值班的人电话是多少？", []string{"extension 318"}},
		{"ward.md 里备份文件放在哪里？", []string{"/srv/copy", "ward.md:1"}},
		{"ward.md 里行数不一致怎么办？", []string{"请停下来"}},
		{"soup.txt 这道汤可以冷冻多久？", []string{"frozen for two months"}},
		{"Which weekday is 9 August 2031?", []string{"takes a language model"}},
		{"Who repairs the radio in lamp.txt?", []string{"No line of lamp.txt"}},
	} {
		has(t, k.ask(tt.words), tt.want...)
	}
}

// TestPasted answers from a text that stands in the message.
func TestPasted(t *testing.T) {
	for _, tt := range []struct {
		words string
		want  []string
	}{
		{"Here is what I know:\n" + lighthouse + "\n\nWho is the keeper?", []string{"Anneke Bol"}},
		{"When is the tower open?\n\n" + lighthouse, []string{"11:00 to 16:00", "your text:9"}},
		{"```\n" + lighthouse + "```\nHow many lines does this text have?", []string{"15 lines"}},
		{"Summarise the following text: " + strings.ReplaceAll(lighthouse, "\n", " "), []string{"1871", "4 euros"}},
		{"下面是日记：\n" + journalZh + "买苹果花了多少钱？", []string{"九十元"}},
		{"Translate this:\n" + lighthouse, []string{"I cannot do this"}},
		{"```\n2026-01-02 10:00:00 ERROR full\n2026-01-02 10:01:00 INFO ok\n```\nHow many errors are there?", []string{"send it as one"}},
		{"Please answer:\n1. How many files are here?\n2. What time is it?\n3. What can you do for me when there is no model at hand at all?\n4. Which files are here, and how large are they?", []string{"There are no files"}},
	} {
		has(t, newKit(t, nil).ask(tt.words), tt.want...)
	}
}

// TestOwnName knows who was told to be remembered.
func TestOwnName(t *testing.T) {
	k := newKit(t, nil)
	has(t, k.ask("What is my name?"), "I do not know")
	has(t, k.ask("My name is Joost, please remember it and tell me what time it is"), "I will remember: My name is Joost", "It is ")
	for _, words := range []string{"What is my name?", "What's my name?", "Who am I?", "我叫什么名字？"} {
		has(t, k.ask(words), "My name is Joost")
	}
	for said, want := range map[string]string{
		"My name is Joost, please remember it.": "I remember:\n- My name is Joost",
		"Remember that my name is Joost.":       "I remember:\n- my name is Joost",
		"请记住我叫王伟":                               "I remember:\n- 我叫王伟",
	} {
		k := newKit(t, nil)
		k.said = []string{said}
		if got := strings.TrimSpace(k.ask("What is my name?")); strings.TrimRight(got, ".") != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// TestTalk answers from what was said before in the conversation, and from nothing else.
func TestTalk(t *testing.T) {
	for _, tt := range []struct{ said, words, want string }{
		{"My parrot is called Zazu and it is nine.", "What is my parrot called?", "Zazu"},
		{"The bridge at Ravel was built by Ada Kline. It is 90 metres long.", "Who built the bridge at Ravel?", "Ada Kline"},
		{"会议改到周四下午三点，地点在二号会议室。", "会议的地点是哪里？", "二号会议室"},
		{"Who built the bridge at Ravel?", "Who built the bridge at Ravel?", "I have nothing to answer this from"},
		{"Hello, my name is Ottilie.", "What is my name?", "my name is Ottilie"},
		{"My parrot is called Zazu.", "What is my boat called?", "I do not know"},
	} {
		k := newKit(t, nil)
		k.said = []string{tt.said}
		has(t, k.ask(tt.words), tt.want)
	}
	k := newKit(t, nil)
	has(t, k.run("When does the office open?", llm.Brief{Given: []string{"You are a porter. The office opens at 8:30."}}, false).Text, "8:30")
}

// TestPapers compares two texts that people wrote line by line.
func TestPapers(t *testing.T) {
	k := newKit(t, map[string]string{
		"rules_old.md": "# Rules\n\n## Boats\nAt most four people in a boat.\n\n## Fires\nNo fires on the beach.\n",
		"rules_new.md": "# Rules\n\n## Boats\nAt most six people in a boat.\n\n## Dogs\nDogs wear a lead.\n",
	})
	for words, want := range map[string][]string{
		"What is different between rules_old.md and rules_new.md?":             {"At most four people", "→ > At most six people", "Only in rules_old.md", "No fires on the beach. (rules_old.md:7)", "Dogs wear a lead"},
		"Which sections are in rules_new.md but not in rules_old.md?":          {"**1 line** in rules_new.md and not in", "Dogs (rules_new.md:6)"},
		"Which lines are in both rules_old.md and rules_new.md?":               {"**2 lines** in both", "Boats (rules_old.md:3)"},
		"rules_old.md 和 rules_new.md 有什么不同？":                                   {"只在 rules_new.md 中", "Dogs wear a lead"},
		"Compare rules_old.md with rules_new.md and write the result to d.md.": {"The report is in d.md"},
	} {
		has(t, k.ask(words), want...)
	}
	has(t, k.read("d.md"), "At most six people")
}

// TestNotedBefore tells what notes say was done before the first error of a log.
func TestNotedBefore(t *testing.T) {
	k := newKit(t, map[string]string{
		"work.md":  "# Work on 3 May 2026\n\n- 08:10 Ilka replaced the fan of node 2\n- 09:20 Bas set the cache to 8 GB\n- 11:00 lunch\n",
		"node.log": "2026-05-03 09:00:00 INFO up\n2026-05-03 09:31:30 ERROR out of memory\n2026-05-03 09:32:00 ERROR out of memory\n",
	})
	for _, words := range []string{
		"What was changed shortly before the first error in node.log?",
		"According to work.md, which action preceded the errors of node.log?",
		"出错之前 work.md 里改了什么？（node.log）",
	} {
		has(t, k.ask(words), "Bas set the cache to 8 GB (work.md:4", "node.log:2")
	}
}

// TestSource lists what a program defines and marks.
func TestSource(t *testing.T) {
	k := newKit(t, map[string]string{
		"boat.py": "import os\nfrom math import pi\n\nclass Boat:\n    # TO" + "DO: sails\n    def row(self):\n        return pi\n\ndef launch():\n    return Boat()\n",
		"dock.go": "package dock\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n)\n\n// Moor ties a boat.\nfunc Moor() { fmt.Println(http.MethodGet) }\n\ntype Buoy struct{}\n",
	})
	for words, want := range map[string][]string{
		"Which functions does boat.py define?":   {"2 functions", "def row(self):", "def launch():` (boat.py:9)"},
		"List the TO" + "DO comments in boat.py": {"1 marked line", "boat.py:5"},
		"boat.py 里有哪些类？":                         {"1 个类型", "class Boat"},
		"What packages does dock.go import?":     {"2 imports", "net/http"},
		"What does Moor do in dock.go?":          {"Moor ties a boat", "func Moor()"},
	} {
		has(t, k.ask(words), want...)
	}
}

// TestSections writes a report below the headings that were given, in a file of the given name.
func TestSections(t *testing.T) {
	k := newKit(t, map[string]string{"plan.md": "# Shed\n\nThe shed is rebuilt in May.\n\n## Money\n\nThe wood costs 900 euros.\n\n## To do\n\n- [ ] order wood\n- [x] measure\n"})
	has(t, k.ask("Write a report about the shed to shed.md with the sections Overview, Costs, Open points and Weather"), "The report is in shed.md")
	has(t, k.read("shed.md"), "## Overview", "## Costs\n\nWhat plan.md says:\n> The wood costs 900 euros.", "## Open points\n\n**1 open task**", "order wood", "## Weather\n\nNothing is found")
	has(t, k.ask("总结 plan.md，写到 木棚.md，分为概述、待办两部分"), "木棚.md")
	has(t, k.read("木棚.md"), "## 概述", "## 待办", "order wood")
}
