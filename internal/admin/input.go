package admin

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	rules "github.com/akitad/akitad/internal/guard"
)

// An input reads requests into values of one struct type.
type input struct {
	of     reflect.Type
	api    huma.API
	params []param
	body   reflect.StructField // Body or RawBody, if it has one
	schema *huma.Schema        // of a Body
}

type param struct {
	field    int
	in, name string
	fallback string
	schema   *huma.Schema
}

// A fault is why a request does not reach its handler.
type fault struct {
	status int
	text   string
	errs   []error // what is wrong with which part of it
}

func (a *input) registry() huma.Registry { return a.api.OpenAPI().Components.Schemas }

func (a *input) describe(op *huma.Operation) {
	for i := range a.of.NumField() {
		f := a.of.Field(i)
		if f.Name == "Body" || f.Name == "RawBody" {
			a.describeBody(op, f)
			continue
		}
		p := param{field: i, in: "path", name: f.Tag.Get("path"), fallback: f.Tag.Get("default"), schema: huma.SchemaFromField(a.registry(), f, "")}
		explode := (*bool)(nil)
		if p.name == "" {
			p.in, p.name, explode = "query", f.Tag.Get("query"), new(bool)
		}
		if p.name == "" {
			p.in, p.name, explode = "header", f.Tag.Get("header"), nil
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
		op.RequestBody = &huma.RequestBody{Content: jsonBody(&huma.Schema{Type: huma.TypeObject})}
		return
	}
	a.schema = huma.SchemaFromField(a.registry(), f, hint(a.of, f.Name, op.OperationID+"Request"))
	a.schema.PrecomputeMessages()
	op.RequestBody = &huma.RequestBody{Required: f.Type.Kind() != reflect.Pointer, Content: jsonBody(a.schema)}
	op.MaxBodyBytes, op.BodyReadTimeout = cmp.Or(op.MaxBodyBytes, 1<<20), cmp.Or(op.BodyReadTimeout, 5*time.Second)
}

// read gives a pointer to the input that a request holds, or what is wrong with it.
func (a *input) read(ctx huma.Context) (in reflect.Value, wrong *fault) {
	in, wrong = reflect.New(a.of), &fault{status: http.StatusUnprocessableEntity, text: "validation failed"}
	if a.body.Name != "" {
		body, bad := readBody(ctx)
		if bad != nil {
			return in, bad
		}
		wrong.status, wrong.errs = a.take(cmp.Or(ctx.Header("Content-Type"), "application/json"), body, in.Elem().FieldByIndex(a.body.Index))
	}
	path, res := huma.NewPathBuffer(nil, 0), &huma.ValidateResult{}
	for _, p := range a.params {
		path.Reset()
		path.Push(p.in)
		path.Push(p.name)
		p.read(ctx, in.Elem().Field(p.field), a.registry(), path, res)
	}
	if wrong.errs = append(wrong.errs, res.Errors...); len(wrong.errs) > 0 {
		return in, wrong
	}
	return in, nil
}

// readBody reads what a request carries, in the time and up to the size that its operation has.
func readBody(ctx huma.Context) ([]byte, *fault) {
	op, from := ctx.Operation(), ctx.BodyReader()
	if op.BodyReadTimeout > 0 {
		_ = ctx.SetReadDeadline(time.Now().Add(op.BodyReadTimeout)) // without it the server's own time holds
	}
	if op.MaxBodyBytes > 0 {
		from = io.LimitReader(from, op.MaxBodyBytes)
	}
	body, err := io.ReadAll(from)
	late, ok := errors.AsType[net.Error](err)
	switch {
	case op.MaxBodyBytes > 0 && int64(len(body)) == op.MaxBodyBytes:
		return nil, &fault{status: http.StatusRequestEntityTooLarge, text: fmt.Sprintf("request body is too large limit=%d bytes", op.MaxBodyBytes)}
	case ok && late.Timeout():
		return nil, &fault{status: http.StatusRequestTimeout, text: "request body read timeout"}
	case err != nil:
		return nil, &fault{status: http.StatusBadRequest, text: "cannot read request body", errs: []error{fmt.Errorf("the body breaks off: %w", err)}}
	case len(body) == 0 && op.RequestBody.Required:
		return nil, &fault{status: http.StatusBadRequest, text: "request body is required"}
	}
	if err := checkText(body); err != nil {
		return nil, &fault{status: http.StatusBadRequest, text: "cannot read request body", errs: []error{err}}
	}
	return bytes.TrimPrefix(body, []byte("\ufeff")), nil
}

// take reads a body into its field, or gives what is wrong with it and the status that says so.
func (a *input) take(form string, body []byte, to reflect.Value) (status int, errs []error) {
	if len(body) == 0 || a.body.Type.Kind() == reflect.Pointer && string(bytes.TrimSpace(body)) == "null" {
		return http.StatusUnprocessableEntity, nil
	}
	if a.schema == nil {
		to.SetBytes(body)
		return http.StatusUnprocessableEntity, nil
	}
	var parsed any
	if err := a.api.Unmarshal(form, body, &parsed); errors.Is(err, huma.ErrUnknownContentType) {
		return http.StatusUnsupportedMediaType, unread(body, err)
	} else if err != nil {
		return http.StatusBadRequest, unread(body, err)
	}
	path, res := huma.NewPathBuffer(nil, 0), &huma.ValidateResult{}
	path.Push("body")
	huma.Validate(a.registry(), a.schema, path, huma.ModeWriteToServer, parsed, res)
	if len(res.Errors) > 0 {
		return http.StatusUnprocessableEntity, res.Errors
	}
	setDefaults(to)
	if err := a.api.Unmarshal(form, body, to.Addr().Interface()); err != nil && !a.whole(form, body, to) {
		return http.StatusUnprocessableEntity, unread(body, err)
	}
	return http.StatusUnprocessableEntity, nil
}

// whole reads a body once more, with 5.0 and 5e0 written as 5: to the schema they are whole numbers, to the reader
// of Go's they are not.
func (a *input) whole(form string, body []byte, to reflect.Value) bool {
	return a.api.Unmarshal(form, rules.Canonical(body), to.Addr().Interface()) == nil
}

// unread says that a body cannot be read.
func unread(body []byte, err error) []error {
	return []error{&huma.ErrorDetail{Location: "body", Message: err.Error(), Value: string(body)}}
}

// setDefaults gives the strings of a body what their default tags say, until something else is read.
func setDefaults(body reflect.Value) {
	if body.Kind() != reflect.Struct {
		return
	}
	for i := range body.NumField() {
		if text, ok := body.Type().Field(i).Tag.Lookup("default"); ok {
			body.Field(i).SetString(text)
		}
	}
}

func (p param) read(ctx huma.Context, to reflect.Value, registry huma.Registry, path *huma.PathBuffer, res *huma.ValidateResult) {
	text := ctx.Param(p.name)
	switch p.in {
	case "query":
		text = ctx.Query(p.name)
	case "header":
		text = ctx.Header(p.name)
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
