package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/memory"
)

type memoryIn struct {
	Q      string `query:"q" doc:"What the entries must have to do with; empty for all."`
	Type   string `query:"type" doc:"Only entries of this type." enum:"fact,preference,skill,context,rule,error,experience"`
	Person string `query:"person" doc:"Whose view: their own entries and the common ones; empty for everybody's."`
	Limit  int    `query:"limit" doc:"How many, at most 500." default:"50" minimum:"1" maximum:"500"`
}

type rememberIn struct{ Body client.Remember }

type entryOut struct{ Body memory.Entry }

type entryID struct {
	ID string `path:"id" doc:"An entry's id, as GET /v1/memory has it." maxLength:"64"`
}

func (s *Server) memories() {
	route(s, huma.Operation{OperationID: "list-memory", Method: http.MethodGet, Path: "/v1/memory", Summary: "What is remembered"}, s.listMemory)
	route(s, huma.Operation{OperationID: "remember", Method: http.MethodPost, Path: "/v1/memory", Summary: "Keep an entry", DefaultStatus: http.StatusCreated}, s.remember)
	route(s, huma.Operation{OperationID: "forget", Method: http.MethodDelete, Path: "/v1/memory/{id}", Summary: "Remove an entry and its history"},
		func(ctx context.Context, in *entryID) (*struct{}, error) {
			if err := s.Memory.Forget(ctx, in.ID, memory.Everyone); err != nil {
				return nil, problem(err)
			}
			return nil, nil
		})
}

func (s *Server) listMemory(ctx context.Context, in *memoryIn) (*page[memory.Entry], error) {
	person := in.Person
	if person == "" {
		person = memory.Everyone
	}
	entries, err := s.Memory.List(ctx, memory.Query{Text: in.Q, Person: person, Type: memory.Type(in.Type), Limit: in.Limit})
	if err != nil {
		return nil, problem(err)
	}
	if entries == nil {
		entries = []memory.Entry{}
	}
	return &page[memory.Entry]{client.Page[memory.Entry]{Items: entries}}, nil
}

func (s *Server) remember(ctx context.Context, in *rememberIn) (*entryOut, error) {
	e, err := EntryOf(in.Body, time.Now())
	if err != nil {
		return nil, problem(err)
	}
	if e, err = s.Memory.Remember(ctx, e); err != nil {
		return nil, problem(err)
	}
	return &entryOut{e}, nil
}

// EntryOf gives the entry that a request asks to keep, at the time now.
func EntryOf(r client.Remember, now time.Time) (memory.Entry, error) {
	e := memory.Entry{Text: r.Text, Type: memory.Type(r.Type), Topic: r.Topic}
	if r.Person != "" {
		e.Scope = memory.PersonScope(r.Person)
	}
	if r.Life == "" {
		return e, nil
	}
	until, err := memory.Life(r.Life).Until(now)
	e.Until = until
	return e, err
}
