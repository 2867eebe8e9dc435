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
	k := newKit(t, map[string]string{"lamp.txt": lighthouse, "handbook.md": handbook, "sea.md": journalZh})
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

// TestTalk answers from what was said before in the conversation, and from nothing else.
func TestTalk(t *testing.T) {
	for _, tt := range []struct{ said, words, want string }{
		{"My parrot is called Zazu and it is nine.", "What is my parrot called?", "Zazu"},
		{"The bridge at Ravel was built by Ada Kline. It is 90 metres long.", "Who built the bridge at Ravel?", "Ada Kline"},
		{"会议改到周四下午三点，地点在二号会议室。", "会议的地点是哪里？", "二号会议室"},
		{"Who built the bridge at Ravel?", "Who built the bridge at Ravel?", "I have nothing to answer this from"},
		{"My parrot is called Zazu.", "What is my boat called?", "I do not know"},
	} {
		k := newKit(t, nil)
		k.said = []string{tt.said}
		has(t, k.ask(tt.words), tt.want)
	}
	k := newKit(t, nil)
	has(t, k.run("When does the office open?", llm.Brief{Given: []string{"You are a porter. The office opens at 8:30."}}, false).Text, "8:30")
}
