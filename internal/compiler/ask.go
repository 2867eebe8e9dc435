package compiler

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

//go:embed prompt.md
var systemPrompt string

// Request gives the model request that compiles in: the rules as the system prompt, and the
// person's words, byte for byte, with a block that names the files and the earlier turns.
func Request(in Input) llm.Request {
	brief := llm.Brief{Language: in.Lang, Earlier: in.Earlier}
	for _, f := range in.Files {
		brief.Files = append(brief.Files, llm.BriefFile{Name: f.Name, Bytes: f.Size})
	}
	return llm.Request{
		Task:      in.Task,
		Role:      llm.RoleCompiler,
		System:    systemPrompt,
		Messages:  []llm.Message{{Speaker: llm.User, Text: brief.Append(in.Text)}},
		MaxOutput: MaxOutput,
	}
}

// ask lets the model compile in. A reply that is no spec is sent back once with what is wrong;
// after that, or if there is no whole reply, out stays as the twin made it.
func (c *Compiler) ask(ctx context.Context, in Input, out *Output) {
	req := Request(in)
	keep, known := c.recall(in, req, out)
	if known {
		return
	}
	for try := 1; try <= 2; try++ {
		reply, err := c.provider.Generate(ctx, req)
		if err != nil {
			reply.Bills = llm.Billed(err)
			reply.Usage = reply.Bills.Total()
		}
		out.Usage, out.Bills = out.Usage.Add(reply.Usage), out.Bills.Add(reply.Bills...)
		if problem := unusable(reply, err); problem != "" {
			c.warn(out, problem+", the rules compiled it")
			return
		}
		spec, err := Parse(reply.Text)
		if err == nil {
			keep(reply, spec)
			out.Spec, out.Source = withFiles(spec, in.Files), SourceModel
			if reply.Model == llm.OfflineModel {
				out.Source = SourceTwin // the offline engine compiles by the same rules
			}
			return
		}
		c.warn(out, fmt.Sprintf("reply %d is no spec: %v", try, err))
		req.Messages = append(slices.Clip(req.Messages), reply.Message(), correction(err))
	}
	c.warn(out, "the model gave no spec twice, the rules compiled it")
}

// recall gives the spec that the model made of the same words before, if it is kept. Else keep is to be
// called with what it makes now: of a reply by another endpoint than the first, which stood in for it, or
// by rules, nothing is kept.
func (c *Compiler) recall(in Input, req llm.Request, out *Output) (keep func(llm.Reply, akitad.Spec), known bool) {
	none := func(llm.Reply, akitad.Spec) {}
	if c.cache == nil || len(in.Text) > cacheBytes {
		return none, false
	}
	first := c.opts.First()
	key := keyOf(first, in.Text, req)
	if spec, ok := c.cache.get(key, in.Text, time.Now()); ok {
		out.Spec, out.Source, out.Cached = withFiles(spec, in.Files), SourceModel, true
		return none, true
	}
	return func(r llm.Reply, spec akitad.Spec) {
		if r.Endpoint == first.Name && r.Model != llm.OfflineModel {
			c.cache.put(&made{key: key, words: in.Text, spec: spec, until: time.Now().Add(cacheTime)})
		}
	}, false
}

// unusable says why there is no whole reply to read; "" if there is one.
func unusable(reply llm.Reply, err error) string {
	switch {
	case err != nil:
		return fmt.Sprintf("the model failed (%s)", akitad.KindOf(err))
	case reply.Finish == llm.FinishLength:
		return "the reply was cut by the length limit"
	case reply.Finish == llm.FinishFiltered:
		return "the reply was filtered"
	case len(reply.Calls) > 0:
		return "the reply calls a tool"
	}
	return ""
}

func (c *Compiler) warn(out *Output, text string) {
	out.Warnings = append(out.Warnings, text)
	c.opts.Log.Warn("compiler fell short", zap.String("problem", text))
}

// correction is the message that sends a reply back.
func correction(err error) llm.Message {
	text := "That is not a valid spec: " + err.Error() + "."
	if hint := akitad.FailureOf(err).Hint; hint != "" {
		text += " " + hint
	}
	return llm.Message{Speaker: llm.User, Text: text + "\nAnswer again with the whole corrected YAML and nothing else."}
}

// withFiles makes sure that the files at hand are among the given inputs.
func withFiles(spec akitad.Spec, files []akitad.File) akitad.Spec {
	for _, f := range files {
		if !slices.ContainsFunc(spec.Inputs.Given, func(g string) bool { return names(g, f.Name) }) {
			spec.Inputs.Given = append(spec.Inputs.Given, f.Name)
		}
	}
	return spec
}
