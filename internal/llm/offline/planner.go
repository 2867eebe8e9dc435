package offline

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// maxParts is how many parts a plan splits into, the joining one aside.
const maxParts = 8

// plan gives the plan as YAML: a part for each file and one that joins them, or no steps when
// there is nothing to split.
func (s *session) plan() string {
	p := akitad.Plan{Goal: firstLine(s.words), Steps: s.parts()}
	if p.Steps == nil {
		p.Steps = []akitad.Step{}
	}
	text, err := yaml.Marshal(p)
	if err != nil {
		return "steps: []\n"
	}
	return string(text)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(line); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return line
}

// splits tells intents whose parts can be found file by file.
func splits(a question.Asked) bool {
	for _, q := range a.Questions {
		switch q.Intent {
		case question.Refuse, question.Help, question.Remember, question.Recall, question.Clock,
			question.ListFiles, question.FindFiles,
			question.Correlate, question.Elapsed: // rows of one file are looked up by the times of another's
			return false
		}
		if q.Intent == question.Compare && (q.Missing || bothWords.MatchString(q.Text) && q.Fn == "") || a.Report != "" && listsRows(q) {
			return false
		}
	}
	return true
}

func (s *session) parts() []akitad.Step {
	files := s.files()
	if len(files) < 2 || s.chat() || !splits(s.asked) || s.sideBySide(files) {
		return nil
	}
	look, join := s.profile("analyst"), s.profile("writer")
	ids := map[string]bool{}
	var steps []akitad.Step
	for _, group := range share(files, maxParts) {
		steps = append(steps, akitad.Step{
			ID: stepID(group[0], ids), Agent: look, Goal: s.say.lookGoal(group, plain(s.words)),
			Parallel: true, Files: group, OnError: "skip",
		})
	}
	joiner := akitad.Step{ID: freeID("join", ids), Agent: join, Goal: s.say.joinGoal(plain(s.words)), Files: files}
	for _, st := range steps {
		joiner.Needs = append(joiner.Needs, st.ID)
	}
	return append(steps, joiner)
}

// sideBySide tells questions that are about several files at once: two texts, or notes and a log.
func (s *session) sideBySide(files []string) bool {
	for i := range s.asked.Questions {
		q := &s.asked.Questions[i]
		mixed := slices.ContainsFunc(files, isProse) && !slices.ContainsFunc(files, isPasted) && slices.ContainsFunc(files, func(f string) bool { return !isProse(f) })
		if bothTexts(q, files) || mixed && changeBefore.MatchString(q.Text) && q.Intent != question.Incident {
			return true
		}
	}
	return false
}

// profile gives the wanted profile if it is known, else the first that is, else the wanted one.
func (s *session) profile(want string) string {
	for _, p := range s.brief.Profiles {
		if p.Name == want {
			return want
		}
	}
	for _, p := range s.brief.Profiles {
		if p.Name == "assistant" {
			return p.Name
		}
	}
	if len(s.brief.Profiles) > 0 {
		return s.brief.Profiles[0].Name
	}
	return want
}

// share deals files into at most n groups of about the same size.
func share(files []string, n int) [][]string {
	n = min(n, len(files))
	out := make([][]string, n)
	for i, f := range files {
		out[i*n/len(files)] = append(out[i*n/len(files)], f)
	}
	return out
}

var notID = pattern.New(`[^a-z0-9]+`)

// stepID derives a step's id from a file's name.
func stepID(file string, taken map[string]bool) string {
	base := path.Base(file)
	id := strings.Trim(notID.ReplaceAllString(strings.ToLower(strings.TrimSuffix(base, path.Ext(base))), "-"), "-")
	if id == "" {
		id = "part"
	}
	return freeID(id[:min(len(id), 32)], taken)
}

func freeID(id string, taken map[string]bool) string {
	id = strings.Trim(id, "-")
	free := id
	for i := 2; taken[free]; i++ {
		free = fmt.Sprintf("%s-%d", id, i)
	}
	taken[free] = true
	return free
}

// files are those that the work is about: the ones that the words name, else all that were given.
func (s *session) files() []string {
	if s.goal.kind == partOfFile {
		return s.goal.files
	}
	var named []string
	for _, q := range s.asked.Questions {
		for _, f := range q.Files {
			if f != s.asked.Report && !slices.Contains(named, f) {
				named = append(named, f)
			}
		}
	}
	if len(named) > 0 {
		return named
	}
	names := s.names()
	if own := s.own(); len(own) > 0 && !allFiles.MatchString(s.words) {
		names = own
	}
	var out []string
	for _, f := range names {
		if f != s.asked.Report {
			out = append(out, f)
		}
	}
	return out
}

// plain keeps a person's words from being read as a reference to another step's result.
func plain(words string) string { return strings.ReplaceAll(words, "${{", "$ {{") }
