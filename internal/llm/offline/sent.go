package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// allFiles tells words that are about more than the files that came with them.
var allFiles = pattern.New(`(?i)\b(?:all|every|each)(?: of)?(?: the| these| those| my| our)? (?:files?|logs?|csvs?|tables?|documents?)\b|\bboth\b|\bcompar\w*|(?:所有|全部)的?(?:文件|日志|表|数据|文档)|(?:文件|日志|表格?|数据)(?:全部|都)|两个(?:文件|日志|表)|两份|每个(?:文件|日志|表)|比较|对比`)

// own are the files that came with the message itself.
func (s *session) own() []string {
	return slices.DeleteFunc(slices.Clone(s.brief.Sent), func(f string) bool { return !slices.Contains(s.names(), f) })
}

// besideOwn adds the message's own files to those of others that the words compare them with.
func (s *session) besideOwn(q *question.Question, files []string) []string {
	if q.Intent != question.Compare || len(files) != 1 || slices.Contains(s.brief.Sent, files[0]) {
		return files
	}
	return append(s.own(), files...)
}

// answersFor tells files whose not being read is to be said: those of this message and those that the
// words name. What another message brought was spoken of then.
func (s *session) answersFor(file string) bool {
	named := slices.ContainsFunc(s.asked.Questions, func(q question.Question) bool { return slices.Contains(q.Files, file) })
	return named || s.goal.kind != notAPart || slices.Contains(s.brief.Sent, file) || len(s.brief.Sent)+len(s.earlier) == 0
}

// closedEndings are those of files that hold no text.
var closedEndings = []string{".bin", ".exe", ".dll", ".so", ".zip", ".gz", ".tgz", ".tar", ".7z", ".rar", ".jar", ".iso", ".mp3", ".mp4", ".ogg", ".oga", ".wav", ".m4a", ".mov", ".avi", ".webm", ".sqlite", ".db"}

// readable leaves out files of other messages that hold no text.
func (s *session) readable(files []string) []string {
	return slices.DeleteFunc(files, func(f string) bool {
		return slices.Contains(closedEndings, strings.ToLower(path.Ext(f))) && !s.answersFor(f)
	})
}

// current leaves out what lies in the folder from another conversation.
func (s *session) current(names []string) []string {
	if s.brief.Others == 0 {
		return names
	}
	return slices.DeleteFunc(names, func(f string) bool { return !slices.Contains(s.names(), f) })
}

// follow reads the words as leaning on what was said before. A message that brings files of its own is not
// about those that went before it; one that only wants a report wants that of the last question.
func (s *session) follow() {
	named := slices.ContainsFunc(s.asked.Questions, func(q question.Question) bool { return len(q.Files) > 0 })
	if n := len(s.earlier); s.asked.Bare && n > 0 && len(s.brief.Sent) == 0 {
		before := question.Parse(s.earlier[n-1], s.names()).Follow(s.earlier[:n-1], s.names())
		if i := before.Questions[0].Intent; i != question.Unknown && i != question.Refuse {
			s.asked.Questions, s.asked.Unknown = before.Questions, nil
			return
		}
	}
	s.asked = s.asked.Follow(s.earlier, s.names())
	if len(s.brief.Sent) == 0 || named {
		return
	}
	for i := range s.asked.Questions {
		s.asked.Questions[i].Files = nil
	}
}
