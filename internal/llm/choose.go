package llm

import (
	"maps"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// Roles lists the roles of the contract.
func Roles() []Role { return []Role{RoleMain, RoleCompiler, RolePlanner, RoleSummarizer, RoleJudge} }

// Use has the request served by what a profile, a step or a task asks for: model is a role, or the name
// of an endpoint that is then tried before the others of the request's role; only endpoints that have all
// of the tags count as others. Empty asks for nothing.
func (r *Request) Use(model string, tags []string) {
	switch {
	case model == "":
	case slices.Contains(Roles(), Role(model)):
		r.Role = Role(model)
	default:
		r.Endpoint = model
	}
	if len(tags) > 0 {
		r.Tags = tags
	}
}

// Models lists what Check takes as a model: the roles, then the endpoints in the order given.
func (r *Router) Models() []string {
	var out []string
	for _, role := range Roles() {
		out = append(out, string(role))
	}
	for _, e := range append(slices.Clone(r.order), r.backup()...) {
		out = append(out, e.Name)
	}
	return out
}

// Tags lists the tags that endpoints have, in order.
func (r *Router) Tags() []string {
	known := map[string]bool{}
	for _, e := range r.order {
		for _, tag := range e.Tags {
			known[tag] = true
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// Check says whether a request may ask for this model and these tags. What is not known is an error of
// kind invalid_request that lists what is.
func (r *Router) Check(model string, tags []string) error {
	if known := r.Models(); model != "" && !slices.Contains(known, model) {
		return akitad.Errorf(akitad.InvalidRequest, "no role or endpoint is called %q", model).WithHint("known: " + strings.Join(known, ", "))
	}
	if len(tags) == 0 || len(tagged(r.order, tags)) > 0 {
		return nil
	}
	hint := "no endpoint has any; set endpoints[].tags"
	if known := r.Tags(); len(known) > 0 {
		hint = "known tags: " + strings.Join(known, ", ")
	}
	return akitad.Errorf(akitad.InvalidRequest, "no endpoint has the tags %s", strings.Join(tags, ", ")).WithHint(hint)
}

func tagged(list []*endpoint, tags []string) []*endpoint {
	return slices.DeleteFunc(slices.Clone(list), func(e *endpoint) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return !e.has(tag) })
	})
}

// chosen gives the endpoints that a request is for, in order and without the offline engine: the one
// that it names, then those of its role that have its tags, or of all if none of the role has.
func (r *Router) chosen(req Request) []*endpoint {
	list := r.serving(req.Role)
	if len(req.Tags) > 0 {
		if list = tagged(list, req.Tags); len(list) == 0 {
			list = tagged(r.order, req.Tags)
		}
	}
	first := r.byName[req.Endpoint]
	if first == nil || first.Offline {
		return list
	}
	return append([]*endpoint{first}, slices.DeleteFunc(slices.Clone(list), func(e *endpoint) bool { return e == first })...)
}

// resolve refuses a request for what there is not, and makes of the offline engine's name what it means.
func (r *Router) resolve(req Request) (Request, error) {
	if err := r.Check(req.Endpoint, req.Tags); err != nil {
		return req, err
	}
	if e := r.byName[req.Endpoint]; e != nil && e.Offline {
		req.Offline = true
	}
	return req, nil
}

// Leads gives the endpoint that is a request's first choice, for its window and output limit.
func (r *Router) Leads(req Request) Endpoint {
	if e := r.byName[req.Endpoint]; e != nil {
		return e.Endpoint
	}
	if list := r.chosen(req); len(list) > 0 {
		return list[0].Endpoint
	}
	return r.First(req.Role)
}
