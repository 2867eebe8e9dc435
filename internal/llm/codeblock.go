package llm

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// codeStart is what a block of code begins with in which Gemini calls tools, where it has lost its fence: tags, a line
// of their name, or the name of Gemini's module of tools.
var codeStart = pattern.New(`(?:^|\n)[ \t]*(?:[<\[]tool_code[>\]]|tool_code[ \t]*\n|((?:print\()?default_api\.))`)

// codeStarts are the same as the texts that a line begins with.
var codeStarts = []string{"tool_code\n", "<tool_code>", "[tool_code]", "print(default_api.", "default_api."}

// codeInitials are what these begin with, apart from tags.
const codeInitials = "tpd"

// codeCalls reads the calls of such a block at the end of a text. All of it must be calls.
func codeCalls(text string, names Names) (words string, calls []akitad.Call) {
	at := codeStart.FindStringSubmatchIndex(text)
	if at == nil || exampleWords.MatchString(text[:at[0]]) {
		return "", nil
	}
	start := at[1]
	if at[2] >= 0 {
		start = at[2]
	}
	var p place
	if p.move(text, at[1]); p.fence != "" {
		return "", nil
	}
	body := strings.TrimSpace(text[start:])
	for _, end := range []string{"</tool_code>", "[/tool_code]"} {
		body = strings.TrimSpace(strings.TrimSuffix(body, end))
	}
	if calls = wholeCalls(body, names); len(calls) == 0 {
		calls = taggedCallsOf(body, names)
	}
	return strings.TrimSpace(text[:at[0]]), calls
}

// beginsCode judges whether a line may begin such a block.
func beginsCode(text string) verdict {
	for _, start := range codeStarts {
		if strings.HasPrefix(text, start) {
			return yes
		}
	}
	return begins(codeStarts, text)
}
