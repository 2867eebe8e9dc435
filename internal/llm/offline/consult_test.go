package offline_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline"
)

// indexOf answers the questions that hold a word, as an index would.
func indexOf(says map[string]string) offline.Consult {
	return func(_ context.Context, question string) (out []akitad.Snippet, err error) {
		for word, text := range says {
			if strings.Count(question, "?") < 2 && strings.Contains(strings.ToLower(question), word) {
				out = append(out, akitad.Snippet{Source: "knowledge", ID: "7", Title: "quay.md, Harbour > Crane", Text: text})
			}
		}
		return out, nil
	}
}

func consulted(t *testing.T, find offline.Consult, words string, b llm.Brief) (string, bool) {
	t.Helper()
	b.Date = "2026-05-06"
	req := llm.Request{Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: b.Append(words)}}}
	e := offline.Consultation(find)
	reply, err := e.Provider.Generate(t.Context(), req)
	if err != nil || reply.Text == "" || reply.Model != llm.OfflineModel {
		t.Fatalf("%q: %+v, %v", words, reply, err)
	}
	return reply.Text, e.Serves(req)
}

func TestConsultation(t *testing.T) {
	find := indexOf(map[string]string{"crane": "The crane lifts 12 tonnes.", "起重机": "起重机可以吊起十二吨。", "a.log": "a.log is rotated daily.", "lines": "The ferry has three lines."})
	known := []string{"My desk is number 12-B on the third floor"}
	for _, tt := range []struct {
		words string
		brief llm.Brief
		want  []string // all of these; none means that it does not answer
	}{
		{"How much does the crane lift?", llm.Brief{}, []string{"The documents say:", "> The crane lifts 12 tonnes.", "(quay.md, Harbour > Crane, line 7)"}},
		{"Can you tell me how much the crane lifts?", llm.Brief{}, []string{"12 tonnes"}},
		{"How do I use the crane?", llm.Brief{}, []string{"12 tonnes"}},
		{"起重机可以吊起多少吨？", llm.Brief{}, []string{"文档中写道：", "> 起重机可以吊起十二吨。", "（quay.md, Harbour > Crane，第 7 行）"}},
		{"How much does the crane lift?", llm.Brief{Files: []llm.BriefFile{{Name: "old.md"}}}, []string{"12 tonnes"}},
		{"Which desk is mine? How much does the crane lift?", llm.Brief{Known: known}, []string{"12 tonnes", "12-B"}},
		{"Which train is mine? How much does the sluice hold?", llm.Brief{Known: known}, nil},
		{"How much does the sluice hold?", llm.Brief{}, nil},
		{"Can you lift the crane?", llm.Brief{}, nil},
		{"Write a poem about the crane", llm.Brief{}, nil},
		{"帮我写一首起重机的诗好吗？", llm.Brief{}, nil},
		{"Remember that the crane is broken", llm.Brief{}, nil},
		{"How much does the crane lift?", llm.Brief{Files: []llm.BriefFile{{Name: "crane.txt"}}, Sent: []string{"crane.txt"}}, nil},
		{"How much does the crane lift?", llm.Brief{Schema: "{}"}, nil},
		{"How much does the crane lift?", llm.Brief{Results: []llm.BriefResult{{Step: "a", Text: "x"}}}, nil},
		{"What is in a.log?", llm.Brief{Files: []llm.BriefFile{{Name: "a.log"}}}, nil},
		{"How many lines are there?", llm.Brief{Files: []llm.BriefFile{{Name: "b.txt"}}}, nil},
	} {
		text, serves := consulted(t, find, tt.words, tt.brief)
		if serves != (tt.want != nil) || slices.ContainsFunc(tt.want, func(part string) bool { return !strings.Contains(text, part) }) {
			t.Errorf("%q: serves %v, says %q, want %q", tt.words, serves, text, tt.want)
		}
	}
	if text, _ := consulted(t, find, "水闸容量是多少？", llm.Brief{}); text != "这里的知识库和记忆都没有这个问题的答案。" {
		t.Errorf("nothing is said as %q", text)
	}
}

// An index that cannot be read answers nothing, and who asked waits for an endpoint.
func TestConsultationWithoutIndex(t *testing.T) {
	find := func(context.Context, string) ([]akitad.Snippet, error) { return nil, errors.New("broken") }
	if text, serves := consulted(t, find, "How much does the crane lift?", llm.Brief{}); serves {
		t.Errorf("%q", text)
	}
}
