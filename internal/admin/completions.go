package admin

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// houseModel is the model that stands for the default profile.
const houseModel = "akitad"

// completions are the routes by which programs made for OpenAI's API use akitad: each request is a task,
// each profile a model.
func (s *Server) completions(mux *http.ServeMux) {
	model := s.schemaOf(reflect.TypeFor[modelOut]())
	for _, d := range []rawRoute{
		{
			method: http.MethodPost, path: completionsPath, id: "create-chat-completion", summary: "A task, asked for and answered as OpenAI's API does; stream: true streams", serve: s.complete,
			params:  []*huma.Param{{Name: "Idempotency-Key", In: "header", Description: "The same key gives the same task, and no second one.", Schema: text("")}},
			body:    completionBody(),
			answers: map[int]map[string]*huma.Schema{200: {"application/json": s.schemaOf(reflect.TypeFor[completionOut]()), "text/event-stream": text("Chunks of the same shape, with delta in place of message, then [DONE].")}},
		},
		{
			method: http.MethodGet, path: modelsPath, id: "list-models", summary: "The profiles, as OpenAI's API lists models", serve: s.models,
			answers: map[int]map[string]*huma.Schema{200: {"application/json": object("", map[string]*huma.Schema{"object": text("", "list"), "data": listOf("", model)}, "object", "data")}},
		},
		{
			method: http.MethodGet, path: modelsPath + "/{model}", id: "show-model", summary: "One profile, as OpenAI's API shows a model", serve: s.model,
			params: []*huma.Param{inPath("model", "akitad, or the name of an agent.")}, answers: map[int]map[string]*huma.Schema{200: {"application/json": model}},
		},
	} {
		s.raw(mux, d, func(w http.ResponseWriter, err error) { writeOpenAIError(w, problem(err)) })
	}
}

// complete makes a task of the messages and answers with what it comes to.
func (s *Server) complete(w http.ResponseWriter, r *http.Request) error {
	in, err := s.readCompletion(w, r)
	if err != nil {
		return err
	}
	req, err := s.completionTask(in)
	if err != nil {
		return err
	}
	if err := s.opts.Room.Check(); err != nil {
		return err
	}
	req.IdempotencyKey = r.Header.Get("Idempotency-Key")
	if req.IdempotencyKey == "" {
		req.IdempotencyKey = rand.Text() // the id is known before the task is there, so that no live text is missed
	}
	c := &completion{Server: s, in: in, id: akitad.DeriveTaskID("http", req.IdempotencyKey), said: newSaying(), created: time.Now().Unix()}
	stop, err := s.Bus.OnLive(r.Context(), string(c.id), c.said.hear)
	if err != nil {
		return err
	}
	defer stop()
	if _, err := s.Orchestrator.Submit(r.Context(), "http", req); err != nil {
		return err
	}
	w.Header().Set("X-Akita-Task", string(c.id))
	if in.Stream {
		return c.stream(w, r)
	}
	return c.whole(w, r)
}

// readCompletion reads the body within the time and size that every request has.
func (s *Server) readCompletion(w http.ResponseWriter, r *http.Request) (in completionIn, err error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(s.opts.BodyTime)) // not every server can; the size is bounded all the same
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = control.SetReadDeadline(time.Time{})
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return in, akitad.Errorf(akitad.InvalidRequest, "the request has more than %d bytes", maxBody).WithHint(hintFor(http.StatusRequestEntityTooLarge))
	}
	if err != nil {
		return in, akitad.Errorf(akitad.InvalidRequest, "read the request: %w", err)
	}
	if err := checkText(body); err != nil {
		return in, err
	}
	err = json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &in)
	if err != nil && akitad.KindOf(err) == akitad.Unknown {
		err = akitad.Errorf(akitad.InvalidRequest, "the request is no chat completion: %w", err).WithHint("send one JSON object with model and messages")
	}
	return in, err
}

// completionTask gives the task of a request. What would be left out without a word is refused.
func (s *Server) completionTask(in completionIn) (req akitad.TaskRequest, err error) {
	if in.N > 1 {
		return req, akitad.Errorf(akitad.InvalidRequest, "n is %d, and a task has one answer", in.N).WithHint("leave n out")
	}
	if some(in.Tools) || some(in.Funcs) {
		return req, akitad.Errorf(akitad.InvalidRequest, "tools of the caller are not called: agents have their own").WithHint("leave tools out; GET /v1/tools lists what agents use")
	}
	if req.Profile, err = s.profileOf(in.Model); err != nil {
		return req, err
	}
	talk, err := read(in.Messages)
	if err != nil {
		return req, err
	}
	talk.chat.Sender = in.User
	req.Text, req.Files, req.Chat = talk.text, talk.files, &talk.chat
	if f := in.Format; f != nil {
		switch f.Type {
		case "json_schema":
			req.OutputSchema = f.Schema.Schema
		case "json_object":
			req.OutputSchema = akitad.RawJSON(`{"type":"object"}`)
		}
	}
	return req, nil
}

