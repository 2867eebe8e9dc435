package admin

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// route registers an operation that takes an I and gives an O, as huma.Register does: fields of I with
// path or query tags (strings and ints) are parameters, its Body is JSON; O has a Body, a Status, or neither.
//
// huma.Register is compiled anew for each pair of types, some 25 kB a time. Here all operations share
// the pair asked and told, and only their descriptions and the reading of I go by its type.
func route[I, O any](s *Server, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	s.register(op, reflect.TypeFor[I](), reflect.TypeFor[O](), func(ctx context.Context, in any) (any, error) {
		out, err := handle(ctx, in.(*I))
		if out == nil || err != nil {
			return nil, err
		}
		return *out, nil
	})
}

type told struct {
	Status int
	Body   any
}

func (s *Server) register(op huma.Operation, in, out reflect.Type, handle func(context.Context, any) (any, error)) {
	registry := s.api.OpenAPI().Components.Schemas
	a := &input{of: in, registry: registry}
	op.Metadata = map[string]any{inputKey: a}
	a.describe(&op)
	body, has := out.FieldByName("Body")
	op.DefaultStatus = cmp.Or(op.DefaultStatus, map[bool]int{true: http.StatusOK, false: http.StatusNoContent}[has])
	answer := &huma.Response{Description: http.StatusText(op.DefaultStatus)}
	if has {
		answer.Headers = map[string]*huma.Param{}
		answer.Content = jsonBody(huma.SchemaFromField(registry, body, hint(out, "Body", op.OperationID+"Response")))
	}
	op.Responses = map[string]*huma.Response{strconv.Itoa(op.DefaultStatus): answer}
	say := func(ctx context.Context, in any) (*told, error) {
		v, err := handle(ctx, in)
		if v == nil || err != nil {
			return nil, err
		}
		return tell(reflect.ValueOf(v), op.DefaultStatus), nil
	}
	if op.RequestBody == nil {
		huma.Register(s.api, op, func(ctx context.Context, in *asked) (*told, error) { return say(ctx, in.in) })
	} else {
		required := op.RequestBody.Required
		huma.Register(s.api, op, func(ctx context.Context, in *askedWithBody) (*told, error) { return say(ctx, in.in) })
		op.RequestBody.Required = required
		delete(op.RequestBody.Content, "application/octet-stream") // what askedWithBody says of itself
	}
	if !has {
		answer.Content = nil // told has a body
	}
}

func tell(v reflect.Value, status int) *told {
	out := &told{Status: status}
	if f := v.FieldByName("Status"); f.IsValid() {
		out.Status = int(f.Int())
	}
	if f := v.FieldByName("Body"); f.IsValid() {
		out.Body = f.Interface()
	}
	return out
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

// inputKey is under what an operation keeps its input.
const inputKey = "input"

// An input reads requests into values of one struct type.
type input struct {
	of       reflect.Type
	registry huma.Registry
	params   []param
	body     reflect.StructField // Body or RawBody, if it has one
}

type param struct {
	field    int
	in, name string
	fallback string
	schema   *huma.Schema
}

func (a *input) describe(op *huma.Operation) {
	for i := range a.of.NumField() {
		f := a.of.Field(i)
		if f.Name == "Body" || f.Name == "RawBody" {
			a.describeBody(op, f)
			continue
		}
		p := param{field: i, in: "path", name: f.Tag.Get("path"), fallback: f.Tag.Get("default"), schema: huma.SchemaFromField(a.registry, f, "")}
		explode := (*bool)(nil)
		if p.name == "" {
			p.in, p.name, explode = "query", f.Tag.Get("query"), new(bool)
		}
		a.params = append(a.params, p)
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: p.name, In: p.in, Description: p.schema.Description, Explode: explode, Required: p.in == "path", Schema: p.schema,
		})
	}
}

