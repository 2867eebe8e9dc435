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
// It stands in the place of huma.Register, which is compiled anew for each pair of types, and whose
// forms are read by reflection in a way that keeps encoding/gob in the program. Schemas, validation,
// content types and the form of errors are huma's.
func route[I, O any](s *Server, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	s.register(op, reflect.TypeFor[I](), reflect.TypeFor[O](), func(ctx context.Context, in any) (any, error) {
		out, err := handle(ctx, in.(*I))
		if out == nil || err != nil {
			return nil, err
		}
		return *out, nil
	})
}

func (s *Server) register(op huma.Operation, in, out reflect.Type, handle func(context.Context, any) (any, error)) {
	a := &input{of: in, api: s.api}
	a.describe(&op)
	s.describeAnswer(&op, out)
	s.api.OpenAPI().AddOperation(&op)
	s.api.Adapter().Handle(&op, func(ctx huma.Context) {
		in, wrong := a.read(ctx)
		if wrong != nil {
			_ = huma.WriteErr(s.api, ctx, wrong.status, wrong.text, wrong.errs...) // has told it on standard error
			return
		}
		out, err := handle(ctx.Context(), in)
		s.answer(ctx, out, err)
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

// answer writes what a handler gave.
func (s *Server) answer(ctx huma.Context, out any, err error) {
	if known, ok := errors.AsType[huma.StatusError](err); ok {
		s.write(ctx, known.GetStatus(), known)
		return
	}
	if err != nil {
		_ = huma.WriteErr(s.api, ctx, http.StatusInternalServerError, "unexpected error occurred", err) // has told it on standard error
		return
	}
	status := ctx.Operation().DefaultStatus
	if out == nil {
		ctx.SetStatus(status)
		return
	}
	v := reflect.ValueOf(out)
	if f := v.FieldByName("Status"); f.IsValid() {
		status = int(f.Int())
	}
	var body any
	if f := v.FieldByName("Body"); f.IsValid() {
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
