package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/akitad/akitad"
)

// CallTool makes one call of a tool outside of any task, in the folder of a session; no name of one means
// the folder that all such calls share. args is a JSON object.
func (c *Client) CallTool(ctx context.Context, name, session string, args akitad.RawJSON) (r ToolResult, err error) {
	path := "/v1/tools/" + url.PathEscape(name)
	if session != "" {
		path += "?" + url.Values{"session": {session}}.Encode()
	}
	return r, c.do(ctx, http.MethodPost, path, args, &r)
}
