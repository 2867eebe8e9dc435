package llm

import (
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/akitad/akitad/internal/loose"
)

// Brief is what a task's first user message says beside the person's words: the files at hand, the
// constraints, what earlier steps found. It stands below the words in a block of its own, so that
// the words stay byte for byte what the person wrote.
type Brief struct {
	Date        string         `yaml:"date,omitempty"` // to the day
	Language    string         `yaml:"language,omitempty"`
	Files       []BriefFile    `yaml:"files,omitempty"`
	Sent        []string       `yaml:"sent,omitempty"`        // of the files, those that came with this message
	Others      int            `yaml:"other_files,omitempty"` // files of earlier conversations that lie in the folder and are not listed
	Given       []string       `yaml:"given,omitempty"`
	Constraints []string       `yaml:"constraints,omitempty"`
	Output      []string       `yaml:"output,omitempty"`
	Schema      string         `yaml:"output_schema,omitempty"` // JSON
	Assumed     []string       `yaml:"assumptions,omitempty"`
	Request     string         `yaml:"request,omitempty"`    // a child's: the root task's words, as data
	Profiles    []BriefProfile `yaml:"profiles,omitempty"`   // planner only
	Tools       []string       `yaml:"tools,omitempty"`      // planner only: names usable in tool steps
	MoreTools   string         `yaml:"more_tools,omitempty"` // those of servers, which come and go: for call_tool
	Results     []BriefResult  `yaml:"results,omitempty"`
	Known       []string       `yaml:"known,omitempty"`      // what holds for this person whatever is asked: rules, preferences, facts
	Remembered  []string       `yaml:"remembered,omitempty"` // what memory holds about the words
	Earlier     []BriefTurn    `yaml:"earlier,omitempty"`    // the session's last messages and answers
	Problem     string         `yaml:"problem,omitempty"`    // what was wrong with the last attempt
}

// BriefFile is a file in the task's folder.
type BriefFile struct {
	Name  string `yaml:"name"`
	Bytes int64  `yaml:"bytes"`
}

// BriefProfile is a kind of agent that a plan may use.
type BriefProfile struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
}

// BriefResult is what an earlier step or child ended with.
type BriefResult struct {
	Step   string `yaml:"step"`
	Text   string `yaml:"text,omitempty"`
	Data   string `yaml:"data,omitempty"`   // JSON
	Failed string `yaml:"failed,omitempty"` // why there is no text
}

// BriefTurn is an earlier message of the session and the answer to it.
type BriefTurn struct {
	Said     string `yaml:"said"`
	Answered string `yaml:"answered,omitempty"`
}

const (
	briefOpen  = "\n\n<context>\n"
	briefClose = "</context>"
)

// Append gives the words followed by the brief's block; an empty brief adds nothing. The words
// stay a prefix of the result, byte for byte.
func (b Brief) Append(words string) string {
	text := loose.Encode(b)
	if strings.TrimSpace(text) == "{}" || strings.TrimSpace(text) == "" {
		return words
	}
	// A value cannot close the block early: the closing tag is only ever ours.
	text = strings.ReplaceAll(text, briefClose, "<\\/context>")
	return words + briefOpen + text + briefClose
}

// SplitBrief undoes Append: the words, and the brief that follows them (zero if none does).
func SplitBrief(text string) (words string, b Brief) {
	at := strings.LastIndex(text, briefOpen)
	if at < 0 || !strings.HasSuffix(text, briefClose) {
		return text, Brief{}
	}
	body := strings.TrimSuffix(text[at+len(briefOpen):], briefClose)
	body = strings.ReplaceAll(body, "<\\/context>", briefClose)
	if err := yaml.Unmarshal([]byte(body), &b); err != nil {
		return text, Brief{}
	}
	return text[:at], b
}