// describeBody says what a Body holds and bounds it as huma does. A RawBody is an object that may be left
// out and is the handler's to check.
func (a *input) describeBody(op *huma.Operation, f reflect.StructField) {
	a.body = f
	if f.Name == "RawBody" {
		op.SkipValidateBody, op.RequestBody = true, &huma.RequestBody{Content: jsonBody(&huma.Schema{Type: huma.TypeObject})}
		return
	}
	schema := huma.SchemaFromField(a.registry, f, hint(a.of, f.Name, op.OperationID+"Request"))
	op.RequestBody = &huma.RequestBody{Required: f.Type.Kind() != reflect.Pointer, Content: jsonBody(schema)}
	op.MaxBodyBytes, op.BodyReadTimeout = cmp.Or(op.MaxBodyBytes, 1<<20), cmp.Or(op.BodyReadTimeout, 5*time.Second)
}

// read gives a pointer to the input that a request holds, and what is wrong with its parameters.
func (a *input) read(ctx huma.Context, body []byte) (any, []error) {
	v := reflect.New(a.of)
	path, res := huma.NewPathBuffer(nil, 0), &huma.ValidateResult{}
	for _, p := range a.params {
		path.Reset()
		path.Push(p.in)
		path.Push(p.name)
		p.read(ctx, v.Elem().Field(p.field), a.registry, path, res)
	}
	if err := a.readBody(ctx, v.Elem(), body); err != nil {
		res.Errors = append(res.Errors, err)
	}
	return v.Interface(), res.Errors
}

// readBody reads the body into its field. huma says itself what is no JSON or does not suit the schema.
func (a *input) readBody(ctx huma.Context, v reflect.Value, body []byte) error {
	if a.body.Name == "" || len(body) == 0 {
		return nil
	}
	to := v.FieldByIndex(a.body.Index)
	if a.body.Name == "RawBody" {
		to.SetBytes(body)
		return nil
	}
	err := json.Unmarshal(body, to.Addr().Interface())
	if err == nil || a.reported(ctx.Operation(), body) {
		return nil
	}
	return &huma.ErrorDetail{Location: "body", Message: err.Error(), Value: string(body)}
}

// reported says whether huma finds fault with a body.
func (a *input) reported(op *huma.Operation, body []byte) bool {
	var parsed any
	res := &huma.ValidateResult{}
	if json.Unmarshal(body, &parsed) != nil {
		return true
	}
	huma.Validate(a.registry, op.RequestBody.Content["application/json"].Schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, parsed, res)
	return len(res.Errors) > 0
}

func (p param) read(ctx huma.Context, to reflect.Value, registry huma.Registry, path *huma.PathBuffer, res *huma.ValidateResult) {
	text := ctx.Param(p.name)
	if p.in == "query" {
		text = ctx.Query(p.name)
	}
	if text = cmp.Or(text, p.fallback); text == "" {
		if p.in == "path" {
			res.Add(path, "", "required path parameter is missing")
		}
		return
	}
	if to.Kind() == reflect.String {
		to.SetString(text)
		huma.Validate(registry, p.schema, path, huma.ModeWriteToServer, text, res)
		return
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		res.Add(path, text, "invalid integer")
		return
	}
	to.SetInt(n)
	huma.Validate(registry, p.schema, path, huma.ModeWriteToServer, n, res)
}

// asked is what huma reads of a request that has no body.
type asked struct{ in any }

// Resolve reads the input of the operation that was called.
func (a *asked) Resolve(ctx huma.Context) (errs []error) {
	a.in, errs = ctx.Operation().Metadata[inputKey].(*input).read(ctx, nil)
	return errs
}

// askedWithBody is what huma reads of a request with a body, which it holds against the schema.
type askedWithBody struct {
	RawBody []byte
	in      any
}

// Resolve reads the input of the operation that was called.
func (a *askedWithBody) Resolve(ctx huma.Context) (errs []error) {
	a.in, errs = ctx.Operation().Metadata[inputKey].(*input).read(ctx, a.RawBody)
	return errs
}
