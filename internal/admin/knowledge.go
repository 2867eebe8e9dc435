package admin

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/knowledge"
)

type knowledgeIn struct {
	Q      string `query:"q" maxLength:"2000" doc:"What to look for; empty lists the documents."`
	Source string `query:"source" maxLength:"512" doc:"Only in this document: its id or name."`
	Limit  int    `query:"limit" doc:"How many: at most 500 documents, at most 100 places in them." default:"20" minimum:"1" maximum:"500"`
	Cursor string `query:"cursor" maxLength:"600" doc:"Of documents: the next of the answer before."`
}

type documentIn struct{ Body client.Document }

type knowledgeOut struct{ Body client.Knowledge }

type sourceID struct {
	ID string `path:"id" maxLength:"512" doc:"Id or name of a document."`
}

// knowledge are the routes to what the owner gave everybody to read.
func (s *Server) knowledge() {
	if s.Knowledge == nil {
		return
	}
	route(s, huma.Operation{OperationID: "list-knowledge", Method: http.MethodGet, Path: "/v1/knowledge", Summary: "Documents of the knowledge base, or what stands in them"}, s.listKnowledge)
	route(s, huma.Operation{
		OperationID: "index", Method: http.MethodPost, Path: "/v1/knowledge", Summary: "Index a document", DefaultStatus: http.StatusCreated, MaxBodyBytes: maxBody, BodyReadTimeout: s.opts.BodyTime,
	}, s.index)
	route(s, huma.Operation{OperationID: "unindex", Method: http.MethodDelete, Path: "/v1/knowledge/{id}", Summary: "Take a document out of the index"},
		func(ctx context.Context, in *sourceID) (*struct{}, error) {
			if _, err := s.Knowledge.Remove(ctx, in.ID); err != nil {
				return nil, problem(err)
			}
			return nil, nil
		})
}

func (s *Server) listKnowledge(ctx context.Context, in *knowledgeIn) (*page[client.Knowledge], error) {
	out, err := FindKnowledge(ctx, s.Knowledge, in.Q, in.Source, in.Cursor, in.Limit)
	if err != nil {
		return nil, problem(err)
	}
	return &page[client.Knowledge]{out}, nil
}

func (s *Server) index(ctx context.Context, in *documentIn) (*knowledgeOut, error) {
	if err := s.opts.Room.Check(); err != nil {
		return nil, problem(err)
	}
	out, err := Index(ctx, s.Knowledge, in.Body)
	if err != nil {
		return nil, problem(err)
	}
	return &knowledgeOut{out}, nil
}

// FindKnowledge gives what stands in the documents, at most knowledge.MaxLimit places, or without words the documents
// themselves.
func FindKnowledge(ctx context.Context, b *knowledge.Base, words, source, cursor string, limit int) (client.Page[client.Knowledge], error) {
	out := client.Page[client.Knowledge]{Items: []client.Knowledge{}}
	if source != "" {
		src, err := b.Source(ctx, source)
		if err != nil {
			return out, err
		}
		if source = src.ID; words == "" {
			out.Items = append(out.Items, document(src))
			return out, nil
		}
	}
	if words == "" {
		all, next, err := b.Sources(ctx, cursor, limit)
		for _, src := range all {
			out.Items = append(out.Items, document(src))
		}
		out.Next = next
		return out, err
	}
	if limit > knowledge.MaxLimit {
		return out, akitad.Errorf(akitad.InvalidRequest, "a search gives at most %d places, not %d", knowledge.MaxLimit, limit).
			WithHint(fmt.Sprintf("set limit to %d or less, or narrow the words; without q the documents are listed", knowledge.MaxLimit))
	}
	hits, err := b.Search(ctx, knowledge.Query{Text: words, Source: source, Limit: limit})
	for _, h := range hits {
		out.Items = append(out.Items, client.Knowledge{
			ID: h.ID, Name: h.Name, Kind: string(h.Kind), Source: h.Source, Title: h.Title, Text: h.Text, Line: h.Line, Score: h.Score, Read: h.Read,
		})
	}
	return out, err
}

// Index indexes the document of a request. A relative path is refused: whoever sends it is in another folder.
func Index(ctx context.Context, b *knowledge.Base, d client.Document) (client.Knowledge, error) {
	given := 0
	for _, is := range []bool{d.Path != "", d.Text != "", len(d.Content) > 0} {
		if is {
			given++
		}
	}
	if given != 1 || d.Path != "" && d.Name != "" {
		return client.Knowledge{}, akitad.Errorf(akitad.InvalidRequest, "a document is a path, or a name with either text or content").
			WithHint(`send {"path": "/docs/a.md"}, or {"name": "a.md", "text": "..."}`)
	}
	if d.Path != "" && !filepath.IsAbs(d.Path) {
		return client.Knowledge{}, akitad.Errorf(akitad.InvalidRequest, "the path %.200q is relative, and it is not known to which folder", d.Path).
			WithHint("send the absolute path of a file on the daemon's machine, or its name and text or content")
	}
	data := d.Content
	if d.Text != "" {
		data = []byte(d.Text)
	}
	src, changed, err := b.Add(ctx, knowledge.Document{Path: d.Path, Name: d.Name, Data: data})
	if err != nil {
		return client.Knowledge{}, err
	}
	out := document(src)
	out.Changed = changed
	return out, nil
}

func document(s knowledge.Source) client.Knowledge {
	return client.Knowledge{ID: s.ID, Name: s.Name, Kind: string(s.Kind), File: s.File, Bytes: s.Bytes, Chunks: s.Chunks, Indexed: &s.Indexed}
}
