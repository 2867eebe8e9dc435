package admin

import (
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad/internal/client"
)

// A rawRoute is one that answers something else than JSON of ours, with what the contract says of it.
type rawRoute struct {
	method, path, id, summary string

	params  []*huma.Param
	body    *huma.Schema
	answers map[int]map[string]*huma.Schema // by status, then by media type
	serve   func(http.ResponseWriter, *http.Request) error
}

// raw serves a route and puts it into the contract. What the route fails with is told by fail.
func (s *Server) raw(mux *http.ServeMux, d rawRoute, fail func(http.ResponseWriter, error)) {
	mux.HandleFunc(d.method+" "+d.path, func(w http.ResponseWriter, r *http.Request) {
		if err := d.serve(w, r); err != nil {
			fail(w, err)
		}
	})
	op := &huma.Operation{OperationID: d.id, Method: d.method, Path: d.path, Summary: d.summary, Parameters: d.params, Responses: map[string]*huma.Response{}}
	if d.body != nil {
		op.RequestBody = &huma.RequestBody{Required: true, Content: jsonBody(d.body)}
	}
	for status, content := range d.answers {
		op.Responses[strconv.Itoa(status)] = responseOf(status, content)
	}
	s.api.OpenAPI().AddOperation(op)
}

func responseOf(status int, content map[string]*huma.Schema) *huma.Response {
	out := &huma.Response{Description: http.StatusText(status)}
	for kind, schema := range content {
		if out.Content == nil {
			out.Content = map[string]*huma.MediaType{}
		}
		out.Content[kind] = &huma.MediaType{Schema: schema}
	}
	return out
}

// also adds an answer with a body of T to an operation of the contract, or describes one that is there.
func also[T any](s *Server, op *huma.Operation, status int, what string) {
	answer := responseOf(status, map[string]*huma.Schema{"application/json": s.schemaOf(reflect.TypeFor[T]())})
	answer.Description = what
	op.Responses[strconv.Itoa(status)] = answer
}

func (s *Server) schemaOf(t reflect.Type) *huma.Schema {
	return s.api.OpenAPI().Components.Schemas.Schema(t, true, t.Name())
}

func inPath(name, what string) *huma.Param {
	return &huma.Param{Name: name, In: "path", Description: what, Required: true, Schema: text("")}
}

// text is a schema of strings: any, or one of these.
func text(what string, oneOf ...any) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Description: what, Enum: oneOf}
}

func object(what string, fields map[string]*huma.Schema, required ...string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Description: what, Properties: fields, Required: required}
}

func listOf(what string, items *huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Description: what, Items: items}
}

// completionBody is what is read of a chat completion; all else that clients send is passed over.
func completionBody() *huma.Schema {
	part := object("", map[string]*huma.Schema{
		"type":      text("image_url and file hold a data URL in base64.", "text", "input_text", "output_text", "image_url", "input_image", "file"),
		"text":      text(""),
		"image_url": {AnyOf: []*huma.Schema{text("A data URL."), object("", map[string]*huma.Schema{"url": text("A data URL.")}, "url")}},
		"file":      object("", map[string]*huma.Schema{"filename": text(""), "file_data": text("A data URL.")}, "file_data"),
	}, "type")
	message := object("", map[string]*huma.Schema{
		"role":    text("system, developer, user, assistant or tool."),
		"content": {AnyOf: []*huma.Schema{text(""), listOf("", part), {Type: "null"}}},
	}, "role")
	most := 1.0
	return object("Fields that are not named here are passed over; tools and functions must be empty.", map[string]*huma.Schema{
		"model":           text("akitad, or the name of an agent; see /v1/models."),
		"messages":        listOf("The last one of the user is the task, those before it are its conversation.", message),
		"stream":          {Type: huma.TypeBoolean},
		"stream_options":  object("", map[string]*huma.Schema{"include_usage": {Type: huma.TypeBoolean}}),
		"user":            text("Who asks: memory is kept for each by itself."),
		"n":               {Type: huma.TypeInteger, Maximum: &most},
		"response_format": object("", map[string]*huma.Schema{"type": text("", "text", "json_object", "json_schema"), "json_schema": object("", map[string]*huma.Schema{"schema": object("A JSON Schema.", nil)})}, "type"),
	}, "messages")
}

// openAIFailure is the shape of errors on the paths that speak as OpenAI's do.
func openAIFailure() *huma.Schema {
	return object("", map[string]*huma.Schema{"error": object("", map[string]*huma.Schema{
		"message": text(""), "type": text(""), "param": {AnyOf: []*huma.Schema{text(""), {Type: "null"}}}, "code": text("As in Problem."),
	}, "message", "type", "code")}, "error")
}

// describeProblems puts our problems in the place of the framework's in the contract.
func (s *Server) describeProblems() {
	api := s.api.OpenAPI()
	schema := s.schemaOf(reflect.TypeFor[client.Problem]())
	for path, item := range api.Paths {
		answer := &huma.Response{Description: "A problem", Content: map[string]*huma.MediaType{"application/problem+json": {Schema: schema}}}
		if openAIPath(path) {
			answer = &huma.Response{Description: "An error in OpenAI's shape", Content: jsonBody(openAIFailure())}
		}
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete, item.Patch} {
			if op != nil {
				op.Responses["default"] = answer
			}
		}
	}
	delete(api.Components.Schemas.Map(), "ErrorModel")
	delete(api.Components.Schemas.Map(), "ErrorDetail")
}
