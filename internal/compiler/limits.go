package compiler

import "github.com/akitad/akitad/internal/pattern"

// What limits an answer by a number. Each expression gives the words as they stand, up to the end of the clause.
const (
	amountEN  = `(?:` + money + `|` + number + `\s*` + unit + `)`
	textUnits = `(?:words?|characters?|lines?|sentences?|paragraphs?|pages?|bullet points?|bullets?)`
	boundEN   = `(?:under|below|at most|no more than|not more than|less than|fewer than|within|a maximum of|max(?:imum)?[.:]?|up to|at least|no less than|more than|exactly|limited to` +
		`|no longer than|not longer than|(?:shorter|longer|smaller|larger|bigger|cheaper|fewer) than|over|above)`
	// boundFor stands before a bound, and eachFor behind it: "keep it under 5 pages each".
	boundFor = `(?:\b(?:in|into|to|keep (?:it|this|that|the \w+)(?: to)?|use|with|not|neither|none|all|each)\s+)?`
	eachFor  = `(?:\s+(?:long|each|or less|total|per \w+|an? (?:night|day|week|month|person|head|piece)))?`

	amountZH = zhNum + `\s*` + zhUnit
	boundZH  = `(?:不[低高大小晚早]于|不超过|不到|不多于|不要超过|别超过|少于|不少于|至少|最多|至多|大约|约|控制在|限制在|限于)`
	doneZH   = `[花用写给列返显输出回留选占讲说买带]{0,2}` // what at most so many are
)

var (
	limitEN = oneOf{
		pattern.New(`(?i)` + boundFor + `\b` + boundEN + `\s+` + amountEN + `(?:\s+and\s+` + number + `\s*` + unit + `)?` + eachFor),
		pattern.New(`(?i)\b(?:of )?(?:about|around|roughly|approximately) ` + count + `\s+` + textUnits + `\b`),
		pattern.New(`(?i)\bstop after\s+` + number + `\s*` + unit),
		pattern.New(`(?i)\b(?:in|to|with|use)\s+(?:exactly\s+|about\s+|around\s+)?` + count + `\s+(?:short\s+|simple\s+)?(?:lessons?|steps|parts|chapters?|slides?|points|` + textUnits + `)(?:\s+(?:or less|or fewer|at most|max|tops)\b)?`),
		pattern.New(`(?i)\b` + number + `\s*` + unit + `\s+(?:or less|or fewer|at most|max(?:imum)?|tops)\b`),
		pattern.New(`(?i)\b` + number + `\s+(?:[a-z]+\s+)?[a-z]+\s+(?:max(?:imum)?|tops|at most)(?:\s*[.,;!?\n]|$)`),
		pattern.New(`(?i)\bto (?:\d+|one|two|three|four) (?:decimals?|decimal places|significant (?:figures|digits)|digits)\b`),
		pattern.New(`(?i)\b(?:at most|no more than|not more than|up to|at least|maximum|max)\s+` + number + `(?:\s+(?:[a-z]+(?:al|el|ed|ent|ive|ous|ful|ing)\s+)?[a-z]+\b(?:\s+(?:per|an?|each|every)\s+[a-z]+\b)?|\s*(?:[.,;!?\n]|$))`),
		pattern.New(`(?i)\bkeep (?:it|this|that|them|the \w+) to ` + number + `\s*` + unit),
		pattern.New(`(?i)\b(?:you have|(?:the |my |our )?budget(?: is| of|:)?)\s+(?:only\s+)?(?:` + amountEN + `|\d[\d,.]*\d(?: *k)?\b)(?:\s+and\s+` + amountEN + `)?`),
	}
	limitZH = oneOf{
		pattern.New(`(?:字数|篇幅|长度|控制|限制|预算|总价|人均|请|最好)?(?:在|为)?` + boundZH + `\s*` + doneZH + `\s*` + amountZH + `(?:、\s*` + amountZH + `)?(?:以内|之内|左右|以上|以下|内)?`),
		pattern.New(`(?:预算|人均|总价|价格)(?:是|为|在|约|大约|控制在)?\s*` + zhNum + `\s*(?:` + zhUnit + `)?(?:以内|之内|左右)?`),
		pattern.New(`(?:最多|不超过|别超过|不要超过)\s*` + zhNum + `$`),
		pattern.New(zhNum + `\s*(?:` + zhUnit + `\s*(?:以内|之内|以下|以上|左右|上下|内)|以内|之内)|用?(?:一|两|三|四|五|\d+)句话`),
	}
)
