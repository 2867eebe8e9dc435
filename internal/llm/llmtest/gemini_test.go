package llmtest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// generate posts to the Gemini form of a server.
func generate(t *testing.T, s *llmtest.Server, path, body string) (int, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(s.URL()+"/models/m:"+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(got)
}

// The files of testdata/genai are requests as google.golang.org/genai v1.77.0 sent them to this server
// when it was driven by that library's client: the server reads them as they were meant.
func TestGeminiRequestsOfTheVendorsClient(t *testing.T) {
	seen := map[string]llm.Request{}
	for _, name := range []string{"calls", "signed", "none", "image"} {
		body, err := os.ReadFile(filepath.Join("testdata", "genai", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		script := llmtest.New(t, llmtest.Text("ok"))
		s := llmtest.NewServer(t, script, llmtest.Options{})
		if name == "signed" {
			s.Always(llmtest.Signature("c2ln"))
		}
		if status, got := generate(t, s, "generateContent", string(body)); status != http.StatusOK {
			t.Fatalf("%s: %d %s", name, status, got)
		}
		seen[name] = script.Requests()[0]
	}
	for _, name := range []string{"calls", "signed"} {
		m := seen[name].Messages
		if len(m) != 3 || m[0].Text != "go" || m[1].Text != "I look." || len(m[1].Calls) != 2 || len(m[2].Results) != 2 || len(seen[name].Tools) != 2 {
			t.Fatalf("%s: %+v", name, seen[name])
		}
		for i, want := range []struct{ tool, result string }{{"read", "hello"}, {"now", "broken"}} {
			if c, r := m[1].Calls[i], m[2].Results[i]; c.Tool != want.tool || r.Tool != want.tool || r.Text != want.result || c.ID != r.Call || c.ID == "" {
				t.Errorf("%s: call %+v, result %+v", name, c, r)
			}
		}
	}
	if seen["none"].Choice != llm.ChoiceNone || seen["calls"].Choice != llm.ChoiceAuto {
		t.Error("whether calls are allowed is not read")
	}
	image := seen["image"]
	if m := image.Messages[0]; image.System != "You are one." || m.Text != "what is this?" || len(m.Parts) != 1 || !bytes.Equal(m.Parts[0].Data, []byte{1, 2, 3}) {
		t.Errorf("%+v", image)
	}
}

func TestGeminiRefusesWhatTheServiceRefuses(t *testing.T) {
	const (
		hi   = `{"role":"user","parts":[{"text":"hi"}]}`
		call = `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`
	)
	answer := func(fields string) string {
		return `{"role":"user","parts":[{"functionResponse":{` + fields + `,"response":{"output":"x"}}}]}`
	}
	contents := func(all ...string) string { return `{"contents":[` + strings.Join(all, ",") + `]}` }
	declared := func(f string) string {
		return `{"contents":[` + hi + `],"tools":[{"functionDeclarations":[` + f + `]}]}`
	}
	for _, tt := range []struct{ body, says string }{
		{contents(), "contents are empty"},
		{contents(call), "begins with the model"},
		{contents(hi, call), "not answered"},
		{contents(hi, call, hi), "number of function response parts is 0"},
		{contents(hi, call, answer(`"name":"g"`)), "answers function call"},
		{contents(hi, call, answer(`"name":"f","id":"x"`)), "answers function call"},
		{contents(answer(`"name":"f"`)), "no function call"},
		{contents(`{"role":"user","parts":[]}`), "parts must not be empty"},
		{contents(`{"role":"user","parts":[{"text":""}]}`), "must hold data"},
		{contents(hi, `{"role":"robot","parts":[{"text":"x"}]}`), "valid role"},
		{contents(hi, `{"role":"model","parts":[{"functionCall":{"name":"f","args":"{}"}}]}`), "is not an object"},
		{`{"contents":[` + hi + `],"max_tokens":3}`, "unknown field"},
		{declared(`{"name":"2f","description":"x"}`), "invalid function name"},
		{declared(`{"name":"f"},{"name":"f"}`), "duplicate"},
		{declared(`{"name":"f","parameters":{"type":"object","properties":{}}}`), "non-empty for OBJECT"},
		{declared(`{"name":"f","parameters":{"type":"string"}}`), "only OBJECT"},
	} {
		s := llmtest.NewServer(t, llmtest.New(nil), llmtest.Options{})
		status, got := generate(t, s, "generateContent", tt.body)
		if status != http.StatusBadRequest || !strings.Contains(got, tt.says) || !strings.Contains(got, `"INVALID_ARGUMENT"`) {
			t.Errorf("%s: %d %s, want %q", tt.body, status, got, tt.says)
		}
	}
	s := llmtest.NewServer(t, llmtest.New(nil), llmtest.Options{})
	for path, says := range map[string]string{"streamGenerateContent": "alt=sse", "generateContent?key=AIza": "in the address"} {
		if status, got := generate(t, s, path, contents(hi)); status != http.StatusBadRequest || !strings.Contains(got, says) {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
	s.Always(llmtest.Signature("c2ln"))
	if _, got := generate(t, s, "generateContent", contents(hi, call, answer(`"name":"f"`))); !strings.Contains(got, "missing a thought_signature") {
		t.Error(got)
	}
}

func TestGeminiSchema(t *testing.T) {
	for schema, says := range map[string]string{
		`{"type":"OBJECT","properties":{"a":{"type":"array","items":{"type":"number","format":"double"}}},"required":["a"]}`: "",
		`{"anyOf":[{"type":"string","enum":["a"]},{"type":"boolean","nullable":true}]}`:                                      "",
		`{"$schema":"x","type":"object"}`:                                            "unknown field",
		`{"type":"object","additionalProperties":false}`:                             "unknown field",
		`{"properties":{}}`:                                                          "invalid value",
		`{"type":"integer","enum":["1"]}`:                                            "only allowed for STRING",
		`{"type":"integer","enum":[1]}`:                                              "invalid JSON payload",
		`{"type":"string","enum":[""]}`:                                              "cannot be empty",
		`{"type":"string","format":"uuid"}`:                                          "not supported",
		`{"type":"string","properties":{"a":{"type":"string"}}}`:                     "only allowed for OBJECT",
		`{"type":"string","items":{"type":"string"}}`:                                "only allowed for ARRAY",
		`{"type":"array"}`:                                                           "missing field",
		`{"type":"object","properties":{}}`:                                          "non-empty",
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`:    "not defined",
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"x"}}}}`: ".properties[a].items.type",
		`{"anyOf":[{"type":"string"}],"description":"d"}`:                            "only field set",
		`{"anyOf":[{"type":"null"}]}`:                                                ".any_of[0].type",
	} {
		err := llmtest.GeminiSchema(json.RawMessage(schema))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v, want %q", schema, err, says)
		}
	}
}
