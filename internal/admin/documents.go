package admin

import (
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/tracing"
)

// documents are the routes that answer something else than JSON of ours.
func (s *Server) documents(mux *http.ServeMux) {
	for _, d := range []struct {
		path, summary string
		serve         func(http.ResponseWriter, *http.Request) error
	}{
		{"/v1/tasks/{id}/events", "Journal and live events as server-sent events; Last-Event-ID resumes", s.events},
		{"/v1/tasks/{id}/spec", "The compiled spec, as YAML", s.spec},
		{"/v1/tasks/{id}/plan", "The plan, as YAML", s.plan},
		{"/v1/tasks/{id}/trace", "The trace as a JSON tree; format=jsonl, otlp or chrome", s.trace},
		{"/v1/tasks/{id}/stats", "What the task used", s.stats},
		{"/v1/tasks/{id}/artifacts/{hash}", "The bytes of an artifact", s.artifact},
	} {
		mux.HandleFunc("GET "+d.path, func(w http.ResponseWriter, r *http.Request) {
			if err := d.serve(w, r); err != nil {
				p := problem(err)
				w.Header().Set("Content-Type", "application/problem+json")
				w.WriteHeader(p.Status)
				_ = json.NewEncoder(w).Encode(p) // a client that is gone cannot be told
			}
		})
		s.api.OpenAPI().AddOperation(&huma.Operation{
			OperationID: "get" + d.path[len("/v1/tasks/{id}"):], Method: http.MethodGet, Path: d.path, Summary: d.summary,
			Responses: map[string]*huma.Response{"200": {Description: "OK"}, "default": {Description: "A problem"}},
		})
	}
}

func (s *Server) spec(w http.ResponseWriter, r *http.Request) error {
	t, err := s.load(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if t.Compiled == nil {
		return akitad.Errorf(akitad.NotFound, "task %s has no spec (yet)", t.ID).WithHint("delegated tasks have none; a new task has one within a moment")
	}
	return write(w, "application/yaml", []byte(compiler.Marshal(t.Compiled.Spec)))
}

func (s *Server) plan(w http.ResponseWriter, r *http.Request) error {
	t, err := s.load(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if t.Planned == nil || t.Planned.Plan == nil {
		return akitad.Errorf(akitad.NotFound, "task %s has no plan", t.ID).WithHint("it is done by one agent, or not planned yet")
	}
	return write(w, "application/yaml", []byte(plan.Marshal(*t.Planned.Plan)))
}

func (s *Server) trace(w http.ResponseWriter, r *http.Request) error {
	t, err := s.load(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	var spans []akitad.Span
	err = s.Bus.ReadSpans(r.Context(), tracing.TraceID(t.Sub.Root), func(body []byte) error {
		var span akitad.Span
		if err := json.Unmarshal(body, &span); err != nil {
			return err
		}
		spans = append(spans, span)
		return nil
	})
	if err != nil {
		return err
	}
	body, kind, err := traceAs(r.URL.Query().Get("format"), spans)
	if err != nil {
		return err
	}
	return write(w, kind, body)
}

func traceAs(format string, spans []akitad.Span) (body []byte, kind string, err error) {
	kind = "application/json"
	switch format {
	case "", "json":
		body, err = tracing.JSONTree(spans)
	case "jsonl":
		kind = "application/jsonl"
		body, err = tracing.JSONL(spans)
	case "otlp":
		body, err = tracing.OTLP(spans, "akitad")
	case "chrome":
		body, err = tracing.ChromeTrace(spans)
	default:
		err = akitad.Errorf(akitad.InvalidRequest, "there is no trace format %q", format).WithHint("use jsonl, otlp or chrome")
	}
	return body, kind, err
}

func (s *Server) stats(w http.ResponseWriter, r *http.Request) error {
	t, err := s.load(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	st := statsOf(t)
	if st.Tree, err = s.treeOf(r.Context(), t, st.Own); err != nil {
		return err
	}
	if st.Budget, err = s.budget(r.Context(), t); err != nil {
		return err
	}
	body, err := json.Marshal(st)
	if err != nil {
		return err
	}
	return write(w, "application/json", body)
}

func statsOf(t *journal.Task) client.Stats {
	st := client.Stats{ID: t.ID, Usage: t.Usage, Rounds: len(t.Rounds), Children: len(t.Children), Claims: t.Claims, Events: t.Events}
	st.Own = shareOf(t)
	st.Calls, st.Failed, st.Produced, st.Shown = st.Own.Calls, st.Own.Failed, st.Own.Produced, st.Own.Shown
	return st
}

func (s *Server) artifact(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.load(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	body, err := s.Bus.GetArtifact(r.Context(), r.PathValue("hash"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", "attachment")
	return write(w, "application/octet-stream", body)
}

func write(w http.ResponseWriter, kind string, body []byte) error {
	w.Header().Set("Content-Type", kind)
	_, err := w.Write(body)
	if err != nil {
		return nil // the client is gone
	}
	return nil
}
