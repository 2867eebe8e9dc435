package admin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/akitad/akitad/internal/llm/llmtest"
)

// contract is the document that a daemon gives out.
type contract struct {
	t        *testing.T
	Version  string `json:"openapi"`
	Paths    map[string]map[string]operation
	compiler *jsonschema.Compiler
}

type operation struct {
	ID         string `json:"operationId"`
	Summary    string
	Parameters []struct {
		Name, In, Description string
		Required              bool
		Schema                json.RawMessage
	}
	RequestBody *struct{ Content map[string]media }
	Responses   map[string]struct {
		Description string
		Content     map[string]media
	}
}

type media struct{ Schema json.RawMessage }

const contractURL = "http://daemon/openapi.json"

func readContract(d *daemon) *contract {
	d.t.Helper()
	body := d.ask("GET", "/openapi.json", "", func(r *http.Request) { r.Header.Del("Authorization") }).Body
	c := &contract{t: d.t, compiler: jsonschema.NewCompiler()}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = json.Unmarshal(body, c)
	}
	if err == nil {
		err = c.compiler.AddResource(contractURL, doc)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

// schema compiles what stands at a place of the document: it and all that it refers to must be there.
func (c *contract) schema(parts ...string) *jsonschema.Schema {
	c.t.Helper()
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(p)
	}
	s, err := c.compiler.Compile(contractURL + "#/" + strings.Join(parts, "/"))
	if err != nil {
		c.t.Errorf("%s: %v", strings.Join(parts, "/"), err)
	}
	return s
}

var inBraces = regexp.MustCompile(`\{([a-z]+)\}`)

// Every operation says what it takes and what it gives, and every schema can be held against something.
func TestContractIsWhole(t *testing.T) {
	c := readContract(start(t, llmtest.New(t)))
	if c.Version != "3.1.0" {
		t.Errorf("openapi: %q", c.Version)
	}
	ids := map[string]bool{}
	for path, methods := range c.Paths {
		for method, op := range methods {
			at := strings.ToUpper(method) + " " + path
			if !regexp.MustCompile(`^[a-z][a-z-]+$`).MatchString(op.ID) || ids[op.ID] || op.Summary == "" {
				t.Errorf("%s: operationId %q, summary %q", at, op.ID, op.Summary)
			}
			ids[op.ID] = true
			c.parameters(at, path, method, op)
			c.responses(at, path, method, op)
			if op.RequestBody != nil {
				for kind := range op.RequestBody.Content {
					c.schema("paths", path, method, "requestBody", "content", kind, "schema")
				}
			} else if method == "put" {
				t.Errorf("%s takes nothing", at)
			}
		}
	}
}

func (c *contract) parameters(at, path, method string, op operation) {
	want := map[string]bool{}
	for _, m := range inBraces.FindAllStringSubmatch(path, -1) {
		want[m[1]] = true
	}
	for i, p := range op.Parameters {
		if p.Description == "" || p.Name == "" || len(p.Schema) == 0 || !slices.Contains([]string{"path", "query", "header"}, p.In) {
			c.t.Errorf("%s: parameter %+v", at, p)
		}
		if p.In == "path" && (!want[p.Name] || !p.Required) {
			c.t.Errorf("%s: %s is not in the path, or may be left out", at, p.Name)
		}
		if p.In == "path" {
			delete(want, p.Name)
		}
		c.schema("paths", path, method, "parameters", fmt.Sprint(i), "schema")
	}
	for name := range want {
		c.t.Errorf("%s: nothing is said of %s", at, name)
	}
}

func (c *contract) responses(at, path, method string, op operation) {
	good := 0
	for status, r := range op.Responses {
		if r.Description == "" {
			c.t.Errorf("%s %s has no description", at, status)
		}
		if strings.HasPrefix(status, "2") {
			good++
		}
		if status != "204" && len(r.Content) == 0 {
			c.t.Errorf("%s %s says nothing of its body", at, status)
		}
		for kind, m := range r.Content {
			if string(m.Schema) == "{}" || len(m.Schema) == 0 {
				c.t.Errorf("%s %s %s may be anything", at, status, kind)
			}
			c.schema("paths", path, method, "responses", status, "content", kind, "schema")
		}
	}
	if _, ok := op.Responses["default"]; !ok || good == 0 {
		c.t.Errorf("%s has the answers %v", at, slices.Sorted(maps.Keys(op.Responses)))
	}
}

