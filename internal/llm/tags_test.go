package llm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// echo answers with what it was shown.
type echo struct{}

func (echo) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	m := req.Messages[len(req.Messages)-1]
	var parts []string
	for _, p := range m.Parts {
		parts = append(parts, p.Name)
	}
	return llm.Reply{Text: strings.Join(parts, ",") + "|" + m.Text}, nil
}

func tagged(name, model string, tags ...string) llm.Endpoint {
	return llm.Endpoint{Name: name, Protocol: "test", Model: model, Provider: echo{}, Tags: tags}
}

func TestTagsChooseTheEndpoint(t *testing.T) {
	png := llm.Part{Name: "a.png", MIME: "image/png", Data: []byte("123")}
	pdf := llm.Part{Name: "b.pdf", MIME: "application/pdf", Data: []byte("123")}
	for _, tt := range []struct {
		name      string
		endpoints []llm.Endpoint
		parts     []llm.Part
		tags      []string
		endpoint  string
		text      string
		degraded  bool
	}{
		{"nothing wanted", []llm.Endpoint{tagged("a", "m"), tagged("b", "m", "vision")}, nil, nil, "a", "|hi", false},
		{"an image", []llm.Endpoint{tagged("a", "m", "code"), tagged("b", "m", "vision")}, []llm.Part{png}, nil, "b", "a.png|hi", false},
		{"an image, by the model's name", []llm.Endpoint{tagged("a", "deepseek-chat"), tagged("b", "qwen2.5-vl-72b")}, []llm.Part{png}, nil, "b", "a.png|hi", false},
		{"tags are the whole truth", []llm.Endpoint{tagged("a", "gpt-4o", "code"), tagged("b", "m", "vision")}, []llm.Part{png}, nil, "b", "a.png|hi", false},
		{"the first that sees", []llm.Endpoint{tagged("a", "gpt-5-mini"), tagged("b", "m", "vision")}, []llm.Part{png}, nil, "a", "a.png|hi", false},
		{"nobody sees", []llm.Endpoint{tagged("a", "m"), tagged("b", "m")}, []llm.Part{png}, nil, "a", "|[a.png (image/png, 3 bytes) is not shown: the model m sees no images]\nhi", true},
		{"a document is not an image", []llm.Endpoint{tagged("a", "m"), tagged("b", "m", "vision")}, []llm.Part{pdf}, nil, "a", "b.pdf|hi", false},
		{"code", []llm.Endpoint{tagged("a", "m"), tagged("b", "m", "code", "long")}, nil, []string{"code"}, "b", "|hi", false},
		{"an image for those that have all tags", []llm.Endpoint{tagged("a", "m", "vision"), tagged("b", "m", "code", "long")}, []llm.Part{png}, []string{"code", "long"}, "b", "|[a.png (image/png, 3 bytes) is not shown: the model m sees no images]\nhi", true},
		{"of those with the tag the one that sees", []llm.Endpoint{tagged("a", "m", "code"), tagged("b", "m", "code", "vision")}, []llm.Part{png}, []string{"code"}, "b", "a.png|hi", false},
	} {
		req := main
		req.Tags, req.Messages = tt.tags, []llm.Message{{Speaker: llm.User, Text: "hi", Parts: tt.parts}}
		reply, err := router(t, llm.RouterOptions{}, tt.endpoints...).Generate(t.Context(), req)
		if err != nil || reply.Endpoint != tt.endpoint || reply.Text != tt.text {
			t.Errorf("%s: %s said %q, %v; want %s, %q", tt.name, reply.Endpoint, reply.Text, err, tt.endpoint, tt.text)
		}
		if got := len(reply.Degraded) > 0; got != tt.degraded {
			t.Errorf("%s: degraded %+v", tt.name, reply.Degraded)
		}
		if len(req.Messages[0].Parts) != len(tt.parts) {
			t.Errorf("%s: the caller's request was changed", tt.name)
		}
	}
}

// An endpoint with eyes that fails is passed over for one without, and both are on record.
func TestEyesThatFail(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b := endpoint("a", kinds(akitad.Auth)), tagged("b", "m")
		a.Tags = []string{"vision"}
		req := main
		req.Messages = []llm.Message{{Speaker: llm.User, Text: "hi", Parts: []llm.Part{{Name: "a.png", MIME: "image/png"}}}}
		reply, err := router(t, llm.RouterOptions{}, b, a).Generate(t.Context(), req)
		if err != nil || reply.Endpoint != "b" || len(reply.Degraded) != 2 || reply.Degraded[0].From != "a" || reply.Degraded[1].Layer != "input" {
			t.Errorf("%s, %+v, %v", reply.Endpoint, reply.Degraded, err)
		}
	})
}
