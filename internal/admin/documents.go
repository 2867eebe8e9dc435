package admin

import (
	"encoding/json"
	"net/http"
	"reflect"

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
	of := "/v1/tasks/{id}"
	id := inPath("id", "A task id; it begins with t_.")
	bytes := &huma.Schema{Type: huma.TypeString, Format: "binary"}
	span := s.schemaOf(reflect.TypeFor[akitad.Span]())
	tree := listOf("The spans, each with its children; the end_time of an open one is null. In the formats otlp and chrome, what these say.", &huma.Schema{})
	for _, d := range []rawRoute{
		{
			path: of + "/events", id: "task-events", summary: "Journal and live events as server-sent events; Last-Event-ID resumes", serve: s.events,
			params:  []*huma.Param{id, {Name: "Last-Event-ID", In: "header", Description: "The id of the last event that the reader has.", Schema: &huma.Schema{Type: huma.TypeInteger}}},
			answers: map[int]map[string]*huma.Schema{200: {"text/event-stream": text("Events with an id have a kind and data as Event; the event live has partial text: {\"text\": ...}.")}, 204: nil},
		},
		{
			path: of + "/spec", id: "task-spec", summary: "The compiled spec, as YAML", serve: s.spec,
			params: []*huma.Param{id}, answers: map[int]map[string]*huma.Schema{200: {"application/yaml": text("")}},
		},
		{
			path: of + "/plan", id: "task-plan", summary: "The plan, as YAML", serve: s.plan,
			params: []*huma.Param{id}, answers: map[int]map[string]*huma.Schema{200: {"application/yaml": text("")}},
		},
		{
			path: of + "/trace", id: "task-trace", summary: "The trace as a JSON tree; format=jsonl, otlp or chrome", serve: s.trace,
			params:  []*huma.Param{id, {Name: "format", In: "query", Description: "Default json.", Schema: text("", "json", "jsonl", "otlp", "chrome")}},
			answers: map[int]map[string]*huma.Schema{200: {"application/json": {AnyOf: []*huma.Schema{tree, object("", nil)}}, "application/jsonl": span}},
		},
		{
			path: of + "/stats", id: "task-stats", summary: "What the task used", serve: s.stats,
			params: []*huma.Param{id}, answers: map[int]map[string]*huma.Schema{200: {"application/json": s.schemaOf(reflect.TypeFor[client.Stats]())}},
		},
		{
			path: of + "/artifacts/{hash}", id: "task-artifact", summary: "The bytes of an artifact", serve: s.artifact,
			params: []*huma.Param{id, inPath("hash", "The content hash, as the task's result has it.")}, answers: map[int]map[string]*huma.Schema{200: {"application/octet-stream": bytes}},
		},
	} {
		d.method = http.MethodGet
		s.raw(mux, d, func(w http.ResponseWriter, err error) {
			p := problem(err)
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(p.Status)
			_ = json.NewEncoder(w).Encode(p) // a client that is gone cannot be told
		})
	}
	s.schemaOf(reflect.TypeFor[client.Event]())
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