// What the daemon answers is what the contract says of that route and status.
func TestAnswersKeepTheContract(t *testing.T) {
	d := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done")))
	c := readContract(d)
	d.client() // it is ready
	id := ""
	for _, tt := range []struct {
		method, route, path, body string
		status                    int
	}{
		{"GET", "/healthz", "", "", 200},
		{"GET", "/readyz", "", "", 200},
		{"POST", "/v1/tasks", "", `{"text":"say it","wait":"60s","lang":"en"}`, 200},
		{"POST", "/v1/tasks", "", `{"text":"say it","profile":"nosuch"}`, 422},
		{"POST", "/v1/tasks", "", `{"text":"say it again","lang":"en"}`, 202},
		{"POST", "/v1/tasks", "", `{`, 400},
		{"GET", "/v1/tasks", "/v1/tasks?limit=1", "", 200},
		{"GET", "/v1/tasks", "/v1/tasks?limit=0", "", 422},
		{"GET", "/v1/tasks/{id}", "", "", 200},
		{"GET", "/v1/tasks/{id}", "/v1/tasks/t_none", "", 404},
		{"GET", "/v1/tasks/{id}/stats", "", "", 200},
		{"GET", "/v1/tasks/{id}/trace", "", "", 200},
		{"GET", "/v1/tasks/{id}/trace", "/v1/tasks/ID/trace?format=otlp", "", 200},
		{"GET", "/v1/tasks/{id}/trace", "/v1/tasks/ID/trace?format=xml", "", 422},
		{"GET", "/v1/tasks/{id}/plan", "", "", 404},
		{"POST", "/v1/tasks/{id}/cancel", "", "", 200},
		{"POST", "/v1/tasks/{id}/rate", "", `{"stars":4}`, 200},
		{"POST", "/v1/tasks/{id}/retry", "", "", 409},
		{"POST", "/v1/tasks/{id}/steer", "", `{"text":"more"}`, 409},
		{"POST", "/v1/tasks/{id}/rollback", "", "", 200},
		{"GET", "/v1/agents", "", "", 200},
		{"POST", "/v1/agents/{profile}/pause", "/v1/agents/writer/pause", "", 200},
		{"POST", "/v1/agents/{profile}/resume", "/v1/agents/writer/resume", "", 200},
		{"GET", "/v1/endpoints", "", "", 200},
		{"GET", "/v1/strategy", "", "", 200},
		{"PUT", "/v1/strategy", "", `{"strategy":"auto"}`, 200},
		{"GET", "/v1/memory", "", "", 200},
		{"POST", "/v1/memory", "", `{"text":"The zebra sleeps at noon"}`, 201},
		{"DELETE", "/v1/memory/{id}", "/v1/memory/nosuch", "", 404},
		{"GET", "/v1/flows", "", "", 200},
		{"GET", "/v1/tools", "", "", 200},
		{"POST", "/v1/tools/{name}", "/v1/tools/time", "", 200},
		{"GET", "/v1/channels", "", "", 200},
		{"POST", "/v1/channels/pair", "", `{"code":"ABCDEFGH"}`, 404},
		{"GET", "/v1/approvals", "", "", 200},
		{"GET", "/v1/usage", "/v1/usage?by=day", "", 200},
		{"GET", "/v1/models", "", "", 200},
		{"GET", "/v1/models/{model}", "/v1/models/akitad", "", 200},
		{"GET", "/v1/models/{model}", "/v1/models/nosuch", "", 404},
		{"POST", "/v1/chat/completions", "", `{"model":"akitad","messages":[{"role":"user","content":"say it"}],"seed":1}`, 200},
		{"POST", "/v1/chat/completions", "", `{"messages":[]}`, 400},
	} {
		path := tt.path
		if path == "" {
			path = tt.route
		}
		got := d.ask(tt.method, strings.NewReplacer("{id}", id, "ID", id).Replace(path), tt.body, nil)
		if tt.status == 200 && tt.route == "/v1/tasks" && tt.method == "POST" {
			id = taskIn(t, got)
		}
		at := tt.method + " " + path + " " + tt.body
		if got.Status != tt.status {
			t.Errorf("%s answers %d %s, want %d", at, got.Status, got.Body, tt.status)
			continue
		}
		c.holds(at, tt.route, strings.ToLower(tt.method), got)
	}
}

func taskIn(t *testing.T, a answer) string {
	t.Helper()
	var task struct{ ID string }
	if err := json.Unmarshal(a.Body, &task); err != nil {
		t.Fatal(err)
	}
	return task.ID
}

func (c *contract) holds(at, route, method string, got answer) {
	c.t.Helper()
	status := fmt.Sprint(got.Status)
	if _, ok := c.Paths[route][method].Responses[status]; !ok {
		status = "default"
		if got.Status < 300 {
			c.t.Errorf("%s: the contract knows no %d", at, got.Status)
		}
	}
	kind, _, _ := strings.Cut(got.Type, ";")
	if _, ok := c.Paths[route][method].Responses[status].Content[kind]; !ok {
		c.t.Errorf("%s: %s %s is not in the contract", at, status, kind)
		return
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.Body))
	if err == nil {
		err = c.schema("paths", route, method, "responses", status, "content", kind, "schema").Validate(body)
	}
	if err != nil {
		c.t.Errorf("%s: %s does not suit the contract: %v", at, got.Body, err)
	}
}
