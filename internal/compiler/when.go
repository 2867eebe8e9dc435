package compiler

import "github.com/akitad/akitad/internal/pattern"

// laterEN is the time before an order that is to be carried out at that time, or again and again.
var laterEN = pattern.New(`(?i)^(?:starting |beginning |from |not today,? but )*(?:at (?:noon|midnight|\d{1,2}(?::\d{2})?(?:\s*[ap]m)?)|in (?:\d+|an?|half an|a few|two|three|five|ten|twenty|thirty) (?:minutes?|hours?|days?|weeks?)(?: time)?` +
	`|tomorrow|tonight|next (?:week|month|year|` + days + `)|on the \w+ of (?:every|each|the) (?:month|week|year)|(?:on )?(?:` + days + `)s?)\b` +
	`(?:\s+(?:at|on|in the|every|each|morning|afternoon|evening|night|noon|(?:` + days + `)s?|\d{1,2}(?::\d{2})?(?:\s*[ap]m)?)\b)*\s*[,:]?\s+`)

const days = `monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend`

// through is what stands before an order that another profile is to carry out, and in Chinese before one
// that holds under a condition.
var through = pattern.New(`(?i)^(?:(?:can|could|will|would)\s+(?:the\s+)?(?:assistant|analyst|researcher|writer|operator)(?:\s+(?:agent|profile))?\s+(?:please\s+)?|(?:let|have|ask|tell|get)\s+(?:the\s+)?(?:assistant|analyst|researcher|writer|operator|\w+ (?:agent|profile))(?:\s+(?:agent|profile))?\s+(?:to\s+)?|(?:让|叫|请)(?:助手|分析师|研究员|写手|操作员)(?:来|去)?|use\s+(?:the\s+)?\w+\s+(?:profile|agent)\s+(?:to|and)\s+|在?[^，。]{1,10}的(?:情况|前提)下[，,]?)`)
