package offline

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// Consult finds what documents say to a question: each snippet is a quotation, its Title where it stands, its ID the
// line.
type Consult func(ctx context.Context, question string) ([]akitad.Snippet, error)

// Consultation is the endpoint that answers a person's question by what is indexed and, where it has more than one
// part, by what is remembered. It quotes, says where it stands, and that no model was asked.
func Consultation(find Consult) llm.Endpoint {
	c := consultation{New(Options{}), find}
	return llm.Endpoint{Name: llm.StrategyKnowing, Protocol: Model, Model: Model, Provider: c, Serves: c.serves, Offline: true, Memory: true}
}

type consultation struct {
	engine *Engine
	find   Consult
}

// maxConsulted bounds a question for documents, in bytes: what is longer is a text, and each question mark in it
// would be a look into the index.
const maxConsulted = 4 << 10

// consultTime bounds a look into the index.
const consultTime = 10 * time.Second

func (c consultation) serves(req llm.Request) bool {
	s := newSession(req, c.engine.opts)
	if s == nil || req.Role != llm.RoleMain {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), consultTime)
	defer cancel()
	return s.consult(ctx, c.find).whole()
}

// Generate implements llm.Provider. What nothing here answers is said to be unknown.
func (c consultation) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, context.Cause(ctx)
	}
	s := newSession(req, c.engine.opts)
	if s == nil {
		return llm.Reply{}, akitad.Errorf(akitad.InvalidRequest, "the request holds no message of a person")
	}
	out := outcome{refused: true, text: s.say.of("Nothing that is indexed or remembered here answers this.", "这里的知识库和记忆都没有这个问题的答案。")}
	switch t := s.consult(ctx, c.find); {
	case ctx.Err() != nil:
		return llm.Reply{}, context.Cause(ctx)
	case t.whole():
		out = t.said(s.say)
	case t.failed:
		out.text = s.say.of("The index of documents could not be read, so whether it answers this is not known.", "文档索引无法读取，因此不知道其中有没有答案。")
	}
	return signed(req, s.deliver(out)), nil
}

// findings are what is known of the parts of a question.
type findings struct {
	quoted     []akitad.Snippet
	remembered []string
	missing    bool // a part is not answered
	failed     bool // the index could not be read
}

// whole tells an answer to all parts: half of one is worse than a whole one later.
func (f findings) whole() bool { return !f.missing && len(f.quoted)+len(f.remembered) > 0 }

var (
	// wantsDone tells words that want something done; how and why are questions that documents answer.
	wantsDone = pattern.New(`(?i)^(?:can|could|would|will) (?:you|we|somebody|someone)\b|帮我|替我|给我(?:写|做|买|订|画|编)|怎么(?:办|看)`)
	// ofFiles are words for what lies in a folder: the engine looks there.
	ofFiles = pattern.New(`(?i)\b(?:files?|logs?|lines?|rows?|columns?|csv|json)\b|文件|日志|行|列|表格`)
)

// consult looks for the answer to a question in what is indexed, and to parts of it in what is remembered.
func (s *session) consult(ctx context.Context, find Consult) (f findings) {
	if len(s.words) > maxConsulted {
		return findings{missing: true}
	}
	words := leadIn.ReplaceAllString(s.words, "")
	f.missing = !s.bare() || !isQuestion.MatchString(words) || wantsDone.MatchString(words) || len(s.brief.Files) > 0 && ofFiles.MatchString(words)
	if f.missing || slices.ContainsFunc(s.asked.Questions, notForDocuments) {
		return findings{missing: true}
	}
	if parts := s.severally(words); len(parts) > 1 {
		if f = s.consultEach(ctx, find, parts); f.whole() {
			return f
		}
	}
	found, err := find(ctx, words)
	return findings{quoted: found, missing: len(found) == 0, failed: f.failed || err != nil}
}

// consultEach looks for the answer to each of several questions in what is remembered, else in what is indexed.
func (s *session) consultEach(ctx context.Context, find Consult, parts []string) (f findings) {
	for _, part := range parts {
		if found := s.remembers(part); len(found) > 0 {
			f.remembered = append(f.remembered, found...)
			continue
		}
		found, err := find(ctx, leadIn.ReplaceAllString(part, ""))
		for _, q := range found {
			if !slices.Contains(f.quoted, q) {
				f.quoted = append(f.quoted, q)
			}
		}
		f.missing, f.failed = f.missing || len(found) == 0, f.failed || err != nil
	}
	return f
}

// severally gives the questions that words ask one after the other.
func (s *session) severally(words string) (out []string) {
	for _, part := range questionEnds.FindAllString(words, -1) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	if len(out) > 1 {
		return out
	}
	out = nil
	for _, q := range s.asked.Questions {
		out = append(out, q.Original)
	}
	return append(out, s.asked.Unknown...)
}

// questionEnds parts words after each question mark.
var questionEnds = pattern.New(`[^?？]+[?？]*`)

// remembers gives what is remembered that answers a part of a question.
func (s *session) remembers(part string) []string {
	asked := question.Parse(part, s.names())
	if len(asked.Questions) != 1 {
		return nil
	}
	words := s.memoryTerms(&asked.Questions[0])
	if len(words) == 0 {
		return nil
	}
	return best(slices.Concat(s.brief.Known, s.brief.Remembered), words)
}

// notForDocuments tells what no document of the knowledge base is asked for.
func notForDocuments(q question.Question) bool {
	switch q.Intent {
	case question.Help, question.Remember, question.Forget, question.Clock, question.ListFiles, question.FindFiles:
		return true
	}
	return len(q.Files) > 0
}

// said puts what was found into words: each quotation with where it stands.
func (f findings) said(l say) outcome {
	var out []string
	if len(f.quoted) > 0 {
		out = append(out, l.of("The documents say:", "文档中写道："))
	}
	for _, q := range f.quoted {
		text := strings.ReplaceAll(strings.TrimSpace(q.Text), "\n", "\n> ")
		out = append(out, "> "+text+"\n\n"+l.f("(%s, line %s)", "（%s，第 %s 行）", q.Title, q.ID))
	}
	if len(f.remembered) > 0 {
		out = append(out, l.of("I remember:", "我记得：")+"\n- "+strings.Join(f.remembered, "\n- "))
	}
	return outcome{text: strings.Join(out, "\n")}
}
