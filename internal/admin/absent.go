package admin

import "strings"

// absent says of what people look for, and this version does not have, what there is in its place.
var absent = []struct{ path, instead string }{
	{"/v1/schedules", "this version has no schedules; let another program post to /v1/tasks at its time"},
	{"/v1/skills", "this version has no skills; what an agent is to know stands in agents/NAME.md of the home folder"},
	{"/v1/logs", "this version gives no logs by HTTP; akitad logs shows them"},
	{"/metrics", "this version has no metrics for Prometheus; /v1/agents, /v1/endpoints and /v1/usage have counts"},
	{"/mcp", "this version is no MCP server; POST /v1/tasks hands in a task, POST /v1/tools/{name} calls a tool"},
}

// insteadOf adds to the answer for a path that is not there what there is instead.
func insteadOf(path string) string {
	if path == "/" {
		return ": this version has no dashboard; akitad task watch and /v1/tasks/{id}/events tell what happens"
	}
	for _, a := range absent {
		if path == a.path || strings.HasPrefix(path, a.path+"/") {
			return ": " + a.instead
		}
	}
	return ""
}
