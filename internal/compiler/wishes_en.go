package compiler

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// onlyEN is all that the work may use, or all that the answer may say.
var onlyEN = oneOf{
	// in brackets: (metric units only)
	pattern.New(`(?i)\([^()\n]{0,60}\bonly\)`),
	// one of two words for an answer
	pattern.New(`(?i)\b(?:answer|reply|respond|say)\s+(?:with\s+)?(?:just\s+)?(?:yes or no|true or false)\b(?:\s+only)?`),
	// behind it, as a clause of a few words: numbers only
	pattern.New(`(?i)(?:^|[,.;:!?\n]\s+)(?:[^\s,.;:!?()]+[ \t]+){1,4}only(?:[ \t]+(?:please|pls))?(?:[,.;!]|$)`),
	// behind it, within an order: send it to Ann only
	pattern.New(`(?i)\b(?:use|using|from|with|list|show|report|print|return|send|post|output|count|read|consider|include|check|for|in|on|to)\s+` +
		`(?:[^,.;:!?\n()]|\.\w){1,40}?[ \t]+only\b`),
	pattern.New(`(?i)\b(?:the )?(?:top|first|last|best|worst) (?:\d+|one|two|three|five|ten) only\b`),
	// before it: use only the second sheet
	pattern.New(`(?i)(?:\b(?:use|using|list|show|answer|reply|count|consider|look at|return|give(?: me)?|include|keep|output|respond with|from)\s+)?\bonly\b` + rest),
	// in words that mean the same
	pattern.New(`(?i)\b(?:answer|reply|respond)\s+with\s+(?:just|a single|one)\b` + rest),
	pattern.New(`(?i)\bjust (?:the|a|one|give|say|show|list|send|return|tell (?:me |us )?(?:the|a|an|your|if|whether|yes))\b` + rest),
}

// styleEN is how something is to be worded, ordered or kept.
var styleEN = oneOf{
	// what it is to be like
	pattern.New(`(?i)\bkeep (?:it|this|that|the \w+) (?:very |as )?(?:short|brief|simple|concise|formal|friendly|polite|professional)\b`),
	pattern.New(`(?i)\bbe (?:very )?(?:brief|concise|short|polite|formal|precise|specific)\b`),
	pattern.New(`(?i)\b(?:very )?(?:briefly|concisely)\b`),
	pattern.New(`(?i)\bin (?:simple|plain|layman's) (?:terms|words|language)\b`),
	// as a form that is filled in: Audience: beginners
	pattern.New(`(?i)\b(?:target )?(?:audience|tone|style|voice|reading level|word count|length):[ \t]+[^,.;!?\n]+`),
	// its tone
	pattern.New(`(?i)\b(?:a |an )?(?:very )?(?:formal|informal|friendly|casual|neutral|polite|professional|humorous|serious|warm) (?:tone|style|voice|wording)\b`),
	pattern.New(`(?i)\bin (?:a|an) [\w-]+ (?:tone|style|voice)\b`),
	// how far it goes
	pattern.New(`(?i)\b(?:in (?:great )?detail|(?:step by step|line by line|page by page|point by point|row by row)|word for word|verbatim|literally)\b`),
	pattern.New(`(?i)\bround(?:ed)? to\s+[^,.;!?\n]+\b`),
	// what is to stay or to go
	pattern.New(`(?i)\bkeep(?:ing)? (?:the|all|any|every|its|their|my|our|your|key|column|row|line|word|original|existing|current|comments?|formatting|indentation|order) ?[^,.;!?\n]*\b`),
	pattern.New(`(?i)\banonymi[sz]e [^,.;!?\n]+?(?:[,.;]| and |$)\b`),
}

// When something is to be done.
const (
	weekdayEN = `(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)`
	monthEN   = `(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*`
	clockEN   = `\d{1,2}(?::\d{2})?\s*(?:am|pm)?`
	dayEN     = `(?:(?:next |this )?` + weekdayEN + `|tomorrow|tonight|today)`
	// momentEN is what a thing is due by, and partEN what says it more exactly: by Friday, 5 pm.
	momentEN = `(?:` + dayEN + `|(?:next |this )?(?:week|month|year)|noon|midnight|the end of [\w ]+|end of (?:day|week|month)|eod|eow|cob` +
		`|\d{4}-\d{2}-\d{2}|the \d{1,2}(?:st|nd|rd|th)|\d{1,2}(?::\d{2})?\s*(?:am|pm|o'clock)?|` + monthEN + `\s+\d{1,2})\b`
	partEN = `(?:,?\s+(?:at\s+|on\s+)?(?:\d{1,2} ` + monthEN + `|` + clockEN + `|` + dayEN + `|morning|noon|afternoon|evening)\b)`
)

