package admin

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/controls"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
)

// maxWait is the longest that a request may wait for its task.
const maxWait = 10 * time.Minute

type taskID struct {
	ID string `path:"id" doc:"A task id; it begins with t_." maxLength:"64"`
}

type taskOut struct {
	Status int
	Body   akitad.Task
}

type anyOut struct {
	Status int
	Body   any
}

func (s *Server) tasks() {
	route(s, huma.Operation{
		OperationID: "create-task", Method: http.MethodPost, Path: "/v1/tasks", Summary: "Hand in a task", DefaultStatus: http.StatusAccepted, MaxBodyBytes: maxBody, BodyReadTimeout: s.opts.BodyTime,
	}, s.create)
	s.emptyContent("InputFile")
	create := s.api.OpenAPI().Paths["/v1/tasks"].Post
	also[client.Accepted](s, create, http.StatusAccepted, "It is in the journal")
	also[akitad.Task](s, create, http.StatusOK, "With wait: it has ended in time")
	route(s, huma.Operation{OperationID: "list-tasks", Method: http.MethodGet, Path: "/v1/tasks", Summary: "List tasks, newest first"}, s.list)
	route(s, huma.Operation{OperationID: "show-task", Method: http.MethodGet, Path: "/v1/tasks/{id}", Summary: "Show one task"}, s.show)
}

// emptyContent lets the content of a schema's files be empty, which the framework takes for no base64.
func (s *Server) emptyContent(schema string) {
	if of := s.api.OpenAPI().Components.Schemas.Map()[schema]; of != nil {
		of.Properties["content"].ContentEncoding = ""
		of.Properties["content"].Extensions = map[string]any{"contentEncoding": "base64"}
	}
}

// create answers 202 once the task is in the journal; with wait, 200 and the task if it ends in time.
func (s *Server) create(ctx context.Context, in *struct {
	Via  string `query:"via" enum:"http,cli" default:"http" doc:"What hands the task in: cli is the command line."`
	Key  string `header:"Idempotency-Key" maxLength:"200" doc:"In place of idempotency_key in the body."`
	Body akitad.TaskRequest
},
) (*anyOut, error) {
	wait, err := waitTime(in.Body.Wait)
	if err != nil {
		return nil, problem(err)
	}
	if err := s.opts.Room.Check(); err != nil {
		return nil, problem(err)
	}
	if in.Key != "" && in.Body.IdempotencyKey != "" && in.Key != in.Body.IdempotencyKey {
		return nil, problem(akitad.Errorf(akitad.InvalidRequest, "the header Idempotency-Key and idempotency_key in the body differ").WithHint("send one of the two"))
	}
	in.Body.Via, in.Body.IdempotencyKey = in.Via, cmp.Or(in.Body.IdempotencyKey, in.Key)
	id, err := s.Orchestrator.Submit(ctx, "http", in.Body)
	if err != nil {
		return nil, problem(err)
	}
	t, err := s.Journal.Load(ctx, id)
	if err != nil {
		return nil, problem(err)
	}
	if wait > 0 && !t.Final() {
		wctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		if t, err = s.Journal.Wait(wctx, id, (*journal.Task).Final); err != nil && wctx.Err() == nil {
			return nil, problem(err)
		}
	}
	if wait > 0 && t.Final() {
		return &anyOut{Status: http.StatusOK, Body: t.View()}, nil
	}
	return &anyOut{Status: http.StatusAccepted, Body: client.Accepted{ID: id, State: t.State}}, nil
}

func waitTime(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > maxWait {
		return 0, akitad.Errorf(akitad.InvalidRequest, "wait %q is not a time up to %s", s, maxWait).WithHint("write it like 30s or 2m")
	}
	return d, nil
}

