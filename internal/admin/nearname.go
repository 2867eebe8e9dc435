package admin

import (
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/akitad/akitad/internal/tool"
)

// nearName says of a field that a route does not take which one may be meant, or which ones there are;
// "" for any other mistake. location is like body.budget.calls or body.files[0].nam.
func (s *Server) nearName(op *huma.Operation, location, message string) string {
	if message != validation.MsgUnexpectedProperty || op == nil || op.RequestBody == nil {
		return ""
	}
	media := op.RequestBody.Content["application/json"]
	parts := strings.Split(location, ".")
	if media == nil || len(parts) < 2 || parts[0] != "body" {
		return ""
	}
	schema := s.resolved(media.Schema)
	for _, name := range parts[1 : len(parts)-1] {
		schema = s.below(schema, name)
	}
	if schema == nil {
		return ""
	}
	known := slices.Sorted(maps.Keys(schema.Properties))
	known = slices.DeleteFunc(known, func(n string) bool { return n == "$schema" })
	if near := tool.Nearest(parts[len(parts)-1], known); len(near) > 0 {
		return ": did you mean " + near[0] + "?"
	}
	if len(known) == 0 {
		return ""
	}
	return ": known here are " + strings.Join(known, ", ")
}

// below gives the schema of a property, or of the items of one that is a list; nil if it has none.
func (s *Server) below(schema *huma.Schema, name string) *huma.Schema {
	if schema == nil {
		return nil
	}
	name, _, list := strings.Cut(name, "[")
	next := s.resolved(schema.Properties[name])
	if list && next != nil {
		return s.resolved(next.Items)
	}
	return next
}

// resolved follows a reference.
func (s *Server) resolved(schema *huma.Schema) *huma.Schema {
	if schema != nil && schema.Ref != "" {
		return s.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	return schema
}