// dueEN is by when something is to be done.
var dueEN = oneOf{
	pattern.New(`(?i)\b(?:before|by|until|no later than|not later than)\s+` + momentEN + partEN + `{0,2}`),
	pattern.New(`(?i)\b(?:asap|as soon as possible|deadline(?: is|:)?\s+[^,.;!?\n]+)`),
}

// remindsEN and remindsZH are what is to be told later, or done again and again.
var remindsEN = oneOf{
	// to be told of something
	pattern.New(`(?i)^remind\s|\bremind (?:me|us|him|her|them|everyone|the)\b`),
	pattern.New(`(?i)\b(?:reminder (?:to|for|at|about|every|in)|don't let me forget|wake me)\b`),
	pattern.New(`(?i)\b(?:set|create|add|schedule) (?:a |an |me )?(?:daily |weekly )?(?:reminder|alarm|timer)\b`),
	pattern.New(`(?i)\bping me (?:at|in|when|every|tomorrow|if|once|to|about)\b`),
	pattern.New(`(?i)\b(?:tell|message) me (?:at \d|in \d|in an? |every|tomorrow)\b`),
	pattern.New(`(?i)\b(?:notify|alert) me (?:at|in|every|when|tomorrow|on|if|once)\b`),
	pattern.New(`(?i)^(?:whenever|every time|each time|as soon as|(?:when|once) (?:the|my|our|an?|it|there|\w+'s))\b[^.;?!\n]*\b(?:(?:let|ping|notify|alert|message|text) (?:me|us)\b|tell (?:me|us)(?:[.!,]|$| (?:in|on|via|by|so|right|immediately|at|and)\b))`),
	// again and again
	pattern.New(`(?i)^schedule (?:a |an )?(?:hourly|daily|nightly|weekly|monthly) \w+\b`),
	pattern.New(`(?i)^(?:every|each) (?:(?:first|second|third|fourth|last|other|\d+(?:st|nd|rd|th)) )?(?:day|morning|evening|night|week|month|hour|weekday|` + weekdayEN + `|\d+ (?:minutes?|hours?|days?))\b`),
}

var remindsZH = oneOf{
	pattern.New(`(?:^|[^的条])提醒|叫醒|闹钟|定时|倒计时`),
	pattern.New(`(?:点(?:钟|半|[一三]刻|` + zhNum + `分?)?|分钟后|小时后|天后)(?:叫我|通知我|告诉我|喊我)`),
	// at an hour of every day: 每天早上八点
	pattern.New(`^[^，。我他她它]*每(?:天|日|晚|早|周[一二三四五六日天])[^，。的]{0,4}?\s*(?:[\d一二两三四五六七八九十]+\s*点|\d+:\d\d)`),
	// every so often: 每两小时检查
	pattern.New(`每(?:[0-9一二两三四五六七八九十半]+个?)(?:分钟|小时|天|周)[^的，。]{0,12}(?:一次|检查|提醒|执行|运行|备份|汇报|抓取|发|看)`),
}

// everyZH begins a clause that says how often something is to be done: 每天发.
var everyZH = pattern.New(`(?:^|[，,])(?:每天|每日|每周|每月|每隔|每个?工作日|每早|每晚)[^不都别最限只来去有能可会]`)

// reminds reports whether s asks to be told of something later, or for something again and again.
func reminds(s string) bool {
	if remindsEN.MatchString(s) || remindsZH.MatchString(s) {
		return true
	}
	for _, m := range everyZH.FindAllStringIndex(s, -1) {
		clause := strings.TrimLeft(s[m[0]:], "，,")
		if end := strings.IndexAny(clause, "，。；,;"); end >= 0 {
			clause = clause[:end]
		}
		if !limitsAll(clause) { // 每天 1500 大卡以内
			return true
		}
	}
	return false
}
