package admin

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/catalogue"
)

// Toolbox is what the API may do with tools.
type Toolbox struct {
	// Of gives a profile, the default one for no name, and the tools that its tasks may call.
	Of func(ctx context.Context, profile string) (akitad.Profile, []tool.Tool, error)
	// Call makes one call outside of any task, in the folder of a session. What configuration or policy
	// keep from agents is permission_denied.
	Call func(ctx context.Context, name string, args json.RawMessage, session string) (tool.Result, error)
}

type toolsIn struct {
	Profile string `query:"profile" doc:"Whose tools; empty for those of the default profile."`
}

type callIn struct {
	Name    string `path:"name" doc:"A tool's name, as GET /v1/tools has it." maxLength:"64"`
	Session string `query:"session" doc:"In whose folder; empty for one that all such calls share."`
	RawBody []byte // the arguments, one object; nothing for none
}

type callOut struct{ Body client.ToolResult }

func (s *Server) toolRoutes() {
	route(s, huma.Operation{OperationID: "list-tools", Method: http.MethodGet, Path: "/v1/tools", Summary: "The tools that agents may use"}, s.listTools)
	// The arguments are not checked here: the tool has a schema of its own.
	route(s, huma.Operation{OperationID: "call-tool", Method: http.MethodPost, Path: "/v1/tools/{name}", Summary: "Call a tool outside of any task"}, s.callTool)
}

func (s *Server) listTools(ctx context.Context, in *toolsIn) (*page[client.Tool], error) {
	p, tools, err := s.Deps.Tools.Of(ctx, in.Profile)
	if err != nil {
		return nil, problem(err)
	}
	return &page[client.Tool]{client.Page[client.Tool]{Items: Tools(p, tools)}}, nil
}

func (s *Server) callTool(ctx context.Context, in *callIn) (*callOut, error) {
	r, err := s.Deps.Tools.Call(ctx, in.Name, in.RawBody, in.Session)
	if err != nil {
		return nil, problem(err)
	}
	return &callOut{ToolResult(in.Name, r)}, nil
}

// ToolResult gives what a call came to as people and scripts see it.
func ToolResult(name string, r tool.Result) client.ToolResult {
	return client.ToolResult{Tool: name, Text: r.Text, Changed: append([]string{}, r.Changed...), Exit: r.Exit, Untrusted: r.Untrusted}
}

// Tools describes the tools of a profile, in their order.
func Tools(p akitad.Profile, tools []tool.Tool) []client.Tool {
	inBlock := map[string]bool{}
	block, _ := catalogue.Split(p, tools)
	for _, t := range block {
		inBlock[t.Info().Name] = true
	}
	out := []client.Tool{}
	for _, t := range tools {
		info := t.Info()
		if info.Meta && !inBlock[info.Name] {
			continue // the profile has no use for it
		}
		out = append(out, client.Tool{
			Name: info.Name, Category: info.Category, Risk: string(info.Risk), Readonly: info.Readonly, Idempotent: info.Idempotent,
			ParallelSafe: info.ParallelSafe, Server: info.Server, InBlock: inBlock[info.Name], Description: info.Description, Schema: info.Schema,
		})
	}
	return out
}