// some reports whether a list that may be missing has anything in it.
func some(list json.RawMessage) bool {
	var all []json.RawMessage
	return len(list) > 0 && (json.Unmarshal(list, &all) != nil || len(all) > 0)
}

// profileOf gives the profile that a model stands for, "" for the default one.
func (s *Server) profileOf(model string) (string, error) {
	if model == "" || model == houseModel {
		return "", nil
	}
	all := s.Profiles.Described()
	names := []string{houseModel}
	for _, p := range all {
		names = append(names, p.Name)
	}
	if !slices.Contains(names, model) {
		return "", akitad.Errorf(akitad.NotFound, "there is no model %q", model).WithHint("known: " + strings.Join(names, ", "))
	}
	return model, nil
}

// completion is one request that is being answered.
type completion struct {
	*Server
	in      completionIn
	id      akitad.TaskID
	said    *saying
	created int64
}

// over reports whether a task has an answer: it has ended, or asks somebody and waits for that.
func over(t *journal.Task) bool { return t.Final() || t.State == akitad.Waiting && t.Question() != "" }

// wait gives the task once it has an answer.
func (c *completion) wait(ctx context.Context) (akitad.Task, error) {
	rounds := 0
	t, err := c.Journal.Wait(ctx, c.id, func(t *journal.Task) bool {
		if len(t.Rounds) > rounds {
			rounds = len(t.Rounds)
			c.said.turn()
		}
		return over(t)
	})
	return t.View(), err
}

// whole answers once the task has.
func (c *completion) whole(w http.ResponseWriter, r *http.Request) error {
	v, err := c.wait(r.Context())
	if err != nil {
		c.left(r)
		return err
	}
	text, err := answerOf(v)
	if err != nil {
		return err
	}
	out := c.out("chat.completion", completionChoice{Message: &completionWords{"assistant", &text}, Finish: finish(v)})
	out.Usage, out.Akita = usageOf(v.Usage), taskOf(v)
	body, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return write(w, "application/json", body)
}

// answerOf gives what a task says to who asked: its answer, data if a schema was asked for, or its
// question to them.
func answerOf(v akitad.Task) (string, error) {
	switch {
	case v.Result != nil && len(v.Result.Data) > 0 && v.State == akitad.Completed:
		return string(v.Result.Data), nil
	case v.Result != nil && v.State == akitad.Completed:
		return v.Result.Text, nil
	case v.Question != "":
		return v.Question, nil
	case v.Error != nil:
		return "", v.Error.Err()
	}
	return "", akitad.Errorf(akitad.Unknown, "task %s is %s and has no answer", v.ID, v.State)
}

func finish(v akitad.Task) *string {
	reason := "stop"
	if v.Result != nil && v.Result.Partial && !v.Result.Told {
		reason = "length"
	}
	return &reason
}

func taskOf(v akitad.Task) *completionTask {
	t := &completionTask{Task: v.ID, State: v.State, Cost: v.Usage.Cost}
	if v.Result != nil {
		t.Partial, t.Missing, t.Degraded, t.Files = v.Result.Partial, v.Result.Missing, v.Result.Degraded, v.Result.Artifacts
	}
	return t
}

func (c *completion) out(object string, choices ...completionChoice) completionOut {
	if choices == nil {
		choices = []completionChoice{}
	}
	model := c.in.Model
	if model == "" {
		model = houseModel
	}
	return completionOut{ID: "chatcmpl-" + string(c.id), Object: object, Created: c.created, Model: model, Choices: choices}
}

// left cancels a task whose reader has gone: nobody else waits for it. One that the daemon leaves behind
// since it stops goes on when it is back.
func (c *completion) left(r *http.Request) {
	if r.Context().Err() == nil || stopping(r) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), stopWithin)
	defer cancel()
	if err := c.Orchestrator.Cancel(ctx, c.id, "who asked has gone"); err != nil {
		c.Log.Warn("a task whose reader has gone is not cancelled", zap.String("task", string(c.id)), zap.Error(err))
	}
}

type modelOut struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	Owner   string `json:"owned_by"`
	Does    string `json:"description,omitempty"`
}

func (s *Server) allModels() []modelOut {
	out := []modelOut{{houseModel, "model", 0, "akitad", "the default profile"}}
	for _, p := range s.Profiles.Described() {
		out = append(out, modelOut{p.Name, "model", 0, "akitad", p.Description})
	}
	return out
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) error {
	body, err := json.Marshal(struct {
		Object string     `json:"object"`
		Data   []modelOut `json:"data"`
	}{"list", s.allModels()})
	if err != nil {
		return err
	}
	return write(w, "application/json", body)
}

func (s *Server) model(w http.ResponseWriter, r *http.Request) error {
	for _, m := range s.allModels() {
		if m.ID == r.PathValue("model") {
			body, err := json.Marshal(m)
			return errors.Join(err, write(w, "application/json", body))
		}
	}
	_, err := s.profileOf(r.PathValue("model"))
	return err
}
