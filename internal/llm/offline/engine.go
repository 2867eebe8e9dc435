package offline

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline/question"
)

// Model is the name that replies carry.
const Model = "offline"

// Options tune an Engine; the zero value works.
type Options struct {
	Rounds int         // rounds of tool calls before it must answer; default 8
	Log    *zap.Logger // default silent
}

// Engine is the provider. It keeps nothing between requests.
type Engine struct{ opts Options }

// New makes an engine.
func New(opts Options) *Engine {
	opts.Rounds = cmp.Or(opts.Rounds, 8)
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	return &Engine{opts}
}

// Generate turns one request into the next tool calls or an answer. It returns an error only if
// ctx has ended or the request holds no words.
func (e *Engine) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, context.Cause(ctx)
	}
	s := newSession(req, e.opts)
	if s == nil {
		return llm.Reply{}, akitad.Errorf(akitad.InvalidRequest, "the request holds no message of a person")
	}
	reply := signed(req, s.reply())
	e.opts.Log.Debug("offline reply", zap.String("role", string(req.Role)), zap.Int("calls", len(reply.Calls)))
	return reply, nil
}

// signed completes a reply by what every reply has, and passes its text on.
func signed(req llm.Request, reply llm.Reply) llm.Reply {
	reply.Model, reply.Usage = Model, akitad.Usage{Calls: 1}
	if reply.Finish == "" {
		reply.Finish = llm.FinishStop
		if len(reply.Calls) > 0 {
			reply.Finish = llm.FinishCalls
		}
	}
	if req.OnText != nil && reply.Text != "" {
		req.OnText(reply.Text)
	}
	return reply
}

// Serves tells whether the engine can be of use for a request: its words ask for what it knows how
// to do. It is false for poems, translation, opinions, programming and knowledge of the world.
func (e *Engine) Serves(req llm.Request) bool {
	switch req.Role {
	case llm.RoleCompiler, llm.RolePlanner, llm.RoleSummarizer:
		return true
	case llm.RoleJudge:
		return false
	}
	s := newSession(req, e.opts)
	if s == nil {
		return false
	}
	if len(s.brief.Results) > 0 {
		return true
	}
	if _, ok := courtesyOf(s.words); ok || s.arithmetic() != "" {
		return true
	}
	switch s.asked.Intent() {
	case question.Refuse:
		return false
	case question.Help, question.Remember, question.Recall, question.Forget, question.Clock:
		return true
	}
	if s.onlyImages() {
		return false // a model sees them
	}
	switch s.asked.Intent() {
	case question.Unknown:
		if _, ok := s.fromTalk(&s.asked.Questions[0]); ok {
			return true
		}
		return (len(s.files()) > 0 || s.pasted != "") && len(s.keywords()) > 0
	}
	return true
}

// session is one request being answered.
type session struct {
	req   llm.Request
	words string // the person's, or the goal of a part
	brief llm.Brief
	goal  partGoal // how the words name this task's part in a plan of ours
	asked question.Asked
	say   say
	opts  Options

	byID    map[string]akitad.Observation
	byArgs  map[string]akitad.Observation
	earlier []string // what the person said before in this conversation
	rounds  int      // rounds of our calls so far
	want    []akitad.Call
	scope   [2]string         // since and until of what is asked of a log that is studied
	sizes   map[string]string // of files, as list_directory told them
	pasted  string            // the text that the message brings
	unseen  []string          // images beside files that were looked at
	listed  []string          // what list_directory or glob told when no file was given

	pastedCut []textLine // its lines, once they were looked at
}

// newSession gives nil if nobody said anything.
func newSession(req llm.Request, opts Options) *session {
	s := &session{req: req, opts: opts, byID: map[string]akitad.Observation{}, byArgs: map[string]akitad.Observation{}}
	if !s.readWords() {
		return nil
	}
	s.readHistory()
	s.understand()
	return s
}

// readWords finds the person's words: the first user message that carries a brief, else the first.
func (s *session) readWords() bool {
	found := false
	var before []string
	for _, m := range s.req.Messages {
		if m.Speaker != llm.User {
			continue
		}
		words, brief := llm.SplitBrief(m.Text)
		if words != m.Text {
			s.earlier, s.words, s.brief = before, words, brief
			return true
		}
		if before = append(before, words); !found {
			s.words, found = words, true
		}
	}
	return found
}

// readHistory pairs each call with what answered it.
func (s *session) readHistory() {
	calls := map[string]akitad.Call{}
	for _, m := range s.req.Messages {
		if m.Speaker == llm.Assistant && len(m.Calls) > 0 {
			if c := llm.Meant(m.Calls[0]); c.ID == callID(c.Tool, canonical(c.Args)) {
				s.rounds++ // a round of another model does not count
			}
			for _, c := range m.Calls {
				calls[c.ID] = llm.Meant(c)
			}
		}
		for _, r := range m.Results {
			s.byID[r.Call] = r
			if c, ok := calls[r.Call]; ok {
				s.byArgs[c.Tool+" "+canonical(c.Args)] = r
				s.apart(c, r)
			}
		}
	}
}

func (s *session) understand() {
	s.goal = readGoal(s.words)
	ask := cmp.Or(s.goal.words, s.words)
	if rest := politely.ReplaceAllString(ask, ""); rest != "" {
		ask = rest
	}
	if s.goal.kind == notAPart {
		ask, s.pasted = splitPasted(ask)
		s.asked = question.ParseAlone(ask, s.names())
		s.follow()
	} else {
		s.asked = question.Parse(ask, s.names())
	}
	if lang := briefLang(s.brief.Language); lang != "" && s.asked.Lang != "zh" {
		s.asked.Lang = lang
	}
	s.asked.Report = cmp.Or(s.asked.Report, s.reportFromBrief())
	if s.goal.kind == partOfFile {
		s.asked.Report = "" // the joining part writes it
	}
	s.say = say(s.asked.Lang)
}

func briefLang(s string) string {
	s = strings.ToLower(s)
	switch {
	case strings.HasPrefix(s, "zh"), strings.Contains(s, "chinese"), strings.Contains(s, "中"):
		return "zh"
	case strings.HasPrefix(s, "en"):
		return "en"
	}
	return ""
}

func (s *session) reportFromBrief() string {
	for _, line := range s.brief.Output {
		if a := question.Parse(line, s.names()); a.Report != "" {
			return a.Report
		}
	}
	return ""
}

// names are the files at hand, by their names.
func (s *session) names() []string {
	var out []string
	for _, f := range s.brief.Files {
		out = append(out, f.Name)
	}
	return append(out, s.listed...)
}

// reply picks the role's answer.
func (s *session) reply() llm.Reply {
	switch s.req.Role {
	case llm.RoleCompiler:
		return llm.Reply{Text: s.compile()}
	case llm.RolePlanner:
		return llm.Reply{Text: s.plan()}
	case llm.RoleSummarizer:
		return llm.Reply{Text: s.condense()}
	case llm.RoleJudge:
		return llm.Reply{Text: s.say.of("I cannot judge; I work by rules alone.", "我只按规则工作，不能做评判。")}
	}
	return s.act()
}

// canonical gives JSON with its keys in order, so that the same call is known again.
func canonical(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(out)
}
