package offline

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/llm"
)

// compile gives the spec as YAML, by the rules that also serve when no model compiles.
func (s *session) compile() string {
	in := compiler.Input{Text: s.words, Lang: s.brief.Language}
	for _, f := range s.brief.Files {
		in.Files = append(in.Files, akitad.File{Name: f.Name, Size: f.Bytes})
	}
	spec, _ := compiler.Twin(in)
	return compiler.Marshal(spec)
}

// maxCondensed is how long a summary of a conversation gets, in characters.
const maxCondensed = 4000

// condense summarises a conversation by extraction: what was asked, which calls were made, the
// first lines of what they gave, the last answers. Nothing is put in other words.
func (s *session) condense() string {
	var b strings.Builder
	part := func(title string, lines []string) {
		if len(lines) > 0 {
			b.WriteString("## " + title + "\n- " + strings.Join(lines, "\n- ") + "\n\n")
		}
	}
	asked, calls, said := s.transcript()
	part(s.say.of("Asked", "请求"), asked)
	part(s.say.of("Done", "已做"), calls)
	part(s.say.of("Said", "已答"), said)
	return clipText(strings.TrimSpace(b.String()), maxCondensed)
}

func (s *session) transcript() (asked, calls, said []string) {
	for _, m := range s.req.Messages {
		switch {
		case m.Speaker == llm.User:
			words, _ := llm.SplitBrief(m.Text)
			asked = append(asked, clipText(oneLine(words), 400))
		case m.Speaker == llm.Assistant && m.Text != "":
			said = append(said, clipText(oneLine(m.Text), 400))
		}
		for _, c := range m.Calls {
			calls = append(calls, clipText(c.Tool+" "+string(c.Args), 160))
		}
		for _, r := range m.Results {
			calls = append(calls, "-> "+clipText(oneLine(r.Text), 160))
		}
	}
	return asked, calls, said
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// schemaData fits an outcome into an output schema as far as it names plain figures and text; nil
// if nothing fits, so that the schema's own check says what is missing.
func schemaData(schema string, out outcome) json.RawMessage {
	var sc struct {
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	if json.Unmarshal([]byte(schema), &sc) != nil {
		return nil
	}
	data := map[string]any{}
	for name, p := range sc.Properties {
		switch {
		case p.Type == "string" && (isTextName(name) || len(sc.Properties) == 1):
			data[name] = out.text
		case (p.Type == "integer" || p.Type == "number") && len(out.findings) == 1 && out.findings[0].Kind == "count":
			data[name] = out.findings[0].Count
		case p.Type == "number" && len(out.findings) == 1 && out.findings[0].Kind == "figure":
			data[name] = json.Number(out.findings[0].Value)
		}
	}
	raw, err := json.Marshal(data)
	if err != nil || len(data) == 0 {
		return nil
	}
	return raw
}

func isTextName(name string) bool {
	switch strings.ToLower(name) {
	case "text", "answer", "summary", "report", "result", "output", "message":
		return true
	}
	return false
}
