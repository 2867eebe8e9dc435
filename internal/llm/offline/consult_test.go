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

// Each part of a question is answered by what holds it, whether memory or a document, and by nothing else.
func TestConsultationOfParts(t *testing.T) {
	find := func(_ context.Context, question string) ([]akitad.Snippet, error) {
		if low := strings.ToLower(question); strings.Contains(low, "vpn") && !strings.Contains(low, "wife") && !strings.Contains(low, "妻子") {
			return []akitad.Snippet{{Source: "knowledge", ID: "3", Title: "net.md", Text: "VPN certificates last 90 days."}}, nil
		}
		return nil, nil
	}
	known := []string{"My wife's birthday is on 3 May", "我妻子的生日是5月3日"}
	for _, words := range []string{
		"When is my wife's birthday and how long do VPN certificates last?",
		"When is my wife's birthday, and how long do VPN certificates last?",
		"How long do VPN certificates last and when is my wife's birthday?",
		"When is my wife's birthday? How long do VPN certificates last?",
		"When is my wife's birthday, and what is the lifetime of VPN certificates?",
		"我妻子的生日是哪天，VPN 证书多久过期？",
	} {
		for place, b := range map[string]llm.Brief{"core": {Known: known}, "recalled": {Remembered: known}} {
			text, serves := consulted(t, find, words, b)
			if !serves || strings.Count(text, "> VPN certificates last 90 days.") != 1 || !strings.Contains(text, "3 May") && !strings.Contains(text, "5月3日") {
				t.Errorf("%s, %q: serves %v, says %q", place, words, serves, text)
			}
			if text, serves := recollected(t, words, b); serves {
				t.Errorf("%s, %q: memory alone says %q", place, words, text)
			}
		}
		if text, serves := consulted(t, find, words, llm.Brief{}); serves {
			t.Errorf("%q: nothing is remembered, and it says %q", words, text)
		}
	}
}

// Of what nothing answers no part is said to be about another.
func TestPartsKeepToTheirOwn(t *testing.T) {
	k := newKit(t, nil)
	if text := k.ask("When is my wife's birthday and how long do VPN certificates last?"); strings.Contains(text, "`vpn`") || !strings.Contains(text, "`wife` and `birthday`.\n\nI have nothing to answer this from") {
		t.Errorf("%q", text)
	}
	k.said = []string{"When is my wife's birthday?"}
	if text := k.ask("How long do VPN certificates last?"); strings.Contains(text, "wife") {
		t.Errorf("as the next message: %q", text)
	}
}

// An index that cannot be read answers nothing and is said to be unreadable; who asked waits for an endpoint.
func TestConsultationWithoutIndex(t *testing.T) {
	find := func(context.Context, string) ([]akitad.Snippet, error) { return nil, errors.New("broken") }
	for words, want := range map[string]string{
		"How much does the crane lift?":                                       "could not be read",
		"Which desk is mine? How much does the sluice hold?":                  "could not be read",
		"起重机可以吊起多少吨？":                                                         "文档索引无法读取",
		"Write a poem about the crane":                                        "Nothing that is indexed",
		"Which desk is mine, and how much does the sluice of the canal hold?": "could not be read",
	} {
		text, serves := consulted(t, find, words, llm.Brief{Known: []string{"My desk is number 12-B"}})
		if serves || !strings.Contains(text, want) {
			t.Errorf("%q: serves %v, says %q", words, serves, text)
		}
	}
}

// TestConsultOfLongText looks nothing up for the question marks of a long text: it is no question.
func TestConsultOfLongText(t *testing.T) {
	looked := 0
	c := offline.Consultation(func(context.Context, string) ([]akitad.Snippet, error) {
		looked++
		return nil, nil
	})
	words := "Summarise this: " + strings.Repeat("Is the gate of the old harbour open? ", 3000)
	if c.Serves(llm.Request{Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: words}}}) || looked > 0 {
		t.Errorf("a text of %d bytes was looked up %d times", len(words), looked)
	}
}
