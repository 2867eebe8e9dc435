package llm

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// endTokens end a message in the templates of chats; servers with a wrong template let them through.
var endTokens = []string{
	"<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|eot|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>", "<|return|>", "<|call|>",
	"<|stop|>", "<|observation|>", "<｜end▁of▁sentence｜>", "<end_of_turn>", "<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>", "</s>",
}

// nextTokens begin the next message, which the model then makes up.
var nextTokens = []string{
	"<|im_start|>", "<|start_header_id|>", "<|start|>", "<|channel|>", "<|from|>", "<start_of_turn>", "<|user|>", "<｜User｜>", "<|START_OF_TURN_TOKEN|>",
}

// wrappers are what some models that think put around what they say then.
var wrappers = []tags{{"<answer>", "</answer>"}, {"<response>", "</response>"}}

// said gives the words of a text from which thoughts were taken.
func said(text string) string {
	for _, w := range wrappers {
		if inner, ok := strings.CutPrefix(strings.TrimSpace(text), w.open); ok {
			return strings.TrimSpace(strings.TrimSuffix(inner, w.close))
		}
	}
	return text
}

func beginsWrapper(text string) verdict {
	for _, w := range wrappers {
		if strings.HasPrefix(text, w.open) {
			return yes
		}
		if strings.HasPrefix(w.open, text) {
			return open
		}
	}
	return no
}

// heads are what templates put before a message of the model.
var heads = pattern.New(`^\s*(?:<\|begin_of_text\|>)?\s*(?:<\|start_header_id\|>assistant<\|end_header_id\|>|<\|im_start\|>assistant|<start_of_turn>model` +
	`|<\|header_start\|>assistant<\|header_end\|>|<\|from\|>assistant|<\|assistant\|>|<｜Assistant｜>|<\|START_RESPONSE\|>|<\|recipient\|>all\s*<\|content\|>|>>>all\n)\s*`)

// headStarts are what such a text begins with.
var headStarts = []string{
	"<|begin_of_text|>", "<|start_header_id|>", "<|header_start|>", "<|im_start|>", "<start_of_turn>model", "<|from|>", "<|assistant|>", "<｜Assistant｜>",
	"<|START_RESPONSE|>", "<|recipient|>", ">>>all\n", "<|start|>assistant", "<|channel|>", "<|message|>", lostChannel, lostTo,
}

// message gives what of a text is the model's message: without thoughts, the tokens of a template around it,
// and what stands behind its end.
func message(text string) string {
	text = headless(text)
	_, thinks := opens(strings.TrimLeft(text, blanks))
	if text = headless(channels(withoutThoughts(text))); thinks {
		text = said(text)
	}
	if at := endAt(text); at >= 0 {
		text = strings.TrimRight(text[:at], blanks)
	}
	return text
}

func headless(text string) string {
	for head := heads.FindString(text); head != ""; head = heads.FindString(text) {
		text = text[len(head):]
	}
	return text
}

// endAt gives where the tokens stand that end a text, or -1.
func endAt(text string) int {
	var p place
	for at := range candidates(text, "<") {
		if ends(text[at:]) != yes || strings.HasPrefix(text[at:], "</s>") && strings.Contains(text[:at], "<s>") {
			continue
		}
		if p.move(text, at); !p.shown(text) {
			return at
		}
	}
	return -1
}

// ends judges whether a message ends here: what follows are tokens that say so, and then nothing or the
// next message.
func ends(text string) verdict {
	for first := true; ; first = false {
		text = strings.TrimLeft(text, blanks)
		at := slices.IndexFunc(endTokens, func(token string) bool { return strings.HasPrefix(text, token) })
		switch {
		case at >= 0:
			text = text[len(endTokens[at]):]
		case first:
			return begins(endTokens, text)
		case text == "", beginsThought(text) == yes, slices.ContainsFunc(nextTokens, func(token string) bool { return strings.HasPrefix(text, token) }):
			return yes
		default:
			return max(begins(endTokens, text), begins(nextTokens, text), beginsThought(text))
		}
	}
}

// beginsHead judges whether a text begins with the tokens of a template.
func beginsHead(text string) verdict {
	if slices.ContainsFunc(headStarts, func(h string) bool { return strings.HasPrefix(text, h) }) {
		return yes
	}
	return begins(headStarts, text)
}

// The channels of gpt-oss: what it thinks, what it calls, and what it says. The last form is what is left
// of them where a server has dropped their tokens.
var (
	channelHead = pattern.New(`(?:<\|start\|>\w*(?: to=([\w.-]+))?)?<\|channel\|>(\w+)(?: to=([\w.-]+))?[^<]{0,40}(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>`)
	channelEnd  = pattern.New(`<\|(?:end|call|return)\|>`)
	lostHead    = pattern.New(`(?s)^\s*analysis.*?assistant(?:final|commentary to=([\w.-]+)\s*(?:json|code)?)|^\s*to=(functions\.[\w.-]+)\s*(?:commentary|json|code|\s)*`)
)

// What a text begins with where the tokens of the channels are lost.
const (
	lostChannel = "analysis"
	lostTo      = "to=functions."
)

// channels gives a text of channels in other words: what is said, and calls as other models mark them.
func channels(text string) string {
	if m := lostHead.FindStringSubmatchIndex(text); m != nil {
		rest, to := text[m[1]:], max(m[2], m[4])
		if to < 0 {
			return rest
		}
		return channelCall(text[to:max(m[3], m[5])], rest)
	}
	heads := channelHead.FindAllStringSubmatchIndex(text, -1)
	var p place
	if len(heads) > 0 {
		p.move(text, heads[0][0])
	}
	if len(heads) == 0 || p.shown(text) {
		return text
	}
	var out strings.Builder
	out.WriteString(text[:heads[0][0]])
	for i, h := range heads {
		body := text[h[1]:]
		if i+1 < len(heads) {
			body = text[h[1]:heads[i+1][0]]
		}
		if end := channelEnd.FindStringIndex(body); end != nil {
			body = body[:end[0]]
		}
		to := max(h[2], h[6])
		switch {
		case to >= 0:
			out.WriteString(channelCall(text[to:max(h[3], h[7])], body))
		case text[h[4]:h[5]] != lostChannel:
			out.WriteString(body + "\n")
		}
	}
	return strings.TrimRight(out.String(), "\n")
}

func channelCall(to, args string) string {
	return "\n<|channel|>commentary to=" + to + "<|message|>" + args
}