type listIn struct {
	State   string `query:"state" enum:"pending,running,waiting,blocked,completed,failed,cancelled" doc:"Only tasks in this state."`
	Session string `query:"session" doc:"Only tasks of this session."`
	ID      string `query:"id" maxLength:"64" doc:"Only tasks whose id begins with this."`
	Q       string `query:"q" doc:"Only tasks whose text contains this."`
	Limit   int    `query:"limit" doc:"How many, at most 500." default:"50" minimum:"1" maximum:"500"`
	Cursor  string `query:"cursor" doc:"The next of the answer before."`
}

type page[T any] struct{ Body client.Page[T] }

func (s *Server) list(ctx context.Context, in *listIn) (*page[client.Summary], error) {
	s.caughtUp(ctx)
	rows, next, err := s.Projection.List(ctx, projection.Filter{
		IDPrefix: in.ID,
		State:    akitad.State(in.State), Session: akitad.SessionKey(in.Session), Query: in.Q, Limit: in.Limit, Cursor: in.Cursor,
	})
	if err != nil {
		return nil, problem(err)
	}
	out := client.Page[client.Summary]{Items: []client.Summary{}, Next: next}
	for _, r := range rows {
		out.Items = append(out.Items, client.Summary{
			ID: r.ID, Root: r.Root, Parent: r.Parent, Depth: r.Depth, State: r.State, Reason: r.Reason, Profile: r.Profile, Session: r.Session,
			Channel: r.Channel, Text: r.Text, Rounds: r.Rounds, Attempts: r.Attempts, Usage: r.Usage, Created: r.Created, Started: r.Started, Ended: r.Ended,
		})
	}
	return &page[client.Summary]{out}, nil
}

// lag is how long a listing waits for what was stored before it was asked for.
const lag = time.Second

// caughtUp waits until the read model has all that is in the journal now, so that who has just seen a
// task end finds it ended. What takes too long is listed as it was.
func (s *Server) caughtUp(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lag)
	defer cancel()
	last, found, err := s.Bus.LastTask(ctx, "akita.task.>")
	for err == nil && found {
		var have uint64
		if have, err = s.Projection.Cursor(ctx); err != nil || have >= last.Seq {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) show(ctx context.Context, in *taskID) (*struct{ Body akitad.Task }, error) {
	t, err := s.load(ctx, in.ID)
	if err != nil {
		return nil, problem(err)
	}
	v := t.View()
	if v.State == akitad.Pending {
		v.Reason = s.pendingReason(ctx, t)
	}
	return &struct{ Body akitad.Task }{v}, nil
}

func (s *Server) pendingReason(ctx context.Context, t *journal.Task) string {
	return PendingReason(ctx, s.Bus, s.Controls, t)
}

// PendingReason says why a pending task has not begun, "" if it is about to. It asks who could run the
// task, within a second: the queue itself cannot tell none from busy. Switches may be nil.
func PendingReason(ctx context.Context, b *bus.Bus, switches *controls.Controls, t *journal.Task) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	switch _, found, err := b.AskHere(ctx, t.Target()); {
	case err != nil:
		return ""
	case !found:
		return akitad.ReasonNoWorker
	}
	if switches != nil {
		if now, err := switches.State(ctx); err == nil && now.IsPaused(t.Target()) {
			return akitad.ReasonPaused
		}
	}
	if time.Since(t.Updated) > time.Second {
		return akitad.ReasonPoolFull
	}
	return ""
}

// load reads the journal, so that a task just made is never missed.
func (s *Server) load(ctx context.Context, id string) (*journal.Task, error) {
	tid := akitad.TaskID(id)
	if !tid.Valid() {
		return nil, akitad.Errorf(akitad.NotFound, "%q is not a task id", id).WithHint("task ids are t_ and 24 of a-z and 2-7; list them at /v1/tasks (akitad task ls)")
	}
	t, err := s.Journal.Load(ctx, tid)
	if err == nil && !t.Exists() {
		err = akitad.Errorf(akitad.NotFound, "there is no task %s", id).WithHint("list the known ones at /v1/tasks (akitad task ls)")
	}
	return t, err
}
