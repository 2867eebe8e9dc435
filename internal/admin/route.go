package admin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/zap"
)

// route registers an operation that takes an I and gives an O: fields of I with path or query tags
// (strings and ints) are parameters, its Body is JSON, of which strings may have a default tag; O has a
// Body, a Status, or neither.
//
// It stands in the place of huma.Register, which is compiled anew for each pair of types, and which looks
// up a method by name, so that every type's Decode stays in the program. Schemas, validation, content
// types and the form of errors are huma's.
func route[I, O any](s *Server, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	s.register(op, reflect.ValueOf(handle)) // no closure here: its type would be described for each pair
}

// register takes a handler as route does.
func (s *Server) register(op huma.Operation, handle reflect.Value) {
	a := &input{of: handle.Type().In(1).Elem(), api: s.api}
	a.describe(&op)
	s.describeAnswer(&op, handle.Type().Out(0).Elem())
	s.api.OpenAPI().AddOperation(&op)
	s.api.Adapter().Handle(&op, func(ctx huma.Context) {
		in, wrong := a.read(ctx)
		if wrong != nil {
			_ = huma.WriteErr(s.api, ctx, wrong.status, wrong.text, wrong.errs...) // has told it on standard error
			return
		}
		out := handle.Call([]reflect.Value{reflect.ValueOf(ctx.Context()), in})
		err, _ := out[1].Interface().(error)
		s.answer(ctx, out[0], err)
	})
}

func (s *Server) describeAnswer(op *huma.Operation, out reflect.Type) {
	body, has := out.FieldByName("Body")
	op.DefaultStatus = cmp.Or(op.DefaultStatus, map[bool]int{true: http.StatusOK, false: http.StatusNoContent}[has])
	answer := &huma.Response{Description: http.StatusText(op.DefaultStatus), Headers: map[string]*huma.Param{}}
	if has {
		answer.Content = jsonBody(huma.SchemaFromField(s.api.OpenAPI().Components.Schemas, body, hint(out, "Body", op.OperationID+"Response")))
	}
	op.Responses = map[string]*huma.Response{strconv.Itoa(op.DefaultStatus): answer}
}

// answer writes what a handler gave, a pointer to a struct or an error.
func (s *Server) answer(ctx huma.Context, out reflect.Value, err error) {
	if known, ok := errors.AsType[huma.StatusError](err); ok {
		s.write(ctx, known.GetStatus(), known)
		return
	}
	if err != nil {
		_ = huma.WriteErr(s.api, ctx, http.StatusInternalServerError, "unexpected error occurred", err) // has told it on standard error
		return
	}
	status := ctx.Operation().DefaultStatus
	if out.IsNil() {
		ctx.SetStatus(status)
		return
	}
	if f := out.Elem().FieldByName("Status"); f.IsValid() {
		status = int(f.Int())
	}
	var body any
	if f := out.Elem().FieldByName("Body"); f.IsValid() {
		body = f.Interface()
	}
	s.write(ctx, status, body)
}

// write sends a body in the form that the client takes. A client that is gone in the middle of it is none
// of our business; any other failure cuts the answer off, so that it is not taken for a whole one.
func (s *Server) write(ctx huma.Context, status int, body any) {
	form, err := s.api.Negotiate(ctx.Header("Accept"))
	if err != nil {
		form = "application/json"
	}
	if f, ok := body.(huma.ContentTypeFilter); ok {
		form = f.ContentType(form)
	}
	ctx.SetHeader("Content-Type", form)
	ctx.SetStatus(status)
	if status == http.StatusNoContent {
		return
	}
	if err := s.api.Marshal(ctx.BodyWriter(), form, body); err != nil && ctx.Context().Err() == nil {
		s.Log.Warn("an answer is cut off", zap.String("operation", ctx.Operation().OperationID), zap.Error(err))
		panic(http.ErrAbortHandler)
	}
}

func jsonBody(schema *huma.Schema) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: schema}}
}

// hint names the schema of a field whose type has no name of its own.
func hint(parent reflect.Type, field, other string) string {
	if parent.Name() == "" {
		return other
	}
	return parent.Name() + field
}
