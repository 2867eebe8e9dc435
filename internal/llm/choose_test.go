package llm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		name  string
		model string
		tags  []string
		dead  string // endpoints that fail
		want  string // who answers, as role/endpoint; or the kind of the error
	}{
		{name: "nothing asked", want: "main/a"},
		{name: "a role", model: "judge", want: "judge/b"},
		{name: "an endpoint", model: "c", want: "main/c"},
		{name: "an endpoint that fails: the role's others", model: "c", dead: "c", want: "main/a"},
		{name: "the engine", model: "offline", want: "main/offline"},
		{name: "a tag", tags: []string{"code"}, want: "main/b"},
		{name: "a tag, in its order", tags: []string{"code"}, dead: "b", want: "main/c"},
		{name: "two tags", tags: []string{"code", "long"}, want: "main/c"},
		{name: "a tag that no endpoint of the role has", model: "judge", tags: []string{"long"}, want: "judge/c"},
		{name: "the one that is named needs no tag", model: "a", tags: []string{"code"}, want: "main/a"},
		{name: "a tag, all that have it fail: the engine and no other", tags: []string{"long"}, dead: "c", want: "main/offline"},
		{name: "an unknown model", model: "gpt", want: "invalid_request"},
		{name: "an unknown tag", tags: []string{"vision"}, want: "invalid_request"},
		{name: "tags that no endpoint has together", tags: []string{"code", "cheap"}, want: "invalid_request"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var list []llm.Endpoint
				for name, tags := range map[string][]string{"a": {"cheap"}, "b": {"code"}, "c": {"code", "long"}} {
					e := endpoint(name, kinds(""))
					if strings.Contains(tt.dead, name) {
						e.Provider = kinds(akitad.Auth)
					}
					e.Tags = tags
					list = append(list, e)
				}
				r, err := llm.NewRouter(append(list, offline(true)), map[llm.Role][]string{llm.RoleMain: {"a", "b", "c"}, llm.RoleJudge: {"b"}}, llm.RouterOptions{})
				if err != nil {
					t.Fatal(err)
				}
				req := llm.Request{Role: llm.RoleMain}
				req.Use(tt.model, tt.tags)
				reply, err := r.Generate(t.Context(), req)
				got := string(req.Role) + "/" + reply.Endpoint
				if err != nil {
					got = string(akitad.KindOf(err))
				}
				if got != tt.want || (akitad.FailureOf(r.Check(tt.model, tt.tags)) == nil) != (err == nil) {
					t.Errorf("%s, want %s (%v)", got, tt.want, err)
				}
				if first := r.Leads(req).Name; err == nil && tt.dead == "" && first != reply.Endpoint {
					t.Errorf("%s leads, %s answers", first, reply.Endpoint)
				}
			})
		})
	}
}

// What there is not is refused with what there is.
func TestChooseHints(t *testing.T) {
	e := endpoint("big", kinds(""))
	bare := router(t, llm.RouterOptions{}, e)
	e.Tags = []string{"long", "code"}
	r := router(t, llm.RouterOptions{}, e, offline(true))
	for _, tt := range []struct {
		err  error
		hint string
	}{
		{r.Check("huge", nil), "known: main, compiler, planner, summarizer, judge, big, offline"},
		{r.Check("", []string{"vision"}), "known tags: code, long"},
		{bare.Check("", []string{"vision"}), "no endpoint has any; set endpoints[].tags"},
	} {
		if f := akitad.FailureOf(tt.err); f == nil || f.Hint != tt.hint {
			t.Errorf("%+v, want %q", f, tt.hint)
		}
	}
	if !slices.Equal(r.Tags(), []string{"code", "long"}) {
		t.Errorf("%q", r.Tags())
	}
}

// What answers from what is kept here is a strategy for the owner to set, no model to ask for.
func TestWhatIsKeptIsNoModel(t *testing.T) {
	var kept []llm.Endpoint
	for _, name := range []string{llm.StrategyMemory, llm.StrategyKnowing} {
		e := endpoint(name, kinds(""))
		e.Offline, e.Memory, e.Serves = true, true, func(llm.Request) bool { return true }
		kept = append(kept, e)
	}
	r := router(t, llm.RouterOptions{}, append(kept, endpoint("a", kinds("")), offline(true))...)
	for _, e := range kept {
		req := llm.Request{Role: llm.RoleMain}
		req.Use(e.Name, nil)
		if reply, err := r.Generate(t.Context(), req); akitad.KindOf(err) != akitad.InvalidRequest || akitad.KindOf(r.Check(e.Name, nil)) != akitad.InvalidRequest {
			t.Errorf("%s: %q answers, %v", e.Name, reply.Endpoint, err)
		}
	}
}
