package offline_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline"
)

// recollected gives what memory alone answers, and whether it does.
func recollected(t *testing.T, words string, b llm.Brief) (string, bool) {
	t.Helper()
	b.Date = "2026-05-06"
	req := llm.Request{Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: b.Append(words)}}}
	e := offline.Recollection()
	reply, err := e.Provider.Generate(t.Context(), req)
	if err != nil || reply.Text == "" || reply.Model != llm.OfflineModel {
		t.Fatalf("%q: %+v, %v", words, reply, err)
	}
	return reply.Text, e.Serves(req)
}

func TestRecollection(t *testing.T) {
	known := []string{"My desk is number 12-B on the third floor", "我的生日是5月4日", "My sister's name is Ada", "我住在杭州西湖区", "The office printer is called Gutenberg", "My flight leaves on Friday at 9:40"}
	for _, tt := range []struct{ words, want string }{
		{"Which desk is mine?", "12-B"},
		{"where is my desk", "12-B"},
		{"Can you tell me the number of my desk?", "12-B"},
		{"Please remind me which desk I have", "12-B"},
		{"what's my sister's name?", "Ada"},
		{"Who is my sister?", "Ada"},
		{"What is the office printer called?", "Gutenberg"},
		{"When does my flight leave?", "Friday"},
		{"Do you know when my flight is", "Friday"},
		{"我的生日是哪天？", "5月4日"},
		{"什么时候是我的生日", "5月4日"},
		{"我生日几号？", "5月4日"},
		{"请问我的生日是什么时候", "5月4日"},
		{"我住在哪里？", "西湖区"},
		{"你知道我住哪儿吗", "西湖区"},
		// What memory does not hold, or what wants more than memory.
		{"What is the capital of France?", ""},
		{"When does my train leave?", ""},
		{"我的车牌号是多少？", ""},
		{"Write a poem about my desk", ""},
		{"Can you order a new desk for me?", ""},
		{"How do I clean my desk?", ""},
		{"Move my desk to the second floor", ""},
		{"Why is my desk dirty?", ""},
		{"帮我写一首关于我生日的诗", ""},
		{"帮我订一张生日蛋糕可以吗？", ""},
		{"Remember that my desk is 14", ""},
		{"Which desk is mine, and when does my train leave?", ""},
		{"Forget my desk", ""},
	} {
		for place, b := range map[string]llm.Brief{"core": {Known: known}, "recalled": {Remembered: known}} {
			if place == "recalled" && tt.want == "" {
				continue // what memory's own gate lets through is relevant
			}
			text, serves := recollected(t, tt.words, b)
			if serves != (tt.want != "") {
				t.Errorf("%s, %q: serves %v, says %q", place, tt.words, serves, text)
			} else if !strings.Contains(text, tt.want) || serves && strings.Count(text, "\n- ") != 1 {
				t.Errorf("%s, %q: says %q, want one line with %q", place, tt.words, text, tt.want)
			}
		}
	}
}

// Memory is not asked where there is something to read or to do, and what it gives is no work of a step.
func TestRecollectionKeepsToItsOwn(t *testing.T) {
	known := []string{"The log a.log has 7 errors", "My desk is number 12-B"}
	for name, b := range map[string]llm.Brief{
		"a file came with it":    {Known: known, Files: []llm.BriefFile{{Name: "a.log"}}, Sent: []string{"a.log"}},
		"a file lies there":      {Known: known, Files: []llm.BriefFile{{Name: "a.log"}}},
		"a step's results":       {Known: known, Results: []llm.BriefResult{{Step: "a", Text: "x"}}},
		"data are asked for":     {Known: known, Schema: "{}"},
		"nothing is known":       {},
		"other things are known": {Known: []string{"Prefers tea"}},
	} {
		if text, serves := recollected(t, "How many errors are in a.log?", b); serves {
			t.Errorf("%s: %q", name, text)
		}
	}
	if text, serves := recollected(t, "Which desk is mine?", llm.Brief{Known: known, Files: []llm.BriefFile{{Name: "a.log"}}}); !serves || !strings.Contains(text, "12-B") {
		t.Errorf("an old file in the folder: %v %q", serves, text)
	}
	if text, _ := recollected(t, "我的车牌号是多少？", llm.Brief{}); text != "我没有记住与此有关的内容。" {
		t.Errorf("nothing is said as %q", text)
	}
	// What memory found by its own judgement counts though no word is the same.
	if text, serves := recollected(t, "Where do I live?", llm.Brief{Remembered: []string{"Home is in Porto"}}); !serves || !strings.Contains(text, "Porto") {
		t.Errorf("%v %q", serves, text)
	}
}
