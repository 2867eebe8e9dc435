package offline

import (
	"context"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// maxRecollected is how many entries an answer from memory names at most.
const maxRecollected = 5

// Recollection is the endpoint that answers a person's question from what is remembered, if that holds the
// answer, and says so. It reads no file and does no work.
func Recollection() llm.Endpoint {
	r := recollection{New(Options{})}
	return llm.Endpoint{Name: llm.StrategyMemory, Protocol: Model, Model: Model, Provider: r, Serves: r.serves, Offline: true, Memory: true}
}

type recollection struct{ engine *Engine }

func (r recollection) serves(req llm.Request) bool {
	if req.Role != llm.RoleMain {
		return false
	}
	s := newSession(req, r.engine.opts)
	return s != nil && len(s.recollect()) > 0
}

// Generate implements llm.Provider. What memory does not hold is said to be unknown.
func (r recollection) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, context.Cause(ctx)
	}
	s := newSession(req, r.engine.opts)
	if s == nil {
		return llm.Reply{}, akitad.Errorf(akitad.InvalidRequest, "the request holds no message of a person")
	}
	out := outcome{refused: true, text: s.say.of("I remember nothing about this.", "我没有记住与此有关的内容。")}
	if found := s.recollect(); len(found) > 0 {
		out = s.sayRemembered(found)
	}
	return signed(req, s.deliver(out)), nil
}

// isQuestion tells words that ask from words that want something done, and wantsWork those among the first
// that want it done all the same.
var (
	leadIn     = pattern.New(`(?i)^\s*(?:(?:please|hey|so|and|then|now|also|well|ok)[ ,]+)*(?:(?:(?:can|could|would|will) you )?(?:please )?(?:tell|remind|say)(?: (?:me|us|to me))?(?: again)? |do you (?:still |by chance )?(?:know|remember|recall) )?`)
	isQuestion = pattern.New(`(?i)[?？]|^(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|has|have|had)\b|什么|啥|谁|哪|几|多少|吗|呢|怎么|怎样|如何|是不是|有没有|会不会|能不能|何时|多大|多久|多远|多长|多高`)
	wantsWork  = pattern.New(`(?i)\b(?:can|could|would|will) (?:you|we|somebody|someone)\b|^how (?:do|can|could|should|would|to)\b|^why\b|怎么(?:做|办|写|弄|去|修)|如何|为什么|为啥|帮我|能不能|可以.*吗`)
)

// recollect gives what is remembered that answers a question, nil if it is none for memory alone: one that
// names no file and wants nothing done, before any tool was called for it.
func (s *session) recollect() []string {
	if !s.bare() || len(s.asked.Unknown) > 0 {
		return nil
	}
	if words := leadIn.ReplaceAllString(s.words, ""); !isQuestion.MatchString(words) || wantsWork.MatchString(words) {
		return nil
	}
	var out []string
	for i := range s.asked.Questions {
		found := s.recollectOne(&s.asked.Questions[i])
		if len(found) == 0 {
			return nil // half an answer is worse than a whole one later
		}
		for _, f := range found {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out[:min(len(out), maxRecollected)]
}

// bare tells a person's words that nothing came with and no tool was called for.
func (s *session) bare() bool {
	return s.goal.kind == notAPart && len(s.brief.Results) == 0 && s.brief.Schema == "" && len(s.byID) == 0 && len(s.brief.Sent) == 0 && !s.req.HasImages()
}

func (s *session) recollectOne(q *question.Question) []string {
	switch q.Intent {
	case question.Refuse, question.Help, question.Remember, question.Forget, question.Clock, question.ListFiles, question.FindFiles, question.Incident:
		return nil
	}
	if onADate(q) || len(q.Files) > 0 || len(s.brief.Files) > 0 && q.Intent != question.Recall && !mine.MatchString(q.Text) {
		return nil
	}
	words := s.memoryTerms(q)
	if found := best(slices.Concat(s.brief.Known, s.brief.Remembered), words); len(found) > 0 && len(words) > 0 {
		return found
	}
	if len(s.asked.Questions) > 1 {
		return nil // what memory found is for the words as a whole
	}
	return s.brief.Remembered
}
